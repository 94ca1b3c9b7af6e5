// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=lines" -o /dev/null > %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=full" -o /dev/null | FileCheck %s

// A function of no place in a program has lines of a file all the same.
// CHECK-LABEL: .visible .entry k(
// CHECK:     .loc 1 1 0
// CHECK:     ld.global.b32
// CHECK:     .file 1 "<unknown>"
pyk.func @k(%a: !pyk.array<f32, c>) attributes {kernel} {
  %x = pyk.load %a[] : !pyk.array<f32, c> loc(unknown)
  %y = arith.mulf %x, %x : f32 loc(unknown)
  pyk.store %y, %a[] : !pyk.array<f32, c> loc(unknown)
  pyk.return loc(unknown)
} loc(unknown)
