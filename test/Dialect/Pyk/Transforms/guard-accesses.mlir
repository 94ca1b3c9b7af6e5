// RUN: pyk-opt %s --pyk-guard-accesses --cse --canonicalize --split-input-file | FileCheck %s

// What a kernel checks of its accesses to memory.

// An argument comes with its memory, the record of failures last. A read of
// what is outside gives 0.
// CHECK-LABEL: gpu.func @read(
// CHECK-SAME:      %[[P:.*]]: !llvm.ptr<1>, %[[I:.*]]: i64, %[[FIRST:[^:]*]]: i64, %[[COUNT:[^:]*]]: i64, %[[RECORD:[^:]*]]: !llvm.ptr<1>)
// CHECK-SAME:      pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <memory_first, 0, 4>, <memory_count, 0, 4>, <failure, 0>]>
// CHECK-NOT:       pyk.guarded
// CHECK:         %[[PLACE:.*]] = arith.subi %[[I]], %[[FIRST]] : i64
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %[[PLACE]], %[[COUNT]] : i64
// CHECK:         scf.if %[[INSIDE]] -> (f32) {
// CHECK:           pyk.load
// CHECK:         } else {
// CHECK:           gpu.thread_id  x
// CHECK:           pyk.outside "reads an array at [{0}], outside of the array's memory; such reads give 0" at "a.py" : 7 thread %{{.*}}(%[[I]])
// CHECK:           scf.yield %{{.*}} : f32
gpu.module @pyk {
  gpu.func @read(%p: !llvm.ptr<1>, %i: i64, %record: !llvm.ptr<1>) kernel attributes {
      pyk.guarded, pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <failure, 0>]>} {
    %n = arith.constant 8 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c> loc("a.py":7:1)
    %b = pyk.alloc : !pyk.array<1xf32, c, local>
    %z = arith.constant 0 : i64
    %f = pyk.element %b + %z : !pyk.array<1xf32, c, local>
    pyk.store %x, %f[] : !pyk.array<f32, c, local>
    pyk.return
  }
}

// -----

