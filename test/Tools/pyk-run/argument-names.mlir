// A kernel in stage py has names for its parameters, exact signedness, and
// arguments that are None.

// DEFINE: %{run} = pyk-run %s --grid=1 --block=1 --arg=i32:-7

// RUN: %{run} --arg=none --arg=i32[1]=zeros --print=2 --print=1 | FileCheck %s
// CHECK: 2: i32[1] = [-7]
// CHECK-NEXT: 1: none

// RUN: %exits 2 %{run} --arg=none --arg=u32[1]=zeros 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: pyk-run: error: parameter 2 ('out') of kernel 'copy' expects i32[?] but got u32[1]
// RUN: %exits 2 %{run} --arg=i32:1 --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: pyk-run: error: parameter 1 ('unused') of kernel 'copy' expects none but got i32
// RUN: %exits 1 %{run} --arg=none --arg=i32[1]=zeros --save=1:%t.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAVE
// SAVE: pyk-run: error: cannot save None to '{{.*}}.npy'

py.func @copy(["n", "unused", "out"])
    kernel arguments [si32, none, !pyk.array<?xsi32, c>] {
  %n = py.get "n" : !py.object
  %out = py.get "out" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  py.set_subscript %n, %out[%zero] : !py.object, !py.object, !py.object
}
