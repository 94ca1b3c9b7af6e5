// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=lines" -o /dev/null > %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=lines ptx-version=71" -o /dev/null \
// RUN: | FileCheck %s --check-prefix=OLD
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm --pyk-print-ptx \
// RUN:   -o /dev/null | FileCheck %s --check-prefix=PLAIN
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=lines chip=sm_90" -o /dev/null \
// RUN: | FileCheck %s --check-prefix=NEW

// Frames need PTX 7.2, which is not sm_80's own; an older version has lines.
// CHECK:     .version 7.2
// CHECK-LABEL: .visible .entry k(
// CHECK:     .loc 1 12 5
// CHECK:     ld.global.b32
// The call has a line before a frame names it.
// CHECK:     .loc 1 13 7
// CHECK-NEXT: .loc 1 3 9, function_name $L__pyk_name0, inlined_at 1 13 7
// CHECK-NEXT: mul.rn.f32
// CHECK:     .loc 1 14 5
// CHECK:     st.global.b32
// CHECK:     .loc 1 15 5
// CHECK:     ret;
// CHECK:     .file 1 "/program/k.py"
// CHECK:     .section .debug_str
// The name is the program's, not that of one of its specializations.
// CHECK:     $L__pyk_name0:
// CHECK-NEXT: .b8 115,113,117,97,114,101,100,0

// OLD:      .version 7.1
// OLD-NOT:  inlined_at
// OLD:      .loc 1 3 9{{$}}
// OLD-NEXT: mul.rn.f32

// PLAIN-NOT: .loc

// A chip may need a newer version than they do.
// NEW:      .version 7.8
// NEW:      inlined_at 1 13 7
pyk.func @k(%a: !pyk.array<f32, c>) attributes {kernel} {
  %x = pyk.load %a[] : !pyk.array<f32, c> loc("/program/k.py":12:5)
  %y = pyk.call @squared_1(%x) : (f32) -> f32 loc("/program/k.py":13:7)
  pyk.store %y, %a[] : !pyk.array<f32, c> loc("/program/k.py":14:5)
  pyk.return loc("/program/k.py":15:5)
} loc("/program/k.py":10:1)

pyk.func @squared_1(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32 loc("/program/k.py":3:9)
  pyk.return %y : f32 loc("/program/k.py":3:2)
} loc("squared"("/program/k.py":2:1))
