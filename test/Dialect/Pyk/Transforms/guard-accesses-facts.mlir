// RUN: pyk-opt %s --pyk-guard-accesses --cse --canonicalize --split-input-file | FileCheck %s

// What launches prove from conditions, and the nearest conditions that say
// nothing. Numbers that data decide are `%x` and `%y`: launches know no end of
// them that no condition gives.

// `x < 8` for numbers without a sign: both ends. `x < y` says nothing, since
// `y` may be negative, and so more than any other.
// CHECK-LABEL: gpu.func @below(
// CHECK-SAME:      kind = inside, first = {{[0-9]+}}, value = 4>]
// CHECK-NOT:     pyk.outside
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @below_unknown(
// CHECK-NOT:       pyk.bounds
// CHECK-COUNT-2: pyk.outside
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @below(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %c8 = arith.constant 8 : i64
    %numbers = pyk.alloc : !pyk.array<i64, c, local>
    %x = pyk.load %numbers[] : !pyk.array<i64, c, local>
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %one = arith.constant 1 : i32
    %inside = arith.cmpi ult, %x, %c8 : i64
    scf.if %inside {
      %e = pyk.element %a + %x : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
  gpu.func @below_unknown(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %numbers = pyk.alloc : !pyk.array<i64, c, local>
    %x = pyk.load %numbers[] : !pyk.array<i64, c, local>
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %one = arith.constant 1 : i32
    %inside = arith.cmpi ult, %x, %n : i64
    scf.if %inside {
      %e = pyk.element %a + %x : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    %isInside = arith.cmpi ugt, %n, %x : i64
    scf.if %isInside {
      %e = pyk.element %a + %x : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
}

// -----

// How far an index is from its bound: `<` is a step less than `<=`.
// CHECK-LABEL: gpu.func @distances(
// CHECK-DAG:       kind = cut_above, first = {{[0-9]+}}, second = {{[0-9]+}}, value = -1>
// CHECK-DAG:       kind = cut_above, first = {{[0-9]+}}, second = {{[0-9]+}}>
// CHECK-NOT:     pyk.outside
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @no_distance(
// CHECK-NOT:       kind = cut_above, first = {{[0-9]+}}, second = {{[0-9]+}}, value = -1>
// CHECK-SAME:      kind = inside, first = {{[0-9]+}}, value = 8>]
// CHECK-NOT:     pyk.outside
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @distances(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %c0 = arith.constant 0 : i64
    %numbers = pyk.alloc : !pyk.array<i64, c, local>
    %x = pyk.load %numbers[] : !pyk.array<i64, c, local>
    %y = pyk.load volatile %numbers[] : !pyk.array<i64, c, local>
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %one = arith.constant 1 : i32
    %notNegative = arith.cmpi sge, %x, %c0 : i64
    %below = arith.cmpi slt, %x, %n : i64
    %inside = arith.andi %notNegative, %below : i1
    scf.if %inside {
      %e = pyk.element %a + %x : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    %isNotNegative = arith.cmpi sge, %y, %c0 : i64
    %notAbove = arith.cmpi sge, %n, %y : i64
    %isInside = arith.andi %isNotNegative, %notAbove : i1
    scf.if %isInside {
      %e = pyk.element %a + %y : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
  gpu.func @no_distance(%p: !llvm.ptr<1>, %n: i32) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %c0 = arith.constant 0 : i64
    %numbers = pyk.alloc : !pyk.array<4xi64, c, local>
    %one = arith.constant 1 : i64
    %i0 = pyk.element %numbers + %c0 : !pyk.array<4xi64, c, local>
    %x0 = pyk.load volatile %i0[] : !pyk.array<i64, c, local>
    %x1 = pyk.load volatile %i0[] : !pyk.array<i64, c, local>
    %x2 = pyk.load volatile %i0[] : !pyk.array<i64, c, local>
    %x3 = pyk.load volatile %i0[] : !pyk.array<i64, c, local>
    // Not negative.
    %end = arith.extui %n : i32 to i64
    %a = pyk.from_pointer %p extents(%end) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %c = arith.cmpi ule, %x0, %end : i64
    scf.if %c {
      %e = pyk.element %a + %x0 : !pyk.array<?xi64, c>
      pyk.store %one, %e[] : !pyk.array<i64, c>
    }
    %d = arith.cmpi uge, %end, %x1 : i64
    scf.if %d {
      %e = pyk.element %a + %x1 : !pyk.array<?xi64, c>
      pyk.store %one, %e[] : !pyk.array<i64, c>
    }
    %isPositive2 = arith.cmpi sgt, %x2, %c0 : i64
    %isInside2 = arith.cmpi sle, %x2, %end : i64
    %f = arith.andi %isPositive2, %isInside2 : i1
    scf.if %f {
      %e = pyk.element %a + %x2 : !pyk.array<?xi64, c>
      pyk.store %one, %e[] : !pyk.array<i64, c>
    }
    %isPositive3 = arith.cmpi sgt, %x3, %c0 : i64
    %isInside3 = arith.cmpi sge, %end, %x3 : i64
    %g = arith.andi %isPositive3, %isInside3 : i1
    scf.if %g {
      %e = pyk.element %a + %x3 : !pyk.array<?xi64, c>
      pyk.store %one, %e[] : !pyk.array<i64, c>
    }
    gpu.return
  }
}

// -----

// `5 - x >= 0` bounds `x` from above; `x + 1 <= 8` does if the sum does not
// wrap.
// CHECK-LABEL: gpu.func @sums(
// CHECK-SAME:      #pyk.bound_term<kind = constant, value = 5>
// CHECK-SAME:      kind = cut_above
// CHECK-NOT:     pyk.outside
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @sum_that_may_wrap(
// CHECK-NOT:       pyk.bounds
// CHECK:         pyk.outside
gpu.module @pyk {
  gpu.func @sums(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %c0 = arith.constant 0 : i64
    %c5 = arith.constant 5 : i64
    %numbers = pyk.alloc : !pyk.array<i64, c, local>
    %x = pyk.load %numbers[] : !pyk.array<i64, c, local>
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %one = arith.constant 1 : i32
    %rest = arith.subi %c5, %x overflow<nsw> : i64
    %0 = arith.cmpi sge, %rest, %c0 : i64
    %1 = arith.cmpi sge, %x, %c0 : i64
    %2 = arith.andi %0, %1 : i1
    scf.if %2 {
      %e = pyk.element %a + %x : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
  gpu.func @sum_that_may_wrap(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %numbers = pyk.alloc : !pyk.array<i64, c, local>
    %x = pyk.load %numbers[] : !pyk.array<i64, c, local>
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %one = arith.constant 1 : i32
    %sum = arith.addi %x, %c1 : i64
    %0 = arith.cmpi sle, %sum, %c8 : i64
    %1 = arith.cmpi sge, %x, %c0 : i64
    %2 = arith.andi %0, %1 : i1
    scf.if %2 {
      %e = pyk.element %a + %x : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
}

// -----

// Each of these conditions may hold although `x` is no index: `not c or inside`
// and `c != inside`. So may it behind one that no thread leaves at.
// CHECK-LABEL: gpu.func @either(
// CHECK-NOT:       pyk.bounds
// CHECK-COUNT-4: pyk.outside
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @either(%p: !llvm.ptr<1>, %n: i64, %c: i1) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %true = arith.constant true
    %c8 = arith.constant 8 : i64
    %numbers = pyk.alloc : !pyk.array<i64, c, local>
    %x = pyk.load %numbers[] : !pyk.array<i64, c, local>
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %one = arith.constant 1 : i32
    %inside = arith.cmpi ult, %x, %c8 : i64
    %0 = arith.select %c, %inside, %true : i1
    scf.if %0 {
      %e = pyk.element %a + %x : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    %1 = scf.if %c -> (i1) {
      scf.yield %inside : i1
    } else {
      scf.yield %true : i1
    }
    scf.if %1 {
      %e = pyk.element %a + %x : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    %outside = arith.cmpi uge, %x, %c8 : i64
    %2 = arith.xori %outside, %c : i1
    scf.if %2 {
      %e = pyk.element %a + %x : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    pyk.if %inside {
      pyk.barrier
      pyk.yield
    }
    %e = pyk.element %a + %x : !pyk.array<?xi32, c>
    pyk.store %one, %e[] : !pyk.array<i32, c>
    gpu.return
  }
}

// -----

// Not 0 is above 0 if it is not negative; not 5 is nothing.
// CHECK-LABEL: gpu.func @not_zero(
// CHECK-SAME:      kind = cut_below
// CHECK-LABEL: gpu.func @not_five(
// CHECK-NOT:       kind = cut_below
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @of_any_sign(
// CHECK-NOT:       kind = cut_below
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @not_zero(%p: !llvm.ptr<1>, %n: i32) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %one = arith.constant 1 : i32
    %m = arith.extui %n : i32 to i64
    %a = pyk.from_pointer %p extents(%m) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %is = arith.cmpi ne, %m, %c0 : i64
    scf.if %is {
      %last = arith.subi %m, %c1 overflow<nsw> : i64
      %e = pyk.element %a + %last : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
  gpu.func @not_five(%p: !llvm.ptr<1>, %n: i32) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %c5 = arith.constant 5 : i64
    %c1 = arith.constant 1 : i64
    %one = arith.constant 1 : i32
    %m = arith.extui %n : i32 to i64
    %a = pyk.from_pointer %p extents(%m) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %is = arith.cmpi ne, %m, %c5 : i64
    scf.if %is {
      %last = arith.subi %m, %c1 overflow<nsw> : i64
      %e = pyk.element %a + %last : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
  gpu.func @of_any_sign(%p: !llvm.ptr<1>, %m: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %one = arith.constant 1 : i32
    %a = pyk.from_pointer %p extents(%m) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %is = arith.cmpi ne, %m, %c0 : i64
    scf.if %is {
      %last = arith.subi %m, %c1 overflow<nsw> : i64
      %e = pyk.element %a + %last : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
}
