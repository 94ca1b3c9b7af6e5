// RUN: pyk-opt %s --py-infer-types | FileCheck %s

// Of several overloads the call takes the best, and says which.

// CHECK-LABEL: py.func @k(
py.func @k(["n", "x", "z", "u", "t"]) kernel arguments [si64, f32, complex<f32>, ui8, i1] {
  %n = py.get "n" : !py.object
  %x = py.get "x" : !py.object
  %z = py.get "z" : !py.object

  // CHECK: py.call %{{.*}}(%{{.*}}) signature (f64) -> f64 : ({{.*}}, si64) -> f64
  // CHECK: py.call %{{.*}}(%{{.*}}) signature (f32) -> f32 : ({{.*}}, f32) -> f32
  %sqrt = py.constant(#py.intrinsic<"math.sqrt">) : !py.object
  %a = py.call %sqrt(%n) : (!py.object, !py.object) -> !py.object
  %b = py.call %sqrt(%x) : (!py.object, !py.object) -> !py.object

  // Integers as such, but no mixture.
  // CHECK: signature (f64, f64) -> f64 : ({{.*}}, si64, si64) -> f64
  // CHECK: signature (f64, f64) -> f64 : ({{.*}}, si64, f32) -> f64
  // CHECK: signature (f32, f32) -> f32 : ({{.*}}, f32, f32) -> f32
  %atan2 = py.constant(#py.intrinsic<"math.atan2">) : !py.object
  %c = py.call %atan2(%n, %n) : (!py.object, !py.object, !py.object) -> !py.object
  %d = py.call %atan2(%n, %x) : (!py.object, !py.object, !py.object) -> !py.object
  %e = py.call %atan2(%x, %x) : (!py.object, !py.object, !py.object) -> !py.object

  // The number of arguments decides, too.
  // CHECK: signature (complex<f32>) -> complex<f32>
  // CHECK: signature (complex<f64>, complex<f64>) -> complex<f64>
  %log = py.constant(#py.intrinsic<"cmath.log">) : !py.object
  %f = py.call %log(%z) : (!py.object, !py.object) -> !py.object
  %g = py.call %log(%z, %n) : (!py.object, !py.object, !py.object) -> !py.object

  // Several results are a tuple.
  // CHECK: signature (complex<f32>) -> (f32, f32) : ({{.*}}, complex<f32>) -> tuple<f32, f32>
  %polar = py.constant(#py.intrinsic<"cmath.polar">) : !py.object
  %h = py.call %polar(%z) : (!py.object, !py.object) -> !py.object

  // A rule says so where it converts.
  // CHECK: signature (f32, si64) -> f32 : ({{.*}}, f32, si64) -> f32
  // CHECK: py.call %{{.*}}(%{{.*}}) : ({{.*}}, f32) -> f32
  %pow = py.constant(#py.intrinsic<"builtins.pow">) : !py.object
  %abs = py.constant(#py.intrinsic<"builtins.abs">) : !py.object
  %i = py.call %pow(%x, %n) : (!py.object, !py.object, !py.object) -> !py.object
  %j = py.call %abs(%x) : (!py.object, !py.object) -> !py.object

  // Exact overloads take what they list and nothing that converts to it.
  // CHECK: signature (si64) -> si64 : ({{.*}}, si64) -> si64
  // CHECK: signature (ui8) -> ui8 : ({{.*}}, ui8) -> ui8
  // CHECK: signature (si8) -> si8 : ({{.*}}, i1) -> si8
  %u = py.get "u" : !py.object
  %t = py.get "t" : !py.object
  %clz = py.constant(#py.intrinsic<"cuda.clz">) : !py.object
  %k = py.call %clz(%n) : (!py.object, !py.object) -> !py.object
  %l = py.call %clz(%u) : (!py.object, !py.object) -> !py.object
  %m = py.call %clz(%t) : (!py.object, !py.object) -> !py.object
}
