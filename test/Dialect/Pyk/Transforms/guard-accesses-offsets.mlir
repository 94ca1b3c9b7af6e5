// RUN: pyk-opt %s --pyk-guard-accesses --cse --canonicalize --split-input-file | FileCheck %s

// Offsets that are just inside or just outside, by their range or for launches
// to see. Numbers that data decide are loaded: launches know no end of them that
// no condition gives.

// 1024 threads are one more than 1023 elements, and the first has nothing in
// front of it.
// CHECK-LABEL: gpu.func @ranges(
// CHECK-COUNT-2: pyk.outside
// CHECK-NOT:     pyk.outside
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @ranges() kernel attributes {
      pyk.guarded, pyk.abi = #pyk.abi<[]>} {
    %one = arith.constant 1 : i64
    %x = arith.constant 1.0 : f32
    %a = pyk.alloc : !pyk.array<1023xf32, c, shared>
    %b = pyk.alloc : !pyk.array<1024xf32, c, shared>
    %thread = gpu.thread_id x upper_bound 1024
    %t = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %t : !pyk.array<1023xf32, c, shared>
    pyk.store %x, %e[] : !pyk.array<f32, c, shared>
    %before = arith.subi %t, %one overflow<nsw> : i64
    %f = pyk.element %b + %before : !pyk.array<1024xf32, c, shared>
    pyk.store %x, %f[] : !pyk.array<f32, c, shared>
    %g = pyk.element %b + %t : !pyk.array<1024xf32, c, shared>
    pyk.store %x, %g[] : !pyk.array<f32, c, shared>
    gpu.return
  }
}

// -----

// What ranges do not prove of them, launches may.
// CHECK-LABEL: gpu.func @ranges_of_launches(
// CHECK-SAME:      pyk.bounds = [#pyk.bound_term<kind = thread>,
// CHECK-SAME:        #pyk.bound_term<kind = within, value = 1023>,
// CHECK-SAME:        #pyk.bound_term<kind = constant, value = 1>,
// CHECK-SAME:        #pyk.bound_term<kind = sub, second = 2>,
// CHECK-SAME:        #pyk.bound_term<kind = within, first = 3, value = 1024>]
// CHECK-NOT:     pyk.outside
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @ranges_of_launches() kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[]>} {
    %one = arith.constant 1 : i64
    %x = arith.constant 1.0 : f32
    %a = pyk.alloc : !pyk.array<1023xf32, c, shared>
    %b = pyk.alloc : !pyk.array<1024xf32, c, shared>
    %thread = gpu.thread_id x upper_bound 1024
    %t = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %t : !pyk.array<1023xf32, c, shared>
    pyk.store %x, %e[] : !pyk.array<f32, c, shared>
    %before = arith.subi %t, %one overflow<nsw> : i64
    %f = pyk.element %b + %before : !pyk.array<1024xf32, c, shared>
    pyk.store %x, %f[] : !pyk.array<f32, c, shared>
    %g = pyk.element %b + %t : !pyk.array<1024xf32, c, shared>
    pyk.store %x, %g[] : !pyk.array<f32, c, shared>
    gpu.return
  }
}

// -----

// An offset in 32 bits is right where the array has less than 2^31 elements, so
// launches see to that, on either side of a sum. One that may be negative is
// another number without its sign, and is not made wider.
// CHECK-LABEL: gpu.func @narrow(
// CHECK-SAME:      kind = within, first = {{[0-9]+}}, value = 2147483648>
// CHECK-SAME:      kind = inside
// CHECK-SAME:      kind = within, first = {{[0-9]+}}, value = 2147483648>
// CHECK-SAME:      kind = inside
// CHECK-NOT:     pyk.outside
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @signed(
// CHECK:         %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK:         %[[OFFSET:.*]] = arith.extui %[[SUM]] : i32 to i64
// CHECK:         pyk.element %{{.*}} + %[[OFFSET]]
gpu.module @pyk {
  gpu.func @narrow(%p: !llvm.ptr<1>, %n: i64, %m: i32) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %x = arith.constant 1.0 : f32
    %one = arith.constant 1 : i32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %next = arith.addi %m, %one overflow<nsw, nuw> : i32
    %offset = arith.extui %next : i32 to i64
    %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>
    %sum = arith.addi %n, %offset overflow<nsw> : i64
    %f = pyk.element %a + %sum : !pyk.array<?xf32, c>
    pyk.store %x, %f[] : !pyk.array<f32, c>
    gpu.return
  }
  gpu.func @signed(%p: !llvm.ptr<1>, %n: i64, %m: i32) kernel attributes {
      pyk.guarded, pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %x = arith.constant 1.0 : f32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %next = arith.addi %m, %m overflow<nsw> : i32
    %offset = arith.extui %next : i32 to i64
    %e = pyk.element %a + %offset : !pyk.array<?xf32, c>
    pyk.store %x, %e[] : !pyk.array<f32, c>
    gpu.return
  }
}

