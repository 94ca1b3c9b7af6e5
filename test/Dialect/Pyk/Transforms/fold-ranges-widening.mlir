// RUN: pyk-opt %s --pyk-fold-ranges --canonicalize | FileCheck %s

// What moves from iteration to iteration is taken to move on, but no further
// than its condition lets it: to the numbers around 0.

func.func private @use(i1)

// `while s > 1: s >>= 1` ends with 1.
// CHECK-LABEL: pyk.func @down_to_one(
pyk.func @down_to_one() {
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %end = scf.while (%s = %c128) : (i64) -> i64 {
    // CHECK: call @use(%false)
    %0 = arith.cmpi slt, %s, %c1 : i64
    func.call @use(%0) : (i1) -> ()
    %1 = arith.cmpi sgt, %s, %c1 : i64
    scf.condition(%1) %s : i64
  } do {
  ^bb0(%s: i64):
    %0 = arith.shrsi %s, %c1 : i64
    scf.yield %0 : i64
  }
  // CHECK: call @use(%true)
  %2 = arith.cmpi eq, %end, %c1 : i64
  func.call @use(%2) : (i1) -> ()
  pyk.return
}

// `while s >= 0: s -= 1` ends with -1.
// CHECK-LABEL: pyk.func @down_to_minus_one(
pyk.func @down_to_minus_one() {
  %c-1 = arith.constant -1 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : i64
  %end = scf.while (%s = %c5) : (i64) -> i64 {
    // CHECK: call @use(%false)
    %0 = arith.cmpi slt, %s, %c-1 : i64
    func.call @use(%0) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %1 = arith.cmpi slt, %s, %c0 : i64
    func.call @use(%1) : (i1) -> ()
    %2 = arith.cmpi sge, %s, %c0 : i64
    scf.condition(%2) %s : i64
  } do {
  ^bb0(%s: i64):
    // CHECK: call @use(%true)
    %0 = arith.cmpi sle, %s, %c5 : i64
    func.call @use(%0) : (i1) -> ()
    %1 = arith.subi %s, %c1 : i64
    scf.yield %1 : i64
  }
  // CHECK: call @use(%true)
  %3 = arith.cmpi eq, %end, %c-1 : i64
  func.call @use(%3) : (i1) -> ()
  pyk.return
}

// A negative number that is halved stays below 0.
// CHECK-LABEL: pyk.func @up_to_minus_one(
pyk.func @up_to_minus_one() {
  %c-1 = arith.constant -1 : i64
  %c1 = arith.constant 1 : i64
  %c-128 = arith.constant -128 : i64
  %end = scf.while (%s = %c-128) : (i64) -> i64 {
    // CHECK: call @use(%false)
    %0 = arith.cmpi sgt, %s, %c-1 : i64
    func.call @use(%0) : (i1) -> ()
    %1 = arith.cmpi slt, %s, %c-1 : i64
    scf.condition(%1) %s : i64
  } do {
  ^bb0(%s: i64):
    %0 = arith.shrsi %s, %c1 : i64
    scf.yield %0 : i64
  }
  // CHECK: call @use(%true)
  %2 = arith.cmpi eq, %end, %c-1 : i64
  func.call @use(%2) : (i1) -> ()
  pyk.return
}

// `while s < 0: s += 1` ends with 0.
// CHECK-LABEL: pyk.func @up_to_zero(
pyk.func @up_to_zero() {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c-5 = arith.constant -5 : i64
  %end = scf.while (%s = %c-5) : (i64) -> i64 {
    // CHECK: call @use(%false)
    %0 = arith.cmpi sgt, %s, %c0 : i64
    func.call @use(%0) : (i1) -> ()
    // CHECK: call @use(%{{[0-9]+}})
    %1 = arith.cmpi sge, %s, %c0 : i64
    func.call @use(%1) : (i1) -> ()
    %2 = arith.cmpi slt, %s, %c0 : i64
    scf.condition(%2) %s : i64
  } do {
  ^bb0(%s: i64):
    %0 = arith.addi %s, %c1 : i64
    scf.yield %0 : i64
  }
  // CHECK: call @use(%true)
  %3 = arith.cmpi eq, %end, %c0 : i64
  func.call @use(%3) : (i1) -> ()
  pyk.return
}
