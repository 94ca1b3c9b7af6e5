// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!half = !pyk.record<"x" : f32 at 0, "y" : f64 at 4, size 12>
!point = !pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8>

// A number is read in pieces as large as its address allows, and no smaller.
// CHECK: .visible .entry kernel(
pyk.func @kernel(%a: !pyk.array<?x!half, c>, %b: !pyk.array<?x!point, c, align 1>,
                 %c: !pyk.array<?x!point, c>, %out: !pyk.array<?xf64, c>)
    attributes {kernel} {
  %t = pyk.thread_id x : i32
  %i = arith.extui %t : i32 to i64
  // CHECK-COUNT-2: ld.global.b32
  %r = pyk.view %a[%i] : !pyk.array<?x!half, c> to !pyk.array<!half, c>
  %f = pyk.field %r "y" : !pyk.array<!half, c> to !pyk.array<f64, c, align 4>
  %y = pyk.load %f[] : !pyk.array<f64, c, align 4>
  // CHECK: st.global.b64
  pyk.store %y, %out[%i] : !pyk.array<?xf64, c>
  // CHECK-COUNT-8: ld.global.b8
  // CHECK-COUNT-2: st.global.b32
  %p = pyk.view %b[%i] : !pyk.array<?x!point, c, align 1> to !pyk.array<!point, c, align 1>
  %q = pyk.view %c[%i] : !pyk.array<?x!point, c> to !pyk.array<!point, c>
  pyk.copy_record %p to %q : !pyk.array<!point, c, align 1>, !pyk.array<!point, c>
  pyk.return
}
