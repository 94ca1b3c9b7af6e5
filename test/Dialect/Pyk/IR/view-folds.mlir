// RUN: pyk-opt %s --canonicalize | FileCheck %s

// An element of a view is an element of the array: no view is left. An index
// that is multiplied stays where the product fits in 64 bits.
// CHECK-LABEL: pyk.func @access_through_views(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<?x?x?xf32, c>, %[[I:[^:]*]]: i64, %[[J:[^:]*]]: i64, %[[N:[^:]*]]: i64
pyk.func @access_through_views(%a: !pyk.array<?x?x?xf32, c>, %i: i64, %j: i64,
                               %n: i64) {
  // CHECK:      %[[K:.*]] = arith.addi %[[N]], %[[J]] : i64
  // CHECK-NEXT: %[[X:.*]] = pyk.load volatile %[[A]][%[[I]], %[[J]], %[[K]]]
  %part = pyk.view %a[%i, *, new, %n : %n]
      : !pyk.array<?x?x?xf32, c> to !pyk.array<?x1x?xf32, any>
  %x = pyk.load volatile %part[%j, %i, %j] : !pyk.array<?x1x?xf32, any>
  // CHECK-NEXT: %[[LOW:.*]] = arith.maxsi %[[J]], %c-281474976710656_i64 : i64
  // CHECK-NEXT: %[[INDEX:.*]] = arith.minsi %[[LOW]], %c281474976710656_i64 : i64
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.muli %[[INDEX]], %c3_i64 : i64
  // CHECK-NEXT: %[[L:.*]] = arith.addi %[[I]], %[[OFFSET]] : i64
  // CHECK-NEXT: pyk.store %[[X]], %[[A]][%[[N]], %[[L]], %[[I]]]
  %t = pyk.transpose %a[2, 0, 1]
      : !pyk.array<?x?x?xf32, c> to !pyk.array<?x?x?xf32, any>
  %three = arith.constant 3 : i64
  %u = pyk.view %t[%i, *, %i : %n : %three]
      : !pyk.array<?x?x?xf32, any> to !pyk.array<?x?xf32, any>
  %w = pyk.cast %u : !pyk.array<?x?xf32, any> to !pyk.array<?x?xf32, any, generic>
  pyk.store %x, %w[%n, %j] : !pyk.array<?x?xf32, any, generic>
  // CHECK-NEXT: pyk.return
  pyk.return
}

// A step that is not known to be small may make the product wrap around.
// CHECK-LABEL: pyk.func @access_through_steps(
pyk.func @access_through_steps(%a: !pyk.array<?xf32, c>, %i: i64, %n: i64)
    -> (f32, f32) {
  // CHECK: %[[V:.*]] = pyk.view
  // CHECK: pyk.load %[[V]]
  %v = pyk.view %a[%i : %n : %n]
      : !pyk.array<?xf32, c> to !pyk.array<?xf32, any>
  %x = pyk.load %v[%i] : !pyk.array<?xf32, any>
  // CHECK: %[[W:.*]] = pyk.view
  // CHECK: pyk.load %[[W]]
  %far = arith.constant 4611686018427387904 : i64
  %w = pyk.view %a[%i : %n : %far]
      : !pyk.array<?xf32, c> to !pyk.array<?xf32, any>
  %y = pyk.load %w[%i] : !pyk.array<?xf32, any>
  pyk.return %x, %y : f32, f32
}

// What another shape makes of an index needs divisions; it is left alone.
// CHECK-LABEL: pyk.func @access_to_another_shape(
pyk.func @access_to_another_shape(%a: !pyk.array<?x?xf32, c>, %i: i64) -> f32 {
  // CHECK: %[[R:.*]] = pyk.reshape
  // CHECK: pyk.load %[[R]]
  %r = pyk.reshape %a to (%i) : !pyk.array<?x?xf32, c> to !pyk.array<?xf32, c>
  %x = pyk.load %r[%i] : !pyk.array<?xf32, c>
  pyk.return %x : f32
}

