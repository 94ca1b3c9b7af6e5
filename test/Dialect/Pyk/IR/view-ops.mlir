// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @views(
pyk.func @views(%a: !pyk.array<?x8xf32, c>, %z: !pyk.array<f32, c>, %i: i64,
                %n: i64) {
  // CHECK-NEXT: pyk.view %{{.*}}[%{{.*}}, *] : !pyk.array<?x8xf32, c> to !pyk.array<8xf32, c>
  %row = pyk.view %a[%i, *] : !pyk.array<?x8xf32, c> to !pyk.array<8xf32, c>
  // CHECK-NEXT: pyk.view %{{.*}}[*, %{{.*}}] : !pyk.array<?x8xf32, c> to !pyk.array<?xf32, any>
  %column = pyk.view %a[*, %i] : !pyk.array<?x8xf32, c> to !pyk.array<?xf32, any>
  // CHECK-NEXT: pyk.view %{{.*}}[%{{.*}} : %{{.*}}, *] : !pyk.array<?x8xf32, c> to !pyk.array<?x8xf32, c>
  %rows = pyk.view %a[%i : %n, *]
      : !pyk.array<?x8xf32, c> to !pyk.array<?x8xf32, c>
  // CHECK-NEXT: pyk.view %{{.*}}[%{{.*}} : %{{.*}} : %{{.*}}, new, *] : !pyk.array<?x8xf32, c> to !pyk.array<?x1x8xf32, any>
  %strided = pyk.view %a[%i : %n : %n, new, *]
      : !pyk.array<?x8xf32, c> to !pyk.array<?x1x8xf32, any>
  // CHECK-NEXT: pyk.view %{{.*}}[%{{.*}}, %{{.*}}] : !pyk.array<?x8xf32, c> to !pyk.array<f32, c>
  %element = pyk.view %a[%i, %i] : !pyk.array<?x8xf32, c> to !pyk.array<f32, c>
  // CHECK-NEXT: pyk.view %{{.*}}[] : !pyk.array<f32, c> to !pyk.array<f32, c>
  %all = pyk.view %z[] : !pyk.array<f32, c> to !pyk.array<f32, c>
  // CHECK-NEXT: pyk.view %{{.*}}[new] : !pyk.array<f32, c> to !pyk.array<1xf32, any>
  %one = pyk.view %z[new] : !pyk.array<f32, c> to !pyk.array<1xf32, any>
  pyk.return
}

// A part of an array is where the array is, and as writable.
// CHECK-LABEL: pyk.func @memory_of_views(
pyk.func @memory_of_views(%s: !pyk.array<4x4xi32, c, shared>,
                          %r: !pyk.array<?x?xi32, f, readonly>, %i: i64) {
  // CHECK-NEXT: to !pyk.array<4xi32, any, shared>
  %column = pyk.view %s[*, %i]
      : !pyk.array<4x4xi32, c, shared> to !pyk.array<4xi32, any, shared>
  // CHECK-NEXT: to !pyk.array<?xi32, f, readonly>
  %frozen = pyk.view %r[*, %i]
      : !pyk.array<?x?xi32, f, readonly> to !pyk.array<?xi32, f, readonly>
  pyk.return
}

// CHECK-LABEL: pyk.func @other_shapes(
pyk.func @other_shapes(%a: !pyk.array<4x?xf32, c>, %b: !pyk.array<?xf32, f>,
                       %n: i64) {
  // CHECK-NEXT: pyk.transpose %{{.*}}[1, 0] : !pyk.array<4x?xf32, c> to !pyk.array<?x4xf32, f>
  %t = pyk.transpose %a[1, 0] : !pyk.array<4x?xf32, c> to !pyk.array<?x4xf32, f>
  // CHECK-NEXT: pyk.transpose %{{.*}}[0, 1] : !pyk.array<4x?xf32, c> to !pyk.array<4x?xf32, any>
  %same = pyk.transpose %a[0, 1]
      : !pyk.array<4x?xf32, c> to !pyk.array<4x?xf32, any>
  // CHECK-NEXT: pyk.reshape %{{.*}} to(%{{.*}}) : !pyk.array<4x?xf32, c> to !pyk.array<?x2xf32, c>
  %m = pyk.reshape %a to (%n) : !pyk.array<4x?xf32, c> to !pyk.array<?x2xf32, c>
  // CHECK-NEXT: pyk.reshape %{{.*}} to() : !pyk.array<?xf32, f> to !pyk.array<2x2xf32, c>
  %square = pyk.reshape %b to () : !pyk.array<?xf32, f> to !pyk.array<2x2xf32, c>
  // CHECK-NEXT: pyk.cast %{{.*}} : !pyk.array<4x?xf32, c> to !pyk.array<?x?xf32, any, generic, readonly>
  %less = pyk.cast %a
      : !pyk.array<4x?xf32, c> to !pyk.array<?x?xf32, any, generic, readonly>
  pyk.return
}

