// RUN: pyk-opt %s --pyk-make-reproducible --split-input-file | FileCheck %s

// CHECK-LABEL: pyk.func @stored(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?xf32, c>, %[[I:.*]]: i64, %[[X:.*]]: f32)
pyk.func @stored(%a: !pyk.array<?xf32, c>, %i: i64, %x: f32) attributes {pyk.reproducible} {
  // Nothing happens to what is computed with.
  // CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %[[X]] : f32
  %y = arith.addf %x, %x : f32
  // CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[Y]] : f32 to i32
  // CHECK-NEXT: %[[MASK:.*]] = arith.constant 2147483647 : i32
  // CHECK-NEXT: %[[SIZE:.*]] = arith.andi %[[BITS]], %[[MASK]] : i32
  // CHECK-NEXT: %[[INF:.*]] = arith.constant 2139095040 : i32
  // CHECK-NEXT: %[[IS:.*]] = arith.cmpi ugt, %[[SIZE]], %[[INF]] : i32
  // CHECK-NEXT: %[[NAN:.*]] = arith.constant 2143289344 : i32
  // CHECK-NEXT: %[[S:.*]] = arith.select %[[IS]], %[[NAN]], %[[BITS]] : i32
  // CHECK-NEXT: %[[R:.*]] = arith.bitcast %[[S]] : i32 to f32
  // CHECK-NEXT: pyk.store %[[R]], %[[A]][%[[I]]]
  pyk.store %y, %a[%i] : !pyk.array<?xf32, c>
  pyk.return
}

// -----

// CHECK-LABEL: pyk.func @other_types(
pyk.func @other_types(%h: !pyk.array<f16, c>, %b: !pyk.array<bf16, c>,
                      %d: !pyk.array<f64, c>, %c: !pyk.array<complex<f64>, c>,
                      %x: f16, %y: bf16, %z: f64, %w: complex<f64>)
    attributes {pyk.reproducible} {
  // CHECK: arith.constant 31744 : i16
  // CHECK: arith.constant 32256 : i16
  // CHECK: pyk.store %{{.*}} : !pyk.array<f16, c>
  pyk.store %x, %h[] : !pyk.array<f16, c>
  // CHECK: arith.constant 32640 : i16
  // CHECK: arith.constant 32704 : i16
  // CHECK: pyk.store %{{.*}} : !pyk.array<bf16, c>
  pyk.store %y, %b[] : !pyk.array<bf16, c>
  // CHECK: arith.constant 9218868437227405312 : i64
  // CHECK: arith.constant 9221120237041090560 : i64
  // CHECK: pyk.store %{{.*}} : !pyk.array<f64, c>
  pyk.store %z, %d[] : !pyk.array<f64, c>
  // CHECK: %[[RE:.*]] = complex.re
  // CHECK: %[[IM:.*]] = complex.im
  // CHECK: arith.bitcast %[[RE]] : f64 to i64
  // CHECK: arith.select
  // CHECK: arith.bitcast %[[IM]] : f64 to i64
  // CHECK: arith.select
  // CHECK: complex.create
  pyk.store %w, %c[] : !pyk.array<complex<f64>, c>
  pyk.return
}

// -----

// What is taken as bits, or whose sign counts.
// CHECK-LABEL: pyk.func @bits(
// CHECK-SAME:    %[[X:.*]]: f64, %[[Y:.*]]: f64)
pyk.func @bits(%x: f64, %y: f64) -> (i64, f64, i32, f64) attributes {pyk.reproducible} {
  // CHECK: arith.select
  // CHECK: %[[A:.*]] = arith.bitcast %{{.*}} : i64 to f64
  // CHECK: arith.bitcast %[[A]] : f64 to i64
  %a = arith.bitcast %x : f64 to i64
  // CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : i64 to f64
  // CHECK: %[[C:.*]] = arith.bitcast %{{.*}} : i64 to f64
  // CHECK: math.copysign %[[B]], %[[C]] : f64
  %b = math.copysign %x, %y : f64
  // CHECK: %[[D:.*]] = arith.bitcast %{{.*}} : i64 to f64
  // CHECK: pyk.libdevice "signbit"(%[[D]])
  %c = pyk.libdevice "signbit"(%x) : (f64) -> i32
  // CHECK-NOT: arith.select
  // CHECK: pyk.libdevice "exp"(%[[X]])
  %d = pyk.libdevice "exp"(%x) : (f64) -> f64
  pyk.return %a, %b, %c, %d : i64, f64, i32, f64
}

// -----

// CHECK-LABEL: pyk.func @atomic(
pyk.func @atomic(%a: !pyk.array<f32, c>, %n: !pyk.array<i32, c>, %x: f32, %i: i32)
    attributes {pyk.reproducible} {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[SIGN:.*]] = arith.constant -2147483648 : i32
  // CHECK: %[[IS:.*]] = arith.cmpi eq, %{{.*}}, %[[SIGN]] : i32
  // CHECK: arith.select %[[IS]], %[[ZERO]], %{{.*}} : i32
  // CHECK: arith.select
  // CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: pyk.atomic max %[[X]]
  %0 = pyk.atomic max %x, %a[] : !pyk.array<f32, c>
  // CHECK: %[[Y:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: %[[Z:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: pyk.atomic_cas %[[Y]], %[[Z]]
  %1 = pyk.atomic_cas %x, %x, %a[] : !pyk.array<f32, c>
  // CHECK: pyk.atomic add
  %2 = pyk.atomic add %i, %n[] : !pyk.array<i32, c>
  pyk.return
}

// -----

// What is known to be a number, and functions without the attribute.
// CHECK-LABEL: pyk.func @numbers(
pyk.func @numbers(%a: !pyk.array<f32, c>, %i: i32) attributes {pyk.reproducible} {
  // CHECK-NOT: arith.select
  %one = arith.constant 1.0 : f32
  pyk.store %one, %a[] : !pyk.array<f32, c>
  %x = arith.sitofp %i : i32 to f32
  pyk.store %x, %a[] : !pyk.array<f32, c>
  pyk.return
}

// CHECK-LABEL: pyk.func @others(
pyk.func @others(%a: !pyk.array<f32, c>, %x: f32) {
  // CHECK-NEXT: pyk.store
  // CHECK-NEXT: pyk.atomic add
  pyk.store %x, %a[] : !pyk.array<f32, c>
  %0 = pyk.atomic add %x, %a[] : !pyk.array<f32, c>
  pyk.return
}

// -----

// Other languages call it.
// CHECK-LABEL: pyk.func @exported(
pyk.func @exported(%x: f32) -> f32
    attributes {pyk.export = #pyk.export<c>, pyk.reproducible} {
  // CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: pyk.return %[[X]]
  pyk.return %x : f32
}

// -----

// In PTX the conversion makes another NaN.
// CHECK-LABEL: pyk.func @half(
// CHECK-SAME:    %[[X:.*]]: f32)
pyk.func @half(%x: f32) -> i16 attributes {pyk.reproducible} {
  // CHECK: %[[H:.*]] = arith.truncf %[[X]] : f32 to f16
  // CHECK: arith.select
  // CHECK: %[[C:.*]] = arith.bitcast %{{.*}} : i16 to f16
  // CHECK: %[[R:.*]] = arith.bitcast %[[C]] : f16 to i16
  // CHECK: pyk.return %[[R]]
  %y = pyk.libdevice "float2half_rn"(%x) : (f32) -> i16
  pyk.return %y : i16
}