// CHECK-LABEL: pyk.func @view_of_view(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<?x?x?xf32, c>, %[[I:[^:]*]]: i64, %[[J:[^:]*]]: i64, %[[N:[^:]*]]: i64
pyk.func @view_of_view(%a: !pyk.array<?x?x?xf32, c>, %i: i64, %j: i64, %n: i64)
    -> (!pyk.array<?x1x?xf32, any>, !pyk.array<?x?xf32, c>,
        !pyk.array<?xf32, any>) {
  // CHECK: %[[K:.*]] = arith.addi %[[J]], %[[I]]
  // CHECK: %[[FIRST:.*]] = pyk.view %[[A]][%[[K]], %[[I]] : %[[N]] : %[[J]], new, *]
  %p0 = pyk.view %a[%j : %n, *, *]
      : !pyk.array<?x?x?xf32, c> to !pyk.array<?x?x?xf32, c>
  %p1 = pyk.view %p0[%i, %i : %n : %j, new, *]
      : !pyk.array<?x?x?xf32, c> to !pyk.array<?x1x?xf32, any>
  // CHECK: %[[K:.*]] = arith.addi %[[J]], %[[I]]
  // CHECK: %[[SECOND:.*]] = pyk.view %[[A]][%[[I]], %[[K]] : %[[N]], *]
  %q0 = pyk.view %a[%i, *, *] : !pyk.array<?x?x?xf32, c> to !pyk.array<?x?xf32, c>
  %q1 = pyk.view %q0[%j : %n, *] : !pyk.array<?x?xf32, c> to !pyk.array<?x?xf32, c>
  %q2 = pyk.view %q1[%i : %n, *] : !pyk.array<?x?xf32, c> to !pyk.array<?x?xf32, c>
  // CHECK-DAG: %[[OFFSET:.*]] = arith.muli %[[I]], %[[J]]
  // CHECK-DAG: %[[L:.*]] = arith.addi %[[I]], %[[OFFSET]]
  // CHECK-DAG: %[[BY:.*]] = arith.muli %[[J]], %[[N]]
  // CHECK: %[[THIRD:.*]] = pyk.view %[[A]][%[[I]], %[[L]] : %[[N]] : %[[BY]], %[[J]]]
  %r0 = pyk.view %a[%i, %i : %n : %j, *]
      : !pyk.array<?x?x?xf32, c> to !pyk.array<?x?xf32, any>
  %r1 = pyk.view %r0[%i : %n : %n, new, %j]
      : !pyk.array<?x?xf32, any> to !pyk.array<?x1xf32, any>
  %r2 = pyk.view %r1[*, %i] : !pyk.array<?x1xf32, any> to !pyk.array<?xf32, any>
  // CHECK: pyk.return %[[FIRST]], %[[SECOND]], %[[THIRD]]
  pyk.return %p1, %q2, %r2 : !pyk.array<?x1x?xf32, any>,
      !pyk.array<?x?xf32, c>, !pyk.array<?xf32, any>
}

// One view cannot have a new dimension of another extent than 1.
// CHECK-LABEL: pyk.func @part_of_new_dimension(
pyk.func @part_of_new_dimension(%a: !pyk.array<?xf32, c>, %n: i64)
    -> !pyk.array<?x?xf32, any> {
  // CHECK-COUNT-2: pyk.view
  %v = pyk.view %a[new, *] : !pyk.array<?xf32, c> to !pyk.array<1x?xf32, any>
  %w = pyk.view %v[%n : %n, *]
      : !pyk.array<1x?xf32, any> to !pyk.array<?x?xf32, any>
  pyk.return %w : !pyk.array<?x?xf32, any>
}

