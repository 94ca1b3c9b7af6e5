// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx | FileCheck %s
// RUN: %if ptxas %{ pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_75 -o %t.ptx %}
// RUN: %if ptxas %{ ptxas --gpu-name sm_75 %t.ptx --output-file %t.o %}
// RUN: %if ptxas %{ pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_90a -o %t.ptx %}
// RUN: %if ptxas %{ ptxas --gpu-name sm_90a %t.ptx --output-file %t.o %}
// RUN: %if ptxas %{ pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_100 -o %t.ptx %}
// RUN: %if ptxas %{ ptxas --gpu-name sm_100 %t.ptx --output-file %t.o %}
// RUN: %if ptxas %{ pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_121f -o %t.ptx %}
// RUN: %if ptxas %{ ptxas --gpu-name sm_121f %t.ptx --output-file %t.o %}

// The index takes one multiplication of 32 by 32 bits, and of the wrapping of
// negative indices nothing is left.
// CHECK:     .visible .entry vector_add(
// CHECK:       mul.wide.u32
// CHECK:       setp
// CHECK-NOT:   setp
// CHECK-NOT:   selp
// CHECK:       ld.global.b32
// CHECK:       add.rn.f32
// CHECK:       st.global.b32
pyk.func @vector_add(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, c>,
                     %sum: !pyk.array<?xf32, c>) attributes {kernel} {
  %i = pyk.grid x : i64
  %n = pyk.dim %sum, 0 : !pyk.array<?xf32, c>
  %inside = arith.cmpi slt, %i, %n : i64
  scf.if %inside {
    %na = pyk.dim %a, 0 : !pyk.array<?xf32, c>
    %ia = pyk.wrap_index %i of %na : i64
    %x = pyk.load %a[%ia] : !pyk.array<?xf32, c>
    %y = pyk.load %b[%i] : !pyk.array<?xf32, c>
    %z = arith.addf %x, %y : f32
    pyk.store %z, %sum[%i] : !pyk.array<?xf32, c>
  }
  pyk.return
}
