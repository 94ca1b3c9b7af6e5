// RUN: pyk-opt %s --split-input-file --pyk-assume-launch=assume=launch \
// RUN: | FileCheck %s
// RUN: pyk-opt %s --split-input-file --pyk-assume-launch=assume=scalars,disjoint \
// RUN: | FileCheck %s --check-prefix=SOME
// RUN: pyk-opt %s --split-input-file --pyk-assume-launch \
// RUN: | FileCheck %s --check-prefix=NONE

// NONE-NOT: pyk.facts<{{(small|disjoint|written|aligned|unit)}}

// An integer that decides where, or which way; not one that is only a number.
// CHECK-LABEL: pyk.func @scale(
// CHECK-SAME: %{{.*}}: !pyk.array<?x?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
// CHECK-SAME: %{{.*}}: !pyk.array<?xf32, any> {pyk.facts = #pyk.facts<small|disjoint|written|unit>},
// CHECK-SAME: %{{.*}}: i32 {pyk.facts = #pyk.facts<small>},
// CHECK-SAME: %{{.*}}: i64 {pyk.facts = #pyk.facts<small>},
// CHECK-SAME: %{{[a-z0-9]*}}: f32, %{{[a-z0-9]*}}: i32) attributes {kernel, pyk.small_grid}
// SOME-LABEL: pyk.func @scale(
// SOME-SAME: %{{.*}}: !pyk.array<?x?xf32, c> {pyk.facts = #pyk.facts<disjoint>},
// SOME-SAME: %{{.*}}: !pyk.array<?xf32, any> {pyk.facts = #pyk.facts<disjoint|written>},
// SOME-SAME: %{{.*}}: i32 {pyk.facts = #pyk.facts<small>},
// SOME-SAME: attributes {kernel} {
pyk.func @scale(%a: !pyk.array<?x?xf32, c>, %out: !pyk.array<?xf32, any>,
                %n: i32, %m: i64, %f: f32, %seed: i32) attributes {kernel} {
  %i = pyk.grid x : i64
  %n64 = arith.extsi %n : i32 to i64
  %inside = arith.cmpi slt, %i, %n64 : i64
  scf.if %inside {
    %v = pyk.load %a[%i, %m] : !pyk.array<?x?xf32, c>
    %s = arith.sitofp %seed : i32 to f32
    %w = arith.addf %v, %s : f32
    pyk.store %w, %out[%i] : !pyk.array<?xf32, any>
  }
  pyk.return
}

// -----

// What is written while threads wait for each other may be read by another one:
// only what is never written is disjoint. Calls are looked into.
// CHECK-LABEL: pyk.func @exchange(
// CHECK-SAME: %{{.*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
// CHECK-SAME: %{{.*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|written>},
// CHECK-SAME: %{{.*}}: i64 {pyk.facts = #pyk.facts<small>})
pyk.func @exchange(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, c>, %n: i64)
    attributes {kernel} {
  %i = pyk.grid x : i64
  %v = pyk.load %a[%i] : !pyk.array<?xf32, c>
  pyk.call @put(%b, %n, %v) : (!pyk.array<?xf32, c>, i64, f32) -> ()
  pyk.barrier
  pyk.return
}
// CHECK-LABEL: pyk.func @put(
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c>, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: f32) attributes {pyk.small_grid}
pyk.func @put(%b: !pyk.array<?xf32, c>, %k: i64, %v: f32) {
  pyk.store %v, %b[%k] : !pyk.array<?xf32, c>
  pyk.return
}

// -----

// To some elements threads only add: none can tell what others have written.
// What was there is asked for, or in some order, or read: that is told.
// CHECK-LABEL: pyk.func @sums(
// CHECK-SAME: %arg0: !pyk.array<?xi32, c> {pyk.facts = #pyk.facts<small|disjoint|written>},
// CHECK-SAME: %arg1: !pyk.array<?x2xf32, c> {pyk.facts = #pyk.facts<small|disjoint|written>},
// CHECK-SAME: %arg2: !pyk.array<?xi32, c> {pyk.facts = #pyk.facts<small|written>},
// CHECK-SAME: %arg3: !pyk.array<?xi32, c> {pyk.facts = #pyk.facts<small|written>},
// CHECK-SAME: %arg4: !pyk.array<?xi32, c> {pyk.facts = #pyk.facts<small|written>},
// CHECK-SAME: %arg5: !pyk.array<?xi32, c> {pyk.facts = #pyk.facts<small|written>})
pyk.func @sums(%a: !pyk.array<?xi32, c>, %b: !pyk.array<?x2xf32, c>,
    %c: !pyk.array<?xi32, c>, %d: !pyk.array<?xi32, c>,
    %e: !pyk.array<?xi32, c>, %f: !pyk.array<?xi32, c>) attributes {kernel} {
  %one = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %i = pyk.grid x : i64
  %old_a = pyk.atomic add %one, %a[%i] : !pyk.array<?xi32, c>
  pyk.call @add(%b, %half) : (!pyk.array<?x2xf32, c>, f32) -> ()
  %ticket = pyk.atomic add %one, %c[%i] : !pyk.array<?xi32, c>
  %old_d = pyk.atomic add order release %ticket, %d[%i] : !pyk.array<?xi32, c>
  %old_e = pyk.atomic add %one, %e[%i] : !pyk.array<?xi32, c>
  %now = pyk.load %e[%i] : !pyk.array<?xi32, c>
  %old_f = pyk.atomic add scope system %now, %f[%i] : !pyk.array<?xi32, c>
  pyk.return
}
pyk.func @add(%b: !pyk.array<?x2xf32, c>, %x: f32) {
  %one = arith.constant 1 : i64
  %row = pyk.view %b[%one, *] : !pyk.array<?x2xf32, c> to !pyk.array<2xf32, c>
  %old = pyk.atomic add %x, %row[%one] : !pyk.array<2xf32, c>
  pyk.return
}

