// RUN: pyk-opt %s --pyk-fold-ranges --canonicalize | FileCheck %s

// What conditions say of ranges. Each function asks what its name says; `use`
// gets a constant where the answer is known, and the comparison where it must
// not be.

func.func private @use(i1)

// CHECK-LABEL: pyk.func @then_and_else(
pyk.func @then_and_else(%i: i32) {
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %less = arith.cmpi slt, %i, %c5 : i32
  scf.if %less {
    // CHECK: call @use(%{{[0-9]+}})
    %c4 = arith.constant 4 : i32
    %0 = arith.cmpi eq, %i, %c4 : i32
    func.call @use(%0) : (i1) -> ()
    // CHECK: call @use(%true)
    %1 = arith.cmpi sle, %i, %c4 : i32
    func.call @use(%1) : (i1) -> ()
  } else {
    // CHECK: call @use(%true)
    %0 = arith.cmpi sge, %i, %c5 : i32
    func.call @use(%0) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %1 = arith.cmpi sge, %i, %c6 : i32
    func.call @use(%1) : (i1) -> ()
  }
  // Behind the condition it holds no more.
  // CHECK: call @use(%{{[0-9]+}})
  %2 = arith.cmpi sgt, %i, %c5 : i32
  func.call @use(%2) : (i1) -> ()
  pyk.return
}

// Less than anything is less than the greatest of all: the sum with 1 does not
// wrap. With "less or equal" it may.
// CHECK-LABEL: pyk.func @next_below_unknown(
pyk.func @next_below_unknown(%i: i32, %n: i32, %k: i64, %m: i64) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %wide_one = arith.constant 1 : i64
  %wide_zero = arith.constant 0 : i64
  %0 = arith.cmpi sge, %i, %zero : i32
  pyk.if %0 {
    %1 = arith.cmpi slt, %i, %n : i32
    pyk.if %1 {
      // CHECK: call @use(%false)
      %2 = arith.addi %i, %one : i32
      %3 = arith.cmpi slt, %2, %zero : i32
      func.call @use(%3) : (i1) -> ()
      // CHECK: call @use(%true)
      %4 = arith.cmpi sgt, %n, %zero : i32
      func.call @use(%4) : (i1) -> ()
      pyk.yield
    }
    %5 = arith.cmpi sle, %i, %n : i32
    pyk.if %5 {
      // CHECK: call @use(%{{[0-9]+}})
      %6 = arith.addi %i, %one : i32
      %7 = arith.cmpi slt, %6, %zero : i32
      func.call @use(%7) : (i1) -> ()
      pyk.yield
    }
    pyk.yield
  }
  %8 = arith.cmpi sge, %k, %wide_zero : i64
  %9 = arith.cmpi sgt, %m, %k : i64
  %10 = arith.andi %8, %9 : i1
  pyk.if %10 {
    // CHECK: call @use(%false)
    %11 = arith.addi %k, %wide_one : i64
    %12 = arith.cmpi slt, %11, %wide_zero : i64
    func.call @use(%12) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %13 = arith.addi %11, %wide_one : i64
    %14 = arith.cmpi slt, %13, %wide_zero : i64
    func.call @use(%14) : (i1) -> ()
    pyk.yield
  }
  pyk.return
}

// Unsigned: below an extent a number is not negative, below any number it may
// be.
// CHECK-LABEL: pyk.func @unsigned(
pyk.func @unsigned(%a: !pyk.array<?xf32, c>, %i: i64, %n: i64) {
  %zero = arith.constant 0 : i64
  %extent = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  %0 = arith.cmpi ult, %i, %extent : i64
  scf.if %0 {
    // CHECK: call @use(%false)
    %1 = arith.cmpi slt, %i, %zero : i64
    func.call @use(%1) : (i1) -> ()
  }
  %2 = arith.cmpi ult, %i, %n : i64
  scf.if %2 {
    // CHECK: call @use(%{{[0-9]+}})
    %3 = arith.cmpi slt, %i, %zero : i64
    func.call @use(%3) : (i1) -> ()
    // CHECK: call @use(%false)
    %4 = arith.cmpi ule, %n, %zero : i64
    func.call @use(%4) : (i1) -> ()
  }
  pyk.return
}

// A thread that returned is not behind the condition.
// CHECK-LABEL: pyk.func @early_return(
pyk.func @early_return(%i: i64, %n: i64) {
  %zero = arith.constant 0 : i64
  %0 = arith.cmpi slt, %i, %zero : i64
  %1 = arith.cmpi sge, %i, %n : i64
  %2 = arith.ori %0, %1 : i1
  pyk.if %2 {
    pyk.return
  }
  // CHECK: call @use(%false)
  %3 = arith.cmpi slt, %i, %zero : i64
  func.call @use(%3) : (i1) -> ()
  // CHECK: call @use(%false)
  %4 = arith.cmpi eq, %n, %zero : i64
  func.call @use(%4) : (i1) -> ()
  pyk.return
}

