// RUN: pyk-opt %s --pyk-guard-accesses --cse --canonicalize --split-input-file | FileCheck %s

!point = !pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8>

// A copy reads one array and writes another: either may be outside.
// CHECK-LABEL: gpu.func @copy(
// CHECK-SAME:      %[[I:[^:]*]]: i64, %[[J:[^:]*]]: i64, %[[FROM:[^:]*]]: i64, %[[READ:[^:]*]]: i64, %[[TO:[^:]*]]: i64, %[[WRITTEN:[^:]*]]: i64)
// CHECK-SAME:      <memory_first, 0, 8>, <memory_count, 0, 8>, <memory_first, 1, 8>, <memory_count, 1, 8>]>
// CHECK:         %[[A:.*]] = arith.subi %[[I]], %[[FROM]] : i64
// CHECK:         %[[SOURCE:.*]] = arith.cmpi ult, %[[A]], %[[READ]] : i64
// CHECK:         %[[B:.*]] = arith.subi %[[J]], %[[TO]] : i64
// CHECK:         %[[TARGET:.*]] = arith.cmpi ult, %[[B]], %[[WRITTEN]] : i64
// CHECK:         %[[BOTH:.*]] = arith.andi %[[SOURCE]], %[[TARGET]] : i1
// CHECK:         scf.if %[[BOTH]] {
// CHECK-NEXT:      pyk.copy_record
// CHECK-NEXT:    } else {
// CHECK:           pyk.outside
gpu.module @pyk {
  gpu.func @copy(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %i: i64, %j: i64) kernel attributes {
      pyk.guarded, pyk.abi = #pyk.abi<[<data, 0>, <data, 1>, <scalar, 2>, <scalar, 3>]>} {
    %n = arith.constant 8 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?x!point, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?x!point, c>
    %e = pyk.element %a + %i : !pyk.array<?x!point, c>
    %f = pyk.element %b + %j : !pyk.array<?x!point, c>
    pyk.copy_record %e to %f : !pyk.array<!point, c>, !pyk.array<!point, c>
    gpu.return
  }
}

// -----

// What launches prove of one array of a copy leaves the other's question.
// CHECK-LABEL: gpu.func @half_proven(
// CHECK-SAME:      pyk.bounds = [#pyk.bound_term<kind = scalar, first = 2, value = 8>, #pyk.bound_term<kind = inside, value = 8>]
// CHECK-COUNT-1: arith.cmpi ult
// CHECK-NOT:     arith.cmpi
// CHECK:         pyk.copy_record
// CHECK:         pyk.outside
!pair = !pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8>
gpu.module @pyk {
  gpu.func @half_proven(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %i: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <data, 1>, <scalar, 2>]>} {
    %n = arith.constant 8 : i64
    %numbers = pyk.alloc : !pyk.array<i64, c, local>
    %j = pyk.load %numbers[] : !pyk.array<i64, c, local>
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?x!pair, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?x!pair, c>
    %e = pyk.element %a + %i : !pyk.array<?x!pair, c>
    %f = pyk.element %b + %j : !pyk.array<?x!pair, c>
    pyk.copy_record %e to %f : !pyk.array<!pair, c>, !pyk.array<!pair, c>
    gpu.return
  }
}

// -----

// The offset in a view is none in the array: launches do not prove it.
// CHECK-LABEL: gpu.func @view(
// CHECK-NOT:       pyk.bounds
// CHECK:         pyk.outside
gpu.module @pyk {
  gpu.func @view(%p: !llvm.ptr<1>, %i: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %n = arith.constant 8 : i64
    %x = arith.constant 1 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %v = pyk.view %a[%i : %n] : !pyk.array<?xi64, c> to !pyk.array<?xi64, c>
    %e = pyk.element %v + %x : !pyk.array<?xi64, c>
    pyk.store %x, %e[] : !pyk.array<i64, c>
    gpu.return
  }
}

// -----

// Python's remainder, as `pyk-expand-numerics` writes it, is one term; where a
// comparison is another one, it is no remainder.
// CHECK-LABEL: gpu.func @floor_remainder(
// CHECK-SAME:      kind = floor_rem
// CHECK-NOT:       kind = either
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @equal_to_zero(
// CHECK-NOT:       kind = floor_rem
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @of_the_same_sign(
// CHECK-NOT:       kind = floor_rem
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @floor_remainder(%p: !llvm.ptr<1>, %i: i64, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %zero = arith.constant 0 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %rest = arith.remsi %i, %n : i64
    %raised = arith.addi %rest, %n : i64
    %isRest = arith.cmpi ne, %rest, %zero : i64
    %signs = arith.xori %rest, %n : i64
    %differ = arith.cmpi slt, %signs, %zero : i64
    %both = arith.andi %isRest, %differ : i1
    %offset = arith.select %both, %raised, %rest : i64
    %e = pyk.element %a + %offset : !pyk.array<?xi64, c>
    pyk.store %i, %e[] : !pyk.array<i64, c>
    gpu.return
  }
  gpu.func @equal_to_zero(%p: !llvm.ptr<1>, %i: i64, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %zero = arith.constant 0 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %rest = arith.remsi %i, %n : i64
    %raised = arith.addi %rest, %n : i64
    %isZero = arith.cmpi eq, %rest, %zero : i64
    %signs = arith.xori %rest, %n : i64
    %differ = arith.cmpi slt, %signs, %zero : i64
    %both = arith.andi %isZero, %differ : i1
    %offset = arith.select %both, %raised, %rest : i64
    %e = pyk.element %a + %offset : !pyk.array<?xi64, c>
    pyk.store %i, %e[] : !pyk.array<i64, c>
    gpu.return
  }
  gpu.func @of_the_same_sign(%p: !llvm.ptr<1>, %i: i64, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %zero = arith.constant 0 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %rest = arith.remsi %i, %n : i64
    %raised = arith.addi %rest, %n : i64
    %isRest = arith.cmpi ne, %rest, %zero : i64
    %signs = arith.xori %rest, %n : i64
    %agree = arith.cmpi sge, %signs, %zero : i64
    %both = arith.andi %isRest, %agree : i1
    %offset = arith.select %both, %raised, %rest : i64
    %e = pyk.element %a + %offset : !pyk.array<?xi64, c>
    pyk.store %i, %e[] : !pyk.array<i64, c>
    gpu.return
  }
}
