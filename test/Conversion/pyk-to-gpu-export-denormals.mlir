// RUN: pyk-opt %s --convert-pyk-to-gpu | FileCheck %s

// Denormals are what they are in the whole module, so the function that others
// call says the same of them as what it calls.
// CHECK: func.func private @flushes_1({{.*}} pyk.flush_denormals}
// CHECK: func.func private @keeps_1(
// CHECK-NOT: pyk.flush_denormals
// CHECK: func.func @flushes({{.*}}) -> f32 attributes {pyk.export = #pyk.export<c>, pyk.flush_denormals}
// CHECK: func.func @keeps({{.*}}) -> i32 attributes {pyk.export = #pyk.export<numba>} {{{$}}
pyk.func @flushes(%x: f32) -> f32
    attributes {pyk.export = #pyk.export<c>, pyk.flush_denormals} {
  pyk.return %x : f32
}

// A bool comes as a byte, and goes to the address that is the first parameter.
// CHECK: %[[FLAG:[^ ]*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : i8
// CHECK: %[[RESULT:.*]] = call @keeps_1(%[[FLAG]]) : (i1) -> i1
// CHECK: %[[PLACE:.*]] = pyk.from_pointer %{{.*}} : !llvm.ptr to !pyk.array<1xi1, c, generic>
// CHECK: pyk.store %[[RESULT]], %[[PLACE]]
pyk.func @keeps(%c: i1) -> i1 attributes {pyk.export = #pyk.export<numba>} {
  pyk.return %c : i1
}
