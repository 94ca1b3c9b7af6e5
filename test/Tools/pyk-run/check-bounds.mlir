// RUN: not pyk-run %s --check-bounds --kernel=indexed --grid=2 --block=2 --arg=i64[3]=zeros --print=0 2>&1 | FileCheck %s
// RUN: pyk-run %s --check-bounds --kernel=indexed --grid=3 --block=1 --arg=i64[3]=zeros --print=0 | FileCheck %s --check-prefix=GOOD
// RUN: pyk-run %s --check-bounds --kernel=indexed --emit=gpu | FileCheck %s --check-prefix=GPU
// RUN: pyk-run %s --check-bounds --kernel=indexed --reproduce --emit=pyk 2>&1 | FileCheck %s --check-prefix=REPRODUCE

// CHECK: pyk-run: error: running 'indexed': IndexError: In function 'indexed', file {{.*}}check-bounds.mlir, line 15, tid=[0, 0, 1] ctaid=[0, 0, 1]: index 3 is out of bounds for axis 0 of 'a' with size 3; see what led there, or compile without checks
// GOOD: 0: i64[3] = [1, 1, 1]
// GPU: <failure, 0>
// REPRODUCE: --pyk-lower-to-pyk=check-bounds
py.func @indexed(["a"]) kernel arguments [!pyk.array<?xsi64, c>] {
  %grid = py.constant(#py.intrinsic<"cuda.grid">) : !py.object
  %one = py.constant(#py.int<1 : si64>) : !py.object
  %i = py.call %grid(%one) : (!py.object, !py.object) -> !py.object
  %a = py.get "a" : !py.object
  py.set_subscript %one, %a[%i] : !py.object, !py.object, !py.object
}
