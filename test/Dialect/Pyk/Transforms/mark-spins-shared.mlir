// RUN: pyk-opt %s --pyk-mark-spins --split-input-file | FileCheck %s

// Two views of the dynamic shared memory are the same bytes.
// CHECK-LABEL: pyk.func @dynamic_shared_memory(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
pyk.func @dynamic_shared_memory(%n: i64) attributes {kernel} {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %byte = arith.constant 1 : i8
  %bytes = pyk.dynamic_shared : !pyk.array<?xi8, c, shared>
  %words = pyk.dynamic_shared : !pyk.array<?xi32, c, shared>
  pyk.store %byte, %bytes[%n] : !pyk.array<?xi8, c, shared>
  scf.while (%i = %n) : (i64) -> i64 {
    %x = pyk.load %words[%i] : !pyk.array<?xi32, c, shared>
    %unset = arith.cmpi eq, %x, %zero : i32
    scf.condition(%unset) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.addi %i, %c1 : i64
    scf.yield %next : i64
  }
  pyk.return
}

// -----

// A barrier stands between all stores and the search, in each iteration anew.
// CHECK-LABEL: pyk.func @search_after_a_barrier_is_no_spin(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @search_after_a_barrier_is_no_spin(%n: i64, %t: i64) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %tile = pyk.alloc : !pyk.array<64xi32, c, shared>
  scf.for %k = %c0 to %n step %c1 : i64 {
    pyk.store %zero, %tile[%t] : !pyk.array<64xi32, c, shared>
    pyk.barrier
    scf.while (%i = %k) : (i64) -> i64 {
      %x = pyk.load %tile[%i] : !pyk.array<64xi32, c, shared>
      %unset = arith.cmpi eq, %x, %zero : i32
      scf.condition(%unset) %i : i64
    } do {
    ^bb0(%i: i64):
      %next = arith.addi %i, %c1 : i64
      scf.yield %next : i64
    }
    pyk.barrier
  }
  pyk.return
}

// -----

// The second barrier is missing: in the next iteration others write already.
// CHECK-LABEL: pyk.func @stores_of_the_next_iteration(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
pyk.func @stores_of_the_next_iteration(%n: i64, %t: i64) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %tile = pyk.alloc : !pyk.array<64xi32, c, shared>
  scf.for %k = %c0 to %n step %c1 : i64 {
    pyk.store %zero, %tile[%t] : !pyk.array<64xi32, c, shared>
    pyk.barrier
    scf.while (%i = %k) : (i64) -> i64 {
      %x = pyk.load %tile[%i] : !pyk.array<64xi32, c, shared>
      %unset = arith.cmpi eq, %x, %zero : i32
      scf.condition(%unset) %i : i64
    } do {
    ^bb0(%i: i64):
      %next = arith.addi %i, %c1 : i64
      scf.yield %next : i64
    }
  }
  pyk.return
}

// -----

// A barrier that only some threads come to may release others elsewhere.
// CHECK-LABEL: pyk.func @barrier_in_a_branch(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
pyk.func @barrier_in_a_branch(%n: i64, %t: i64, %some: i1) attributes {kernel} {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %tile = pyk.alloc : !pyk.array<64xi32, c, shared>
  scf.if %some {
    pyk.barrier
  }
  pyk.store %zero, %tile[%t] : !pyk.array<64xi32, c, shared>
  pyk.barrier
  scf.while (%i = %n) : (i64) -> i64 {
    %x = pyk.load %tile[%i] : !pyk.array<64xi32, c, shared>
    %unset = arith.cmpi eq, %x, %zero : i32
    scf.condition(%unset) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.addi %i, %c1 : i64
    scf.yield %next : i64
  }
  pyk.return
}

// -----

// The barrier lets others run, and behind it memory is read anew.
// CHECK-LABEL: pyk.func @wait_with_barriers(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @wait_with_barriers(%t: i64, %n: i64) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %go_on = pyk.alloc : !pyk.array<1xi64, c, shared>
  scf.while (%i = %c0) : (i64) -> i64 {
    pyk.barrier
    %x = pyk.load %go_on[%c0] : !pyk.array<1xi64, c, shared>
    %some = arith.cmpi slt, %x, %i : i64
    scf.condition(%some) %i : i64
  } do {
  ^bb0(%i: i64):
    %late = arith.cmpi sgt, %i, %t : i64
    scf.if %late {
      pyk.store %i, %go_on[%c0] : !pyk.array<1xi64, c, shared>
    }
    %next = arith.addi %i, %c1 : i64
    scf.yield %next : i64
  }
  pyk.return
}

// -----