// CHECK-LABEL: pyk.func @views_of_everything(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<4x?xf32, c>
pyk.func @views_of_everything(%a: !pyk.array<4x?xf32, c>, %n: i64)
    -> (!pyk.array<4x?xf32, c>, !pyk.array<4x?xf32, any>,
        !pyk.array<?x?xf32, c>, !pyk.array<?x?xf32, any, generic>) {
  %one = arith.constant 1 : i64
  // CHECK: %[[LESS:.*]] = pyk.cast %[[A]] : !pyk.array<4x?xf32, c> to !pyk.array<4x?xf32, any>
  %v = pyk.view %a[*, *] : !pyk.array<4x?xf32, c> to !pyk.array<4x?xf32, c>
  %w = pyk.view %v[*, *] : !pyk.array<4x?xf32, c> to !pyk.array<4x?xf32, any>
  // A step of 1 is none.
  // CHECK: pyk.view %[[A]][%{{.*}} : %{{.*}}, *]
  %x = pyk.view %a[%n : %n : %one, *]
      : !pyk.array<4x?xf32, c> to !pyk.array<?x?xf32, any>
  %same = pyk.cast %a : !pyk.array<4x?xf32, c> to !pyk.array<4x?xf32, c>
  %y = pyk.view %same[%n : %n, *]
      : !pyk.array<4x?xf32, c> to !pyk.array<?x?xf32, c>
  %z = pyk.cast %x
      : !pyk.array<?x?xf32, any> to !pyk.array<?x?xf32, any, generic>
  // CHECK: pyk.return %[[A]], %[[LESS]]
  pyk.return %v, %w, %y, %z : !pyk.array<4x?xf32, c>, !pyk.array<4x?xf32, any>,
      !pyk.array<?x?xf32, c>, !pyk.array<?x?xf32, any, generic>
}

// A step of 1 goes, not the first element and the count that are the same value.
// CHECK-LABEL: pyk.func @numbers_that_are_all_one(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<4xf32, c>
pyk.func @numbers_that_are_all_one(%a: !pyk.array<4xf32, c>)
    -> !pyk.array<?xf32, any> {
  // CHECK: %[[ONE:.*]] = arith.constant 1
  %one = arith.constant 1 : i64
  // CHECK: pyk.view %[[A]][%[[ONE]] : %[[ONE]]]
  %v = pyk.view %a[%one : %one : %one]
      : !pyk.array<4xf32, c> to !pyk.array<?xf32, any>
  pyk.return %v : !pyk.array<?xf32, any>
}

// CHECK-LABEL: pyk.func @sizes(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<?x?x?xf32, any>, %[[N:[^:]*]]: i64, %[[S:[^:]*]]: i64
pyk.func @sizes(%a: !pyk.array<?x?x?xf32, any>, %n: i64, %s: i64)
    -> (i64, i64, i64, i64, i64, i64) {
  // CHECK-DAG: %[[D2:.*]] = pyk.dim %[[A]], 2
  // CHECK-DAG: %[[S1:.*]] = pyk.stride %[[A]], 1
  // CHECK-DAG: %[[PRODUCT:.*]] = arith.muli %[[S1]], %[[S]]
  // CHECK-DAG: %[[S2:.*]] = pyk.stride %[[A]], 2
  %v = pyk.view %a[%n, %n : %n : %s, *]
      : !pyk.array<?x?x?xf32, any> to !pyk.array<?x?xf32, any>
  %t = pyk.transpose %v[1, 0]
      : !pyk.array<?x?xf32, any> to !pyk.array<?x?xf32, any>
  %c = pyk.cast %t : !pyk.array<?x?xf32, any> to !pyk.array<?x?xf32, any, generic>
  %d0 = pyk.dim %c, 0 : !pyk.array<?x?xf32, any, generic>
  %d1 = pyk.dim %c, 1 : !pyk.array<?x?xf32, any, generic>
  %s0 = pyk.stride %c, 0 : !pyk.array<?x?xf32, any, generic>
  %s1 = pyk.stride %c, 1 : !pyk.array<?x?xf32, any, generic>
  %one = pyk.view %a[new, %n, %n, %n]
      : !pyk.array<?x?x?xf32, any> to !pyk.array<1xf32, any>
  %d2 = pyk.dim %one, 0 : !pyk.array<1xf32, any>
  // CHECK-DAG: %[[NEW:.*]] = pyk.stride %{{.*}}, 0 : !pyk.array<1xf32, any>
  %s2 = pyk.stride %one, 0 : !pyk.array<1xf32, any>
  // CHECK: pyk.return %[[D2]], %[[N]], %[[S2]], %[[PRODUCT]], %c1_i64, %[[NEW]]
  pyk.return %d0, %d1, %s0, %s1, %d2, %s2 : i64, i64, i64, i64, i64, i64
}

