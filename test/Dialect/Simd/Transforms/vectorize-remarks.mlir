// RUN: pyk-opt %s --split-input-file --simd-vectorize --remarks-filter-missed=cpu --verify-diagnostics

gpu.module @pyk {
  // expected-remark @below {{Function=k | Reason="the shape of its blocks is not known", Remark="kernel 'k' does not run as vectors"}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel {
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %first = arith.cmpi eq, %i, %n : i64
    // expected-remark @below {{Function=k | Reason="threads choose different arrays", Remark="kernel 'k' does not run as vectors", Suggestion="choose between elements, not between arrays"}}
    %either = scf.if %first -> (!pyk.array<?xf32, c>) {
      scf.yield %a : !pyk.array<?xf32, c>
    } else {
      scf.yield %b : !pyk.array<?xf32, c>
    }
    %e = pyk.element %either + %i : !pyk.array<?xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    // expected-remark @below {{Function=k | Reason="values of type f80 differ by thread", Remark="kernel 'k' does not run as vectors"}}
    %x = arith.uitofp %i : i64 to f80
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @views(%i: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    // expected-remark @below {{Function=views | Reason="it has views of local arrays", Remark="kernel 'views' does not run as vectors", Suggestion="index the array itself"}}
    %a = pyk.alloc : !pyk.array<4xf32, c, local>
    %b = pyk.reinterpret %a : !pyk.array<4xf32, c, local> to !pyk.array<4xi32, c, local>
    %e = pyk.element %b + %i : !pyk.array<4xi32, c, local>
    %x = pyk.load %e[] : !pyk.array<i32, c, local>
    pyk.return
  }
  gpu.func @atomics(%i: i64, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    // expected-remark @below {{Function=atomics | Reason="it has views of local arrays", Remark="kernel 'atomics' does not run as vectors", Suggestion="index the array itself"}}
    %a = pyk.alloc : !pyk.array<4xf32, c, local>
    %e = pyk.element %a + %i : !pyk.array<4xf32, c, local>
    %old = pyk.atomic add %x, %e[] : !pyk.array<f32, c, local>
    pyk.return
  }
  gpu.func @large() kernel
      attributes {pyk.block_shape = array<i32: 256, 1, 1>} {
    // Together they are.
    %b = pyk.alloc : !pyk.array<256xf32, c, local>
    // expected-remark @below {{Function=large | Reason="its local arrays are too large", Remark="kernel 'large' does not run as vectors", Suggestion="smaller blocks take less of the stack"}}
    %a = pyk.alloc : !pyk.array<257xf32, c, local>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xcomplex<f32>, c>
    %e = pyk.element %a + %i : !pyk.array<?xcomplex<f32>, c>
    // expected-remark @below {{Function=k | Reason="it has arrays of other things than numbers", Remark="kernel 'k' does not run as vectors"}}
    %x = pyk.load %e[] : !pyk.array<complex<f32>, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %e = pyk.element %a + %n : !pyk.array<?xf32, c>
    // expected-remark @below {{Function=k | Reason="its threads wait for each other's stores", Remark="kernel 'k' does not run as vectors", Suggestion="launches in their order need no waiting"}}
    %x = pyk.load volatile %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // Threads may miss a barrier only if they come to no other.
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %c = arith.cmpi eq, %i, %n : i64
    scf.if %c {
      // expected-remark @below {{Function=k | Reason="not all threads of a block meet at this barrier", Remark="kernel 'k' does not run as vectors", Suggestion="take the barrier out of the condition or loop"}}
      pyk.barrier
    } else {
      pyk.barrier
    }
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    scf.for %k = %c0 to %i step %c1 : i64 {
      // expected-remark @below {{Function=k | Reason="not all threads of a block meet at this barrier", Remark="kernel 'k' does not run as vectors", Suggestion="take the barrier out of the condition or loop"}}
      pyk.barrier
    }
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    // expected-remark @below {{Function=k | Reason="it prints", Remark="kernel 'k' does not run as vectors", Suggestion="leave that out where speed counts"}}
    pyk.print "done\0A"
    pyk.return
  }
}

// -----

