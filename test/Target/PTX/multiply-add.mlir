// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// What is not fused says so: ptxas would fuse `mul.f32` and `add.f32`.
// CHECK-LABEL: .visible .entry fused(
// CHECK-NOT: {{(mul|add|sub)\.f32}}
// CHECK:     mul.rn.f32 %[[CD:.*]], %{{.*}}, %{{.*}};
// CHECK-NOT: {{(mul|add|sub)\.}}
// CHECK:     fma.rn.f32 %{{.*}}, %{{.*}}, %{{.*}}, %[[CD]];
// CHECK-NOT: {{(mul|add|sub)\.f32}}
// CHECK:     ret;
pyk.func @fused(%out: !pyk.array<f32, c>, %a: f32, %b: f32, %c: f32, %d: f32)
    attributes {kernel} {
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %q = arith.mulf %c, %d fastmath<contract> : f32
  %r = arith.addf %p, %q fastmath<contract> : f32
  pyk.store %r, %out[] : !pyk.array<f32, c>
  pyk.return
}
