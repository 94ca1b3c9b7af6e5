// --emit=cubin runs ptxas, which only a CUDA toolkit has.

// What stands in for ptxas here is first a copy of its input.
// RUN: rm -rf %t && mkdir -p %t/bin
// RUN: printf '#!/bin/sh\necho "$1 $2"; cat "$5" > "$4"\n' > %t/bin/ptxas
// RUN: chmod +x %t/bin/ptxas
// RUN: env CUDA_HOME=%t pyk-run %s --emit=cubin --chip=sm_90 -o %t/cubin
// RUN: pyk-run %s --emit=ptx --chip=sm_90 | cmp - %t/cubin

// RUN: printf '#!/bin/sh\necho "cannot do $2"; exit 3\n' > %t/bin/ptxas
// RUN: %exits 1 env CUDA_HOME=%t pyk-run %s --emit=cubin --chip=sm_90 2>&1 \
// RUN:   | FileCheck %s
// CHECK: pyk-run: error: ptxas cannot assemble the PTX for sm_90: cannot do sm_90

pyk.func @nothing() attributes {kernel} {
  pyk.return
}
