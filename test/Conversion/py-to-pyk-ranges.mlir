// RUN: pyk-opt %s --split-input-file --py-infer-types --convert-py-to-pyk \
// RUN:   --canonicalize | FileCheck %s

!o = !py.object

// A step that is positive by its op needs no count.
// CHECK-LABEL: pyk.func @grid_stride(
// CHECK-SAME:    %{{.*}}: !pyk.array<?xi64, c>, %[[N:.*]]: i64)
// CHECK-DAG:     %[[START:.*]] = pyk.grid x : i64
// CHECK-DAG:     %[[STEP:.*]] = pyk.grid_size x : i64
// CHECK:         scf.for %[[I:.*]] = %[[START]] to %[[N]] step %[[STEP]] : i64 {
// CHECK:           pyk.store %[[I]]
py.func @grid_stride(["a", "n"]) kernel arguments [!pyk.array<?xsi64, c>, si64] {
  %range = py.constant(#py.intrinsic<"builtins.range">) : !o
  %grid = py.constant(#py.intrinsic<"cuda.grid">) : !o
  %gridsize = py.constant(#py.intrinsic<"cuda.gridsize">) : !o
  %one = py.constant(#py.int<1 : si64>) : !o
  %n = py.get "n" : !o
  %start = py.call %grid(%one) : (!o, !o) -> !o
  %step = py.call %gridsize(%one) : (!o, !o) -> !o
  %all = py.call %range(%start, %n, %step) : (!o, !o, !o, !o) -> !o
  py.for in %all : !o {
  ^bb0(%i: !o):
    %a = py.get "a" : !o
    py.set_subscript %i, %a[%i] : !o, !o, !o
  }
}

// -----

!o = !py.object

// Nor does one that is computed of such, in a variable.
// CHECK-LABEL: pyk.func @double_stride(
// CHECK:         %[[SIZE:.*]] = pyk.grid_size x : i64
// CHECK:         %[[STEP:.*]] = arith.addi %[[SIZE]], %[[SIZE]] : i64
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]] : i64 {
py.func @double_stride(["a", "n"]) kernel arguments [!pyk.array<?xsi64, c>, si64] {
  %range = py.constant(#py.intrinsic<"builtins.range">) : !o
  %gridsize = py.constant(#py.intrinsic<"cuda.gridsize">) : !o
  %one = py.constant(#py.int<1 : si64>) : !o
  %n = py.get "n" : !o
  %size = py.call %gridsize(%one) : (!o, !o) -> !o
  %sum = py.binary add %size, %size : (!o, !o) -> !o
  py.set "step", %sum : !o
  %step = py.get "step" : !o
  %all = py.call %range(%one, %n, %step) : (!o, !o, !o, !o) -> !o
  py.for in %all : !o {
  ^bb0(%i: !o):
    %a = py.get "a" : !o
    py.set_subscript %i, %a[%i] : !o, !o, !o
  }
}

// -----

!o = !py.object

// An argument may go up, go down, or be 0.
// CHECK-LABEL: pyk.func @unknown_step(
// CHECK-SAME:    %{{.*}}: !pyk.array<?xi64, c>, %[[N:.*]]: i64)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK:         arith.cmpi slt, %[[N]], %[[ZERO]]
// CHECK:         pyk.floor_div unsigned
// CHECK:         arith.cmpi eq, %[[N]], %[[ZERO]]
// CHECK:         scf.for
py.func @unknown_step(["a", "n"]) kernel arguments [!pyk.array<?xsi64, c>, si64] {
  %range = py.constant(#py.intrinsic<"builtins.range">) : !o
  %one = py.constant(#py.int<1 : si64>) : !o
  %n = py.get "n" : !o
  %all = py.call %range(%one, %n, %n) : (!o, !o, !o, !o) -> !o
  py.for in %all : !o {
  ^bb0(%i: !o):
    %a = py.get "a" : !o
    py.set_subscript %i, %a[%i] : !o, !o, !o
  }
}

// -----

!o = !py.object

// A loop that a break leaves with other variables counts by itself, and not
// beyond the end of its type: where no more than a step is left, it stops.
// CHECK-LABEL: pyk.func @last_step(
// CHECK-SAME:    %{{.*}}: !pyk.array<?xi64, c>, %[[N:.*]]: i64)
// CHECK-DAG:     %[[STEP:.*]] = arith.constant 2 : i64
// CHECK:         pyk.loop carry(%[[I:.*]] =
// CHECK:           arith.cmpi slt, %[[I]], %[[N]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK-NEXT:      %[[LEFT:.*]] = arith.subi %[[N]], %[[I]]
// CHECK-NEXT:      %[[IS_MORE:.*]] = arith.cmpi ugt, %[[LEFT]], %[[STEP]]
// CHECK-NEXT:      %[[COUNTER:.*]] = arith.select %[[IS_MORE]], %[[NEXT]], %[[N]]
// CHECK-NEXT:      pyk.continue %[[COUNTER]]
py.func @last_step(["a", "n"]) kernel arguments [!pyk.array<?xsi64, c>, si64] {
  %range = py.constant(#py.intrinsic<"builtins.range">) : !o
  %zero = py.constant(#py.int<0 : si64>) : !o
  %step = py.constant(#py.int<2 : si64>) : !o
  %n = py.get "n" : !o
  %a = py.get "a" : !o
  %all = py.call %range(%zero, %n, %step) : (!o, !o, !o, !o) -> !o
  py.for in %all : !o {
  ^bb0(%i: !o):
    %value = py.subscript %a[%i] : (!o, !o) -> !o
    %stop = py.compare eq %value, %zero : (!o, !o) -> !o
    py.if %stop : !o {
      py.set "x", %i : !o
      py.break
    } else {
    }
  } else {
    py.set "x", %step : !o
  }
  %x = py.get "x" : !o
  py.set_subscript %x, %a[%zero] : !o, !o, !o
}
