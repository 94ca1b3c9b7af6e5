// RUN: pyk-test-translate %s --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

#none = #llvm.loop_annotation<unroll = <disable = true>>

gpu.module @kernels {
  // Accesses beside each other are at offsets from one pointer.
  // CHECK-LABEL: .entry beside(
  // CHECK:         mul.wide.s32 %[[STEP:rd[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK-NOT:     mul.wide
  // CHECK:       [[LOOP:\$.*]]:
  // CHECK:         ld.global.b32 %[[X:r[0-9]+]], [%[[PLACE:rd[0-9]+]]];
  // CHECK-NEXT:    ld.global.b32 %[[Y:r[0-9]+]], [%[[PLACE]]+12];
  // CHECK:         add.s64 %[[PLACE]], %[[PLACE]], %[[STEP]];
  // CHECK:         bra [[LOOP]];
  llvm.func @beside(%a: !llvm.ptr<1>, %n: i32, %width: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %none = llvm.mlir.constant(0.0 : f32) : f32
    %iterations = llvm.sext %n : i32 to i64
    %row = llvm.sext %width : i32 to i64
    llvm.br ^head(%zero, %none : i64, f32)
  ^head(%i: i64, %s: f32):
    %more = llvm.icmp "slt" %i, %iterations : i64
    llvm.cond_br %more, ^body, ^end
  ^body:
    %index = llvm.mul %i, %row : i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %beside = llvm.getelementptr %place[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %y = llvm.load %beside : !llvm.ptr<1> -> f32
    %t = llvm.fadd %s, %x : f32
    %next = llvm.fadd %t, %y : f32
    %j = llvm.add %i, %one overflow<nsw> : i64
    llvm.br ^head(%j, %next : i64, f32) {loop_annotation = #none}
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Columns of two matrices step by widths of their own.
  // CHECK-LABEL: .entry two_widths(
  // CHECK-DAG:     mul.wide.s32 %[[STEP:rd[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK-DAG:     mul.wide.s32 %[[OTHER:rd[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK:       [[LOOP:\$.*]]:
  // CHECK-DAG:     ld.global.b32 %{{r[0-9]+}}, [%[[PLACE:rd[0-9]+]]];
  // CHECK-DAG:     add.s64 %[[PLACE]], %[[PLACE]], %{{rd[0-9]+}};
  // CHECK-DAG:     ld.global.b32 %{{r[0-9]+}}, [%[[THERE:rd[0-9]+]]];
  // CHECK-DAG:     add.s64 %[[THERE]], %[[THERE]], %{{rd[0-9]+}};
  // CHECK:         bra [[LOOP]];
  llvm.func @two_widths(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %n: i32, %width: i32, %other: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %none = llvm.mlir.constant(0.0 : f32) : f32
    %iterations = llvm.sext %n : i32 to i64
    %row = llvm.sext %width : i32 to i64
    %its = llvm.sext %other : i32 to i64
    llvm.br ^head(%zero, %none : i64, f32)
  ^head(%i: i64, %s: f32):
    %more = llvm.icmp "slt" %i, %iterations : i64
    llvm.cond_br %more, ^body, ^end
  ^body:
    %index = llvm.mul %i, %row : i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %there = llvm.mul %i, %its : i64
    %second = llvm.getelementptr %b[%there] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %y = llvm.load %second : !llvm.ptr<1> -> f32
    %t = llvm.fadd %s, %x : f32
    %next = llvm.fadd %t, %y : f32
    %j = llvm.add %i, %one overflow<nsw> : i64
    llvm.br ^head(%j, %next : i64, f32) {loop_annotation = #none}
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // A number without a sign is one of 32 bits, which a signed product is not of.
  // CHECK-LABEL: .entry without_sign(
  // CHECK:         mul.wide.u32 %{{rd[0-9]+}}, %{{r[0-9]+}}, 4;
  // CHECK:         ret;
  llvm.func @without_sign(%a: !llvm.ptr<1>, %n: i32, %width: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %none = llvm.mlir.constant(0.0 : f32) : f32
    %iterations = llvm.sext %n : i32 to i64
    %row = llvm.zext %width : i32 to i64
    llvm.br ^head(%zero, %none : i64, f32)
  ^head(%i: i64, %s: f32):
    %more = llvm.icmp "slt" %i, %iterations : i64
    llvm.cond_br %more, ^body, ^end
  ^body:
    %index = llvm.mul %i, %row : i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i64
    llvm.br ^head(%j, %next : i64, f32) {loop_annotation = #none}
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Nor does the factor have more than 32 bits.
  // CHECK-LABEL: .entry far_apart(
  // CHECK-NOT:     mul.wide
  // CHECK:         mul.lo.s64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, 2400000000;
  // CHECK-NOT:     mul.wide
  // CHECK:         ret;
  llvm.func @far_apart(%a: !llvm.ptr<1>, %n: i32, %width: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %none = llvm.mlir.constant(0.0 : f32) : f32
    %iterations = llvm.sext %n : i32 to i64
    %row = llvm.sext %width : i32 to i64
    llvm.br ^head(%zero, %none : i64, f32)
  ^head(%i: i64, %s: f32):
    %more = llvm.icmp "slt" %i, %iterations : i64
    llvm.cond_br %more, ^body, ^end
  ^body:
    %index = llvm.mul %i, %row : i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<600000000 x f32>
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i64
    llvm.br ^head(%j, %next : i64, f32) {loop_annotation = #none}
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}
