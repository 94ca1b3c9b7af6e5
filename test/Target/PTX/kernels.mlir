// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: FileCheck %s --check-prefix=NVVM < %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx | FileCheck %s

// Two kernels are two entries of one module. Each shared array is a variable
// that only its kernel has.
// NVVM:     gpu.module @pyk
// NVVM:       llvm.func @first({{.*}} attributes {gpu.kernel
// NVVM:       llvm.func @second({{.*}} attributes {gpu.kernel

// CHECK:     .version
// CHECK-NOT: .version
// CHECK:     .visible .entry first(
// CHECK-NOT: .maxntid
// CHECK:     .shared .align 16 .b8 [[A:[_a-z0-9$]+]][128];
// CHECK-NOT: .shared .align
// CHECK:     .visible .entry second(
// CHECK:     .maxntid 64
// CHECK-NOT: [[A]]
// CHECK:     .shared .align 16 .b8 {{.*}}[256];
// CHECK-NOT: .entry
pyk.func @first(%out: !pyk.array<?xf32, c>) attributes {kernel} {
  %tile = pyk.alloc : !pyk.array<32xf32, c, shared>
  %zero = arith.constant 0 : i64
  %i = pyk.thread_id x : i32
  %j = arith.extui %i : i32 to i64
  %x = pyk.load %out[%j] : !pyk.array<?xf32, c>
  pyk.store %x, %tile[%j] : !pyk.array<32xf32, c, shared>
  pyk.barrier
  %y = pyk.load %tile[%zero] : !pyk.array<32xf32, c, shared>
  pyk.store %y, %out[%j] : !pyk.array<?xf32, c>
  pyk.return
}

pyk.func @second(%out: !pyk.array<?xf32, c>)
    attributes {kernel, pyk.launch_bounds = array<i32: 64>} {
  %tile = pyk.alloc : !pyk.array<64xf32, c, shared>
  %zero = arith.constant 0 : i64
  %i = pyk.thread_id x : i32
  %j = arith.extui %i : i32 to i64
  %x = pyk.load %out[%j] : !pyk.array<?xf32, c>
  pyk.store %x, %tile[%j] : !pyk.array<64xf32, c, shared>
  pyk.barrier
  %y = pyk.load %tile[%zero] : !pyk.array<64xf32, c, shared>
  pyk.store %y, %out[%j] : !pyk.array<?xf32, c>
  pyk.return
}
