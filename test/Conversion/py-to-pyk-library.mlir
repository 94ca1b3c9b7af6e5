// RUN: pyk-opt %s --py-infer-types --convert-py-to-pyk | FileCheck %s

// Functions of the library that are short and compute integers from integers
// are inlined, those included that call such a function. Functions that have a
// condition, read memory or compute floats stay, and so do functions of the
// program. What is exported stays beside its inlined calls.

!o = !py.object

// CHECK-LABEL: pyk.func @kernel(
// CHECK-SAME:    %[[A:.*]]: !pyk.array<?xi64, c>, %[[N:.*]]: i64, %{{.*}}: f32)
// CHECK:         %[[TWICE:.*]] = arith.addi %[[N]], %[[N]]
// CHECK-NEXT:    %[[FOUR:.*]] = arith.addi %[[TWICE]], %[[TWICE]]
// CHECK:         %[[SIZE:.*]] = pyk.call @size(%[[FOUR]])
// CHECK:         %[[SAME:.*]] = pyk.call @same(%[[SIZE]])
// CHECK:         %[[FIRST:.*]] = pyk.call @first(%[[A]])
// CHECK:         %[[HALF:.*]] = pyk.call @half(%{{.*}}) : (f32) -> f32
// CHECK:         pyk.return
// CHECK-NOT:   pyk.func @twice
// CHECK-NOT:   pyk.func @fourfold
// CHECK:       pyk.func @size
// CHECK:       pyk.func @same
// CHECK:       pyk.func @first
// CHECK:       pyk.func @half
py.func @kernel(["a", "n", "x"]) kernel
    arguments [!pyk.array<?xsi64, c>, si64, f32] {
  %fourfold = py.constant(@fourfold) : !o
  %size = py.constant(@size) : !o
  %same = py.constant(@same) : !o
  %first = py.constant(@first) : !o
  %half = py.constant(@half) : !o
  %n = py.get "n" : !o
  %a = py.get "a" : !o
  %x = py.get "x" : !o
  %four = py.call %fourfold(%n) : (!o, !o) -> !o
  %positive = py.call %size(%four) : (!o, !o) -> !o
  %result = py.call %same(%positive) : (!o, !o) -> !o
  %zero = py.constant(#py.int<0 : si64>) : !o
  py.set_subscript %result, %a[%zero] : !o, !o, !o
  %one = py.constant(#py.int<1 : si64>) : !o
  %begin = py.call %first(%a) : (!o, !o) -> !o
  py.set_subscript %begin, %a[%one] : !o, !o, !o
  %y = py.call %half(%x) : (!o, !o) -> !o
  %int = py.constant(#py.int<2 : si64>) : !o
  py.set_subscript %begin, %a[%int] : !o, !o, !o
}
py.func @fourfold(["x"]) device library {
  %twice = py.constant(@twice) : !o
  %x = py.get "x" : !o
  %one = py.call %twice(%x) : (!o, !o) -> !o
  %other = py.call %twice(%one) : (!o, !o) -> !o
  py.return %other : !o
}
py.func @twice(["x"]) device library {
  %x = py.get "x" : !o
  %sum = py.binary add %x, %x : (!o, !o) -> !o
  py.return %sum : !o
}
py.func @size(["x"]) device library {
  %x = py.get "x" : !o
  %zero = py.constant(#py.int<0 : si64>) : !o
  %below = py.compare lt %x, %zero : (!o, !o) -> !o
  py.if %below : !o {
    %negative = py.unary minus %x : (!o) -> !o
    py.return %negative : !o
  } else {
  }
  py.return %x : !o
}
py.func @same(["x"]) device {
  %x = py.get "x" : !o
  py.return %x : !o
}
py.func @first(["a"]) device library {
  %a = py.get "a" : !o
  %zero = py.constant(#py.int<0 : si64>) : !o
  %x = py.subscript %a[%zero] : (!o, !o) -> !o
  py.return %x : !o
}
py.func @half(["x"]) device library {
  %x = py.get "x" : !o
  %two = py.constant(0.5 : f32) : !o
  %y = py.binary mul %x, %two : (!o, !o) -> !o
  py.return %y : !o
}
