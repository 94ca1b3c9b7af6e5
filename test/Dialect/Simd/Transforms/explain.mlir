// RUN: pyk-opt %s --simd-vectorize=lanes=8 --split-input-file --remarks-filter=cpu --verify-diagnostics
// RUN: pyk-opt %s --simd-vectorize=lanes=8 --split-input-file 2>&1 | FileCheck %s

// What is slow in kernels that run as vectors. Nobody is told who does not
// listen.
// CHECK-NOT: remark
// CHECK: gpu.func @loads

gpu.module @pyk {
  // expected-remark @below {{Function=loads | Remark="kernel 'loads' runs blocks of 64 x 1 x 1 threads as vectors of 8, a whole block at a time"}}
  gpu.func @loads(%p: !llvm.ptr<1>, %n: i64, %k: i64) kernel
      attributes {pyk.block_shape = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : i64
    %c5 = arith.constant 5 : i64
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c> loc("a")
    %v = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c> loc("v")
    %tx = gpu.thread_id x
    %x = arith.index_castui %tx : index to i64
    %first = pyk.element %v + %n : !pyk.array<?xf32, c>
    %0 = pyk.load %first[] : !pyk.array<f32, c>
    %own = pyk.element %v + %x : !pyk.array<?xf32, c>
    %1 = pyk.load %own[] : !pyk.array<f32, c>
    %x5 = arith.muli %x, %c5 : i64
    %fifth = pyk.element %v + %x5 : !pyk.array<?xf32, c>
    // expected-remark @below {{Function=loads | Reason="vectors collect the elements one by one", Remark="neighbouring threads read v 5 elements apart", Suggestion="let neighbours take neighbouring elements"}}
    %2 = pyk.load %fifth[] : !pyk.array<f32, c>
    %minus = arith.subi %n, %x : i64
    %reverse = pyk.element %v + %minus : !pyk.array<?xf32, c>
    // As many vectors as a step has elements are loaded.
    %3 = pyk.load %reverse[] : !pyk.array<f32, c>
    %row = arith.muli %x, %n : i64
    %place = pyk.element %a + %row : !pyk.array<?x?xf32, c>
    // expected-remark @below {{Function=loads | Reason="vectors collect the elements one by one", Remark="neighbouring threads write different rows of a", Suggestion="let threadIdx.x choose the last index"}}
    pyk.store %3, %place[] : !pyk.array<f32, c>
    // All write one element, each its own value.
    // expected-remark @below {{Function=loads | Reason="they do so one by one", Remark="neighbouring threads write one element of v"}}
    pyk.store %2, %first[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{Function=ops | Remark="kernel 'ops' runs blocks of 64 x 1 x 1 threads as vectors of 8, 1 of 8 at a time"}}
  gpu.func @ops(%p: !llvm.ptr<1>, %n: i32, %k: i32) kernel
      attributes {pyk.block_shape = array<i32: 64, 1, 1>} {
    %c7 = arith.constant 7 : i32
    %c1 = arith.constant 1.0 : f32
    %zero = arith.constant 0 : i64
    %m = arith.extui %n : i32 to i64
    %v = pyk.from_pointer %p extents(%m) : !llvm.ptr<1> to !pyk.array<?xf32, c> loc("v")
    %tx = gpu.thread_id x
    %x = arith.index_castui %tx : index to i32
    %wide = arith.extui %x : i32 to i64
    // Divisions have vectors.
    %0 = arith.divui %x, %c7 : i32
    %1 = arith.divui %n, %k : i32
    %2 = arith.remui %x, %k : i32
    %f = arith.uitofp %2 : i32 to f32
    %3 = math.sqrt %f : f32
    // expected-remark @below {{Function=ops | Reason="threads compute it one by one", Remark="saturate has no form for vectors"}}
    %4 = pyk.libdevice "saturate"(%f) : (f32) -> f32
    %5 = arith.addf %3, %4 : f32
    %own = pyk.element %v + %wide : !pyk.array<?xf32, c>
    pyk.store %5, %own[] : !pyk.array<f32, c>
    %first = pyk.element %v + %zero : !pyk.array<?xf32, c>
    // expected-remark @below {{Function=ops | Reason="they do so one by one", Remark="neighbouring threads update one element of v", Suggestion="add up what the threads of a warp or block have first"}}
    %6 = pyk.atomic add %c1, %first[] : !pyk.array<f32, c>
    // expected-remark @below {{Function=ops | Reason="they do so one by one", Remark="neighbouring threads update neighbours in v"}}
    %7 = pyk.atomic add %c1, %own[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// Rows of a block that are shorter than vectors do not follow each other in an
// array.
gpu.module @pyk {
  // expected-remark @below {{Function=rows | Remark="kernel 'rows' runs blocks of 4 x 8 x 1 threads as vectors of 8, a whole block at a time"}}
  gpu.func @rows(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 4, 8, 1>} {
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c> loc("a")
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x = arith.index_castui %tx : index to i64
    %y = arith.index_castui %ty : index to i64
    %row = arith.muli %y, %n : i64
    %yx = arith.addi %row, %x : i64
    %place = pyk.element %a + %yx : !pyk.array<?x?xf32, c>
    // expected-remark @below {{Function=rows | Reason="vectors collect the elements one by one", Remark="neighbouring threads read neighbours in a", Suggestion="let blockDim.x be a multiple of 8"}}
    %0 = pyk.load %place[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// How a shared tile is read is what it is for: nothing is proposed. Elements of
// local arrays lie side by side, unless threads choose.
gpu.module @pyk {
  // expected-remark @below {{Function=tiles | Remark="kernel 'tiles' runs blocks of 16 x 1 x 1 threads as vectors of 8, a whole block at a time"}}
  gpu.func @tiles(%p: !llvm.ptr<1>) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %c1 = arith.constant 1 : i64
    %c16 = arith.constant 16 : i64
    %tx = gpu.thread_id x
    %x = arith.index_castui %tx : index to i64
    %tile = pyk.alloc : !pyk.array<16x16xf32, c, shared> loc("tile")
    %mine = pyk.alloc : !pyk.array<16xf32, c, local> loc("mine")
    %x16 = arith.muli %x, %c16 : i64
    %column = pyk.element %tile + %x16 : !pyk.array<16x16xf32, c, shared>
    // expected-remark @below {{Function=tiles | Reason="vectors collect the elements one by one", Remark="neighbouring threads read tile 16 elements apart"}}
    %0 = pyk.load %column[] : !pyk.array<f32, c, shared>
    %one = pyk.element %mine + %c1 : !pyk.array<16xf32, c, local>
    pyk.store %0, %one[] : !pyk.array<f32, c, local>
    %v = pyk.from_pointer %p extents(%c16) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %own = pyk.element %v + %x : !pyk.array<?xi64, c>
    %which = pyk.load %own[] : !pyk.array<i64, c>
    %chosen = pyk.element %mine + %which : !pyk.array<16xf32, c, local>
    // expected-remark @below {{Function=tiles | Reason="vectors collect the elements one by one", Remark="neighbouring threads read mine at places of no known pattern"}}
    %1 = pyk.load %chosen[] : !pyk.array<f32, c, local>
    pyk.return
  }
}

// -----

// A block that is one tile.
gpu.module @pyk {
  // expected-remark @below {{Function=whole | Remark="kernel 'whole' runs blocks of 16 x 2 x 1 threads as vectors of 8, a whole block at a time"}}
  gpu.func @whole() kernel attributes {pyk.block_shape = array<i32: 16, 2, 1>} {
    pyk.barrier
    pyk.return
  }
}

// -----

// Rows change places with lanes, unless there are too few, lanes are a few elements
// apart, or what was read says which threads take part.
gpu.module @pyk {
  // expected-remark @below {{Function=turns | Remark="kernel 'turns' runs blocks of 8 x 8 x 1 threads as vectors of 8, a whole block at a time"}}
  gpu.func @turns(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64, %v: f32, %b: i8) kernel
      attributes {pyk.block_shape = array<i32: 8, 8, 1>} {
    %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c> loc("a")
    %m = pyk.from_pointer %q extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xi8, c> loc("m")
    %c2 = arith.constant 2 : i64
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x = arith.index_castui %tx : index to i64
    %y = arith.index_castui %ty : index to i64
    %column = arith.muli %x, %n overflow<nsw, nuw> : i64
    %xy = arith.addi %column, %y overflow<nsw, nuw> : i64
    %place = pyk.element %a + %xy : !pyk.array<?x?xf32, c>
    %0 = pyk.load %place[] : !pyk.array<f32, c>
    pyk.store %v, %place[] : !pyk.array<f32, c>
    %byte = pyk.element %m + %xy : !pyk.array<?x?xi8, c>
    // expected-remark @below {{Function=turns | Reason="vectors collect the elements one by one", Remark="neighbouring threads write different rows of m", Suggestion="swap what threadIdx.x and threadIdx.y stand for"}}
    pyk.store %b, %byte[] : !pyk.array<i8, c>
    %twice = arith.muli %x, %c2 overflow<nsw, nuw> : i64
    %near = arith.addi %twice, %y overflow<nsw, nuw> : i64
    %close = pyk.element %a + %near : !pyk.array<?x?xf32, c>
    // expected-remark @below {{Function=turns | Reason="vectors collect the elements one by one", Remark="neighbouring threads write a 2 elements apart", Suggestion="swap what threadIdx.x and threadIdx.y stand for"}}
    pyk.store %v, %close[] : !pyk.array<f32, c>
    %some = arith.cmpf olt, %0, %zero : f32
    scf.if %some {
      // expected-remark @below {{Function=turns | Reason="vectors collect the elements one by one", Remark="neighbouring threads write different rows of a", Suggestion="swap what threadIdx.x and threadIdx.y stand for"}}
      pyk.store %v, %place[] : !pyk.array<f32, c>
    }
    pyk.return
  }
}
