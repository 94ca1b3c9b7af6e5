// RUN: pyk-test-translate %s --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

gpu.module @kernels {
  // Of small bodies that read memory eight iterations are one, and ptxas makes no
  // more of them.
  // CHECK-LABEL: .entry sum(
  // CHECK:         .pragma "nounroll";
  // CHECK-COUNT-8: add.rn.f32
  // CHECK:         bra
  // CHECK-COUNT-1: add.rn.f32
  // CHECK-NOT:     add.rn.f32
  // CHECK:         ret;
  llvm.func @sum(%a: !llvm.ptr<1>, %n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %none = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^head(%zero, %none : i32, f32)
  ^head(%i: i32, %s: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^body, ^end
  ^body:
    %place = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // What reads nothing has nothing to wait for: no plan, and ptxas does as it
  // likes with the loop.
  // CHECK-LABEL: .entry power(
  // CHECK-NOT:     nounroll
  // CHECK:         mul.rn.f32
  llvm.func @power(%x: f32, %n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^head(%zero, %x : i32, f32)
  ^head(%i: i32, %s: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^body, ^end
  ^body:
    %next = llvm.fmul %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // The number of iterations takes a division.
  // CHECK-LABEL: .entry any_step(
  // CHECK-NOT:     nounroll
  // CHECK-COUNT-1: add.rn.f32
  // CHECK-NOT:     add.rn.f32
  // CHECK:         ret;
  llvm.func @any_step(%a: !llvm.ptr<1>, %n: i32, %step: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %none = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^head(%zero, %none : i32, f32)
  ^head(%i: i32, %s: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^body, ^end
  ^body:
    %place = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %step overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Of a constant number of iterations LLVM finds what divides it: no plan.
  // CHECK-LABEL: .entry thousand(
  // CHECK-NOT:     nounroll
  // CHECK:         add.rn.f32
  // CHECK-NOT:     nounroll
  // CHECK:         ret;
  llvm.func @thousand(%a: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n = llvm.mlir.constant(1000 : i32) : i32
    %none = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^head(%zero, %none : i32, f32)
  ^head(%i: i32, %s: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^body, ^end
  ^body:
    %place = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}