// One that went on is not either where both may.
// CHECK-LABEL: pyk.func @no_early_return(
pyk.func @no_early_return(%i: i64, %again: i1) {
  %zero = arith.constant 0 : i64
  %0 = arith.cmpi slt, %i, %zero : i64
  pyk.if %0 {
    pyk.if %again {
      pyk.return
    }
    pyk.yield
  }
  // CHECK: call @use(%{{[0-9]+}})
  %1 = arith.cmpi slt, %i, %zero : i64
  func.call @use(%1) : (i1) -> ()
  pyk.return
}

// `and` of Python: the second comparison runs where the first is true.
// CHECK-LABEL: pyk.func @conjunction_by_arms(
pyk.func @conjunction_by_arms(%i: i64, %n: i64) {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %0 = arith.cmpi sgt, %i, %zero : i64
  %1 = scf.if %0 -> (i1) {
    %2 = arith.cmpi slt, %i, %n : i64
    scf.yield %2 : i1
  } else {
    scf.yield %false : i1
  }
  pyk.if %1 {
    // CHECK: call @use(%false)
    %3 = arith.cmpi slt, %i, %zero : i64
    func.call @use(%3) : (i1) -> ()
    pyk.yield
  } else {
    // CHECK: call @use(%{{[0-9]+}})
    %3 = arith.cmpi slt, %i, %zero : i64
    func.call @use(%3) : (i1) -> ()
    pyk.yield
  }
  pyk.return
}

// Six comparisons, as those of three coordinates: all are remembered.
// CHECK-LABEL: pyk.func @long_conjunction(
pyk.func @long_conjunction(%x: i64, %y: i64, %z: i64, %n: i64) {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = arith.cmpi sgt, %x, %zero : i64
  %1 = scf.if %0 -> (i1) {
    %m = arith.subi %n, %one : i64
    %2 = arith.cmpi slt, %x, %m : i64
    scf.yield %2 : i1
  } else {
    scf.yield %false : i1
  }
  %3 = scf.if %1 -> (i1) {
    %4 = arith.cmpi sgt, %y, %zero : i64
    %5 = scf.if %4 -> (i1) {
      %m = arith.subi %n, %one : i64
      %6 = arith.cmpi slt, %y, %m : i64
      scf.yield %6 : i1
    } else {
      scf.yield %false : i1
    }
    %7 = scf.if %5 -> (i1) {
      %8 = arith.cmpi sgt, %z, %zero : i64
      %9 = scf.if %8 -> (i1) {
        %m = arith.subi %n, %one : i64
        %10 = arith.cmpi slt, %z, %m : i64
        scf.yield %10 : i1
      } else {
        scf.yield %false : i1
      }
      scf.yield %9 : i1
    } else {
      scf.yield %false : i1
    }
    scf.yield %7 : i1
  } else {
    scf.yield %false : i1
  }
  scf.if %3 {
    // CHECK: call @use(%false)
    %4 = arith.cmpi sle, %x, %zero : i64
    func.call @use(%4) : (i1) -> ()
    // CHECK: call @use(%false)
    %5 = arith.cmpi sle, %y, %zero : i64
    func.call @use(%5) : (i1) -> ()
    // CHECK: call @use(%false)
    %6 = arith.cmpi sle, %z, %zero : i64
    func.call @use(%6) : (i1) -> ()
  }
  pyk.return
}

// Of an `or` only what both sides say.
// CHECK-LABEL: pyk.func @disjunction(
pyk.func @disjunction(%i: i64, %k: i64) {
  %zero = arith.constant 0 : i64
  %c7 = arith.constant 7 : i64
  %c9 = arith.constant 9 : i64
  %0 = arith.cmpi eq, %i, %c7 : i64
  %1 = arith.cmpi eq, %i, %c9 : i64
  %2 = arith.cmpi eq, %k, %c9 : i64
  %3 = arith.ori %0, %1 : i1
  scf.if %3 {
    // CHECK: call @use(%true)
    %4 = arith.cmpi sgt, %i, %zero : i64
    func.call @use(%4) : (i1) -> ()
  }
  %5 = arith.ori %0, %2 : i1
  scf.if %5 {
    // CHECK: call @use(%{{[0-9]+}})
    %6 = arith.cmpi sgt, %i, %zero : i64
    func.call @use(%6) : (i1) -> ()
  }
  pyk.return
}

// CHECK-LABEL: pyk.func @negation_and_select(
pyk.func @negation_and_select(%i: i64, %k: i64) {
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %0 = arith.cmpi slt, %i, %zero : i64
  %1 = arith.cmpi slt, %k, %zero : i64
  %2 = arith.xori %0, %true : i1
  %3 = arith.select %2, %1, %false : i1
  scf.if %3 {
    // CHECK: call @use(%false)
    %4 = arith.cmpi slt, %i, %zero : i64
    func.call @use(%4) : (i1) -> ()
    // CHECK: call @use(%true)
    %5 = arith.cmpi slt, %k, %zero : i64
    func.call @use(%5) : (i1) -> ()
  }
  pyk.return
}

