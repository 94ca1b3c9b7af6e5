// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How intrinsics are typed and lowered: the overloads that several share, and the
// names of the rules.

#ifndef PYK_INTRINSICS_INTRINSICRULES_TD
#define PYK_INTRINSICS_INTRINSICRULES_TD

include "pyk/Intrinsics/IntrinsicBase.td"

//===----------------------------------------------------------------------===//
// Typing
//===----------------------------------------------------------------------===//

defvar wholeToFloat = [Overload<[int64], [float64], [float64]>,
                       Overload<[uint64], [float64], [float64]>];

class FloatFunction<string summary, list<NumberType> kept>
    : Overloads<summary, !listconcat(wholeToFloat,
                                     !foreach(type, kept,
                                              Overload<[type], [type]>))>;
def FloatUnary
    : FloatFunction<"f32 for a float of up to 32 bits, otherwise f64",
                    [float32, float64]>;
def FloatUnaryF16 : FloatFunction<"f16 for an f16, otherwise as for FloatUnary",
                                  [float16, float32, float64]>;
def FloatUnaryBF16
    : FloatFunction<"bf16 for a bf16, otherwise as for FloatUnary",
                    [bfloat16, float32, float64]>;
def FloatUnaryShort : FloatFunction<"the argument's float type, otherwise f64",
                                    [float16, bfloat16, float32, float64]>;
def FloatPredicate
    : Overloads<"bool; the argument as for FloatUnary",
                !listconcat([Overload<[int64], [bool], [float64]>,
                             Overload<[uint64], [bool], [float64]>],
                            !foreach(type,
                                     [float16, bfloat16, float32, float64],
                                     Overload<[type], [bool]>))>;
def FloatToExponent
    : Overloads<"int32; the argument as for FloatUnary",
                [Overload<[int64], [int32], [float64]>,
                 Overload<[uint64], [int32], [float64]>,
                 Overload<[float32], [int32]>, Overload<[float64], [int32]>]>;

class SameFloats<list<NumberType> narrow, list<NumberType> wide>
    : Overloads<"f32 if it holds all arguments, otherwise f64",
                [Overload<narrow, [float32]>, Overload<wide, [float64]>]>;
def LeastReal : SameFloats<[float32], [float64]>;
def FloatBinary : SameFloats<[float32, float32], [float64, float64]>;
def Fma : SameFloats<[float32, float32, float32], [float64, float64, float64]>;
// These take integers as such; none computes in them.
def FloatOrWholeBinary
    : Overloads<"f64 for integers, otherwise as for FloatBinary",
                [Overload<[int64, int64], [float64], [float64, float64]>,
                 Overload<[uint64, uint64], [float64], [float64, float64]>,
                 Overload<[float32, float32], [float32]>,
                 Overload<[float64, float64], [float64]>]>;
def FloatPower
    : Overloads<"as for FloatBinary; an int32 as exponent decides nothing",
                [Overload<[float32, float32], [float32]>,
                 Overload<[float64, float64], [float64]>,
                 Overload<[float32, int32], [float32], [float32, float32]>,
                 Overload<[float64, int32], [float64], [float64, float64]>]>;
class ShortFma<NumberType short>
    : Overloads<short # "", [Overload<[short, short, short], [short]>]>;
def BFloat16Fma : ShortFma<bfloat16>;
def Float16Fma : ShortFma<float16>;

class ComplexFunctionOf<string summary, list<NumberType> narrow,
                        list<NumberType> wide>
    : Overloads<summary, [Overload<[complex64], narrow>,
                          Overload<[complex128], wide>]>;
def ComplexUnary
    : ComplexFunctionOf<"complex64 if it holds the argument, otherwise complex128",
                        [complex64], [complex128]>;
def ComplexUnaryWide
    : Overloads<"complex128",
                [Overload<[complex64], [complex128], [complex128]>,
                 Overload<[complex128], [complex128]>]>;
def ComplexLog
    : Overloads<"complex64 if it holds all arguments, otherwise complex128",
                [Overload<[complex64], [complex64]>,
                 Overload<[complex128], [complex128]>,
                 Overload<[complex64, complex64], [complex64]>,
                 Overload<[complex128, complex128], [complex128]>]>;
def ComplexPredicate
    : ComplexFunctionOf<"bool; the argument as for ComplexUnary", [bool], [bool]>;
