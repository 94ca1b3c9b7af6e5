// Exits in kernels themselves, conditions with results, and scopes in loops.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i32s = !pyk.array<?xi32, c>

// What stands before a return is done, what stands behind it is not.
// REDEFINE: %{kernel} = early
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,8,9,10,11" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// early: 1: i32[12] = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]
pyk.func @early(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c0 = arith.constant 0 : i32
  pyk.store %c1, %out[%i] : !i32s
  %rest = arith.remsi %ai, %c3 : i32
  %first = arith.cmpi eq, %rest, %c0 : i32
  pyk.if %first {
    pyk.return
  }
  pyk.store %c2, %out[%i] : !i32s
  %second = arith.cmpi eq, %rest, %c1 : i32
  pyk.if %second {
    pyk.return
  } else {
    pyk.yield
  }
  pyk.store %c3, %out[%i] : !i32s
  pyk.return
}

// A return in a scope ends the scope, not the iteration of the loop around it.
// REDEFINE: %{kernel} = scope_in_loop
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,8,9,10,11" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// scope_in_loop: 1: i32[12] = [400, 299, 199, 100, 2, 10, 10, 10, 10, 10, 10, 10]
pyk.func @scope_in_loop(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c100 = arith.constant 100 : i32
  %r = pyk.for %k = %c0 to %c5 step %c1 carry(%s = %c0) : i32, (i32) {
    %x = pyk.scope -> (i32) {
      %same = arith.cmpi eq, %k, %ai : i32
      pyk.if %same {
        %negated = arith.subi %c0, %k : i32
        pyk.return %negated : i32
      }
      %y = pyk.loop -> (i32) {
        %more = arith.cmpi sgt, %k, %ai : i32
        pyk.if %more {
          pyk.return %c100 : i32
        }
        pyk.break %k : i32
      }
      pyk.return %y : i32
    }
    %next = arith.addi %s, %x : i32
    pyk.continue %next : i32
  }
  pyk.store %r, %out[%i] : !i32s
  pyk.return
}

// Conditions with several results, one within the other.
// REDEFINE: %{kernel} = results
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,8,9,10,11" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// results: 1: i32[12] = [3, -7, -17, -27, -37, -47, 62, 72, 82, 91, 101, 111]
pyk.func @results(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %ten = arith.constant 10 : i32
  %minus = arith.constant -10 : i32
  %large = arith.cmpi sgt, %ai, %c5 : i32
  %factor, %digit = pyk.if %large -> (i32, i32) {
    %larger = arith.cmpi sgt, %ai, %c8 : i32
    %d = pyk.if %larger -> (i32) {
      pyk.yield %c1 : i32
    } else {
      pyk.yield %c2 : i32
    }
    pyk.yield %ten, %d : i32, i32
  } else {
    pyk.yield %minus, %c3 : i32, i32
  }
  %0 = arith.muli %ai, %factor : i32
  %r = arith.addi %0, %digit : i32
  pyk.store %r, %out[%i] : !i32s
  pyk.return
}

// Carried values change at the same time, as often as each thread wants.
// REDEFINE: %{kernel} = exchange
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,8,9,10,11" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// exchange: 1: i32[12] = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
pyk.func @exchange(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = pyk.for %k = %c0 to %ai step %c1 carry(%x = %c0, %y = %c1) : i32, (i32, i32) {
    %sum = arith.addi %x, %y : i32
    pyk.continue %y, %sum : i32, i32
  }
  pyk.store %r#0, %out[%i] : !i32s
  pyk.return
}

// A loop that counts down is one over the iterations: for k in range(a, -3, -2).
// REDEFINE: %{kernel} = downwards
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,8,9,10,11" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// downwards: 1: i32[12] = [-2, 2, 16, 29, 124, 164, 610, 731, 2554, 2918, 9844, 10937]
pyk.func @downwards(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %distance = arith.addi %ai, %c4 : i32
  %iterations = pyk.floor_div %distance, %c2 : i32
  %r = pyk.for %t = %c0 to %iterations step %c1 carry(%s = %c0) : i32, (i32) {
    %back = arith.muli %t, %c2 : i32
    %k = arith.subi %ai, %back : i32
    %large = arith.muli %s, %c3 : i32
    %next = arith.addi %large, %k : i32
    pyk.continue %next : i32
  }
  pyk.store %r, %out[%i] : !i32s
  pyk.return
}
