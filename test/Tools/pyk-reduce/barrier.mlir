// Whatever has nothing to do with the barrier goes.
// RUN: pyk-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-barrier.sh' \
// RUN:   | FileCheck %s
// CHECK-NOT: pyk.func @other
// CHECK: pyk.func @k
// CHECK: pyk.barrier
pyk.func @other() {
  pyk.return
}
pyk.func @k(%a: !pyk.array<?xf32, c>) attributes {kernel} {
  pyk.barrier
  pyk.return
}
