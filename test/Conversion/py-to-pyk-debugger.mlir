// RUN: pyk-opt %s --py-infer-types \
// RUN:   --convert-py-to-pyk="debug-info=full" | FileCheck %s
// RUN: pyk-opt %s --py-infer-types \
// RUN:   --convert-py-to-pyk="debug-info=lines" | FileCheck %s --check-prefix=NOT

// NOT-NOT: debug_value

!o = !py.object

// Parameters, whenever a variable is set, and whatever type it has then. What is
// no number and no array of numbers, debuggers do not know.
// CHECK-LABEL: pyk.func @kernel(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: !pyk.array<?xi16, c>,
// CHECK-SAME:    %[[N:[a-z0-9]+]]: i8,
// CHECK-SAME:    %[[T:[a-z0-9]+]]: i64,
// CHECK-SAME:    %[[P0:[a-z0-9]+]]: f32, %[[P1:[a-z0-9]+]]: f32)
// CHECK-NEXT:    pyk.debug_value "a", !pyk.array<?xui16, c> = %[[A]] argument 1 :
// CHECK-NEXT:    pyk.debug_value "n", ui8 = %[[N]] argument 2 : i8
// CHECK-NEXT:    pyk.debug_value "t", si64 = %[[T]] argument 3 : i64
// CHECK-NOT:     "pair"
// CHECK:         pyk.debug_value "x", f32 = %[[P0]] : f32
// CHECK:         %[[FLAG:.*]] = arith.cmpf
// CHECK:         pyk.debug_value "x", i1 = %[[FLAG]] : i1
py.func @kernel(["a", "n", "t", "pair"]) kernel arguments [
    !pyk.array<?xui16, c>, ui8, !py.time<timedelta, ms>, tuple<f32, f32>] {
  %pair = py.get "pair" : !o
  %zero = py.constant(#py.int<0 : si64>) : !o
  %one = py.constant(#py.int<1 : si64>) : !o
  %first = py.subscript %pair[%zero] : (!o, !o) -> !o
  py.set "x", %first : !o
  %second = py.subscript %pair[%one] : (!o, !o) -> !o
  %flag = py.compare lt %first, %second : (!o, !o) -> !o
  py.set "x", %flag : !o
}

// The library's own variables are not the program's.
// CHECK-LABEL: pyk.func @library(
// CHECK-NOT:     debug_value
py.func @library(["x"]) kernel arguments [f32] library {
  %x = py.get "x" : !o
  py.set "y", %x : !o
}
