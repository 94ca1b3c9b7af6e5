// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// An element that may lie at any multiple of two bytes takes two accesses,
// which have no hint; what lies where it should has one.
// CHECK-LABEL: .visible .entry packed(
// CHECK:         ld.param.b64 %[[PACKED:rd[0-9]+]], [packed_param_0];
// CHECK-DAG:     ld.global.b16 %{{.*}}, [%[[PACKED]]];
// CHECK-DAG:     ld.global.b16 %{{.*}}, [%[[PACKED]]+2];
// CHECK:         st.global.cs.b32
// CHECK-NOT:     .wt
// CHECK-DAG:     st.global.b16 [%[[PACKED]]], %
// CHECK-DAG:     st.global.b16 [%[[PACKED]]+2], %
// CHECK:         ret;
pyk.func @packed(%a: !pyk.array<f32, c, align 2>, %out: !pyk.array<f32, c>)
    attributes {kernel} {
  %x = pyk.load cache cs %a[] : !pyk.array<f32, c, align 2>
  pyk.store cache cs %x, %out[] : !pyk.array<f32, c>
  pyk.store cache wt %x, %a[] : !pyk.array<f32, c, align 2>
  pyk.return
}
