// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=lines" -o /dev/null > %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=lines ptx-version=71" -o /dev/null > %t.old
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.old --output-file %t.o %}

// Names of files that LLVM writes with escapes have frames all the same. A
// quote, which PTX has no way to write, is another character.
// CHECK:     .loc 1 3 9, function_name $L__pyk_name0, inlined_at 1 13 7
// CHECK:     .file 1 "/a 'program'/\\k\303\274.py"
pyk.func @k(%a: !pyk.array<f32, c>) attributes {kernel} {
  %x = pyk.load %a[] : !pyk.array<f32, c> loc("/a \22program\22/\\kü.py":12:5)
  %y = pyk.call @squared(%x) : (f32) -> f32 loc("/a \22program\22/\\kü.py":13:7)
  pyk.store %y, %a[] : !pyk.array<f32, c> loc("/a \22program\22/\\kü.py":14:5)
  pyk.return loc("/a \22program\22/\\kü.py":15:5)
} loc("/a \22program\22/\\kü.py":10:1)

pyk.func @squared(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32 loc("/a \22program\22/\\kü.py":3:9)
  pyk.return %y : f32 loc("/a \22program\22/\\kü.py":3:2)
} loc("/a \22program\22/\\kü.py":2:1)
