// RUN: pyk-test-translate %s --pyk-to-ptx -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

gpu.module @kernels {
  // A column of a matrix: one pointer goes from row to row, by one product.
  // CHECK-LABEL: .entry column(
  // CHECK:         mul.wide.s32 %[[STEP:rd[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK:         .pragma "nounroll";
  // CHECK:         ld.global.b32 %{{.*}}, [%[[PLACE:rd[0-9]+]]];
  // CHECK:         add.s64 %[[NEXT:rd[0-9]+]], %[[PLACE]], %[[STEP]];
  // CHECK:         ld.global.b32 %{{.*}}, [%[[NEXT]]];
  // CHECK:         ret;
  llvm.func @column(%a: !llvm.ptr<1>, %n: i32, %width: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
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
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i64
    llvm.br ^head(%j, %next : i64, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // A width of 64 bits is no product of 32, and a row needs none.
  // CHECK-LABEL: .entry others(
  // CHECK-NOT:     mul.wide
  // CHECK:         ret;
  llvm.func @others(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %n: i64, %width: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %none = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^head(%zero, %none : i64, f32)
  ^head(%i: i64, %s: f32):
    %more = llvm.icmp "slt" %i, %n : i64
    llvm.cond_br %more, ^body, ^end
  ^body:
    %index = llvm.mul %i, %width : i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %same = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %y = llvm.load %same : !llvm.ptr<1> -> f32
    %product = llvm.fmul %x, %y : f32
    %next = llvm.fadd %s, %product : f32
    %j = llvm.add %i, %one overflow<nsw> : i64
    llvm.br ^head(%j, %next : i64, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // A pointer that each iteration makes anew, and one behind it. The loop has no
  // block in front of it where the product would be.
  // CHECK-LABEL: .entry behind(
  // CHECK:         @%{{p[0-9]+}} bra
  // CHECK:         mul.wide.u32 %[[STEP:rd[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK:       $L__BB2_{{[0-9]}}:
  // CHECK:         ld.global.b32 %{{.*}}, [%[[PLACE:rd[0-9]+]]];
  // CHECK:         add.s64 %[[BEHIND:rd[0-9]+]], %[[PLACE]], %[[STEP]];
  // CHECK:         ld.global.b32 %{{.*}}, [%[[BEHIND]]];
  // CHECK:         ret;
  llvm.func @behind(%a: !llvm.ptr<1>, %n: i32, %step: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %none = llvm.mlir.constant(0.0 : f32) : f32
    %distance = llvm.zext %step : i32 to i64
    %any = llvm.icmp "ult" %zero, %n : i32
    llvm.cond_br %any, ^body(%zero, %none : i32, f32), ^end(%none : f32)
  ^body(%i: i32, %s: f32):
    %index = llvm.zext %i : i32 to i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %behind = llvm.getelementptr %place[%distance] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %y = llvm.load %behind : !llvm.ptr<1> -> f32
    %t = llvm.fadd %s, %x : f32
    %next = llvm.fadd %t, %y : f32
    %j = llvm.add %i, %step : i32
    %more = llvm.icmp "ult" %j, %n : i32
    llvm.cond_br %more, ^body(%j, %next : i32, f32), ^end(%next : f32)
  ^end(%sum: f32):
    llvm.store %sum, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // A column by sums and products of 32 bits, which are said not to wrap.
  // CHECK-LABEL: .entry narrow(
  // CHECK:         begin inline asm
  // CHECK-NEXT:    mul.wide.u32 %[[STEP:rd[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK:       $L__BB3_{{[0-9]}}:
  // CHECK:         .pragma "nounroll";
  // CHECK-NOT:     mul
  // CHECK:         ld.global.b32 %{{.*}}, [%[[PLACE:rd[0-9]+]]];
  // CHECK:         add.s64 %[[NEXT:rd[0-9]+]], %[[PLACE]], %[[STEP]];
  // CHECK:         ld.global.b32 %{{.*}}, [%[[NEXT]]];
  // CHECK-NOT:     mul
  // CHECK:         bra
  // CHECK:         ret;
  llvm.func @narrow(%a: !llvm.ptr<1>, %n: i32, %column: i32, %width: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %none = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^head(%zero, %none : i32, f32)
  ^head(%i: i32, %s: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^body, ^end
  ^body:
    %row = llvm.mul %i, %width overflow<nsw, nuw> : i32
    %sum = llvm.add %row, %column overflow<nsw, nuw> : i32
    %index = llvm.zext %sum : i32 to i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Upwards in a column of which the width has no sign in 32 bits: the distance
  // has one.
  // CHECK-LABEL: .entry backwards(
  // CHECK-NOT:     mul.wide.u32 %{{.*}}, -4;
  // CHECK:         ld.global{{.*}}.b32
  // CHECK-NOT:     mul.wide.u32 %{{.*}}, -4;
  // CHECK:         ret;
  llvm.func @backwards(%a: !llvm.ptr<1>, %n: i32, %width: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %none = llvm.mlir.constant(0.0 : f32) : f32
    %iterations = llvm.sext %n : i32 to i64
    %row = llvm.zext %width : i32 to i64
    %back = llvm.sub %zero, %row : i64
    llvm.br ^head(%zero, %none : i64, f32)
  ^head(%i: i64, %s: f32):
    %more = llvm.icmp "slt" %i, %iterations : i64
    llvm.cond_br %more, ^body, ^end
  ^body:
    %index = llvm.mul %i, %back : i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i64
    llvm.br ^head(%j, %next : i64, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  // Sums that wrap without a sign, as these may, are no distance apart in 64
  // bits.
  // CHECK-LABEL: .entry wrapping(
  // CHECK-NOT:     inline asm
  // CHECK:         ret;
  llvm.func @wrapping(%a: !llvm.ptr<1>, %n: i32, %width: i32, %first: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %none = llvm.mlir.constant(0.0 : f32) : f32
    llvm.br ^head(%zero, %none : i32, f32)
  ^head(%i: i32, %s: f32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^body, ^end
  ^body:
    %row = llvm.mul %i, %width overflow<nsw> : i32
    %sum = llvm.add %row, %first overflow<nsw> : i32
    %index = llvm.zext %sum : i32 to i64
    %place = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %place : !llvm.ptr<1> -> f32
    %next = llvm.fadd %s, %x : f32
    %j = llvm.add %i, %one overflow<nsw> : i32
    llvm.br ^head(%j, %next : i32, f32)
  ^end:
    llvm.store %s, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}
