// What a thread tells the host: text, and that it has failed.

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{block} = 1
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=%{block} %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && %{run} --cpu=simd | %{check}
// DEFINE: %{fails} = %exits 1 %{run} --cpu=reference 2>&1 | %{check} && \
// DEFINE:   %exits 1 %{run} --cpu=simd 2>&1 | %{check}

!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f64s = !pyk.array<?xf64, c>

// Numbers at their edges, by every directive.
// REDEFINE: %{kernel} = numbers
// REDEFINE: %{args} = --arg=i64[4]=-1,-9223372036854775808,0,9223372036854775807
// RUN: %{test}
// numbers: {{^}}-1 18446744073709551615{{$}}
// numbers-NEXT: {{^}}-9223372036854775808 9223372036854775808{{$}}
// numbers-NEXT: {{^}}0 0{{$}}
// numbers-NEXT: {{^}}9223372036854775807 9223372036854775807{{$}}
pyk.func @numbers(%a: !i64s) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = pyk.dim %a, 0 : !i64s
  scf.for %i = %c0 to %n step %c1 : i64 {
    %x = pyk.load %a[%i] : !i64s
    pyk.print "%lld %llu\0A"(%x, %x) : i64, i64
  }
  pyk.return
}

// Six decimals, rounded from the number as it is: 1.0000005 is a little less than that.
// REDEFINE: %{kernel} = floats
// REDEFINE: %{args} = "--arg=f64[8]=0.0,-0.0,1.0000005,-2.5,1e22,inf,-inf,123456.7890125"
// RUN: %{test}
// floats: {{^}}0.000000 +0.000000{{$}}
// floats-NEXT: {{^}}-0.000000 -0.000000{{$}}
// floats-NEXT: {{^}}1.000001 +1.000001{{$}}
// floats-NEXT: {{^}}-2.500000 -2.500000{{$}}
// floats-NEXT: {{^}}10000000000000000000000.000000 +10000000000000000000000.000000{{$}}
// floats-NEXT: {{^}}inf +inf{{$}}
// floats-NEXT: {{^}}-inf -inf{{$}}
// floats-NEXT: {{^}}123456.789012 +123456.789012{{$}}
pyk.func @floats(%a: !f64s) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = pyk.dim %a, 0 : !f64s
  scf.for %i = %c0 to %n step %c1 : i64 {
    %x = pyk.load %a[%i] : !f64s
    pyk.print "%f %+f\0A"(%x, %x) : f64, f64
  }
  pyk.return
}

// Truth, the sign of percent, and text alone; quotes and backslashes are nothing special.
// REDEFINE: %{kernel} = words
// REDEFINE: %{args} = --arg=bool:true --arg=bool:false
// RUN: %{test}
// words: {{^}}True|False 100% "a\b"{{$}}
// words-NEXT: {{^}}end{{$}}
pyk.func @words(%a: i1, %b: i1) attributes {kernel} {
  pyk.print "%s|%s 100%% \22a\\b\22\0A"(%a, %b) : i1, i1
  pyk.print "end\0A"
  pyk.return
}

