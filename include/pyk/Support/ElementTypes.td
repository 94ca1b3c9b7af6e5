// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that arrays are made of: one line for each type, which the
// compiler, pyk-run and the Python package read. ElementTypes.h has it for C++,
// and python/pyk/_element_types.py for Python.

#ifndef PYK_SUPPORT_ELEMENTTYPES_TD
#define PYK_SUPPORT_ELEMENTTYPES_TD

include "llvm/TableGen/SearchableTable.td"

/// A type of numbers that the tables of functions may speak of; its name is
/// Numba's.
class NumberType<string type, string kind, bits<8> bytes, string shortName,
                 string inMlDtypes = ""> {
  string Name = NAME;
  /// How MLIR writes it.
  string Type = type;
  string Kind = "ElementKind::" # kind;
  bits<8> Bytes = bytes;
  /// What pyk-run calls it.
  string ShortName = shortName;
  /// What the package ml_dtypes calls it, if NumPy lacks it.
  string InMlDtypes = inMlDtypes;
}

def bool : NumberType<"i1", "Bool", 1, "bool">;
def int8 : NumberType<"si8", "Signed", 1, "i8">;
def int16 : NumberType<"si16", "Signed", 2, "i16">;
def int32 : NumberType<"si32", "Signed", 4, "i32">;
def int64 : NumberType<"si64", "Signed", 8, "i64">;
def uint8 : NumberType<"ui8", "Unsigned", 1, "u8">;
def uint16 : NumberType<"ui16", "Unsigned", 2, "u16">;
def uint32 : NumberType<"ui32", "Unsigned", 4, "u32">;
def uint64 : NumberType<"ui64", "Unsigned", 8, "u64">;
def float16 : NumberType<"f16", "Float", 2, "f16">;
def bfloat16 : NumberType<"bf16", "Float", 2, "bf16", "bfloat16">;
def float32 : NumberType<"f32", "Float", 4, "f32">;
def float64 : NumberType<"f64", "Float", 8, "f64">;
def complex64 : NumberType<"complex<f32>", "Complex", 8, "c64">;
def complex128 : NumberType<"complex<f64>", "Complex", 16, "c128">;
/// In the low half of a byte.
def fp4_e2m1
    : NumberType<"!py.float8<e2m1>", "Float", 1, "fp4_e2m1", "float4_e2m1fn">;
def fp8_e5m2
    : NumberType<"!py.float8<e5m2>", "Float", 1, "fp8_e5m2", "float8_e5m2">;
def fp8_e4m3
    : NumberType<"!py.float8<e4m3>", "Float", 1, "fp8_e4m3", "float8_e4m3fn">;
def fp8_e8m0
    : NumberType<"!py.float8<e8m0>", "Float", 1, "fp8_e8m0", "float8_e8m0fnu">;

def ElementTypes : GenericTable {
  let FilterClass = "NumberType";
  let CppTypeName = "ElementType";
  string TypeOf_Kind = "code";
  let Fields = ["Name", "Type", "Kind", "Bytes", "ShortName", "InMlDtypes"];
}

#endif // PYK_SUPPORT_ELEMENTTYPES_TD
