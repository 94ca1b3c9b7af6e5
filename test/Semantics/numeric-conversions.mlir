// Conversions of floats to integers: towards zero; what does not fit becomes the nearest
// number that does, NaN becomes 0.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=16 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i8s = !pyk.array<?xi8, c>
!i16s = !pyk.array<?xi16, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f16s = !pyk.array<?xf16, c>
!bf16s = !pyk.array<?xbf16, c>
!f32s = !pyk.array<?xf32, c>
!f64s = !pyk.array<?xf64, c>

// f64 to integers of each width.
// REDEFINE: %{kernel} = truncate_f64
// REDEFINE: %{args} = "--arg=f64[16]=nan,inf,-inf,-0.9,255.999,-1.5,127.5,-129.0,65536.5,-32768.9,2147483647.5,-2147483649.0,4294967295.5,9.223372036854775e+18,9.223372036854776e+18,1.8446744073709552e+19" \
// REDEFINE:   --arg=i8[16]=zeros --arg=u8[16]=zeros --arg=i16[16]=zeros \
// REDEFINE:   --arg=u16[16]=zeros --arg=i32[16]=zeros --arg=u32[16]=zeros \
// REDEFINE:   --arg=i64[16]=zeros --arg=u64[16]=zeros --print=1 --print=2 --print=3 \
// REDEFINE:   --print=4 --print=5 --print=6 --print=7 --print=8
// RUN: %{test}
// truncate_f64: 1: i8[16] = [0, 127, -128, 0, 127, -1, 127, -128, 127, -128, 127, -128, 127, 127, 127, 127]
// truncate_f64-NEXT: 2: u8[16] = [0, 255, 0, 0, 255, 0, 127, 0, 255, 0, 255, 0, 255, 255, 255, 255]
// truncate_f64-NEXT: 3: i16[16] = [0, 32767, -32768, 0, 255, -1, 127, -129, 32767, -32768, 32767, -32768, 32767, 32767, 32767, 32767]
// truncate_f64-NEXT: 4: u16[16] = [0, 65535, 0, 0, 255, 0, 127, 0, 65535, 0, 65535, 0, 65535, 65535, 65535, 65535]
// truncate_f64-NEXT: 5: i32[16] = [0, 2147483647, -2147483648, 0, 255, -1, 127, -129, 65536, -32768, 2147483647, -2147483648, 2147483647, 2147483647, 2147483647, 2147483647]
// truncate_f64-NEXT: 6: u32[16] = [0, 4294967295, 0, 0, 255, 0, 127, 0, 65536, 0, 2147483647, 0, 4294967295, 4294967295, 4294967295, 4294967295]
// truncate_f64-NEXT: 7: i64[16] = [0, 9223372036854775807, -9223372036854775808, 0, 255, -1, 127, -129, 65536, -32768, 2147483647, -2147483649, 4294967295, 9223372036854774784, 9223372036854775807, 9223372036854775807]
// truncate_f64-NEXT: 8: u64[16] = [0, 18446744073709551615, 0, 0, 255, 0, 127, 0, 65536, 0, 2147483647, 0, 4294967295, 9223372036854774784, 9223372036854775808, 18446744073709551615]
pyk.func @truncate_f64(%a: !f64s, %s8: !i8s, %u8: !i8s, %s16: !i16s,
    %u16: !i16s, %s32: !i32s, %u32: !i32s, %s64: !i64s, %u64: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f64s
  %0 = pyk.float_to_int %ai : f64 to i8
  %1 = pyk.float_to_int unsigned %ai : f64 to i8
  %2 = pyk.float_to_int %ai : f64 to i16
  %3 = pyk.float_to_int unsigned %ai : f64 to i16
  %4 = pyk.float_to_int %ai : f64 to i32
  %5 = pyk.float_to_int unsigned %ai : f64 to i32
  %6 = pyk.float_to_int %ai : f64 to i64
  %7 = pyk.float_to_int unsigned %ai : f64 to i64
  pyk.store %0, %s8[%i] : !i8s
  pyk.store %1, %u8[%i] : !i8s
  pyk.store %2, %s16[%i] : !i16s
  pyk.store %3, %u16[%i] : !i16s
  pyk.store %4, %s32[%i] : !i32s
  pyk.store %5, %u32[%i] : !i32s
  pyk.store %6, %s64[%i] : !i64s
  pyk.store %7, %u64[%i] : !i64s
  pyk.return
}

