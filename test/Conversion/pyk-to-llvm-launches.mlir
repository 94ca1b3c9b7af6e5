// RUN: pyk-opt %s --pyk-lower-to-gpu | FileCheck %s --check-prefix=GPU
// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm | FileCheck %s

// Stage gpu keeps the arrays: what the child's parameters are is known when all
// have been added.
// GPU:       gpu.func @child(%{{.*}}) kernel attributes {pyk.abi = #pyk.abi<[<data, 0>, <stride, 0>, <stride, 0, 1>, <scalar, 1>, <scalar, 2>]>, pyk.child}
// GPU:       gpu.func @parent(
// GPU:       pyk.launch @child grid({{.*}}) : !pyk.array<?x?xf32, any>, f32, i1
pyk.func @child(%a: !pyk.array<?x?xf32, any>, %x: f32, %flag: i1)
    attributes {kernel, pyk.child} {
  %i = arith.constant 0 : i64
  pyk.if %flag {
    pyk.store %x, %a[%i, %i] : !pyk.array<?x?xf32, any>
    pyk.yield
  }
  pyk.return
}

// CHECK:       llvm.func @pyk.launch(!llvm.ptr, i64, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr)
// CHECK:       llvm.func @pyk.stream() -> i64
// CHECK-LABEL: llvm.func @parent(
// CHECK-SAME:    %[[A:.*]]: !llvm.ptr<1>, %[[ROWS:.*]]: i64 {{.*}}, %[[COLUMNS:.*]]: i64 {{.*}}, %[[X:.*]]: f32, %[[FLAG:.*]]: i8, %[[N:.*]]: i64)
pyk.func @parent(%a: !pyk.array<?x?xf32, c>, %x: f32, %flag: i1, %n: i64)
    attributes {kernel} {
  %view = pyk.cast %a : !pyk.array<?x?xf32, c> to !pyk.array<?x?xf32, any>
  %one = arith.constant 1 : i64
  // CHECK-DAG:   %[[SLOTS:.*]] = llvm.alloca %{{.*}} x !llvm.array<5 x ptr>
  // CHECK-DAG:   %[[ROOM:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr<1>, i64, i64, f32, i8)>
  // CHECK:       %[[S:.*]] = llvm.call @pyk.stream() : () -> i64
  %s = pyk.stream : i64
  // CHECK:       %[[FIELD:.*]] = llvm.getelementptr %[[ROOM]][0, 3]
  // CHECK:       llvm.store %[[X]], %[[FIELD]] : f32
  // CHECK:       %[[SLOT:.*]] = llvm.getelementptr %[[SLOTS]][3]
  // CHECK:       llvm.store %[[FIELD]], %[[SLOT]] : !llvm.ptr
  // A bool takes a byte.
  // CHECK:       llvm.store %{{.*}}, %{{.*}} : i8
  // CHECK:       %[[KERNEL:.*]] = llvm.mlir.addressof @child
  // CHECK:       llvm.call @pyk.launch(%[[KERNEL]], %[[N]], %[[ONE:.*]], %[[ONE]], %[[N]], %[[ONE]], %[[ONE]], %[[S]], %[[N]], %[[SLOTS]])
  pyk.launch @child grid(%n, %one, %one) block(%n, %one, %one) stream %s
    shared %n (%view, %x, %flag) : !pyk.array<?x?xf32, any>, f32, i1
  pyk.return
}
