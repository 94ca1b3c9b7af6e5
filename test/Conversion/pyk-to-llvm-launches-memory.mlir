// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" \
// RUN:   | FileCheck %s

// A child that checks its accesses is told of the memory of an array: how many
// elements in front of the first one, and how many in all. What a kernel passes
// on is taken for the array's own elements, in whichever direction they lie.
gpu.module @kernels {
  gpu.func @child(%p: !llvm.ptr<1>, %first: i64, %count: i64, %bytes: i64) kernel
      attributes {pyk.child, pyk.abi = #pyk.abi<[<data, 0>, <memory_first, 0, 4>,
                                                 <memory_count, 0, 4>, <memory_count, 0, 1>]>} {
    gpu.return
  }

  // CHECK-LABEL: llvm.func @parent(
  // CHECK-SAME:    %{{[^:]*}}: !llvm.ptr<1>, %[[N:[^:]*]]: i64, %[[S:[^:]*]]: i64)
  gpu.func @parent(%p: !llvm.ptr<1>, %n: i64, %s: i64) kernel
      attributes {pyk.abi = #pyk.abi<[<data, 0>, <extent, 0>, <stride, 0>]>} {
    %a = pyk.from_pointer %p extents(%n) strides(%s)
        : !llvm.ptr<1> to !pyk.array<?xf32, any>
    %one = arith.constant 1 : i64
    %none = arith.constant 0 : i64
    // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
    // CHECK-DAG: %[[NONE:.*]] = llvm.mlir.constant(0 : i64)
    // CHECK:     %[[LAST:.*]] = llvm.sub
    // CHECK:     %[[REACH:.*]] = llvm.mul %[[LAST]], %
    // CHECK:     %[[BELOW:.*]] = llvm.intr.smin(%[[REACH]], %
    // CHECK:     %[[BEFORE:.*]] = llvm.add %{{.*}}, %[[BELOW]]
    // CHECK:     %[[ABOVE:.*]] = llvm.intr.smax(%[[REACH]], %
    // CHECK:     %[[BEHIND:.*]] = llvm.add %{{.*}}, %[[ABOVE]]
    // CHECK:     %[[FIRST:.*]] = llvm.sdiv %[[BEFORE]], %
    // CHECK:     llvm.sdiv %[[BEHIND]], %
    // Then the number of places, of which an array without elements has none.
    // CHECK:     %[[IS_EMPTY:.*]] = llvm.icmp "eq"
    // CHECK:     %[[FRONT:.*]] = llvm.sdiv
    // CHECK:     %[[END:.*]] = llvm.sdiv
    // CHECK:     %[[SPAN:.*]] = llvm.sub %[[END]], %[[FRONT]]
    // CHECK:     %[[PLACES:.*]] = llvm.add %[[SPAN]], %
    // CHECK:     %[[COUNT:.*]] = llvm.select %[[IS_EMPTY]], %{{.*}}, %[[PLACES]] : i1, i64
    // Bytes are not divided.
    // CHECK-NOT: llvm.sdiv
    // CHECK:     %[[BYTES:.*]] = llvm.select
    // CHECK-DAG: llvm.store %[[FIRST]], %
    // CHECK-DAG: llvm.store %[[COUNT]], %
    // CHECK-DAG: llvm.store %[[BYTES]], %
    // CHECK:     llvm.call @pyk.launch
    pyk.launch @child grid(%one, %one, %one) block(%one, %one, %one) stream %none
      shared %none (%a) : !pyk.array<?xf32, any>
    gpu.return
  }

  gpu.func @counting(%p: !llvm.ptr<1>, %count: i64) kernel
      attributes {pyk.child, pyk.abi = #pyk.abi<[<data, 0>, <memory_count, 0, 4>]>} {
    gpu.return
  }

  // An array without rows or without columns has no elements.
  // CHECK-LABEL: llvm.func @of_rows(
  // CHECK:         %[[NO_ROWS:.*]] = llvm.icmp "eq"
  // CHECK:         %[[NO_COLUMNS:.*]] = llvm.icmp "eq"
  // CHECK:         %[[IS_EMPTY:.*]] = llvm.or %[[NO_ROWS]], %[[NO_COLUMNS]]
  // CHECK:         llvm.select %[[IS_EMPTY]], %
  gpu.func @of_rows(%p: !llvm.ptr<1>, %n: i64, %m: i64) kernel
      attributes {pyk.abi = #pyk.abi<[<data, 0>, <extent, 0>, <extent, 0, 1>]>} {
    %a = pyk.from_pointer %p extents(%n, %m)
        : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %one = arith.constant 1 : i64
    %none = arith.constant 0 : i64
    pyk.launch @counting grid(%one, %one, %one) block(%one, %one, %one)
      stream %none shared %none (%a) : !pyk.array<?x?xf32, c>
    gpu.return
  }
}
