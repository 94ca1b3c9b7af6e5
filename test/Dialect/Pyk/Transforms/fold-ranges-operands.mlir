// RUN: pyk-opt %s --pyk-fold-ranges --canonicalize | FileCheck %s

// What a result says of its operands, and the nearest case in which it says
// nothing. `use` gets a constant where the answer is known, and the comparison
// where it must not be.

func.func private @use(i1)

// What was subtracted is added to both ends.
// CHECK-LABEL: pyk.func @difference(
pyk.func @difference(%x: i64) {
  %c0 = arith.constant 0 : i64
  %c5 = arith.constant 5 : i64
  %c6 = arith.constant 6 : i64
  %c10 = arith.constant 10 : i64
  %c14 = arith.constant 14 : i64
  %c15 = arith.constant 15 : i64
  %c-100 = arith.constant -100 : i64
  %i = arith.maxsi %x, %c-100 : i64
  %rest = arith.subi %i, %c5 : i64
  %0 = arith.cmpi sge, %rest, %c0 : i64
  %1 = arith.cmpi slt, %rest, %c10 : i64
  %2 = arith.andi %0, %1 : i1
  scf.if %2 {
    // CHECK: call @use(%true)
    %3 = arith.cmpi sge, %i, %c5 : i64
    func.call @use(%3) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %4 = arith.cmpi sge, %i, %c6 : i64
    func.call @use(%4) : (i1) -> ()
    // CHECK: call @use(%true)
    %5 = arith.cmpi slt, %i, %c15 : i64
    func.call @use(%5) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %6 = arith.cmpi slt, %i, %c14 : i64
    func.call @use(%6) : (i1) -> ()
  }
  pyk.return
}

// The sign of an exclusive or says something of one operand if the sign of the
// other is known.
// CHECK-LABEL: pyk.func @signs(
pyk.func @signs(%x: i64, %y: i64, %z: i64) {
  %c0 = arith.constant 0 : i64
  %0 = arith.xori %x, %y : i64
  %1 = arith.cmpi slt, %0, %c0 : i64
  scf.if %1 {
    // CHECK: call @use(%{{[0-9]+}})
    %2 = arith.cmpi slt, %x, %c0 : i64
    func.call @use(%2) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %3 = arith.cmpi slt, %y, %c0 : i64
    func.call @use(%3) : (i1) -> ()
  }
  %4 = arith.cmpi slt, %z, %c0 : i64
  scf.if %4 {
    %5 = arith.xori %x, %z : i64
    %6 = arith.cmpi slt, %5, %c0 : i64
    scf.if %6 {
      // CHECK: call @use(%false)
      %7 = arith.cmpi slt, %x, %c0 : i64
      func.call @use(%7) : (i1) -> ()
    } else {
      // CHECK: call @use(%true)
      %7 = arith.cmpi slt, %x, %c0 : i64
      func.call @use(%7) : (i1) -> ()
    }
  }
  pyk.return
}

// A number is what 32 bits of it are if both of its ends fit.
// CHECK-LABEL: pyk.func @cut_numbers(
pyk.func @cut_numbers(%k: i64, %m: i64) {
  %c0 = arith.constant 0 : i64
  %c10 = arith.constant 10 : i32
  %c100 = arith.constant 100 : i64
  %most = arith.constant 2147483648 : i64
  %least = arith.constant -2147483648 : i64
  %0 = arith.cmpi sge, %k, %c0 : i64
  scf.if %0 {
    %1 = arith.trunci %k : i64 to i32
    %2 = arith.cmpi slt, %1, %c10 : i32
    scf.if %2 {
      // CHECK: call @use(%{{[0-9]+}})
      %3 = arith.cmpi slt, %k, %most : i64
      func.call @use(%3) : (i1) -> ()
    }
  }
  %4 = arith.cmpi slt, %m, %c100 : i64
  scf.if %4 {
    %5 = arith.trunci %m : i64 to i32
    %6 = arith.cmpi slt, %5, %c10 : i32
    scf.if %6 {
      // CHECK: call @use(%{{[0-9]+}})
      %7 = arith.cmpi sge, %m, %least : i64
      func.call @use(%7) : (i1) -> ()
    }
  }
  pyk.return
}

