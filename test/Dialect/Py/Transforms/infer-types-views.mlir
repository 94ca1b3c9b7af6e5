// RUN: pyk-opt %s --split-input-file --py-infer-types | FileCheck %s

!o = !py.object

// An index leaves a view contiguous only in the outermost place.
// CHECK-LABEL: py.func @layouts(
// CHECK:       py.subscript %{{.*}} : (!pyk.array<?x?xf32, c>, si64) -> !pyk.array<?xf32, c>
// CHECK:       py.subscript %{{.*}} -> !pyk.array<?xf32, any>
// CHECK:       py.subscript %{{.*}} -> !pyk.array<?x?xf32, c>
// CHECK:       py.subscript %{{.*}} -> !pyk.array<1x?x?xf32, any>
// CHECK:       py.attribute %{{.*}} "T" : (!pyk.array<?x?xf32, c>) -> !pyk.array<?x?xf32, f>
py.func @layouts(["a", "i"]) kernel arguments [!pyk.array<?x?xf32, c>, si64] {
  %a = py.get "a" : !o
  %i = py.get "i" : !o
  %none = py.constant(#py.none) : !o
  %dots = py.constant(#py.ellipsis) : !o
  %row = py.subscript %a[%i] : (!o, !o) -> !o
  %last = py.tuple(%dots, %i) : (!o, !o) -> !o
  %column = py.subscript %a[%last] : (!o, !o) -> !o
  %slice = py.slice %i, %none, %none : (!o, !o, !o) -> !o
  %rows = py.subscript %a[%slice] : (!o, !o) -> !o
  %more = py.subscript %a[%none] : (!o, !o) -> !o
  %turned = py.attribute %a "T" : (!o) -> !o
}

// -----

!o = !py.object

// A variable holds what is sure of all that is assigned to it: a layout, extents,
// a memory, and that it may not be written.
// CHECK-LABEL: py.func @joined(
// CHECK:       py.if %{{.*}} slots {x = !pyk.array<?xf32, any, generic, readonly>}
py.func @joined(["c", "a", "b"]) kernel arguments [i1, !pyk.array<?x?xf32, c, readonly>,
                                            !pyk.array<?xf32, c>] {
  %c = py.get "c" : !o
  %a = py.get "a" : !o
  %alloc = py.constant(#py.intrinsic<"cuda.local.array">) : !o
  %four = py.constant(#py.int<4 : si64>) : !o
  %f32 = py.constant(f32) : !o
  py.if %c : !o {
    %dots = py.constant(#py.ellipsis) : !o
    %last = py.tuple(%dots, %four) : (!o, !o) -> !o
    %column = py.subscript %a[%last] : (!o, !o) -> !o
    py.set "x", %column : !o
  } else {
    %own = py.call %alloc(%four, %f32) : (!o, !o, !o) -> !o
    py.set "x", %own : !o
  }
  %x = py.get "x" : !o
}
