// RUN: pyk-opt %s --pyk-fuse-multiply-add | FileCheck %s

// CHECK-LABEL: pyk.func @product_left(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @product_left(%a: f32, %b: f32, %c: f32) -> f32 {
  // CHECK-NEXT: %[[R:.*]] = math.fma %[[A]], %[[B]], %[[C]] : f32
  // CHECK-NEXT: pyk.return %[[R]]
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %r = arith.addf %p, %c fastmath<contract> : f32
  pyk.return %r : f32
}

// CHECK-LABEL: pyk.func @product_right(
// CHECK-SAME:    %[[A:.*]]: f16, %[[B:.*]]: f16, %[[C:.*]]: f16)
pyk.func @product_right(%a: f16, %b: f16, %c: f16) -> f16 {
  // CHECK-NEXT: %[[R:.*]] = math.fma %[[A]], %[[B]], %[[C]] : f16
  // CHECK-NEXT: pyk.return %[[R]]
  %p = arith.mulf %a, %b fastmath<contract> : f16
  %r = arith.addf %c, %p fastmath<contract> : f16
  pyk.return %r : f16
}

// Whichever product comes first in the program.
// CHECK-LABEL: pyk.func @left_of_two(
// CHECK-SAME:    %[[A:.*]]: f64, %[[B:.*]]: f64, %[[C:.*]]: f64, %[[D:.*]]: f64)
pyk.func @left_of_two(%a: f64, %b: f64, %c: f64, %d: f64) -> (f64, f64) {
  // CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[C]], %[[D]] : f64
  // CHECK-NEXT: %[[R:.*]] = math.fma %[[A]], %[[B]], %[[Q]] : f64
  %q = arith.mulf %c, %d fastmath<contract> : f64
  %p = arith.mulf %a, %b fastmath<contract> : f64
  %r = arith.addf %p, %q fastmath<contract> : f64
  // CHECK-NEXT: %[[T:.*]] = arith.mulf %[[B]], %[[D]] : f64
  // CHECK-NEXT: %[[N:.*]] = arith.negf %[[T]] : f64
  // CHECK-NEXT: %[[V:.*]] = math.fma %[[A]], %[[C]], %[[N]] : f64
  %s = arith.mulf %a, %c fastmath<contract> : f64
  %t = arith.mulf %b, %d fastmath<contract> : f64
  %v = arith.subf %s, %t fastmath<contract> : f64
  // CHECK-NEXT: pyk.return %[[R]], %[[V]]
  pyk.return %r, %v : f64, f64
}

// CHECK-LABEL: pyk.func @sum_of_three(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @sum_of_three(%a: f32, %b: f32, %c: f32) -> f32 {
  // CHECK-NEXT: %[[BC:.*]] = arith.mulf %[[B]], %[[C]] : f32
  // CHECK-NEXT: %[[S:.*]] = math.fma %[[A]], %[[B]], %[[BC]] : f32
  // CHECK-NEXT: math.fma %[[A]], %[[C]], %[[S]] : f32
  %ab = arith.mulf %a, %b fastmath<contract> : f32
  %bc = arith.mulf %b, %c fastmath<contract> : f32
  %s = arith.addf %ab, %bc fastmath<contract> : f32
  %ca = arith.mulf %a, %c fastmath<contract> : f32
  %r = arith.addf %s, %ca fastmath<contract> : f32
  pyk.return %r : f32
}

