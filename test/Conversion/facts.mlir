// RUN: pyk-opt %s --convert-pyk-to-gpu | FileCheck %s
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm | FileCheck %s --check-prefix=NVVM
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm --pyk-print-ptx \
// RUN: | FileCheck %s --check-prefix=PTX

// Facts become attributes of parameters, and a list on the kernel.
// CHECK: gpu.func @copy(
// CHECK-SAME: %{{.*}}: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
// CHECK-SAME: %{{.*}}: i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483648>},
// CHECK-SAME: %{{.*}}: !llvm.ptr<1> {llvm.noalias},
// CHECK-SAME: %{{.*}}: i64 {llvm.range = #llvm.constant_range<i64, 0, 281474976710656>},
// CHECK-SAME: %{{.*}}: i32 {llvm.range = #llvm.constant_range<i32, 0, -2147483648>},
// CHECK-SAME: %{{[a-z0-9]*}}: i32)
// CHECK-SAME: pyk.facts = [#pyk.facts<small|disjoint>, #pyk.facts<disjoint|written>, #pyk.facts<small>, #pyk.facts<none>]
// NVVM: llvm.func @copy(
// NVVM-SAME: llvm.range = #llvm.constant_range<i64, 0, 2147483648>
// NVVM-SAME: llvm.range = #llvm.constant_range<i32, 0, -2147483648>
// NVVM-SAME: passthrough = {{\[}}["pyk.facts", "argument 0: small, disjoint; argument 1: disjoint; argument 2: small"]]
// PTX: // copy takes for granted of its launches: argument 0: small, disjoint; argument 1: disjoint; argument 2: small
// PTX: ld.global.nc.b32
pyk.func @copy(%a: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<small|disjoint>},
               %b: !pyk.array<?xf32, c> {pyk.facts = #pyk.facts<disjoint|written>},
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
