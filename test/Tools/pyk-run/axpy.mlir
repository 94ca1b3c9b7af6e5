// A kernel in stage pyk: some threads have no element, and there are several
// blocks. Arguments are printed in the order of the options.
// RUN: pyk-run %s --grid=3 --block=4 --arg=f32:2 --arg=f32[10]=iota \
// RUN:   --arg=f32[10]=ones --print=2 --print=0 --target=cpu | FileCheck %s

// Values may be words of their own.
// RUN: pyk-run --grid 3 --block 4 --arg f32:2 --arg f32[10]=iota \
// RUN:   --arg f32[10]=ones --print 2 --print 0 -- %s | FileCheck %s

// CHECK: {{^}}2: f32[10] = [1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0, 17.0, 19.0]{{$}}
// CHECK-NEXT: {{^}}0: f32 = 2.0{{$}}
// CHECK-NOT: {{.}}

// Each launch finds what the one before left.
// RUN: pyk-run %s --grid=3 --block=4 --arg=f32:2 --arg=f32[3]=iota \
// RUN:   --arg=f32[3]=zeros --print=2 --repeat=5 | FileCheck %s --check-prefix=REPEAT
// REPEAT: 2: f32[3] = [0.0, 10.0, 20.0]

// RUN: cat %s | pyk-run - --grid=1 --block=1 --arg=f32:2 --arg=f32[1]=ones \
// RUN:   --arg=f32[1]=ones --print=2 | FileCheck %s --check-prefix=STDIN
// STDIN: 2: f32[1] = [3.0]

pyk.func @axpy(%a: f32, %x: !pyk.array<?xf32, c>, %y: !pyk.array<?xf32, c>)
    attributes {kernel} {
  %i = pyk.grid x : i64
  %n = pyk.dim %y, 0 : !pyk.array<?xf32, c>
  %inside = arith.cmpi slt, %i, %n : i64
  scf.if %inside {
    %xi = pyk.load %x[%i] : !pyk.array<?xf32, c>
    %yi = pyk.load %y[%i] : !pyk.array<?xf32, c>
    %product = arith.mulf %a, %xi : f32
    %sum = arith.addf %product, %yi : f32
    pyk.store %sum, %y[%i] : !pyk.array<?xf32, c>
  }
  pyk.return
}
