// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @arithmetic(
pyk.func @arithmetic(%a: i64, %b: i64, %w: i32, %x: f32, %y: f32,
                      %v: vector<2x1x4xf32>) {
  // CHECK-NEXT: pyk.floor_div %{{.*}}, %{{.*}} : i64
  %0 = pyk.floor_div %a, %b : i64
  // CHECK-NEXT: pyk.floor_div unsigned %{{.*}}, %{{.*}} : i64
  %1 = pyk.floor_div unsigned %a, %b : i64
  // CHECK-NEXT: pyk.floor_div %{{.*}}, %{{.*}} : f32
  %2 = pyk.floor_div %x, %y : f32
  // CHECK-NEXT: pyk.floor_mod %{{.*}}, %{{.*}} : i64
  %3 = pyk.floor_mod %a, %b : i64
  // CHECK-NEXT: pyk.floor_mod %{{.*}}, %{{.*}} : f32
  %4 = pyk.floor_mod %x, %y : f32
  // CHECK-NEXT: pyk.shift_left %{{.*}}, %{{.*}} : i64
  %5 = pyk.shift_left %a, %b : i64
  // CHECK-NEXT: pyk.shift_right unsigned %{{.*}}, %{{.*}} : i64
  %6 = pyk.shift_right unsigned %a, %b : i64
  // CHECK-NEXT: pyk.power %{{.*}}, %{{.*}} : i64
  %7 = pyk.power %a, %b : i64
  // CHECK-NEXT: pyk.wrap_index %{{.*}} of %{{.*}} : i64
  %8 = pyk.wrap_index %a of %b : i64
  // CHECK-NEXT: pyk.float_to_int %{{.*}} : f32 to i64
  %9 = pyk.float_to_int %x : f32 to i64
  // CHECK-NEXT: pyk.float_to_int unsigned %{{.*}} : f32 to i8
  %10 = pyk.float_to_int unsigned %x : f32 to i8
  // CHECK-NEXT: pyk.libdevice "float_as_int"(%{{.*}}) : (vector<2x1x4xf32>) -> vector<2x1x4xi32>
  %11 = pyk.libdevice "float_as_int"(%v) : (vector<2x1x4xf32>) -> vector<2x1x4xi32>
  // CHECK-NEXT: pyk.libdevice "hypot"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  %12 = pyk.libdevice "hypot"(%x, %y) : (f32, f32) -> f32
  // CHECK-NEXT: pyk.libdevice "sincos"(%{{.*}}) : (f32) -> (f32, f32)
  %s, %c = pyk.libdevice "sincos"(%x) : (f32) -> (f32, f32)
  // CHECK-NEXT: pyk.dot4 %{{.*}}, %{{.*}}, %{{.*}} : i32
  %13 = pyk.dot4 %w, %w, %w : i32
  // CHECK-NEXT: pyk.dot4 unsigned %{{.*}}, %{{.*}}, %{{.*}} : i32
  %14 = pyk.dot4 unsigned %w, %w, %w : i32
  // CHECK-NEXT: %[[BITS:.*]] = pyk.round_to_float8 e4m3 saturate nearest %{{.*}} : f32
  %15 = pyk.round_to_float8 e4m3 saturate nearest %x : f32
  // CHECK-NEXT: pyk.round_to_float8 e8m0 exceed toward_zero %{{.*}} : f32
  %16 = pyk.round_to_float8 e8m0 exceed toward_zero %x : f32
  // CHECK-NEXT: pyk.extend_float8 e5m2 %[[BITS]] : f32
  %17 = pyk.extend_float8 e5m2 %15 : f32
  pyk.return
}
