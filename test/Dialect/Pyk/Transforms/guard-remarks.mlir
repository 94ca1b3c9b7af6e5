// RUN: pyk-opt %s --pyk-guard-accesses --remarks-filter=cpu --verify-diagnostics -o /dev/null

// Which accesses the kernel checks, and why launches cannot prove them.

gpu.module @pyk {
  gpu.func @asked(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.bounds = [], pyk.abi = #pyk.abi<[<data, 0>, <data, 1>, <scalar, 2>]>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c> loc("a")
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c> loc("b")
    // A launch knows this index.
    %known = pyk.element %a + %n : !pyk.array<?xi64, c>
    %place = pyk.load %known[] : !pyk.array<i64, c>
    %some = pyk.element %b + %place : !pyk.array<?xi64, c>
    // expected-remark @below {{Function=asked | Reason="data say which element it is", Remark="each thread checks that what it reads of b is in its memory"}}
    %x = pyk.load %some[] : !pyk.array<i64, c>
    // A clock is no data, and nobody knows what it says.
    %now = llvm.inline_asm "", "=l" : () -> i64
    %then = pyk.element %b + %now : !pyk.array<?xi64, c>
    // expected-remark @below {{Function=asked | Reason="launches cannot bound the index", Remark="each thread checks that what it writes of b is in its memory"}}
    pyk.store %x, %then[] : !pyk.array<i64, c>
    pyk.return
  }

  gpu.func @unasked(%p: !llvm.ptr<1>, %n: i64) kernel attributes {
      pyk.guarded, pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c> loc("a")
    %known = pyk.element %a + %n : !pyk.array<?xi64, c>
    // expected-remark @below {{Function=unasked | Reason="no launch has proven the index", Remark="each thread checks that what it reads of a is in its memory"}}
    %x = pyk.load %known[] : !pyk.array<i64, c>
    pyk.return
  }
}
