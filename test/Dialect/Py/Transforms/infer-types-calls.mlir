// RUN: pyk-opt %s --split-input-file --py-infer-types | FileCheck %s

!o = !py.object

// A function is cloned for each tuple of argument types. The first specialization
// has its name; what nothing calls is gone.
// CHECK-LABEL: py.func @kernel(
// CHECK:       py.call %{{.*}} target @twice : {{.*}} -> si64
// CHECK:       py.call %{{.*}} target @[[OTHER:.*]] : {{.*}} -> f32
// CHECK:       py.call %{{.*}} target @twice : {{.*}} -> si64
// CHECK-DAG:   py.func @twice(["x"]) arguments [si8] returns si64
// CHECK-DAG:   py.func @[[OTHER]](["x"]) arguments [f32] returns f32
// CHECK-NOT:   py.func @unused
py.func @kernel(["a", "b"]) kernel arguments [si8, f32] {
  %twice = py.constant(@twice) : !o
  %a = py.get "a" : !o
  %b = py.get "b" : !o
  %first = py.call %twice(%a) : (!o, !o) -> !o
  %second = py.call %twice(%b) : (!o, !o) -> !o
  %third = py.call %twice(%a) : (!o, !o) -> !o
}

py.func @twice(["x"]) {
  %x = py.get "x" : !o
  %sum = py.binary add %x, %x : (!o, !o) -> !o
  py.return %sum : !o
}

py.func @unused([]) {
}

// -----

!o = !py.object

// A literal argument is known in the callee, so it may be a shape there; two
// literals are two functions.
// CHECK-LABEL: py.func @kernel(
// CHECK:       target @[[FIRST:[a-z_0-9]+]]
// CHECK:       target @[[SECOND:[a-z_0-9]+]]
// CHECK-DAG:   !pyk.array<3xf32, c, local>
// CHECK-DAG:   !pyk.array<4xf32, c, local>
py.func @kernel([]) kernel arguments [] {
  %buffer = py.constant(@buffer) : !o
  %three = py.constant(#py.int<3 : si64>) : !o
  %four = py.constant(#py.int<4 : si64>) : !o
  %x = py.call %buffer(%three) : (!o, !o) -> !o
  %y = py.call %buffer(%four) : (!o, !o) -> !o
}

py.func @buffer(["n"]) {
  %local = py.constant(#py.intrinsic<"cuda.local.array">) : !o
  %n = py.get "n" : !o
  %f32 = py.constant(f32) : !o
  %array = py.call %local(%n, %f32) : (!o, !o, !o) -> !o
}

// -----

!o = !py.object

// Keywords and defaults; a default of None decides branches.
// CHECK-LABEL: py.func @kernel(
// CHECK:       py.call %{{.*}} keywords ["by"] target @{{.*}} -> f32
// CHECK:       py.call %{{.*}} target @{{.*}} -> si8
// CHECK-DAG:   py.func @scale{{.*}} arguments [si8, f32] returns f32
// CHECK-DAG:   py.func @scale{{.*}} arguments [si8, none] returns si8
py.func @kernel(["a", "f"]) kernel arguments [si8, f32] {
  %scale = py.constant(@scale) : !o
  %a = py.get "a" : !o
  %f = py.get "f" : !o
  %scaled = py.call %scale(%a, %f) keywords ["by"] : (!o, !o, !o) -> !o
  %same = py.call %scale(%a) : (!o, !o) -> !o
}

py.func @scale(["x", "by"]) defaults [unit, #py.none] {
  %by = py.get "by" : !o
  %none = py.constant(#py.none) : !o
  %missing = py.compare is %by, %none : (!o, !o) -> !o
  py.if %missing : !o {
    %x = py.get "x" : !o
    py.return %x : !o
  } else {
  }
  %x = py.get "x" : !o
  %factor = py.get "by" : !o
  %product = py.binary mul %x, %factor : (!o, !o) -> !o
  py.return %product : !o
}

// -----

!o = !py.object

// A recursive call has the type of all returns, also of those below it.
// CHECK-LABEL: py.func @kernel(
// CHECK:       py.call %{{.*}} target @half : {{.*}} -> f64
// CHECK:       py.func @half(["n"]) arguments [si64] returns f64
// CHECK:         py.call %{{.*}} target @half : {{.*}} -> f64
py.func @kernel(["n"]) kernel arguments [si64] {
  %half = py.constant(@half) : !o
  %n = py.get "n" : !o
  %x = py.call %half(%n) : (!o, !o) -> !o
}

py.func @half(["n"]) {
  %n = py.get "n" : !o
  py.if %n : !o {
    %self = py.constant(@half) : !o
    %rest = py.call %self(%n) : (!o, !o) -> !o
    %factor = py.constant(0.5) : !o
    %product = py.binary mul %rest, %factor : (!o, !o) -> !o
    py.return %product : !o
  } else {
  }
  %one = py.constant(#py.int<1 : si64>) : !o
  py.return %one : !o
}

// -----

!o = !py.object

// Functions that call each other.
// CHECK-LABEL: py.func @kernel(
// CHECK:       py.call %{{.*}} target @even : {{.*}} -> i1
// CHECK-DAG:   py.func @even(["n"]) arguments [si64] returns i1
// CHECK-DAG:   py.func @odd(["n"]) arguments [si64] returns i1
py.func @kernel(["n"]) kernel arguments [si64] {
  %even = py.constant(@even) : !o
  %n = py.get "n" : !o
  %x = py.call %even(%n) : (!o, !o) -> !o
}

py.func @even(["n"]) {
  %n = py.get "n" : !o
  py.if %n : !o {
    %odd = py.constant(@odd) : !o
    %result = py.call %odd(%n) : (!o, !o) -> !o
    py.return %result : !o
  } else {
  }
  %true = py.constant(true) : !o
  py.return %true : !o
}

py.func @odd(["n"]) {
  %n = py.get "n" : !o
  py.if %n : !o {
    %even = py.constant(@even) : !o
    %result = py.call %even(%n) : (!o, !o) -> !o
    py.return %result : !o
  } else {
  }
  %false = py.constant(false) : !o
  py.return %false : !o
}

// -----

!o = !py.object

// A function may return an array that it was given.
// CHECK-LABEL: py.func @kernel(
// CHECK:       py.func @same(["a"]) arguments [!pyk.array<?xf32, c>] returns !pyk.array<?xf32, c>
py.func @kernel(["a"]) kernel arguments [!pyk.array<?xf32, c>] {
  %same = py.constant(@same) : !o
  %a = py.get "a" : !o
  %b = py.call %same(%a) : (!o, !o) -> !o
}

py.func @same(["a"]) {
  %a = py.get "a" : !o
  py.return %a : !o
}
