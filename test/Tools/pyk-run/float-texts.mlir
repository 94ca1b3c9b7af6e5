// Floats are printed with the fewest digits that stand for no other number of
// their type, however many these are.
// RUN: pyk-run %s --grid=1 --block=1 \
// RUN:   --arg=f64[4]=1.2345678901234567,0.09999999999999995,4.891554850853602e-301,-1234567890123456.5 \
// RUN:   --arg=fp8_e4m3[4]=1.3,-0.5,448,nan --arg=fp8_e5m2[4]=1.3,57344,inf,1e-7 \
// RUN:   --arg=fp8_e8m0[3]=0.25,3,nan --print=0 --print=1 --print=2 --print=3 \
// RUN: | FileCheck %s

// CHECK:      0: f64[4] = [1.2345678901234567, 0.09999999999999995, 4.891554850853602e-301, -1234567890123456.5]
// CHECK-NEXT: 1: fp8_e4m3[4] = [1.2, -0.5, 450.0, nan]
// CHECK-NEXT: 2: fp8_e5m2[4] = [1.2, 60000.0, inf, 0.0]
// CHECK-NEXT: 3: fp8_e8m0[3] = [0.2, 4.0, nan]
py.func @nothing(["a", "b", "c", "d"]) kernel arguments [
    !pyk.array<?xf64, c>, !pyk.array<?x!py.float8<e4m3>, c>,
    !pyk.array<?x!py.float8<e5m2>, c>, !pyk.array<?x!py.float8<e8m0>, c>] {
}
