// RUN: pyk-opt %s --split-input-file --py-infer-types | FileCheck %s

// One string is known; of two, the longer says how many characters there are.
// CHECK-LABEL: py.func @joins(
py.func @joins(["n", "s"]) kernel arguments [i1, !py.chars<str, 1>] {
  %n = py.get "n" : !py.object
  %s = py.get "s" : !py.object
  // CHECK: py.conditional {{.*}} -> !py.static<"ab">
  %same = py.conditional %n : (!py.object) -> !py.object {
    %a = py.constant("ab") : !py.object
    py.yield %a : !py.object
  } else {
    %b = py.constant("ab") : !py.object
    py.yield %b : !py.object
  }
  py.set "same", %same : !py.object
  // CHECK: py.conditional {{.*}} -> !py.chars<str, 2>
  %two = py.conditional %n : (!py.object) -> !py.object {
    %a = py.constant("a") : !py.object
    py.yield %a : !py.object
  } else {
    %b = py.constant("\C3\A9\E2\82\AC") : !py.object
    py.yield %b : !py.object
  }
  py.set "two", %two : !py.object
  // CHECK: py.conditional {{.*}} -> !py.chars<str, 1>
  %empty = py.conditional %n : (!py.object) -> !py.object {
    %a = py.constant("") : !py.object
    py.yield %a : !py.object
  } else {
    py.yield %s : !py.object
  }
  py.set "empty", %empty : !py.object
}

// -----

// As in Numba, an item of bytes is a uint8 if they are known, else a uint32.
// CHECK-LABEL: py.func @items(
py.func @items(["s", "b", "n"]) kernel arguments [!py.chars<str, 4>, !py.chars<bytes, 4>, si64] {
  %s = py.get "s" : !py.object
  %b = py.get "b" : !py.object
  %n = py.get "n" : !py.object
  %known = py.constant(#py.bytes<"abc">) : !py.object
  // CHECK: py.subscript {{.*}} -> !py.chars<str, 1>
  %character = py.subscript %s[%n] : (!py.object, !py.object) -> !py.object
  // CHECK: py.subscript {{.*}} -> ui32
  %byte = py.subscript %b[%n] : (!py.object, !py.object) -> !py.object
  // CHECK: py.subscript {{.*}} -> ui8
  %first = py.subscript %known[%n] : (!py.object, !py.object) -> !py.object
}
