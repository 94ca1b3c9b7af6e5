// RUN: pyk-opt %s --pyk-lower-to-gpu | FileCheck %s --check-prefix=GPU
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | FileCheck %s --check-prefix=NVVM

// Stage gpu: one module, one kernel of plain parameters, and neither wrapping of
// indices nor the extents that only wrapping needs.
// GPU-LABEL: gpu.module @pyk
// GPU-NEXT:    gpu.func @vector_add(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64 {llvm.range = #llvm.constant_range<i64, 0, 281474976710656>}) kernel
// GPU-SAME:      pyk.abi = #pyk.abi<[<data, 0>, <data, 1>, <data, 2>, <extent, 2>]>
// GPU-NOT:     arith.select
// GPU:         scf.if
// GPU-NOT:     arith.select
// GPU:         pyk.return

// Stage nvvm: nothing but LLVM and NVVM.
// NVVM-LABEL: gpu.module @pyk
// NVVM-NEXT:    llvm.func @vector_add(
// NVVM-SAME:      nvvm.kernel, pyk.abi = {{.*}}>} {
// NVVM-NOT:     pyk.
// NVVM:         llvm.return
pyk.func @vector_add(%a: !pyk.array<?xf32, c>, %b: !pyk.array<?xf32, c>,
                     %sum: !pyk.array<?xf32, c>) attributes {kernel} {
  %i = pyk.grid x : i64
  %n = pyk.dim %sum, 0 : !pyk.array<?xf32, c>
  %inside = arith.cmpi slt, %i, %n : i64
  scf.if %inside {
    %na = pyk.dim %a, 0 : !pyk.array<?xf32, c>
    %ia = pyk.wrap_index %i of %na : i64
    %x = pyk.load %a[%ia] : !pyk.array<?xf32, c>
    %nb = pyk.dim %b, 0 : !pyk.array<?xf32, c>
    %ib = pyk.wrap_index %i of %nb : i64
    %y = pyk.load %b[%ib] : !pyk.array<?xf32, c>
    %z = arith.addf %x, %y fastmath<contract> : f32
    %is = pyk.wrap_index %i of %n : i64
    pyk.store %z, %sum[%is] : !pyk.array<?xf32, c>
  }
  pyk.return
}