// Each end of a range, with and without a sign, goes if it is excluded.
// CHECK-LABEL: pyk.func @excluded_ends(
pyk.func @excluded_ends(%x: i32, %i: i32, %j: i32) {
  %c5 = arith.constant 5 : i32
  %c-5 = arith.constant -5 : i32
  %low = arith.maxsi %x, %c-5 : i32
  %both = arith.minsi %low, %c5 : i32
  %0 = arith.cmpi ne, %both, %c-5 : i32
  scf.if %0 {
    // CHECK: call @use(%true)
    %1 = arith.cmpi sgt, %both, %c-5 : i32
    func.call @use(%1) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %2 = arith.cmpi slt, %both, %c5 : i32
    func.call @use(%2) : (i1) -> ()
  }
  %3 = arith.cmpi ne, %both, %c5 : i32
  scf.if %3 {
    // CHECK: call @use(%true)
    %4 = arith.cmpi slt, %both, %c5 : i32
    func.call @use(%4) : (i1) -> ()
  }
  %5 = arith.cmpi uge, %i, %c5 : i32
  scf.if %5 {
    %6 = arith.cmpi ne, %i, %c5 : i32
    scf.if %6 {
      // CHECK: call @use(%true)
      %7 = arith.cmpi ugt, %i, %c5 : i32
      func.call @use(%7) : (i1) -> ()
    }
  }
  %8 = arith.cmpi ule, %j, %c-5 : i32
  scf.if %8 {
    // The constant stands first.
    %9 = arith.cmpi ne, %c-5, %j : i32
    scf.if %9 {
      // CHECK: call @use(%true)
      %10 = arith.cmpi ult, %j, %c-5 : i32
      func.call @use(%10) : (i1) -> ()
    }
  }
  pyk.return
}

// A condition from before its operand was known cannot hold behind.
// CHECK-LABEL: pyk.func @condition_that_cannot_hold(
pyk.func @condition_that_cannot_hold(%x: i64) {
  %c5 = arith.constant 5 : i64
  %c7 = arith.constant 7 : i64
  %c8 = arith.constant 8 : i64
  %0 = arith.cmpi ne, %x, %c5 : i64
  %1 = arith.cmpi eq, %x, %c5 : i64
  scf.if %1 {
    %2 = scf.if %0 -> (i64) {
      scf.yield %c7 : i64
    } else {
      scf.yield %c8 : i64
    }
    // CHECK: call @use(%true)
    %3 = arith.cmpi eq, %2, %c8 : i64
    func.call @use(%3) : (i1) -> ()
  }
  pyk.return
}

// Only with `true` an exclusive or is a negation.
// CHECK-LABEL: pyk.func @exclusive_or_of_conditions(
pyk.func @exclusive_or_of_conditions(%i: i64, %c: i1) {
  %c0 = arith.constant 0 : i64
  %0 = arith.cmpi slt, %i, %c0 : i64
  %1 = arith.xori %0, %c : i1
  scf.if %1 {
    // CHECK: call @use(%{{[0-9]+}})
    %2 = arith.cmpi slt, %i, %c0 : i64
    func.call @use(%2) : (i1) -> ()
  }
  pyk.return
}

// A range that launches promise ends in front of its upper end.
// CHECK-LABEL: pyk.func @promised(
pyk.func @promised(%n: i64 {llvm.range = #llvm.constant_range<i64, 3, 8>},
                   %m: i64 {pyk.facts = #pyk.facts<small>})
    attributes {kernel} {
  %c3 = arith.constant 3 : i64
  %c7 = arith.constant 7 : i64
  %c8 = arith.constant 8 : i64
  %last = arith.constant 2147483647 : i64
  // CHECK: call @use(%true)
  %0 = arith.cmpi slt, %n, %c8 : i64
  func.call @use(%0) : (i1) -> ()
  // CHECK: call @use(%{{[0-9]+}})
  %1 = arith.cmpi slt, %n, %c7 : i64
  func.call @use(%1) : (i1) -> ()
  // CHECK: call @use(%true)
  %2 = arith.cmpi sge, %n, %c3 : i64
  func.call @use(%2) : (i1) -> ()
  // CHECK: call @use(%{{[0-9]+}})
  %3 = arith.cmpi sgt, %n, %c3 : i64
  func.call @use(%3) : (i1) -> ()
  // CHECK: call @use(%true)
  %4 = arith.cmpi sle, %m, %last : i64
  func.call @use(%4) : (i1) -> ()
  // CHECK: call @use(%{{[0-9]+}})
  %5 = arith.cmpi slt, %m, %last : i64
  func.call @use(%5) : (i1) -> ()
  pyk.return
}