// CHECK-LABEL: pyk.func @extent_of_another_shape(
// CHECK-SAME:    %{{.*}}: !pyk.array<?xf32, c>, %[[N:[^:]*]]: i64
pyk.func @extent_of_another_shape(%a: !pyk.array<?xf32, c>, %n: i64) -> i64 {
  // CHECK-NEXT: pyk.return %[[N]]
  %r = pyk.reshape %a to (%n) : !pyk.array<?xf32, c> to !pyk.array<2x?xf32, c>
  %d = pyk.dim %r, 1 : !pyk.array<2x?xf32, c>
  pyk.return %d : i64
}

// Elements of another size have other extents, and strides of their own.
// CHECK-LABEL: pyk.func @sizes_of_other_elements(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<?x?xf32, c>
pyk.func @sizes_of_other_elements(%a: !pyk.array<?x?xf32, c>)
    -> (i64, i64, i64, i64, i64, i64) {
  // CHECK: %[[D0:.*]] = pyk.dim %[[A]], 0
  // CHECK: %[[D1:.*]] = pyk.dim %[[A]], 1
  // CHECK: %[[S0:.*]] = pyk.stride %[[A]], 0
  %same = pyk.reinterpret %a : !pyk.array<?x?xf32, c> to !pyk.array<?x?xi32, c>
  %d0 = pyk.dim %same, 0 : !pyk.array<?x?xi32, c>
  %d1 = pyk.dim %same, 1 : !pyk.array<?x?xi32, c>
  %s0 = pyk.stride %same, 0 : !pyk.array<?x?xi32, c>
  // CHECK: %[[WIDE:.*]] = pyk.reinterpret %[[A]]
  %wide = pyk.reinterpret %a : !pyk.array<?x?xf32, c> to !pyk.array<?x?xi64, c, align 4>
  // CHECK: %[[W0:.*]] = pyk.dim %[[A]], 0
  %w0 = pyk.dim %wide, 0 : !pyk.array<?x?xi64, c, align 4>
  // CHECK: %[[W1:.*]] = pyk.dim %[[WIDE]], 1
  %w1 = pyk.dim %wide, 1 : !pyk.array<?x?xi64, c, align 4>
  // CHECK: %[[WS0:.*]] = pyk.stride %[[WIDE]], 0
  %ws0 = pyk.stride %wide, 0 : !pyk.array<?x?xi64, c, align 4>
  // CHECK: pyk.return %[[D0]], %[[D1]], %[[S0]], %[[W0]], %[[W1]], %[[WS0]]
  pyk.return %d0, %d1, %s0, %w0, %w1, %ws0 : i64, i64, i64, i64, i64, i64
}

// Strides that are values at hand.
// CHECK-LABEL: pyk.func @known_strides(
// CHECK-SAME:    %{{.*}}: !llvm.ptr<1>, %[[S:[^:]*]]: i64
pyk.func @known_strides(%p: !llvm.ptr<1>, %s: i64) -> (i64, i64) {
  %a = pyk.from_pointer %p extents(%s) strides(%s) : !llvm.ptr<1> to !pyk.array<?xf32, any>
  %b = pyk.device_array 4096 strides [-16] : !pyk.array<3xf32, any>
  // CHECK: %[[C:.*]] = arith.constant -16 : i64
  %s0 = pyk.stride %a, 0 : !pyk.array<?xf32, any>
  %s1 = pyk.stride %b, 0 : !pyk.array<3xf32, any>
  // CHECK-NEXT: pyk.return %[[S]], %[[C]]
  pyk.return %s0, %s1 : i64, i64
}

// CHECK-LABEL: pyk.func @constant_slices(
pyk.func @constant_slices(%n: i64) -> (i64, i64, i64, i64, i64, i64) {
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i64
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i64
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i64
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %back = arith.constant -2 : i64
  // The elements at 3 and 1 of five.
  %f0, %c0 = pyk.slice_bounds %five from %back to %zero by %back
  // All that there are, from the end.
  %f1, %c1 = pyk.slice_bounds %five by %back
  // A step of 0 goes nowhere.
  %f2, %c2 = pyk.slice_bounds %five by %zero
  // An unknown extent folds nothing.
  // CHECK: pyk.slice_bounds
  %f3, %c3 = pyk.slice_bounds %n from %zero to %five
  // CHECK: pyk.return %[[C3]], %[[C2]], %[[C4]], %[[C3]], %[[C0]], %{{.*}}
  pyk.return %f0, %c0, %f1, %c1, %c2, %c3 : i64, i64, i64, i64, i64, i64
}