// CHECK-LABEL: pyk.func @differences(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @differences(%a: f32, %b: f32, %c: f32) -> (f32, f32, f32) {
  %two = arith.constant 2.0 : f32
  // CHECK: %[[NC:.*]] = arith.negf %[[C]] : f32
  // CHECK-NEXT: %[[X:.*]] = math.fma %[[A]], %[[B]], %[[NC]] : f32
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %x = arith.subf %p, %c fastmath<contract> : f32
  // CHECK-NEXT: %[[NB:.*]] = arith.negf %[[B]] : f32
  // CHECK-NEXT: %[[Y:.*]] = math.fma %[[NB]], %[[C]], %[[A]] : f32
  %q = arith.mulf %b, %c fastmath<contract> : f32
  %y = arith.subf %a, %q fastmath<contract> : f32
  // CHECK-NEXT: %[[MINUS2:.*]] = arith.constant -2.0
  // CHECK-NEXT: %[[Z:.*]] = math.fma %[[B]], %[[MINUS2]], %[[A]] : f32
  %s = arith.mulf %b, %two fastmath<contract> : f32
  %z = arith.subf %a, %s fastmath<contract> : f32
  // CHECK-NEXT: pyk.return %[[X]], %[[Y]], %[[Z]]
  pyk.return %x, %y, %z : f32, f32, f32
}

// CHECK-LABEL: pyk.func @negated_product(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @negated_product(%a: f32, %b: f32, %c: f32) -> f32 {
  // CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]] : f32
  // CHECK-NEXT: %[[R:.*]] = math.fma %[[N]], %[[B]], %[[C]] : f32
  // CHECK-NEXT: pyk.return %[[R]]
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %n = arith.negf %p fastmath<contract> : f32
  %r = arith.addf %n, %c fastmath<contract> : f32
  pyk.return %r : f32
}

// The negation of a sum is not that of its parts: the signs of zeros differ.
// CHECK-LABEL: pyk.func @negated_sum(
pyk.func @negated_sum(%a: f32, %b: f32, %c: f32) -> f32 {
  // CHECK-NEXT: %[[R:.*]] = math.fma
  // CHECK-NEXT: arith.negf %[[R]] : f32
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %r = arith.addf %p, %c fastmath<contract> : f32
  %n = arith.negf %r fastmath<contract> : f32
  pyk.return %n : f32
}

// A product that only sums use vanishes.
// CHECK-LABEL: pyk.func @product_of_two_sums(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @product_of_two_sums(%a: f32, %b: f32, %c: f32) -> (f32, f32) {
  // CHECK-NEXT: %[[X:.*]] = math.fma %[[A]], %[[B]], %[[C]] : f32
  // CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]] : f32
  // CHECK-NEXT: %[[Y:.*]] = math.fma %[[N]], %[[B]], %[[C]] : f32
  // CHECK-NEXT: pyk.return %[[X]], %[[Y]]
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %x = arith.addf %p, %c fastmath<contract> : f32
  %y = arith.subf %c, %p fastmath<contract> : f32
  pyk.return %x, %y : f32, f32
}

// One with another use is computed anyway.
// CHECK-LABEL: pyk.func @product_used_elsewhere(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @product_used_elsewhere(%a: f32, %b: f32, %c: f32) -> (f32, f32) {
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
  // CHECK-NEXT: %[[X:.*]] = arith.addf %[[P]], %[[C]] : f32
  // CHECK-NEXT: pyk.return %[[X]], %[[P]]
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %x = arith.addf %p, %c fastmath<contract> : f32
  pyk.return %x, %p : f32, f32
}

// CHECK-LABEL: pyk.func @product_twice_in_a_sum(
pyk.func @product_twice_in_a_sum(%a: f32, %b: f32) -> f32 {
  // CHECK-NEXT: %[[P:.*]] = arith.mulf
  // CHECK-NEXT: arith.addf %[[P]], %[[P]] : f32
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %x = arith.addf %p, %p fastmath<contract> : f32
  pyk.return %x : f32
}

