// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// A line of more than 32 values is written in parts, by the thread that has the
// lock. It meets those that wait at the end of the iteration.
// CHECK-LABEL: .visible .entry long(
// CHECK: add.s64 {{.*}}, 256;
// CHECK-NEXT: cvta.local.u64 [[REST:%rd[0-9]+]]
// CHECK: [[PRINT:\$.*]]:
// CHECK-NOT: [param1], [[REST]];
// CHECK: vprintf
// CHECK: st.param.b64 [param1], [[REST]];
// CHECK: vprintf
// CHECK: st.release.gpu.global.b32 [pyk_print_lock], 0;
// CHECK: [[MET:\$.*]]:
// CHECK: bra [[TRY:\$.*]];
// CHECK: [[TRY]]:
// CHECK: atom.acquire.gpu.global.cas.b32 {{.*}}, [pyk_print_lock], 0, 1;
// CHECK: bra [[PRINT]];
// CHECK: nanosleep.u32
// CHECK: bra.uni [[MET]];
pyk.func @long(%i: i64) attributes {kernel} {
  pyk.print "%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%lld%%\0A"(%i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i, %i) : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64
  pyk.return
}

// Another line of the same module takes it, too.
// CHECK-LABEL: .visible .entry short(
// CHECK: vprintf
// CHECK: cas.b32 {{.*}}, [pyk_print_lock], 0, 1;
pyk.func @short(%i: i64) attributes {kernel} {
  pyk.print "%lld\0A"(%i) : i64
  pyk.return
}
