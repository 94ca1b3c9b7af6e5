// RUN: pyk-opt %s --split-input-file --py-infer-types | FileCheck %s

!o = !py.object

// Integer arithmetic is 64 bits wide, and unsigned only if both operands are.
// CHECK-LABEL: py.func @promotion(
// CHECK:       py.binary add %{{.*}} : (si8, si16) -> si64
// CHECK:       py.binary add %{{.*}} : (si8, ui32) -> si64
// CHECK:       py.binary truediv %{{.*}} : (ui32, ui32) -> f64
// CHECK:       py.binary mul %{{.*}} : (f32, si16) -> f32
// CHECK:       py.compare lt %{{.*}} : (si8, f32) -> i1
// CHECK:       py.unary minus %{{.*}} : (ui32) -> ui64
py.func @promotion(["a", "b", "c", "d"]) kernel arguments [si8, si16, ui32, f32] {
  %a = py.get "a" : !o
  %b = py.get "b" : !o
  %c = py.get "c" : !o
  %d = py.get "d" : !o
  %narrow = py.binary add %a, %b : (!o, !o) -> !o
  %mixed = py.binary add %a, %c : (!o, !o) -> !o
  %quotient = py.binary truediv %c, %c : (!o, !o) -> !o
  %real = py.binary mul %d, %b : (!o, !o) -> !o
  %less = py.compare lt %a, %d : (!o, !o) -> !o
  %minus = py.unary minus %c : (!o) -> !o
}

// -----

!o = !py.object

