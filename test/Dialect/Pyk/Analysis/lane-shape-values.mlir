// RUN: pyk-opt %s --test-print-lane-shape --split-input-file | FileCheck %s

// Sums and products with what is the same for all keep strides; a sum that may
// wrap loses its stride in more bits.
// CHECK-LABEL: @strides
pyk.func @strides(%n: i32) attributes {kernel} {
  %c3 = arith.constant 3 : i32
  %x = pyk.thread_id x : i32
  %y = pyk.thread_id y : i32
  // CHECK: arith.muli{{.*}}-> x:3{{$}}
  %a = arith.muli %x, %c3 overflow<nsw, nuw> : i32
  // CHECK: arith.muli{{.*}}-> y:?{{$}}
  %b = arith.muli %n, %y : i32
  // CHECK: arith.subi{{.*}}-> x:3 y:?{{$}}
  %c = arith.subi %a, %b : i32
  // CHECK: arith.shli{{.*}}-> x:24{{$}}
  %d = arith.shli %a, %c3 overflow<nsw, nuw> : i32
  // CHECK: arith.extsi{{.*}}-> x:24{{$}}
  %e = arith.extsi %d : i32 to i64
  // CHECK: arith.extsi{{.*}}-> x:* y:*{{$}}
  %f = arith.extsi %c : i32 to i64
  // CHECK: arith.trunci{{.*}}-> x:24{{$}}
  %g = arith.trunci %e : i64 to i32
  // CHECK: arith.extui{{.*}}-> x:*{{$}}
  %h = arith.extui %g : i32 to i64
  %grid = pyk.grid x : i64
  // CHECK: arith.trunci{{.*}}-> x:1 block{{$}}
  %low = arith.trunci %grid : i64 to i32
  // CHECK: arith.extui{{.*}}-> x:* block{{$}}
  %high = arith.extui %low : i32 to i64
  // What is far from the ends of its type has room for a sum.
  // CHECK: arith.extui{{.*}}-> x:1{{$}}
  %roomy = arith.extui %x : i32 to i64
  %nine = arith.constant 9 : i64
  // CHECK: arith.addi{{.*}}-> x:1{{$}}
  %sum = arith.addi %roomy, %nine : i64
  // CHECK: arith.muli{{.*}}-> x:9{{$}}
  %product = arith.muli %sum, %nine : i64
  // CHECK: arith.extui{{.*}}-> x:9{{$}}
  %wider = arith.extui %product : i64 to i128
  // CHECK: arith.trunci{{.*}}-> x:1 block{{$}}
  %fits = arith.trunci %grid overflow<nsw, nuw> : i64 to i32
  // CHECK: arith.extui{{.*}}-> x:1 block{{$}}
  %same = arith.extui %fits : i32 to i64
  // CHECK: arith.extsi{{.*}}-> x:1{{$}}
  %wide = arith.extsi %x : i32 to i64
  // CHECK: arith.trunci{{.*}}-> x:1{{$}}
  %byte = arith.trunci %x : i32 to i8
  // CHECK: arith.extui{{.*}}-> x:*{{$}}
  %bytes = arith.extui %byte : i8 to i32
  // CHECK: arith.muli{{.*}}-> x:* y:*{{$}}
  %i = arith.muli %x, %y : i32
  // CHECK: arith.subi{{.*}}-> uniform{{$}}
  %j = arith.subi %a, %a : i32
  pyk.return
}

// -----

// Which of two values all threads take leaves a stride that is the same for all.
// CHECK-LABEL: @choices
pyk.func @choices(%flag: i1, %n: i32) attributes {kernel} {
  %x = pyk.thread_id x : i32
  %low = arith.cmpi slt, %x, %n : i32
  // CHECK: arith.select{{.*}}-> x:?{{$}}
  %a = arith.select %flag, %x, %n : i32
  // CHECK: arith.select{{.*}}-> x:*{{$}}
  %b = arith.select %low, %n, %n : i32
  // CHECK: scf.if{{.*}}-> x:?{{$}}
  %c = scf.if %flag -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %n : i32
  }
  // CHECK: scf.if{{.*}}-> uniform{{$}}
  %d = scf.if %low -> (i32) {
    scf.yield %n : i32
  } else {
    scf.yield %n : i32
  }
  pyk.return
}

// -----

// Bounds that move along: all threads take as many iterations.
// CHECK-LABEL: @moving_bounds
pyk.func @moving_bounds(%n: i32) attributes {kernel} {
  %c1 = arith.constant 1 : i32
  %x = pyk.thread_id x : i32
  %end = arith.addi %x, %n overflow<nsw, nuw> : i32
  // CHECK: scf.for
  // CHECK: arguments: x:1{{$}}
  scf.for %i = %x to %end step %c1 : i32 {
    // CHECK: pyk.barrier{{$}}
    pyk.barrier
  }
  // Unless one of them has wrapped.
  %last = arith.addi %x, %n : i32
  // CHECK: scf.for
  // CHECK: arguments: x:1{{$}}
  scf.for %i = %x to %last step %c1 : i32 {
    // CHECK: pyk.barrier | x:*{{$}}
    pyk.barrier
  }
  // CHECK: scf.for
  // CHECK: arguments: x:*{{$}}
  scf.for %i = %n to %end step %x : i32 {
    // CHECK: pyk.barrier | x:*{{$}}
    pyk.barrier
  }
  pyk.return
}