def ComplexPhase
    : ComplexFunctionOf<"the part's type; the argument as for ComplexUnary",
                        [float32], [float64]>;
def ComplexPolar
    : ComplexFunctionOf<"two of the part's type; the argument as for ComplexUnary",
                        [float32, float32], [float64, float64]>;
def ComplexRect
    : Overloads<"complex, with the parts' type as for FloatBinary",
                [Overload<[float32, float32], [complex64]>,
                 Overload<[float64, float64], [complex128]>]>;

def BlockPredicate : Overloads<"int32", [Overload<[bool], [int32]>]>;
def GridGroup : TypingRule<"a group, known at compile time">;
def GridSync : Overloads<"int32", [Overload<[], [int32]>]>;
def WarpPredicate
    : Overloads<"bool", [Overload<[int32, bool], [bool]>]>;
def WarpBallot : Overloads<"int32", [Overload<[int32, bool], [int32]>]>;
def LaneMask : Overloads<"uint32", [Overload<[], [uint32]>]>;
defvar matched = [int32, uint32, int64, uint64, float32, float64];
def WarpMatchAny : Overloads<"int32",
                             !foreach(type, matched,
                                      Overload<[int32, type], [int32]>)>;
def WarpMatchAll : Overloads<"int32 and bool",
                             !foreach(type, matched,
                                      Overload<[int32, type], [int32, bool]>)>;
def WarpMask : Overloads<"None", [Overload<[], []>, Overload<[int32], []>]>;

def Bits : ExactOverloads<"the argument's integer type; int8 for a bool",
                          !listconcat([Overload<[bool], [int8], [int8]>],
                                      !foreach(type,
                                               [int8, int16, int32, int64,
                                                uint8, uint16, uint32, uint64],
                                               Overload<[type], [type]>))>;

def Number : Overloads<"int32, without a call", [Overload<[], [int32]>]>;
def Whole : Overloads<"int64", [Overload<[], [int64]>]>;
def Address : Overloads<"uint64", [Overload<[], [uint64]>]>;
def NoResult : Overloads<"None", [Overload<[], []>]>;

def Float8Bits : Overloads<"uint8", [Overload<[float32], [uint8]>,
                                     Overload<[float64], [uint8]>]>;
def Float8Value : Overloads<"float32", [Overload<[uint8], [float32]>]>;
def Sleep : Overloads<"None", [Overload<[uint32], []>]>;
def ByteProducts : Overloads<"int32, or uint32 for arguments of that",
                             !foreach(type, [int32, uint32],
                                      Overload<[type, type, type], [type]>)>;

def Object : Typing<"an object with int32 attributes x, y and z">;

def Exchange : TypingRule<"the second argument's type; width is a constant power of 2 up to 32">;

def Abs : TypingRule<"the argument's type; int8 for a bool; f32 for a bf16; a complex number's part">;
def MinMax : TypingRule<"the type that all arguments unify to">;
def Pow : TypingRule<"as the operator **">;
def Round : TypingRule<"int64, its nearest; with digits the argument's float type">;
def Ldexp : TypingRule<"f32 if it holds the first, otherwise f64">;
def ToBool : TypingRule<"bool">;
def ToInt : TypingRule<"the argument's integer type; int64 for other types">;
def ToFloat : TypingRule<"the argument's float type; float64 for integers">;
def ToComplex : TypingRule<"complex64 for f32, otherwise complex128">;
def ToText : TypingRule<"the argument's, which is text of this kind">;
def Len : TypingRule<"int64, with narrow typing int32; a range's type of numbers">;
def Ord : TypingRule<"int64">;
def IsInstance : TypingRule<"bool, known at compile time">;
def ClassOf : TypingRule<"the class of numbers of the argument's type">;
def Range : TypingRule<"a range of int32, int64 or uint64">;
def Enumerate : TypingRule<"pairs of int64 and what the argument yields">;
def Zip : TypingRule<"tuples of what the arguments yield">;
def LiteralUnroll : TypingRule<"the argument, for a loop">;
def Iter : TypingRule<"an iterator over the argument, or the argument if it is one">;
def Next : TypingRule<"what the argument yields">;
def NdIndex : TypingRule<"tuples of int64">;
def NdIter : TypingRule<"arrays without dimensions, or tuples of them">;
def Print : TypingRule<"None">;
def GridIndex : TypingRule<"int64, or a tuple of them for 2 or 3 dimensions">;
def HintedLoad : TypingRule<"the array's element type">;
def HintedStore : TypingRule<"None">;
def Atomic : TypingRule<"the array's element type: what it held before">;
def AtomicCas : TypingRule<"as for Atomic">;
def AtomicFirstCas : TypingRule<"as for Atomic, of element 0">;
def SharedArray : TypingRule<"an array of constant shape">;
def LocalArray : TypingRule<"an array of constant shape">;
def ConstantArray : TypingRule<"a read-only array">;
// Conversions with which PyK's library states the types of its functions.
def Common : TypingRule<"the type that NumPy's loops give all arguments">;
def CommonNumber : TypingRule<"as Common; int8 for bools">;
def CommonReal : TypingRule<"as Common; f32 or f64 for integers">;
def Like : TypingRule<"the type of the second argument">;
def IsNat : TypingRule<"bool">;

