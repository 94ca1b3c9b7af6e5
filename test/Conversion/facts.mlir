// RUN: pyk-opt %s --convert-pyk-to-gpu | FileCheck %s
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm | FileCheck %s --check-prefix=NVVM
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm --pyk-print-ptx \
// RUN: | FileCheck %s --check-prefix=PTX

// Facts become attributes of parameters, and a list on the kernel.
// CHECK: gpu.func @copy(
// CHECK-SAME: %{{[a-z0-9]*}}: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %{{[a-z0-9]*}}: i32 {llvm.range = #llvm.constant_range<i32, 0, -2147483648>},
// CHECK-SAME: %{{[a-z0-9]*}}: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias},
// CHECK-SAME: %{{[a-z0-9]*}}: i64 {llvm.range = #llvm.constant_range<i64, 0, 281474976710656>},
// CHECK-SAME: %{{[a-z0-9]*}}: i32 {llvm.range = #llvm.constant_range<i32, 0, -2147483648>},
// CHECK-SAME: %{{[a-z0-9]*}}: i32)
// CHECK-SAME: pyk.facts = [#pyk.facts<small|disjoint>, #pyk.facts<disjoint|written|aligned>, #pyk.facts<small>, #pyk.facts<none>]
// NVVM: llvm.func @copy(
// NVVM-SAME: llvm.range = #llvm.constant_range<i32, 0, -2147483648>
// NVVM-SAME: llvm.range = #llvm.constant_range<i32, 0, -2147483648>
// NVVM-SAME: passthrough = {{\[}}["pyk.facts", "argument 0: small, disjoint; argument 1: disjoint, aligned; argument 2: small"]]
// PTX: // copy takes for granted of its launches: argument 0: small, disjoint; argument 1: disjoint, aligned; argument 2: small
// PTX-NEXT: // place takes for granted of its launches: grid: small
// PTX: .param .u64 .ptr .global .align 16 copy_param_2
// PTX: ld.global.nc.b32
pyk.func @copy(%a: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
               %b: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<disjoint|written|aligned>},
               %n: i32 {pyk.facts = #pyk.facts<small>}, %m: i32)
    attributes {kernel} {
  %i = pyk.grid x : i64
  %na = pyk.dim %a, 0 : !pyk.array<?xf32, c>
  %nb = pyk.dim %b, 0 : !pyk.array<?xf32, c>
  %least = arith.minsi %na, %nb : i64
  %n64 = arith.extsi %n : i32 to i64
  %m64 = arith.extsi %m : i32 to i64
  %end = arith.minsi %least, %n64 : i64
  %last = arith.minsi %end, %m64 : i64
  %inside = arith.cmpi slt, %i, %last : i64
  scf.if %inside {
    %v = pyk.load %a[%i] : !pyk.array<?xf32, c>
    pyk.store %v, %b[%i] : !pyk.array<?xf32, c>
  }
  pyk.return
}

// Threads of a small grid are counted in 32 bits.
// CHECK: gpu.func @place(
// CHECK-SAME: pyk.small_grid
// CHECK: gpu.block_id x upper_bound 2097151
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
// CHECK: %[[INDEX:.*]] = arith.addi %[[FIRST]], %{{.*}} overflow<nsw, nuw> : i32
// CHECK: arith.extui %[[INDEX]] : i32 to i64
// CHECK: gpu.grid_dim x upper_bound 2097151
// CHECK: %[[SIZE:.*]] = arith.muli %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
// CHECK: arith.extui %[[SIZE]] : i32 to i64
// NVVM: llvm.func @place(
// NVVM-SAME: passthrough = {{\[}}["pyk.facts", "grid: small"]]
pyk.func @place(%out: !pyk.array<?xi64, c>)
    attributes {kernel, pyk.small_grid} {
  %i = pyk.grid x : i64
  %size = pyk.grid_size x : i64
  pyk.store %size, %out[%i] : !pyk.array<?xi64, c>
  pyk.return
}

// The stride of the last dimension is no parameter where it is known.
// CHECK: gpu.func @column(
// CHECK-SAME: %[[DATA:[a-z0-9]*]]: !llvm.ptr<1>,
// CHECK-SAME: %[[STRIDE:[a-z0-9]*]]: i64)
// CHECK-SAME: pyk.facts = [#pyk.facts<unit>]
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK: pyk.from_pointer %[[DATA]] extents(%{{.*}}, %{{.*}}) strides(%[[STRIDE]], %[[FOUR]])
pyk.func @column(%a: !pyk.array<?x?xf32, any> {pyk.facts = #pyk.facts<unit>})
    attributes {kernel} {
  %c1 = arith.constant 1 : i64
  %i = pyk.grid x : i64
  %v = pyk.load %a[%i, %c1] : !pyk.array<?x?xf32, any>
  pyk.store %v, %a[%c1, %i] : !pyk.array<?x?xf32, any>
  pyk.return
}