// -----

// An array that the program holds by address may be any argument.
// CHECK-LABEL: pyk.func @captured(
// CHECK-SAME: %{{.*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small>},
// CHECK-SAME: %{{.*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|written>})
pyk.func @captured(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, c>)
    attributes {kernel} {
  %i = pyk.grid x : i64
  %table = pyk.device_array 4096 : !pyk.array<8xf32, c>
  %v = pyk.load %a[%i] : !pyk.array<?xf32, c>
  %w = pyk.load %table[%i] : !pyk.array<8xf32, c>
  %sum = arith.addf %v, %w : f32
  pyk.store %sum, %b[%i] : !pyk.array<?xf32, c>
  pyk.return
}

// -----

// Comparing the places of arrays gives no address away.
// CHECK-LABEL: pyk.func @compare(
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint|written>})
pyk.func @compare(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, c>)
    attributes {kernel} {
  %i = pyk.grid x : i64
  %x = pyk.load %a[%i] : !pyk.array<?xf32, c>
  %o = pyk.overlaps %a, %b : !pyk.array<?xf32, c>, !pyk.array<?xf32, c>
  %d = pyk.distance %a to %b : !pyk.array<?xf32, c>, !pyk.array<?xf32, c>
  scf.if %o {
    pyk.store %x, %b[%d] : !pyk.array<?xf32, c>
  }
  pyk.return
}

// -----

