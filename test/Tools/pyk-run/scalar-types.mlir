// A scalar and an array of each type: the extreme values that a wrong width or
// signedness would change.
// RUN: pyk-run %s --grid=1 --block=1 --arg=i8:-128 --arg=i16:-32768 \
// RUN:   --arg=i32:-2147483648 --arg=i64:-9223372036854775808 --arg=u8:255 \
// RUN:   --arg=u16:0xffff --arg=u32:4294967295 --arg=u64:18446744073709551615 \
// RUN:   --arg=bool:true --arg=f16:0.1 --arg=f32:0.1 --arg=f64:0.1 \
// RUN:   --arg=i8[1]=zeros --arg=i16[1]=zeros --arg=i32[1]=zeros \
// RUN:   --arg=i64[1]=zeros --arg=u8[1]=zeros --arg=u16[1]=zeros \
// RUN:   --arg=u32[1]=zeros --arg=u64[1]=zeros --arg=bool[1]=zeros \
// RUN:   --arg=f16[1]=zeros --arg=f32[1]=zeros --arg=f64[1]=zeros --print=0 \
// RUN:   --print=8 --print=9 --print=12 --print=13 --print=14 --print=15 \
// RUN:   --print=16 --print=17 --print=18 --print=19 --print=20 --print=21 \
// RUN:   --print=22 --print=23 | FileCheck %s

// CHECK: 0: i8 = -128
// CHECK-NEXT: 8: bool = True
// CHECK-NEXT: 9: f16 = 0.1
// CHECK-NEXT: 12: i8[1] = [-128]
// CHECK-NEXT: 13: i16[1] = [-32768]
// CHECK-NEXT: 14: i32[1] = [-2147483648]
// CHECK-NEXT: 15: i64[1] = [-9223372036854775808]
// CHECK-NEXT: 16: u8[1] = [255]
// CHECK-NEXT: 17: u16[1] = [65535]
// CHECK-NEXT: 18: u32[1] = [4294967295]
// CHECK-NEXT: 19: u64[1] = [18446744073709551615]
// CHECK-NEXT: 20: bool[1] = [True]
// CHECK-NEXT: 21: f16[1] = [0.1]
// CHECK-NEXT: 22: f32[1] = [0.1]
// CHECK-NEXT: 23: f64[1] = [0.1]

py.func @copy(["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool", "f16", "f32", "f64",
    "a_i8", "a_i16", "a_i32", "a_i64", "a_u8", "a_u16", "a_u32", "a_u64", "a_bool", "a_f16", "a_f32", "a_f64"])
    kernel arguments [si8, si16, si32, si64, ui8, ui16, ui32, ui64, i1, f16, f32, f64,
     !pyk.array<?xsi8, c>, !pyk.array<?xsi16, c>, !pyk.array<?xsi32, c>,
     !pyk.array<?xsi64, c>, !pyk.array<?xui8, c>, !pyk.array<?xui16, c>,
     !pyk.array<?xui32, c>, !pyk.array<?xui64, c>, !pyk.array<?xi1, c>,
     !pyk.array<?xf16, c>, !pyk.array<?xf32, c>, !pyk.array<?xf64, c>] {
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %i8 = py.get "i8" : !py.object
  %a_i8 = py.get "a_i8" : !py.object
  py.set_subscript %i8, %a_i8[%zero] : !py.object, !py.object, !py.object
  %i16 = py.get "i16" : !py.object
  %a_i16 = py.get "a_i16" : !py.object
  py.set_subscript %i16, %a_i16[%zero] : !py.object, !py.object, !py.object
  %i32 = py.get "i32" : !py.object
  %a_i32 = py.get "a_i32" : !py.object
  py.set_subscript %i32, %a_i32[%zero] : !py.object, !py.object, !py.object
  %i64 = py.get "i64" : !py.object
  %a_i64 = py.get "a_i64" : !py.object
  py.set_subscript %i64, %a_i64[%zero] : !py.object, !py.object, !py.object
  %u8 = py.get "u8" : !py.object
  %a_u8 = py.get "a_u8" : !py.object
  py.set_subscript %u8, %a_u8[%zero] : !py.object, !py.object, !py.object
  %u16 = py.get "u16" : !py.object
  %a_u16 = py.get "a_u16" : !py.object
  py.set_subscript %u16, %a_u16[%zero] : !py.object, !py.object, !py.object
  %u32 = py.get "u32" : !py.object
  %a_u32 = py.get "a_u32" : !py.object
  py.set_subscript %u32, %a_u32[%zero] : !py.object, !py.object, !py.object
  %u64 = py.get "u64" : !py.object
  %a_u64 = py.get "a_u64" : !py.object
  py.set_subscript %u64, %a_u64[%zero] : !py.object, !py.object, !py.object
  %bool = py.get "bool" : !py.object
  %a_bool = py.get "a_bool" : !py.object
  py.set_subscript %bool, %a_bool[%zero] : !py.object, !py.object, !py.object
  %f16 = py.get "f16" : !py.object
  %a_f16 = py.get "a_f16" : !py.object
  py.set_subscript %f16, %a_f16[%zero] : !py.object, !py.object, !py.object
  %f32 = py.get "f32" : !py.object
  %a_f32 = py.get "a_f32" : !py.object
  py.set_subscript %f32, %a_f32[%zero] : !py.object, !py.object, !py.object
  %f64 = py.get "f64" : !py.object
  %a_f64 = py.get "a_f64" : !py.object
  py.set_subscript %f64, %a_f64[%zero] : !py.object, !py.object, !py.object
}
