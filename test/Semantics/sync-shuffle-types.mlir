// Values of all types that the next lane has, in a block of 40: the second warp has 8 threads.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=40 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

// The lanes of the thread's warp that somebody is in.
pyk.func @present() -> i32 {
  %t = pyk.thread_id x : i32
  %c32 = arith.constant 32 : i32
  %all = arith.constant -1 : i32
  %first8 = arith.constant 255 : i32
  %is_first = arith.cmpi ult, %t, %c32 : i32
  %mask = arith.select %is_first, %all, %first8 : i32
  pyk.return %mask : i32
}

// Values of every type are moved as they are: the next lane's of a warp, or one's own. A
// difference of any bit is False.
// REDEFINE: %{kernel} = types
// REDEFINE: %{args} = --arg=bool[40]=zeros --print=0
// RUN: %{test}
// types: 0: bool[40] = [True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True]
pyk.func @types(%ok: !pyk.array<?xi1, c>)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %mask = pyk.call @present() : () -> i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %big = arith.constant 1234567890123456789 : i64
  %i = pyk.grid x : i64
  %lane = pyk.lane_id : i32
  // The lane that the value is to be of: xor by 1 always finds somebody.
  %from = arith.xori %lane, %c1 : i32
  %lane2 = arith.extui %lane : i32 to i64
  %lane_i64 = arith.addi %big, %lane2 : i64
  %lane_i8 = arith.trunci %lane_i64 : i64 to i8
  %lane_i16 = arith.trunci %lane_i64 : i64 to i16
  %lane_half = arith.shrui %lane, %c2 : i32
  %lane_i1 = arith.trunci %lane_half : i32 to i1
  %lane_f16 = arith.uitofp %lane : i32 to f16
  %lane_bf16 = arith.uitofp %lane : i32 to bf16
  %lane_f32 = arith.uitofp %lane : i32 to f32
  %lane_f64 = arith.uitofp %lane : i32 to f64
  %lane_n32 = arith.negf %lane_f32 : f32
  %lane_n64 = arith.negf %lane_f64 : f64
  %lane_c32 = complex.create %lane_f32, %lane_n32 : complex<f32>
  %lane_c64 = complex.create %lane_n64, %lane_f64 : complex<f64>
  %from2 = arith.extui %from : i32 to i64
  %from_i64 = arith.addi %big, %from2 : i64
  %from_i8 = arith.trunci %from_i64 : i64 to i8
  %from_i16 = arith.trunci %from_i64 : i64 to i16
  %from_half = arith.shrui %from, %c2 : i32
  %from_i1 = arith.trunci %from_half : i32 to i1
  %from_f16 = arith.uitofp %from : i32 to f16
  %from_bf16 = arith.uitofp %from : i32 to bf16
  %from_f32 = arith.uitofp %from : i32 to f32
  %from_f64 = arith.uitofp %from : i32 to f64
  %from_n32 = arith.negf %from_f32 : f32
  %from_n64 = arith.negf %from_f64 : f64
  %from_c32 = complex.create %from_f32, %from_n32 : complex<f32>
  %from_c64 = complex.create %from_n64, %from_f64 : complex<f64>
  %r_i1 = pyk.shuffle xor %lane_i1, %c1 mask %mask : i1
  %ok_i1 = arith.cmpi eq, %r_i1, %from_i1 : i1
  %r_i8 = pyk.shuffle xor %lane_i8, %c1 mask %mask : i8
  %ok_i8 = arith.cmpi eq, %r_i8, %from_i8 : i8
  %and_ok_i8 = arith.andi %ok_i1, %ok_i8 : i1
  %r_i16 = pyk.shuffle xor %lane_i16, %c1 mask %mask : i16
  %ok_i16 = arith.cmpi eq, %r_i16, %from_i16 : i16
  %and_ok_i16 = arith.andi %and_ok_i8, %ok_i16 : i1
  %r_i64 = pyk.shuffle xor %lane_i64, %c1 mask %mask : i64
  %ok_i64 = arith.cmpi eq, %r_i64, %from_i64 : i64
  %and_ok_i64 = arith.andi %and_ok_i16, %ok_i64 : i1
  %r_f16 = pyk.shuffle xor %lane_f16, %c1 mask %mask : f16
  %ok_f16 = arith.cmpf oeq, %r_f16, %from_f16 : f16
  %and_ok_f16 = arith.andi %and_ok_i64, %ok_f16 : i1
  %r_bf16 = pyk.shuffle xor %lane_bf16, %c1 mask %mask : bf16
  %ok_bf16 = arith.cmpf oeq, %r_bf16, %from_bf16 : bf16
  %and_ok_bf16 = arith.andi %and_ok_f16, %ok_bf16 : i1
  %r_f32 = pyk.shuffle xor %lane_f32, %c1 mask %mask : f32
  %ok_f32 = arith.cmpf oeq, %r_f32, %from_f32 : f32
  %and_ok_f32 = arith.andi %and_ok_bf16, %ok_f32 : i1
  %r_f64 = pyk.shuffle xor %lane_f64, %c1 mask %mask : f64
  %ok_f64 = arith.cmpf oeq, %r_f64, %from_f64 : f64
  %and_ok_f64 = arith.andi %and_ok_f32, %ok_f64 : i1
  %r_c32 = pyk.shuffle xor %lane_c32, %c1 mask %mask : complex<f32>
  %re_c32 = complex.re %r_c32 : complex<f32>
  %re_of_c32 = complex.re %from_c32 : complex<f32>
  %ok_re_c32 = arith.cmpf oeq, %re_c32, %re_of_c32 : f32
  %and_ok_re_c32 = arith.andi %and_ok_f64, %ok_re_c32 : i1
  %im_c32 = complex.im %r_c32 : complex<f32>
  %im_of_c32 = complex.im %from_c32 : complex<f32>
  %ok_im_c32 = arith.cmpf oeq, %im_c32, %im_of_c32 : f32
  %and_ok_im_c32 = arith.andi %and_ok_re_c32, %ok_im_c32 : i1
  %r_c64 = pyk.shuffle xor %lane_c64, %c1 mask %mask : complex<f64>
  %re_c64 = complex.re %r_c64 : complex<f64>
  %re_of_c64 = complex.re %from_c64 : complex<f64>
  %ok_re_c64 = arith.cmpf oeq, %re_c64, %re_of_c64 : f64
  %and_ok_re_c64 = arith.andi %and_ok_im_c32, %ok_re_c64 : i1
  %im_c64 = complex.im %r_c64 : complex<f64>
  %im_of_c64 = complex.im %from_c64 : complex<f64>
  %ok_im_c64 = arith.cmpf oeq, %im_c64, %im_of_c64 : f64
  %and_ok_im_c64 = arith.andi %and_ok_re_c64, %ok_im_c64 : i1
  pyk.store %and_ok_im_c64, %ok[%i] : !pyk.array<?xi1, c>
  pyk.return
}