// f32 to integers of each width.
// REDEFINE: %{kernel} = truncate_f32
// REDEFINE: %{args} = "--arg=f32[16]=nan,inf,-inf,-0.9,255.5,-1.5,128.0,-129.0,65536.0,-32768.5,2147483500.0,-2147483600.0,4294967000.0,9.2233715e+18,9.223372e+18,-1e+38" \
// REDEFINE:   --arg=i8[16]=zeros --arg=u8[16]=zeros --arg=i16[16]=zeros \
// REDEFINE:   --arg=u16[16]=zeros --arg=i32[16]=zeros --arg=u32[16]=zeros \
// REDEFINE:   --arg=i64[16]=zeros --arg=u64[16]=zeros --print=1 --print=2 --print=3 \
// REDEFINE:   --print=4 --print=5 --print=6 --print=7 --print=8
// RUN: %{test}
// truncate_f32: 1: i8[16] = [0, 127, -128, 0, 127, -1, 127, -128, 127, -128, 127, -128, 127, 127, 127, -128]
// truncate_f32-NEXT: 2: u8[16] = [0, 255, 0, 0, 255, 0, 128, 0, 255, 0, 255, 0, 255, 255, 255, 0]
// truncate_f32-NEXT: 3: i16[16] = [0, 32767, -32768, 0, 255, -1, 128, -129, 32767, -32768, 32767, -32768, 32767, 32767, 32767, -32768]
// truncate_f32-NEXT: 4: u16[16] = [0, 65535, 0, 0, 255, 0, 128, 0, 65535, 0, 65535, 0, 65535, 65535, 65535, 0]
// truncate_f32-NEXT: 5: i32[16] = [0, 2147483647, -2147483648, 0, 255, -1, 128, -129, 65536, -32768, 2147483520, -2147483648, 2147483647, 2147483647, 2147483647, -2147483648]
// truncate_f32-NEXT: 6: u32[16] = [0, 4294967295, 0, 0, 255, 0, 128, 0, 65536, 0, 2147483520, 0, 4294967040, 4294967295, 4294967295, 0]
// truncate_f32-NEXT: 7: i64[16] = [0, 9223372036854775807, -9223372036854775808, 0, 255, -1, 128, -129, 65536, -32768, 2147483520, -2147483648, 4294967040, 9223371487098961920, 9223372036854775807, -9223372036854775808]
// truncate_f32-NEXT: 8: u64[16] = [0, 18446744073709551615, 0, 0, 255, 0, 128, 0, 65536, 0, 2147483520, 0, 4294967040, 9223371487098961920, 9223372036854775808, 0]
pyk.func @truncate_f32(%a: !f32s, %s8: !i8s, %u8: !i8s, %s16: !i16s,
    %u16: !i16s, %s32: !i32s, %u32: !i32s, %s64: !i64s, %u64: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f32s
  %0 = pyk.float_to_int %ai : f32 to i8
  %1 = pyk.float_to_int unsigned %ai : f32 to i8
  %2 = pyk.float_to_int %ai : f32 to i16
  %3 = pyk.float_to_int unsigned %ai : f32 to i16
  %4 = pyk.float_to_int %ai : f32 to i32
  %5 = pyk.float_to_int unsigned %ai : f32 to i32
  %6 = pyk.float_to_int %ai : f32 to i64
  %7 = pyk.float_to_int unsigned %ai : f32 to i64
  pyk.store %0, %s8[%i] : !i8s
  pyk.store %1, %u8[%i] : !i8s
  pyk.store %2, %s16[%i] : !i16s
  pyk.store %3, %u16[%i] : !i16s
  pyk.store %4, %s32[%i] : !i32s
  pyk.store %5, %u32[%i] : !i32s
  pyk.store %6, %s64[%i] : !i64s
  pyk.store %7, %u64[%i] : !i64s
  pyk.return
}