// -----

// Both ends of a number count: what is subtracted has the other one. The lesser
// of two has no least, and the greater no most, if one of them has none.
// CHECK-LABEL: gpu.func @ends(
// CHECK-NOT:       pyk.bounds
// CHECK-COUNT-7: pyk.outside
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @ends(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i64
    %eight = arith.constant 8 : i64
    %numbers = pyk.alloc : !pyk.array<i64, c, local>
    %x = pyk.load volatile %numbers[] : !pyk.array<i64, c, local>
    %y = pyk.load volatile %numbers[] : !pyk.array<i64, c, local>
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %notNegative = arith.cmpi sge, %x, %zero : i64
    scf.if %notNegative {
      %rest = arith.subi %n, %x overflow<nsw> : i64
      %e = pyk.element %a + %rest : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    %below = arith.cmpi slt, %x, %n : i64
    scf.if %below {
      %rest = arith.subi %n, %x overflow<nsw> : i64
      %e = pyk.element %a + %rest : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    %few = arith.cmpi slt, %x, %eight : i64
    scf.if %few {
      %rest = arith.subi %n, %x overflow<nsw> : i64
      %e = pyk.element %a + %rest : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    %least = arith.minsi %x, %n : i64
    %e2 = pyk.element %a + %least : !pyk.array<?xi32, c>
    pyk.store %one, %e2[] : !pyk.array<i32, c>
    %most = arith.maxsi %x, %n : i64
    %e3 = pyk.element %a + %most : !pyk.array<?xi32, c>
    pyk.store %one, %e3[] : !pyk.array<i32, c>
    %both = arith.andi %x, %y : i64
    %e4 = pyk.element %a + %both : !pyk.array<?xi32, c>
    pyk.store %one, %e4[] : !pyk.array<i32, c>
    %remainder = arith.remsi %n, %x : i64
    %e5 = pyk.element %a + %remainder : !pyk.array<?xi32, c>
    pyk.store %one, %e5[] : !pyk.array<i32, c>
    gpu.return
  }
}

// -----

// Between two known numbers they are known: for the lesser and a condition from
// below, one bit, some bits and a remainder.
// CHECK-LABEL: gpu.func @known_ends(
// CHECK-NOT:     pyk.outside
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @known_ends(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i64
    %seven = arith.constant 7 : i64
    %numbers = pyk.alloc : !pyk.array<i64, c, local>
    %x = pyk.load volatile %numbers[] : !pyk.array<i64, c, local>
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %notNegative = arith.cmpi sge, %x, %zero : i64
    scf.if %notNegative {
      %least = arith.minsi %x, %n : i64
      %e = pyk.element %a + %least : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    %bit = arith.extui %notNegative : i1 to i64
    %e1 = pyk.element %a + %bit : !pyk.array<?xi32, c>
    pyk.store %one, %e1[] : !pyk.array<i32, c>
    %bits = arith.andi %x, %seven : i64
    %e2 = pyk.element %a + %bits : !pyk.array<?xi32, c>
    pyk.store %one, %e2[] : !pyk.array<i32, c>
    %remainder = arith.remui %x, %seven : i64
    %e3 = pyk.element %a + %remainder : !pyk.array<?xi32, c>
    pyk.store %one, %e3[] : !pyk.array<i32, c>
    gpu.return
  }
}

// -----

// A sum that may wrap with a sign is wrapped for launches, too. What is
// subtracted is at least as far away as the strictest condition says, if one
// says it from below, and of no other number.
// CHECK-LABEL: gpu.func @wrapped(
// CHECK-SAME:      #pyk.bound_term<kind = signed, first = 1, value = 64>
// CHECK-LABEL: gpu.func @far(
// CHECK-SAME:      #pyk.bound_term<kind = difference, first = {{[0-9]+}}, second = {{[0-9]+}}, value = 3>
// CHECK-LABEL: gpu.func @near(
// CHECK-NOT:       kind = difference
// CHECK-LABEL: gpu.func @far_from_another(
// CHECK-NOT:       kind = difference
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @wrapped(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %one = arith.constant 1 : i32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %sum = arith.addi %n, %n overflow<nuw> : i64
    %e = pyk.element %a + %sum : !pyk.array<?xi32, c>
    pyk.store %one, %e[] : !pyk.array<i32, c>
    gpu.return
  }
  gpu.func @far(%p: !llvm.ptr<1>, %n: i64, %m: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i64
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %0 = arith.cmpi sgt, %n, %m : i64
    %less = arith.subi %n, %three overflow<nsw> : i64
    %1 = arith.cmpi sge, %less, %m : i64
    %2 = arith.andi %0, %1 : i1
    scf.if %2 {
      %rest = arith.subi %n, %m overflow<nsw> : i64
      %e = pyk.element %a + %rest : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
  gpu.func @near(%p: !llvm.ptr<1>, %n: i64, %m: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %one = arith.constant 1 : i32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %0 = arith.cmpi slt, %n, %m : i64
    scf.if %0 {
      %rest = arith.subi %n, %m overflow<nsw> : i64
      %e = pyk.element %a + %rest : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
  gpu.func @far_from_another(%p: !llvm.ptr<1>, %n: i64, %m: i64, %other: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>, <scalar, 3>]>} {
    %one = arith.constant 1 : i32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %0 = arith.cmpi sgt, %n, %other : i64
    scf.if %0 {
      %rest = arith.subi %n, %m overflow<nsw> : i64
      %e = pyk.element %a + %rest : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
}

// -----

// An extent is that of its own dimension. An i32 that may be negative is another
// number without its sign.
// CHECK-LABEL: gpu.func @extents(
// CHECK-SAME:      pyk.bounds = [#pyk.bound_term<kind = scalar, first = 1, value = 8>,
// CHECK-SAME:        #pyk.bound_term<kind = inside, value = 4>,
// CHECK-SAME:        #pyk.bound_term<kind = scalar, first = 2, value = 8>,
// CHECK-SAME:        #pyk.bound_term<kind = inside, first = 2, value = 4>]
// CHECK-LABEL: gpu.func @without_sign(
// CHECK-SAME:      #pyk.bound_term<kind = unsigned, first = {{[0-9]+}}, value = 32>
// CHECK:         gpu.return
gpu.module @pyk {
  gpu.func @extents(%p: !llvm.ptr<1>, %n: i64, %m: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %one = arith.constant 1 : i32
    %a = pyk.from_pointer %p extents(%n, %m) : !llvm.ptr<1> to !pyk.array<?x?xi32, c>
    %rows = pyk.dim %a, 0 : !pyk.array<?x?xi32, c>
    %columns = pyk.dim %a, 1 : !pyk.array<?x?xi32, c>
    %e = pyk.element %a + %rows : !pyk.array<?x?xi32, c>
    pyk.store %one, %e[] : !pyk.array<i32, c>
    %f = pyk.element %a + %columns : !pyk.array<?x?xi32, c>
    pyk.store %one, %f[] : !pyk.array<i32, c>
    gpu.return
  }
  gpu.func @without_sign(%p: !llvm.ptr<1>, %n: i64, %m: i32) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>, <scalar, 2>]>} {
    %one = arith.constant 1 : i32
    %eight = arith.constant 8 : i32
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %0 = arith.cmpi slt, %m, %eight : i32
    scf.if %0 {
      %offset = arith.extui %m : i32 to i64
      %e = pyk.element %a + %offset : !pyk.array<?xi32, c>
      pyk.store %one, %e[] : !pyk.array<i32, c>
    }
    gpu.return
  }
}
