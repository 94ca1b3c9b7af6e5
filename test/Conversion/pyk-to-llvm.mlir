// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" --split-input-file \
// RUN:   | FileCheck %s

gpu.module @access {
  // Offsets into contiguous arrays count elements. Nothing is inbounds: an
  // offset out of range means the address that it is.
  // CHECK-LABEL: llvm.func @contiguous(
  // CHECK-SAME:    %[[P:[^:]*]]: !llvm.ptr<1>, %{{[^:]*}}: i64, %[[OFFSET:[^:]*]]: i64
  gpu.func @contiguous(%p: !llvm.ptr<1>, %n: i64, %offset: i64) kernel {
    %a = pyk.from_pointer %p extents(%n, %n)
        : !llvm.ptr<1> to !pyk.array<?x?xf64, f>
    // CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %{{.*}}[%[[OFFSET]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f64
    %e = pyk.element %a + %offset : !pyk.array<?x?xf64, f>
    // CHECK: llvm.load volatile %[[ADDRESS]] {alignment = 8 : i64}
    %x = pyk.load volatile %e[] : !pyk.array<f64, c>
    gpu.return
  }
  // CHECK-LABEL: llvm.func @strided(
  // CHECK-SAME:    %{{[^:]*}}: !llvm.ptr<1>, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[OFFSET:[^:]*]]: i64
  gpu.func @strided(%p: !llvm.ptr<1>, %n: i64, %s: i64, %offset: i64, %x: f32) kernel {
    %a = pyk.from_pointer %p extents(%n) strides(%s)
        : !llvm.ptr<1> to !pyk.array<?xf32, any>
    // CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %{{.*}}[%[[OFFSET]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %e = pyk.element %a + %offset : !pyk.array<?xf32, any>
    // CHECK: llvm.store %{{.*}}, %[[ADDRESS]] {alignment = 4 : i64}
    pyk.store %x, %e[] : !pyk.array<f32, c>
    gpu.return
  }
  // A bool takes a byte, of which 0 alone is false.
  // CHECK-LABEL: llvm.func @bools(
  gpu.func @bools(%p: !llvm.ptr<1>) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i1, c>
    // CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i8
    // CHECK: %[[BIT:.*]] = llvm.icmp "ne" %[[BYTE]], %{{.*}} : i8
    %x = pyk.load %a[] : !pyk.array<i1, c>
    // CHECK: %[[NEW:.*]] = llvm.zext %[[BIT]] : i1 to i8
    // CHECK: llvm.store %[[NEW]]
    pyk.store %x, %a[] : !pyk.array<i1, c>
    gpu.return
  }
}

// -----

// The address as it is, or in the address space that is asked for.
gpu.module @pointers {
  // CHECK-LABEL: llvm.func @pointers_to(
  // CHECK-SAME:    %[[A:[^:]*]]: !llvm.ptr<1>)
  // CHECK-NOT:     llvm.addrspacecast
  // CHECK:         %[[ANY:.*]] = llvm.addrspacecast %[[A]] : !llvm.ptr<1> to !llvm.ptr
  // CHECK-NOT:     llvm.addrspacecast
  // CHECK:         llvm.insertvalue %[[A]],
  // CHECK:         llvm.insertvalue %[[ANY]],
  func.func @pointers_to(%a: !pyk.array<f32, c>) -> (!llvm.ptr<1>, !llvm.ptr) {
    %0 = pyk.to_pointer %a : !pyk.array<f32, c> -> !llvm.ptr<1>
    %1 = pyk.to_pointer %a : !pyk.array<f32, c> -> !llvm.ptr
    return %0, %1 : !llvm.ptr<1>, !llvm.ptr
  }
}

// -----

gpu.module @sizes {
  // CHECK-LABEL: llvm.func @sizes_of_arrays(
  // CHECK-SAME:    %[[C:[^:]*]]: !llvm.struct<(ptr<1>, i64, i64)>, %[[ANY:[^:]*]]: !llvm.struct<(ptr<1>, i64, i64)>)
  func.func @sizes_of_arrays(%c: !pyk.array<?x4x?xf32, c>, %any: !pyk.array<?xf32, any>)
      -> (i64, i64, i64, i32) {
    // CHECK: llvm.extractvalue %[[C]][2]
    %0 = pyk.dim %c, 2 : !pyk.array<?x4x?xf32, c>
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(4 : i64)
    // CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
    // CHECK: %[[PLANE:.*]] = llvm.mul %[[SIZE]], %[[FOUR]]
    // CHECK: %[[N:.*]] = llvm.extractvalue %[[C]][2]
    // CHECK: llvm.mul %[[PLANE]], %[[N]]
    %1 = pyk.stride %c, 0 : !pyk.array<?x4x?xf32, c>
    // CHECK: llvm.extractvalue %[[ANY]][2]
    %2 = pyk.stride %any, 0 : !pyk.array<?xf32, any>
    // CHECK: %[[M:.*]] = llvm.extractvalue %[[ANY]][1]
    // CHECK: llvm.trunc %[[M]] overflow<nsw, nuw> : i64 to i32
    %3 = pyk.dim %any, 0 : !pyk.array<?xf32, any> -> i32
    return %0, %1, %2, %3 : i64, i64, i64, i32
  }
}

