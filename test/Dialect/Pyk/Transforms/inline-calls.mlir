// RUN: pyk-opt %s --split-input-file --pyk-inline-calls | FileCheck %s
// RUN: pyk-opt %s --split-input-file --pyk-inline-calls --mlir-print-debuginfo \
// RUN:   --mlir-print-local-scope | FileCheck %s --check-prefix=PLACES

// A body that ends at its end takes the place of the call; results become its
// values, and nothing calls the function any more.
gpu.module @values {
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f32, %[[P:.*]]: !llvm.ptr<1>)
  // CHECK-NEXT:    %[[A:.*]] = pyk.from_pointer %[[P]]
  // CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : f32
  // CHECK-NEXT:    %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[Y]] : f32
  // CHECK-NEXT:    pyk.store %[[PRODUCT]], %[[A]]
  // CHECK-NEXT:    pyk.store %[[SUM]], %[[A]]
  // CHECK-NEXT:    pyk.return
  gpu.func @kernel(%x: f32, %y: f32, %p: !llvm.ptr<1>) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %r:2 = func.call @sum_and_product(%x, %y) : (f32, f32) -> (f32, f32)
    pyk.store %r#1, %a[] : !pyk.array<f32, c>
    pyk.store %r#0, %a[] : !pyk.array<f32, c>
    pyk.return
  }
  // CHECK-NOT: func.func
  func.func private @sum_and_product(%x: f32, %y: f32) -> (f32, f32) attributes {always_inline} {
    %sum = arith.addf %x, %y : f32
    %product = arith.mulf %x, %y : f32
    pyk.return %sum, %product : f32, f32
  }
}

// -----

// A return within a loop ends the scope and not the kernel, nor the kernel's
// loop. What the callee calls is in place before.
gpu.module @early {
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK:         scf.for
  // CHECK-NEXT:      %[[FOUND:.*]] = pyk.scope -> (i64) {
  // CHECK-NEXT:        pyk.for %[[I:.*]] =
  // CHECK-NEXT:          %[[SQUARE:.*]] = arith.muli %[[I]], %[[I]] : i64
  // CHECK-NEXT:          %[[ABOVE:.*]] = arith.cmpi sgt, %[[SQUARE]]
  // CHECK-NEXT:          pyk.if %[[ABOVE]] {
  // CHECK-NEXT:            pyk.return %[[I]] : i64
  // CHECK-NEXT:          }
  // CHECK-NEXT:          pyk.continue
  // CHECK-NEXT:        }
  // CHECK-NEXT:        pyk.return %{{.*}} : i64
  // CHECK-NEXT:      }
  // CHECK-NEXT:      pyk.store %[[FOUND]]
  // CHECK-NOT:     func
  gpu.func @kernel(%n: i64, %p: !llvm.ptr<1>) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i64, c>
    %c1 = arith.constant 1 : i64
    scf.for %k = %c1 to %n step %c1 : i64 {
      %found = func.call @root(%n, %c1) : (i64, i64) -> i64
      pyk.store %found, %a[] : !pyk.array<i64, c>
    }
    pyk.return
  }
  func.func private @root(%n: i64, %c1: i64) -> i64 attributes {always_inline} {
    pyk.for %i = %c1 to %n step %c1 : i64 {
      %square = func.call @square(%i) : (i64) -> i64
      %above = arith.cmpi sgt, %square, %n : i64
      pyk.if %above {
        pyk.return %i : i64
      }
      pyk.continue
    }
    pyk.return %n : i64
  }
  func.func private @square(%x: i64) -> i64 attributes {always_inline} {
    %square = arith.muli %x, %x : i64
    pyk.return %square : i64
  }
}

// -----