// What decides goes through memory of the thread.
// CHECK-LABEL: pyk.func @wait_through_local_memory(
// CHECK: pyk.load volatile %{{.*}} : !pyk.array<?xi32, c>
// CHECK-NOT: volatile
// CHECK: pyk.return
pyk.func @wait_through_local_memory(%flag: !pyk.array<?xi32, c>) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %state = pyk.alloc : !pyk.array<1xi32, c, local>
  pyk.store %zero, %state[%c0] : !pyk.array<1xi32, c, local>
  scf.while : () -> () {
    %f = pyk.load %flag[%c0] : !pyk.array<?xi32, c>
    pyk.store %f, %state[%c0] : !pyk.array<1xi32, c, local>
    %x = pyk.load %state[%c0] : !pyk.array<1xi32, c, local>
    %unset = arith.cmpi eq, %x, %zero : i32
    scf.condition(%unset)
  } do {
    scf.yield
  }
  pyk.store %zero, %flag[%c0] : !pyk.array<?xi32, c>
  pyk.return
}

// -----

// The whole grid goes on together.
// CHECK-LABEL: pyk.func @wait_with_barriers_of_the_grid(
// CHECK-NOT: volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @wait_with_barriers_of_the_grid(
    %n: i64, %a: !pyk.array<?xi64, c>) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.while (%i = %c0) : (i64) -> i64 {
    pyk.grid_barrier
    %x = pyk.load %a[%i] : !pyk.array<?xi64, c>
    %some = arith.cmpi slt, %x, %n : i64
    scf.condition(%some) %i : i64
  } do {
  ^bb0(%i: i64):
    %0 = pyk.atomic max %n, %a[%c0] : !pyk.array<?xi64, c>
    %next = arith.addi %i, %c1 : i64
    scf.yield %next : i64
  }
  pyk.return
}

// -----

// What is shared comes from another block.
// CHECK-LABEL: pyk.func @wait_by_way_of_shared_memory(
// CHECK: pyk.load volatile %{{.*}} : !pyk.array<1xi64, c, shared>
pyk.func @wait_by_way_of_shared_memory(
    %t: i64, %flags: !pyk.array<?xi64, c>) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %go_on = pyk.alloc : !pyk.array<1xi64, c, shared>
  scf.while : () -> () {
    %first = arith.cmpi eq, %t, %c0 : i64
    scf.if %first {
      %flag = pyk.atomic add %c0, %flags[%c0] : !pyk.array<?xi64, c>
      pyk.store %flag, %go_on[%c0] : !pyk.array<1xi64, c, shared>
    }
    pyk.barrier
    %x = pyk.load %go_on[%c0] : !pyk.array<1xi64, c, shared>
    %none = arith.cmpi eq, %x, %c0 : i64
    scf.condition(%none)
  } do {
    pyk.barrier
    scf.yield
  }
  pyk.return
}

// -----

// Nothing but memory that the kernel never writes ends it: the host may.
// CHECK-LABEL: pyk.func @wait_for_the_host_by_barriers_of_the_grid(
// CHECK: pyk.load volatile
// CHECK: pyk.spin_hint
pyk.func @wait_for_the_host_by_barriers_of_the_grid(
    %a: !pyk.array<?xi64, c>) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  scf.while : () -> () {
    pyk.grid_barrier
    %x = pyk.load %a[%c0] : !pyk.array<?xi64, c>
    %none = arith.cmpi eq, %x, %c0 : i64
    scf.condition(%none)
  } do {
    scf.yield
  }
  pyk.return
}

// -----

// A barrier lets the own block run alone, and another block sets the flag.
// CHECK-LABEL: pyk.func @wait_for_another_block_by_barriers(
// CHECK: pyk.load volatile
// CHECK: } do {
// CHECK-NEXT: pyk.spin_hint
// CHECK-NEXT: pyk.barrier
pyk.func @wait_for_another_block_by_barriers(%flag: !pyk.array<?xi32, c>)
    attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  scf.while : () -> () {
    %f = pyk.load %flag[%c0] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %f, %zero : i32
    scf.condition(%unset)
  } do {
    pyk.barrier
    scf.yield
  }
  pyk.return
}

// -----

// Where an iteration also counts, the barrier lets others run, as far as needed.
// CHECK-LABEL: pyk.func @count_and_wait_by_barriers(
// CHECK: pyk.load volatile
// CHECK-NOT: pyk.spin_hint
// CHECK: pyk.return
pyk.func @count_and_wait_by_barriers(%flags: !pyk.array<?xi32, c>, %n: i64)
    attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  pyk.store %zero, %flags[%n] : !pyk.array<?xi32, c>
  scf.while (%i = %c0) : (i64) -> i64 {
    %f = pyk.load %flags[%i] : !pyk.array<?xi32, c>
    %unset = arith.cmpi eq, %f, %zero : i32
    scf.condition(%unset) %i : i64
  } do {
  ^bb0(%i: i64):
    pyk.barrier
    %next = arith.addi %i, %c1 : i64
    scf.yield %next : i64
  }
  pyk.return
}
