// Functions: what calls return, what they leave in arrays, and returns before the end.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --compile-only --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i1s = !pyk.array<?xi1, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>

// Two results; a return out of a loop within a condition.
pyk.func @divide(%a: i32, %b: i32) -> (i32, i1) {
  %c0 = arith.constant 0 : i32
  %false = arith.constant false
  %true = arith.constant true
  %by_zero = arith.cmpi eq, %b, %c0 : i32
  pyk.if %by_zero {
    pyk.return %c0, %false : i32, i1
  }
  %negative = arith.cmpi slt, %a, %c0 : i32
  pyk.if %negative {
    // Counts how often b fits, and leaves the function from within.
    %0 = pyk.loop carry(%rest = %a, %q = %c0) : (i32, i32) -> (i32) {
      %enough = arith.cmpi sge, %rest, %c0 : i32
      pyk.if %enough {
        pyk.return %q, %true : i32, i1
      }
      %less = arith.addi %rest, %b : i32
      %c1 = arith.constant 1 : i32
      %next = arith.subi %q, %c1 : i32
      pyk.continue %less, %next : i32, i32
    }
    pyk.return %0, %false : i32, i1
  }
  %q = pyk.floor_div %a, %b : i32
  pyk.return %q, %true : i32, i1
}

// Rounded down; False where there is no quotient.
// REDEFINE: %{kernel} = call
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,-1,-2,-8,100" \
// REDEFINE:   "--arg=i32[12]=3,0,2,2,3,5,7,1,3,2,3,7" --arg=i32[12]=zeros \
// REDEFINE:   --arg=bool[12]=zeros --print=2 --print=3
// RUN: %{test}
// call: 2: i32[12] = [0, 0, 1, 1, 1, 1, 0, 7, -1, -1, -3, 14]
// call-NEXT: 3: bool[12] = [True, False, True, True, True, True, True, True, True, True, True, True]
pyk.func @call(%a: !i32s, %b: !i32s, %q: !i32s, %ok: !i1s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %bi = pyk.load %b[%i] : !i32s
  %r:2 = pyk.call @divide(%ai, %bi) : (i32, i32) -> (i32, i1)
  pyk.store %r#0, %q[%i] : !i32s
  pyk.store %r#1, %ok[%i] : !i1s
  pyk.return
}

// Arrays are passed by reference: this one exchanges two elements, or leaves early.
pyk.func @order(%a: !i32s, %i: i64, %j: i64) {
  %x = pyk.load %a[%i] : !i32s
  %y = pyk.load %a[%j] : !i32s
  %ordered = arith.cmpi sle, %x, %y : i32
  pyk.if %ordered {
    pyk.return
  }
  pyk.store %y, %a[%i] : !i32s
  pyk.store %x, %a[%j] : !i32s
  pyk.return
}

// Functions call functions; each thread sorts three elements of its own.
// REDEFINE: %{kernel} = sort
// REDEFINE: %{args} = "--arg=i32[12]=3,2,1,1,2,3,2,3,1,5,5,-5" --print=0
// DEFINE: %{short} = sed "s/i32: 12, 1, 1>/i32: 4, 1, 1>/" %s | pyk-run - --kernel=sort \
// DEFINE:   --grid=1 --block=4 %{args} --cpu
// RUN: %{short}=reference | %{check}
// RUN: %{short}=simd | %{check}
// sort: 0: i32[12] = [1, 2, 3, 1, 2, 3, 1, 2, 3, -5, 5, 5]
pyk.func @order3(%a: !i32s, %i: i64) {
  %c1 = arith.constant 1 : i64
  %j = arith.addi %i, %c1 : i64
  %k = arith.addi %j, %c1 : i64
  pyk.call @order(%a, %i, %j) : (!i32s, i64, i64) -> ()
  pyk.call @order(%a, %j, %k) : (!i32s, i64, i64) -> ()
  pyk.call @order(%a, %i, %j) : (!i32s, i64, i64) -> ()
  pyk.return
}

pyk.func @sort(%a: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %c3 = arith.constant 3 : i64
  %t = pyk.grid x : i64
  %i = arith.muli %t, %c3 : i64
  pyk.call @order3(%a, %i) : (!i32s, i64) -> ()
  pyk.return
}

// A local array is one for each thread and each call, so the inner one leaves the outer alone.
pyk.func @keep(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i64
  %a = pyk.alloc : !pyk.array<2xi32, c, local>
  pyk.store %x, %a[%c0] : !pyk.array<2xi32, c, local>
  %y = pyk.load %a[%c0] : !pyk.array<2xi32, c, local>
  pyk.return %y : i32
}

pyk.func @keep_both(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i64
  %c7 = arith.constant 7 : i32
  %a = pyk.alloc : !pyk.array<2xi32, c, local>
  pyk.store %x, %a[%c0] : !pyk.array<2xi32, c, local>
  %other = arith.muli %x, %c7 : i32
  %z = pyk.call @keep(%other) : (i32) -> i32
  %y = pyk.load %a[%c0] : !pyk.array<2xi32, c, local>
  %sum = arith.addi %y, %z : i32
  pyk.return %sum : i32
}

// x + 7 x.
// REDEFINE: %{kernel} = frames
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,-1,-2,-8,100" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// frames: 1: i32[12] = [0, 8, 16, 24, 32, 40, 48, 56, -8, -16, -64, 800]
pyk.func @frames(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %0 = pyk.call @keep_both(%ai) : (i32) -> i32
  pyk.store %0, %out[%i] : !i32s
  pyk.return
}

// On the CPU a call of code in another language is one of the function that stands for it.
pyk.func @half(%x: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %y = arith.divsi %x, %c2 : i32
  pyk.return %y : i32
}

// Halves, towards zero.
// REDEFINE: %{kernel} = foreign
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,-1,-2,-8,100" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// foreign: 1: i32[12] = [0, 0, 1, 1, 2, 2, 3, 3, 0, -1, -4, 50]
pyk.func @foreign(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %0 = pyk.foreign_call #pyk.foreign<c, "half", [none]> (%ai) host @half : (i32) -> i32
  pyk.store %0, %out[%i] : !i32s
  pyk.return
}
