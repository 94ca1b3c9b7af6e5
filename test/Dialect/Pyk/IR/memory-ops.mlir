// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @array_types(
// CHECK-SAME:    !pyk.array<f64, c>, 
// CHECK-SAME:    !pyk.array<?xi1, f>, 
// CHECK-SAME:    !pyk.array<4x?xf16, any>, 
// CHECK-SAME:    !pyk.array<2xi8, c, shared>, 
// CHECK-SAME:    !pyk.array<2xi8, c, local>, 
// CHECK-SAME:    !pyk.array<2xi8, c, constant>, 
// CHECK-SAME:    !pyk.array<?xi8, any, readonly>, 
// CHECK-SAME:    !pyk.array<?xi8, any, shared>, 
// CHECK-SAME:    !pyk.array<?xi8, any, generic>, 
// CHECK-SAME:    !pyk.array<?xi8, any, generic, readonly>
pyk.func @array_types(!pyk.array<f64, c>, !pyk.array<?xi1, f>,
                      !pyk.array<4x?xf16, any>, !pyk.array<2xi8, c, shared>,
                      !pyk.array<2xi8, c, local>,
                      !pyk.array<2xi8, c, constant>,
                      !pyk.array<?xi8, any, readonly>,
                      !pyk.array<?xi8, any, shared>,
                      !pyk.array<?xi8, any, generic>,
                      !pyk.array<?xi8, any, generic, readonly>)

// The default space needs no word.
// CHECK-LABEL: pyk.func @global_is_not_printed(
// CHECK-SAME:    !pyk.array<?xf32, c>
pyk.func @global_is_not_printed(!pyk.array<?xf32, c, global>)

// CHECK-LABEL: pyk.func @own_arrays(
pyk.func @own_arrays(%m: i64, %n: i64) {
  // CHECK-NEXT: pyk.alloc : !pyk.array<16x16xf32, c, shared>
  %tile = pyk.alloc : !pyk.array<16x16xf32, c, shared>
  // CHECK-NEXT: pyk.alloc {alignment = 256 : i64} : !pyk.array<8xi32, c, local>
  %own = pyk.alloc {alignment = 256} : !pyk.array<8xi32, c, local>
  // CHECK-NEXT: pyk.dynamic_shared : !pyk.array<?xf32, c, shared>
  %scratch = pyk.dynamic_shared : !pyk.array<?xf32, c, shared>
  // CHECK-NEXT: pyk.dynamic_shared at %{{.*}}[%{{.*}}] : !pyk.array<?x3xf32, c, shared>
  %part = pyk.dynamic_shared at %m [%n] : !pyk.array<?x3xf32, c, shared>
  // CHECK-NEXT: pyk.launch_shared %{{.*}}, %{{.*}} {alignment = 64 : i64} : !pyk.array<?x3x?xf32, c, shared>
  %sized = pyk.launch_shared %m, %n {alignment = 64}
      : !pyk.array<?x3x?xf32, c, shared>
  // CHECK-NEXT: pyk.constant_array dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> : !pyk.array<2xf32, c, constant>
  %weights = pyk.constant_array dense<[1.0, 2.0]> : tensor<2xf32>
      : !pyk.array<2xf32, c, constant>
  pyk.return
}

// CHECK-LABEL: pyk.func @array_at_an_address(
pyk.func @array_at_an_address(%p: !llvm.ptr<1>, %n: i64, %s: i64) {
  // CHECK-NEXT: pyk.device_array 4096 : !pyk.array<3x4xf32, c>
  %known = pyk.device_array 4096 : !pyk.array<3x4xf32, c>
  // CHECK-NEXT: pyk.device_array 4096 strides [-16] : !pyk.array<3xf32, any>
  %column = pyk.device_array 4096 strides [-16] : !pyk.array<3xf32, any>
  // CHECK-NEXT: pyk.from_pointer %{{.*}} : !llvm.ptr<1> to !pyk.array<4xf32, c>
  %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<4xf32, c>
  // CHECK-NEXT: pyk.from_pointer %{{.*}} extents(%{{.*}}) : !llvm.ptr<1> to !pyk.array<4x?xf32, c>
  %b = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<4x?xf32, c>
  // CHECK-NEXT: pyk.from_pointer %{{.*}} extents(%{{.*}}) strides(%{{.*}}) : !llvm.ptr<1> to !pyk.array<?xf32, any>
  %c = pyk.from_pointer %p extents(%n) strides(%s)
      : !llvm.ptr<1> to !pyk.array<?xf32, any>
  // CHECK-NEXT: pyk.to_pointer %{{.*}} : !pyk.array<?xf32, any> -> !llvm.ptr<1>
  %d = pyk.to_pointer %c : !pyk.array<?xf32, any> -> !llvm.ptr<1>
  pyk.return
}

// CHECK-LABEL: pyk.func @sizes_and_access(
pyk.func @sizes_and_access(%a: !pyk.array<?x?xf32, c>, %s: !pyk.array<f32, c>,
                           %i: i64) {
  // CHECK-NEXT: pyk.dim %{{.*}}, 1 : !pyk.array<?x?xf32, c>
  %n = pyk.dim %a, 1 : !pyk.array<?x?xf32, c>
  // CHECK-NEXT: pyk.dim %{{.*}}, 0 : !pyk.array<?x?xf32, c> -> i32
  %m = pyk.dim %a, 0 : !pyk.array<?x?xf32, c> -> i32
  // CHECK-NEXT: pyk.stride %{{.*}}, 0 : !pyk.array<?x?xf32, c>
  %b = pyk.stride %a, 0 : !pyk.array<?x?xf32, c>
  // CHECK-NEXT: pyk.load %{{.*}}[%{{.*}}, %{{.*}}] : !pyk.array<?x?xf32, c>
  %x = pyk.load %a[%i, %i] : !pyk.array<?x?xf32, c>
  // CHECK-NEXT: pyk.load volatile %{{.*}}[] : !pyk.array<f32, c>
  %y = pyk.load volatile %s[] : !pyk.array<f32, c>
  // CHECK-NEXT: pyk.load volatile cache cv %{{.*}}[] : !pyk.array<f32, c>
  %z = pyk.load volatile cache cv %s[] : !pyk.array<f32, c>
  // CHECK-NEXT: pyk.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !pyk.array<?x?xf32, c>
  pyk.store %x, %a[%i, %i] : !pyk.array<?x?xf32, c>
  // CHECK-NEXT: pyk.store cache wt %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !pyk.array<?x?xf32, c>
  pyk.store cache wt %x, %a[%i, %i] : !pyk.array<?x?xf32, c>
  pyk.return
}

// CHECK-LABEL: pyk.func @addresses(
pyk.func @addresses(%a: !pyk.array<?xf32, c>) {
  // CHECK-NEXT: pyk.address %{{.*}} : !pyk.array<?xf32, c>
  %0 = pyk.address %a : !pyk.array<?xf32, c>
  pyk.return
}
