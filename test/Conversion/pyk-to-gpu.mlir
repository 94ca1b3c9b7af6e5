// RUN: pyk-opt %s --convert-pyk-to-gpu --split-input-file | FileCheck %s

// Only what is used becomes a parameter: of a contiguous array that is read in
// one dimension, the pointer.
// CHECK-LABEL: gpu.module @pyk
// CHECK: gpu.func @parameters_that_are_used(
// CHECK-SAME:    %[[A:.*]]: !llvm.ptr<1> {llvm.noalias}, %[[N:.*]]: i64 {llvm.range = #llvm.constant_range<i64, 0, 281474976710656>}, %[[B:.*]]: !llvm.ptr<1>,
// CHECK-SAME:    %[[X:.*]]: f32, %[[C:.*]]: i8) kernel
// CHECK-SAME:    pyk.abi = #pyk.abi<[<data, 0>, <extent, 0>, <data, 1>, <scalar, 2>, <scalar, 3>]>
pyk.func @parameters_that_are_used(
    %a: !pyk.array<?xf32, c> {llvm.noalias}, %b: !pyk.array<?xf32, c>, %x: f32,
    %c: i1) attributes {kernel} {
  // CHECK: pyk.from_pointer %[[A]] extents(%[[N]])
  // CHECK: %[[POISON:.*]] = ub.poison : i64
  // CHECK: %[[B1:.*]] = pyk.from_pointer %[[B]] extents(%[[POISON]])
  // CHECK: %[[C1:.*]] = arith.cmpi ne, %[[C]], %{{.*}} : i8
  // CHECK: scf.if %[[C1]]
  %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  scf.if %c {
    // CHECK: pyk.store %[[X]], %[[B1]]
    pyk.store %x, %b[%n] : !pyk.array<?xf32, c>
  }
  // CHECK: pyk.return
  pyk.return
}

// -----

// Addresses need the inner extents of order C, the outer ones of order F and all
// strides of others; static extents are no parameters.
// CHECK: pyk.abi = #pyk.abi<[<data, 0>, <extent, 0, 1>, <extent, 0, 2>,
// CHECK-SAME: <data, 1>, <extent, 1>, <extent, 1, 1>,
// CHECK-SAME: <data, 2>, <stride, 2>, <stride, 2, 1>,
// CHECK-SAME: <data, 3>, <extent, 3, 2>]>
pyk.func @sizes_that_addresses_need(
    %c: !pyk.array<?x?x?xf32, c>, %f: !pyk.array<?x?x?xf32, f>,
    %any: !pyk.array<?x?xf32, any>, %static: !pyk.array<?x4x?xf32, c>)
    attributes {kernel} {
  %i = arith.constant 0 : i64
  %x = pyk.load %c[%i, %i, %i] : !pyk.array<?x?x?xf32, c>
  pyk.store %x, %f[%i, %i, %i] : !pyk.array<?x?x?xf32, f>
  pyk.store %x, %any[%i, %i] : !pyk.array<?x?xf32, any>
  pyk.store %x, %static[%i, %i, %i] : !pyk.array<?x4x?xf32, c>
  pyk.return
}

// -----

// CHECK: pyk.abi = #pyk.abi<[<data, 0>, <extent, 0, 2>, <data, 1>, <stride, 1, 1>]>
pyk.func @sizes_that_strides_need(%c: !pyk.array<?x?x?xf32, c>,
                                  %any: !pyk.array<?x?xf32, any>)
    attributes {kernel} {
  %s = pyk.stride %c, 1 : !pyk.array<?x?x?xf32, c>
  %t = pyk.stride %any, 1 : !pyk.array<?x?xf32, any>
  pyk.return
}

// -----

// A device function may need anything. It is inlined unless it calls itself.
// Any may hold a barrier, which LLVM must not move into a branch.
// CHECK: gpu.func @kernel(
// CHECK-SAME: pyk.abi = #pyk.abi<[<data, 0>, <extent, 0>, <extent, 0, 1>, <stride, 0>, <stride, 0, 1>]>
// CHECK: call @first(%{{.*}}) : (!pyk.array<?x?xf32, any>) -> f32
// CHECK: func.func private @first(%{{.*}}: !pyk.array<?x?xf32, any>) -> f32
// CHECK-SAME: always_inline, convergent
// CHECK: func.func private @even(
// CHECK-NOT: always_inline
// CHECK-SAME: convergent
// CHECK: func.func private @odd(
// CHECK-NOT: always_inline
// CHECK-SAME: convergent
pyk.func @first(%a: !pyk.array<?x?xf32, any>) -> f32 {
  %i = arith.constant 0 : i64
  %x = pyk.load %a[%i, %i] : !pyk.array<?x?xf32, any>
  pyk.return %x : f32
}
pyk.func @even(%n: i64) {
  pyk.call @odd(%n) : (i64) -> ()
  pyk.return
}
pyk.func @odd(%n: i64) {
  pyk.call @even(%n) : (i64) -> ()
  pyk.return
}
pyk.func @kernel(%a: !pyk.array<?x?xf32, any>) attributes {kernel} {
  %x = pyk.call @first(%a) : (!pyk.array<?x?xf32, any>) -> f32
  %n = arith.constant 3 : i64
  pyk.call @even(%n) : (i64) -> ()
  pyk.return
}

// -----

