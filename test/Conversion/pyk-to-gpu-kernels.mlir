// RUN: pyk-opt %s --convert-pyk-to-gpu | FileCheck %s

// All kernels are in one module. Each has the parameters that it needs: only
// those whose threads may fail, there or in what they call, have a record.
// CHECK-LABEL: gpu.module @pyk
// CHECK:         gpu.func @plain(
// CHECK-SAME:      %{{.*}}: !llvm.ptr<1>) kernel
// CHECK-SAME:      pyk.abi = #pyk.abi<[<data, 0>]>
// CHECK:         gpu.func @fails(
// CHECK-SAME:      pyk.abi = #pyk.abi<[<scalar, 0>, <failure, 0>]>
// CHECK:           func.call @check(
// CHECK:         func.func private @exported(
// CHECK:         gpu.func @bounded(
// CHECK-SAME:      pyk.abi = #pyk.abi<[<scalar, 0>, <failure, 0>]>
// CHECK-SAME:      pyk.launch_bounds = array<i32: 128>
// CHECK:         func.func private @check(
// CHECK:         func.func @f(
pyk.func @check(%c: i1) {
  pyk.check %c else #pyk.failure<"ValueError", "", "check" at "a.py" : 3 exception 0>
  pyk.return
}

pyk.func @plain(%a: !pyk.array<?xf32, c>) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %x = arith.constant 1.0 : f32
  pyk.store %x, %a[%zero] : !pyk.array<?xf32, c>
  pyk.return
}

pyk.func @fails(%n: i64) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %c = arith.cmpi sgt, %n, %zero : i64
  pyk.call @check(%c) : (i1) -> ()
  pyk.return
}

pyk.func @exported(%n: i64) attributes {pyk.export = #pyk.export<c, "f">} {
  pyk.return
}

pyk.func @bounded(%n: i64) attributes {kernel, pyk.launch_bounds = array<i32: 128>} {
  %zero = arith.constant 0 : i64
  %c = arith.cmpi slt, %n, %zero : i64
  pyk.check %c else #pyk.failure<"IndexError", "", "bounded" at "a.py" : 9>
  pyk.return
}
