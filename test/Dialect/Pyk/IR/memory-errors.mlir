// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// array_c1
// expected-error @below {{expects elements that are integers of 1, 8, 16, 32 or 64 bits, floats of 16, 32 or 64 bits, complex with parts of 32 or 64 bits or records but got 'i7'}}
pyk.func @elements_of_seven_bits(!pyk.array<?xi7, c>)

// -----

// array_c2
// expected-error @below {{expects at most 32 dimensions but got 33}}
pyk.func @rank_33(!pyk.array<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32, c>)

// -----

// array_c3
// expected-error @below {{expects a readonly array in global or generic memory but got shared}}
pyk.func @frozen_shared_memory(!pyk.array<?xf32, c, shared, readonly>)

// -----

// expected-error @below {{expects a layout of c, f or any but got 'g'}}
pyk.func @unknown_layout(!pyk.array<?xf32, g>)

// -----

// expected-error @below {{expects readonly, align or a space of global, shared, local, constant or generic but got 'texture'}}
pyk.func @unknown_space(!pyk.array<?xf32, c, texture>)

// -----

// alloc_c1
pyk.func @allocation_of_global_memory() {
  // expected-error @below {{expects an array of layout c in shared or local memory but got '!pyk.array<4xf32, c>'}}
  %a = pyk.alloc : !pyk.array<4xf32, c>
  pyk.return
}

// -----

pyk.func @allocation_of_unknown_size() {
  // expected-error @below {{result #0 must be array of static shape}}
  %a = pyk.alloc : !pyk.array<?xf32, c, shared>
  pyk.return
}

// -----

// alloc_c2
pyk.func @alignment_of_three() {
  // expected-error @below {{expects an alignment of a power of two from 16 to 4096 but got 48}}
  %a = pyk.alloc {alignment = 48} : !pyk.array<4xf32, c, shared>
  pyk.return
}

// -----

// dynamic_shared_c2
pyk.func @alignment_beyond_stacks() {
  // expected-error @below {{expects an alignment of a power of two from 16 to 4096 but got 8192}}
  %a = pyk.dynamic_shared {alignment = 8192} : !pyk.array<?xf32, c, shared>
  pyk.return
}

// -----

// dynamic_shared_c1
pyk.func @dynamic_shared_memory_of_two_dimensions() {
  // expected-error @below {{expects one dynamic dimension, layout c and shared memory but got '!pyk.array<?x?xf32, c, shared>'}}
  %a = pyk.dynamic_shared : !pyk.array<?x?xf32, c, shared>
  pyk.return
}

// -----

// dynamic_shared_c3
pyk.func @dynamic_shared_memory_without_an_extent(%n: i64) {
  // expected-error @below {{expects 2 extents for '!pyk.array<?x?xf32, c, shared>' but got 1}}
  %a = pyk.dynamic_shared at %n [%n] : !pyk.array<?x?xf32, c, shared>
  pyk.return
}

// -----

// launch_shared_c1
pyk.func @shared_array_without_an_extent(%n: i64) {
  // expected-error @below {{expects layout c, shared memory and an extent for each dynamic dimension but got 1 of them for '!pyk.array<?x?xf32, c, shared>'}}
  %a = pyk.launch_shared %n : !pyk.array<?x?xf32, c, shared>
  pyk.return
}

// -----

// launch_shared_c2
pyk.func @shared_array_of_an_odd_alignment(%n: i64) {
  // expected-error @below {{expects an alignment of a power of two from 16 to 4096 but got 24}}
  %a = pyk.launch_shared %n {alignment = 24} : !pyk.array<?xf32, c, shared>
  pyk.return
}

// -----

// expected-error @below {{expects 'pyk.shared_sizes' to be a list of #pyk.size_term but got 1}}
pyk.func private @sizes() attributes {pyk.shared_sizes = 1 : i64}

// -----

// expected-error @below {{expects 'pyk.bounds' to be a list of #pyk.bound_term but got true}}
pyk.func private @bounds() attributes {pyk.bounds = true}

// -----

// constant_array_c1
pyk.func @constant_of_other_shape() {
  // expected-error @below {{expects an array of layout c in constant memory with the shape and elements of 'tensor<2xf32>' but got '!pyk.array<3xf32, c, constant>'}}
  %a = pyk.constant_array dense<[1.0, 2.0]> : tensor<2xf32>
      : !pyk.array<3xf32, c, constant>
  pyk.return
}

// -----

// device_array_c1
pyk.func @device_array_in_shared_memory() {
  // expected-error @below {{expects an array in global memory but got '!pyk.array<4xf32, c, shared>'}}
  %a = pyk.device_array 4096 : !pyk.array<4xf32, c, shared>
  pyk.return
}

// -----

