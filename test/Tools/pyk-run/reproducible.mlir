// --reproducible lets a kernel compute the same bits on all targets; the command
// that --reproduce prints does so too.

// RUN: pyk-run %s --reproducible --emit=ptx > %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// CHECK-NOT: .approx
// CHECK: mul.rn.f32
// CHECK: div.rn.f32
// CHECK: add.rn.f32
// CHECK: selp.f32 {{.*}}, 0f7FC00000
// RUN: pyk-run %s --reproducible --reproduce 2> %t.sh
// RUN: FileCheck %s --check-prefix=COMMAND --input-file=%t.sh
// COMMAND: --pyk-lower-to-pyk=reproducible=true --pyk-lower-to-gpu
// RUN: sh %t.sh | cmp - %t.ptx

// On x86 the NaN of such a product has another sign.
// DEFINE: %{run} = pyk-run %s --target=cpu --grid=1 --block=1 --save=0:%t.npy \
// DEFINE:   --arg=f32[1]=zeros --arg=f32:inf --arg=f32:nan --reproducible
// RUN: %{run}
// RUN: od -A n -t x4 -j 128 %t.npy | FileCheck %s --check-prefix=NAN
// NAN: 7fc00000

py.func @divide(["a", "b", "c"]) kernel arguments [!pyk.array<?xf32, c>, f32, f32] fastmath {
  %a = py.get "a" : !py.object
  %b = py.get "b" : !py.object
  %c = py.get "c" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %product = py.binary mul %b, %b : (!py.object, !py.object) -> !py.object
  %ratio = py.binary truediv %product, %c : (!py.object, !py.object) -> !py.object
  %sum = py.binary add %ratio, %c : (!py.object, !py.object) -> !py.object
  py.set_subscript %sum, %a[%zero] : !py.object, !py.object, !py.object
}
