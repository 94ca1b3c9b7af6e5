// RUN: pyk-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: pyk.func @checks(
pyk.func @checks(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK-NOT: pyk.check %true
  pyk.check %true
  // CHECK: pyk.check %false
  pyk.check %false
  // What may not hold stays.
  // CHECK: pyk.check %arg0
  pyk.check %c
  pyk.return
}
