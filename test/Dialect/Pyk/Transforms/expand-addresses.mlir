// RUN: pyk-opt %s --pyk-expand-addresses --split-input-file | FileCheck %s

// The last index counts elements, the others rows of what comes behind.
// CHECK-LABEL: pyk.func @order_c(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?x?x4xf32, c>, %[[I:.*]]: i64, %[[J:.*]]: i64, %[[K:.*]]: i64)
pyk.func @order_c(%a: !pyk.array<?x?x4xf32, c>, %i: i64, %j: i64, %k: i64) -> f32 {
  // CHECK-NEXT: %[[N:.*]] = pyk.dim %[[A]], 1
  // CHECK-NEXT: %[[PLANE:.*]] = arith.muli %[[I]], %[[N]] : i64
  // CHECK-NEXT: %[[ROW:.*]] = arith.addi %[[PLANE]], %[[J]] : i64
  // CHECK-NEXT: %[[FOUR:.*]] = arith.constant 4 : i64
  // CHECK-NEXT: %[[ROWS:.*]] = arith.muli %[[ROW]], %[[FOUR]] : i64
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[ROWS]], %[[K]] : i64
  // CHECK-NEXT: %[[E:.*]] = pyk.element %[[A]] + %[[OFFSET]] : !pyk.array<?x?x4xf32, c>
  // CHECK-NEXT: %[[X:.*]] = pyk.load volatile %[[E]][] : !pyk.array<f32, c>
  %x = pyk.load volatile %a[%i, %j, %k] : !pyk.array<?x?x4xf32, c>
  // CHECK-NEXT: pyk.return %[[X]]
  pyk.return %x : f32
}

// The first index counts elements. What is known of the memory stays.
// CHECK-LABEL: pyk.func @order_f(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?x?xf32, f, shared, align 2>, %[[I:.*]]: i64, %[[J:.*]]: i64, %[[X:.*]]: f32)
pyk.func @order_f(%a: !pyk.array<?x?xf32, f, shared, align 2>, %i: i64, %j: i64,
                  %x: f32) {
  // CHECK-NEXT: %[[M:.*]] = pyk.dim %[[A]], 0
  // CHECK-NEXT: %[[COLUMN:.*]] = arith.muli %[[J]], %[[M]] : i64
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[COLUMN]], %[[I]] : i64
  // CHECK-NEXT: %[[E:.*]] = pyk.element %[[A]] + %[[OFFSET]]
  // CHECK-NEXT: pyk.store %[[X]], %[[E]][] : !pyk.array<f32, c, shared, align 2>
  pyk.store %x, %a[%i, %j] : !pyk.array<?x?xf32, f, shared, align 2>
  pyk.return
}

// Bytes, because no stride need be a multiple of the element.
// CHECK-LABEL: pyk.func @strided(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?x?xf32, any>, %[[I:.*]]: i64, %[[J:.*]]: i64, %[[X:.*]]: f32)
pyk.func @strided(%a: !pyk.array<?x?xf32, any>, %i: i64, %j: i64, %x: f32) -> f32 {
  // CHECK-NEXT: %[[S0:.*]] = pyk.stride %[[A]], 0
  // CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[I]], %[[S0]] : i64
  // CHECK-NEXT: %[[S1:.*]] = pyk.stride %[[A]], 1
  // CHECK-NEXT: %[[COLUMN:.*]] = arith.muli %[[J]], %[[S1]] : i64
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[ROW]], %[[COLUMN]] : i64
  // CHECK-NEXT: %[[E:.*]] = pyk.element %[[A]] + %[[OFFSET]]
  // CHECK-NEXT: pyk.atomic add %[[X]], %[[E]][] : !pyk.array<f32, c>
  %0 = pyk.atomic add %x, %a[%i, %j] : !pyk.array<?x?xf32, any>
  pyk.return %0 : f32
}

// Sizes that are values at hand are no ops.
// CHECK-LABEL: pyk.func @known_sizes(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr<1>, %[[N:.*]]: i64, %[[S:.*]]: i64, %[[I:.*]]: i64, %[[J:.*]]: i64)
pyk.func @known_sizes(%p: !llvm.ptr<1>, %n: i64, %s: i64, %i: i64, %j: i64) {
  %a = pyk.from_pointer %p extents(%n, %n) : !llvm.ptr<1> to !pyk.array<?x?xi8, c>
  %b = pyk.from_pointer %p extents(%n) strides(%s) : !llvm.ptr<1> to !pyk.array<?xi8, any>
  %c = pyk.device_array 4096 strides [-16] : !pyk.array<3xi8, any>
  // CHECK-NOT: pyk.dim
  // CHECK: arith.muli %[[I]], %[[N]] : i64
  %x = pyk.load %a[%i, %j] : !pyk.array<?x?xi8, c>
  // CHECK-NOT: pyk.stride
  // CHECK: %[[BYTES:.*]] = arith.muli %[[I]], %[[S]] : i64
  // CHECK: pyk.element %{{.*}} + %[[BYTES]] : !pyk.array<?xi8, any>
  pyk.store %x, %b[%i] : !pyk.array<?xi8, any>
  // CHECK: %[[STRIDE:.*]] = arith.constant -16 : i64
  // CHECK: arith.muli %[[I]], %[[STRIDE]] : i64
  pyk.store %x, %c[%i] : !pyk.array<3xi8, any>
  pyk.return
}

// What has no dimensions is the element.
// CHECK-LABEL: pyk.func @no_dimensions(
pyk.func @no_dimensions(%a: !pyk.array<i32, c>, %x: i32) -> i32 {
  // CHECK-NEXT: pyk.atomic_cas
  // CHECK-NEXT: pyk.return
  %0 = pyk.atomic_cas %x, %x, %a[] : !pyk.array<i32, c>
  pyk.return %0 : i32
}

// -----

!point = !pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8>

// A record that is one of an array is an element, too; a row is none.
// CHECK-LABEL: pyk.func @views(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?x3x!{{.*}}, c>, %[[I:.*]]: i64, %[[J:.*]]: i64)
pyk.func @views(%a: !pyk.array<?x3x!point, c>, %i: i64, %j: i64) -> f32 {
  // CHECK:      %[[ROW:.*]] = arith.muli %[[I]], %{{.*}} : i64
  // CHECK-NEXT: %[[OFFSET:.*]] = arith.addi %[[ROW]], %[[J]] : i64
  // CHECK-NEXT: %[[RECORD:.*]] = pyk.element %[[A]] + %[[OFFSET]]
  // CHECK-NEXT: pyk.field %[[RECORD]] "y"
  %record = pyk.view %a[%i, %j] : !pyk.array<?x3x!point, c> to !pyk.array<!point, c>
  %y = pyk.field %record "y" : !pyk.array<!point, c> to !pyk.array<f32, c>
  // CHECK-NEXT: %[[VIEW:.*]] = pyk.view %[[A]][%[[I]], *]
  %row = pyk.view %a[%i, *] : !pyk.array<?x3x!point, c> to !pyk.array<3x!point, c>
  // CHECK-NEXT: %[[LAST:.*]] = pyk.element %[[VIEW]] + %[[J]]
  // CHECK-NEXT: pyk.copy_record %[[RECORD]] to %[[LAST]]
  %last = pyk.view %row[%j] : !pyk.array<3x!point, c> to !pyk.array<!point, c>
  pyk.copy_record %record to %last : !pyk.array<!point, c>, !pyk.array<!point, c>
  %0 = pyk.load %y[] : !pyk.array<f32, c>
  pyk.return %0 : f32
}
