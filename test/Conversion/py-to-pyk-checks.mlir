// RUN: pyk-opt %s --py-infer-types --convert-py-to-pyk=check-bounds | FileCheck %s --check-prefixes=CHECK,BOUNDS
// RUN: pyk-opt %s --py-infer-types --convert-py-to-pyk=report-errors | FileCheck %s --check-prefixes=CHECK,ERRORS
// RUN: pyk-opt %s --py-infer-types --convert-py-to-pyk | FileCheck %s --check-prefixes=CHECK,PLAIN

// CHECK-LABEL: pyk.func @checked(
// CHECK-SAME:    %[[ARRAY:.*]]: !pyk.array<?xi64, c>, %[[I:.*]]: i64)
// BOUNDS:        %[[AT:.*]] = pyk.wrap_index %[[I]] of %{{.*}}
// BOUNDS:        %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %[[SIZE:.*]] : i64
// BOUNDS:        pyk.check %[[INSIDE]] else #pyk.failure<"IndexError", "index {0} is out of bounds for axis 0 of 'a' with size {1}", "checked" at "{{.*}}" : 23>(%[[I]], %[[SIZE]])
// BOUNDS:        pyk.load %[[ARRAY]][%[[AT]]]
// ERRORS-NOT:    IndexError
// ERRORS:        pyk.load
// ERRORS:        pyk.check %{{.*}} else #pyk.failure<"ZeroDivisionError", "integer division by zero"
// CHECK:         pyk.floor_div
// CHECK:         scf.if
// BOUNDS:          pyk.check %false{{$}}
// ERRORS:          pyk.check %false{{.*}} else #pyk.failure<"ValueError", "", "checked" at {{.*}} exception 4>
// PLAIN-NOT:     #pyk.failure
// PLAIN:           pyk.check %false{{$}}
py.func @checked(["a", "i"]) kernel arguments [!pyk.array<?xsi64, c>, si64] {
  %a = py.get "a" : !py.object
  %i = py.get "i" : !py.object
  %x = py.subscript %a[%i] : (!py.object, !py.object) -> !py.object
  %q = py.binary floordiv %x, %i : (!py.object, !py.object) -> !py.object
  py.if %q : !py.object {
    py.raise "ValueError" exception 4
  } else {
  }
}
