// RUN: pyk-opt %s --pyk-lower-to-checked --pyk-lower-to-simd=lanes=16 | FileCheck %s
// RUN: pyk-opt %s --pyk-lower-to-checked --pyk-lower-to-simd=lanes=16 --simd-unroll \
// RUN: | FileCheck %s --check-prefix=UNROLLED

// From stage gpu to vectors, by all passes: what none of them shows alone.
gpu.module @pyk {
  // The shape of blocks makes numbers of indices, so neighbours are seen.
  // CHECK-LABEL: gpu.func @copy(
  // CHECK:         simd.load contiguous
  // CHECK-NOT:     {{simd.load %|simd.store %}}
  // CHECK:         pyk.return
  gpu.func @copy(%p: !llvm.ptr<1>, %n: i32) kernel
      attributes {pyk.block_shape = array<i32: 256, 1, 1>} {
    %extent = arith.extui %n : i32 to i64
    %a = pyk.from_pointer %p extents(%extent) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x upper_bound 1024
    %t = arith.index_castui %thread : index to i32
    %block = gpu.block_id x upper_bound 2097151
    %b = arith.index_castui %block : index to i32
    %threads = gpu.block_dim x upper_bound 1024
    %size = arith.index_castui %threads : index to i32
    %first = arith.muli %b, %size overflow<nsw, nuw> : i32
    %number = arith.addi %first, %t overflow<nsw, nuw> : i32
    %i = arith.extui %number : i32 to i64
    %inside = arith.cmpi slt, %i, %extent : i64
    scf.if %inside {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      %x = pyk.load %e[] : !pyk.array<f32, c>
      %y = arith.addf %x, %x : f32
      pyk.store %y, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }

  // A sum by halves: its iterations are written out, and the shared array is in
  // registers.
  // CHECK-LABEL: gpu.func @sum(
  // CHECK-NOT:     scf.while
  // UNROLLED-LABEL: gpu.func @sum(
  // UNROLLED-NOT:    pyk.alloc
  // UNROLLED-NOT:    scf.while
  // UNROLLED-NOT:    llvm.intr.masked
  // UNROLLED:        pyk.return
  gpu.func @sum(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 256, 1, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<256xf32, c>
    %out = pyk.from_pointer %q : !llvm.ptr<1> to !pyk.array<f32, c>
    %s = pyk.alloc : !pyk.array<256xf32, c, shared>
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %thread = gpu.thread_id x upper_bound 1024
    %t32 = arith.index_castui %thread : index to i32
    %t = arith.extui %t32 : i32 to i64
    %threads = gpu.block_dim x upper_bound 1024
    %n = arith.index_castui %threads : index to i64
    %from = pyk.element %a + %t : !pyk.array<256xf32, c>
    %own = pyk.element %s + %t : !pyk.array<256xf32, c, shared>
    %x = pyk.load %from[] : !pyk.array<f32, c>
    pyk.store %x, %own[] : !pyk.array<f32, c, shared>
    pyk.barrier
    %half = arith.shrsi %n, %one : i64
    %last = scf.while (%by = %half) : (i64) -> i64 {
      %goes_on = arith.cmpi sgt, %by, %zero : i64
      scf.condition(%goes_on) %by : i64
    } do {
    ^bb0(%by: i64):
      %some = arith.cmpi slt, %t, %by : i64
      scf.if %some {
        %mine = pyk.load %own[] : !pyk.array<f32, c, shared>
        %i = arith.addi %t, %by : i64
        %other = pyk.element %s + %i : !pyk.array<256xf32, c, shared>
        %theirs = pyk.load %other[] : !pyk.array<f32, c, shared>
        %sum = arith.addf %mine, %theirs : f32
        pyk.store %sum, %own[] : !pyk.array<f32, c, shared>
      }
      pyk.barrier
      %next = arith.shrsi %by, %one : i64
      scf.yield %next : i64
    }
    %first = pyk.element %s + %zero : !pyk.array<256xf32, c, shared>
    %total = pyk.load %first[] : !pyk.array<f32, c, shared>
    pyk.store %total, %out[] : !pyk.array<f32, c>
    pyk.return
  }

  // Rows of a block are warps: lanes are constants in each, and shuffles no
  // gathers.
  // UNROLLED-LABEL: gpu.func @rows(
  // UNROLLED-COUNT-8: llvm.shufflevector %{{.*}} [{{.*}}] : vector<32xf32>
  // UNROLLED-NOT:    llvm.intr.masked.gather
  // UNROLLED:        pyk.return
  gpu.func @rows(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 32, 4, 1>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<128xf32, c>
    %all = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %x = gpu.thread_id x upper_bound 1024
    %y = gpu.thread_id y upper_bound 1024
    %tx = arith.index_castui %x : index to i32
    %ty = arith.index_castui %y : index to i32
    %row = arith.muli %ty, %width overflow<nsw, nuw> : i32
    %number = arith.addi %row, %tx overflow<nsw, nuw> : i32
    %i = arith.extui %number : i32 to i64
    %e = pyk.element %a + %i : !pyk.array<128xf32, c>
    %v = pyk.load %e[] : !pyk.array<f32, c>
    %w = pyk.shuffle xor %v, %one mask %all : f32
    pyk.store %w, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}
