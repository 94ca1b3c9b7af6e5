// RUN: pyk-opt %s --split-input-file --py-infer-types --convert-py-to-pyk \
// RUN:   --canonicalize | FileCheck %s

// A guard becomes a condition on the rest, so that no exit is left.
// CHECK-LABEL: pyk.func @guard(
// CHECK-SAME:    %[[ARRAY:.*]]: !pyk.array<?xf32, c>, %[[N:.*]]: i64)
// CHECK-SAME:    attributes {kernel}
// CHECK:         %[[I:.*]] = pyk.grid x
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %[[I]], %[[N]]
// CHECK:         scf.if %[[INSIDE]] {
// CHECK:           %[[EXTENT:.*]] = pyk.dim %[[ARRAY]], 0
// CHECK:           %[[WRAPPED:.*]] = pyk.wrap_index %[[I]] of %[[EXTENT]]
// CHECK:           pyk.store %{{.*}}, %[[ARRAY]][%[[WRAPPED]]]
// CHECK-NOT:     pyk.if
// CHECK:         pyk.return
py.func @guard(["a", "n"]) kernel arguments [!pyk.array<?xf32, c>, si64] {
  %grid = py.constant(#py.intrinsic<"cuda.grid">) : !py.object
  %one = py.constant(#py.int<1 : si64>) : !py.object
  %position = py.call %grid(%one) : (!py.object, !py.object) -> !py.object
  py.set "i", %position : !py.object
  %i = py.get "i" : !py.object
  %n = py.get "n" : !py.object
  %outside = py.compare ge %i, %n : (!py.object, !py.object) -> !py.object
  py.if %outside : !py.object {
    %none = py.constant(#py.none) : !py.object
    py.return %none : !py.object
  } else {
  }
  %a = py.get "a" : !py.object
  py.set_subscript %one, %a[%i] : !py.object, !py.object, !py.object
}

// -----

// Paths that leave a number of different type in a variable convert it where
// they meet.
// CHECK-LABEL: pyk.func @meeting_types(
// CHECK-SAME:    %[[C:.*]]: i1,
// CHECK:         %[[X:.*]] = arith.select %[[C]], %{{.*}}, %{{.*}} : f64
// CHECK:         pyk.store %[[X]]
py.func @meeting_types(["c", "out"]) kernel arguments [i1, !pyk.array<?xf64, c>] {
  %c = py.get "c" : !py.object
  py.if %c : !py.object {
    %one = py.constant(#py.int<1 : si64>) : !py.object
    py.set "x", %one : !py.object
  } else {
    %half = py.constant(2.5 : f64) : !py.object
    py.set "x", %half : !py.object
  }
  %x = py.get "x" : !py.object
  %out = py.get "out" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  py.set_subscript %x, %out[%zero] : !py.object, !py.object, !py.object
}

// -----

// A loop that breaks carries what is read afterwards, and only that.
// CHECK-LABEL: pyk.func @search(
// CHECK:         %[[FOUND:.*]] = pyk.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK-SAME:        carry(%[[LAST:.*]] = %{{.*}}) : i64, (i64) {
// CHECK:           pyk.if %{{.*}} {
// CHECK:             pyk.break %[[LAST]] : i64
// CHECK:           pyk.continue %[[I]] : i64
// CHECK:         pyk.store %[[FOUND]]
py.func @search(["a", "n"]) kernel arguments [!pyk.array<?xsi64, c>, si64] {
  %range = py.constant(#py.intrinsic<"builtins.range">) : !py.object
  %n = py.get "n" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  py.set "last", %zero : !py.object
  %all = py.call %range(%n) : (!py.object, !py.object) -> !py.object
  py.for in %all : !py.object {
  ^bb0(%element: !py.object):
    py.set "i", %element : !py.object
    %i = py.get "i" : !py.object
    %a = py.get "a" : !py.object
    %value = py.subscript %a[%i] : (!py.object, !py.object) -> !py.object
    %stop = py.compare eq %value, %zero : (!py.object, !py.object) -> !py.object
    py.if %stop : !py.object {
      py.break
    } else {
    }
    py.set "last", %i : !py.object
  }
  %last = py.get "last" : !py.object
  %a = py.get "a" : !py.object
  py.set_subscript %last, %a[%zero] : !py.object, !py.object, !py.object
}

// -----

// A range that goes down is counted upwards.
// CHECK-LABEL: pyk.func @downwards(
// CHECK-DAG:     %[[STRIDE:.*]] = arith.constant -2 : i64
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : i64
// CHECK:         scf.for %[[TURN:.*]] = %{{.*}} to %{{.*}} step %[[ONE]]
// CHECK:           %[[OFFSET:.*]] = arith.muli %[[TURN]], %[[STRIDE]]
// CHECK:           %[[I:.*]] = arith.addi %{{.*}}, %[[OFFSET]]
// CHECK:           pyk.store %[[I]]
py.func @downwards(["a", "n"]) kernel arguments [!pyk.array<?xsi64, c>, si64] {
  %range = py.constant(#py.intrinsic<"builtins.range">) : !py.object
  %n = py.get "n" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %step = py.constant(#py.int<-2 : si64>) : !py.object
  %all = py.call %range(%n, %zero, %step)
      : (!py.object, !py.object, !py.object, !py.object) -> !py.object
  py.for in %all : !py.object {
  ^bb0(%i: !py.object):
    %a = py.get "a" : !py.object
    py.set_subscript %i, %a[%i] : !py.object, !py.object, !py.object
  }
}

// -----

// Tuples become their items; a device function returns several values.
// CHECK-LABEL: pyk.func @swapped(
// CHECK:         %[[PAIR:.*]]:2 = pyk.call @swap(%{{.*}}, %{{.*}})
// CHECK:         pyk.store %[[PAIR]]#1
// CHECK-LABEL: pyk.func @swap(
// CHECK-SAME:    %[[X:.*]]: i64, %[[Y:.*]]: f32) -> (f32, i64)
// CHECK:         pyk.return %[[Y]], %[[X]]
py.func @swapped(["a", "x", "y"]) kernel arguments [!pyk.array<?xsi64, c>, si64, f32] {
  %swap = py.constant(@swap) : !py.object
  %x = py.get "x" : !py.object
  %y = py.get "y" : !py.object
  %pair = py.call %swap(%x, %y)
      : (!py.object, !py.object, !py.object) -> !py.object
  %first, %second = py.unpack %pair : (!py.object) -> (!py.object, !py.object)
  %a = py.get "a" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  py.set_subscript %second, %a[%zero] : !py.object, !py.object, !py.object
}
py.func @swap(["x", "y"]) device {
  %y = py.get "y" : !py.object
  %x = py.get "x" : !py.object
  %pair = py.tuple(%y, %x) : (!py.object, !py.object) -> !py.object
  py.return %pair : !py.object
}

// -----

// A printed number is widened by its own sign; text is part of the format.
// CHECK-LABEL: pyk.func @printed(
// CHECK-SAME:    %[[BYTE:.*]]: i8, %[[HALF:.*]]: f16, %[[FLAG:.*]]: i1)
// CHECK-DAG:     %[[WIDE:.*]] = arith.extui %[[BYTE]] : i8 to i64
// CHECK-DAG:     %[[REAL:.*]] = arith.extf %[[HALF]] : f16 to f64
// CHECK:         pyk.print "50%% %llu %f %s\0A"(%[[WIDE]], %[[REAL]], %[[FLAG]]) : i64, f64, i1
py.func @printed(["byte", "half", "flag"]) kernel arguments [ui8, f16, i1] {
  %print = py.constant(#py.intrinsic<"builtins.print">) : !py.object
  %text = py.constant("50%") : !py.object
  %byte = py.get "byte" : !py.object
  %half = py.get "half" : !py.object
  %flag = py.get "flag" : !py.object
  %none = py.call %print(%text, %byte, %half, %flag)
      : (!py.object, !py.object, !py.object, !py.object, !py.object) -> !py.object
}

// -----

// An array in device memory is used where it is, also by stores.
// CHECK-LABEL: pyk.func @array_on_a_device(
// CHECK:         %[[THERE:.*]] = pyk.device_array 4096 strides [-8] : !pyk.array<3xf32, any>
// CHECK:         pyk.store %{{.*}}, %[[THERE]]
py.func @array_on_a_device(["i"]) kernel arguments [si64] {
  %there = py.constant(#py.device_array<4096, <3xf32, any>, strides [-8]>)
      named "there" : !py.object
  %i = py.get "i" : !py.object
  py.set_subscript %i, %there[%i] : !py.object, !py.object, !py.object
}
