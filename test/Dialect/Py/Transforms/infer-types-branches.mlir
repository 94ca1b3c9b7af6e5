// RUN: pyk-opt %s --split-input-file --py-infer-types | FileCheck %s

!o = !py.object

// A comparison of a global decides a branch. What does not run is not typed: here
// it would be an error.
// CHECK-LABEL: py.func @global(
// CHECK:       py.if %{{.*}} taken false
// CHECK:         py.binary add %{{.*}} -> !py.object
// CHECK:       } else {
// CHECK:         py.set "x", %{{.*}} : si64 as si64
py.func @global(["a"]) kernel arguments [!pyk.array<?xf32, c>] {
  %flag = py.constant(#py.int<4 : si64>) named "FLAG" : !o
  %five = py.constant(#py.int<5 : si64>) : !o
  %c = py.compare eq %flag, %five : (!o, !o) -> !o
  py.if %c : !o {
    %a = py.get "a" : !o
    %sum = py.binary add %a, %a : (!o, !o) -> !o
  } else {
    py.set "x", %five : !o
  }
}

// -----

!o = !py.object

// An argument that is None decides; one that is an array does not.
// CHECK-LABEL: py.func @none(
// CHECK:       py.if %{{.*}} taken true
// CHECK:       py.if %{{.*}} : i1 {
py.func @none(["x", "a"]) kernel arguments [none, !pyk.array<?xf32, c>] {
  %none = py.constant(#py.none) : !o
  %x = py.get "x" : !o
  %missing = py.compare is %x, %none : (!o, !o) -> !o
  py.if %missing : !o {
  } else {
  }
  %a = py.get "a" : !o
  %given = py.compare isnot %a, %none : (!o, !o) -> !o
  py.if %given : !o {
  } else {
  }
}

// -----

!o = !py.object

// A literal assigned to a variable decides where no other assignment reaches.
// CHECK-LABEL: py.func @variable(
// CHECK:       py.if %{{.*}} taken true
// CHECK:       py.set "debug"
// CHECK:       py.if %{{.*}} slots {} : i1
py.func @variable(["n"]) kernel arguments [si64] {
  %true = py.constant(true) : !o
  py.set "debug", %true : !o
  %debug = py.get "debug" : !o
  py.if %debug : !o {
  } else {
  }
  %n = py.get "n" : !o
  %positive = py.compare gt %n, %n : (!o, !o) -> !o
  py.set "debug", %positive : !o
  %again = py.get "debug" : !o
  py.if %again : !o {
  } else {
  }
}

// -----

!o = !py.object

// Arithmetic in place decides nothing, although its operands are known.
// CHECK-LABEL: py.func @inplace(
// CHECK:       py.if %{{.*}} slots {} : si64
py.func @inplace([]) kernel arguments [] {
  %two = py.constant(#py.int<2 : si64>) named "TWO" : !o
  %sum = py.binary add inplace %two, %two : (!o, !o) -> !o
  py.if %sum : !o {
  } else {
  }
}

// -----

!o = !py.object

// The right operand of `and` does not run if the left one is false, and the left
// one is no result if it is true.
// CHECK-LABEL: py.func @operands(
// CHECK:       py.logical and %{{.*}} taken false : (si64) -> si64
// CHECK:         py.yield %{{.*}} : !py.object
// CHECK:       py.logical and %{{.*}} taken true : (si64) -> f32
py.func @operands(["f"]) kernel arguments [f32] {
  %zero = py.constant(#py.int<0 : si64>) named "ZERO" : !o
  %never = py.logical and %zero : (!o) -> !o {
    %f = py.get "f" : !o
    py.yield %f : !o
  }
  py.set "x", %never : !o
  %one = py.constant(#py.int<1 : si64>) named "ONE" : !o
  %always = py.logical and %one : (!o) -> !o {
    %f = py.get "f" : !o
    py.yield %f : !o
  }
  py.set "y", %always : !o
}

// -----

!o = !py.object

// In a condition, operands need no common type: only their truth is asked.
// CHECK-LABEL: py.func @condition(
// CHECK:       py.logical or %{{.*}} : (f32) -> i1
// CHECK:       py.if %{{.*}} : i1
py.func @condition(["f", "t"]) kernel arguments [f32, tuple<si8, si8>] {
  %f = py.get "f" : !o
  %either = py.logical or %f : (!o) -> !o {
    %t = py.get "t" : !o
    py.yield %t : !o
  }
  py.if %either : !o {
  } else {
  }
}

// -----

!o = !py.object

// CHECK-LABEL: py.func @conditional(
// CHECK:       py.conditional %{{.*}} taken true : (i1) -> si64
// CHECK:         py.yield %{{.*}} : !py.object
// CHECK:       py.conditional %{{.*}} : (i1) -> f64
py.func @conditional(["c"]) kernel arguments [i1] {
  %one = py.constant(#py.int<1 : si64>) : !o
  %real = py.constant(1.5) : !o
  %c = py.get "c" : !o
  %true = py.constant(true) : !o
  %known = py.conditional %true : (!o) -> !o {
    py.yield %one : !o
  } else {
    %sum = py.binary add %c, %real : (!o, !o) -> !o
    py.yield %sum : !o
  }
  py.set "x", %known : !o
  %chosen = py.conditional %c : (!o) -> !o {
    py.yield %one : !o
  } else {
    py.yield %real : !o
  }
  py.set "y", %chosen : !o
}

// -----

!o = !py.object

// The rank of an array argument and the length of a tuple are constants.
// CHECK-LABEL: py.func @rank(
// CHECK:       py.if %{{.*}} taken false
// CHECK:       py.if %{{.*}} taken true
py.func @rank(["a", "t"]) kernel arguments [!pyk.array<?xf32, c>, tuple<si8, f32>] {
  %two = py.constant(#py.int<2 : si64>) : !o
  %a = py.get "a" : !o
  %rank = py.attribute %a "ndim" : (!o) -> !o
  %plane = py.compare eq %rank, %two : (!o, !o) -> !o
  py.if %plane : !o {
  } else {
  }
  %len = py.constant(#py.intrinsic<"builtins.len">) : !o
  %t = py.get "t" : !o
  %size = py.call %len(%t) : (!o, !o) -> !o
  %pair = py.compare eq %size, %two : (!o, !o) -> !o
  py.if %pair : !o {
  } else {
  }
}

// -----

!o = !py.object

// What an operand that may not run assigns meets what was there before.
// CHECK-LABEL: py.func @assigning_operand(
// CHECK:       py.logical and %{{.*}} slots {x = f64}
// CHECK:       py.get "x" : f64
py.func @assigning_operand(["x", "c"]) kernel arguments [si64, i1] {
  %c = py.get "c" : !o
  %both = py.logical and %c : (!o) -> !o {
    %half = py.constant(0.5 : f64) : !o
    py.set "x", %half : !o
    py.yield %half : !o
  }
  %x = py.get "x" : !o
  py.set "y", %x : !o
}

// -----

!o = !py.object

// CHECK-LABEL: py.func @assigning_arm(
// CHECK:       py.conditional %{{.*}} slots {x = f64}
// CHECK:       py.get "x" : f64
py.func @assigning_arm(["x", "c"]) kernel arguments [si64, i1] {
  %c = py.get "c" : !o
  %chosen = py.conditional %c : (!o) -> !o {
    %half = py.constant(0.5 : f64) : !o
    py.set "x", %half : !o
    py.yield %half : !o
  } else {
    %one = py.constant(#py.int<1 : si64>) : !o
    py.yield %one : !o
  }
  %x = py.get "x" : !o
  py.set "y", %x : !o
}
