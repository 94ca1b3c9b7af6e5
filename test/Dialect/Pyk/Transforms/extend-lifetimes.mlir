// RUN: pyk-opt %s --pyk-extend-lifetimes --split-input-file | FileCheck %s

// What leaves a function is memory of its callers.
// CHECK-LABEL: pyk.func @fresh(
// CHECK-SAME: %{{.*}}: i64, %[[MEMORY:.*]]: !pyk.array<4xf32, c, local>) ->
// CHECK-NOT: pyk.alloc
// CHECK: %[[VIEW:.*]] = pyk.view %[[MEMORY]]
// CHECK: pyk.return %[[VIEW]]
pyk.func @fresh(%n: i64) -> !pyk.array<?xf32, c, local> {
  %zero = arith.constant 0 : i64
  %a = pyk.alloc : !pyk.array<4xf32, c, local>
  %part = pyk.view %a[%zero : %n] : !pyk.array<4xf32, c, local> to !pyk.array<?xf32, c, local>
  pyk.return %part : !pyk.array<?xf32, c, local>
}

// It passes on.
// CHECK-LABEL: pyk.func @passes_it_on(
// CHECK-SAME: %[[N:.*]]: i64, %[[MEMORY:.*]]: !pyk.array<4xf32, c, local>) ->
// CHECK-NOT: pyk.alloc
// CHECK: pyk.call @fresh(%[[N]], %[[MEMORY]])
pyk.func @passes_it_on(%n: i64) -> !pyk.array<?xf32, c, local> {
  %a = pyk.call @fresh(%n) : (i64) -> !pyk.array<?xf32, c, local>
  pyk.return %a : !pyk.array<?xf32, c, local>
}

// Each call has its own.
// CHECK-LABEL: pyk.func @kernel(
// CHECK: %[[FIRST:.*]] = pyk.alloc
// CHECK: pyk.call @passes_it_on(%{{.*}}, %[[FIRST]])
// CHECK: %[[SECOND:.*]] = pyk.alloc
// CHECK: pyk.call @passes_it_on(%{{.*}}, %[[SECOND]])
pyk.func @kernel(%n: i64) attributes {kernel} {
  %a = pyk.call @passes_it_on(%n) : (i64) -> !pyk.array<?xf32, c, local>
  %b = pyk.call @passes_it_on(%n) : (i64) -> !pyk.array<?xf32, c, local>
  pyk.return
}

// -----

// What stays, and what was given, moves nothing. A shared array is the block's.
// CHECK-LABEL: pyk.func @stays(
// CHECK-SAME: %{{.*}}: !pyk.array<4xf32, c, local>, %{{.*}}: i1) ->
// CHECK: pyk.alloc : !pyk.array<4xf32, c, shared>
// CHECK: pyk.alloc : !pyk.array<8xf32, c, local>
pyk.func @stays(%given: !pyk.array<4xf32, c, local>, %c: i1)
    -> (!pyk.array<4xf32, c, local>, !pyk.array<4xf32, c, shared>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1.0 : f32
  %shared = pyk.alloc : !pyk.array<4xf32, c, shared>
  %own = pyk.alloc : !pyk.array<8xf32, c, local>
  pyk.store %one, %own[%zero] : !pyk.array<8xf32, c, local>
  %result = arith.select %c, %given, %given : !pyk.array<4xf32, c, local>
  pyk.return %result, %shared : !pyk.array<4xf32, c, local>, !pyk.array<4xf32, c, shared>
}

// -----

// A return within a loop is a way out, too, and a condition leads to it.
// CHECK-LABEL: pyk.func @from_a_loop(
// CHECK-SAME: %[[MEMORY:.*]]: !pyk.array<2xf32, c, local>)
// CHECK-NOT: pyk.alloc
pyk.func @from_a_loop(%given: !pyk.array<2xf32, c, local>, %c: i1)
    -> !pyk.array<2xf32, c, local> {
  pyk.loop {
    %a = pyk.alloc : !pyk.array<2xf32, c, local>
    %some = scf.if %c -> !pyk.array<2xf32, c, local> {
      scf.yield %a : !pyk.array<2xf32, c, local>
    } else {
      scf.yield %given : !pyk.array<2xf32, c, local>
    }
    pyk.if %c {
      pyk.return %some : !pyk.array<2xf32, c, local>
    } else {
      pyk.yield
    }
    pyk.continue
  }
  pyk.return %given : !pyk.array<2xf32, c, local>
}

// -----

