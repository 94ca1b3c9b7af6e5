// RUN: pyk-opt %s --pyk-explain-accesses --split-input-file --remarks-filter=cuda --verify-diagnostics
// RUN: pyk-opt %s --pyk-explain-accesses --split-input-file | FileCheck %s

// What accesses cost a warp. Nothing changes, and nobody is told who does not
// listen.
// CHECK-NOT: remark
// CHECK: gpu.func @global

gpu.module @pyk {
  // expected-remark @below {{Function=global | Remark="kernel 'global': 3 of 9 accesses to memory are what a warp does best"}}
  gpu.func @global(%p: !llvm.ptr<1>, %n: i64, %k: i64) kernel {
    %c1 = arith.constant 1 : i64
    %c3 = arith.constant 3 : i64
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c> loc("a")
    %v = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf64, c> loc("v")
    %h = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi8, c> loc("h")
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x = arith.index_castui %tx : index to i64
    %y = arith.index_castui %ty : index to i64

    // One element, and neighbours, are what a warp likes.
    %same = pyk.element %v + %n : !pyk.array<?xf64, c>
    %0 = pyk.load %same[] : !pyk.array<f64, c>
    %next = pyk.element %v + %x : !pyk.array<?xf64, c>
    %1 = pyk.load %next[] : !pyk.array<f64, c>
    %minus = arith.subi %n, %x : i64
    %previous = pyk.element %v + %minus : !pyk.array<?xf64, c>
    %2 = pyk.load %previous[] : !pyk.array<f64, c>

    // 3 elements of 8 bytes: 24 sectors hold what 8 could.
    %x3 = arith.muli %x, %c3 : i64
    %third = pyk.element %v + %x3 : !pyk.array<?xf64, c>
    // expected-remark @below {{Function=global | Reason="a warp touches 24 sectors of memory where 8 would do", Remark="neighbouring threads read v 3 elements apart", Suggestion="let neighbours take neighbouring elements"}}
    %3 = pyk.load %third[] : !pyk.array<f64, c>
    // 3 bytes: 3 sectors, and 1 is enough.
    %byte = pyk.element %h + %x3 : !pyk.array<?xi8, c>
    // expected-remark @below {{Function=global | Reason="a warp touches 3 sectors of memory where 1 would do", Remark="neighbouring threads read h 3 elements apart", Suggestion="let neighbours take neighbouring elements"}}
    %4 = pyk.load %byte[] : !pyk.array<i8, c>

    // a[x, y], and a[x, k].
    %row = arith.muli %x, %n : i64
    %xy = arith.addi %row, %y : i64
    %swapped = pyk.element %a + %xy : !pyk.array<?x?xf32, c>
    // expected-remark @below {{Function=global | Reason="a warp touches up to 32 sectors of memory where 4 would do", Remark="neighbouring threads read different rows of a", Suggestion="swap what threadIdx.x and threadIdx.y stand for"}}
    %5 = pyk.load %swapped[] : !pyk.array<f32, c>
    %xk = arith.addi %row, %k : i64
    %column = pyk.element %a + %xk : !pyk.array<?x?xf32, c>
    // expected-remark @below {{Function=global | Reason="a warp touches up to 32 sectors of memory where 4 would do", Remark="neighbouring threads write different rows of a", Suggestion="let threadIdx.x choose the last index"}}
    pyk.store %5, %column[] : !pyk.array<f32, c>

    // Data say which.
    %bits = arith.fptosi %1 : f64 to i64
    %any = pyk.element %v + %bits : !pyk.array<?xf64, c>
    // expected-remark @below {{Function=global | Reason="a warp touches up to 32 sectors of memory where 8 would do", Remark="neighbouring threads write v at places of no known pattern"}}
    pyk.store %0, %any[] : !pyk.array<f64, c>

    // All update one.
    // expected-remark @below {{Function=global | Reason="they do so one after the other", Remark="neighbouring threads update one element of v", Suggestion="add up what the threads of a warp or block have first"}}
    %6 = pyk.atomic add %1, %same[] : !pyk.array<f64, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{Function=shared | Remark="kernel 'shared': 4 of 6 accesses to memory are what a warp does best"}}
  gpu.func @shared(%p: !llvm.ptr<1>, %k: i64) kernel {
    %c2 = arith.constant 2 : i64
    %c32 = arith.constant 32 : i64
    %c33 = arith.constant 33 : i64
    %tx = gpu.thread_id x
    %x = arith.index_castui %tx : index to i64
    %tile = pyk.alloc : !pyk.array<32x32xf32, c, shared> loc("tile")
    %padded = pyk.alloc : !pyk.array<32x33xf32, c, shared>
    %wide = pyk.alloc : !pyk.array<64xf64, c, shared>
    %words = pyk.alloc : !pyk.array<64xf32, c, shared>
    %bytes = pyk.alloc : !pyk.array<64xi8, c, shared>

    %x32 = arith.muli %x, %c32 : i64
    %0 = pyk.element %tile + %x32 : !pyk.array<32x32xf32, c, shared>
    // expected-remark @below {{Function=shared | Reason="bank conflict (32-way)", Remark="neighbouring threads read tile 32 elements apart", Suggestion="make its rows one element longer"}}
    %a = pyk.load %0[] : !pyk.array<f32, c, shared>
    // A row that is one longer has no conflicts.
    %x33 = arith.muli %x, %c33 : i64
    %1 = pyk.element %padded + %x33 : !pyk.array<32x33xf32, c, shared>
    pyk.store %a, %1[] : !pyk.array<f32, c, shared>
    // Doubles go to half a warp at a time, and every second word to all.
    %2 = pyk.element %wide + %x : !pyk.array<64xf64, c, shared>
    %b = pyk.load %2[] : !pyk.array<f64, c, shared>
    %x2 = arith.muli %x, %c2 : i64
    %3 = pyk.element %words + %x2 : !pyk.array<64xf32, c, shared>
    // expected-remark @below {{Function=shared | Reason="bank conflict (2-way)", Remark="neighbouring threads read an array 2 elements apart"}}
    %c = pyk.load %3[] : !pyk.array<f32, c, shared>
    // Four lanes share a word.
    %4 = pyk.element %bytes + %x : !pyk.array<64xi8, c, shared>
    %d = pyk.load %4[] : !pyk.array<i8, c, shared>
    // One word for all.
    %5 = pyk.element %words + %k : !pyk.array<64xf32, c, shared>
    %e = pyk.load %5[] : !pyk.array<f32, c, shared>
    pyk.return
  }
}

