// The command that --reproduce prints makes the PTX that --emit=ptx prints,
// byte for byte, from whichever stage the file is in; it lists no pipeline that
// lies behind. Without --grid nothing runs.

// RUN: rm -rf %t && mkdir %t
// RUN: pyk-run %s --kernel=second --chip=sm_90 --emit=ptx -o %t/ptx
// RUN: pyk-run %s --kernel=second --chip=sm_90 --dump-stages=%t --reproduce 2> %t/pyk.sh
// RUN: FileCheck %s --input-file=%t/pyk.sh
// CHECK: {{^}}pyk-opt {{.*}}reproduce.mlir --pyk-select-kernel=kernel=second --pyk-lower-to-gpu --pyk-lower-to-nvvm --pyk-print-ptx=chip=sm_90 -o /dev/null{{$}}
// RUN: sh %t/pyk.sh | cmp - %t/ptx

// RUN: pyk-run %t/3-gpu.mlir --chip=sm_90 --reproduce 2> %t/gpu.sh
// RUN: FileCheck %s --check-prefix=GPU --input-file=%t/gpu.sh
// GPU: {{^}}pyk-opt {{.*}}3-gpu.mlir --pyk-lower-to-nvvm --pyk-print-ptx=chip=sm_90 -o /dev/null{{$}}
// RUN: sh %t/gpu.sh | cmp - %t/ptx

// With --emit the command goes to standard error, and still to PTX.
// RUN: pyk-run %s --kernel=second --chip=sm_90 --emit=gpu --reproduce 2>&1 >/dev/null \
// RUN:   | cmp - %t/pyk.sh

// A name that a shell would read otherwise is quoted.
// RUN: cp %t/3-gpu.mlir "%t/it's 3.mlir"
// RUN: pyk-run "%t/it's 3.mlir" --chip=sm_90 --reproduce 2> %t/quoted.sh
// RUN: sh %t/quoted.sh | cmp - %t/ptx

pyk.func @first() attributes {kernel} {
  pyk.return
}

pyk.func @half(%x: f32) -> f32 {
  %c = arith.constant 0.5 : f32
  %y = arith.mulf %x, %c : f32
  pyk.return %y : f32
}

pyk.func @second(%a: !pyk.array<?xf32, c>) attributes {kernel} {
  %zero = arith.constant 0 : i64
  %x = pyk.load %a[%zero] : !pyk.array<?xf32, c>
  %y = pyk.call @half(%x) : (f32) -> f32
  pyk.store %y, %a[%zero] : !pyk.array<?xf32, c>
  pyk.return
}

// A file whose name looks like an option is one of a path.
// RUN: cp %s %t/-dash.mlir
// RUN: cd %t && pyk-run --kernel=second --reproduce -- -dash.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DASH
// DASH: {{^}}pyk-opt ./-dash.mlir --pyk-select