// -----

// Memory: who may see an element, and who may change it.
// CHECK-LABEL: @memory
pyk.func @memory(%a: !pyk.array<?xi32, c>, %r: !pyk.array<?xi32, c, readonly>) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  // CHECK: pyk.alloc{{.*}}-> uniform{{$}}
  %own = pyk.alloc : !pyk.array<4xi32, c, local>
  // CHECK: pyk.load{{.*}}-> x:* y:* z:* block{{$}}
  %p = pyk.load %own[%c0] : !pyk.array<4xi32, c, local>
  // CHECK: pyk.address{{.*}}-> x:* y:* z:* block{{$}}
  %q = pyk.address %own : !pyk.array<4xi32, c, local>
  // CHECK: pyk.address{{.*}}-> uniform{{$}}
  %u = pyk.address %a : !pyk.array<?xi32, c>
  // CHECK: pyk.load{{.*}}-> block{{$}}
  %v = pyk.load %a[%c0] : !pyk.array<?xi32, c>
  // CHECK: pyk.load{{.*}}-> uniform{{$}}
  %w = pyk.load %r[%c0] : !pyk.array<?xi32, c, readonly>
  // CHECK: pyk.load{{.*}}-> x:* y:* z:* block{{$}}
  %x = pyk.load volatile %a[%c0] : !pyk.array<?xi32, c>
  // CHECK: pyk.atomic{{.*}}-> x:* y:* z:* block{{$}}
  %y = pyk.atomic add %one, %a[%c0] : !pyk.array<?xi32, c>
  pyk.return
}

// -----

// What code of others calls, and what calls itself.
// CHECK-LABEL: @called_by_others
// CHECK: arguments: x:* y:* z:* block{{$}}
pyk.func @called_by_others(%n: i32) {
  // CHECK: pyk.barrier | x:* y:* z:* block{{$}}
  pyk.barrier
  pyk.return
}

// CHECK-LABEL: {{^}}@calls
pyk.func @calls(%n: i32) attributes {kernel} {
  %x = pyk.thread_id x : i32
  // CHECK: pyk.call{{.*}}-> uniform{{$}}
  %r = pyk.call @itself(%n) : (i32) -> i32
  // CHECK: pyk.call{{.*}}-> x:?{{$}}
  %s = pyk.call @twice(%x) : (i32) -> i32
  %t = pyk.call @twice(%n) : (i32) -> i32
  pyk.return
}
// CHECK-LABEL: {{^}}@itself
// CHECK: arguments: uniform{{$}}
pyk.func @itself(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %done = arith.cmpi eq, %n, %c0 : i32
  pyk.if %done {
    pyk.return %c0 : i32
  } else {
    pyk.yield
  }
  %c1 = arith.constant 1 : i32
  %less = arith.subi %n, %c1 : i32
  %r = pyk.call @itself(%less) : (i32) -> i32
  pyk.return %r : i32
}
// CHECK-LABEL: {{^}}@twice
// CHECK: arguments: x:?{{$}}
pyk.func @twice(%n: i32) -> i32 {
  %r = arith.addi %n, %n : i32
  pyk.return %r : i32
}

// -----

// What the gpu dialect says, and what nothing is known of.
gpu.module @pyk {
  // CHECK-LABEL: @places
  gpu.func @places() kernel {
    // CHECK: gpu.subgroup_id{{.*}}-> x:* y:* z:* warp block{{$}}
    %warp = gpu.subgroup_id : index
    // CHECK: arith.addi{{.*}}-> x:* y:* z:* warp block{{$}}
    %next = arith.addi %warp, %warp : index
    // CHECK: gpu.lane_id{{.*}}-> x:* y:* z:* block{{$}}
    %lane = gpu.lane_id
    // CHECK: gpu.global_id{{.*}}-> z:1 block{{$}}
    %global = gpu.global_id z
    // CHECK: gpu.grid_dim{{.*}}-> uniform{{$}}
    %blocks = gpu.grid_dim y
    // CHECK: gpu.num_subgroups{{.*}}-> x:* y:* z:* block{{$}}
    %warps = gpu.num_subgroups : index
    // CHECK: scf.index_switch
    // CHECK: default{{.*}}-> x:* y:* z:* block{{$}}
    %chosen = scf.index_switch %blocks -> index
    default {
      // CHECK: scf.yield{{.*}} | x:* y:* z:* block{{$}}
      scf.yield %blocks : index
    }
    pyk.return
  }
}
