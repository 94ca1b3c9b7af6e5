// RUN: pyk-opt %s | pyk-opt | FileCheck %s

// CHECK-LABEL: func.func @accesses(
func.func @accesses(%a: !pyk.array<?xf32, c>, %o: vector<1x2x16xi64>,
                    %m: vector<1x2x16xi1>) {
  // CHECK-NEXT: simd.load contiguous %{{.*}} + %{{.*}} : !pyk.array<?xf32, c>, vector<1x2x16xi64> -> vector<1x2x16xf32>
  %x = simd.load contiguous %a + %o
      : !pyk.array<?xf32, c>, vector<1x2x16xi64> -> vector<1x2x16xf32>
  // CHECK-NEXT: simd.load %{{.*}} + %{{.*}} mask %{{.*}} : vector<1x2x16xi1> : !pyk.array<?xf32, c>, vector<1x2x16xi64> -> vector<1x2x16xf32>
  %y = simd.load %a + %o mask %m : vector<1x2x16xi1>
      : !pyk.array<?xf32, c>, vector<1x2x16xi64> -> vector<1x2x16xf32>
  // CHECK-NEXT: simd.store contiguous %{{.*}}, %{{.*}} + %{{.*}} : vector<1x2x16xf32>, !pyk.array<?xf32, c>, vector<1x2x16xi64>
  simd.store contiguous %x, %a + %o
      : vector<1x2x16xf32>, !pyk.array<?xf32, c>, vector<1x2x16xi64>
  // CHECK-NEXT: simd.store %{{.*}}, %{{.*}} + %{{.*}} mask %{{.*}} : vector<1x2x16xi1> : vector<1x2x16xf32>, !pyk.array<?xf32, c>, vector<1x2x16xi64>
  simd.store %y, %a + %o mask %m : vector<1x2x16xi1>
      : vector<1x2x16xf32>, !pyk.array<?xf32, c>, vector<1x2x16xi64>
  return
}

// CHECK-LABEL: func.func @masks(
func.func @masks(%m: vector<4x1x16xi1>) {
  // CHECK-NEXT: simd.count %{{.*}} : vector<4x1x16xi1>
  %number = simd.count %m : vector<4x1x16xi1>
  // CHECK-NEXT: simd.any %{{.*}} : vector<4x1x16xi1> -> i1
  %some = simd.any %m : vector<4x1x16xi1> -> i1
  // CHECK-NEXT: simd.any %{{.*}} : vector<4x1x16xi1> -> vector<1x1x16xi1>
  %columns = simd.any %m : vector<4x1x16xi1> -> vector<1x1x16xi1>
  // CHECK-NEXT: simd.all %{{.*}} : vector<4x1x16xi1> -> i1
  %whole = simd.all %m : vector<4x1x16xi1> -> i1
  return
}

// CHECK-LABEL: func.func @warps(
func.func @warps(%x: vector<1x2x16xf32>, %l: vector<1x2x16xi32>, %m: vector<1x2x16xi1>) {
  // CHECK-NEXT: simd.shuffle %{{.*}} from %{{.*}} : vector<1x2x16xf32>, vector<1x2x16xi32>
  %y = simd.shuffle %x from %l : vector<1x2x16xf32>, vector<1x2x16xi32>
  // CHECK-NEXT: simd.ballot %{{.*}} : vector<1x2x16xi1> -> vector<1x2x16xi32>
  %lanes = simd.ballot %m : vector<1x2x16xi1> -> vector<1x2x16xi32>
  return
}

// CHECK-LABEL: func.func @threads(
func.func @threads(%i: vector<1x1x16xi64>, %m: vector<1x1x16xi1>,
                   %a: !pyk.array<?xf32, c>, %one: f32) {
  // CHECK-NEXT: simd.serial (%[[I:.*]] = %{{.*}} : vector<1x1x16xi64>) mask %{{.*}} : vector<1x1x16xi1> -> (vector<1x1x16xf32>) {
  %old = simd.serial (%n = %i : vector<1x1x16xi64>) mask %m : vector<1x1x16xi1>
      -> (vector<1x1x16xf32>) {
    // CHECK-NEXT: pyk.element %{{.*}} + %[[I]]
    %e = pyk.element %a + %n : !pyk.array<?xf32, c>
    // CHECK-NEXT: pyk.atomic
    %x = pyk.atomic add %one, %e[] : !pyk.array<f32, c>
    // CHECK-NEXT: simd.yield %{{.*}} : f32
    simd.yield %x : f32
  }
  // CHECK: simd.serial (%{{.*}} = %{{.*}} : vector<1x1x16xi64>) {
  simd.serial (%n = %i : vector<1x1x16xi64>) {
    %e = pyk.element %a + %n : !pyk.array<?xf32, c>
    // CHECK: pyk.store
    // CHECK-NEXT: }
    pyk.store %one, %e[] : !pyk.array<f32, c>
  }
  return
}