gpu.module @pyk {
  func.func private @f()
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    // expected-remark @below {{Function=k | Reason="it calls a function that is not inlined", Remark="kernel 'k' does not run as vectors", Suggestion="a loop in the place of recursion would do"}}
    func.call @f() : () -> ()
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    // expected-remark @below {{Function=k | Reason="its threads wait for each other's stores", Remark="kernel 'k' does not run as vectors", Suggestion="launches in their order need no waiting"}}
    pyk.spin_hint
    pyk.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    // No pass before makes one; what it waits for is not known here.
    // expected-remark @below {{Function=k | Reason="it has 'gpu.barrier'", Remark="kernel 'k' does not run as vectors"}}
    gpu.barrier
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // Lanes wait here for others of their warp, which wait at the barrier.
  gpu.func @branch(%c: i1) kernel attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %m = arith.constant -1 : i32
    %five = arith.constant 5 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i32
    %first = arith.cmpi ult, %i, %five : i32
    scf.if %first {
      // expected-remark @below {{Function=branch | Reason="not all lanes of its warps come here together", Remark="kernel 'branch' does not run as vectors", Suggestion="do this before the condition or loop"}}
      %r = pyk.vote all %c mask %m
    }
    pyk.barrier
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{Function=k | Reason="a tile of its blocks would be too much code", Remark="kernel 'k' does not run as vectors", Suggestion="try smaller blocks"}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 1024, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    pyk.barrier
    %x1 = math.exp %x : f32
    %x2 = math.exp %x1 : f32
    %x3 = math.exp %x2 : f32
    %x4 = math.exp %x3 : f32
    %x5 = math.exp %x4 : f32
    %x6 = math.exp %x5 : f32
    %x7 = math.exp %x6 : f32
    %x8 = math.exp %x7 : f32
    %x9 = math.exp %x8 : f32
    %x10 = math.exp %x9 : f32
    %x11 = math.exp %x10 : f32
    %x12 = math.exp %x11 : f32
    %x13 = math.exp %x12 : f32
    %x14 = math.exp %x13 : f32
    %x15 = math.exp %x14 : f32
    %x16 = math.exp %x15 : f32
    %x17 = math.exp %x16 : f32
    %x18 = math.exp %x17 : f32
    pyk.store %x18, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{Function=k | Reason="most of what its loops do is to collect elements from all over", Remark="kernel 'k' does not run as vectors", Suggestion="let neighbours take neighbouring elements where they can"}}
  gpu.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %eb = pyk.element %b + %i : !pyk.array<?xi64, c>
    %first = pyk.load %eb[] : !pyk.array<i64, c>
    %c1 = arith.constant 1 : i64
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %k = %first to %n step %c1 iter_args(%x = %zero) -> (f32) : i64 {
      %ek = pyk.element %b + %k : !pyk.array<?xi64, c>
      // expected-remark @below {{Function=k | Reason="vectors collect the elements one by one", Remark="neighbouring threads read an array at places of no known pattern"}}
      %place = pyk.load %ek[] : !pyk.array<i64, c>
      %ea = pyk.element %a + %place : !pyk.array<?xf32, c>
      // expected-remark @below {{Function=k | Reason="vectors collect the elements one by one", Remark="neighbouring threads read an array at places of no known pattern"}}
      %y = pyk.load %ea[] : !pyk.array<f32, c>
      %z = arith.addf %x, %y : f32
      scf.yield %z : f32
    }
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    pyk.store %sum, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

!record = !pyk.record<"x" : f32 at 0, size 4>
gpu.module @pyk {
  gpu.func @own(%a: !pyk.array<!record, c, local>, %b: !pyk.array<!record, c>) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    // expected-remark @below {{Function=own | Reason="threads choose different records", Remark="kernel 'own' does not run as vectors"}}
    pyk.copy_record %a to %b : !pyk.array<!record, c, local>, !pyk.array<!record, c>
    pyk.return
  }
  gpu.func @wait(%a: !pyk.array<!record, c>, %b: !pyk.array<!record, c>) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    // expected-remark @below {{Function=wait | Reason="its threads wait for each other's stores", Remark="kernel 'wait' does not run as vectors", Suggestion="launches in their order need no waiting"}}
    pyk.copy_record volatile %a to %b : !pyk.array<!record, c>, !pyk.array<!record, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // Each thread goes through a row.
  // expected-remark @below {{Function=sum | Reason="each of its threads goes through a row of its own", Remark="kernel 'sum' does not run as vectors"}}
  gpu.func @sum(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %out = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %none = arith.constant 0.0 : f32
    %total = scf.for %j = %zero to %n step %one iter_args(%sum = %none) -> (f32) : i64 {
      %row = arith.muli %i, %n : i64
      %place = arith.addi %row, %j : i64
      %e = pyk.element %a + %place : !pyk.array<?xf32, c>
      %x = pyk.load %e[] : !pyk.array<f32, c>
      %next = arith.addf %sum, %x : f32
      scf.yield %next : f32
    }
    %o = pyk.element %out + %i : !pyk.array<?xf32, c>
    pyk.store %total, %o[] : !pyk.array<f32, c>
    pyk.return
  }
  // Or through a column: neighbours read neighbours.
  gpu.func @columns(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %out = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %none = arith.constant 0.0 : f32
    %total = scf.for %j = %zero to %n step %one iter_args(%sum = %none) -> (f32) : i64 {
      %row = arith.muli %j, %n : i64
      %place = arith.addi %row, %i : i64
      %e = pyk.element %a + %place : !pyk.array<?xf32, c>
      %x = pyk.load %e[] : !pyk.array<f32, c>
      %next = arith.addf %sum, %x : f32
      scf.yield %next : f32
    }
    %o = pyk.element %out + %i : !pyk.array<?xf32, c>
    pyk.store %total, %o[] : !pyk.array<f32, c>
    pyk.return
  }
}