// -----

// The lanes of a warp are two rows of 16 threads each.
gpu.module @pyk {
  // expected-remark @below {{Function=rows | Remark="kernel 'rows': 2 of 4 accesses to memory are what a warp does best"}}
  gpu.func @rows(%p: !llvm.ptr<1>, %n: i64) kernel attributes {pyk.block_shape = array<i32: 16, 16, 1>} {
    %c16 = arith.constant 16 : i64
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x = arith.index_castui %tx : index to i64
    %y = arith.index_castui %ty : index to i64
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c> loc("a")
    %tile = pyk.alloc : !pyk.array<16x16xf32, c, shared> loc("tile")

    // Rows of 64 bytes: no sector is touched twice.
    %row = arith.muli %y, %n : i64
    %yx = arith.addi %row, %x : i64
    %0 = pyk.element %a + %yx : !pyk.array<?x?xf32, c>
    %v = pyk.load %0[] : !pyk.array<f32, c>
    %column = arith.muli %x, %n : i64
    %xy = arith.addi %column, %y : i64
    %1 = pyk.element %a + %xy : !pyk.array<?x?xf32, c>
    // expected-remark @below {{Function=rows | Reason="a warp touches up to 16 sectors of memory where 4 would do", Remark="neighbouring threads write different rows of a", Suggestion="swap what threadIdx.x and threadIdx.y stand for"}}
    pyk.store %v, %1[] : !pyk.array<f32, c>

    %y16 = arith.muli %y, %c16 : i64
    %tileyx = arith.addi %y16, %x : i64
    %2 = pyk.element %tile + %tileyx : !pyk.array<16x16xf32, c, shared>
    pyk.store %v, %2[] : !pyk.array<f32, c, shared>
    %x16 = arith.muli %x, %c16 : i64
    %tilexy = arith.addi %x16, %y : i64
    %3 = pyk.element %tile + %tilexy : !pyk.array<16x16xf32, c, shared>
    // expected-remark @below {{Function=rows | Reason="bank conflict (8-way)", Remark="neighbouring threads read tile 16 elements apart", Suggestion="make its rows one element longer"}}
    %w = pyk.load %3[] : !pyk.array<f32, c, shared>
    pyk.return
  }
}

// -----

// Arrays of a thread are none of a warp's accesses.
gpu.module @pyk {
  // expected-remark @below {{Function=own | Remark="kernel 'own': 1 of 1 accesses to memory are what a warp does best"}}
  gpu.func @own(%p: !llvm.ptr<1>, %n: i64) kernel {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c> loc("a")
    %own = pyk.alloc : !pyk.array<4xf32, c, local> loc("own")
    %tx = gpu.thread_id x
    %x = arith.index_castui %tx : index to i64
    %0 = pyk.element %a + %x : !pyk.array<?xf32, c>
    %v = pyk.load %0[] : !pyk.array<f32, c>
    %1 = pyk.element %own + %n : !pyk.array<4xf32, c, local>
    pyk.store %v, %1[] : !pyk.array<f32, c, local>
    %w = pyk.load %1[] : !pyk.array<f32, c, local>
    pyk.return
  }
}
