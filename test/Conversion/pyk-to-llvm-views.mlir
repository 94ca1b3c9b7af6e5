// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" --split-input-file \
// RUN:   | FileCheck %s

gpu.module @views {
  // As many elements of the other size as fit.
  // CHECK-LABEL: llvm.func @smaller(
  // CHECK-SAME:    %[[A:[^:]*]]: !llvm.struct<(ptr<1>, i64, i64)>)
  func.func @smaller(%a: !pyk.array<?x?xf64, c>) -> !pyk.array<?x?xi16, c> {
    // CHECK: %[[N:.*]] = llvm.extractvalue %[[A]][2]
    // CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
    // CHECK: %[[COUNT:.*]] = llvm.mul %[[N]], %[[FOUR]]
    // CHECK: llvm.insertvalue %[[COUNT]], %{{.*}}[2]
    %b = pyk.reinterpret %a : !pyk.array<?x?xf64, c> to !pyk.array<?x?xi16, c>
    func.return %b : !pyk.array<?x?xi16, c>
  }

  // CHECK-LABEL: llvm.func @larger(
  func.func @larger(%a: !pyk.array<?xi16, c>) -> !pyk.array<?xf64, c, align 2> {
    // CHECK: llvm.udiv %{{.*}}, %{{.*}} : i64
    %b = pyk.reinterpret %a : !pyk.array<?xi16, c> to !pyk.array<?xf64, c, align 2>
    func.return %b : !pyk.array<?xf64, c, align 2>
  }

  // Only the strides that place the view are computed with.
  // CHECK-LABEL: llvm.func @row(
  // CHECK-SAME:    %[[A:[^:]*]]: !llvm.struct<(ptr<1>, i64, i64)>, %[[I:[^:]*]]: i64)
  // CHECK-SAME:    -> !llvm.struct<(ptr<1>, i64)>
  func.func @row(%a: !pyk.array<?x?xf32, c>, %i: i64) -> !pyk.array<?xf32, c> {
    // CHECK: %[[P:.*]] = llvm.extractvalue %[[A]][0]
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(4 : i64)
    // CHECK: %[[N:.*]] = llvm.extractvalue %[[A]][2]
    // CHECK: %[[STRIDE:.*]] = llvm.mul %[[SIZE]], %[[N]]
    // CHECK: %[[BYTES:.*]] = llvm.mul %[[I]], %[[STRIDE]]
    // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][%[[BYTES]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    // CHECK: %[[N2:.*]] = llvm.extractvalue %[[A]][2]
    // CHECK: llvm.insertvalue %[[Q]], %{{.*}}[0]
    // CHECK: llvm.insertvalue %[[N2]], %{{.*}}[1]
    %v = pyk.view %a[%i, *] : !pyk.array<?x?xf32, c> to !pyk.array<?xf32, c>
    func.return %v : !pyk.array<?xf32, c>
  }

  // CHECK-LABEL: llvm.func @strided(
  // CHECK-SAME:    %[[A:[^:]*]]: !llvm.struct<(ptr<3>, i64, i64)>, %[[F:[^:]*]]: i64, %[[N:[^:]*]]: i64, %[[S:[^:]*]]: i64)
  func.func @strided(%a: !pyk.array<?xf32, any, shared>, %f: i64, %n: i64,
                     %s: i64) -> !pyk.array<1x?xf32, any, shared> {
    // CHECK: %[[STRIDE:.*]] = llvm.extractvalue %[[A]][2]
    // CHECK: llvm.mul %[[F]], %[[STRIDE]]
    // CHECK: %[[NEW:.*]] = llvm.mlir.constant(0 : i64)
    // CHECK: %[[OLD:.*]] = llvm.extractvalue %[[A]][2]
    // CHECK: %[[BY:.*]] = llvm.mul %[[OLD]], %[[S]]
    // CHECK: llvm.insertvalue %[[N]], %{{.*}}[1]
    // CHECK: llvm.insertvalue %[[NEW]], %{{.*}}[2]
    // CHECK: llvm.insertvalue %[[BY]], %{{.*}}[3]
    %v = pyk.view %a[new, %f : %n : %s]
        : !pyk.array<?xf32, any, shared> to !pyk.array<1x?xf32, any, shared>
    func.return %v : !pyk.array<1x?xf32, any, shared>
  }

  // CHECK-LABEL: llvm.func @transposed(
  // CHECK-SAME:    %[[A:[^:]*]]: !llvm.struct<(ptr<1>, i64, i64)>)
  func.func @transposed(%a: !pyk.array<?x?xf32, c>) -> !pyk.array<?x?xf32, f> {
    // CHECK: %[[N:.*]] = llvm.extractvalue %[[A]][2]
    // CHECK: %[[M:.*]] = llvm.extractvalue %[[A]][1]
    // CHECK: llvm.insertvalue %[[N]], %{{.*}}[1]
    // CHECK: llvm.insertvalue %[[M]], %{{.*}}[2]
    %t = pyk.transpose %a[1, 0]
        : !pyk.array<?x?xf32, c> to !pyk.array<?x?xf32, f>
    func.return %t : !pyk.array<?x?xf32, f>
  }

  // An array of a static shape is its pointer.
  // CHECK-LABEL: llvm.func @reshaped(
  // CHECK-SAME:    %[[P:[^:]*]]: !llvm.ptr<3>, %[[N:[^:]*]]: i64)
  func.func @reshaped(%a: !pyk.array<16xf32, c, shared>, %n: i64)
      -> !pyk.array<4x?xf32, c, shared> {
    // CHECK: llvm.insertvalue %[[P]], %{{.*}}[0]
    // CHECK: llvm.insertvalue %[[N]], %{{.*}}[1]
    %r = pyk.reshape %a to (%n)
        : !pyk.array<16xf32, c, shared> to !pyk.array<4x?xf32, c, shared>
    func.return %r : !pyk.array<4x?xf32, c, shared>
  }

  // What is not known any more becomes a number.
  // CHECK-LABEL: llvm.func @cast(
  // CHECK-SAME:    %[[P:[^:]*]]: !llvm.ptr<3>)
  func.func @cast(%a: !pyk.array<4xf32, c, shared>)
      -> !pyk.array<?xf32, any, generic> {
    // CHECK: %[[Q:.*]] = llvm.addrspacecast %[[P]] : !llvm.ptr<3> to !llvm.ptr
    // CHECK-DAG: llvm.mlir.constant(4 : i64)
    // CHECK: llvm.insertvalue %[[Q]], %{{.*}}[0] : !llvm.struct<(ptr, i64, i64)>
    %b = pyk.cast %a
        : !pyk.array<4xf32, c, shared> to !pyk.array<?xf32, any, generic>
    func.return %b : !pyk.array<?xf32, any, generic>
  }
}
