// REQUIRES: libdevice
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="opt=0" -o /dev/null | FileCheck %s
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// The function is inlined, at any level; neither it nor another of the library
// stays behind.
// CHECK-NOT: .func
// CHECK: .visible .entry exponentials(
// CHECK-NOT: call
// CHECK: ex2.approx
// CHECK-NOT: call
// CHECK: ret
// CHECK-NOT: .func
pyk.func @exponentials(%a: !pyk.array<?xf32, c>) attributes {kernel} {
  %i = pyk.grid x : i64
  %x = pyk.load %a[%i] : !pyk.array<?xf32, c>
  %y = math.exp %x : f32
  pyk.store %y, %a[%i] : !pyk.array<?xf32, c>
  pyk.return
}
