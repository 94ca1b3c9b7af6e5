// RUN: pyk-opt %s --split-input-file --pyk-place-shared-arrays \
// RUN:   --canonicalize | FileCheck %s

// Arrays follow each other, and what the launch gives lies behind them.
// CHECK-LABEL: pyk.func @kernel(
// CHECK-SAME:    %[[N:.*]]: i32, %[[A:.*]]: !pyk.array<?xf32, c>)
// CHECK-SAME:    pyk.shared_sizes = [#pyk.size_term<kind = constant, value = 4>, #pyk.size_term<kind = block>, #pyk.size_term<kind = length>, #pyk.size_term<kind = mul>
// CHECK-SAME:      #pyk.size_term<kind = signed, value = 4>
// CHECK-SAME:      #pyk.size_term<kind = place, value = 64, line =
// CHECK-SAME:      #pyk.size_term<kind = extent, argument = 1>
// CHECK-SAME:      #pyk.size_term<kind = place, value = 16, line =
// CHECK-SAME:      #pyk.size_term<kind = constant>, #pyk.size_term<kind = place, value = 32>]
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK:         %[[M:.*]] = arith.extui
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[N]]
// CHECK:         %[[BYTES:.*]] = arith.muli
// CHECK:         %[[TILE:.*]] = pyk.dynamic_shared at %[[ZERO]][%[[M]], %[[WIDE]]] {alignment = 64 : i64}
// CHECK:         %[[SIZE:.*]] = pyk.dim %[[A]], 0
// CHECK:         arith.addi %[[BYTES]]
// CHECK:         %[[SECOND:.*]] = arith.andi
// CHECK:         arith.addi %[[SECOND]], %[[SIZE]]
// CHECK:         %[[ROW:.*]] = pyk.dynamic_shared at %[[SECOND]][%[[SIZE]]]
// CHECK:         %[[END:.*]] = arith.andi
// CHECK:         %[[REST:.*]] = pyk.dynamic_shared at %[[END]] {alignment = 32 : i64}
// CHECK:         %[[OTHER:.*]] = pyk.dynamic_shared at %[[END]] :
// CHECK:         pyk.call @use(%[[TILE]], %[[ROW]], %[[REST]], %[[OTHER]])
pyk.func @kernel(%n: i32, %a: !pyk.array<?xf32, c>) attributes {kernel} {
  %x = pyk.block_dim x : i32
  %m = arith.extui %x : i32 to i64
  %wide = arith.extsi %n : i32 to i64
  %tile = pyk.launch_shared %m, %wide {alignment = 64}
      : !pyk.array<?x3x?xf32, c, shared>
  %size = pyk.dim %a, 0 : !pyk.array<?xf32, c> -> i64
  %row = pyk.launch_shared %size : !pyk.array<?xi8, c, shared>
  %rest = pyk.dynamic_shared {alignment = 32} : !pyk.array<?xf32, c, shared>
  %other = pyk.dynamic_shared : !pyk.array<?xi8, c, shared>
  pyk.call @use(%tile, %row, %rest, %other)
      : (!pyk.array<?x3x?xf32, c, shared>, !pyk.array<?xi8, c, shared>,
         !pyk.array<?xf32, c, shared>, !pyk.array<?xi8, c, shared>) -> ()
  pyk.return
}
pyk.func @use(%a: !pyk.array<?x3x?xf32, c, shared>,
              %b: !pyk.array<?xi8, c, shared>,
              %c: !pyk.array<?xf32, c, shared>,
              %d: !pyk.array<?xi8, c, shared>) {
  pyk.return
}

// -----

// A function gets its array from the kernels. Calls that agree on the size
// share one; another size is another array.
// CHECK-LABEL: pyk.func @reverse(
// CHECK-SAME:    %{{.*}}: i64, %[[PART:.*]]: !pyk.array<?xi32, c, shared>)
// CHECK:         pyk.load %[[PART]]
// CHECK-LABEL: pyk.func @between(
// CHECK-SAME:    %[[N:.*]]: i64, %[[PART:.*]]: !pyk.array<?xi32, c, shared>)
// CHECK:         pyk.call @reverse(%[[N]], %[[PART]])
// CHECK-LABEL: pyk.func @calls(
// CHECK-SAME:    %[[N:.*]]: i64, %[[M:.*]]: i64)
// CHECK:         %[[FIRST:.*]] = pyk.dynamic_shared at %{{.*}}[%[[N]]]
// CHECK:         %[[SECOND:.*]] = pyk.dynamic_shared at %{{.*}}[%[[M]]]
// CHECK-NOT:     pyk.dynamic_shared
// CHECK:         pyk.call @reverse(%[[N]], %[[FIRST]])
// CHECK:         pyk.call @between(%[[N]], %[[FIRST]])
// CHECK:         pyk.call @reverse(%[[M]], %[[SECOND]])
pyk.func @reverse(%n: i64) {
  %part = pyk.launch_shared %n : !pyk.array<?xi32, c, shared>
  %zero = arith.constant 0 : i64
  %v = pyk.load %part[%zero] : !pyk.array<?xi32, c, shared>
  pyk.store %v, %part[%zero] : !pyk.array<?xi32, c, shared>
  pyk.return
}
pyk.func @between(%n: i64) {
  pyk.call @reverse(%n) : (i64) -> ()
  pyk.return
}
pyk.func @calls(%n: i64, %m: i64) attributes {kernel} {
  pyk.call @reverse(%n) : (i64) -> ()
  pyk.call @between(%n) : (i64) -> ()
  pyk.call @reverse(%m) : (i64) -> ()
  pyk.return
}

// -----

// Numbers without a sign are so wide that none is below 0, constants, too.
// CHECK-LABEL: pyk.func @without_sign(
// CHECK-SAME:    #pyk.size_term<kind = unsigned, value = 4>
// CHECK-SAME:    #pyk.size_term<kind = constant, value = 4000000000>
// CHECK-SAME:    #pyk.size_term<kind = min>
// CHECK:         %[[MOST:.*]] = arith.constant 4000000000 : i64
// CHECK:         %[[SIZE:.*]] = arith.minsi %{{.*}}, %[[MOST]]
// CHECK:         pyk.dynamic_shared at %{{.*}}[%[[SIZE]]]
pyk.func @without_sign(%n: i32) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %most = arith.constant 4000000000 : i32
  %m = arith.minui %n, %most : i32
  %wide = arith.extui %m : i32 to i64
  %part = pyk.launch_shared %wide : !pyk.array<?xi8, c, shared>
  %v = pyk.load %part[%zero] : !pyk.array<?xi8, c, shared>
  pyk.store %v, %part[%zero] : !pyk.array<?xi8, c, shared>
  pyk.return
}

// -----

// Without arrays of such sizes nothing changes.
// CHECK-LABEL: pyk.func @plain()
// CHECK-NOT:     shared_sizes
// CHECK:         pyk.dynamic_shared : !pyk.array<?xi8, c, shared>
pyk.func @plain() -> !pyk.array<?xi8, c, shared> {
  %rest = pyk.dynamic_shared : !pyk.array<?xi8, c, shared>
  pyk.return %rest : !pyk.array<?xi8, c, shared>
}
