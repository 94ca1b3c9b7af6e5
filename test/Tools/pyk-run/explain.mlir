// --explain writes to standard error, of what is launched or of what is
// emitted.
// RUN: pyk-run %s --grid=1 --block=64 --arg=f32[320]=ones --print=0 --explain 2>%t | FileCheck %s --check-prefix=RESULT
// RUN: FileCheck %s --check-prefix=CPU < %t
// RUN: pyk-run %s --emit=ptx --explain 2>&1 >/dev/null | FileCheck %s --check-prefix=PTX
// RUN: pyk-run %s --emit=pyk --explain 2>&1 >/dev/null | FileCheck %s --check-prefix=PYK

// RESULT: 0: f32[320] = [2.0, 1.0, 1.0, 1.0, 1.0, 2.0,

//      CPU: {{^}}[[FILE:.*]]explain.mlir:[[#@LINE+10]]:1: remark: kernel 'scale' runs blocks of 64 x 1 x 1 threads as vectors of {{[0-9]+}}, {{.*}} at a time{{$}}
//      CPU: {{^}}[[FILE]]explain.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: neighbouring threads read a 5 elements apart: vectors collect the elements one by one; let neighbours take neighbouring elements{{$}}
// CPU-NEXT: {{^}}      %element = py.subscript %a[%i]
// CPU-NEXT: {{^}}                 ^
//      PTX: remark: kernel 'scale': 0 of 2 accesses to memory are what a warp does best
//      PTX: remark: neighbouring threads read a 5 elements apart: a warp touches 20 sectors of memory where 4 would do; let neighbours take neighbouring elements
// What no target decides is said of stages that all share.
//  PYK-NOT: neighbouring threads
//      PYK: remark: this is computed in float64
//  PYK-NOT: neighbouring threads
py.func @scale(["a"]) kernel arguments [!pyk.array<?xf32, c>] {
  %grid = py.constant(#py.intrinsic<"cuda.grid">) : !py.object
  %one = py.constant(#py.int<1 : si64>) : !py.object
  %five = py.constant(#py.int<5 : si64>) : !py.object
  %thread = py.call %grid(%one) : (!py.object, !py.object) -> !py.object
  %i = py.binary mul %thread, %five : (!py.object, !py.object) -> !py.object
  %a = py.get "a" : !py.object
  %element = py.subscript %a[%i] : (!py.object, !py.object) -> !py.object
  %sum = py.binary add %element, %one : (!py.object, !py.object) -> !py.object
  py.set_subscript %sum, %a[%i] : !py.object, !py.object, !py.object
}
