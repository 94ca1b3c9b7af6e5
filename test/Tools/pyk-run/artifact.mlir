// --emit=artifact writes what the runtime loads, of all kernels, for one target.

// RUN: pyk-run %s --emit=artifact -o %t.cpu | count 0
// RUN: pyk-run-artifact %t.cpu | FileCheck %s
// CHECK: three: 3000
// CHECK-NEXT: four: 4000

// RUN: pyk-run %s --emit=artifact --kernel=four > %t.four
// RUN: pyk-run-artifact %t.four | FileCheck %s --check-prefix=FOUR
// FOUR-NOT: three
// FOUR: four: 4000

// PTX is the same as that of the stage, behind the manifest.
// RUN: pyk-run %s --emit=artifact --target=cuda --chip=sm_90 > %t.cuda
// RUN: pyk-run %s --emit=ptx --chip=sm_90 > %t.ptx
// RUN: %python -c "import sys; whole, end = (open(path, 'rb').read() for path \
// RUN:   in sys.argv[1:]); assert whole.endswith(end)" %t.cuda %t.ptx
// RUN: head -c 200 %t.cuda | FileCheck %s --check-prefix=MANIFEST
// MANIFEST: {"version":2,"target":"cuda","chip":"sm_90","kernels":[{"entry":"three"
// RUN: %exits 1 pyk-run-artifact %t.cuda 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: these bytes are no code that PyK compiled for the CPU

// RUN: %exits 1 pyk-run %s --emit=artifact --kernel=five 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: error: expects a kernel named 'five' but got only 'three', 'four'

pyk.func @three(%a: !pyk.array<?xi32, c>) attributes {kernel} {
  %three = arith.constant 3 : i32
  %i = pyk.grid x : i64
  pyk.store %three, %a[%i] : !pyk.array<?xi32, c>
  pyk.return
}

pyk.func @four(%a: !pyk.array<?xi32, c>) attributes {kernel} {
  %four = arith.constant 4 : i32
  %i = pyk.grid x : i64
  pyk.store %four, %a[%i] : !pyk.array<?xi32, c>
  pyk.return
}
