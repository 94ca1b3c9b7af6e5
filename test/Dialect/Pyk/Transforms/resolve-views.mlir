// RUN: pyk-opt %s --pyk-resolve-views --split-input-file | FileCheck %s

// What a caller cuts out of an array: the offset counts bytes in the part, and
// elements in the array.
// CHECK-LABEL: gpu.func @part(
// CHECK-SAME:    %{{.*}}: !llvm.ptr<1>, %[[ROWS:.*]]: i64, %[[WIDTH:.*]]: i64, %[[I:.*]]: i64, %[[J:.*]]: i64
// CHECK-NOT:     pyk.view
// CHECK:         %[[ROW:.*]] = arith.muli %[[I]], %[[WIDTH]]
// CHECK:         %[[BEGIN:.*]] = arith.addi %[[ROW]], %[[J]]
// CHECK:         %[[OFFSET:.*]] = arith.addi %[[BEGIN]], %{{.*}}
// CHECK:         pyk.element %{{.*}} + %[[OFFSET]] of[%[[I]], %[[J]]] : !pyk.array<?x?xf32, c>
gpu.module @pyk {
  gpu.func @part(%p: !llvm.ptr<1>, %m: i64, %n: i64, %i: i64, %j: i64) kernel {
    %a = pyk.from_pointer %p extents(%m, %n)
      : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %two = arith.constant 2 : i64
    %v = pyk.view %a[%i : %two, %j : %two]
      : !pyk.array<?x?xf32, c> to !pyk.array<?x?xf32, any>
    %down = pyk.stride %v, 0 : !pyk.array<?x?xf32, any>
    %right = pyk.stride %v, 1 : !pyk.array<?x?xf32, any>
    %double = arith.muli %two, %down : i64
    %bytes = arith.addi %double, %right : i64
    %e = pyk.element %v + %bytes of [%i, %j] : !pyk.array<?x?xf32, any>
    %zero = arith.constant 0.0 : f32
    pyk.store %zero, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// Every third element of a strided array, and a row of one that is contiguous.
// CHECK-LABEL: gpu.func @steps(
// CHECK-SAME:    %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %[[STRIDE:.*]]: i64, %[[I:.*]]: i64, %[[BYTES:.*]]: i64
// CHECK:         %[[BEGIN:.*]] = arith.muli %[[I]], %[[STRIDE]]
// CHECK:         %[[OFFSET:.*]] = arith.addi %[[BEGIN]], %[[BYTES]]
// CHECK:         pyk.element %{{.*}} + %[[OFFSET]] : !pyk.array<?xf32, any>
// CHECK-NOT:     pyk.view
gpu.module @pyk {
  gpu.func @steps(%p: !llvm.ptr<1>, %n: i64, %stride: i64, %i: i64, %o: i64)
      kernel {
    %a = pyk.from_pointer %p extents(%n) strides(%stride)
      : !llvm.ptr<1> to !pyk.array<?xf32, any>
    %three = arith.constant 3 : i64
    %v = pyk.view %a[%i : %n : %three]
      : !pyk.array<?xf32, any> to !pyk.array<?xf32, any>
    %e = pyk.element %v + %o : !pyk.array<?xf32, any>
    %zero = arith.constant 0.0 : f32
    pyk.store %zero, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// CHECK-LABEL: gpu.func @views_of_views(
// CHECK-SAME:    %{{.*}}: !llvm.ptr<1>, %[[N:.*]]: i64, %[[I:.*]]: i64, %[[J:.*]]: i64
// CHECK:         %[[INNER:.*]] = arith.addi %[[J]], %[[J]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[I]], %{{.*}}
// CHECK:         %[[OFFSET:.*]] = arith.addi %[[ROW]], %[[INNER]]
// CHECK:         pyk.element %{{.*}} + %[[OFFSET]] : !pyk.array<?x8xf32, c>
// CHECK-NOT:     pyk.view
gpu.module @pyk {
  gpu.func @views_of_views(%p: !llvm.ptr<1>, %n: i64, %i: i64, %j: i64) kernel {
    %a = pyk.from_pointer %p extents(%n)
      : !llvm.ptr<1> to !pyk.array<?x8xf32, c>
    %row = pyk.view %a[%i, *] : !pyk.array<?x8xf32, c> to !pyk.array<8xf32, c>
    %part = pyk.view %row[%j : %n] : !pyk.array<8xf32, c> to !pyk.array<?xf32, c>
    %e = pyk.element %part + %j : !pyk.array<?xf32, c>
    %zero = arith.constant 0.0 : f32
    pyk.store %zero, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// Bytes that are no whole elements, or not known to be, stay as they are.
// CHECK-LABEL: gpu.func @bytes(
// CHECK:         %[[VIEW:.*]] = pyk.view
// CHECK:         pyk.element %[[VIEW]] + %{{.*}} : !pyk.array<?xf32, any>
gpu.module @pyk {
  gpu.func @bytes(%p: !llvm.ptr<1>, %n: i64, %o: i64) kernel {
    %a = pyk.from_pointer %p extents(%n)
      : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %two = arith.constant 2 : i64
    %v = pyk.view %a[%two : %n : %two]
      : !pyk.array<?xf32, c> to !pyk.array<?xf32, any>
    %e = pyk.element %v + %o : !pyk.array<?xf32, any>
    %zero = arith.constant 0.0 : f32
    pyk.store %zero, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}