// Members of values.
def ArrayElement : TypingRule<"the dtype of the elements">;
def ArrayRank : TypingRule<"int64, known at compile time">;
def ArraySize : TypingRule<"int64; int32 with narrow typing">;
def ArrayExtents : TypingRule<"a tuple of int64; of int32 with narrow typing">;
def ArrayStrides : TypingRule<"a tuple of int64">;
def ArrayReversed : TypingRule<"an array with its dimensions reversed">;
def ArrayFlat : TypingRule<"an array of one dimension, or an iterator that takes one index">;
def ArrayPart : TypingRule<"an array of the parts; an array of real numbers is its own real part">;
def ArrayMemory : TypingRule<"an object with an attribute data">;
def ArrayFill : TypingRule<"None">;
def ArrayItem : TypingRule<"the type of the elements">;
def ArrayRavel : TypingRule<"an array of one dimension">;
def ArrayReshape : TypingRule<"an array of that many dimensions">;
def ArrayTranspose : TypingRule<"an array with its dimensions in that order">;
def ArrayView : TypingRule<"an array of that dtype">;
def NumberPart : TypingRule<"a complex number's part; the type of a real one">;
def NumberItself : TypingRule<"the number's own">;
def NumberView : TypingRule<"that dtype, which has the number's size">;
def RangeBound : TypingRule<"the type of the range's numbers">;
def ItemIndex : TypingRule<"int64">;
def TextSearch : TypingRule<"int64">;
def TextTest : TypingRule<"bool">;
def VectorComponent : TypingRule<"the vector's base type">;
def DtypeItself : TypingRule<"the dtype's class">;
def DtypeText : TypingRule<"a str, known at compile time">;

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// The arguments, as the overload has them.
def MakeConverted : LoweringRule;
/// What is given, unconverted.
def MakeSame : LoweringRule;
/// The product with `factor`.
def MakeScaled : LoweringRule;
/// For what has no value of its own.
def MakeNothing : LoweringRule;

def MakeLogarithm : LoweringRule;
def MakePolar : LoweringRule;
def MakeRect : LoweringRule;
// The op on each part of a complex number.
def MakeAny : LoweringRule;
def MakeBoth : LoweringRule;

foreach rule = ["Abs", "Min", "Max", "Pow", "Round", "Ldexp", "Bool", "Number",
                "Complex", "Len", "Ord", "IsInstance", "IsNat", "Range",
                "Enumerate", "Zip", "Iter", "Next", "NdIndex", "NdIter",
                "Print", "Grid", "GridGroup", "GridSync", "HintedLoad", "HintedStore", "Atomic", "AtomicSub", "AtomicCas",
                "AtomicFirstCas", "Alloc", "ArrayRank", "ArraySize",
                "ArrayItemSize", "ArrayBytes", "ArrayShape", "ArrayStrides",
                "ArrayReversed", "ArrayFlat", "ArrayPart",
                "ArrayAddress", "ArrayFill", "ArrayItem", "ArrayRavel",
                "ArrayReshape", "ArrayTranspose", "ArrayView", "NumberPart",
                "Conjugate", "NumberView", "Bound", "ItemIndex", "TextSearch",
                "IsAscii", "VectorComponent", "Dot4"] in
  def Make # rule : LoweringRule;

#endif // PYK_INTRINSICS_INTRINSICRULES_TD