// f16 to integers of each width.
// REDEFINE: %{kernel} = truncate_f16
// REDEFINE: %{args} = "--arg=f16[16]=nan,inf,-inf,-0.9,255.5,-1.5,127.5,-129.0,65500.0,-32770.0,6e-08,-0.0,2048.0,-128.5,256.0,-65500.0" \
// REDEFINE:   --arg=i8[16]=zeros --arg=u8[16]=zeros --arg=i16[16]=zeros \
// REDEFINE:   --arg=u16[16]=zeros --arg=i32[16]=zeros --arg=u32[16]=zeros \
// REDEFINE:   --arg=i64[16]=zeros --arg=u64[16]=zeros --print=1 --print=2 --print=3 \
// REDEFINE:   --print=4 --print=5 --print=6 --print=7 --print=8
// RUN: %{test}
// truncate_f16: 1: i8[16] = [0, 127, -128, 0, 127, -1, 127, -128, 127, -128, 0, 0, 127, -128, 127, -128]
// truncate_f16-NEXT: 2: u8[16] = [0, 255, 0, 0, 255, 0, 127, 0, 255, 0, 0, 0, 255, 0, 255, 0]
// truncate_f16-NEXT: 3: i16[16] = [0, 32767, -32768, 0, 255, -1, 127, -129, 32767, -32768, 0, 0, 2048, -128, 256, -32768]
// truncate_f16-NEXT: 4: u16[16] = [0, 65535, 0, 0, 255, 0, 127, 0, 65504, 0, 0, 0, 2048, 0, 256, 0]
// truncate_f16-NEXT: 5: i32[16] = [0, 2147483647, -2147483648, 0, 255, -1, 127, -129, 65504, -32768, 0, 0, 2048, -128, 256, -65504]
// truncate_f16-NEXT: 6: u32[16] = [0, 4294967295, 0, 0, 255, 0, 127, 0, 65504, 0, 0, 0, 2048, 0, 256, 0]
// truncate_f16-NEXT: 7: i64[16] = [0, 9223372036854775807, -9223372036854775808, 0, 255, -1, 127, -129, 65504, -32768, 0, 0, 2048, -128, 256, -65504]
// truncate_f16-NEXT: 8: u64[16] = [0, 18446744073709551615, 0, 0, 255, 0, 127, 0, 65504, 0, 0, 0, 2048, 0, 256, 0]
pyk.func @truncate_f16(%a: !f16s, %s8: !i8s, %u8: !i8s, %s16: !i16s,
    %u16: !i16s, %s32: !i32s, %u32: !i32s, %s64: !i64s, %u64: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !f16s
  %0 = pyk.float_to_int %ai : f16 to i8
  %1 = pyk.float_to_int unsigned %ai : f16 to i8
  %2 = pyk.float_to_int %ai : f16 to i16
  %3 = pyk.float_to_int unsigned %ai : f16 to i16
  %4 = pyk.float_to_int %ai : f16 to i32
  %5 = pyk.float_to_int unsigned %ai : f16 to i32
  %6 = pyk.float_to_int %ai : f16 to i64
  %7 = pyk.float_to_int unsigned %ai : f16 to i64
  pyk.store %0, %s8[%i] : !i8s
  pyk.store %1, %u8[%i] : !i8s
  pyk.store %2, %s16[%i] : !i16s
  pyk.store %3, %u16[%i] : !i16s
  pyk.store %4, %s32[%i] : !i32s
  pyk.store %5, %u32[%i] : !i32s
  pyk.store %6, %s64[%i] : !i64s
  pyk.store %7, %u64[%i] : !i64s
  pyk.return
}

