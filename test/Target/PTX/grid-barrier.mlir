// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_75 -o %t.75.ptx
// RUN: FileCheck %s --input-file %t.75.ptx
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_90 -o %t.90.ptx
// RUN: FileCheck %s --input-file %t.90.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_75 %t.75.ptx --output-file %t.o %}
// RUN: %if ptxas %{ ptxas --gpu-name sm_90 %t.90.ptx --output-file %t.o %}

// CHECK-NOT: .extern
// CHECK-LABEL: .visible .entry meets(
pyk.func @meets(%a: !pyk.array<i32, c>, %x: i32) attributes {kernel} {
  // CHECK: st.global
  pyk.store %x, %a[] : !pyk.array<i32, c>
  // The block, then its first thread, which brings what all have written.
  // CHECK: bar{{.*}}.sync
  // CHECK-DAG: %envreg1;
  // CHECK-DAG: %envreg2;
  // CHECK-DAG: fence.acq_rel.gpu;
  // CHECK: atom.add.u32
  // The loop that waits.
  // CHECK: [[WAIT:\$L__BB0_[0-9]+]]:
  // CHECK: ld.acquire.gpu.b32
  // CHECK: bra{{.*}} [[WAIT]];
  // CHECK: bar{{.*}}.sync
  pyk.grid_barrier
  // CHECK: ld.global
  %y = pyk.load %a[] : !pyk.array<i32, c>
  // CHECK: bar{{.*}}.sync
  // CHECK: ld.acquire.gpu.b32
  // CHECK: bar{{.*}}.sync
  pyk.grid_barrier
  pyk.store %y, %a[] : !pyk.array<i32, c>
  pyk.return
}
