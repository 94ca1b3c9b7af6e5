// RUN: pyk-opt %s --split-input-file --py-infer-types \
// RUN:   --convert-py-to-pyk="check-bounds=true" | FileCheck %s

!o = !py.object

// Kernels stay kernels, whether anything calls them or not; a device function is
// none.
// CHECK-LABEL: pyk.func @first(
// CHECK-SAME:    attributes {kernel}
// CHECK:         pyk.call @half
// CHECK-LABEL: pyk.func @second(
// CHECK-SAME:    attributes {kernel}
// CHECK:         pyk.call @half
// CHECK-LABEL: pyk.func @half(
// CHECK-NOT:     kernel
py.func @first(["f"]) kernel arguments [f32] {
  %half = py.constant(@half) : !o
  %f = py.get "f" : !o
  %r = py.call %half(%f) : (!o, !o) -> !o
}

py.func @second(["f", "g"]) kernel arguments [f32, f32] {
  %half = py.constant(@half) : !o
  %g = py.get "g" : !o
  %r = py.call %half(%g) : (!o, !o) -> !o
}

py.func @half(["x"]) {
  %x = py.get "x" : !o
  %two = py.constant(#py.int<2 : si64>) : !o
  %half = py.binary truediv %x, %two : (!o, !o) -> !o
  py.return %half : !o
}

// -----

!o = !py.object

// Nobody would hear of an error in what other code calls, nor in what that
// calls; a kernel beside it checks its own.
// CHECK-LABEL: pyk.func @launched(
// CHECK:         pyk.check
// CHECK-LABEL: pyk.func @called(
// CHECK-NOT:     pyk.check
// CHECK-LABEL: pyk.func @get(
// CHECK-NOT:     pyk.check
py.func @launched(["i"]) kernel arguments [si64] {
  %local = py.constant(#py.intrinsic<"cuda.local.array">) : !o
  %n = py.constant(#py.int<3 : si64>) : !o
  %i64 = py.constant(si64) : !o
  %a = py.call %local(%n, %i64) : (!o, !o, !o) -> !o
  %i = py.get "i" : !o
  %x = py.subscript %a[%i] : (!o, !o) -> !o
}

py.func @called(["i"]) arguments [si64] attributes {pyk.export = #pyk.export<c, "f">} {
  %get = py.constant(@get) : !o
  %i = py.get "i" : !o
  %x = py.call %get(%i) : (!o, !o) -> !o
  py.return %x : !o
}

py.func @get(["i"]) {
  %local = py.constant(#py.intrinsic<"cuda.local.array">) : !o
  %n = py.constant(#py.int<3 : si64>) : !o
  %i64 = py.constant(si64) : !o
  %a = py.call %local(%n, %i64) : (!o, !o, !o) -> !o
  %i = py.get "i" : !o
  %x = py.subscript %a[%i] : (!o, !o) -> !o
  py.return %x : !o
}

// -----

// A shared array of a size that is no constant has its extents as ints of 64
// bits.
// CHECK-LABEL: pyk.func @sized(
// CHECK-SAME:    %[[N:.*]]: i32)
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK:         pyk.launch_shared %[[WIDE]], %{{.*}} : !pyk.array<?x?xi32, c, shared>
py.func @sized(["n"]) kernel arguments [si32] {
  %shared = py.constant(#py.intrinsic<"cuda.shared.array">) : !py.object
  %int32 = py.constant(si32) : !py.object
  %three = py.constant(#py.int<3 : si64>) : !py.object
  %n = py.get "n" : !py.object
  %shape = py.tuple(%n, %three) : (!py.object, !py.object) -> !py.object
  %own = py.call %shared(%shape, %int32) : (!py.object, !py.object, !py.object) -> !py.object
  %zero = py.tuple(%three, %three) : (!py.object, !py.object) -> !py.object
  py.set_subscript %three, %own[%zero] : !py.object, !py.object, !py.object
}
