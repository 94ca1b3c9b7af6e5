// RUN: pyk-test-translate %s --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

gpu.module @kernels {
  // CHECK-LABEL: .entry element(
  // CHECK:         setp.{{lt|gt}}.s32 %[[NEGATIVE:p[0-9]+]], %[[I:r[0-9]+]],
  // CHECK:         add.s32 %[[SUM:r[0-9]+]],
  // CHECK:         selp.b32 %[[INDEX:r[0-9]+]], {{.*}}, %[[NEGATIVE]];
  // CHECK-NEXT:    mul.wide.s32 %{{.*}}, %[[INDEX]], 4;
  // CHECK-NOT:     selp
  // CHECK:         ret;
  llvm.func @element(%a: !llvm.ptr<1>, %n: i32 {llvm.range = #llvm.constant_range<i32, 0, 2147483647>}, %from: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %i = llvm.load %from : !llvm.ptr<1> -> i32
    %extent = llvm.zext %n : i32 to i64
    %wide = llvm.sext %i : i32 to i64
    %negative = llvm.icmp "slt" %i, %zero : i32
    %sum = llvm.add %wide, %extent : i64
    %index = llvm.select %negative, %sum, %wide : i1, i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    llvm.store %x, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // The extent may take 64 bits, or be anything.
  // CHECK-LABEL: .entry element_of_any(
  // CHECK-NOT:     selp.b32
  // CHECK:         selp.b64
  // CHECK:         ret;
  llvm.func @element_of_any(%a: !llvm.ptr<1>, %extent: i64, %from: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %i = llvm.load %from : !llvm.ptr<1> -> i32
    %wide = llvm.sext %i : i32 to i64
    %negative = llvm.icmp "slt" %i, %zero : i32
    %sum = llvm.add %wide, %extent : i64
    %index = llvm.select %negative, %sum, %wide : i1, i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    llvm.store %x, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // The largest extent that has no sign in 32 bits, and one that has.
  // CHECK-LABEL: .entry element_of_largest(
  // CHECK:         add.s32 %{{.*}}, 2147483647;
  // CHECK:         selp.b32
  // CHECK:         ret;
  llvm.func @element_of_largest(%a: !llvm.ptr<1>, %from: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %extent = llvm.mlir.constant(2147483647 : i64) : i64
    %i = llvm.load %from : !llvm.ptr<1> -> i32
    %wide = llvm.sext %i : i32 to i64
    %negative = llvm.icmp "slt" %i, %zero : i32
    %sum = llvm.add %wide, %extent : i64
    %index = llvm.select %negative, %sum, %wide : i1, i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    llvm.store %x, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // CHECK-LABEL: .entry element_of_too_large(
  // CHECK-NOT:     selp.b32
  // CHECK:         add.s64 %{{.*}}, 2147483649;
  // CHECK:         selp.b64
  // CHECK:         ret;
  llvm.func @element_of_too_large(%a: !llvm.ptr<1>, %from: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %extent = llvm.mlir.constant(2147483649 : i64) : i64
    %i = llvm.load %from : !llvm.ptr<1> -> i32
    %wide = llvm.sext %i : i32 to i64
    %negative = llvm.icmp "slt" %i, %zero : i32
    %sum = llvm.add %wide, %extent : i64
    %index = llvm.select %negative, %sum, %wide : i1, i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    llvm.store %x, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // An offset in elements and one in bytes are no sum.
  // CHECK-LABEL: .entry bytes_behind_elements(
  // CHECK-NOT:     selp
  // CHECK:         cvt.u64.u32 %[[BYTES:rd[0-9]+]],
  // CHECK:         add.s64 %[[BEHIND:rd[0-9]+]], %{{.*}}, %[[BYTES]];
  // CHECK:         mul.wide.s32 %[[ELEMENTS:rd[0-9]+]], %{{.*}}, 4;
  // CHECK:         add.s64 %{{.*}}, %[[BEHIND]], %[[ELEMENTS]];
  // CHECK:         ret;
  llvm.func @bytes_behind_elements(%a: !llvm.ptr<1>, %n: i32 {llvm.range = #llvm.constant_range<i32, 0, 2147483647>}, %from: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %none = llvm.mlir.constant(0 : i64) : i64
    %i = llvm.load %from : !llvm.ptr<1> -> i32
    %extent = llvm.zext %n : i32 to i64
    %wide = llvm.sext %i : i32 to i64
    %negative = llvm.icmp "slt" %i, %zero : i32
    %bytes = llvm.select %negative, %extent, %none : i1, i64
    %behind = llvm.getelementptr %a[%bytes] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %place = llvm.getelementptr %behind[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    llvm.store %x, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Something is added to an index that is not negative, too.
  // CHECK-LABEL: .entry two_distances(
  // CHECK-NOT:     selp.b32
  // CHECK-DAG:     mul.wide.s32 %{{.*}}, 4;
  // CHECK-DAG:     mul.wide.u32 %{{.*}}, 4;
  // CHECK:         ret;
  llvm.func @two_distances(%a: !llvm.ptr<1>, %n: i32 {llvm.range = #llvm.constant_range<i32, 0, 2147483647>}, %m: i32 {llvm.range = #llvm.constant_range<i32, 0, 2147483647>}, %from: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %i = llvm.load %from : !llvm.ptr<1> -> i32
    %negative = llvm.icmp "slt" %i, %zero : i32
    %distance = llvm.select %negative, %n, %m : i1, i32
    %extent = llvm.zext %distance : i32 to i64
    %wide = llvm.sext %i : i32 to i64
    %index = llvm.add %wide, %extent : i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    llvm.store %x, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}