// bf16 to integers of each width.
// REDEFINE: %{kernel} = truncate_bf16
// REDEFINE: %{args} = "--arg=bf16[16]=nan,inf,-inf,-0.9,254.0,-1.5,127.5,-129.0,65500.0,-33000.0,2150000000.0,-2160000000.0,4300000000.0,9.2e+18,9.22e+18,inf" \
// REDEFINE:   --arg=i8[16]=zeros --arg=u8[16]=zeros --arg=i16[16]=zeros \
// REDEFINE:   --arg=u16[16]=zeros --arg=i32[16]=zeros --arg=u32[16]=zeros \
// REDEFINE:   --arg=i64[16]=zeros --arg=u64[16]=zeros --print=1 --print=2 --print=3 \
// REDEFINE:   --print=4 --print=5 --print=6 --print=7 --print=8
// RUN: %{test}
// truncate_bf16: 1: i8[16] = [0, 127, -128, 0, 127, -1, 127, -128, 127, -128, 127, -128, 127, 127, 127, 127]
// truncate_bf16-NEXT: 2: u8[16] = [0, 255, 0, 0, 254, 0, 127, 0, 255, 0, 255, 0, 255, 255, 255, 255]
// truncate_bf16-NEXT: 3: i16[16] = [0, 32767, -32768, 0, 254, -1, 127, -129, 32767, -32768, 32767, -32768, 32767, 32767, 32767, 32767]
// truncate_bf16-NEXT: 4: u16[16] = [0, 65535, 0, 0, 254, 0, 127, 0, 65535, 0, 65535, 0, 65535, 65535, 65535, 65535]
// truncate_bf16-NEXT: 5: i32[16] = [0, 2147483647, -2147483648, 0, 254, -1, 127, -129, 65536, -33024, 2147483647, -2147483648, 2147483647, 2147483647, 2147483647, 2147483647]
// truncate_bf16-NEXT: 6: u32[16] = [0, 4294967295, 0, 0, 254, 0, 127, 0, 65536, 0, 2147483648, 0, 4294967295, 4294967295, 4294967295, 4294967295]
// truncate_bf16-NEXT: 7: i64[16] = [0, 9223372036854775807, -9223372036854775808, 0, 254, -1, 127, -129, 65536, -33024, 2147483648, -2164260864, 4294967296, 9187343239835811840, 9223372036854775807, 9223372036854775807]
// truncate_bf16-NEXT: 8: u64[16] = [0, 18446744073709551615, 0, 0, 254, 0, 127, 0, 65536, 0, 2147483648, 0, 4294967296, 9187343239835811840, 9223372036854775808, 18446744073709551615]
pyk.func @truncate_bf16(%a: !bf16s, %s8: !i8s, %u8: !i8s, %s16: !i16s,
    %u16: !i16s, %s32: !i32s, %u32: !i32s, %s64: !i64s, %u64: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 16, 1, 1>} {
  %i = pyk.grid x : i64
  %ai = pyk.load %a[%i] : !bf16s
  %0 = pyk.float_to_int %ai : bf16 to i8
  %1 = pyk.float_to_int unsigned %ai : bf16 to i8
  %2 = pyk.float_to_int %ai : bf16 to i16
  %3 = pyk.float_to_int unsigned %ai : bf16 to i16
  %4 = pyk.float_to_int %ai : bf16 to i32
  %5 = pyk.float_to_int unsigned %ai : bf16 to i32
  %6 = pyk.float_to_int %ai : bf16 to i64
  %7 = pyk.float_to_int unsigned %ai : bf16 to i64
  pyk.store %0, %s8[%i] : !i8s
  pyk.store %1, %u8[%i] : !i8s
  pyk.store %2, %s16[%i] : !i16s
  pyk.store %3, %u16[%i] : !i16s
  pyk.store %4, %s32[%i] : !i32s
  pyk.store %5, %u32[%i] : !i32s
  pyk.store %6, %s64[%i] : !i64s
  pyk.store %7, %u64[%i] : !i64s
  pyk.return
}
