// Loops that count, conditions and scopes, left by all the exits that there are. Threads
// of a block take different ways.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=12 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i8s = !pyk.array<?xi8, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>

// How often a loop runs and with what at last, -99 if never: bounds are compared as signed
// numbers, and the last step may go past the largest.
// REDEFINE: %{kernel} = count_i64
// REDEFINE: %{args} = "--arg=i64[12]=0,0,5,3,-3,-2,-9223372036854775808,9223372036854775806,9223372036854775802,0,7,-5" \
// REDEFINE:   "--arg=i64[12]=5,0,0,-3,4,3,-9223372036854775806,9223372036854775807,9223372036854775807,10,8,-4" \
// REDEFINE:   "--arg=i64[12]=1,1,1,2,2,3,1,1,4,20,9223372036854775807,9223372036854775807" \
// REDEFINE:   --arg=i32[12]=zeros --arg=i64[12]=zeros --print=3 --print=4
// RUN: %{test}
// count_i64: 3: i32[12] = [5, 0, 0, 0, 4, 2, 2, 1, 2, 1, 1, 1]
// count_i64-NEXT: 4: i64[12] = [4, -99, -99, -99, 3, 1, -9223372036854775807, 9223372036854775806, 9223372036854775806, 0, 7, -5]
pyk.func @count_i64(%a: !i64s, %b: !i64s, %s: !i64s, %n: !i32s, %last: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i64s
  %bi = pyk.load %b[%i] : !i64s
  %si = pyk.load %s[%i] : !i64s
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -99 : i64
  %r:2 = pyk.for %k = %ai to %bi step %si carry(%c = %zero, %l = %none) : i64, (i32, i64) {
    %next = arith.addi %c, %one : i32
    pyk.continue %next, %k : i32, i64
  }
  pyk.store %r#0, %n[%i] : !i32s
  pyk.store %r#1, %last[%i] : !i64s
  pyk.return
}

// The same in 32 bits.
// REDEFINE: %{kernel} = count_i32
// REDEFINE: %{args} = "--arg=i32[12]=0,0,5,3,-3,-2,-2147483648,2147483646,2147483642,0,7,-5" \
// REDEFINE:   "--arg=i32[12]=5,0,0,-3,4,3,-2147483646,2147483647,2147483647,10,8,-4" \
// REDEFINE:   "--arg=i32[12]=1,1,1,2,2,3,1,1,4,20,2147483647,2147483647" \
// REDEFINE:   --arg=i32[12]=zeros --arg=i32[12]=zeros --print=3 --print=4
// RUN: %{test}
// count_i32: 3: i32[12] = [5, 0, 0, 0, 4, 2, 2, 1, 2, 1, 1, 1]
// count_i32-NEXT: 4: i32[12] = [4, -99, -99, -99, 3, 1, -2147483647, 2147483646, 2147483646, 0, 7, -5]
pyk.func @count_i32(%a: !i32s, %b: !i32s, %s: !i32s, %n: !i32s, %last: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %bi = pyk.load %b[%i] : !i32s
  %si = pyk.load %s[%i] : !i32s
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -99 : i32
  %r:2 = pyk.for %k = %ai to %bi step %si carry(%c = %zero, %l = %none) : i32, (i32, i32) {
    %next = arith.addi %c, %one : i32
    pyk.continue %next, %k : i32, i32
  }
  pyk.store %r#0, %n[%i] : !i32s
  pyk.store %r#1, %last[%i] : !i32s
  pyk.return
}

// The same in 8 bits.
// REDEFINE: %{kernel} = count_i8
// REDEFINE: %{args} = "--arg=i8[12]=0,0,5,3,-3,-2,-128,126,122,0,7,-5" \
// REDEFINE:   "--arg=i8[12]=5,0,0,-3,4,3,-126,127,127,10,8,-4" \
// REDEFINE:   "--arg=i8[12]=1,1,1,2,2,3,1,1,4,20,127,127" --arg=i32[12]=zeros \
// REDEFINE:   --arg=i8[12]=zeros --print=3 --print=4
// RUN: %{test}
// count_i8: 3: i32[12] = [5, 0, 0, 0, 4, 2, 2, 1, 2, 1, 1, 1]
// count_i8-NEXT: 4: i8[12] = [4, -99, -99, -99, 3, 1, -127, 126, 126, 0, 7, -5]
pyk.func @count_i8(%a: !i8s, %b: !i8s, %s: !i8s, %n: !i32s, %last: !i8s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i8s
  %bi = pyk.load %b[%i] : !i8s
  %si = pyk.load %s[%i] : !i8s
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -99 : i8
  %r:2 = pyk.for %k = %ai to %bi step %si carry(%c = %zero, %l = %none) : i8, (i32, i8) {
    %next = arith.addi %c, %one : i32
    pyk.continue %next, %k : i32, i8
  }
  pyk.store %r#0, %n[%i] : !i32s
  pyk.store %r#1, %last[%i] : !i8s
  pyk.return
}

