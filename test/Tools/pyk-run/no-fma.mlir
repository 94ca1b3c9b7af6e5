// --no-fma keeps a * b + c from being contracted; the command that --reproduce
// prints does so too.

// RUN: pyk-run %s --emit=ptx | FileCheck %s --check-prefix=FMA
// FMA: fma.rn.f32
// RUN: pyk-run %s --no-fma --emit=ptx > %t.ptx
// RUN: FileCheck %s --check-prefix=NO-FMA --input-file=%t.ptx
// NO-FMA-NOT: fma
// NO-FMA: mul.rn.f32
// RUN: pyk-run %s --no-fma --reproduce 2> %t.sh
// RUN: FileCheck %s --check-prefix=COMMAND --input-file=%t.sh
// COMMAND: --pyk-lower-to-pyk=fma=false --pyk-lower-to-gpu --pyk-lower-to-nvvm --pyk-print-ptx=chip=sm_80
// RUN: sh %t.sh | cmp - %t.ptx

// Two options of one pipeline are one word of the command.
// RUN: pyk-run %s --no-fma --check-bounds --emit=ptx > %t-checked.ptx
// RUN: pyk-run %s --no-fma --check-bounds --reproduce 2> %t-checked.sh
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t-checked.sh
// BOTH: '--pyk-lower-to-pyk=check-bounds=true fma=false'
// RUN: sh %t-checked.sh | cmp - %t-checked.ptx

// (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 if it is rounded once only.
// DEFINE: %{run} = pyk-run %s --grid=1 --block=1 --print=0 --arg=f32[1]=zeros \
// DEFINE:   --arg=f32:0x1.001p0 --arg=f32:-0x1.002p0
// RUN: %{run} | FileCheck %s --check-prefix=ONCE
// ONCE: [5.9604645e-08]
// RUN: %{run} --no-fma | FileCheck %s --check-prefix=TWICE
// TWICE: [0.0]

py.func @multiply_add(["a", "b", "c"]) kernel arguments [!pyk.array<?xf32, c>, f32, f32] {
  %a = py.get "a" : !py.object
  %b = py.get "b" : !py.object
  %c = py.get "c" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %product = py.binary mul %b, %b : (!py.object, !py.object) -> !py.object
  %sum = py.binary add %product, %c : (!py.object, !py.object) -> !py.object
  py.set_subscript %sum, %a[%zero] : !py.object, !py.object, !py.object
}
