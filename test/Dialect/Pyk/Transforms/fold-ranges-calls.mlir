// RUN: pyk-opt %s --split-input-file --pyk-fold-ranges --canonicalize \
// RUN: | FileCheck %s

// What a function gives back is known where it is called, also if it stands
// behind, and calls another one.
// CHECK-LABEL: pyk.func @caller(
// CHECK-NOT:     arith.select
// CHECK:         pyk.return
pyk.func @caller(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %i = pyk.call @place() : () -> i64
  %negative = arith.cmpi slt, %i, %zero : i64
  %wrapped = arith.addi %i, %n : i64
  %j = arith.select %negative, %wrapped, %i : i64
  pyk.return %j : i64
}
pyk.func @place() -> i64 {
  %i = pyk.call @grid() : () -> i64
  pyk.return %i : i64
}
pyk.func @grid() -> i64 {
  %i = pyk.grid x : i64
  pyk.return %i : i64
}

// -----

// Each way out counts, and one that no thread takes does not.
// CHECK-LABEL: pyk.func @ways(
// CHECK-SAME:    %[[N:.*]]: i64) -> (i1, i1)
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK:         %[[RESULT:.*]] = pyk.call @two_ways(%[[N]])
// CHECK:         %[[IS:.*]] = arith.cmpi sgt, %[[RESULT]], %{{.*}}
// CHECK:         pyk.return %[[TRUE]], %[[IS]]
pyk.func @ways(%n: i64) -> (i1, i1) {
  %four = arith.constant 4 : i64
  %eight = arith.constant 8 : i64
  %result = pyk.call @two_ways(%n) : (i64) -> i64
  %is_small = arith.cmpi sle, %result, %eight : i64
  %is_large = arith.cmpi sgt, %result, %four : i64
  pyk.return %is_small, %is_large : i1, i1
}
pyk.func @two_ways(%n: i64) -> i64 {
  %three = arith.constant 3 : i64
  %eight = arith.constant 8 : i64
  %inside = arith.cmpi slt, %n, %three : i64
  pyk.if %inside {
    pyk.return %three : i64
  } else {
    pyk.yield
  }
  pyk.return %eight : i64
}

// -----

// Of one that calls itself nothing is known.
// CHECK-LABEL: pyk.func @circle(
// CHECK:         arith.cmpi sge
pyk.func @circle(%n: i64) -> i1 {
  %zero = arith.constant 0 : i64
  %a = pyk.call @again(%n) : (i64) -> i64
  %c = arith.cmpi sge, %a, %zero : i64
  pyk.return %c : i1
}
pyk.func @again(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %inside = arith.cmpi slt, %n, %zero : i64
  pyk.if %inside {
    %r = pyk.call @again(%n) : (i64) -> i64
    pyk.return %r : i64
  } else {
    pyk.yield
  }
  pyk.return %zero : i64
}

// -----

// Nor of its own calls, whatever it has given back before them.
// CHECK-LABEL: pyk.func @count(
// CHECK:         %[[REST:.*]] = pyk.call @count(
// CHECK:         %[[SUM:.*]] = arith.addi %[[REST]], %
// CHECK:         pyk.return %[[SUM]]
pyk.func @count(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ends = arith.cmpi sle, %n, %zero : i64
  pyk.if %ends {
    pyk.return %zero : i64
  } else {
    pyk.yield
  }
  %less = arith.subi %n, %one : i64
  %rest = pyk.call @count(%less) : (i64) -> i64
  %sum = arith.addi %rest, %one : i64
  pyk.return %sum : i64
}

// -----

// What a scope gives is not what its function does.
// CHECK-LABEL: pyk.func @of_a_scope(
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         pyk.return %[[TRUE]]
pyk.func @of_a_scope(%n: i64) -> i1 {
  %three = arith.constant 3 : i64
  %r = pyk.call @with_scope(%n) : (i64) -> i64
  %is_three = arith.cmpi eq, %r, %three : i64
  pyk.return %is_three : i1
}
pyk.func @with_scope(%n: i64) -> i64 {
  %three = arith.constant 3 : i64
  %eight = arith.constant 8 : i64
  %r = pyk.scope -> (i64) {
    %inside = arith.cmpi slt, %n, %three : i64
    pyk.if %inside {
      pyk.return %n : i64
    }
    pyk.return %eight : i64
  }
  pyk.print "%lld" (%r) : i64
  pyk.return %three : i64
}