// Functions that are not guarded stay as they are.
// CHECK-LABEL: gpu.func @unguarded(
// CHECK-NOT:     scf.if
gpu.module @pyk {
  gpu.func @unguarded(%p: !llvm.ptr<1>, %i: i64) kernel attributes {
      pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %n = arith.constant 8 : i64
    %c = arith.constant 1.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    pyk.store %c, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// A strided array counts bytes. Arithmetic in 32 bits, which is right inside
// only, is done again in 64.
// CHECK-LABEL: gpu.func @wide(
// CHECK-SAME:      <memory_first, 0, 1>, <memory_count, 0, 1>, <memory_first, 1, 8>, <memory_count, 1, 8>
// CHECK:         %[[W:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK:         %[[V:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK:         %[[ROW:.*]] = arith.muli %[[W]], %[[V]] : i64
// CHECK:         %[[OFFSET:.*]] = arith.addi %[[ROW]], %{{.*}} : i64
// CHECK:         arith.subi %[[OFFSET]],
// CHECK:         pyk.element %{{.*}} + %[[OFFSET]] :
// CHECK:         pyk.outside "updates{{.*}}; such accesses are dropped" at "{{.*}}" : {{[0-9]+}} thread %{{[^(]*}}(%{{.*}}, %{{.*}})
gpu.module @pyk {
  gpu.func @wide(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %i: i64, %w: i32, %v: i32) kernel attributes {
      pyk.guarded, pyk.abi = #pyk.abi<[<data, 0>, <data, 1>, <scalar, 2>, <scalar, 3>, <scalar, 4>]>} {
    %n = arith.constant 8 : i64
    %a = pyk.from_pointer %p extents(%n) strides(%n) : !llvm.ptr<1> to !pyk.array<?xf64, any>
    %b = pyk.from_pointer %q extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xf64, c>
    %e = pyk.element %a + %i : !pyk.array<?xf64, any>
    %x = pyk.load %e[] : !pyk.array<f64, c>
    %row = arith.muli %v, %w overflow<nsw, nuw> : i32
    %j = arith.trunci %i overflow<nsw, nuw> : i64 to i32
    %sum = arith.addi %row, %j overflow<nsw, nuw> : i32
    %offset = arith.extui %sum : i32 to i64
    %f = pyk.element %b + %offset of [%n, %i] : !pyk.array<?x?xf64, c>
    %old = pyk.atomic add %x, %f[] : !pyk.array<f64, c>
    pyk.return
  }
}

// -----

// What ranges prove is not checked; shared memory is the array.
// CHECK-LABEL: gpu.func @shared(
// CHECK:         %[[T:.*]] = arith.index_castui
// CHECK-NOT:     scf.if
// CHECK:         pyk.store
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c1024_i64 : i64
// CHECK:         scf.if %[[INSIDE]] {
// CHECK:           pyk.store
// CHECK:         } else {
// CHECK:           pyk.outside "writes
gpu.module @pyk {
  gpu.func @shared(%i: i64) kernel attributes {
      pyk.guarded, pyk.abi = #pyk.abi<[<scalar, 0>]>} {
    %c = arith.constant 1.0 : f32
    %a = pyk.alloc : !pyk.array<1024xf32, c, shared>
    %thread = gpu.thread_id x upper_bound 1024
    %t = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %t : !pyk.array<1024xf32, c, shared>
    pyk.store %c, %e[] : !pyk.array<f32, c, shared>
    %f = pyk.element %a + %i : !pyk.array<1024xf32, c, shared>
    pyk.store %c, %f[] : !pyk.array<f32, c, shared>
    pyk.return
  }
}

// -----

// Of an array that is one of two, either's memory will do, unless the address
// wraps around. All threads share that of the array.
// CHECK-LABEL: gpu.func @either(
// CHECK:         %[[S:.*]] = arith.select
// CHECK:         %[[ADDRESS:.*]] = pyk.address %[[S]] : !pyk.array<?xf32, c>
// CHECK:         %[[FITS:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : f64
// CHECK:         %[[BYTES:.*]] = arith.muli %{{.*}}, %c4_i64 : i64
// CHECK:         arith.addi %[[ADDRESS]], %[[BYTES]] : i64
// CHECK:         %[[A:.*]] = arith.cmpi uge
// CHECK:         %[[B:.*]] = arith.cmpi ule
// CHECK:         %[[ONE:.*]] = arith.andi %[[A]], %[[B]]
// CHECK:         %[[OTHER:.*]] = arith.andi
// CHECK:         %[[ANY:.*]] = arith.ori %[[ONE]], %[[OTHER]]
// CHECK:         %[[INSIDE:.*]] = arith.andi %[[ANY]], %[[FITS]]
// CHECK:         scf.if %[[INSIDE]]
gpu.module @pyk {
  gpu.func @either(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %i: i64, %c: i1) kernel attributes {
      pyk.guarded, pyk.abi = #pyk.abi<[<data, 0>, <data, 1>, <scalar, 2>, <scalar, 3>]>} {
    %n = arith.constant 8 : i64
    %x = arith.constant 1.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %s = scf.if %c -> !pyk.array<?xf32, c> {
      scf.yield %a : !pyk.array<?xf32, c>
    } else {
      scf.yield %b : !pyk.array<?xf32, c>
    }
    %e = pyk.element %s + %i : !pyk.array<?xf32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// A function that is called gets the memory from its caller, and passes it on.
// CHECK-LABEL: gpu.func @caller(
// CHECK:         %[[ADDRESS:.*]] = pyk.address
// CHECK:         %[[LOW:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK:         %[[HIGH:.*]] = arith.addi %[[LOW]], %{{.*}} : i64
// CHECK:         func.call @walk(%{{.*}}, %{{.*}}, %[[LOW]], %[[HIGH]])
// CHECK-LABEL: func.func @walk(
// CHECK-SAME:      %{{.*}}: !pyk.array<?xf32, c>, %{{.*}}: i64, %[[LOW:.*]]: i64, %[[HIGH:.*]]: i64)
// CHECK:         pyk.outside "writes
// CHECK:         call @walk(%{{.*}}, %{{.*}}, %[[LOW]], %[[HIGH]])
gpu.module @pyk {
  gpu.func @caller(%p: !llvm.ptr<1>, %i: i64) kernel attributes {
      pyk.guarded, pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %n = arith.constant 8 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    func.call @walk(%a, %i) : (!pyk.array<?xf32, c>, i64) -> ()
    pyk.return
  }
  func.func @walk(%a: !pyk.array<?xf32, c>, %i: i64) attributes {pyk.guarded} {
    %x = arith.constant 1.0 : f32
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>
    func.call @walk(%a, %i) : (!pyk.array<?xf32, c>, i64) -> ()
    func.return
  }
}

// -----

// Launches prove what follows from their numbers.
// CHECK-LABEL: gpu.func @proven(
// CHECK-SAME:      pyk.bounds = [#pyk.bound_term<kind = block>, #pyk.bound_term<kind = block_dim>,
// CHECK-SAME:        #pyk.bound_term<kind = mul, second = 1>, #pyk.bound_term<kind = thread>,
// CHECK-SAME:        #pyk.bound_term<kind = add, first = 2, second = 3>,
// CHECK-SAME:        #pyk.bound_term<kind = scalar, first = 1, value = 8>,
// CHECK-SAME:        kind = cut_above, first = 4, second = {{[0-9]+}}, value = -1>
// CHECK-SAME:        #pyk.bound_term<kind = inside, first = {{[0-9]+}}, value = 4>]
// CHECK-NOT:     pyk.outside
gpu.module @pyk {
  gpu.func @proven(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %x = arith.constant 1.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %block = gpu.block_id x
    %threads = gpu.block_dim x
    %thread = gpu.thread_id x
    %b = arith.index_castui %block : index to i64
    %d = arith.index_castui %threads : index to i64
    %t = arith.index_castui %thread : index to i64
    %first = arith.muli %b, %d overflow<nsw> : i64
    %i = arith.addi %first, %t overflow<nsw> : i64
    %inside = arith.cmpi slt, %i, %n : i64
    scf.if %inside {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }
}

// -----

// Where nobody comes to, nothing has to be proven: in loops without iterations.
// CHECK-LABEL: gpu.func @never(
// CHECK-SAME:      #pyk.bound_term<kind = counter, second = 1, third = 2>,
// CHECK-SAME:      #pyk.bound_term<kind = when, first = 1, second = 3>,
// CHECK-SAME:      #pyk.bound_term<kind = when, second = 4>,
// CHECK-SAME:      #pyk.bound_term<kind = inside, first = 5, value = 4>]
// CHECK-NOT:     pyk.outside
gpu.module @pyk {
  gpu.func @never(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %x = arith.constant 1.0 : f32
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    scf.for %k = %n to %zero step %one : i64 {
      %e = pyk.element %a + %n : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }
}

// -----

// A loop without a sign has many iterations from -1 on.
// CHECK-LABEL: gpu.func @without_sign(
// CHECK-NOT:       kind = counter
// CHECK:         scf.for unsigned
gpu.module @pyk {
  gpu.func @without_sign(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %x = arith.constant 1.0 : f32
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    scf.for unsigned %k = %zero to %n step %one : i64 {
      %e = pyk.element %a + %n : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }
}

// -----

// Behind a condition that cannot hold, nothing has to be proven either.
// CHECK-LABEL: gpu.func @flag(
// CHECK-SAME:      #pyk.bound_term<kind = scalar, first = 1, value = 8>, #pyk.bound_term<kind = constant, value = 1>,
// CHECK-SAME:      #pyk.bound_term<kind = cut_below, first = 2, second = 3>,
// CHECK-SAME:      #pyk.bound_term<kind = when, first = 1, second = 4>,
// CHECK-SAME:      #pyk.bound_term<kind = when, second = 5>, #pyk.bound_term<kind = inside, first = 6,
// CHECK-NOT:     pyk.outside
gpu.module @pyk {
  gpu.func @flag(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %x = arith.constant 1.0 : f32
    %place = arith.constant 100 : i64
    %zero = arith.constant 0 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %is = arith.cmpi sgt, %n, %zero : i64
    scf.if %is {
      %e = pyk.element %a + %place : !pyk.array<?xf32, c>
      pyk.store %x, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }
}

// -----

// What the next iteration begins with may come by several ways: all of them
// have to keep to the guess.
// CHECK-LABEL: gpu.func @ways(
// CHECK-SAME:      #pyk.bound_term<kind = either, first = 9, second = 11>, #pyk.bound_term<kind = stable, first = 7, second = 12>,
// CHECK-SAME:      kind = within, first = 13, value = 2>]
gpu.module @pyk {
  gpu.func @ways(%n: i64, %c: i1) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<scalar, 0>, <scalar, 1>]>} {
    %x = arith.constant 1.0 : f32
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a = pyk.alloc : !pyk.array<2xf32, c, shared>
    %end = pyk.for %k = %zero to %n step %one carry(%i = %zero) : i64, (i64) {
      %e = pyk.element %a + %i : !pyk.array<2xf32, c, shared>
      pyk.store %x, %e[] : !pyk.array<f32, c, shared>
      pyk.if %c {
        %more = arith.addi %i, %one : i64
        pyk.continue %more : i64
      }
      %other = arith.subi %one, %i : i64
      pyk.continue %other : i64
    }
    pyk.return
  }
}

// -----

// What is halved, rounded up, stays between 0 and what it was.
// CHECK-LABEL: gpu.func @halved(
// CHECK-SAME:      #pyk.bound_term<kind = constant>, #pyk.bound_term<kind = either, second = 1>,
// CHECK-SAME:      #pyk.bound_term<kind = stable, first = 2, second = {{[0-9]+}}>
// CHECK-SAME:      kind = within, first = {{[0-9]+}}, value = 64>]
// CHECK-NOT:     pyk.outside
gpu.module @pyk {
  gpu.func @halved(%n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<scalar, 0>]>} {
    %x = arith.constant 1.0 : f32
    %one = arith.constant 1 : i64
    %a = pyk.alloc : !pyk.array<64xf32, c, shared>
    %end = scf.while (%count = %n) : (i64) -> i64 {
      %more = arith.cmpi sgt, %count, %one : i64
      scf.condition(%more) %count : i64
    } do {
    ^bb0(%count: i64):
      %sum = arith.addi %count, %one : i64
      %half = arith.shrsi %sum, %one : i64
      %e = pyk.element %a + %half : !pyk.array<64xf32, c, shared>
      pyk.store %x, %e[] : !pyk.array<f32, c, shared>
      scf.yield %half : i64
    }
    pyk.return
  }
}

// -----

// What depends on data, they cannot: it is checked.
// CHECK-LABEL: gpu.func @gathered(
// CHECK-NOT:       pyk.bounds
// CHECK:         pyk.outside "reads
gpu.module @pyk {
  gpu.func @gathered(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <data, 1>]>} {
    %n = arith.constant 8 : i64
    %i = arith.constant 0 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %b = pyk.from_pointer %q : !llvm.ptr<1> to !pyk.array<i64, c>
    %j = pyk.load %b[] : !pyk.array<i64, c>
    %e = pyk.element %a + %j : !pyk.array<?xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %f = pyk.alloc : !pyk.array<1xf32, c, local>
    %g = pyk.element %f + %i : !pyk.array<1xf32, c, local>
    pyk.store %x, %g[] : !pyk.array<f32, c, local>
    pyk.return
  }
}
