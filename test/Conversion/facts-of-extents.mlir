// RUN: pyk-opt %s --convert-pyk-to-gpu | FileCheck %s
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm | FileCheck %s --check-prefix=NVVM

// Extents of what is narrow are below 2^31 - 2^16, of what is small below 2^31.
// An array that is written is not read only.
// CHECK: gpu.func @sizes(
// CHECK-SAME: %{{[a-z0-9]*}}: !llvm.ptr<1>,
// CHECK-SAME: %{{[a-z0-9]*}}: i32 {llvm.range = #llvm.constant_range<i32, 0, 2147418112>},
// CHECK-SAME: %{{[a-z0-9]*}}: !llvm.ptr<1> {llvm.noalias},
// CHECK-SAME: %{{[a-z0-9]*}}: i32 {llvm.range = #llvm.constant_range<i32, 0, -2147483648>},
// CHECK-SAME: %{{[a-z0-9]*}}: i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483648>})
// The last parameter keeps its range, too.
// NVVM: llvm.func @sizes(
// NVVM-SAME: i32 {llvm.range = #llvm.constant_range<i32, 0, 2147418112>}
// NVVM-SAME: i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483648>})
pyk.func @sizes(%a: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<narrow>},
                %b: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint|written>},
                %n: i64 {pyk.facts = #pyk.facts<small>}) attributes {kernel} {
  %x = arith.constant 1.0 : f32
  %na = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  %nb = pyk.dim %b, 0 : !pyk.array<?xf32, c>
  pyk.store %x, %a[%na] : !pyk.array<?xf32, c>
  pyk.store %x, %b[%nb] : !pyk.array<?xf32, c>
  pyk.store %x, %b[%n] : !pyk.array<?xf32, c>
  pyk.return
}
