// A number and an array of bfloat16, on the command line and in files, where
// NumPy takes them for two bytes.
// RUN: pyk-run %s --grid=1 --block=1 --arg=bf16:0.1 --arg=bf16[3]=1,2,3e38 \
// RUN:   --print=0 --print=1 --save=1:%t.npy | FileCheck %s
// RUN: pyk-run %s --grid=1 --block=1 --arg=bf16:2 --arg=bf16[3]=@%t.npy \
// RUN:   --print=1 | FileCheck %s --check-prefix=FILE
// RUN: not pyk-run %s --grid=1 --block=1 --arg=f16:1 --arg=bf16[3]=zeros \
// RUN:   2>&1 | FileCheck %s --check-prefix=F16

// CHECK: 0: bf16 = 0.1
// CHECK-NEXT: 1: bf16[3] = [0.1, 2.0, 3e+38]
// FILE: 1: bf16[3] = [2.0, 2.0, 3e+38]
// F16: parameter 0 ('x') of kernel 'store' expects bf16 but got f16
py.func @store(["x", "a"]) kernel arguments [bf16, !pyk.array<?xbf16, c>] {
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %x = py.get "x" : !py.object
  %a = py.get "a" : !py.object
  py.set_subscript %x, %a[%zero] : !py.object, !py.object, !py.object
}
