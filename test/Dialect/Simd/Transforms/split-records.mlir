// RUN: pyk-opt %s --simd-split-records | FileCheck %s

!inner = !pyk.record<"u" : i16 at 0, "v" : i16 at 2, size 4>
!record = !pyk.record<"x" : f32 at 0, "in" : !inner at 4, "list" : 2xf32 at 8, size 16>
gpu.module @pyk {
  // The field of an element is an element of all fields: offsets count bytes.
  // CHECK-LABEL: gpu.func @number(
  // CHECK:         %[[A:.*]] = pyk.from_pointer
  // CHECK-NEXT:    pyk.element
  // CHECK-NEXT:    %[[X:.*]] = pyk.field %[[A]] "x" {{.*}} to !pyk.array<?xf32, any
  // CHECK-NEXT:    %[[BYTES:.*]] = arith.constant 16 : i64
  // CHECK-NEXT:    %[[OFFSET:.*]] = arith.muli %{{.*}}, %[[BYTES]] : i64
  // CHECK-NEXT:    %[[E:.*]] = pyk.element %[[X]] + %[[OFFSET]]
  // CHECK-NEXT:    pyk.store %{{.*}}, %[[E]][]
  gpu.func @number(%p: !llvm.ptr<1>, %n: i64, %i: i64, %y: f32) kernel {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?x!record, c>
    %e = pyk.element %a + %i : !pyk.array<?x!record, c>
    %x = pyk.field %e "x" : !pyk.array<!record, c> to !pyk.array<f32, c>
    pyk.store %y, %x[] : !pyk.array<f32, c>
    pyk.return
  }

  // So is one of a record in it; the offset is one of bytes already.
  // CHECK-LABEL: gpu.func @inner(
  // CHECK:         %[[IN:.*]] = pyk.field %{{.*}} "in" {{.*}} to !pyk.array<?x!pyk.record
  // CHECK:         %[[OFFSET:.*]] = arith.muli
  // CHECK:         %[[V:.*]] = pyk.field %[[IN]] "v" {{.*}} to !pyk.array<?xi16, any
  // CHECK-NEXT:    %[[E:.*]] = pyk.element %[[V]] + %[[OFFSET]]
  // CHECK-NEXT:    pyk.load %[[E]][]
  gpu.func @inner(%p: !llvm.ptr<1>, %n: i64, %i: i64) kernel {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?x!record, c>
    %e = pyk.element %a + %i : !pyk.array<?x!record, c>
    %in = pyk.field %e "in" : !pyk.array<!record, c> to !pyk.array<!inner, c>
    %v = pyk.field %in "v" : !pyk.array<!inner, c> to !pyk.array<i16, c>
    %y = pyk.load %v[] : !pyk.array<i16, c>
    pyk.return
  }

  // An array in a record stays one, and so does a field of a record alone.
  // CHECK-LABEL: gpu.func @others(
  // CHECK:         %[[E:.*]] = pyk.element
  // CHECK-NEXT:    pyk.field %[[E]] "list"
  // CHECK:         %[[R:.*]] = pyk.alloc
  // CHECK-NEXT:    pyk.field %[[R]] "x"
  gpu.func @others(%p: !llvm.ptr<1>, %n: i64, %i: i64) kernel {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?x!record, c>
    %e = pyk.element %a + %i : !pyk.array<?x!record, c>
    %list = pyk.field %e "list" : !pyk.array<!record, c> to !pyk.array<2xf32, c>
    %r = pyk.alloc : !pyk.array<!record, c, local>
    %x = pyk.field %r "x" : !pyk.array<!record, c, local> to !pyk.array<f32, c, local>
    pyk.return
  }
}
