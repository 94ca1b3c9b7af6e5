// RUN: pyk-opt %s --pyk-expand-numerics --canonicalize --cse | FileCheck %s

// Launches prove it of arguments, and so of their parts.
// CHECK-LABEL: pyk.func @apart(
pyk.func @apart(%a: !pyk.array<?x?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
                %b: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint|written>},
                %i: i64, %out: !pyk.array<?xi1, c>) attributes {kernel} {
  // CHECK-NEXT: %[[R:.*]] = arith.constant false
  // CHECK-NEXT: pyk.store %[[R]]
  %row = pyk.view %a[%i, *] : !pyk.array<?x?xf32, c> to !pyk.array<?xf32, c>
  %r = pyk.overlaps %b, %row : !pyk.array<?xf32, c>, !pyk.array<?xf32, c>
  pyk.store %r, %out[%i] : !pyk.array<?xi1, c>
  pyk.return
}

// Not of parts of one, nor where another may share memory, nor of arrays that are
// only read.
// CHECK-LABEL: pyk.func @perhaps_together(
// CHECK-COUNT-6: arith.cmpi slt
// CHECK:         pyk.return
pyk.func @perhaps_together(%a: !pyk.array<?x?xf32, c> {pyk.facts = #pyk.facts<small|disjoint|written>},
                           %b: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small>},
                           %c: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
                           %d: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
                           %i: i64, %j: i64,
                           %out: !pyk.array<?xi1, c>) attributes {kernel} {
  %one = pyk.view %a[%i, *] : !pyk.array<?x?xf32, c> to !pyk.array<?xf32, c>
  %other = pyk.view %a[%j, *] : !pyk.array<?x?xf32, c> to !pyk.array<?xf32, c>
  %r = pyk.overlaps %one, %other : !pyk.array<?xf32, c>, !pyk.array<?xf32, c>
  %s = pyk.overlaps %one, %b : !pyk.array<?xf32, c>, !pyk.array<?xf32, c>
  %t = pyk.overlaps %c, %d : !pyk.array<?xf32, c>, !pyk.array<?xf32, c>
  pyk.store %r, %out[%i] : !pyk.array<?xi1, c>
  pyk.store %s, %out[%j] : !pyk.array<?xi1, c>
  pyk.store %t, %out[%i] : !pyk.array<?xi1, c>
  pyk.return
}
