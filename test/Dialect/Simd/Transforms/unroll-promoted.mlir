// RUN: pyk-opt %s --simd-unroll | FileCheck %s

// A shared array of which all accesses are at constant places is as many vectors
// as it takes.
gpu.module @promoted {
  // Aligned: a vector as it is. What its neighbours hold comes by a shuffle, and
  // what threads of a mask write is blended.
  // CHECK-LABEL: gpu.func @shift(
  // CHECK:         %[[FIRST:.*]] = llvm.alloca %{{.*}} x vector<4xf32>
  // CHECK:         %[[SECOND:.*]] = llvm.alloca %{{.*}} x vector<4xf32>
  // CHECK-NOT:     pyk.alloc
  // CHECK:         %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK:         %[[Y:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK:         llvm.store %[[X]], %[[FIRST]]
  // CHECK:         llvm.store %[[Y]], %[[SECOND]]
  // CHECK:         %[[NEXT:.*]] = llvm.shufflevector %[[X]], %[[Y]] [1, 2, 3, 4]
  // CHECK:         %[[LAST:.*]] = llvm.shufflevector %[[Y]], %[[Y]] [1, 2, 3, 3]
  // CHECK:         llvm.shufflevector %[[Y]], %[[LAST]] [4, 5, 2, 3]
  gpu.func @shift(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 8, 1, 1>,
                  simd.tile = array<i64: 1, 2, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<8xf32, c>
    %s = pyk.alloc : !pyk.array<8xf32, c, shared>
    %own = arith.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7]]]> : vector<1x2x4xi64>
    %next = arith.constant dense<[[[1, 2, 3, 4], [5, 6, 7, 8]]]> : vector<1x2x4xi64>
    %some = arith.constant dense<[[[false, false, false, false], [true, true, false, false]]]> : vector<1x2x4xi1>
    %x = simd.load contiguous %a + %own : !pyk.array<8xf32, c>, vector<1x2x4xi64> -> vector<1x2x4xf32>
    simd.store contiguous %x, %s + %own : vector<1x2x4xf32>, !pyk.array<8xf32, c, shared>, vector<1x2x4xi64>
    %y = simd.load contiguous %s + %next : !pyk.array<8xf32, c, shared>, vector<1x2x4xi64> -> vector<1x2x4xf32>
    simd.store contiguous %y, %s + %own mask %some : vector<1x2x4xi1> : vector<1x2x4xf32>, !pyk.array<8xf32, c, shared>, vector<1x2x4xi64>
    %z = simd.load contiguous %s + %own : !pyk.array<8xf32, c, shared>, vector<1x2x4xi64> -> vector<1x2x4xf32>
    simd.store contiguous %z, %a + %own : vector<1x2x4xf32>, !pyk.array<8xf32, c>, vector<1x2x4xi64>
    pyk.return
  }

  // One element for all threads. Behind a condition a vector is read again.
  // CHECK-LABEL: gpu.func @element(
  // CHECK:         %[[LINE:.*]] = llvm.alloca %{{.*}} x vector<4xi32>
  // CHECK:         scf.if
  // CHECK:           %[[OLD:.*]] = llvm.load %[[LINE]] : !llvm.ptr -> vector<4xi32>
  // CHECK:           %[[NEW:.*]] = llvm.insertelement %{{.*}}, %[[OLD]]
  // CHECK:           llvm.store %[[NEW]], %[[LINE]]
  // CHECK:         }
  // CHECK:         %[[HELD:.*]] = llvm.load %[[LINE]] : !llvm.ptr -> vector<4xi32>
  // CHECK:         llvm.extractelement %[[HELD]]
  gpu.func @element(%p: !llvm.ptr<1>, %c: i1, %n: i32) kernel
      attributes {pyk.block_shape = array<i32: 4, 1, 1>,
                  simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i32, c>
    %s = pyk.alloc : !pyk.array<3xi32, c, shared>
    %two = arith.constant 2 : i64
    %e = pyk.element %s + %two : !pyk.array<3xi32, c, shared>
    scf.if %c {
      pyk.store %n, %e[] : !pyk.array<i32, c, shared>
    }
    %x = pyk.load %e[] : !pyk.array<i32, c, shared>
    pyk.store %x, %a[] : !pyk.array<i32, c>
    pyk.return
  }

  // An index that is no constant keeps the array in memory.
  // CHECK-LABEL: gpu.func @index(
  // CHECK-NOT:     llvm.alloca
  // CHECK:         pyk.alloc
  // CHECK:         pyk.store
  gpu.func @index(%i: i64, %n: i32) kernel
      attributes {pyk.block_shape = array<i32: 4, 1, 1>,
                  simd.tile = array<i64: 1, 1, 4>} {
    %s = pyk.alloc : !pyk.array<4xi32, c, shared>
    %e = pyk.element %s + %i : !pyk.array<4xi32, c, shared>
    pyk.store %n, %e[] : !pyk.array<i32, c, shared>
    pyk.return
  }

  // A store whose mask is no constant. What the last lane writes is outside.
  // CHECK-LABEL: gpu.func @masked(
  // CHECK:         %[[ON:.*]] = arith.cmpi slt
  // CHECK:         %[[NEXT:.*]] = llvm.shufflevector %[[OLD:.*]], %{{.*}} [0, 4, 5, 6]
  // CHECK:         %[[NONE:.*]] = llvm.mlir.zero : vector<4xi1>
  // CHECK:         %[[WRITES:.*]] = llvm.shufflevector %[[ON]], %[[NONE]] [4, 0, 1, 2]
  // CHECK:         arith.select %[[WRITES]], %[[NEXT]], %[[OLD]]
  gpu.func @masked(%p: !llvm.ptr<1>, %limit: i32) kernel
      attributes {pyk.block_shape = array<i32: 4, 1, 1>,
                  simd.tile = array<i64: 1, 1, 4>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<4xi32, c>
    %s = pyk.alloc : !pyk.array<4xi32, c, shared>
    %own = arith.constant dense<[[[0, 1, 2, 3]]]> : vector<1x1x4xi64>
    %after = arith.constant dense<[[[1, 2, 3, 4]]]> : vector<1x1x4xi64>
    %x = simd.load contiguous %a + %own : !pyk.array<4xi32, c>, vector<1x1x4xi64> -> vector<1x1x4xi32>
    %most = vector.broadcast %limit : i32 to vector<1x1x4xi32>
    %on = arith.cmpi slt, %x, %most : vector<1x1x4xi32>
    simd.store contiguous %x, %s + %after mask %on : vector<1x1x4xi1> : vector<1x1x4xi32>, !pyk.array<4xi32, c, shared>, vector<1x1x4xi64>
    %y = simd.load contiguous %s + %own : !pyk.array<4xi32, c, shared>, vector<1x1x4xi64> -> vector<1x1x4xi32>
    simd.store contiguous %y, %a + %own : vector<1x1x4xi32>, !pyk.array<4xi32, c>, vector<1x1x4xi64>
    pyk.return
  }
}
