// --emit=cubin runs ptxas, which only a CUDA toolkit has. What stands in for it
// here copies its input, or refuses it.

// RUN: split-file %s %t
// RUN: chmod +x %t/copies/bin/* %t/refuses/bin/*
// RUN: env CUDA_HOME=%t/copies pyk-run %t/kernel.mlir --emit=cubin \
// RUN:   --chip=sm_90 -o %t/cubin | count 0
// RUN: pyk-run %t/kernel.mlir --emit=ptx --chip=sm_90 | cmp - %t/cubin

// RUN: %exits 1 env CUDA_HOME=%t/refuses pyk-run %t/kernel.mlir --emit=cubin \
// RUN:   --chip=sm_90 2>&1 | FileCheck %s
// CHECK: pyk-run: error: ptxas cannot assemble the PTX for sm_90: cannot do sm_90

// RUN: %exits 1 env CUDA_HOME=%t/copies TMPDIR=%t/no pyk-run %t/kernel.mlir \
// RUN:   --emit=cubin 2>&1 | FileCheck %s --check-prefix=TEMPORARY
// TEMPORARY: pyk-run: error: cannot make temporary files: No such file or directory

//--- kernel.mlir
pyk.func @nothing() attributes {kernel} {
  pyk.return
}

//--- copies/bin/ptxas
#!/bin/sh
echo "$1 $2"
cat "$5" > "$4"

//--- refuses/bin/ptxas
#!/bin/sh
echo "cannot do $2"
exit 3