// Another kernel may write what this one waits for.
// CHECK-LABEL: pyk.func @wait(
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xi32, c> {pyk.facts = #pyk.facts<small>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xi32, c> {pyk.facts = #pyk.facts<small|written>})
pyk.func @wait(%flag: !pyk.array<?xi32, c>, %out: !pyk.array<?xi32, c>)
    attributes {kernel} {
  %c0 = arith.constant 0 : i64
  pyk.spin_hint
  %x = pyk.load volatile %flag[%c0] : !pyk.array<?xi32, c>
  pyk.store %x, %out[%c0] : !pyk.array<?xi32, c>
  pyk.return
}

// -----

// Nothing is assumed of what is not used, of an array that is one element, and of
// a number that only bounds no loop and no index.
// CHECK-LABEL: pyk.func @little(
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c>, %{{[a-z0-9]*}}: !pyk.array<i64, c>,
// CHECK-SAME: %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i16, %{{.*}}: i32 {pyk.facts = #pyk.facts<small>})
pyk.func @little(%a: !pyk.array<?xf32, c>, %out: !pyk.array<i64, c>, %x: i64,
                 %short: i16, %count: i32) attributes {kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %count step %c1 : i32 {
    %old = pyk.load %out[] : !pyk.array<i64, c>
    %wide = arith.extsi %short : i16 to i64
    %sum = arith.addi %old, %x : i64
    %new = arith.addi %sum, %wide : i64
    pyk.store %new, %out[] : !pyk.array<i64, c>
  }
  pyk.return
}

// -----

// What the program itself asks for stays.
// CHECK-LABEL: pyk.func @counted(
// CHECK-SAME: {pyk.facts = #pyk.facts<small|disjoint|narrow>}
// SOME-LABEL: pyk.func @counted(
// SOME-SAME: {pyk.facts = #pyk.facts<disjoint|narrow>}
pyk.func @counted(%a: !pyk.array<?xi32, c> {pyk.facts = #pyk.facts<narrow>})
    attributes {kernel} {
  %zero = arith.constant 0 : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xi32, c> -> i32
  %last = pyk.load %a[%zero] : !pyk.array<?xi32, c>
  %more = arith.cmpi slt, %last, %n : i32
  pyk.return
}

// -----

// Code of other languages calls it from any grid.
// CHECK-LABEL: pyk.func @exported(
// CHECK-NOT: pyk.small_grid
pyk.func @exported() -> i64 attributes {pyk.export = #pyk.export<c>} {
  %i = pyk.grid x : i64
  pyk.return %i : i64
}

// -----

// Wide accesses begin at multiples of their size: at 4 * i, not at i + 1 or where
// another extent says.
// CHECK-LABEL: pyk.func @neighbours(
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint|aligned>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?x?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?x4xf32, c> {pyk.facts = #pyk.facts<small|disjoint|aligned>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<2x?xf32, f> {pyk.facts = #pyk.facts<small|disjoint|aligned>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, any> {pyk.facts = #pyk.facts<small|disjoint|unit>})
// SOME-LABEL: pyk.func @neighbours(
// SOME-NOT: aligned
pyk.func @neighbours(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, c>,
                     %c: !pyk.array<?x?xf32, c>, %d: !pyk.array<?x4xf32, c>,
                     %e: !pyk.array<2x?xf32, f>, %f: !pyk.array<?xf32, any>)
    attributes {kernel} {
  %i = pyk.grid x : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %i2 = pyk.shift_left %i, %c1 : i64
  %i21 = arith.addi %i2, %c1 : i64
  %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  %w = pyk.wrap_index %i21 of %n : i64
  %a0 = pyk.load %a[%i2] : !pyk.array<?xf32, c>
  %a1 = pyk.load %a[%w] : !pyk.array<?xf32, c>
  %i1 = arith.addi %i, %c1 : i64
  %b0 = pyk.load %b[%i] : !pyk.array<?xf32, c>
  %b1 = pyk.load %b[%i1] : !pyk.array<?xf32, c>
  %c00 = pyk.load %c[%i, %c0] : !pyk.array<?x?xf32, c>
  %c01 = pyk.load %c[%i, %c1] : !pyk.array<?x?xf32, c>
  %d0 = pyk.load %d[%i, %c2] : !pyk.array<?x4xf32, c>
  %d1 = pyk.load %d[%i, %c0] : !pyk.array<?x4xf32, c>
  %e0 = pyk.load %e[%c0, %i] : !pyk.array<2x?xf32, f>
  %e1 = pyk.load %e[%c1, %i] : !pyk.array<2x?xf32, f>
  %f0 = pyk.load %f[%i2] : !pyk.array<?xf32, any>
  %f1 = pyk.load %f[%i21] : !pyk.array<?xf32, any>
  pyk.return
}

// -----

// One access has no neighbour, unless a loop makes some. Calls are looked into.
// CHECK-LABEL: pyk.func @loops(
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint|aligned>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
// CHECK-SAME: %{{[a-z0-9]*}}: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
// CHECK-SAME: %{{[a-z0-9]*}}: i64
pyk.func @loops(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, c>,
                %c: !pyk.array<?xf32, c>, %d: !pyk.array<?xf32, c>, %n: i64)
    attributes {kernel} {
  %i = pyk.grid x : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %i4 = arith.muli %c4, %i : i64
  %a0 = pyk.load %a[%i4] : !pyk.array<?xf32, c>
  pyk.call @sum(%b, %n) : (!pyk.array<?xf32, c>, i64) -> ()
  scf.for %k = %i to %n step %c1 : i64 {
    %x = pyk.load %c[%k] : !pyk.array<?xf32, c>
  }
  pyk.for %k = %c0 to %n step %c3 : i64 {
    %x = pyk.load %d[%k] : !pyk.array<?xf32, c>
    pyk.continue
  }
  pyk.return
}
pyk.func @sum(%b: !pyk.array<?xf32, c>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  pyk.for %k = %c0 to %n step %c1 : i64 {
    %x = pyk.load %b[%k] : !pyk.array<?xf32, c>
    pyk.continue
  }
  pyk.return
}

// -----

// The parts of an element are neighbours, if its size lets all begin alike.
// CHECK-LABEL: pyk.func @parts(
// CHECK-SAME: complex<f64>, c> {pyk.facts = #pyk.facts<small|disjoint|aligned>},
// CHECK-SAME: size 8>, c> {pyk.facts = #pyk.facts<small|disjoint|aligned>},
// CHECK-SAME: size 12>, c> {pyk.facts = #pyk.facts<small|disjoint>},
// CHECK-SAME: size 8>, c> {pyk.facts = #pyk.facts<small|disjoint>})
pyk.func @parts(%a: !pyk.array<?xcomplex<f64>, c>,
                %b: !pyk.array<?x!pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8>, c>,
                %c: !pyk.array<?x!pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 12>, c>,
                %d: !pyk.array<?x!pyk.record<"x" : f32 at 0, size 8>, c>)
    attributes {kernel} {
  %na = pyk.dim %a, 0 : !pyk.array<?xcomplex<f64>, c>
  %nb = pyk.dim %b, 0 : !pyk.array<?x!pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8>, c>
  %nc = pyk.dim %c, 0 : !pyk.array<?x!pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 12>, c>
  %n3 = pyk.dim %d, 0 : !pyk.array<?x!pyk.record<"x" : f32 at 0, size 8>, c>
  pyk.return
}