// Not equal to an end of its range is within it.
// CHECK-LABEL: pyk.func @not_equal(
pyk.func @not_equal(%a: !pyk.array<?xf32, c>, %i: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %extent = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  %0 = arith.cmpi ne, %extent, %zero : i64
  scf.if %0 {
    // CHECK: call @use(%false)
    %1 = arith.subi %extent, %one : i64
    %2 = arith.cmpi slt, %1, %zero : i64
    func.call @use(%2) : (i1) -> ()
  }
  %3 = arith.cmpi ne, %i, %zero : i64
  scf.if %3 {
    // CHECK: call @use(%{{[0-9]+}})
    %4 = arith.cmpi sgt, %i, %zero : i64
    func.call @use(%4) : (i1) -> ()
  }
  pyk.return
}

// A condition speaks of what its operands were made from.
// CHECK-LABEL: pyk.func @conversions(
pyk.func @conversions(%i: i32, %j: i32, %k: i64, %n: i64) {
  %zero = arith.constant 0 : i32
  %wide_zero = arith.constant 0 : i64
  %c300 = arith.constant 300 : i64
  %c10 = arith.constant 10 : i32
  %0 = arith.extsi %i : i32 to i64
  %1 = arith.cmpi sgt, %0, %wide_zero : i64
  scf.if %1 {
    // CHECK: call @use(%false)
    %2 = arith.cmpi slt, %i, %zero : i32
    func.call @use(%2) : (i1) -> ()
  }
  %3 = arith.extui %j : i32 to i64
  %4 = arith.cmpi slt, %3, %c300 : i64
  scf.if %4 {
    // CHECK: call @use(%false)
    %5 = arith.cmpi slt, %j, %zero : i32
    func.call @use(%5) : (i1) -> ()
  }
  // What is cut off may be anything.
  %6 = arith.trunci %k : i64 to i32
  %7 = arith.cmpi sgt, %6, %zero : i32
  scf.if %7 {
    // CHECK: call @use(%{{[0-9]+}})
    %8 = arith.cmpi slt, %k, %wide_zero : i64
    func.call @use(%8) : (i1) -> ()
  }
  %9 = arith.cmpi sge, %n, %wide_zero : i64
  %10 = arith.cmpi slt, %n, %c300 : i64
  %11 = arith.andi %9, %10 : i1
  scf.if %11 {
    %12 = arith.trunci %n : i64 to i32
    %13 = arith.cmpi slt, %12, %c10 : i32
    scf.if %13 {
      // CHECK: call @use(%true)
      %ten = arith.constant 10 : i64
      %14 = arith.cmpi slt, %n, %ten : i64
      func.call @use(%14) : (i1) -> ()
    }
  }
  pyk.return
}

// A sum that may wrap says nothing of its summand.
// CHECK-LABEL: pyk.func @sums(
pyk.func @sums(%i: i32, %j: i32) {
  %one = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  %0 = arith.addi %i, %one : i32
  %1 = arith.cmpi slt, %0, %c100 : i32
  scf.if %1 {
    // CHECK: call @use(%{{[0-9]+}})
    %2 = arith.cmpi slt, %i, %c100 : i32
    func.call @use(%2) : (i1) -> ()
  }
  %3 = arith.cmpi slt, %j, %c100 : i32
  scf.if %3 {
    %c50 = arith.constant 50 : i32
    %4 = arith.addi %j, %one : i32
    %5 = arith.cmpi sgt, %4, %c50 : i32
    scf.if %5 {
      // CHECK: call @use(%true)
      // CHECK: call @use(%{{[0-9]+}})
      %c51 = arith.constant 51 : i32
      %6 = arith.cmpi sge, %j, %c50 : i32
      %7 = arith.cmpi sge, %j, %c51 : i32
      func.call @use(%6) : (i1) -> ()
      func.call @use(%7) : (i1) -> ()
    }
  }
  pyk.return
}

// A sum that was computed before anything was known of what it is a sum of: what
// it is above or below says nothing where the difference leaves the type.
// CHECK-LABEL: pyk.func @sum_before_its_summand(
pyk.func @sum_before_its_summand(%i: i32) {
  %c5 = arith.constant 5 : i32
  %c50 = arith.constant 50 : i32
  %c100 = arith.constant 100 : i32
  %sum = arith.addi %i, %c5 : i32
  %0 = arith.cmpi sle, %i, %c100 : i32
  scf.if %0 {
    %1 = arith.cmpi slt, %sum, %c50 : i32
    // CHECK: call @use(%{{[0-9]+}})
    scf.if %1 {
      %2 = arith.cmpi slt, %i, %c5 : i32
      func.call @use(%2) : (i1) -> ()
    }
    // CHECK: call @use(%{{[0-9]+}})
    %3 = arith.cmpi sge, %sum, %c50 : i32
    func.call @use(%3) : (i1) -> ()
  }
  pyk.return
}
