// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @waiting(
pyk.func @waiting(%p: i1) {
  // CHECK-NEXT: pyk.barrier{{$}}
  pyk.barrier
  // CHECK-NEXT: pyk.barrier vote count %{{.*}} -> i32
  %a = pyk.barrier vote count %p -> i32
  // CHECK-NEXT: pyk.barrier vote all %{{.*}} -> i32
  %b = pyk.barrier vote all %p -> i32
  // CHECK-NEXT: pyk.barrier vote any %{{.*}} -> i32
  %c = pyk.barrier vote any %p -> i32
  // CHECK-NEXT: pyk.grid_group
  pyk.grid_group
  // CHECK-NEXT: pyk.grid_barrier
  pyk.grid_barrier
  // CHECK-NEXT: pyk.spin_hint
  pyk.spin_hint
  pyk.return
}

// CHECK-LABEL: pyk.func @votes(
pyk.func @votes(%mask: i32, %p: i1) {
  // CHECK-NEXT: pyk.vote all %{{.*}} mask %{{.*}}
  %a = pyk.vote all %p mask %mask
  // CHECK-NEXT: pyk.vote any
  %b = pyk.vote any %p mask %mask
  // CHECK-NEXT: pyk.vote equal
  %c = pyk.vote equal %p mask %mask
  // CHECK-NEXT: pyk.ballot %{{.*}} mask %{{.*}}
  %d = pyk.ballot %p mask %mask
  // CHECK-NEXT: pyk.warp_barrier mask %{{.*}}
  pyk.warp_barrier mask %mask
  // CHECK-NEXT: pyk.warp_barrier{{$}}
  pyk.warp_barrier
  pyk.return
}

// CHECK-LABEL: pyk.func @running_together(
pyk.func @running_together() {
  // CHECK-NEXT: pyk.active_mask{{$}}
  %a = pyk.active_mask
  // Nobody uses them, and one could be the other.
  // CHECK-NEXT: pyk.active_mask{{$}}
  %b = pyk.active_mask
  pyk.return
}

// CHECK-LABEL: pyk.func @shuffles(
pyk.func @shuffles(%mask: i32, %x: f32, %n: i64, %offset: i32) {
  // CHECK-NEXT: pyk.shuffle index %{{.*}}, %{{.*}} mask %{{.*}} : f32
  %a = pyk.shuffle index %x, %offset mask %mask : f32
  // CHECK-NEXT: pyk.shuffle up %{{.*}}, %{{.*}} mask %{{.*}} : i64
  %b = pyk.shuffle up %n, %offset mask %mask : i64
  // CHECK-NEXT: pyk.shuffle down
  %c = pyk.shuffle down %x, %offset mask %mask : f32
  // CHECK-NEXT: pyk.shuffle xor
  %d = pyk.shuffle xor %x, %offset mask %mask : f32
  // CHECK-NEXT: pyk.shuffle index %{{.*}}, %{{.*}} mask %{{.*}} width %{{.*}} : f32
  %e = pyk.shuffle index %x, %offset mask %mask width %offset : f32
  pyk.return
}

// CHECK-LABEL: pyk.func @matches(
pyk.func @matches(%mask: i32, %x: f32, %n: i64) {
  // CHECK-NEXT: pyk.match_any %{{.*}} mask %{{.*}} : f32
  %a = pyk.match_any %x mask %mask : f32
  // CHECK-NEXT: %{{.*}}, %{{.*}} = pyk.match_all %{{.*}} mask %{{.*}} : i64
  %b, %c = pyk.match_all %n mask %mask : i64
  // CHECK-NEXT: pyk.lane_mask lt
  %d = pyk.lane_mask lt
  pyk.return
}

// CHECK-LABEL: pyk.func @times(
pyk.func @times(%n: i32) {
  // CHECK-NEXT: pyk.spin_hint{{$}}
  pyk.spin_hint
  // CHECK-NEXT: pyk.spin_hint for %{{.*}}
  pyk.spin_hint for %n
  // CHECK-NEXT: pyk.clock cycles : i64
  %a = pyk.clock cycles : i64
  // CHECK-NEXT: pyk.clock nanoseconds : i64
  %b = pyk.clock nanoseconds : i64
  pyk.return
}
