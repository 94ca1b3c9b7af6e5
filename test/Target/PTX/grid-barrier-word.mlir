// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx | FileCheck %s

// What stands in no PTX but must fit the driver, and the other blocks: the
// place of the word, and what is added to it.
// CHECK-LABEL: .visible .entry meets(
// Only the thread whose three coordinates are 0 comes to the word.
// CHECK-DAG:     mov.u32 %[[TX:r[0-9]+]], %tid.x;
// CHECK-DAG:     mov.u32 %[[TY:r[0-9]+]], %tid.y;
// CHECK-DAG:     mov.u32 %[[TZ:r[0-9]+]], %tid.z;
// CHECK-DAG:     or.b32 %[[TXY:r[0-9]+]], %[[TX]], %[[TY]];
// CHECK-DAG:     or.b32 %[[T:r[0-9]+]], %[[TXY]], %[[TZ]];
// CHECK:         setp.ne.b32 %[[OTHERS:p[0-9]+]], %[[T]], 0;
// CHECK:         @%[[OTHERS]] bra [[LEAVE:.*]];
// Four bytes behind the address, of which one register has each half.
// CHECK-DAG:     mov.b32 %[[R1:r[0-9]+]], %envreg1;
// CHECK-DAG:     cvt.u64.u32 %[[HIGH:rd[0-9]+]], %[[R1]];
// CHECK-DAG:     mov.b32 %[[R2:r[0-9]+]], %envreg2;
// CHECK-DAG:     cvt.u64.u32 %[[LOW:rd[0-9]+]], %[[R2]];
// CHECK-DAG:     shl.b64 %[[SHIFTED:rd[0-9]+]], %[[HIGH]], 32;
// CHECK-DAG:     or.b64 %[[AREA:rd[0-9]+]], %[[LOW]], %[[SHIFTED]];
// CHECK-DAG:     add.s64 %[[WORD:rd[0-9]+]], %[[AREA]], 4;
// 2^31 less the other blocks from the first block, 1 from each other one.
// CHECK-DAG:     mov.u32 %[[NX:r[0-9]+]], %nctaid.x;
// CHECK-DAG:     mov.u32 %[[NY:r[0-9]+]], %nctaid.y;
// CHECK-DAG:     mov.u32 %[[NZ:r[0-9]+]], %nctaid.z;
// CHECK-DAG:     mul.lo.s32 %[[NXY:r[0-9]+]], %[[NX]], %[[NY]];
// CHECK-DAG:     mul.lo.s32 %[[BLOCKS:r[0-9]+]], %[[NXY]], %[[NZ]];
// CHECK-DAG:     sub.s32 %[[REST:r[0-9]+]], -2147483647, %[[BLOCKS]];
// CHECK-DAG:     mov.u32 %[[BX:r[0-9]+]], %ctaid.x;
// CHECK-DAG:     mov.u32 %[[BY:r[0-9]+]], %ctaid.y;
// CHECK-DAG:     mov.u32 %[[BZ:r[0-9]+]], %ctaid.z;
// CHECK-DAG:     or.b32 %[[BXY:r[0-9]+]], %[[BX]], %[[BY]];
// CHECK-DAG:     or.b32 %[[B:r[0-9]+]], %[[BXY]], %[[BZ]];
// CHECK:         setp.eq.b32 %[[FIRST:p[0-9]+]], %[[B]], 0;
// CHECK-NEXT:    selp.b32 %[[SHARE:r[0-9]+]], %[[REST]], 1, %[[FIRST]];
// CHECK:         atom.add.u32 %[[OLD:r[0-9]+]], {{\[}}%[[AREA]]+4], %[[SHARE]];
// Until the top bit is another one.
// CHECK:       [[WAIT:\$.*]]:
// CHECK:         ld.acquire.gpu.b32 %[[NOW:r[0-9]+]], {{\[}}%[[WORD]]];
// CHECK-NEXT:    xor.b32 %[[CHANGED:r[0-9]+]], %[[NOW]], %[[OLD]];
// CHECK-NEXT:    setp.gt.s32 %[[SAME:p[0-9]+]], %[[CHANGED]], -1;
// CHECK-NEXT:    @%[[SAME]] bra [[WAIT]];
// CHECK:       [[LEAVE]]:
// CHECK-NEXT:    bar.sync 0;
pyk.func @meets() attributes {kernel} {
  pyk.grid_barrier
  pyk.return
}