// -----

gpu.module @known {
  // CHECK-LABEL: llvm.func @array_at_a_known_address
  gpu.func @array_at_a_known_address(%i: i64) -> f32 {
    // CHECK: %[[ADDRESS:.*]] = llvm.mlir.constant(4096 : i64) : i64
    // CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[ADDRESS]] : i64 to !llvm.ptr<1>
    // CHECK: %[[STRIDE:.*]] = llvm.mlir.constant(-16 : i64) : i64
    %a = pyk.device_array 4096 strides [-16] : !pyk.array<3xf32, any>
    %e = pyk.element %a + %i : !pyk.array<3xf32, any>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    gpu.return %x : f32
  }
}

// -----

// CHECK-LABEL: gpu.module @owned
// CHECK-DAG: llvm.mlir.global internal @[[TILE:.*]](#llvm.undef) {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f32>
// CHECK-DAG: llvm.mlir.global internal @[[TILE2:.*]](#llvm.undef) {addr_space = 3 : i32, alignment = 512 : i64} : !llvm.array<256 x f32>
// CHECK-DAG: llvm.mlir.global external @pyk_dynamic_shared() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<0 x i8>
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}(dense<[1, 0]> : tensor<2xi8>) {addr_space = 4 : i32, alignment = 16 : i64}
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}(dense<1.000000e+00> : tensor<20000xf32>) {addr_space = 1 : i32, alignment = 16 : i64}
gpu.module @owned {
  // CHECK: llvm.func @arrays_that_a_kernel_owns
  gpu.func @arrays_that_a_kernel_owns(%c: i1, %n: i64) kernel {
    // The slot of a local array stands in the first block.
    // CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
    // CHECK-NEXT: llvm.alloca %[[ONE]] x !llvm.array<8 x i32> {alignment = 128 : i64} : (i64) -> !llvm.ptr
    %0 = pyk.alloc : !pyk.array<16x16xf32, c, shared>
    %1 = pyk.alloc {alignment = 512} : !pyk.array<16x16xf32, c, shared>
    // CHECK: %[[BYTES:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.dynamic_smem_size"
    // CHECK: llvm.udiv %[[BYTES]], %{{.*}} : i32
    %2 = pyk.dynamic_shared {alignment = 64} : !pyk.array<?xf32, c, shared>
    %3 = pyk.dynamic_shared : !pyk.array<?xi8, c, shared>
    // Behind an offset is what is left of the bytes, or what the extents say.
    // CHECK: llvm.getelementptr inbounds %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
    // CHECK: %[[USED:.*]] = llvm.trunc %{{.*}} : i64 to i32
    // CHECK: %[[LEFT:.*]] = llvm.sub %{{.*}}, %[[USED]] : i32
    // CHECK: llvm.udiv %[[LEFT]], %{{.*}} : i32
    %7 = pyk.dynamic_shared at %n : !pyk.array<?xi32, c, shared>
    // CHECK: llvm.getelementptr inbounds %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
    // CHECK-NOT: dynamic_smem_size
    // CHECK: llvm.cond_br
    %8 = pyk.dynamic_shared at %n [%n] : !pyk.array<?x3xi32, c, shared>
    cf.cond_br %c, ^a, ^b
  ^a:
    %4 = pyk.alloc {alignment = 128} : !pyk.array<8xi32, c, local>
    cf.br ^b
  ^b:
    %5 = pyk.constant_array dense<[true, false]> : tensor<2xi1>
        : !pyk.array<2xi1, c, constant>
    // Too large for constant memory.
    %6 = pyk.constant_array dense<1.0> : tensor<100x200xf32>
        : !pyk.array<100x200xf32, c, constant>
    gpu.return
  }
}

// -----

gpu.module @waiting {
  // CHECK-LABEL: llvm.func @waiting
  gpu.func @waiting() kernel {
    // CHECK: nvvm.barrier{{$}}
    pyk.barrier
    // CHECK: nvvm.nanosleep
    pyk.spin_hint
    gpu.return
  }

  // CHECK-LABEL: llvm.func @times
  // CHECK-SAME:    %[[N:.*]]: i32, %[[M:.*]]: i32)
  gpu.func @times(%n: i32, %m: i32) kernel {
    // CHECK: nvvm.nanosleep %[[N]]
    pyk.spin_hint for %n
    // CHECK: nvvm.read.ptx.sreg.clock64
    %a = pyk.clock cycles : i64
    // CHECK: nvvm.read.ptx.sreg.globaltimer
    %b = pyk.clock nanoseconds : i64
    // CHECK-DAG: %[[X:.*]] = llvm.bitcast %[[N]] : i32 to vector<4xi8>
    // CHECK-DAG: %[[Y:.*]] = llvm.bitcast %[[M]] : i32 to vector<4xi8>
    // CHECK:     %[[SUM:.*]] = nvvm.dot.accumulate.4way %[[X]] <signed>, %[[Y]] <signed>, %[[N]]
    %c = pyk.dot4 %n, %m, %n : i32
    // CHECK:     nvvm.dot.accumulate.4way %{{.*}} <unsigned>, %{{.*}} <unsigned>, %[[SUM]]
    %d = pyk.dot4 unsigned %n, %m, %c : i32
    gpu.return
  }
}