// The second sum takes the left product, so the right one, which the first sum
// could take, stays; the first sum takes nothing.
// CHECK-LABEL: pyk.func @product_that_another_displaces(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @product_that_another_displaces(%a: f32, %b: f32, %c: f32) -> (f32, f32) {
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
  // CHECK-NEXT: %[[X:.*]] = arith.addf %[[P]], %[[C]] : f32
  // CHECK-NEXT: %[[Y:.*]] = math.fma %[[A]], %[[C]], %[[P]] : f32
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %x = arith.addf %p, %c fastmath<contract> : f32
  %q = arith.mulf %a, %c fastmath<contract> : f32
  %y = arith.addf %q, %p fastmath<contract> : f32
  pyk.return %x, %y : f32, f32
}

// A left product that has another use leaves the sum to the right one.
// CHECK-LABEL: pyk.func @left_product_refused(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @left_product_refused(%a: f32, %b: f32, %c: f32) -> (f32, f32) {
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
  // CHECK-NEXT: %[[X:.*]] = math.fma %[[B]], %[[C]], %[[P]] : f32
  // CHECK-NEXT: pyk.return %[[X]], %[[P]]
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %q = arith.mulf %b, %c fastmath<contract> : f32
  %x = arith.addf %p, %q fastmath<contract> : f32
  pyk.return %x, %p : f32, f32
}

// A product in front of a loop or a condition is fused within it.
// CHECK-LABEL: pyk.func @sum_in_a_region(
// CHECK-SAME:    %[[IF:.*]]: i1, %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @sum_in_a_region(%if: i1, %a: f32, %b: f32, %c: f32) -> f32 {
  // CHECK-NEXT: scf.if %[[IF]]
  // CHECK-NEXT:   math.fma %[[A]], %[[B]], %[[C]] : f32
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %r = scf.if %if -> (f32) {
    %x = arith.addf %p, %c fastmath<contract> : f32
    scf.yield %x : f32
  } else {
    scf.yield %c : f32
  }
  pyk.return %r : f32
}

// Both must allow it. What else they allow stays.
// CHECK-LABEL: pyk.func @flags(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @flags(%a: f32, %b: f32, %c: f32) -> (f32, f32, f32, f32) {
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
  // CHECK-NEXT: %[[W:.*]] = arith.addf %[[P]], %[[C]] : f32
  %p = arith.mulf %a, %b : f32
  %w = arith.addf %p, %c fastmath<contract> : f32
  // CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[B]], %[[C]] : f32
  // CHECK-NEXT: %[[X:.*]] = arith.addf %[[A]], %[[Q]] : f32
  %q = arith.mulf %b, %c fastmath<contract> : f32
  %x = arith.addf %a, %q : f32
  // CHECK-NEXT: %[[Y:.*]] = math.fma %[[A]], %[[C]], %[[B]] fastmath<nnan> : f32
  %s = arith.mulf %a, %c fastmath<nnan, contract> : f32
  %y = arith.addf %s, %b fastmath<nnan, ninf, contract> : f32
  // CHECK-NEXT: %[[Z:.*]] = math.sin %[[A]] fastmath<afn> : f32
  %z = math.sin %a fastmath<afn, contract> : f32
  // CHECK-NEXT: pyk.return %[[W]], %[[X]], %[[Y]], %[[Z]]
  pyk.return %w, %x, %y, %z : f32, f32, f32, f32
}

// Debuggers do not change results: they get a product of their own.
// CHECK-LABEL: pyk.func @shown(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
pyk.func @shown(%a: f32, %b: f32, %c: f32) -> f32 {
  // CHECK-NEXT: %[[M:.*]] = arith.negf %[[A]] : f32
  // CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]] : f32
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[N]], %[[B]] : f32
  // CHECK-NEXT: pyk.debug_value "n", f32 = %[[P]]
  // CHECK-NEXT: %[[R:.*]] = math.fma %[[M]], %[[B]], %[[C]] : f32
  // CHECK-NEXT: pyk.return %[[R]]
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %n = arith.negf %p fastmath<contract> : f32
  pyk.debug_value "n", f32 = %n : f32
  %r = arith.addf %n, %c fastmath<contract> : f32
  pyk.return %r : f32
}
