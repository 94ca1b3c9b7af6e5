// RUN: pyk-opt %s --split-input-file --simd-vectorize --verify-diagnostics

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: the shape of its blocks is not known}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel {
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: threads choose different arrays}}
  gpu.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %first = arith.cmpi eq, %i, %n : i64
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
  // expected-remark @below {{kernel 'k' does not run as vectors: values of type bf16 differ by thread}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %x = arith.uitofp %i : i64 to bf16
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'views' does not run as vectors: it has views of local arrays}}
  gpu.func @views(%i: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.alloc : !pyk.array<4xf32, c, local>
    %b = pyk.reinterpret %a : !pyk.array<4xf32, c, local> to !pyk.array<4xi32, c, local>
    %e = pyk.element %b + %i : !pyk.array<4xi32, c, local>
    %x = pyk.load %e[] : !pyk.array<i32, c, local>
    pyk.return
  }
  // expected-remark @below {{kernel 'atomics' does not run as vectors: it has views of local arrays}}
  gpu.func @atomics(%i: i64, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.alloc : !pyk.array<4xf32, c, local>
    %e = pyk.element %a + %i : !pyk.array<4xf32, c, local>
    %old = pyk.atomic add %x, %e[] : !pyk.array<f32, c, local>
    pyk.return
  }
  // expected-remark @below {{kernel 'large' does not run as vectors: its local arrays are too large}}
  gpu.func @large() kernel
      attributes {pyk.block_shape = array<i32: 256, 1, 1>} {
    %a = pyk.alloc : !pyk.array<129xf32, c, local>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: it has arrays of other things than numbers}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xcomplex<f32>, c>
    %e = pyk.element %a + %i : !pyk.array<?xcomplex<f32>, c>
    %x = pyk.load %e[] : !pyk.array<complex<f32>, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: its threads wait for each other's stores}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %e = pyk.element %a + %n : !pyk.array<?xf32, c>
    %x = pyk.load volatile %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: it counts threads at a barrier}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %c = arith.cmpi eq, %i, %n : i64
    %count = pyk.barrier vote count %c -> i32
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // Threads may miss a barrier only if they come to no other.
  // expected-remark @below {{kernel 'k' does not run as vectors: not all threads of a block meet at one of its barriers}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %c = arith.cmpi eq, %i, %n : i64
    scf.if %c {
      pyk.barrier
    } else {
      pyk.barrier
    }
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: not all threads of a block meet at one of its barriers}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    scf.for %k = %c0 to %i step %c1 : i64 {
      pyk.barrier
    }
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: it prints}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    pyk.print "done\0A"
    pyk.return
  }
}

// -----

gpu.module @pyk {
  func.func private @f()
  // expected-remark @below {{kernel 'k' does not run as vectors: it calls a function that is not inlined}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    func.call @f() : () -> ()
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: it has 'pyk.spin_hint'}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    pyk.spin_hint
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: its threads exchange values ('pyk.match_any')}}
  gpu.func @k(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %m = arith.constant -1 : i32
    %lanes = pyk.match_any %n mask %m : i64
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // The second row begins within a vector of the first warp.
  // expected-remark @below {{kernel 'rows' does not run as vectors: its warps are not whole vectors}}
  gpu.func @rows() kernel attributes {pyk.block_shape = array<i32: 24, 2, 1>} {
    %m = pyk.active_mask
    pyk.return
  }
  // Lanes wait here for others of their warp, which wait at the barrier.
  // expected-remark @below {{kernel 'branch' does not run as vectors: not all lanes of its warps run 'pyk.vote' together}}
  gpu.func @branch(%c: i1) kernel attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %m = arith.constant -1 : i32
    %five = arith.constant 5 : i32
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i32
    %first = arith.cmpi ult, %i, %five : i32
    scf.if %first {
      %r = pyk.vote all %c mask %m
    }
    pyk.barrier
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: a tile of its blocks would be too much code}}
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
    pyk.store %x5, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // expected-remark @below {{kernel 'k' does not run as vectors: most of what its loops do is to collect elements from all over}}
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
      %place = pyk.load %ek[] : !pyk.array<i64, c>
      %ea = pyk.element %a + %place : !pyk.array<?xf32, c>
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
  // expected-remark @below {{kernel 'own' does not run as vectors: threads choose different records}}
  gpu.func @own(%a: !pyk.array<!record, c, local>, %b: !pyk.array<!record, c>) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    pyk.copy_record %a to %b : !pyk.array<!record, c, local>, !pyk.array<!record, c>
    pyk.return
  }
  // expected-remark @below {{kernel 'wait' does not run as vectors: its threads wait for each other's stores}}
  gpu.func @wait(%a: !pyk.array<!record, c>, %b: !pyk.array<!record, c>) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    pyk.copy_record volatile %a to %b : !pyk.array<!record, c>, !pyk.array<!record, c>
    pyk.return
  }
}

// -----

gpu.module @pyk {
  // Each thread goes through a row.
  // expected-remark @below {{kernel 'sum' does not run as vectors: each of its threads goes through a row of its own}}
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