// Both ends of either direction, and what lies beyond them.
// CHECK-LABEL: pyk.func @ends_of_slices(
pyk.func @ends_of_slices() -> (i64, i64, i64, i64, i64, i64, i64, i64) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i64
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i64
  // CHECK-DAG: %[[C5:.*]] = arith.constant 5 : i64
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %five = arith.constant 5 : i64
  %nine = arith.constant 9 : i64
  %back = arith.constant -2 : i64
  %far = arith.constant -9 : i64
  %least = arith.constant -9223372036854775808 : i64
  // [0:9:2]: 0, 2 and 4.
  %f0, %c0 = pyk.slice_bounds %five from %zero to %nine by %two
  // [9:-9:-2]: 4, 2 and 0.
  %f1, %c1 = pyk.slice_bounds %five from %nine to %far by %back
  // [5:]: none.
  %f2, %c2 = pyk.slice_bounds %five from %five
  // From the end in the largest of steps: the last one alone.
  %f3, %c3 = pyk.slice_bounds %five by %least
  // CHECK: pyk.return %[[C0]], %[[C3]], %[[C4]], %[[C3]], %[[C5]], %[[C0]], %[[C4]], %[[C1]]
  pyk.return %f0, %c0, %f1, %c1, %f2, %c2, %f3, %c3
      : i64, i64, i64, i64, i64, i64, i64, i64
}

// A bound or a step that is not known folds nothing, nor does an extent below 0.
// CHECK-LABEL: pyk.func @slices_that_stay(
// CHECK-COUNT-4: pyk.slice_bounds
// CHECK: pyk.return
pyk.func @slices_that_stay(%n: i64) -> (i64, i64, i64, i64) {
  %five = arith.constant 5 : i64
  %minus = arith.constant -5 : i64
  %f0, %c0 = pyk.slice_bounds %five by %n
  %f1, %c1 = pyk.slice_bounds %five from %n
  %f2, %c2 = pyk.slice_bounds %five to %n
  %f3, %c3 = pyk.slice_bounds %minus
  pyk.return %c0, %c1, %c2, %c3 : i64, i64, i64, i64
}

// A part of what has steps has the same steps. Strides that a layout implies are
// at hand nowhere.
// CHECK-LABEL: pyk.func @part_of_steps(
// CHECK-SAME:    %[[A:[^:]*]]: !pyk.array<?xf32, c>, %[[I:[^:]*]]: i64, %[[N:[^:]*]]: i64, %[[S:[^:]*]]: i64, %[[P:[^:]*]]: !llvm.ptr<1>
pyk.func @part_of_steps(%a: !pyk.array<?xf32, c>, %i: i64, %n: i64, %s: i64,
                        %p: !llvm.ptr<1>) -> (!pyk.array<?xf32, any>, i64) {
  // CHECK: %[[OFFSET:.*]] = arith.muli %[[I]], %[[S]] : i64
  // CHECK: %[[FIRST:.*]] = arith.addi %[[I]], %[[OFFSET]] : i64
  // CHECK: %[[V:.*]] = pyk.view %[[A]][%[[FIRST]] : %[[N]] : %[[S]]]
  %v = pyk.view %a[%i : %n : %s]
      : !pyk.array<?xf32, c> to !pyk.array<?xf32, any>
  %w = pyk.view %v[%i : %n] : !pyk.array<?xf32, any> to !pyk.array<?xf32, any>
  // CHECK: %[[B:.*]] = pyk.from_pointer %[[P]]
  // CHECK: %[[STRIDE:.*]] = pyk.stride %[[B]], 0
  %b = pyk.from_pointer %p extents(%n, %n)
      : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
  %stride = pyk.stride %b, 0 : !pyk.array<?x?xf32, c>
  // CHECK: pyk.return %[[V]], %[[STRIDE]]
  pyk.return %w, %stride : !pyk.array<?xf32, any>, i64
}
