// RUN: pyk-test-translate %s --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

#unroll = #llvm.loop_unroll<disable = false, count = 2 : i32>
#twice = #llvm.loop_annotation<unroll = #unroll>

gpu.module @kernels {
  // What an iteration may cost for eight to become one, and one instruction more.
  // CHECK-LABEL: .entry of_eight(
  // CHECK:         .pragma "nounroll";
  // CHECK-COUNT-8: add.rn.f32
  // CHECK-NOT:     add.rn.f32
  // CHECK:         bra
  // CHECK:         ret;
  llvm.func @of_eight(%a: !llvm.ptr<1>, %n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
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
    %t0 = llvm.fmul %x, %x : f32
    %t1 = llvm.fmul %t0, %x : f32
    %t2 = llvm.fmul %t1, %x : f32
    %t3 = llvm.fmul %t2, %x : f32
    %t4 = llvm.fmul %t3, %x : f32
    %t5 = llvm.fmul %t4, %x : f32
    %t6 = llvm.fmul %t5, %x : f32
    %next = llvm.fadd %s, %t6 : f32
    %j = llvm.add %i, %one overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // CHECK-LABEL: .entry of_four(
  // CHECK:         .pragma "nounroll";
  // CHECK-COUNT-4: add.rn.f32
  // CHECK-NOT:     add.rn.f32
  // CHECK:         bra
  // CHECK:         ret;
  llvm.func @of_four(%a: !llvm.ptr<1>, %n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
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
    %t0 = llvm.fmul %x, %x : f32
    %t1 = llvm.fmul %t0, %x : f32
    %t2 = llvm.fmul %t1, %x : f32
    %t3 = llvm.fmul %t2, %x : f32
    %t4 = llvm.fmul %t3, %x : f32
    %t5 = llvm.fmul %t4, %x : f32
    %t6 = llvm.fmul %t5, %x : f32
    %t7 = llvm.fmul %t6, %x : f32
    %next = llvm.fadd %s, %t7 : f32
    %j = llvm.add %i, %one overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Of fewer than four nothing is gained.
  // CHECK-LABEL: .entry of_none(
  // CHECK-NOT:     nounroll
  // CHECK:         ret;
  llvm.func @of_none(%a: !llvm.ptr<1>, %n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
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
    %t0 = llvm.fmul %x, %x : f32
    %t1 = llvm.fmul %t0, %x : f32
    %t2 = llvm.fmul %t1, %x : f32
    %t3 = llvm.fmul %t2, %x : f32
    %t4 = llvm.fmul %t3, %x : f32
    %t5 = llvm.fmul %t4, %x : f32
    %t6 = llvm.fmul %t5, %x : f32
    %t7 = llvm.fmul %t6, %x : f32
    %t8 = llvm.fmul %t7, %x : f32
    %t9 = llvm.fmul %t8, %x : f32
    %t10 = llvm.fmul %t9, %x : f32
    %t11 = llvm.fmul %t10, %x : f32
    %t12 = llvm.fmul %t11, %x : f32
    %t13 = llvm.fmul %t12, %x : f32
    %t14 = llvm.fmul %t13, %x : f32
    %t15 = llvm.fmul %t14, %x : f32
    %t16 = llvm.fmul %t15, %x : f32
    %t17 = llvm.fmul %t16, %x : f32
    %t18 = llvm.fmul %t17, %x : f32
    %t19 = llvm.fmul %t18, %x : f32
    %next = llvm.fadd %s, %t19 : f32
    %j = llvm.add %i, %one overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Threads that meet do so once in what the machine sees as one loop.
  // CHECK-LABEL: .entry that_meet(
  // CHECK-NOT:     nounroll
  // CHECK:         ret;
  llvm.func @that_meet(%a: !llvm.ptr<1>, %n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
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
    %mask = llvm.mlir.constant(-1 : i32) : i32
    nvvm.bar.warp.sync %mask : i32
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // What says itself how often it is to be unrolled.
  // CHECK-LABEL: .entry planned(
  // CHECK-COUNT-2: add.rn.f32
  // CHECK-NOT:     add.rn.f32
  // CHECK:         bra
  // CHECK:         ret;
  llvm.func @planned(%a: !llvm.ptr<1>, %n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
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
    llvm.br ^head(%j, %next : i32, f32) {loop_annotation = #twice}
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}
