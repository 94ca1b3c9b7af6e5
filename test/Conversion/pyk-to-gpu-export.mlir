// RUN: pyk-opt %s --convert-pyk-to-gpu --split-input-file | FileCheck %s

// Values have the form that they have in memory; what is private to the module
// gets out of the way of the name.
// CHECK-LABEL: func.func private @f_1(
// CHECK-SAME:    %{{.*}}: i8, %{{.*}}: i1) -> i1
// CHECK-LABEL: func.func private @callee_1(
// CHECK:       func.func @callee(%[[X:.*]]: i8, %[[C:.*]]: i8) -> (i8 {llvm.zeroext})
// CHECK-SAME:    attributes {pyk.export = #pyk.export<c, "callee">}
// CHECK:         %[[TRUTH:.*]] = arith.cmpi ne, %[[C]], %{{.*}} : i8
// CHECK:         %[[RESULT:.*]] = call @f_1(%[[X]], %[[TRUTH]])
// CHECK:         %[[BYTE:.*]] = arith.extui %[[RESULT]] : i1 to i8
// CHECK:         pyk.return %[[BYTE]] : i8
pyk.func @callee() {
  pyk.return
}
pyk.func @f_1(%x: i8, %c: i1) -> (i1 {llvm.zeroext})
    attributes {pyk.export = #pyk.export<c, "callee">} {
  pyk.call @callee() : () -> ()
  pyk.return %c : i1
}

// -----

// The name is the function's own; the result goes to an address.
// CHECK: func.func @_u3BBf(%[[PLACE:.*]]: !llvm.ptr, %[[X:.*]]: f32) -> i32
// CHECK:   %[[RESULT:.*]] = call @_u3BBf_1(%[[X]])
// CHECK:   %[[ARRAY:.*]] = pyk.from_pointer %[[PLACE]] : !llvm.ptr to !pyk.array<1xf32, c, generic>
// CHECK:   pyk.store %[[RESULT]], %[[ARRAY]]
// CHECK:   %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:   pyk.return %[[ZERO]] : i32
pyk.func @"λf"(%x: f32) -> f32 attributes {pyk.export = #pyk.export<numba>} {
  pyk.return %x : f32
}

// -----

// CHECK: func.func @nothing(%{{.*}}: !llvm.ptr) -> i32
// CHECK-NOT: from_pointer
pyk.func @nothing() attributes {pyk.export = #pyk.export<numba>} {
  pyk.return
}

// -----

// A pointer has its address alone.
// CHECK: func.func @first(%[[PLACE:.*]]: !llvm.ptr) -> f32
// CHECK:   %[[ARRAY:.*]] = pyk.from_pointer %[[PLACE]] : !llvm.ptr to !pyk.array<281474976710655xf32, c, generic>
// CHECK:   call @first_1(%[[ARRAY]])
pyk.func @first(%a: !pyk.array<281474976710655xf32, c, generic>) -> f32
    attributes {pyk.export = #pyk.export<c>} {
  %zero = arith.constant 0 : i64
  %x = pyk.load %a[%zero] : !pyk.array<281474976710655xf32, c, generic>
  pyk.return %x : f32
}
