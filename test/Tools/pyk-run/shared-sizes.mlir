// Shared arrays of sizes that the launch computes.

// DEFINE: %{run} = pyk-run %s --grid=1 --arg=i32[3]=zeros

// RUN: %{run} --block=4 --arg=i32:5 --print=0 | FileCheck %s --check-prefix=FOUR
// FOUR: 0: i32[3] = [15, 5, 0]
// RUN: %{run} --block=2 --arg=i32:7 --print=0 --shared-bytes=12 \
// RUN:   | FileCheck %s --check-prefix=TWO
// TWO: 0: i32[3] = [21, 7, 3]

// RUN: %exits 1 %{run} --block=4 --arg=i32:-2 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: launching 'k': the shared array of line 30 has a negative extent, -2; pass numbers that give at least 0
// RUN: %exits 1 %{run} --block=4 --arg=i32:20000 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LARGE
// LARGE: error: launching 'k': the shared array of line 30 takes 240000 bytes of shared memory behind 0, more than CUDA's limit of 232448 bytes together; use smaller shared arrays

!o = !py.object

py.func @k(["a", "n"]) kernel arguments [!pyk.array<?xsi32, c>, si32] {
  %shared = py.constant(#py.intrinsic<"cuda.shared.array">) : !o
  %int32 = py.constant(si32) : !o
  %zero = py.constant(#py.int<0 : si64>) : !o
  %one = py.constant(#py.int<1 : si64>) : !o
  %two = py.constant(#py.int<2 : si64>) : !o
  %three = py.constant(#py.int<3 : si64>) : !o
  %a = py.get "a" : !o
  %n = py.get "n" : !o
  %shape = py.tuple(%n, %three) : (!o, !o) -> !o
  %own = py.call %shared(%shape, %int32) : (!o, !o, !o) -> !o
  %rest = py.call %shared(%zero, %int32) : (!o, !o, !o) -> !o
  %end = py.attribute %own "size" : (!o) -> !o
  %left = py.attribute %rest "size" : (!o) -> !o
  py.set_subscript %end, %a[%zero] : !o, !o, !o
  py.set_subscript %n, %a[%one] : !o, !o, !o
  py.set_subscript %left, %a[%two] : !o, !o, !o
}