// Where paths meet, a variable has the type that holds both; one that nothing
// reads has none, so that unrelated types do no harm.
// CHECK-LABEL: py.func @join(
// CHECK:       py.if %{{.*}} slots {x = f64} : i1 {
// CHECK:         py.set "x", %{{.*}} : si64 as si64
// CHECK:         py.set "unread", %{{.*}} : si64 as si64
// CHECK:       } else {
// CHECK:         py.set "x", %{{.*}} : f32 as f32
// CHECK:         py.set "unread", %{{.*}} : !pyk.array<?xf32, c> as !pyk.array<?xf32, c>
// CHECK:       py.get "x" : f64
py.func @join(["c", "a", "f"]) kernel arguments [i1, !pyk.array<?xf32, c>, f32] {
  %c = py.get "c" : !o
  %one = py.constant(#py.int<1 : si64>) : !o
  %f = py.get "f" : !o
  %a = py.get "a" : !o
  py.if %c : !o {
    py.set "x", %one : !o
    py.set "unread", %one : !o
  } else {
    py.set "x", %f : !o
    py.set "unread", %a : !o
  }
  %x = py.get "x" : !o
}

// -----

!o = !py.object

// A variable that only one path gives a value has the type of that one.
// CHECK-LABEL: py.func @partial(
// CHECK:       py.if %{{.*}} slots {x = f32} : i1 {
// CHECK:       py.get "x" : f32
py.func @partial(["c", "f"]) kernel arguments [i1, f32] {
  %c = py.get "c" : !o
  %f = py.get "f" : !o
  py.if %c : !o {
    py.set "x", %f : !o
  } else {
  }
  %x = py.get "x" : !o
}

// -----

!o = !py.object

// CPython has folded operators on literals before anyone types them: a float
// power of ints, an item of a tuple.
// CHECK-LABEL: py.func @literals(
// CHECK:       py.constant(2.500000e-01 : f64) : f64
// CHECK:       py.constant(#py.int<-3 : si64>) : si64
// CHECK-NOT:   py.binary
py.func @literals([]) kernel arguments [] {
  %two = py.constant(#py.int<2 : si64>) : !o
  %minus = py.unary minus %two : (!o) -> !o
  %power = py.binary pow %two, %minus : (!o, !o) -> !o
  py.set "x", %power : !o
  %three = py.constant(#py.int<3 : si64>) : !o
  %negative = py.unary minus %three : (!o) -> !o
  %tuple = py.tuple(%negative, %two) : (!o, !o) -> !o
  %zero = py.constant(#py.int<0 : si64>) : !o
  %item = py.subscript %tuple[%zero] : (!o, !o) -> !o
  py.set "y", %item : !o
}

// -----

!o = !py.object

// A bool is an int to a sign; what is shifted by all of its bits is nothing; an
// int between two floats becomes the even one.
// CHECK-LABEL: py.func @edges_of_literals(
// CHECK:       py.constant(#py.int<-1 : si64>) : si64
// CHECK:       py.constant(#py.int<0 : si64>) : si64
// CHECK:       py.constant(0x4340000000000002 : f64) : f64
// CHECK-NOT:   py.binary
py.func @edges_of_literals([]) kernel arguments [] {
  %true = py.constant(true) : !o
  %minus = py.unary minus %true : (!o) -> !o
  py.set "x", %minus : !o
  %large = py.constant(#py.int<9223372036854775808 : ui64>) : !o
  %bits = py.constant(#py.int<64 : si64>) : !o
  %nothing = py.binary rshift %large, %bits : (!o, !o) -> !o
  py.set "y", %nothing : !o
  %odd = py.constant(#py.int<9007199254740995 : si64>) : !o
  %one = py.constant(1.0) : !o
  %even = py.binary mul %odd, %one : (!o, !o) -> !o
  py.set "z", %even : !o
}

// -----

!o = !py.object

// A constant index takes an item of a tuple of different types; an index that
// is known at run time only needs items of one type.
// CHECK-LABEL: py.func @tuples(
// CHECK:       py.subscript %{{.*}} position 1 : (tuple<si8, f32>, si64) -> f32
// CHECK:       py.unpack %{{.*}} : (tuple<si8, f32>) -> (si8, f32)
// CHECK:       py.subscript %{{.*}} : (tuple<si8, si8>, si64) -> si8
// CHECK:       py.binary add %{{.*}} -> tuple<si8, f32, si8, si8>
py.func @tuples(["t", "u", "n"]) kernel arguments [tuple<si8, f32>, tuple<si8, si8>, si64] {
  %t = py.get "t" : !o
  %minus = py.constant(#py.int<-1 : si64>) : !o
  py.set "k", %minus : !o
  %k = py.get "k" : !o
  %item = py.subscript %t[%k] : (!o, !o) -> !o
  %first, %second = py.unpack %t : (!o) -> (!o, !o)
  %u = py.get "u" : !o
  %n = py.get "n" : !o
  %any = py.subscript %u[%n] : (!o, !o) -> !o
  %both = py.binary add %t, %u : (!o, !o) -> !o
}

// -----

!o = !py.object

// Shapes are tuples; the rank is known, so it may be a constant index.
// CHECK-LABEL: py.func @arrays(
// CHECK:       py.attribute %{{.*}} "shape" : (!pyk.array<?x?xf32, c>) -> tuple<si64, si64>
// CHECK:       py.attribute %{{.*}} "dtype" : {{.*}} -> !py.static<f32>
// CHECK:       py.call %{{.*}} -> !pyk.array<2xf32, c, shared>
// CHECK:       py.subscript %{{.*}} -> f32
py.func @arrays(["a"]) kernel arguments [!pyk.array<?x?xf32, c>] {
  %a = py.get "a" : !o
  %shape = py.attribute %a "shape" : (!o) -> !o
  %rank = py.attribute %a "ndim" : (!o) -> !o
  %dtype = py.attribute %a "dtype" : (!o) -> !o
  %shared = py.constant(#py.intrinsic<"cuda.shared.array">) : !o
  %s = py.call %shared(%rank, %dtype) : (!o, !o, !o) -> !o
  %zero = py.constant(#py.int<0 : si64>) : !o
  %element = py.subscript %s[%zero] : (!o, !o) -> !o
  %index = py.tuple(%zero, %zero) : (!o, !o) -> !o
  py.set_subscript %element, %a[%index] : !o, !o, !o
}

// -----

!o = !py.object

// One constant may be both operands of what is folded.
// CHECK-LABEL: py.func @twice(
// CHECK-NEXT:    py.constant(1.000000e+00 : f64)
// CHECK-NEXT:    py.set "x"
py.func @twice([]) kernel arguments [] {
  %half = py.constant(0.5) : !o
  %one = py.binary add %half, %half : (!o, !o) -> !o
  py.set "x", %one : !o
}