// 32 values at most; the text of one op is whole, whatever threads write at a time.
// REDEFINE: %{block} = 40
// REDEFINE: %{kernel} = many
// REDEFINE: %{args} = --arg=i32[1]=zeros
// RUN: %{test}
// many-DAG: {{^}}0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31{{$}}
// many-DAG: {{^}}1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32{{$}}
// many-DAG: {{^}}38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69{{$}}
// many-DAG: {{^}}39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70{{$}}
// RUN: %{run} | grep -Ex "([0-9]+ ){31}[0-9]+" | count 40
pyk.func @many(%a: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %t = pyk.grid x : i64
  %c0 = arith.constant 0 : i64
  %x0 = arith.addi %t, %c0 : i64
  %c1 = arith.constant 1 : i64
  %x1 = arith.addi %t, %c1 : i64
  %c2 = arith.constant 2 : i64
  %x2 = arith.addi %t, %c2 : i64
  %c3 = arith.constant 3 : i64
  %x3 = arith.addi %t, %c3 : i64
  %c4 = arith.constant 4 : i64
  %x4 = arith.addi %t, %c4 : i64
  %c5 = arith.constant 5 : i64
  %x5 = arith.addi %t, %c5 : i64
  %c6 = arith.constant 6 : i64
  %x6 = arith.addi %t, %c6 : i64
  %c7 = arith.constant 7 : i64
  %x7 = arith.addi %t, %c7 : i64
  %c8 = arith.constant 8 : i64
  %x8 = arith.addi %t, %c8 : i64
  %c9 = arith.constant 9 : i64
  %x9 = arith.addi %t, %c9 : i64
  %c10 = arith.constant 10 : i64
  %x10 = arith.addi %t, %c10 : i64
  %c11 = arith.constant 11 : i64
  %x11 = arith.addi %t, %c11 : i64
  %c12 = arith.constant 12 : i64
  %x12 = arith.addi %t, %c12 : i64
  %c13 = arith.constant 13 : i64
  %x13 = arith.addi %t, %c13 : i64
  %c14 = arith.constant 14 : i64
  %x14 = arith.addi %t, %c14 : i64
  %c15 = arith.constant 15 : i64
  %x15 = arith.addi %t, %c15 : i64
  %c16 = arith.constant 16 : i64
  %x16 = arith.addi %t, %c16 : i64
  %c17 = arith.constant 17 : i64
  %x17 = arith.addi %t, %c17 : i64
  %c18 = arith.constant 18 : i64
  %x18 = arith.addi %t, %c18 : i64
  %c19 = arith.constant 19 : i64
  %x19 = arith.addi %t, %c19 : i64
  %c20 = arith.constant 20 : i64
  %x20 = arith.addi %t, %c20 : i64
  %c21 = arith.constant 21 : i64
  %x21 = arith.addi %t, %c21 : i64
  %c22 = arith.constant 22 : i64
  %x22 = arith.addi %t, %c22 : i64
  %c23 = arith.constant 23 : i64
  %x23 = arith.addi %t, %c23 : i64
  %c24 = arith.constant 24 : i64
  %x24 = arith.addi %t, %c24 : i64
  %c25 = arith.constant 25 : i64
  %x25 = arith.addi %t, %c25 : i64
  %c26 = arith.constant 26 : i64
  %x26 = arith.addi %t, %c26 : i64
  %c27 = arith.constant 27 : i64
  %x27 = arith.addi %t, %c27 : i64
  %c28 = arith.constant 28 : i64
  %x28 = arith.addi %t, %c28 : i64
  %c29 = arith.constant 29 : i64
  %x29 = arith.addi %t, %c29 : i64
  %c30 = arith.constant 30 : i64
  %x30 = arith.addi %t, %c30 : i64
  %c31 = arith.constant 31 : i64
  %x31 = arith.addi %t, %c31 : i64
  pyk.print "%lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld\0A"(
    %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %x14, %x15,
    %x16, %x17, %x18, %x19, %x20, %x21, %x22, %x23, %x24, %x25, %x26, %x27, %x28, %x29, %x30, %x31)
    : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64,
      i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64
  pyk.return
}

// A check without a failure only ends its thread: what stands before has been done, a
// barrier does not wait, and nobody votes for it.
// REDEFINE: %{kernel} = leaves
// REDEFINE: %{args} = --arg=i32[40]=zeros --print=0
// RUN: %{test}
// leaves: 0: i32[40] = [1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20, 1, 20]
pyk.func @leaves(%a: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %i = pyk.grid x : i64
  pyk.store %one, %a[%i] : !i32s
  %t = pyk.thread_id x : i32
  %bit = arith.andi %t, %one : i32
  %odd = arith.cmpi eq, %bit, %one : i32
  pyk.call @leave_unless(%odd) : (i1) -> ()
  %n = pyk.barrier vote count %true -> i32
  pyk.store %n, %a[%i] : !i32s
  pyk.return
}

// It leaves the kernel, not only the function.
pyk.func @leave_unless(%c: i1) {
  pyk.check %c
  pyk.return
}

// One failure is raised, with the values and the place of its thread.
// REDEFINE: %{block} = 40
// REDEFINE: %{kernel} = fails
// REDEFINE: %{args} = --arg=i32:37
// RUN: %{fails}
// fails: pyk-run: error: running 'fails': IndexError: In function 'scale', file a.py, line 12, tid=[0, 0, 37] ctaid=[0, 0, 0]: index 37 of -5
pyk.func @fails(%which: i32)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %t = pyk.thread_id x : i32
  %inside = arith.cmpi ne, %t, %which : i32
  %i = arith.extui %t : i32 to i64
  %n = arith.constant -5 : i64
  pyk.check %inside else #pyk.failure<"IndexError", "index {0} of {1}",
      "scale" at "a.py" : 12> (%i, %n)
  pyk.return
}

// Without a debugger, a launch ends with an error.
// REDEFINE: %{block} = 1
// REDEFINE: %{kernel} = stops
// REDEFINE: %{args} =
// RUN: %{fails}
// stops: pyk-run: error: running kernel 'stops' on the CPU: a thread of block (0, 0, 0) reached a breakpoint, and no debugger is attached
pyk.func @stops() attributes {kernel} {
  pyk.breakpoint
  pyk.return
}