// device_array_c2
pyk.func @stride_of_a_contiguous_device_array() {
  // expected-error @below {{expects 0 strides for '!pyk.array<4xf32, c>' but got 1}}
  %a = pyk.device_array 4096 strides [4] : !pyk.array<4xf32, c>
  pyk.return
}

// -----

// from_pointer_c1
pyk.func @extent_missing(%p: !llvm.ptr<1>) {
  // expected-error @below {{expects 1 extents for '!pyk.array<?xf32, c>' but got 0}}
  %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<?xf32, c>
  pyk.return
}

// -----

// from_pointer_c2
pyk.func @strides_of_contiguous_array(%p: !llvm.ptr<1>, %s: i64) {
  // expected-error @below {{expects 0 strides for '!pyk.array<4xf32, c>' but got 1}}
  %a = pyk.from_pointer %p strides(%s) : !llvm.ptr<1> to !pyk.array<4xf32, c>
  pyk.return
}

// -----

// dim_c1
pyk.func @dimension_beyond_rank(%a: !pyk.array<?xf32, c>) {
  // expected-error @below {{expects a dimension less than 1 but got 1}}
  %n = pyk.dim %a, 1 : !pyk.array<?xf32, c>
  pyk.return
}

// -----

// stride_c1
pyk.func @negative_dimension(%a: !pyk.array<?xf32, c>) {
  // expected-error @below {{expects a dimension less than 1 but got -1}}
  %n = pyk.stride %a, -1 : !pyk.array<?xf32, c>
  pyk.return
}

// -----

// load_c1
pyk.func @load_of_other_type(%a: !pyk.array<f32, c>) {
  // expected-error @below {{result has the element type of the array}}
  %x = "pyk.load"(%a) : (!pyk.array<f32, c>) -> f64
  pyk.return
}

// -----

// load_c2: too few indices would silently read a whole row.
pyk.func @fewer_indices_than_dimensions(%a: !pyk.array<?x?xf32, c>, %i: i64) {
  // expected-error @below {{expects 2 indices for a 2-dimensional array but got 1}}
  %x = pyk.load %a[%i] : !pyk.array<?x?xf32, c>
  pyk.return
}

// -----

// store_c1
pyk.func @store_of_other_type(%a: !pyk.array<f32, c>, %x: f64) {
  // expected-error @below {{value has the element type of the array}}
  "pyk.store"(%x, %a) : (f64, !pyk.array<f32, c>) -> ()
  pyk.return
}

// -----

// store_c2
pyk.func @more_indices_than_dimensions(%a: !pyk.array<?xf32, c>, %x: f32,
                                       %i: i64) {
  // expected-error @below {{expects 1 indices for a 1-dimensional array but got 2}}
  pyk.store %x, %a[%i, %i] : !pyk.array<?xf32, c>
  pyk.return
}

// -----

// store_c3
pyk.func @store_to_readonly(%a: !pyk.array<?xf32, c, readonly>, %x: f32,
                            %i: i64) {
  // expected-error @below {{expects an array that can be written but got '!pyk.array<?xf32, c, readonly>'}}
  pyk.store %x, %a[%i] : !pyk.array<?xf32, c, readonly>
  pyk.return
}

// -----

// store_c3
pyk.func @store_to_constant(%a: !pyk.array<4xf32, c, constant>, %x: f32,
                            %i: i64) {
  // expected-error @below {{expects an array that can be written but got '!pyk.array<4xf32, c, constant>'}}
  pyk.store %x, %a[%i] : !pyk.array<4xf32, c, constant>
  pyk.return
}

// -----

// constant_array_c2
pyk.func @constant_array_of_gigabytes() {
  // expected-error @below {{expects at most 16777216 elements but got 1000000000}}
  %a = pyk.constant_array dense<1.0> : tensor<1000000000xf32> : !pyk.array<1000000000xf32, c, constant>
  pyk.return
}

// -----

// load_c4
pyk.func @hint_for_writes(%a: !pyk.array<f32, c>) {
  // expected-error @below {{has no hint 'wb'}}
  %x = pyk.load cache wb %a[] : !pyk.array<f32, c>
  pyk.return
}

// -----

// load_c4
pyk.func @hint_on_complex(%a: !pyk.array<complex<f32>, c>) {
  // expected-error @below {{expects integers or floats for a hint but got '!pyk.array<complex<f32>, c>'}}
  %x = pyk.load cache cs %a[] : !pyk.array<complex<f32>, c>
  pyk.return
}

// -----

// store_c5
pyk.func @hint_for_reads(%a: !pyk.array<f32, c>, %x: f32) {
  // expected-error @below {{has no hint 'lu'}}
  pyk.store cache lu %x, %a[] : !pyk.array<f32, c>
  pyk.return
}
