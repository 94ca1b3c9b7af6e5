// RUN: pyk-opt %s --convert-py-to-pyk | FileCheck %s

// The conversion computes in the types that the call says, and in no others.
// CHECK-LABEL: pyk.func @k(
// CHECK-SAME:    %[[ARRAY:.*]]: !pyk.array<?xf64, c>, %[[N:.*]]: i64)
// CHECK:         %[[NARROW:.*]] = arith.sitofp %[[N]] : i64 to f32
// CHECK:         %[[ROOT:.*]] = math.sqrt %[[NARROW]]{{.*}} : f32
// CHECK:         %[[WIDE:.*]] = arith.extf %[[ROOT]]{{.*}} : f32 to f64
// CHECK:         pyk.store %[[WIDE]], %[[ARRAY]]
py.func @k(["a", "n"]) kernel arguments [!pyk.array<?xf64, c>, si64] returns none {
  %a = py.get "a" : !pyk.array<?xf64, c>
  %n = py.get "n" : si64
  %sqrt = py.constant(#py.intrinsic<"math.sqrt">) : !py.static<#py.intrinsic<"math.sqrt">>
  %zero = py.constant(#py.int<0 : si64>) : si64
  %root = py.call %sqrt(%n) signature (f32) -> f32
      : (!py.static<#py.intrinsic<"math.sqrt">>, si64) -> f64
  py.set_subscript %root, %a[%zero] : f64, !pyk.array<?xf64, c>, si64
}
