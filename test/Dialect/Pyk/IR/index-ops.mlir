// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @place_of_a_thread(
pyk.func @place_of_a_thread() {
  // CHECK-NEXT: pyk.thread_id x : i32
  %thread = pyk.thread_id x : i32
  // CHECK-NEXT: pyk.block_id y : i32
  %block = pyk.block_id y : i32
  // CHECK-NEXT: pyk.block_dim z : i32
  %threads = pyk.block_dim z : i32
  // CHECK-NEXT: pyk.grid_dim x : i32
  %blocks = pyk.grid_dim x : i32
  // CHECK-NEXT: pyk.grid y : i64
  %place = pyk.grid y : i64
  // CHECK-NEXT: pyk.grid_size z : i64
  %size = pyk.grid_size z : i64
  // CHECK-NEXT: pyk.grid x : i32
  %narrow = pyk.grid x : i32
  // CHECK-NEXT: pyk.lane_id : i32
  %lane = pyk.lane_id : i32
  pyk.return
}
