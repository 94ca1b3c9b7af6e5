// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_90 -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --compile-only --gpu-name sm_90 %t.ptx --output-file %t.o %}

pyk.func @child(%x: f64, %out: !pyk.array<f64, c>)
    attributes {kernel, pyk.child} {
  pyk.store %x, %out[] : !pyk.array<f64, c>
  pyk.return
}

// CHECK-LABEL: .visible .entry parent(
pyk.func @parent(%x: f64, %out: !pyk.array<f64, c>) attributes {kernel} {
  %gx = arith.constant 11 : i64
  %gy = arith.constant 12 : i64
  %gz = arith.constant 13 : i64
  %bx = arith.constant 14 : i64
  %by = arith.constant 15 : i64
  %bz = arith.constant 16 : i64
  %bytes = arith.constant 48 : i64
  // CHECK:     add.u64 %[[BLOCK_AT:rd[0-9]+]], %SP, 0;
  // CHECK-NEXT: add.u64 %[[BLOCK:rd[0-9]+]], %SPL, 0;
  // CHECK-NEXT: add.u64 %[[GRID_AT:rd[0-9]+]], %SP, 12;
  // CHECK-NEXT: add.u64 %[[GRID:rd[0-9]+]], %SPL, 12;
  // The stream is what the first function has written, and is none if it fails.
  // CHECK:     call.uni (retval0), __cudaCDP2StreamCreateWithFlags,
  // CHECK:     ld.param.b32 %[[FAILED:r[0-9]+]], [retval0];
  // CHECK:     setp.eq.b32 %[[MADE:p[0-9]+]], %[[FAILED]], 0;
  // CHECK:     @%[[MADE]] bra
  // CHECK:     ld.local.b64 %[[STREAM:rd[0-9]+]],
  %s = pyk.stream : i64
  // The grid, then the block, x first.
  // CHECK-DAG: st.local.b32 [%[[GRID]]], 11;
  // CHECK-DAG: st.local.b32 [%[[GRID]]+4], 12;
  // CHECK-DAG: st.local.b32 [%[[GRID]]+8], 13;
  // CHECK-DAG: st.local.b32 [%[[BLOCK]]], 14;
  // CHECK-DAG: st.local.b32 [%[[BLOCK]]+4], 15;
  // CHECK-DAG: st.local.b32 [%[[BLOCK]]+8], 16;
  // CHECK:     cvta.to.local.u64 %{{rd[0-9]+}}, %[[BLOCK_AT]];
  // CHECK-COUNT-3: st.param.b32 [param2{{.*}}], %
  // CHECK-NEXT: cvta.to.local.u64 %{{rd[0-9]+}}, %[[GRID_AT]];
  // CHECK-COUNT-3: st.param.b32 [param1{{.*}}], %
  // CHECK-DAG: mov.b64 %[[KERNEL:rd[0-9]+]], child;
  // CHECK-DAG: st.param.b64 [param0], %[[KERNEL]];
  // CHECK-DAG: st.param.b32 [param3], 48;
  // CHECK:     call.uni (retval0), __cudaCDP2GetParameterBufferV2,
  // CHECK:     ld.param.b64 %[[BUFFER:rd[0-9]+]], [retval0];
  // CHECK:     setp.ne.b64 %[[GIVEN:p[0-9]+]], %[[BUFFER]], 0;
  // CHECK:     @%[[GIVEN]] bra
  // CHECK-DAG: st.param.b64 [param1], %[[STREAM]];
  // CHECK-DAG: st.param.b64 [param0], %[[BUFFER]];
  // CHECK:     call.uni (retval0), __cudaCDP2LaunchDeviceV2,
  // CHECK:     ld.param.b32 %[[FAILED:r[0-9]+]], [retval0];
  // CHECK:     setp.eq.b32 %[[LAUNCHED:p[0-9]+]], %[[FAILED]], 0;
  // CHECK:     @%[[LAUNCHED]] bra
  // CHECK:     ret;
  // CHECK-COUNT-3: trap; exit;
  pyk.launch @child grid(%gx, %gy, %gz) block(%bx, %by, %bz) stream %s
    shared %bytes (%x, %out) : f64, !pyk.array<f64, c>
  pyk.return
}
