// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=lines" -o /dev/null > %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=lines ptx-version=72" -o /dev/null \
// RUN: | FileCheck %s

// The oldest version that has frames, whoever asks for it.
// CHECK:      .version 7.2

// Calls in calls: those further out come first, each once in a function, in
// whichever file it stands.
// CHECK-LABEL: .visible .entry first(
// CHECK:      .loc 1 12 5
// CHECK:      .loc 1 13 7
// CHECK-NEXT: .loc 2 3 9, function_name $L__pyk_name0, inlined_at 1 13 7
// CHECK-NEXT: add.rn.f32
// CHECK:      .loc 2 4 11, function_name $L__pyk_name0, inlined_at 1 13 7
// CHECK-NEXT: .loc 2 7 13, function_name $L__pyk_name1, inlined_at 2 4 11
// CHECK-NEXT: mul.rn.f32
// CHECK:      .loc 1 14 9
// CHECK-NEXT: .loc 2 7 13, function_name $L__pyk_name1, inlined_at 1 14 9
// CHECK-NEXT: mul.rn.f32
// CHECK:      .loc 1 15 5

// Names of functions are those of before, lines of calls are not.
// CHECK-LABEL: .visible .entry second(
// CHECK:      .loc 1 23 7
// CHECK-NEXT: .loc 2 3 9, function_name $L__pyk_name0, inlined_at 1 23 7
// CHECK-NEXT: add.rn.f32
// CHECK:      .loc 2 4 11, function_name $L__pyk_name0, inlined_at 1 23 7
// CHECK-NEXT: .loc 2 7 13, function_name $L__pyk_name1, inlined_at 2 4 11

// CHECK:      .file 1 "/program/k.py"
// CHECK-NEXT: .file 2 "/program/f.py"
// CHECK:      .section .debug_str
// CHECK-NEXT: {
// CHECK-NEXT: $L__pyk_name0:
// CHECK-NEXT: .b8 111,117,116,101,114,0
// CHECK-NEXT: $L__pyk_name1:
// CHECK-NEXT: .b8 105,110,110,101,114,0
// CHECK-NEXT: }
pyk.func @first(%a: !pyk.array<f32, c>) attributes {kernel} {
  %x = pyk.load %a[] : !pyk.array<f32, c> loc("/program/k.py":12:5)
  %y = pyk.call @outer(%x) : (f32) -> f32 loc("/program/k.py":13:7)
  %z = pyk.call @inner(%y) : (f32) -> f32 loc("/program/k.py":14:9)
  pyk.store %z, %a[] : !pyk.array<f32, c> loc("/program/k.py":15:5)
  pyk.return loc("/program/k.py":16:5)
} loc("/program/k.py":10:1)

pyk.func @second(%a: !pyk.array<f32, c>) attributes {kernel} {
  %x = pyk.load %a[] : !pyk.array<f32, c> loc("/program/k.py":22:5)
  %y = pyk.call @outer(%x) : (f32) -> f32 loc("/program/k.py":23:7)
  pyk.store %y, %a[] : !pyk.array<f32, c> loc("/program/k.py":25:5)
  pyk.return loc("/program/k.py":26:5)
} loc("/program/k.py":20:1)

pyk.func @outer(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32 loc("/program/f.py":3:9)
  %z = pyk.call @inner(%y) : (f32) -> f32 loc("/program/f.py":4:11)
  pyk.return %z : f32 loc("/program/f.py":5:2)
} loc("outer"("/program/f.py":2:1))

pyk.func @inner(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32 loc("/program/f.py":7:13)
  pyk.return %y : f32 loc("/program/f.py":8:2)
} loc("inner"("/program/f.py":6:1))
