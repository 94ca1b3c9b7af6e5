// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=NVVM
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_75 -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_75 %t.ptx --output-file %t.o %}

// NVVM-DAG: llvm.func @pyk.load.ca.p1.b8(!llvm.ptr<1>) -> i8 attributes {{{.*}}argMem = read
// NVVM-DAG: llvm.func @pyk.load.volatile.cv.p1.b64(!llvm.ptr<1>) -> i64 attributes {{{.*}}argMem = readwrite
// NVVM-DAG: llvm.func @pyk.store.cs.p1.b32(!llvm.ptr<1>, i32) attributes {{{.*}}argMem = write

// CHECK-LABEL: .visible .entry loads(
pyk.func @loads(%b: !pyk.array<?xi1, c>, %h: !pyk.array<?xf16, c>,
                %i: !pyk.array<?xi32, c>, %d: !pyk.array<?xf64, c>, %n: i64)
    attributes {kernel} {
  // CHECK: ld.global.ca.b8
  %0 = pyk.load cache ca %b[%n] : !pyk.array<?xi1, c>
  // CHECK: ld.global.cg.b16
  %1 = pyk.load cache cg %h[%n] : !pyk.array<?xf16, c>
  // CHECK: ld.global.lu.b32
  %2 = pyk.load cache lu %i[%n] : !pyk.array<?xi32, c>
  // CHECK: ld.global.cv.b64
  %3 = pyk.load volatile cache cv %d[%n] : !pyk.array<?xf64, c>
  // CHECK: st.global.wt.b8
  pyk.store cache wt %0, %b[%n] : !pyk.array<?xi1, c>
  // CHECK: st.global.cg.b16
  pyk.store cache cg %1, %h[%n] : !pyk.array<?xf16, c>
  // CHECK: st.global.cs.b32
  pyk.store cache cs %2, %i[%n] : !pyk.array<?xi32, c>
  // CHECK: st.global.wb.b64
  pyk.store cache wb %3, %d[%n] : !pyk.array<?xf64, c>
  pyk.return
}

// One instruction for what is read twice, and none for what is not needed.
// CHECK-LABEL: .visible .entry joined(
pyk.func @joined(%a: !pyk.array<?xf32, c>, %out: !pyk.array<?xf32, c>, %n: i64)
    attributes {kernel} {
  // CHECK: ld.global.cs.b32
  // CHECK-NOT: ld.global
  %0 = pyk.load cache cs %a[%n] : !pyk.array<?xf32, c>
  %1 = pyk.load cache cs %a[%n] : !pyk.array<?xf32, c>
  %2 = pyk.load cache lu %a[%n] : !pyk.array<?xf32, c>
  %3 = arith.addf %0, %1 : f32
  pyk.store %3, %out[%n] : !pyk.array<?xf32, c>
  // CHECK: ret;
  pyk.return
}

// Only global memory has caches.
// CHECK-LABEL: .visible .entry shared(
pyk.func @shared(%a: !pyk.array<f32, c>, %out: !pyk.array<f32, c>)
    attributes {kernel} {
  %s = pyk.alloc : !pyk.array<f32, c, shared>
  %0 = pyk.load %a[] : !pyk.array<f32, c>
  // CHECK: st.shared.b32
  pyk.store cache cs %0, %s[] : !pyk.array<f32, c, shared>
  pyk.barrier
  // CHECK: ld.shared.b32
  %1 = pyk.load cache lu %s[] : !pyk.array<f32, c, shared>
  // CHECK: st.global.cs.b32
  pyk.store cache cs %1, %out[] : !pyk.array<f32, c>
  pyk.return
}

// Memory of which nobody says where it lies: no more does the instruction.
// CHECK-LABEL: .visible .entry generic(
pyk.func @generic(%a: !pyk.array<f32, c>, %out: !pyk.array<f32, c>, %c: i1)
    attributes {kernel} {
  %s = pyk.alloc : !pyk.array<f32, c, shared>
  %0 = pyk.load %a[] : !pyk.array<f32, c>
  pyk.store %0, %s[] : !pyk.array<f32, c, shared>
  %one = pyk.cast %a : !pyk.array<f32, c> to !pyk.array<f32, c, generic>
  %other = pyk.cast %s : !pyk.array<f32, c, shared> to !pyk.array<f32, c, generic>
  %any = arith.select %c, %one, %other : !pyk.array<f32, c, generic>
  // CHECK: ld.cs.b32
  %1 = pyk.load cache cs %any[] : !pyk.array<f32, c, generic>
  pyk.store %1, %out[] : !pyk.array<f32, c>
  // CHECK: st.wt.b32
  pyk.store cache wt %1, %any[] : !pyk.array<f32, c, generic>
  pyk.return
}
