// RUN: pyk-opt %s --convert-pyk-to-gpu | FileCheck %s

// The record of a failure goes to kernels whose threads may fail in a function
// that the CPU has instead of foreign code, however far down it is called.
// CHECK: gpu.func @far(
// CHECK-SAME:  pyk.abi = #pyk.abi<[<scalar, 0>, <failure, 0>]>
// CHECK: gpu.func @without(
// CHECK-SAME:  pyk.abi = #pyk.abi<[<scalar, 0>]>
pyk.func @check(%n: i64) {
  %zero = arith.constant 0 : i64
  %c = arith.cmpi sgt, %n, %zero : i64
  pyk.check %c else #pyk.failure<"ValueError", "", "check" at "a.py" : 3 exception 0>
  pyk.return
}

pyk.func @foreign(%n: i64) {
  pyk.foreign_call #pyk.foreign<c, "f", [none]> (%n) host @check : (i64) -> ()
  pyk.return
}

pyk.func @near(%n: i64) {
  pyk.call @foreign(%n) : (i64) -> ()
  pyk.return
}

pyk.func @far(%n: i64) attributes {kernel} {
  pyk.call @near(%n) : (i64) -> ()
  pyk.return
}

pyk.func @without(%n: i64) attributes {kernel} {
  pyk.foreign_call #pyk.foreign<c, "g", [none]> (%n) : (i64) -> ()
  pyk.return
}
