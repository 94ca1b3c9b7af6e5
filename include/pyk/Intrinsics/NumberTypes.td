// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of numbers that the tables of functions speak of.

#ifndef PYK_INTRINSICS_NUMBERTYPES_TD
#define PYK_INTRINSICS_NUMBERTYPES_TD

/// A type of numbers; its name is NumPy's.
class NumberType;
def bool : NumberType;
def int8 : NumberType;
def int16 : NumberType;
def int32 : NumberType;
def int64 : NumberType;
def uint8 : NumberType;
def uint16 : NumberType;
def uint32 : NumberType;
def uint64 : NumberType;
def float16 : NumberType;
def bfloat16 : NumberType;
def float32 : NumberType;
def float64 : NumberType;
def complex64 : NumberType;
def complex128 : NumberType;

#endif // PYK_INTRINSICS_NUMBERTYPES_TD
