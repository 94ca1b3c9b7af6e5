// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// view_c1
pyk.func @axis_missing(%a: !pyk.array<?x?xf32, c>, %i: i64) {
  // expected-error @below {{expects an axis for each of 2 dimensions but got 1}}
  %v = pyk.view %a[%i, new] : !pyk.array<?x?xf32, c> to !pyk.array<?x1xf32, any>
  pyk.return
}

// -----

// view_c2: the syntax cannot say it.
pyk.func @number_missing(%a: !pyk.array<?xf32, c>, %i: i64) {
  // expected-error @below {{expects 2 numbers for its axes but got 1}}
  %v = "pyk.view"(%a, %i) <{axes = [#pyk.axis<part>]}>
      : (!pyk.array<?xf32, c>, i64) -> !pyk.array<?xf32, c>
  pyk.return
}

// -----

// view_c3
pyk.func @extent_of_part(%a: !pyk.array<8xf32, c>, %i: i64) {
  // expected-error @below {{expects a view of type '!pyk.array<?xf32, c>' but got '!pyk.array<8xf32, c>'}}
  %v = pyk.view %a[%i : %i] : !pyk.array<8xf32, c> to !pyk.array<8xf32, c>
  pyk.return
}

// -----

// view_c3: writing through a view of frozen memory would write the memory.
pyk.func @writable_view(%a: !pyk.array<?xf32, c, readonly>, %i: i64) {
  // expected-error @below {{expects a view of type '!pyk.array<?xf32, c, readonly>' but got '!pyk.array<?xf32, c>'}}
  %v = pyk.view %a[*] : !pyk.array<?xf32, c, readonly> to !pyk.array<?xf32, c>
  pyk.return
}

// -----

// view_c4
pyk.func @column_is_not_contiguous(%a: !pyk.array<?x?xf32, c>, %i: i64) {
  // expected-error @below {{cannot yield a view of layout c of '!pyk.array<?x?xf32, c>'}}
  %v = pyk.view %a[*, %i] : !pyk.array<?x?xf32, c> to !pyk.array<?xf32, c>
  pyk.return
}

// -----

// view_c4
pyk.func @row_is_not_contiguous(%a: !pyk.array<?x?xf32, f>, %i: i64) {
  // expected-error @below {{cannot yield a view of layout f of '!pyk.array<?x?xf32, f>'}}
  %v = pyk.view %a[%i, *] : !pyk.array<?x?xf32, f> to !pyk.array<?xf32, f>
  pyk.return
}

// -----

// view_c4
pyk.func @steps_are_not_contiguous(%a: !pyk.array<?xf32, c>, %i: i64) {
  // expected-error @below {{cannot yield a view of layout c}}
  %v = pyk.view %a[%i : %i : %i] : !pyk.array<?xf32, c> to !pyk.array<?xf32, c>
  pyk.return
}

// -----

// view_c4
pyk.func @inner_part_is_not_contiguous(%a: !pyk.array<?x?xf32, c>, %i: i64) {
  // expected-error @below {{cannot yield a view of layout c}}
  %v = pyk.view %a[*, %i : %i] : !pyk.array<?x?xf32, c> to !pyk.array<?x?xf32, c>
  pyk.return
}

// -----

// transpose_c1
pyk.func @dimension_twice(%a: !pyk.array<?x?xf32, c>) {
  // expected-error @below {{expects each of 2 dimensions once but got [1, 1]}}
  %t = pyk.transpose %a[1, 1] : !pyk.array<?x?xf32, c> to !pyk.array<?x?xf32, any>
  pyk.return
}

// -----

// transpose_c2
pyk.func @extents_in_old_order(%a: !pyk.array<4x?xf32, c>) {
  // expected-error @below {{expects a result of type '!pyk.array<?x4xf32, f>' but got '!pyk.array<4x?xf32, f>'}}
  %t = pyk.transpose %a[1, 0] : !pyk.array<4x?xf32, c> to !pyk.array<4x?xf32, f>
  pyk.return
}

// -----

// transpose_c3
pyk.func @layout_after_rotation(%a: !pyk.array<?x?x?xf32, c>) {
  // expected-error @below {{cannot yield layout f of '!pyk.array<?x?x?xf32, c>'}}
  %t = pyk.transpose %a[1, 2, 0]
      : !pyk.array<?x?x?xf32, c> to !pyk.array<?x?x?xf32, f>
  pyk.return
}

// -----

// reshape_c1
pyk.func @reshape_of_strided(%a: !pyk.array<?xf32, any>) {
  // expected-error @below {{expects arrays of layout c that differ in shape only but got '!pyk.array<?xf32, any>' and '!pyk.array<4xf32, c>'}}
  %r = pyk.reshape %a to () : !pyk.array<?xf32, any> to !pyk.array<4xf32, c>
  pyk.return
}

// -----

// reshape_c2
pyk.func @reshape_without_extent(%a: !pyk.array<?xf32, c>) {
  // expected-error @below {{expects 1 extents for '!pyk.array<4x?xf32, c>' but got 0}}
  %r = pyk.reshape %a to () : !pyk.array<?xf32, c> to !pyk.array<4x?xf32, c>
  pyk.return
}

// -----

// cast_c1
pyk.func @cast_of_elements(%a: !pyk.array<?xf32, c>) {
  // expected-error @below {{expects the element type and rank of '!pyk.array<?xf32, c>' but got '!pyk.array<?xi32, c>'}}
  %b = pyk.cast %a : !pyk.array<?xf32, c> to !pyk.array<?xi32, c>
  pyk.return
}

// -----

// cast_c2
pyk.func @cast_to_more(%a: !pyk.array<?xf32, any>) {
  // expected-error @below {{expects a type that says less than '!pyk.array<?xf32, any>' but got '!pyk.array<?xf32, c>'}}
  %b = pyk.cast %a : !pyk.array<?xf32, any> to !pyk.array<?xf32, c>
  pyk.return
}

// -----

// cast_c3
pyk.func @cast_of_constants(%a: !pyk.array<4xf32, c, constant>) {
  // expected-error @below {{expects a type that says less than}}
  %b = pyk.cast %a
      : !pyk.array<4xf32, c, constant> to !pyk.array<4xf32, c, generic>
  pyk.return
}

// -----

// reinterpret_c1
pyk.func @elements_elsewhere(%a: !pyk.array<?xf32, any>) {
  // expected-error @below {{expects elements in an array of type '!pyk.array<?xi32, any>' but got '!pyk.array<?xi32, any, readonly>'}}
  %b = pyk.reinterpret %a : !pyk.array<?xf32, any> to !pyk.array<?xi32, any, readonly>
  pyk.return
}

// -----

// reinterpret_c2
pyk.func @elements_apart(%a: !pyk.array<?xf32, any>) {
  // expected-error @below {{cannot take '!pyk.array<?xf32, any>' as elements of 'f64'}}
  %b = pyk.reinterpret %a : !pyk.array<?xf32, any> to !pyk.array<?xf64, any>
  pyk.return
}

// -----

// element_c1
pyk.func @element_of_other_alignment(%a: !pyk.array<?xf32, c>, %n: i64) {
  // expected-error @below {{result is an element of the array}}
  %e = "pyk.element"(%a, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}>
      : (!pyk.array<?xf32, c>, i64) -> !pyk.array<f32, c, align 2>
  pyk.return
}