// A recursive function may return an array of its own: the frame of each call is
// that of the next one's array.
// CHECK-LABEL: pyk.func @levels(
// CHECK-SAME: %{{.*}}: i1, %[[MEMORY:.*]]: !pyk.array<2xf32, c, local>)
// CHECK: %[[BELOW:.*]] = pyk.alloc
// CHECK: pyk.call @levels(%{{.*}}, %[[BELOW]])
// CHECK: pyk.return %[[MEMORY]]
pyk.func @levels(%c: i1) -> !pyk.array<2xf32, c, local> {
  %zero = arith.constant 0 : i64
  %a = pyk.alloc : !pyk.array<2xf32, c, local>
  %b = pyk.call @levels(%c) : (i1) -> !pyk.array<2xf32, c, local>
  %x = pyk.load %b[%zero] : !pyk.array<2xf32, c, local>
  pyk.store %x, %a[%zero] : !pyk.array<2xf32, c, local>
  pyk.return %a : !pyk.array<2xf32, c, local>
}

// -----

// The last iteration's array is read after this iteration's is made: two slots, of which
// the first is taken unless the last iteration's lies there.
// CHECK-LABEL: pyk.func @two_iterations(
// CHECK: %[[SLOTS:.*]] = pyk.alloc : !pyk.array<2x4xf32, c, local>
// CHECK: scf.for {{.*}} iter_args(%[[LAST:.*]] = %{{.*}})
// CHECK: %[[START:.*]] = pyk.address %[[SLOTS]]
// CHECK: %[[ADDRESS:.*]] = pyk.address %[[LAST]]
// CHECK: %[[DISTANCE:.*]] = arith.subi %[[ADDRESS]], %[[START]]
// CHECK: %[[SLOT:.*]] = arith.divui %[[DISTANCE]], %c16_i64
// CHECK: %[[TAKEN:.*]] = arith.cmpi eq, %[[SLOT]], %c0_i64
// CHECK: %[[FREE:.*]] = arith.select %[[TAKEN]], %c1_i64{{.*}}, %c0_i64
// CHECK: pyk.view %[[SLOTS]][%[[FREE]], *]
pyk.func @two_iterations(%n: i64) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %first = pyk.alloc : !pyk.array<4xf32, c, local>
  scf.for %i = %zero to %n step %one
      iter_args(%last = %first) -> !pyk.array<4xf32, c, local> : i64 {
    %a = pyk.alloc : !pyk.array<4xf32, c, local>
    %x = pyk.load %last[%zero] : !pyk.array<4xf32, c, local>
    pyk.store %x, %a[%zero] : !pyk.array<4xf32, c, local>
    scf.yield %a : !pyk.array<4xf32, c, local>
  }
  pyk.return
}

// -----

// The last iteration's array is read before this iteration's is made, or instead of it.
// CHECK-LABEL: pyk.func @one_at_a_time(
// CHECK: scf.for
// CHECK-NOT: pyk.address
// CHECK: pyk.alloc : !pyk.array<4xf32, c, local>
// CHECK-NOT: pyk.address
pyk.func @one_at_a_time(%n: i64, %c: i1) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %first = pyk.alloc : !pyk.array<4xf32, c, local>
  scf.for %i = %zero to %n step %one
      iter_args(%last = %first) -> !pyk.array<4xf32, c, local> : i64 {
    %x = pyk.load %last[%zero] : !pyk.array<4xf32, c, local>
    %next = scf.if %c -> !pyk.array<4xf32, c, local> {
      %a = pyk.alloc : !pyk.array<4xf32, c, local>
      scf.yield %a : !pyk.array<4xf32, c, local>
    } else {
      scf.yield %last : !pyk.array<4xf32, c, local>
    }
    pyk.store %x, %next[%zero] : !pyk.array<4xf32, c, local>
    scf.yield %next : !pyk.array<4xf32, c, local>
  }
  pyk.return
}

// -----

// Within an iteration of the outer loop the inner one overwrites what it reads. The
// array that no path gives has an address of its own.
// CHECK-LABEL: pyk.func @read_in_an_inner_loop(
// CHECK-NOT: ub.poison
// CHECK: pyk.alloc : !pyk.array<2x4xf32, c, local>
pyk.func @read_in_an_inner_loop(%n: i64) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %first = ub.poison : !pyk.array<4xf32, c, local>
  scf.for %i = %zero to %n step %one
      iter_args(%last = %first) -> !pyk.array<4xf32, c, local> : i64 {
    %kept = scf.for %j = %zero to %n step %one
        iter_args(%unused = %last) -> !pyk.array<4xf32, c, local> : i64 {
      %x = pyk.load %last[%zero] : !pyk.array<4xf32, c, local>
      %a = pyk.alloc : !pyk.array<4xf32, c, local>
      pyk.store %x, %a[%zero] : !pyk.array<4xf32, c, local>
      scf.yield %a : !pyk.array<4xf32, c, local>
    }
    scf.yield %kept : !pyk.array<4xf32, c, local>
  }
  pyk.return
}
