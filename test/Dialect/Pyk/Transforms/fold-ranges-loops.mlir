// RUN: pyk-opt %s --pyk-fold-ranges --canonicalize | FileCheck %s

// What loops carry, and what holds within them and behind.

func.func private @use(i1)

// `while s > 0: ...; s >>= 1`: never negative, above 0 within the loop.
// CHECK-LABEL: pyk.func @halves(
pyk.func @halves(%t: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %s = scf.while (%s = %c128) : (i64) -> i64 {
    // CHECK: call @use(%false)
    %0 = arith.cmpi slt, %s, %zero : i64
    func.call @use(%0) : (i1) -> ()
    %1 = arith.cmpi sgt, %s, %zero : i64
    scf.condition(%1) %s : i64
  } do {
  ^bb0(%s: i64):
    // CHECK: call @use(%true)
    %0 = arith.cmpi sgt, %s, %zero : i64
    func.call @use(%0) : (i1) -> ()
    // CHECK: call @use(%true)
    %1 = arith.cmpi sle, %s, %c128 : i64
    func.call @use(%1) : (i1) -> ()
    %2 = arith.shrsi %s, %one : i64
    scf.yield %2 : i64
  }
  // CHECK: call @use(%true)
  %0 = arith.cmpi eq, %s, %zero : i64
  func.call @use(%0) : (i1) -> ()
  pyk.return
}

// The same with exits.
// CHECK-LABEL: pyk.func @halves_with_exits(
pyk.func @halves_with_exits(%t: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %r = pyk.loop carry(%s = %c128) : (i32) {
    %0 = arith.cmpi sgt, %s, %zero : i32
    pyk.if %0 {
      pyk.yield
    } else {
      pyk.break %s : i32
    }
    pyk.if %c {
      pyk.break %one : i32
    }
    // CHECK: call @use(%true)
    %1 = arith.cmpi sgt, %s, %zero : i32
    func.call @use(%1) : (i1) -> ()
    %2 = arith.shrsi %s, %one : i32
    pyk.continue %2 : i32
  }
  // CHECK: call @use(%true)
  %3 = arith.cmpi ule, %r, %one : i32
  func.call @use(%3) : (i1) -> ()
  // CHECK: call @use(%{{[0-9]+}})
  %4 = arith.cmpi eq, %r, %one : i32
  func.call @use(%4) : (i1) -> ()
  pyk.return
}

// What a loop counts without a bound wraps around at some time.
// CHECK-LABEL: pyk.func @counts(
pyk.func @counts(%n: i64, %x: i64, %c: i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  pyk.loop carry(%up = %zero, %down = %zero, %bounded = %zero)
      : (i64, i64, i64) -> () {
    pyk.if %c {
      pyk.break
    }
    %0 = arith.cmpi slt, %bounded, %n : i64
    pyk.if %0 {
      pyk.yield
    } else {
      pyk.return
    }
    // CHECK: call @use(%{{[0-9]+}})
    %1 = arith.cmpi slt, %up, %zero : i64
    func.call @use(%1) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %2 = arith.cmpi sgt, %down, %zero : i64
    func.call @use(%2) : (i1) -> ()
    // CHECK: call @use(%false)
    %3 = arith.cmpi slt, %bounded, %zero : i64
    func.call @use(%3) : (i1) -> ()
    %4 = arith.addi %up, %one : i64
    %5 = arith.subi %down, %one : i64
    %6 = arith.addi %bounded, %one : i64
    pyk.continue %4, %5, %6 : i64, i64, i64
  }
  pyk.return
}

