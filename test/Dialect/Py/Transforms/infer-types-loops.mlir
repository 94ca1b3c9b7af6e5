// RUN: pyk-opt %s --split-input-file --py-infer-types | FileCheck %s

!o = !py.object

// The head of a loop joins what enters with what comes around.
// CHECK-LABEL: py.func @widens(
// CHECK:       py.for in %{{.*}} slots {x = f64} after {x = f64} : !py.range<si64> {
// CHECK-NEXT:  ^{{.*}}(%[[ELEMENT:.*]]: si64):
// CHECK:         py.set "i", %[[ELEMENT]] : si64 as si64
// CHECK:         py.get "x" : f64
// CHECK:       py.get "x" : f64
py.func @widens(["n"]) kernel arguments [si64] {
  %one = py.constant(#py.int<1 : si64>) : !o
  py.set "x", %one : !o
  %range = py.constant(#py.intrinsic<"builtins.range">) : !o
  %n = py.get "n" : !o
  %r = py.call %range(%n) : (!o, !o) -> !o
  py.for in %r : !o {
  ^body(%element: !o):
    py.set "i", %element : !o
    %x = py.get "x" : !o
    %half = py.constant(0.5) : !o
    %less = py.binary mul %x, %half : (!o, !o) -> !o
    py.set "x", %less : !o
  }
  %after = py.get "x" : !o
}

// -----

!o = !py.object

// What a break leaves with meets what leaves at the head.
// CHECK-LABEL: py.func @leaves(
// CHECK:       py.for {{.*}} slots {x = si64} after {x = f64}
py.func @leaves(["c", "r"]) kernel arguments [i1, si8] {
  %one = py.constant(#py.int<1 : si64>) : !o
  py.set "x", %one : !o
  %range = py.constant(#py.intrinsic<"builtins.range">) : !o
  %limit = py.get "r" : !o
  %r = py.call %range(%limit) : (!o, !o) -> !o
  py.for in %r : !o {
  ^body(%element: !o):
    %x = py.get "x" : !o
    %c = py.get "c" : !o
    py.if %c : !o {
      %real = py.constant(0.5) : !o
      py.set "x", %real : !o
      py.break
    } else {
    }
  }
  %after = py.get "x" : !o
}

// -----

!o = !py.object

// An endless loop: what follows it never runs and has no types.
// CHECK-LABEL: py.func @endless(
// CHECK:       py.while taken true
// CHECK:       py.constant(1.000000e+00 : f64) : !py.object
py.func @endless([]) kernel arguments [] {
  py.while {
    %true = py.constant(true) : !o
    py.yield %true : !o
  } do {
  }
  %dead = py.constant(1.0) : !o
}

// -----

!o = !py.object

// A loop that never runs assigns nothing.
// CHECK-LABEL: py.func @never(
// CHECK:       py.while taken false
// CHECK:       py.get "x" : si64
py.func @never([]) kernel arguments [] {
  %one = py.constant(#py.int<1 : si64>) : !o
  py.set "x", %one : !o
  py.while {
    %false = py.constant(false) : !o
    py.yield %false : !o
  } do {
    %none = py.constant(#py.none) : !o
    py.set "x", %none : !o
    py.set "y", %one : !o
  }
  %x = py.get "x" : !o
}

// -----

!o = !py.object

// The condition is typed at the head, with what each iteration may bring.
// CHECK-LABEL: py.func @condition(
// CHECK:       py.while slots {x = f64} after {x = f64} {
// CHECK:         py.compare lt %{{.*}} : (f64, si64) -> i1
py.func @condition(["n"]) kernel arguments [si64] {
  %n = py.get "n" : !o
  py.set "x", %n : !o
  py.while {
    %x = py.get "x" : !o
    %limit = py.get "n" : !o
    %c = py.compare lt %x, %limit : (!o, !o) -> !o
    py.yield %c : !o
  } do {
    %x = py.get "x" : !o
    %half = py.constant(0.5) : !o
    %more = py.binary add %x, %half : (!o, !o) -> !o
    py.set "x", %more : !o
  }
  %x = py.get "x" : !o
}

// -----

!o = !py.object

// The overload of range follows its arguments.
// CHECK-LABEL: py.func @ranges(
// CHECK:       -> !py.range<si32>
// CHECK:       -> !py.range<ui64>
// CHECK:       -> !py.range<si64>
py.func @ranges(["a", "b"]) kernel arguments [si16, ui32] {
  %range = py.constant(#py.intrinsic<"builtins.range">) : !o
  %a = py.get "a" : !o
  %b = py.get "b" : !o
  %narrow = py.call %range(%a) : (!o, !o) -> !o
  %unsigned = py.call %range(%b) : (!o, !o) -> !o
  %both = py.call %range(%a, %b) : (!o, !o, !o) -> !o
}
