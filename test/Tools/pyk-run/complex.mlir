// Complex numbers on the command line, in files and as printed.

// DEFINE: %{run} = pyk-run %s --grid=1 --block=1
// RUN: %{run} --arg=c128:1+2j "--arg=c64[5]=(3-4j),-2.5e-1j,7,-0+infj,1e+3-nanj" \
// RUN:   --print=0 --print=1 | FileCheck %s
// CHECK: 0: c128 = (1+2j)
// CHECK-NEXT: 1: c64[5] = [(1+2j), -0.25j, (7+0j), (-0+infj), (1000+nanj)]

// RUN: rm -rf %t && mkdir %t
// RUN: %{run} --arg=c128:-1j --arg=c64[4]=iota --save=1:%t/a.npy

// RUN: %{run} --arg=c128:0.5 "--arg=c64[4]=@%t/a.npy" --print=1 | FileCheck %s --check-prefix=FILE
// FILE: 1: c64[4] = [(0.5+0j), (1+0j), (2+0j), (3+0j)]

// RUN: %{run} --arg=c128:0j "--arg=c64[2]=random(1)" --print=1 | FileCheck %s --check-prefix=RANDOM
// RANDOM: 1: c64[2] = [0j, (0.{{[0-9]+}}+0.{{[0-9]+}}j)]

// RUN: %exits 2 %{run} --arg=c128:1+j 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: pyk-run: error: --arg=c128:1+j: expects a value of type c128 but got '1+j'
// RUN: %exits 2 %{run} --arg=c64:1 --arg=c64[1]=ones 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: pyk-run: error: parameter 0 of kernel 'first' expects c128 but got c64

pyk.func @first(%z: complex<f64>, %a: !pyk.array<?xcomplex<f32>, c>) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  %x = arith.truncf %re : f64 to f32
  %y = arith.truncf %im : f64 to f32
  %narrow = complex.create %x, %y : complex<f32>
  %n = pyk.dim %a, 0 : !pyk.array<?xcomplex<f32>, c>
  pyk.store %narrow, %a[%c0] : !pyk.array<?xcomplex<f32>, c>
  pyk.return
}
