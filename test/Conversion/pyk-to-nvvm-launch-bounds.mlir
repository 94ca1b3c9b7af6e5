// RUN: pyk-opt %s --pyk-lower-to-gpu | FileCheck %s --check-prefix=GPU
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: FileCheck %s --check-prefix=NVVM --input-file %t.mlir
// RUN: pyk-opt %t.mlir --pyk-print-ptx=chip=sm_80 -o /dev/null | FileCheck %s --check-prefixes=PTX,SM80
// RUN: pyk-opt %t.mlir --pyk-print-ptx=chip=sm_90 -o /dev/null | FileCheck %s --check-prefixes=PTX,SM90

// What bounds the launches of a kernel stands on it in all stages.
// GPU: gpu.func @bounded({{.*}}) kernel attributes {
// GPU-SAME: pyk.launch_bounds = array<i32: 128, 2, 4>

// NVVM: llvm.func @bounded(
// NVVM-NOT: pyk.launch_bounds
// NVVM-SAME: nvvm.cluster_max_blocks = 4 : i32
// NVVM-SAME: nvvm.maxntid = array<i32: 128, 1, 1>
// NVVM-SAME: nvvm.minctasm = 2 : i32

// PTX: .visible .entry bounded(
// PTX: .maxntid 128, 1, 1
// PTX-NEXT: .minnctapersm 2
// Clusters are newer.
// SM80-NOT: .maxclusterrank
// SM90-NEXT: .maxclusterrank 4
pyk.func @bounded(%a: !pyk.array<?xf32, c>, %x: f32)
    attributes {kernel, pyk.launch_bounds = array<i32: 128, 2, 4>} {
  %i = pyk.grid x : i64
  pyk.store %x, %a[%i] : !pyk.array<?xf32, c>
  pyk.return
}
