// Arguments that cannot be, or are not what the kernel takes: status 2.

// DEFINE: %{fails} = %exits 2 pyk-run %s --grid=1 --block=1
// DEFINE: %{check} = FileCheck %s --match-full-lines --check-prefix

// RUN: %{fails} --arg=x 2>&1 | %{check}=FORM
//      FORM: pyk-run: error: --arg=x: expects TYPE:VALUE or TYPE[SHAPE]=CONTENTS
// RUN: %{fails} --arg=f33:1 2>&1 | %{check}=NAME
//      NAME: pyk-run: error: --arg=f33:1: expects a type of bf16, bool, c128, c64, f16, f32, f64, fp4_e2m1, fp8_e4m3, fp8_e5m2, fp8_e8m0, i16, i32, i64, i8, u16, u32, u64, u8 but got 'f33'
// RUN: %{fails} --arg=f32[2] 2>&1 | %{check}=CONTENTS
//      CONTENTS: pyk-run: error: --arg=f32[2]: expects TYPE[SHAPE]=CONTENTS
// RUN: %{fails} --arg=f32[2x-1]=ones 2>&1 | %{check}=SHAPE
//      SHAPE: pyk-run: error: --arg=f32[2x-1]=ones: expects a shape such as [3x4] but got [2x-1]
// RUN: %{fails} --arg=f32[4294967296x4294967296]=ones 2>&1 | %{check}=HUGE
//      HUGE: pyk-run: error: --arg=f32[{{.*}}]=ones: expects at most 32 dimensions and 2^59 elements but got [4294967296x4294967296]
// RUN: %exits 1 pyk-run %s --grid=1 --block=1 --kernel=one \
// RUN:   --arg=f64[288230376151711744]=zeros 2>&1 | %{check}=MEMORY
//      MEMORY: pyk-run: error: cannot allocate memory for 288230376151711744 elements of 8 bytes
// RUN: %{fails} --arg=f32[2]=1 2>&1 | %{check}=COUNT
//      COUNT: pyk-run: error: --arg=f32[2]=1: expects zeros, ones, iota, random(SEED), @FILE.npy or 2 values but got '1'
// RUN: %{fails} "--arg=f32[2]=random()" 2>&1 | %{check}=SEED
//      SEED: pyk-run: error: --arg=f32[2]=random(): expects random(SEED) with an integer from 0 but got random()

// RUN: %{fails} --arg=i8:128 2>&1 | %{check}=I8
//      I8: pyk-run: error: --arg=i8:128: expects a value of type i8 but got '128'
// RUN: %{fails} --arg=u8:-1 2>&1 | %{check}=U8
//      U8: pyk-run: error: --arg=u8:-1: expects a value of type u8 but got '-1'
// RUN: %{fails} --arg=i32[2]=1,x 2>&1 | %{check}=I32
//      I32: pyk-run: error: --arg=i32[2]=1,x: expects a value of type i32 but got 'x'
// RUN: %{fails} --arg=bool:2 2>&1 | %{check}=BOOL
//      BOOL: pyk-run: error: --arg=bool:2: expects a value of type bool but got '2'
// RUN: %{fails} --arg=f16:1.5.2 2>&1 | %{check}=F16
//      F16: pyk-run: error: --arg=f16:1.5.2: expects a value of type f16 but got '1.5.2'

// RUN: %{fails} --arg=i32:1 --print=1 2>&1 | %{check}=PRINT
//      PRINT: pyk-run: error: --print=1 expects an argument below 1 but got 1

// RUN: %{fails} --kernel=one 2>&1 | %{check}=ONE
//      ONE: pyk-run: error: kernel 'one' expects 1 argument but got 0; pass one --arg for each: i32 or u32
// RUN: %{fails} --kernel=typed 2>&1 | %{check}=NUMBER
//      NUMBER: pyk-run: error: kernel 'typed' expects 3 arguments but got 0; pass one --arg for each: i32 or u32, bool, f32[?x4]
// DEFINE: %{typed} = %{fails} --kernel=typed
// RUN: %{typed} --arg=f32:1 --arg=bool:1 --arg=f32[2x4]=ones 2>&1 | %{check}=SCALAR
//      SCALAR: pyk-run: error: parameter 0 of kernel 'typed' expects i32 or u32 but got f32
// RUN: %{typed} --arg=u32[1]=1 --arg=bool:1 --arg=f32[2x4]=ones 2>&1 | %{check}=NO-ARRAY
//      NO-ARRAY: pyk-run: error: parameter 0 of kernel 'typed' expects i32 or u32 but got u32[1]
// RUN: %{typed} --arg=u32:1 --arg=i8:1 --arg=f32[2x4]=ones 2>&1 | %{check}=NO-BOOL
//      NO-BOOL: pyk-run: error: parameter 1 of kernel 'typed' expects bool but got i8
// RUN: %{typed} --arg=u32:1 --arg=bool:1 --arg=f64[2x4]=ones 2>&1 | %{check}=ELEMENT
//      ELEMENT: pyk-run: error: parameter 2 of kernel 'typed' expects f32[?x4] but got f64[2x4]
// RUN: %{typed} --arg=u32:1 --arg=bool:1 --arg=f32[8]=ones 2>&1 | %{check}=RANK
//      RANK: pyk-run: error: parameter 2 of kernel 'typed' expects f32[?x4] but got f32[8]
// RUN: %{typed} --arg=u32:1 --arg=bool:1 --arg=f32[4x2]=ones 2>&1 | %{check}=EXTENT
//      EXTENT: pyk-run: error: parameter 2 of kernel 'typed' expects f32[?x4] but got f32[4x2]
// RUN: %{typed} --arg=u32:1 --arg=bool:1 --arg=none 2>&1 | %{check}=NONE
//      NONE: pyk-run: error: parameter 2 of kernel 'typed' expects f32[?x4] but got none

// Stage gpu knows what its kernel makes of the pointers.
// RUN: pyk-run %s --kernel=typed --emit=gpu -o %t.mlir
// RUN: %exits 2 pyk-run %t.mlir --grid=1 --block=1 --arg=i32:1 --arg=i8:1 \
// RUN:   --arg=f64[2x4]=ones 2>&1 | %{check}=ELEMENT
// RUN: pyk-run %t.mlir --grid=1 --block=1 --arg=i32:1 --arg=bool:1 \
// RUN:   --arg=f32[2x4]=ones --print=2 | FileCheck %s --check-prefix=RUNS
//      RUNS: [1.0, 1.0, 7.0, 1.0]

pyk.func @one(%n: i32) attributes {kernel} {
  pyk.return
}

pyk.func @typed(%n: i32, %flag: i1, %a: !pyk.array<?x4xf32, c>)
    attributes {kernel} {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %seven = arith.constant 7.0 : f32
  scf.if %flag {
    pyk.store %seven, %a[%zero, %two] : !pyk.array<?x4xf32, c>
  }
  pyk.return
}