// The first iteration whose square is at least the limit gives one result; without one it is what
// was carried.
// REDEFINE: %{kernel} = break
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,4,5,9,10,16,17,81,82,1000" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// break: 1: i32[12] = [100, 101, 102, 102, 103, 103, 104, 104, 105, 109, -10, -10]
pyk.func @break(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  %c100 = arith.constant 100 : i32
  %r = pyk.for %k = %c0 to %c10 step %c1 carry(%last = %c0) : i32, (i32) {
    %square = arith.muli %k, %k : i32
    %enough = arith.cmpi sge, %square, %ai : i32
    pyk.if %enough {
      %found = arith.addi %k, %c100 : i32
      pyk.break %found : i32
    } else {
      pyk.yield
    }
    %next = arith.subi %last, %c1 : i32
    pyk.continue %next : i32
  }
  pyk.store %r, %out[%i] : !i32s
  pyk.return
}

// An iteration may end early, with other carried values: odd numbers count, even ones change signs.
// REDEFINE: %{kernel} = continue
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,8,9,10,11" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// continue: 1: i32[12] = [0, 0, -1, 1, 4, -4, -9, 9, 16, -16, -25, 25]
pyk.func @continue(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sums:2 = pyk.for %k = %c0 to %ai step %c1 carry(%s = %c0, %sign = %c1) : i32, (i32, i32) {
    %bit = arith.andi %k, %c1 : i32
    %even = arith.cmpi eq, %bit, %c0 : i32
    pyk.if %even {
      %other = arith.subi %c0, %sign : i32
      pyk.continue %s, %other : i32, i32
    } else {
      pyk.yield
    }
    %next = arith.addi %s, %k : i32
    pyk.continue %next, %sign : i32, i32
  }
  %r = arith.muli %sums#0, %sums#1 : i32
  pyk.store %r, %out[%i] : !i32s
  pyk.return
}

// A loop without end but an exit, two of them, with results of other types than it carries.
// REDEFINE: %{kernel} = loop
// REDEFINE: %{args} = "--arg=i32[12]=1,2,3,4,5,6,7,9,27,97,16,10" --arg=i64[12]=zeros \
// REDEFINE:   --arg=i32[12]=zeros --print=1 --print=2
// RUN: %{test}
// loop: 1: i64[12] = [0, 1, 7, 2, 5, 8, 16, 19, -1, -1, 4, 6]
// loop-NEXT: 2: i32[12] = [1, 1, 1, 1, 1, 1, 1, 1, 350, 206, 1, 1]
pyk.func @loop(%a: !i32s, %steps: !i64s, %end: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c30 = arith.constant 30 : i64
  %never = arith.constant -1 : i64
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %r:2 = pyk.loop carry(%n = %c0, %x = %ai) : (i64, i32) -> (i64, i32) {
    %done = arith.cmpi eq, %x, %one : i32
    pyk.if %done {
      pyk.break %n, %x : i64, i32
    } else {
      %late = arith.cmpi eq, %n, %c30 : i64
      pyk.if %late {
        pyk.break %never, %x : i64, i32
      } else {
        pyk.yield
      }
      pyk.yield
    }
    %more = arith.addi %n, %c1 : i64
    %rest = arith.remsi %x, %two : i32
    %odd = arith.cmpi eq, %rest, %one : i32
    pyk.if %odd {
      %tripled = arith.muli %x, %three : i32
      %up = arith.addi %tripled, %one : i32
      pyk.continue %more, %up : i64, i32
    } else {
      pyk.yield
    }
    %down = arith.divsi %x, %two : i32
    pyk.continue %more, %down : i64, i32
  }
  pyk.store %r#0, %steps[%i] : !i64s
  pyk.store %r#1, %end[%i] : !i32s
  pyk.return
}

// Exits of the inner loop leave the outer one alone; a return leaves both, and the scope.
// REDEFINE: %{kernel} = nested
// REDEFINE: %{args} = "--arg=i32[12]=0,1,2,3,4,5,6,7,8,9,12,-1" --arg=i32[12]=zeros \
// REDEFINE:   --print=1
// RUN: %{test}
// nested: 1: i32[12] = [0, -11, -12, -31, -22, 117, -23, 117, 117, -33, 117, 117]
pyk.func @nested(%a: !i32s, %out: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 12, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !i32s
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c10 = arith.constant 10 : i32
  %r = pyk.scope -> (i32) {
    %sum = pyk.for %j = %c0 to %c4 step %c1 carry(%outer = %c0) : i32, (i32) {
      %tens = arith.muli %j, %c10 : i32
      %inner = pyk.for %k = %c0 to %c4 step %c1 carry(%s = %outer) : i32, (i32) {
        %both = arith.addi %tens, %k : i32
        %product = arith.muli %j, %k : i32
        %found = arith.cmpi eq, %product, %ai : i32
        pyk.if %found {
          %negated = arith.subi %c0, %both : i32
          pyk.return %negated : i32
        }
        %behind = arith.cmpi sgt, %k, %j : i32
        pyk.if %behind {
          pyk.break %s : i32
        } else {
          pyk.yield
        }
        %jk = arith.addi %j, %k : i32
        %bit = arith.andi %jk, %c1 : i32
        %odd = arith.cmpi eq, %bit, %c1 : i32
        pyk.if %odd {
          pyk.continue %s : i32
        }
        %next = arith.addi %s, %both : i32
        pyk.continue %next : i32
      }
      pyk.continue %inner : i32
    }
    pyk.return %sum : i32
  }
  pyk.store %r, %out[%i] : !i32s
  pyk.return
}