// Registers are 32 bits wide; wider numbers are made from unsigned ones.
// CHECK-LABEL: gpu.func @place_of_a_thread
pyk.func @place_of_a_thread(%a: !pyk.array<?xi64, c>) attributes {kernel} {
  // CHECK: %[[BLOCK:.*]] = gpu.block_id x upper_bound 2147483647
  // CHECK: %[[BLOCK_I32:.*]] = arith.index_castui %[[BLOCK]] : index to i32
  // CHECK: %[[DIM:.*]] = gpu.block_dim x upper_bound 1024
  // CHECK: %[[DIM_I32:.*]] = arith.index_castui %[[DIM]] : index to i32
  // CHECK: %[[BLOCK_I64:.*]] = arith.extui %[[BLOCK_I32]] : i32 to i64
  // CHECK: %[[DIM_I64:.*]] = arith.extui %[[DIM_I32]] : i32 to i64
  // CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK_I64]], %[[DIM_I64]] overflow<nsw, nuw>
  // CHECK: gpu.thread_id x upper_bound 1024
  // CHECK: %[[GRID:.*]] = arith.addi %[[FIRST]], %{{.*}} overflow<nsw, nuw>
  %i = pyk.grid x : i64
  // CHECK: gpu.grid_dim y upper_bound 65535
  // CHECK: gpu.block_dim y upper_bound 1024
  // CHECK: %[[SIZE:.*]] = arith.muli
  %n = pyk.grid_size y : i64
  // CHECK: arith.muli %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
  %j = pyk.grid y : i32
  // CHECK: gpu.thread_id z upper_bound 64
  %t = pyk.thread_id z : i32
  // CHECK: gpu.lane_id upper_bound 32
  %l = pyk.lane_id : i32
  // CHECK: gpu.grid_dim x{{$}}
  %g = pyk.grid_dim x : i32
  // CHECK: pyk.store %[[GRID]], %{{.*}}[%[[SIZE]]]
  pyk.store %i, %a[%n] : !pyk.array<?xi64, c>
  pyk.return
}

// -----

// Names become identifiers of PTX, one for each function.
// CHECK: gpu.func @_u3BBax
// CHECK: func.func private @_u3BBax_1
// CHECK: func.func private @outer__locals__inner
// CHECK: func.func private @pyk___nv_sinf
// CHECK: func.func private @pyk_2nd
pyk.func @_u3BBax() {
  pyk.return
}
pyk.func @"outer.<locals>.inner"() {
  pyk.return
}
pyk.func @__nv_sinf() {
  pyk.return
}
pyk.func @"2nd"() {
  pyk.return
}
pyk.func @"λax"() attributes {kernel} {
  pyk.return
}

// -----

// A view needs what places it, and what its own uses read.
// CHECK: pyk.abi = #pyk.abi<[<data, 0>, <extent, 0, 1>, <data, 1>, <stride, 1>,
// CHECK-SAME: <data, 2>, <extent, 2>, <data, 3>, <extent, 3, 1>, <data, 4>]>
pyk.func @sizes_that_views_need(
    %c: !pyk.array<?x?xf32, c>, %any: !pyk.array<?x?xf32, any>,
    %f: !pyk.array<?x?xf32, f>, %t: !pyk.array<?x?xf32, c>,
    %flat: !pyk.array<?xf32, c>) attributes {kernel} {
  %i = arith.constant 0 : i64
  %row = pyk.view %c[%i, *] : !pyk.array<?x?xf32, c> to !pyk.array<?xf32, c>
  %x = pyk.load %row[%i] : !pyk.array<?xf32, c>
  %column = pyk.view %any[%i : %i, %i]
      : !pyk.array<?x?xf32, any> to !pyk.array<?xf32, any>
  %less = pyk.cast %f : !pyk.array<?x?xf32, f> to !pyk.array<?x?xf32, any>
  %n = pyk.dim %less, 0 : !pyk.array<?x?xf32, any>
  %turned = pyk.transpose %t[1, 0]
      : !pyk.array<?x?xf32, c> to !pyk.array<?x?xf32, f>
  pyk.store %x, %turned[%i, %i] : !pyk.array<?x?xf32, f>
  %square = pyk.reshape %flat to (%n)
      : !pyk.array<?xf32, c> to !pyk.array<?x4xf32, c>
  pyk.store %x, %square[%i, %i] : !pyk.array<?x4xf32, c>
  pyk.return
}

// -----

// What is needed of a view of a view is needed of the array: of the fields the
// stride, of other elements the extent that theirs follows from.
// CHECK: pyk.abi = #pyk.abi<[<data, 0>, <stride, 0, 1>, <data, 1>, <extent, 1, 1>, <data, 2>]>
pyk.func @sizes_that_views_of_views_need(
    %points: !pyk.array<?x?x!pyk.record<"x" : f32 at 0, size 8>, any>,
    %c: !pyk.array<?x?xf32, c>, %unused: !pyk.array<?x?xf32, any>)
    attributes {kernel} {
  %i = arith.constant 0 : i64
  %field = pyk.field %points "x"
      : !pyk.array<?x?x!pyk.record<"x" : f32 at 0, size 8>, any>
      to !pyk.array<?x?xf32, any>
  %turned = pyk.transpose %field[1, 0]
      : !pyk.array<?x?xf32, any> to !pyk.array<?x?xf32, any>
  %s = pyk.stride %turned, 0 : !pyk.array<?x?xf32, any>
  %halves = pyk.reinterpret %c : !pyk.array<?x?xf32, c> to !pyk.array<?x?xi16, c>
  %h = pyk.load %halves[%i, %s] : !pyk.array<?x?xi16, c>
  %part = pyk.cast %unused : !pyk.array<?x?xf32, any> to !pyk.array<?x?xf32, any, generic>
  %address = pyk.address %part : !pyk.array<?x?xf32, any, generic>
  pyk.return
}