// CHECK-LABEL: pyk.func @other_elements(
pyk.func @other_elements(%a: !pyk.array<?x4xf64, c>, %b: !pyk.array<?x?xf32, any, shared>) {
  // CHECK-NEXT: pyk.reinterpret %{{.*}} : !pyk.array<?x4xf64, c> to !pyk.array<?x8xi32, c>
  %more = pyk.reinterpret %a : !pyk.array<?x4xf64, c> to !pyk.array<?x8xi32, c>
  // CHECK-NEXT: pyk.reinterpret %{{.*}} : !pyk.array<?x8xi32, c> to !pyk.array<?x4xf64, c, align 4>
  %fewer = pyk.reinterpret %more : !pyk.array<?x8xi32, c> to !pyk.array<?x4xf64, c, align 4>
  // CHECK-NEXT: pyk.reinterpret %{{.*}} : !pyk.array<?x?xf32, any, shared> to !pyk.array<?x?xi32, any, shared>
  %same = pyk.reinterpret %b : !pyk.array<?x?xf32, any, shared> to !pyk.array<?x?xi32, any, shared>
  // CHECK-NEXT: pyk.reinterpret %{{.*}} : !pyk.array<?x8xi32, c> to !pyk.array<?x2x!pyk.record<"x" : f32 at 0, size 16>, c>
  %records = pyk.reinterpret %more : !pyk.array<?x8xi32, c> to !pyk.array<?x2x!pyk.record<"x" : f32 at 0, size 16>, c>
  pyk.return
}

// CHECK-LABEL: pyk.func @elements(
pyk.func @elements(%a: !pyk.array<?x4xf32, c>, %b: !pyk.array<?xi1, any, generic, readonly, align 1>, %n: i64) {
  // CHECK-NEXT: %[[X:.*]] = pyk.element %{{.*}} + %{{.*}} : !pyk.array<?x4xf32, c>
  %x = pyk.element %a + %n : !pyk.array<?x4xf32, c>
  // CHECK-NEXT: pyk.element %{{.*}} + %{{.*}} of[%{{.*}}, %{{.*}}] : !pyk.array<?x4xf32, c>
  %told = pyk.element %a + %n of [%n, %n] : !pyk.array<?x4xf32, c>
  // CHECK-NEXT: pyk.load %[[X]][] : !pyk.array<f32, c>
  %0 = pyk.load %x[] : !pyk.array<f32, c>
  // CHECK-NEXT: %[[Y:.*]] = pyk.element
  %y = pyk.element %b + %n : !pyk.array<?xi1, any, generic, readonly, align 1>
  // CHECK-NEXT: pyk.load %[[Y]][] : !pyk.array<i1, c, generic, readonly>
  %1 = pyk.load %y[] : !pyk.array<i1, c, generic, readonly>
  pyk.return
}

// CHECK-LABEL: pyk.func @slices(
pyk.func @slices(%n: i64, %i: i64) {
  // CHECK-NEXT: pyk.slice_bounds %{{.*}}{{$}}
  %f0, %c0 = pyk.slice_bounds %n
  // CHECK-NEXT: pyk.slice_bounds %{{.*}} from %{{.*}} to %{{.*}} by %{{.*}}
  %f1, %c1 = pyk.slice_bounds %n from %i to %i by %i
  // CHECK-NEXT: pyk.slice_bounds %{{.*}} to %{{.*}}
  %f2, %c2 = pyk.slice_bounds %n to %i
  pyk.return
}

// CHECK-LABEL: pyk.func @places(
pyk.func @places(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xi8, any>) {
  // CHECK-NEXT: pyk.distance %{{.*}} to %{{.*}} : !pyk.array<?xf32, c>, !pyk.array<?xi8, any>
  %0 = pyk.distance %a to %b : !pyk.array<?xf32, c>, !pyk.array<?xi8, any>
  // CHECK-NEXT: pyk.overlaps %{{.*}}, %{{.*}} : !pyk.array<?xf32, c>, !pyk.array<?xi8, any>
  %1 = pyk.overlaps %a, %b : !pyk.array<?xf32, c>, !pyk.array<?xi8, any>
  pyk.return
}
