// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx --chip=sm_90 -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_90 %t.ptx --output-file %t.o %}

// PTX compares bfloats, but not with denormals that are flushed.
// CHECK-LABEL: .visible .entry flushes(
// CHECK-NOT:     setp.{{.*}}bf16
// CHECK:         setp.lt.ftz.f32
// CHECK:         ret;
pyk.func @flushes(%out: !pyk.array<f32, c>, %x: bf16, %y: bf16, %a: f32,
                  %b: f32) attributes {kernel, pyk.flush_denormals} {
  %p = arith.extf %x : bf16 to f32
  %q = arith.extf %y : bf16 to f32
  %less = arith.cmpf olt, %p, %q : f32
  %sum = arith.addf %a, %b : f32
  %z = arith.select %less, %sum, %a : f32
  pyk.store %z, %out[] : !pyk.array<f32, c>
  pyk.return
}

// CHECK-LABEL: .visible .entry keeps(
// CHECK:         setp.lt.bf16
// CHECK:         ret;
pyk.func @keeps(%out: !pyk.array<f32, c>, %x: bf16, %y: bf16, %a: f32,
                %b: f32) attributes {kernel} {
  %p = arith.extf %x : bf16 to f32
  %q = arith.extf %y : bf16 to f32
  %less = arith.cmpf olt, %p, %q : f32
  %sum = arith.addf %a, %b : f32
  %z = arith.select %less, %sum, %a : f32
  pyk.store %z, %out[] : !pyk.array<f32, c>
  pyk.return
}
