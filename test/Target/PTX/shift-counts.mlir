// RUN: pyk-test-translate %s --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

gpu.module @kernels {
  // A clamped count fits in the 32 bits that PTX reads; the shift itself makes
  // 0 of a count that is the width.
  // CHECK-LABEL: .func {{.*}} left(
  // CHECK:         min.u64 %[[COUNT:.*]], %{{.*}}, 64;
  // CHECK-NEXT:    cvt.u32.u64 %[[NARROW:.*]], %[[COUNT]];
  // CHECK-NEXT:    shl.b64 %{{.*}}, %{{.*}}, %[[NARROW]];
  // CHECK-NOT:     selp
  // CHECK:         ret;
  llvm.func @left(%x: i64, %n: i64) -> i64 {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %width = llvm.mlir.constant(64 : i64) : i64
    %shifted = llvm.shl %x, %n : i64
    %fits = llvm.icmp "ult" %n, %width : i64
    %result = llvm.select %fits, %shifted, %zero : i1, i64
    llvm.return %result : i64
  }

  // CHECK-LABEL: .func {{.*}} right(
  // CHECK:         min.u64 %[[COUNT:.*]], %{{.*}}, 64;
  // CHECK-NEXT:    cvt.u32.u64 %[[NARROW:.*]], %[[COUNT]];
  // CHECK-NEXT:    shr.u64 %{{.*}}, %{{.*}}, %[[NARROW]];
  // CHECK-NOT:     selp
  // CHECK:         ret;
  llvm.func @right(%x: i64, %n: i64) -> i64 {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %most = llvm.mlir.constant(63 : i64) : i64
    %shifted = llvm.lshr %x, %n : i64
    %exceeds = llvm.icmp "ugt" %n, %most : i64
    %result = llvm.select %exceeds, %zero, %shifted : i1, i64
    llvm.return %result : i64
  }

  // The program takes the low bits of a count itself, and compares all of them.
  // CHECK-LABEL: .func {{.*}} narrow(
  // CHECK:         min.u32 %[[COUNT:.*]], %{{.*}}, 32;
  // CHECK:         shl.b32 %[[SHIFTED:.*]], %{{.*}}, %[[COUNT]];
  // CHECK:         setp.lt.u64 %[[FITS:.*]], %{{.*}}, 32;
  // CHECK:         selp.b32 %{{.*}}, %[[SHIFTED]], 0, %[[FITS]];
  // CHECK:         ret;
  llvm.func @narrow(%x: i32, %n: i64) -> i32 {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %width = llvm.mlir.constant(32 : i64) : i64
    %low = llvm.trunc %n : i64 to i32
    %shifted = llvm.shl %x, %low : i32
    %fits = llvm.icmp "ult" %n, %width : i64
    %result = llvm.select %fits, %shifted, %zero : i1, i32
    llvm.return %result : i32
  }

  // CHECK-LABEL: .func {{.*}} masked(
  // CHECK:         min.u64 %{{.*}}, %{{.*}}, 64;
  // CHECK:         shl.b64 %[[SHIFTED:.*]], %{{.*}}, %{{.*}};
  // CHECK:         setp.lt.u64 %[[FITS:.*]], %{{.*}}, 64;
  // CHECK:         selp.b64 %{{.*}}, %[[SHIFTED]], 0, %[[FITS]];
  // CHECK:         ret;
  llvm.func @masked(%x: i64, %n: i64) -> i64 {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %width = llvm.mlir.constant(64 : i64) : i64
    %mask = llvm.mlir.constant(4294967295 : i64) : i64
    %low = llvm.and %n, %mask : i64
    %shifted = llvm.shl %x, %low : i64
    %fits = llvm.icmp "ult" %n, %width : i64
    %result = llvm.select %fits, %shifted, %zero : i1, i64
    llvm.return %result : i64
  }

  // Counts that fit stay as they are: of 32 bits, constants, and below 64.
  // CHECK-LABEL: .func {{.*}} fits(
  // CHECK-NOT:     min.
  // CHECK:         ret;
  llvm.func @fits(%x: i64, %n: i32, %m: i64) -> i64 {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %width = llvm.mlir.constant(64 : i64) : i64
    %three = llvm.mlir.constant(3 : i64) : i64
    %mask = llvm.mlir.constant(63 : i64) : i64
    %wide = llvm.zext %n : i32 to i64
    %first = llvm.shl %x, %wide : i64
    %fits = llvm.icmp "ult" %wide, %width : i64
    %chosen = llvm.select %fits, %first, %zero : i1, i64
    %second = llvm.lshr %chosen, %three : i64
    %low = llvm.and %m, %mask : i64
    %third = llvm.shl %second, %low : i64
    llvm.return %third : i64
  }
}