// A counter is in its bounds, and the bound above the first of its values.
// CHECK-LABEL: pyk.func @counters(
pyk.func @counters(%n: i64, %m: i32, %a: !pyk.array<?xf32, c>, %c: i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c24 = arith.constant 24 : i64
  %c23 = arith.constant 23 : i64
  %c32 = arith.constant 32 : i64
  pyk.for %i = %zero to %n step %one : i64 {
    // CHECK: call @use(%true)
    %0 = arith.cmpi sgt, %n, %zero : i64
    func.call @use(%0) : (i1) -> ()
    // CHECK: call @use(%false)
    %1 = arith.addi %i, %one : i64
    %2 = arith.cmpi slt, %1, %zero : i64
    func.call @use(%2) : (i1) -> ()
    pyk.if %c {
      pyk.break
    }
    pyk.continue
  }
  scf.for %i = %zero to %c32 step %c8 : i64 {
    // CHECK: call @use(%true)
    %0 = arith.cmpi sle, %i, %c24 : i64
    func.call @use(%0) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %1 = arith.cmpi sle, %i, %c23 : i64
    func.call @use(%1) : (i1) -> ()
  }
  // From where a loop begins follows where it ends, if that is one number.
  %first = pyk.thread_id x : i32
  %start = arith.extui %first : i32 to i64
  scf.for %i = %start to %c32 step %c8 : i64 {
    // CHECK: call @use(%{{[0-9]+}})
    %0 = arith.cmpi sle, %i, %c24 : i64
    func.call @use(%0) : (i1) -> ()
  }
  // A loop that compares unsigned numbers counts through negative ones.
  scf.for unsigned %i = %zero to %n step %one : i64 {
    // CHECK: call @use(%{{[0-9]+}})
    %0 = arith.cmpi slt, %i, %zero : i64
    func.call @use(%0) : (i1) -> ()
  }
  // No iteration or some: the result is what either gives.
  %sum = scf.for %i = %zero to %n step %one iter_args(%last = %c8) -> (i64)
      : i64 {
    scf.yield %i : i64
  }
  // CHECK: call @use(%false)
  %3 = arith.cmpi slt, %sum, %zero : i64
  func.call @use(%3) : (i1) -> ()
  // CHECK: call @use(%{{[0-9]+}})
  %4 = arith.cmpi eq, %sum, %c8 : i64
  func.call @use(%4) : (i1) -> ()
  pyk.return
}

// Inner loops carry on what outer ones do.
// CHECK-LABEL: pyk.func @nested(
pyk.func @nested(%n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c7 = arith.constant 7 : i64
  %0:2 = scf.for %i = %zero to %n step %one iter_args(%a = %one, %b = %one)
      -> (i64, i64) : i64 {
    %1:2 = scf.for %j = %zero to %n step %one iter_args(%c = %a, %d = %b)
        -> (i64, i64) : i64 {
      // CHECK: call @use(%false)
      %2 = arith.cmpi slt, %c, %zero : i64
      func.call @use(%2) : (i1) -> ()
      // CHECK: call @use(%{{[0-9]+}})
      %3 = arith.cmpi slt, %d, %zero : i64
      func.call @use(%3) : (i1) -> ()
      %4 = arith.andi %c, %c7 : i64
      scf.yield %4, %d : i64, i64
    }
    %5 = arith.addi %1#1, %one : i64
    scf.yield %1#0, %5 : i64, i64
  }
  pyk.return
}

// What comes to a value from another takes an iteration. Few iterations are followed: of
// the last in a long chain nothing is known, however long the chain is.
// CHECK-LABEL: pyk.func @chains(
pyk.func @chains(%n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c7 = arith.constant 7 : i64
  scf.for %i = %zero to %n step %one
      iter_args(%a = %zero, %b = %zero, %c = %zero)
      -> (i64, i64, i64) : i64 {
    // CHECK: call @use(%false)
    %0 = arith.cmpi slt, %c, %zero : i64
    func.call @use(%0) : (i1) -> ()
    %1 = arith.addi %a, %one : i64
    %2 = arith.andi %1, %c7 : i64
    scf.yield %2, %a, %b : i64, i64, i64
  }
  scf.for %i = %zero to %n step %one
      iter_args(%x0 = %zero, %x1 = %zero, %x2 = %zero, %x3 = %zero,
                %x4 = %zero, %x5 = %zero, %x6 = %zero, %x7 = %zero,
                %x8 = %zero, %x9 = %zero, %x10 = %zero, %x11 = %zero)
      -> (i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) : i64 {
    // CHECK: call @use(%{{[0-9]+}})
    %0 = arith.cmpi slt, %x11, %zero : i64
    func.call @use(%0) : (i1) -> ()
    %1 = arith.addi %x0, %one : i64
    %2 = arith.andi %1, %c7 : i64
    scf.yield %2, %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10
        : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64
  }
  pyk.return
}

// The way out of a scope is one of its returns.
// CHECK-LABEL: pyk.func @scope(
pyk.func @scope(%x: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = pyk.scope -> (i64) {
    %0 = arith.cmpi slt, %x, %zero : i64
    pyk.if %0 {
      pyk.return %one : i64
    }
    pyk.return %x : i64
  }
  // CHECK: call @use(%false)
  %1 = arith.cmpi slt, %r, %zero : i64
  func.call @use(%1) : (i1) -> ()
  // CHECK: call @use(%{{[0-9]+}})
  %2 = arith.cmpi eq, %r, %one : i64
  func.call @use(%2) : (i1) -> ()
  pyk.return
}
