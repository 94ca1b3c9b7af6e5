// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" --split-input-file \
// RUN:   | FileCheck %s

// All of the shared memory that a block has, with a gap for alignment.
// CHECK-LABEL: gpu.module @shared
// CHECK-DAG: addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i8>
// CHECK-DAG: addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<49136 x i8>
gpu.module @shared {
  gpu.func @full() kernel {
    %0 = pyk.alloc : !pyk.array<1xi8, c, shared>
    %1 = pyk.alloc : !pyk.array<49136xi8, c, shared>
    gpu.return
  }
}

// -----

// Constant memory is full to its last byte; what comes then lies elsewhere.
// CHECK-LABEL: gpu.module @full
// CHECK-DAG: @pyk_constant_0({{.*}}) {addr_space = 4 : i32, alignment = 16 : i64} : !llvm.array<3 x i8>
// CHECK-DAG: @pyk_constant_1({{.*}}) {addr_space = 4 : i32, alignment = 16 : i64} : !llvm.array<16380 x f32>
// CHECK-DAG: @pyk_constant_2({{.*}}) {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<1 x i8>
gpu.module @full {
  gpu.func @constants() kernel {
    %0 = pyk.constant_array dense<[1, 2, 3]> : tensor<3xi8>
        : !pyk.array<3xi8, c, constant>
    %1 = pyk.constant_array dense<1.0> : tensor<16380xf32>
        : !pyk.array<16380xf32, c, constant>
    %2 = pyk.constant_array dense<4> : tensor<1xi8>
        : !pyk.array<1xi8, c, constant>
    gpu.return
  }
}

// -----

// Each begins at a multiple of 16 bytes, which leaves too few.
// CHECK-LABEL: gpu.module @gaps
// CHECK-DAG: @pyk_constant_0({{.*}}) {addr_space = 4 : i32, alignment = 16 : i64} : !llvm.array<3 x i8>
// CHECK-DAG: @pyk_constant_1({{.*}}) {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<16381 x f32>
gpu.module @gaps {
  gpu.func @constants() kernel {
    %0 = pyk.constant_array dense<[1, 2, 3]> : tensor<3xi8>
        : !pyk.array<3xi8, c, constant>
    %1 = pyk.constant_array dense<1.0> : tensor<16381xf32>
        : !pyk.array<16381xf32, c, constant>
    gpu.return
  }
}

// -----

// Parts of complex numbers follow each other.
// CHECK-LABEL: gpu.module @complex
// CHECK: dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
gpu.module @complex {
  gpu.func @constants() kernel {
    %0 = pyk.constant_array dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
        : !pyk.array<2xcomplex<f32>, c, constant>
    gpu.return
  }
}