// A function without results may leave early, too, and twice is two scopes.
gpu.module @twice {
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK-NEXT:    pyk.scope {
  // CHECK-NEXT:      pyk.if
  // CHECK-NEXT:        pyk.return
  // CHECK-NEXT:      }
  // CHECK-NEXT:      pyk.barrier
  // CHECK-NEXT:      pyk.return
  // CHECK-NEXT:    }
  // CHECK-NEXT:    pyk.scope {
  gpu.func @kernel(%c: i1) kernel {
    func.call @meet(%c) : (i1) -> ()
    func.call @meet(%c) : (i1) -> ()
    pyk.return
  }
  func.func private @meet(%c: i1) attributes {always_inline} {
    pyk.if %c {
      pyk.return
    }
    pyk.barrier
    pyk.return
  }
}

// -----

// What calls itself stays a call, and so does what has no body; what a recursive
// function calls is in place.
gpu.module @calls {
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK-NEXT:    call @factorial
  // CHECK-NEXT:    call @external
  gpu.func @kernel(%n: i64) kernel {
    %f = func.call @factorial(%n) : (i64) -> i64
    func.call @external(%f) : (i64) -> ()
    pyk.return
  }
  // CHECK: func.func private @factorial(
  // CHECK: arith.subi
  // CHECK: call @factorial
  // CHECK-NOT: @less_one
  func.func private @factorial(%n: i64) -> i64 {
    %c1 = arith.constant 1 : i64
    %done = arith.cmpi sle, %n, %c1 : i64
    pyk.if %done {
      pyk.return %c1 : i64
    }
    %less = func.call @less_one(%n, %c1) : (i64, i64) -> i64
    %f = func.call @factorial(%less) : (i64) -> i64
    %r = arith.muli %f, %n : i64
    pyk.return %r : i64
  }
  func.func private @less_one(%n: i64, %c1: i64) -> i64 attributes {always_inline} {
    %less = arith.subi %n, %c1 : i64
    pyk.return %less : i64
  }
  // CHECK: func.func private @external(i64)
  func.func private @external(i64)
}

// -----

// A shared array of a function is one for all its calls, also for those of a
// recursive function; each kernel has its own. One of the thread is one for
// each call.
gpu.module @shared {
  // CHECK-LABEL: gpu.func @first(
  // CHECK-NEXT:    %[[TILE:.*]] = pyk.alloc {alignment = 128 : i64} : !pyk.array<4xf32, c, shared>
  // CHECK-NEXT:    %[[OWN1:.*]] = pyk.alloc : !pyk.array<2xf32, c, local>
  // CHECK-NEXT:    pyk.address %[[OWN1]]
  // CHECK-NEXT:    pyk.address %[[TILE]]
  // CHECK-NEXT:    pyk.print
  // CHECK-NEXT:    %[[OWN2:.*]] = pyk.alloc : !pyk.array<2xf32, c, local>
  // CHECK-NEXT:    pyk.address %[[OWN2]]
  // CHECK-NEXT:    pyk.address %[[TILE]]
  // CHECK-NEXT:    pyk.print
  // CHECK-NEXT:    call @recursive(%[[TILE]])
  // CHECK-NEXT:    pyk.return
  // CHECK-LABEL: gpu.func @second(
  // CHECK-NEXT:    pyk.alloc {alignment = 128 : i64} : !pyk.array<4xf32, c, shared>
  // CHECK-NEXT:    pyk.alloc : !pyk.array<2xf32, c, local>
  // CHECK:       func.func private @recursive(%[[ARGUMENT:.*]]: !pyk.array<4xf32, c, shared>)
  // CHECK-NEXT:    pyk.alloc : !pyk.array<2xf32, c, local>
  // CHECK:         pyk.address %[[ARGUMENT]]
  // CHECK:         call @recursive(%[[ARGUMENT]])
  // CHECK-NOT:   @use
  gpu.func @first() kernel {
    func.call @use() : () -> ()
    func.call @use() : () -> ()
    func.call @recursive() : () -> ()
    pyk.return
  }
  gpu.func @second() kernel {
    func.call @use() : () -> ()
    pyk.return
  }
  func.func private @recursive() {
    func.call @use() : () -> ()
    func.call @recursive() : () -> ()
    pyk.return
  }
  func.func private @use() attributes {always_inline} {
    %tile = pyk.alloc {alignment = 128} : !pyk.array<4xf32, c, shared>
    %own = pyk.alloc : !pyk.array<2xf32, c, local>
    %a = pyk.address %own : !pyk.array<2xf32, c, local>
    %b = pyk.address %tile : !pyk.array<4xf32, c, shared>
    pyk.print "%lld %lld\0A"(%a, %b) : i64, i64
    pyk.return
  }
}

// -----

// Exported functions share what they reach, so the one that has the array stays
// a call; what is between is in place.
gpu.module @exported {
  // CHECK-LABEL: func.func @first()
  // CHECK-NEXT:    call @owner() : () -> ()
  // CHECK-LABEL: func.func @second()
  // CHECK-NEXT:    call @owner() : () -> ()
  // CHECK:       func.func private @owner()
  // CHECK-NEXT:    pyk.alloc
  // CHECK-NOT:   @between
  func.func @first() attributes {pyk.export = #pyk.export<c>} {
    func.call @between() : () -> ()
    pyk.return
  }
  func.func @second() attributes {pyk.export = #pyk.export<c>} {
    func.call @owner() : () -> ()
    pyk.return
  }
  func.func private @between() attributes {always_inline} {
    func.call @owner() : () -> ()
    pyk.return
  }
  func.func private @owner() attributes {always_inline} {
    %tile = pyk.alloc : !pyk.array<4xf32, c, shared>
    %a = pyk.address %tile : !pyk.array<4xf32, c, shared>
    pyk.print "%lld\0A"(%a) : i64
    pyk.return
  }
}

// -----

// A product and a sum that a call keeps apart are rounded twice: what may be
// fused has been, when this pass runs.
gpu.module @rounding {
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32
  // CHECK-NEXT:    arith.addf %{{.*}}, %{{.*}} : f32
  gpu.func @kernel(%x: f32, %p: !llvm.ptr<1>) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %square = func.call @square(%x) : (f32) -> f32
    %sum = arith.addf %square, %x : f32
    pyk.store %sum, %a[] : !pyk.array<f32, c>
    pyk.return
  }
  func.func private @square(%x: f32) -> f32 attributes {always_inline} {
    %square = arith.mulf %x, %x : f32
    pyk.return %square : f32
  }
}

