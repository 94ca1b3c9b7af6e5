// RUN: pyk-opt %s --pyk-mark-spins | FileCheck %s

!message = !pyk.record<"flag" : i32 at 0, "count" : i32 at 4, size 8>

// One field is waited for while another is written: they are not the same.
// CHECK-LABEL: pyk.func @another_field(
pyk.func @another_field(%a: !pyk.array<?x!message, c>, %i: i64) {
  %zero = arith.constant 0 : i32
  // CHECK: pyk.load volatile
  // CHECK: pyk.spin_hint
  scf.while : () -> () {
    %r = pyk.view %a[%i] : !pyk.array<?x!message, c> to !pyk.array<!message, c>
    %f = pyk.field %r "flag" : !pyk.array<!message, c> to !pyk.array<i32, c>
    %flag = pyk.load %f[] : !pyk.array<i32, c>
    %unset = arith.cmpi eq, %flag, %zero : i32
    scf.condition(%unset)
  } do {
    %r = pyk.view %a[%i] : !pyk.array<?x!message, c> to !pyk.array<!message, c>
    %f = pyk.field %r "count" : !pyk.array<!message, c> to !pyk.array<i32, c>
    pyk.store %zero, %f[] : !pyk.array<i32, c>
    scf.yield
  }
  pyk.return
}

// A loop that changes the field itself waits for nobody.
// CHECK-LABEL: pyk.func @own_field(
pyk.func @own_field(%a: !pyk.array<?x!message, c>, %i: i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // CHECK-NOT: volatile
  scf.while : () -> () {
    %r = pyk.view %a[%i] : !pyk.array<?x!message, c> to !pyk.array<!message, c>
    %f = pyk.field %r "flag" : !pyk.array<!message, c> to !pyk.array<i32, c>
    %flag = pyk.load %f[] : !pyk.array<i32, c>
    %unset = arith.cmpi sgt, %flag, %zero : i32
    scf.condition(%unset)
  } do {
    %r = pyk.view %a[%i] : !pyk.array<?x!message, c> to !pyk.array<!message, c>
    %f = pyk.field %r "flag" : !pyk.array<!message, c> to !pyk.array<i32, c>
    %flag = pyk.load %f[] : !pyk.array<i32, c>
    %less = arith.subi %flag, %one : i32
    pyk.store %less, %f[] : !pyk.array<i32, c>
    scf.yield
  }
  pyk.return
}

// What is waited for may be looked at in a copy.
// CHECK-LABEL: pyk.func @copied(
pyk.func @copied(%a: !pyk.array<!message, c>, %b: !pyk.array<!message, c>) {
  %zero = arith.constant 0 : i32
  %own = pyk.alloc : !pyk.array<!message, c, local>
  // CHECK: pyk.copy_record %
  pyk.copy_record %b to %a : !pyk.array<!message, c>, !pyk.array<!message, c>
  // CHECK: pyk.copy_record volatile
  // CHECK: pyk.load %
  // CHECK: pyk.spin_hint
  scf.while : () -> () {
    pyk.copy_record %a to %own : !pyk.array<!message, c>, !pyk.array<!message, c, local>
    %f = pyk.field %own "flag" : !pyk.array<!message, c, local> to !pyk.array<i32, c, local>
    %flag = pyk.load %f[] : !pyk.array<i32, c, local>
    %unset = arith.cmpi eq, %flag, %zero : i32
    scf.condition(%unset)
  } do {
    scf.yield
  }
  pyk.return
}
