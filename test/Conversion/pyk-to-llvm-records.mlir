// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" --split-input-file \
// RUN:   | FileCheck %s

!point = !pyk.record<"x" : f64 at 4, "m" : 2x3xi16 at 12, size 24>

// CHECK: llvm.mlir.global internal constant @pyk_constant_0(dense<1> : tensor<48xi8>) {addr_space = 4 : i32, alignment = 16 : i64} : !llvm.array<48 x i8>
gpu.module @records {
  // The pointer moves by the offset, and the stride stays the size of a record.
  // CHECK-LABEL: llvm.func @field(
  // CHECK-SAME:    %[[A:[^:]*]]: !llvm.struct<(ptr<1>, i64)>)
  func.func @field(%a: !pyk.array<?x!point, c>) -> !pyk.array<?x2x3xi16, any> {
    // CHECK: %[[P:.*]] = llvm.extractvalue %[[A]][0]
    // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    // CHECK: %[[N:.*]] = llvm.extractvalue %[[A]][1]
    // CHECK: %[[RECORD:.*]] = llvm.mlir.constant(24 : i64)
    // CHECK: %[[ROW:.*]] = llvm.mlir.constant(6 : i64)
    // CHECK: %[[NUMBER:.*]] = llvm.mlir.constant(2 : i64)
    // CHECK: llvm.insertvalue %[[Q]], %{{.*}}[0]
    // CHECK: llvm.insertvalue %[[N]], %{{.*}}[1]
    // CHECK: llvm.insertvalue %[[RECORD]], %{{.*}}[2]
    // CHECK: llvm.insertvalue %[[ROW]], %{{.*}}[3]
    // CHECK: llvm.insertvalue %[[NUMBER]], %{{.*}}[4]
    %m = pyk.field %a "m" : !pyk.array<?x!point, c> to !pyk.array<?x2x3xi16, any>
    func.return %m : !pyk.array<?x2x3xi16, any>
  }

  // What lies at a multiple of 4 only is not read as if it were at one of 8.
  // CHECK-LABEL: llvm.func @alignment(
  func.func @alignment(%r: !pyk.array<!point, c>, %s: !pyk.array<f32, c, align 1>, %v: f32) -> f64 {
    %x = pyk.field %r "x" : !pyk.array<!point, c> to !pyk.array<f64, c, align 4>
    // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f64
    %value = pyk.load %x[] : !pyk.array<f64, c, align 4>
    // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : f32, !llvm.ptr<1>
    pyk.store %v, %s[] : !pyk.array<f32, c, align 1>
    func.return %value : f64
  }

  // CHECK-LABEL: llvm.func @copy(
  // CHECK-SAME:    %[[A:[^:]*]]: !llvm.ptr<1>, %[[B:[^:]*]]: !llvm.ptr<3>)
  func.func @copy(%a: !pyk.array<!point, c, align 2>, %b: !pyk.array<!point, c, shared>) {
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(24 : i64)
    // CHECK: "llvm.intr.memmove"(%[[B]], %[[A]], %[[SIZE]])
    // CHECK-SAME: arg_attrs = [{llvm.align = 8 : i64}, {llvm.align = 2 : i64}, {}]
    pyk.copy_record %a to %b : !pyk.array<!point, c, align 2>, !pyk.array<!point, c, shared>
    func.return
  }

  // CHECK-LABEL: llvm.func @constants(
  func.func @constants() -> !pyk.array<2x!point, c, constant> {
    // CHECK: llvm.mlir.addressof @pyk_constant_0
    %a = pyk.constant_array dense<1> : tensor<2x24xi8> : !pyk.array<2x!point, c, constant>
    func.return %a : !pyk.array<2x!point, c, constant>
  }

  // CHECK-LABEL: llvm.func @owned(
  func.func @owned() -> !pyk.array<2x!point, c, local> {
    // CHECK: llvm.alloca %{{.*}} x !llvm.array<2 x array<24 x i8>> {alignment = 16 : i64}
    %a = pyk.alloc : !pyk.array<2x!point, c, local>
    func.return %a : !pyk.array<2x!point, c, local>
  }
}