// -----

// Where an op comes from is known, through two calls.
gpu.module @places {
  // PLACES-LABEL: gpu.func @kernel_with_places(
  // PLACES:         arith.addi %{{.*}}, %{{.*}} : i64 loc(callsite("sum" at callsite("inner call" at "outer call")))
  gpu.func @kernel_with_places(%n: i64) kernel {
    %r = func.call @outer(%n) : (i64) -> i64 loc("outer call")
    pyk.return
  }
  func.func private @outer(%n: i64) -> i64 attributes {always_inline} {
    %r = func.call @inner(%n) : (i64) -> i64 loc("inner call")
    pyk.return %r : i64
  }
  func.func private @inner(%n: i64) -> i64 attributes {always_inline} {
    %r = arith.addi %n, %n : i64 loc("sum")
    pyk.return %r : i64
  }
}

// -----

// Ops of all dialects of the stage move; a function that says so stays.
gpu.module @dialects {
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK-NEXT:    gpu.thread_id
  // CHECK:         complex.create
  // CHECK:         math.sqrt
  // CHECK:         ub.poison
  // CHECK:         scf.if
  // CHECK:         pyk.check
  // CHECK:         call @stays()
  // CHECK-NOT:   @all
  // CHECK:       func.func private @stays()
  gpu.func @kernel(%c: i1, %x: f32) kernel {
    func.call @all(%c, %x) : (i1, f32) -> ()
    pyk.return
  }
  func.func private @all(%c: i1, %x: f32) attributes {always_inline} {
    %t = gpu.thread_id x
    %z = complex.create %x, %x : complex<f32>
    %r = math.sqrt %x : f32
    %p = ub.poison : i64
    scf.if %c {
      pyk.check %c
    }
    func.call @stays() : () -> ()
    pyk.return
  }
  func.func private @stays() attributes {always_inline, no_inline} {
    pyk.barrier
    pyk.return
  }
}

// What the CPU has in place of code for a GPU is called, and so inlined.
// CHECK-LABEL: gpu.module @foreign
gpu.module @foreign {
  // CHECK-LABEL: gpu.func @calls(
  // CHECK-NOT:     foreign_call
  // CHECK:         arith.addf
  gpu.func @calls(%x: f32) kernel {
    %y = pyk.foreign_call #pyk.foreign<c, "f", [none]> (%x) host @own : (f32) -> f32
    gpu.return
  }
  func.func private @own(%x: f32) -> f32 attributes {always_inline} {
    %y = arith.addf %x, %x : f32
    pyk.return %y : f32
  }
}
