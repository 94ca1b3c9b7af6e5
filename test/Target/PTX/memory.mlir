// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// Every space has instructions of its own; nothing goes through generic
// addresses.
// CHECK-DAG: .const .align 16 .b8 pyk_constant_0[16]
// CHECK-DAG: .extern .shared .align 16 .b8 pyk_dynamic_shared[]
// CHECK:     .visible .entry kernel(
// CHECK:     .local .align 16 .b8 __local_depot0[32]
// CHECK:     .shared .align 16 .b8 pyk_shared_0[1024]
pyk.func @kernel(%out: !pyk.array<?xf32, c>, %flag: i1, %k: i64)
    attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %t = pyk.thread_id x : i32
  %i = arith.extui %t : i32 to i64
  %tile = pyk.alloc : !pyk.array<16x16xf32, c, shared>
  %own = pyk.alloc : !pyk.array<8xf32, c, local>
  %scratch = pyk.dynamic_shared : !pyk.array<?xf32, c, shared>
  %weights = pyk.constant_array dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
      : !pyk.array<4xf32, c, constant>
  // CHECK-DAG: ld.const.b32
  %w = pyk.load %weights[%i] : !pyk.array<4xf32, c, constant>
  // CHECK-DAG: st.shared.b32
  pyk.store %w, %tile[%i, %c0] : !pyk.array<16x16xf32, c, shared>
  // CHECK-DAG: st.local.b32
  pyk.store %w, %own[%i] : !pyk.array<8xf32, c, local>
  // CHECK-DAG: %dynamic_smem_size
  %n = pyk.dim %scratch, 0 : !pyk.array<?xf32, c, shared>
  %last = arith.subi %n, %i : i64
  pyk.store %w, %scratch[%last] : !pyk.array<?xf32, c, shared>
  // CHECK: bar.sync 0
  pyk.barrier
  // CHECK-DAG: ld.shared.b32
  %x = pyk.load %tile[%k, %k] : !pyk.array<16x16xf32, c, shared>
  // CHECK-DAG: ld.local.b32
  %y = pyk.load %own[%k] : !pyk.array<8xf32, c, local>
  %s = pyk.load %scratch[%k] : !pyk.array<?xf32, c, shared>
  %xy = arith.addf %x, %y : f32
  // CHECK-DAG: ld.global.b32 {{.*}}+4096]
  %there = pyk.device_array 4096 : !pyk.array<8xf32, c>
  %t0 = pyk.load %there[%k] : !pyk.array<8xf32, c>
  %xys = arith.addf %xy, %s : f32
  %z = arith.addf %xys, %t0 : f32
  // A thread that has left does not count at a barrier: it simply exits.
  pyk.if %flag {
    pyk.return
  }
  // CHECK: bar.sync 0
  pyk.barrier
  // CHECK: st.global.b32
  pyk.store %z, %out[%i] : !pyk.array<?xf32, c>
  pyk.return
}
