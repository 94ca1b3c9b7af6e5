// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

!o = !py.object

// CHECK-LABEL: py.func @signature(["x", "by"])
// CHECK-SAME:    defaults [unit, #py.int<1 : si64>] arguments [si8, si64]
// CHECK-SAME:    returns none device
py.func @signature(["x", "by"]) defaults [unit, #py.int<1 : si64>]
    arguments [si8, si64] returns none device {
}

// CHECK-LABEL: py.func @constants(
py.func @constants([]) {
  // CHECK: py.constant(#py.int<-1 : si64>) : !py.object
  %int = py.constant(#py.int<-1 : si64>) : !o
  // CHECK: py.constant(true) : i1
  %bool = py.constant(true) : i1
  // CHECK: py.constant(2 : si8) named "SMALL" : si8
  %scalar = py.constant(2 : si8) named "SMALL" : si8
  // CHECK: py.constant(#py.stored<12 : si64, !py.time<datetime, M>>) : !py.time<datetime, M>
  %date = py.constant(#py.stored<12 : si64, !py.time<datetime, M>>) : !py.time<datetime, M>
  // CHECK: py.constant(#py.stored_array<dense<1> : tensor<2x8xi8>, !py.time<timedelta, generic>>)
  // CHECK-SAME: !pyk.array<2x!py.time<timedelta, generic>, c, constant>
  %spans = py.constant(#py.stored_array<dense<1> : tensor<2x8xi8>, !py.time<timedelta, generic>>)
      : !pyk.array<2x!py.time<timedelta, generic>, c, constant>
  // CHECK: py.constant(#py.bytes<"a\00">) : !py.static<#py.bytes<"a\00">>
  %bytes = py.constant(#py.bytes<"a\00">) : !py.static<#py.bytes<"a\00">>
  // CHECK: py.constant(#py.stored_array<dense<0> : tensor<2x8xi8>, !py.chars<str, 2>>)
  // CHECK-SAME: !pyk.array<2x!py.chars<str, 2>, c, constant>
  %texts = py.constant(#py.stored_array<dense<0> : tensor<2x8xi8>, !py.chars<str, 2>>)
      : !pyk.array<2x!py.chars<str, 2>, c, constant>
  // CHECK: py.constant(#py.device_array<4096, <3x4xf32, c>>) : !pyk.array<3x4xf32, c>
  %there = py.constant(#py.device_array<4096, <3x4xf32, c>>) : !pyk.array<3x4xf32, c>
  // CHECK: py.constant(#py.device_array<4096, <3xf32, any>, strides [-16]>)
  %column = py.constant(#py.device_array<4096, <3xf32, any>, strides [-16]>)
      : !pyk.array<3xf32, any>
  // CHECK: py.constant(#py.none) : none
  %none = py.constant(#py.none) : none
  // CHECK: py.constant([#py.int<1 : si64>, 1.000000e+00])
  %tuple = py.constant([#py.int<1 : si64>, 1.0]) : tuple<si64, f64>
  // CHECK: py.constant(#py.named_tuple<"m.P", ["x"], [#py.int<1 : si64>]>)
  // CHECK-SAME: !py.named_tuple<"m.P", ["x"], tuple<si64>>
  %named = py.constant(#py.named_tuple<"m.P", ["x"], [#py.int<1 : si64>]>)
      : !py.named_tuple<"m.P", ["x"], tuple<si64>>
  // CHECK: py.constant(#py.enum_member<"m.E", 1.000000e+00 : f64>)
  // CHECK-SAME: !py.enum<"m.E", f64>
  %member = py.constant(#py.enum_member<"m.E", 1.0>) : !py.enum<"m.E", f64>
  // CHECK: #py.enum_member<"m.I", #py.int<1 : si64>, integer = true>
  // CHECK-SAME: !py.enum<"m.I", si64, integer = true>
  %integer = py.constant(#py.enum_member<"m.I", #py.int<1 : si64>, integer = true>)
      : !py.enum<"m.I", si64, integer = true>
  // CHECK: py.constant(#py.named_tuple_class<"m.P", ["x"], [unit]>)
  %class = py.constant(#py.named_tuple_class<"m.P", ["x"], [unit]>) : !o
  // CHECK: !py.static<#py.intrinsic<"math.sqrt">>
  %function = py.constant(#py.intrinsic<"math.sqrt">)
      : !py.static<#py.intrinsic<"math.sqrt">>
  // CHECK: py.constant(#py.ellipsis) : !py.static<#py.ellipsis>
  %ellipsis = py.constant(#py.ellipsis) : !py.static<#py.ellipsis>
  // CHECK: py.constant(#py.module<"numpy">)
  %module = py.constant(#py.module<"numpy">) : !o
  // CHECK: py.constant(#py.unresolved<"foo">)
  %unresolved = py.constant(#py.unresolved<"foo">) : !o
  // CHECK: py.constant(#py.object<"dict">) named "TABLE"
  %object = py.constant(#py.object<"dict">) named "TABLE" : !o
}

// CHECK-LABEL: py.func @operators(
py.func @operators(["a", "b"]) {
  // CHECK: %[[A:.*]] = py.get "a" : !py.object
  %a = py.get "a" : !o
  // CHECK: %[[B:.*]] = py.get "b" : !py.object
  %b = py.get "b" : !o
  // CHECK: py.binary floordiv %[[A]], %[[B]]
  // CHECK-SAME: (!py.object, !py.object) -> !py.object
  %quotient = py.binary floordiv %a, %b : (!o, !o) -> !o
  // CHECK: py.binary add inplace %[[A]], %[[B]]
  %sum = py.binary add inplace %a, %b : (!o, !o) -> !o
  // CHECK: py.unary not %[[A]] : (!py.object) -> !py.object
  %not = py.unary not %a : (!o) -> !o
  // CHECK: py.compare isnot %[[A]], %[[B]]
  %isnot = py.compare isnot %a, %b : (!o, !o) -> !o
  // CHECK: py.set "c", %{{.*}} : !py.object
  py.set "c", %sum : !o
  // CHECK: py.set "d", %{{.*}} : si8 as si16
  %one = py.constant(1 : si8) : si8
  py.set "d", %one : si8 as si16
}

// CHECK-LABEL: py.func @choices(
py.func @choices(["a", "b"]) {
  %a = py.get "a" : !o
  %b = py.get "b" : !o
  // CHECK: py.logical and %{{.*}} : (!py.object) -> !py.object {
  // CHECK-NEXT: py.yield %{{.*}} : !py.object
  // CHECK-NEXT: }
  %both = py.logical and %a : (!o) -> !o {
    py.yield %b : !o
  }
  // CHECK: py.logical or %{{.*}} taken false
  %first = py.logical or %a taken false : (!o) -> !o {
    py.yield %b : !o
  }
  // CHECK: py.conditional %{{.*}} taken true : (!py.object) -> !py.object {
  // CHECK: } else {
  %chosen = py.conditional %both taken true : (!o) -> !o {
    py.yield %a : !o
  } else {
    py.yield %b : !o
  }
}

// CHECK-LABEL: py.func @raising(
py.func @raising([]) {
  // CHECK: py.raise "ValueError" exception 2
  py.raise "ValueError" exception 2
}

// CHECK-LABEL: py.func @parts(
py.func @parts(["a"]) {
  %a = py.get "a" : !o
  // CHECK: py.attribute %{{.*}} "shape" : (!py.object) -> !py.object
  %shape = py.attribute %a "shape" : (!o) -> !o
  // CHECK: %[[ITEMS:.*]]:2 = py.unpack %{{.*}} : (!py.object) -> (!py.object, !py.object)
  %x, %y = py.unpack %shape : (!o) -> (!o, !o)
  // CHECK: %[[INDEX:.*]] = py.tuple(%[[ITEMS]]#0, %[[ITEMS]]#1) : (!py.object, !py.object) -> !py.object
  %index = py.tuple(%x, %y) : (!o, !o) -> !o
  // CHECK: %[[ELEMENT:.*]] = py.subscript %{{.*}}[%[[INDEX]]]
  %element = py.subscript %a[%index] : (!o, !o) -> !o
  // CHECK: py.subscript %{{.*}}[%[[ITEMS]]#0] position 1
  %item = py.subscript %index[%x] position 1 : (!o, !o) -> !o
  // CHECK: py.set_subscript %[[ELEMENT]], %{{.*}}[%[[INDEX]]] : !py.object, !py.object, !py.object
  py.set_subscript %element, %a[%index] : !o, !o, !o
  // CHECK: py.slice %[[ITEMS]]#0, %[[ITEMS]]#1, %[[ITEMS]]#1
  %slice = py.slice %x, %y, %y : (!o, !o, !o) -> !o
  // CHECK: py.tuple() : () -> !py.object
  %empty = py.tuple() : () -> !o
}

// CHECK-LABEL: py.func @calls(
py.func @calls(["f", "a"]) {
  %f = py.get "f" : !o
  %a = py.get "a" : !o
  // CHECK: py.call %{{.*}}() : (!py.object) -> !py.object
  %r = py.call %f() : (!o) -> !o
  // CHECK: py.call %{{.*}}(%{{.*}}, %{{.*}}) keywords ["by"] target @calls
  %s = py.call %f(%a, %r) keywords ["by"] target @calls : (!o, !o, !o) -> !o
  // CHECK: py.call %{{.*}}(%{{.*}}) signature (f64) -> f64 :
  %u = py.call %f(%a) signature (f64) -> f64 : (!o, !o) -> !o
  // CHECK: py.unsupported "a 'try' statement" -> !py.object
  %t = py.unsupported "a 'try' statement" -> !o
  // CHECK: py.return %{{.*}} : !py.object
  py.return %s : !o
}

// CHECK-LABEL: py.func @branches(
py.func @branches(["c"]) {
  %c = py.get "c" : !o
  // CHECK: py.if %{{.*}} : !py.object {
  // CHECK-NEXT: } else {
  // CHECK-NEXT: }
  py.if %c : !o {
  } else {
  }
  // CHECK: py.if %{{.*}} taken false slots {x = si64} : !py.object {
  py.if %c taken false slots {x = si64} : !o {
    py.set "x", %c : !o
  } else {
  }
}

// CHECK-LABEL: py.func @loops(
py.func @loops(["c", "r"]) {
  // CHECK: py.while taken true slots {x = si64} after {x = f64} {
  // CHECK: py.yield %{{.*}} : !py.object
  // CHECK-NEXT: } do {
  py.while taken true slots {x = si64} after {x = f64} {
    %c = py.get "c" : !o
    py.yield %c : !o
  } do {
    // CHECK-NEXT: py.break
    py.break
  }
  // CHECK: py.while slots {x = si64} elseSlots {x = si64} after {x = f64} {
  // CHECK: } do {
  // CHECK-NEXT: } else {
  // CHECK-NEXT: py.get "c"
  py.while slots {x = si64} elseSlots {x = si64} after {x = f64} {
    %c = py.get "c" : !o
    py.yield %c : !o
  } do {
  } else {
    %c = py.get "c" : !o
  }
  %range = py.get "r" : !o
  // CHECK: py.for in %{{.*}} slots {i = si64} after {i = si64} : !py.object {
  // CHECK-NEXT: ^{{.*}}(%[[ELEMENT:.*]]: !py.range<si64>):
  py.for in %range slots {i = si64} after {i = si64} : !o {
  ^body(%element: !py.range<si64>):
    // CHECK-NEXT: py.set "i", %[[ELEMENT]]
    py.set "i", %element : !py.range<si64>
    // CHECK-NEXT: py.continue
    py.continue
  }
  // CHECK: py.for in %{{.*}} elseSlots {i = si64} : !py.object {
  py.for in %range elseSlots {i = si64} : !o {
  ^body(%outer: !py.range<si64>):
    // CHECK: py.for in
    py.for in %range : !o {
    ^body(%element: !py.range<si64>):
      // CHECK: py.break
      // CHECK-NEXT: } else {
      // CHECK-NEXT: py.continue
      py.break
    } else {
      py.continue
    }
    // CHECK: } else {
    // CHECK-NEXT: py.get "r"
  } else {
    %r = py.get "r" : !o
  }
  %alone = py.tuple(%range) : (!o) -> !o
  // CHECK: py.for in %{{.*}} item 2 : !py.object {
  py.for in %alone item 2 : !o {
  ^body(%only: !o):
  }
}

// CHECK-LABEL: py.func @views(
py.func @views(["a", "t"]) {
  %a = py.get "a" : !pyk.array<?xf32, c>
  %t = py.get "t" : tuple<si64, f32>
  %none = py.constant(#py.none) : none
  %one = py.constant(#py.int<1 : si64>) : si64
  // CHECK: -> !py.slice<si64, none, none>
  %slice = py.slice %one, %none, %none
      : (si64, none, none) -> !py.slice<si64, none, none>
  // CHECK: py.subscript %{{.*}}[%{{.*}}] selection [1]
  %rest = py.subscript %t[%slice] selection [1]
      : (tuple<si64, f32>, !py.slice<si64, none, none>) -> tuple<f32>
  // CHECK: -> !py.method<!pyk.array<?xf32, c>, "transpose">
  %method = py.attribute %a "transpose"
      : (!pyk.array<?xf32, c>) -> !py.method<!pyk.array<?xf32, c>, "transpose">
  // CHECK: py.call %{{.*}}(%{{.*}}) selection [0]
  %same = py.call %method(%one) selection [0]
      : (!py.method<!pyk.array<?xf32, c>, "transpose">, si64)
      -> !pyk.array<?xf32, c>
}

// CHECK-LABEL: py.func @iterables(
// CHECK-SAME:    !py.zip<!pyk.array<?xf32, c>, !py.range<si64>>
// CHECK-SAME:    !py.enumerate<!py.zip<!py.range<si64>>>
// CHECK-SAME:    !py.ndindex<2>
// CHECK-SAME:    !py.nditer<!pyk.array<?x?xf32, f>, !pyk.array<?xf32, c>>
// CHECK-SAME:    !py.flat<!pyk.array<?x?xf32, f>>
// CHECK-SAME:    !py.iterator<!py.range<si64>>
py.func @iterables(["z", "e", "i", "n", "f", "t"])
    arguments [!py.zip<!pyk.array<?xf32, c>, !py.range<si64>>,
               !py.enumerate<!py.zip<!py.range<si64>>>, !py.ndindex<2>,
               !py.nditer<!pyk.array<?x?xf32, f>, !pyk.array<?xf32, c>>,
               !py.flat<!pyk.array<?x?xf32, f>>, !py.iterator<!py.range<si64>>] {
}

// CHECK-LABEL: py.func @numpy.sign(["x"]) device library narrow fastmath {
py.func @numpy.sign(["x"]) device library narrow fastmath {
}

// CHECK-LABEL: py.func @called(
py.func @called(["a", "x"]) {
  %a = py.get "a" : !py.object
  %x = py.get "x" : !py.object
  // CHECK: py.compare in %{{.*}}, %{{.*}} target @search : (
  %found = py.compare in %x, %a target @search
      : (!py.object, !py.object) -> !py.object
}
