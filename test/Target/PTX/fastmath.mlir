// RUN: split-file %s %t
// RUN: pyk-opt %t/all.mlir --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t/all.nvvm
// RUN: pyk-test-translate %t/all.nvvm --pyk-to-ptx -o %t/all.ptx
// RUN: FileCheck %s --check-prefix=ALL --input-file %t/all.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t/all.ptx --output-file %t/all.o %}
// RUN: pyk-opt %t/one.mlir --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t/one.nvvm
// RUN: pyk-test-translate %t/one.nvvm --pyk-to-ptx -o %t/one.ptx
// RUN: FileCheck %s --check-prefix=ONE --input-file %t/one.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t/one.ptx --output-file %t/one.o %}
// RUN: pyk-opt %t/half.mlir --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t/half.nvvm
// RUN: pyk-test-translate %t/half.nvvm --pyk-to-ptx \
// RUN: | FileCheck %s --check-prefix=HALF

// LLVM has one switch for f32 and f16, whose denormals stay.
// HALF-NOT: ftz

// libdevice's functions look at a flag of the module.
// ALL-LABEL: .visible .entry flushes(
// ALL:         div.approx.ftz.f32
// ALL:         ex2.approx.ftz.f32

// Where a kernel beside it does not flush, they do not, but its own arithmetic
// does.
// ONE-LABEL: .visible .entry flushes(
// ONE:         div.approx.ftz.f32
// ONE:         ex2.approx.f32
// ONE-LABEL: .visible .entry exact(
// ONE:         div.rn.f32
// ONE:         ex2.approx.f32

//--- all.mlir
pyk.func @flushes(%out: !pyk.array<f32, c>, %a: f32, %b: f32)
    attributes {kernel, pyk.flush_denormals} {
  %q = arith.divf %a, %b fastmath<arcp, afn> : f32
  %e = math.exp2 %q fastmath<arcp, afn> : f32
  pyk.store %e, %out[] : !pyk.array<f32, c>
  pyk.return
}

//--- one.mlir
pyk.func @flushes(%out: !pyk.array<f32, c>, %a: f32, %b: f32)
    attributes {kernel, pyk.flush_denormals} {
  %q = arith.divf %a, %b fastmath<arcp, afn> : f32
  %e = math.exp2 %q fastmath<arcp, afn> : f32
  pyk.store %e, %out[] : !pyk.array<f32, c>
  pyk.return
}

pyk.func @exact(%out: !pyk.array<f32, c>, %a: f32, %b: f32)
    attributes {kernel} {
  %q = arith.divf %a, %b : f32
  %e = math.exp2 %q : f32
  pyk.store %e, %out[] : !pyk.array<f32, c>
  pyk.return
}

//--- half.mlir
pyk.func @half(%out: !pyk.array<f16, c>, %a: f16, %b: f32)
    attributes {kernel, pyk.flush_denormals} {
  %q = arith.divf %b, %b fastmath<arcp, afn> : f32
  %n = arith.truncf %q : f32 to f16
  %sum = arith.addf %a, %n : f16
  pyk.store %sum, %out[] : !pyk.array<f16, c>
  pyk.return
}
