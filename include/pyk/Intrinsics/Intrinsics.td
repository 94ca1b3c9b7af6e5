// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every Python callable and attribute that the compiler knows: its canonical
// name, how its result is typed, what it becomes, what it is. Type inference,
// conversion and the reference page read this table; a new intrinsic is a
// record here and a test.

include "llvm/TableGen/SearchableTable.td"


/// How the result type follows from the arguments. Each rule is a case in
/// lib/Dialect/Py/Transforms/InferIntrinsics.cpp.
class TypingRule<string summary> {
  string Summary = summary;
}
def FloatUnary : TypingRule<"f32 for a float of up to 32 bits, otherwise f64">;
def FloatUnaryF16 : TypingRule<"f16 for an f16, otherwise as for FloatUnary">;
def FloatUnaryBF16 : TypingRule<"bf16 for a bf16, otherwise as for FloatUnary">;
def FloatUnaryShort : TypingRule<"the argument's float type, otherwise f64">;
def FloatBinary : TypingRule<"f32 if it holds both arguments, otherwise f64">;
def LeastReal : TypingRule<"f32 if it holds the argument, otherwise f64">;
def FloatExponent : TypingRule<"f32 if it holds the first, otherwise f64">;
def FloatToExponent : TypingRule<"int32; the argument as for FloatUnary">;
def FloatPredicate : TypingRule<"bool; the argument as for FloatUnary">;
def Abs : TypingRule<"the argument's type; int8 for a bool; f32 for a bf16; a complex number's part">;
def MinMax : TypingRule<"the type that all arguments unify to">;
def Pow : TypingRule<"as the operator **">;
def Round : TypingRule<"int64, its nearest; with digits the argument's float type">;
def ToBool : TypingRule<"bool">;
def ToInt : TypingRule<"the argument's integer type; int64 for other types">;
def ToFloat : TypingRule<"the argument's float type; float64 for integers">;
def ToComplex : TypingRule<"complex64 for f32, otherwise complex128">;
def ComplexUnary : TypingRule<"complex64 if it holds the argument, otherwise complex128">;
def ComplexUnaryWide : TypingRule<"complex128">;
def ComplexLog : TypingRule<"complex64 if it holds all arguments, otherwise complex128">;
def ComplexPredicate : TypingRule<"bool; the argument as for ComplexUnary">;
def ComplexPhase : TypingRule<"the part's type; the argument as for ComplexUnary">;
def ComplexPolar : TypingRule<"two of the part's type; the argument as for ComplexUnary">;
def ComplexRect : TypingRule<"complex, with the parts' type as for FloatBinary">;
def Len : TypingRule<"int64; a range's type of numbers">;
def Ord : TypingRule<"int64">;
def ToText : TypingRule<"the argument's, which is text of this kind">;
def Range : TypingRule<"a range of int32, int64 or uint64">;
def Enumerate : TypingRule<"pairs of int64 and what the argument yields">;
def Zip : TypingRule<"tuples of what the arguments yield">;
def Iter : TypingRule<"an iterator over the argument, or the argument if it is one">;
def Next : TypingRule<"what the argument yields">;
def NdIndex : TypingRule<"tuples of int64">;
def NdIter : TypingRule<"arrays without dimensions, or tuples of them">;
def IndexValue : TypingRule<"int32, without a call">;
def Dim3 : TypingRule<"an object with int32 attributes x, y and z">;
def GridIndex : TypingRule<"int64, or a tuple of them for 2 or 3 dimensions">;
def Barrier : TypingRule<"None">;
def Atomic : TypingRule<"the array's element type: what it held before">;
def AtomicCas : TypingRule<"as for Atomic">;
def FirstCas : TypingRule<"as for Atomic, of element 0">;
def AllocArray : TypingRule<"an array of constant shape">;
def ConstantArray : TypingRule<"a read-only array">;
def Fma : TypingRule<"f32 if it holds all arguments, otherwise f64">;
def FmaBFloat16 : TypingRule<"bf16">;
def BitCast : TypingRule<"the type that the name ends in">;
def Print : TypingRule<"None">;
def IsInstance : TypingRule<"bool, known at compile time">;
def ClassOf : TypingRule<"the class of numbers of the argument's type">;

// Conversions with which PyK's library states the types of its functions.
def Common : TypingRule<"the type that NumPy's loops give all arguments">;
def CommonNumber : TypingRule<"as Common; int8 for bools">;
def CommonReal : TypingRule<"as Common; f32 or f64 for integers">;
def Like : TypingRule<"the type of the second argument">;
def IsNat : TypingRule<"bool">;

// Those of Libdevice.def.
def Libdevice : TypingRule<"what the function yields; a tuple if that is several">;

def TypingRules : GenericEnum {
  let FilterClass = "TypingRule";
}

/// `lowering` is the op that computes the result from the arguments, converted
/// to the type that the rule says; where the rule implies the lowering it
/// holds what the rule needs to know. A lowering that starts with `*` multiplies
/// by the number that follows.
class PythonIntrinsic<string python, TypingRule typing, string lowering, string doc> {
  string Python = python;
  TypingRule Typing = typing;
  string Lowering = lowering;
  string Doc = doc;
}

def Intrinsics : GenericTable {
  let FilterClass = "PythonIntrinsic";
  let CppTypeName = "Intrinsic";
  let Fields = ["Python", "Typing", "Lowering", "Doc"];
  string TypeOf_Typing = "TypingRules";
}

//===----------------------------------------------------------------------===//
// math
//===----------------------------------------------------------------------===//

class MathUnary<string name, string doc, TypingRule typing = FloatUnary,
                string op = name>
    : PythonIntrinsic<"math." # name, typing, "math." # op, doc>;
class LibdeviceReal<string name, TypingRule typing, string function, string doc>
    : PythonIntrinsic<name, typing, "libdevice " # function, doc>;
class MathUnaryShort<string name, string doc>
    : MathUnary<name, doc, FloatUnaryShort>;
def : MathUnaryShort<"sqrt", "square root">;
def : MathUnaryShort<"sin", "sine">;
def : MathUnaryShort<"cos", "cosine">;
def : MathUnary<"tan", "tangent">;
def : MathUnary<"asin", "arc sine">;
def : MathUnary<"acos", "arc cosine">;
def : MathUnary<"atan", "arc tangent">;
def : MathUnary<"sinh", "hyperbolic sine">;
def : MathUnary<"cosh", "hyperbolic cosine">;
def : MathUnaryShort<"tanh", "hyperbolic tangent">;
def : MathUnary<"asinh", "inverse hyperbolic sine">;
def : MathUnary<"acosh", "inverse hyperbolic cosine">;
def : MathUnary<"atanh", "inverse hyperbolic tangent">;
def : MathUnaryShort<"exp", "e to a power">;
def : MathUnary<"exp2", "2 to a power", FloatUnaryBF16>;
def : MathUnary<"expm1", "e to a power, minus 1">;
def : MathUnaryShort<"log", "natural logarithm">;
def : MathUnary<"log2", "logarithm to base 2", FloatUnaryF16>;
def : MathUnaryShort<"log10", "logarithm to base 10">;
def : MathUnary<"log1p", "natural logarithm of 1 plus the argument">;
def : MathUnary<"erf", "error function">;
def : MathUnary<"erfc", "complementary error function">;
def : LibdeviceReal<"math.gamma", FloatUnary, "tgamma", "gamma function">;
def : LibdeviceReal<"math.lgamma", FloatUnary, "lgamma",
                "natural logarithm of the gamma function's magnitude">;
def : MathUnary<"cbrt", "cube root">;
def : MathUnary<"fabs", "absolute value", FloatUnaryF16, "absf">;
def : MathUnaryShort<"floor", "largest whole number that is not above, as a float">;
def : MathUnaryShort<"ceil", "smallest whole number that is not below, as a float">;
def : MathUnaryShort<"trunc", "whole part, as a float">;
def : PythonIntrinsic<"math.radians", FloatUnary, "*0.017453292519943295",
                "degrees as radians">;
def : PythonIntrinsic<"math.degrees", FloatUnary, "*57.29577951308232",
                "radians as degrees">;

class MathBinary<string name, string doc, string op>
    : PythonIntrinsic<"math." # name, FloatBinary, op, doc>;
def : MathBinary<"pow", "power, as floats", "math.powf">;
// Upstream's op folds the angle of two zeros to NaN.
def : LibdeviceReal<"math.atan2", FloatBinary, "atan2",
                "angle of the point (second, first)">;
def : MathBinary<"copysign", "magnitude of the first, sign of the second",
                 "math.copysign">;
def : MathBinary<"fmod", "remainder with the sign of the first", "arith.remf">;
def : LibdeviceReal<"math.hypot", FloatBinary, "hypot",
                "length of the vector with two coordinates">;
def : LibdeviceReal<"math.nextafter", FloatBinary, "nextafter",
                "next float after the first, towards the second">;
def : LibdeviceReal<"math.remainder", FloatBinary, "remainder",
                "what is left of the first after the nearest multiple of the second">;
def : LibdeviceReal<"math.ldexp", FloatExponent, "ldexp",
                "the first times 2 to the power of the second">;
def : PythonIntrinsic<"math.fma", Fma, "math.fma", "a * b + c, rounded once">;

class MathPredicate<string name, string doc>
    : PythonIntrinsic<"math." # name, FloatPredicate, "math." # name, doc>;
def : MathPredicate<"isnan", "whether the argument is not a number">;
def : MathPredicate<"isinf", "whether the argument is infinite">;
def : MathPredicate<"isfinite", "whether the argument is finite">;

//===----------------------------------------------------------------------===//
// cmath
//===----------------------------------------------------------------------===//

class ComplexFunction<string name, string doc, TypingRule typing = ComplexUnary,
                      string lowering = "pyk.complex_" # name>
    : PythonIntrinsic<"cmath." # name, typing, lowering, doc>;
def : ComplexFunction<"sqrt", "square root with a real part of 0 or more">;
def : ComplexFunction<"exp", "e to a power">;
def : ComplexFunction<"log", "logarithm, natural or to a base", ComplexLog>;
def : ComplexFunction<"log10", "logarithm to base 10", ComplexUnaryWide>;
def : ComplexFunction<"sin", "sine">;
def : ComplexFunction<"cos", "cosine">;
def : ComplexFunction<"tan", "tangent">;
def : ComplexFunction<"asin", "arc sine">;
def : ComplexFunction<"acos", "arc cosine">;
def : ComplexFunction<"atan", "arc tangent">;
def : ComplexFunction<"sinh", "hyperbolic sine">;
def : ComplexFunction<"cosh", "hyperbolic cosine">;
def : ComplexFunction<"tanh", "hyperbolic tangent", ComplexUnaryWide>;
def : ComplexFunction<"asinh", "inverse hyperbolic sine">;
def : ComplexFunction<"acosh", "inverse hyperbolic cosine", ComplexUnaryWide>;
def : ComplexFunction<"atanh", "inverse hyperbolic tangent">;
def : ComplexFunction<"phase", "angle from the real axis", ComplexPhase,
                      "complex.angle">;
def : ComplexFunction<"polar", "absolute value and phase", ComplexPolar, "">;
def : ComplexFunction<"rect", "the number of an absolute value and a phase",
                      ComplexRect, "">;
def : ComplexFunction<"isnan", "whether a part is not a number",
                      ComplexPredicate, "math.isnan">;
def : ComplexFunction<"isinf", "whether a part is infinite", ComplexPredicate,
                      "math.isinf">;
def : ComplexFunction<"isfinite", "whether both parts are finite",
                      ComplexPredicate, "math.isfinite">;

//===----------------------------------------------------------------------===//
// builtins
//===----------------------------------------------------------------------===//

def : PythonIntrinsic<"builtins.abs", Abs, "", "absolute value">;
def : PythonIntrinsic<"builtins.min", MinMax, "min", "smallest argument; ignores NaN">;
def : PythonIntrinsic<"builtins.max", MinMax, "max", "largest argument; ignores NaN">;
def : PythonIntrinsic<"builtins.pow", Pow, "", "as the operator **">;
def : PythonIntrinsic<"builtins.round", Round, "",
                "nearest whole number, half to even">;
def : PythonIntrinsic<"builtins.bool", ToBool, "", "whether the argument is not zero">;
def : PythonIntrinsic<"builtins.int", ToInt, "", "whole part; NaN becomes 0">;
def : PythonIntrinsic<"builtins.float", ToFloat, "", "the argument as a float">;
def : PythonIntrinsic<"builtins.complex", ToComplex, "",
                "the complex number of one number, or of two parts">;
def : PythonIntrinsic<"builtins.isinstance", IsInstance, "",
                "whether the argument's type is a class, or one of a tuple of classes">;
def : PythonIntrinsic<"builtins.type", ClassOf, "",
                "the class of a number, which makes such numbers">;
def : PythonIntrinsic<"builtins.len", Len, "",
                "first extent of an array, items of a tuple or a range, or characters of a text">;
def : PythonIntrinsic<"builtins.str", ToText, "", "the str itself">;
def : PythonIntrinsic<"builtins.bytes", ToText, "", "the bytes themselves">;
def : PythonIntrinsic<"builtins.ord", Ord, "", "number of a character in Unicode">;
def : PythonIntrinsic<"builtins.range", Range, "", "numbers for a loop">;

def : PythonIntrinsic<"builtins.enumerate", Enumerate, "",
                "what a loop runs over, with numbers">;
def : PythonIntrinsic<"builtins.zip", Zip, "",
                "what loops run over, side by side, to the end of the shortest">;
def : PythonIntrinsic<"builtins.breakpoint", Barrier, "pyk.breakpoint",
                "stops the thread for a debugger; without one, the launch ends with an error">;
def : PythonIntrinsic<"builtins.iter", Iter, "",
                "what a loop runs over, from where next(...) has left it">;
def : PythonIntrinsic<"builtins.next", Next, "",
                "the next element of an iterator; without one, the thread ends with StopIteration">;
def : PythonIntrinsic<"numpy.ndindex", NdIndex, "",
                "every index of a shape, given as a tuple or one by one">;
def : PythonIntrinsic<"numpy.nditer", NdIter, "",
                "the elements of an array, or of a tuple of arrays, as arrays to read or write">;
def : PythonIntrinsic<"builtins.print", Print, "",
                "writes a line of values to standard output">;

//===----------------------------------------------------------------------===//
// cuda
//===----------------------------------------------------------------------===//

multiclass ThreadPosition<string name, string op, string doc> {
  def : PythonIntrinsic<"cuda." # name, Dim3, op, doc>;
  def : PythonIntrinsic<"cuda." # name # ".x", IndexValue, op # " x", doc # ", along x">;
  def : PythonIntrinsic<"cuda." # name # ".y", IndexValue, op # " y", doc # ", along y">;
  def : PythonIntrinsic<"cuda." # name # ".z", IndexValue, op # " z", doc # ", along z">;
}
defm : ThreadPosition<"threadIdx", "pyk.thread_id", "index of the thread in its block">;
defm : ThreadPosition<"blockIdx", "pyk.block_id", "index of the block in the grid">;
defm : ThreadPosition<"blockDim", "pyk.block_dim", "threads of a block">;
defm : ThreadPosition<"gridDim", "pyk.grid_dim", "blocks of the grid">;
def : PythonIntrinsic<"cuda.laneid", IndexValue, "pyk.lane_id", "index of the thread in its warp">;
def : PythonIntrinsic<"cuda.warpsize", IndexValue, "32", "threads of a warp, 32">;
def : PythonIntrinsic<"cuda.grid", GridIndex, "pyk.grid", "index of the thread in the grid">;
def : PythonIntrinsic<"cuda.gridsize", GridIndex, "pyk.grid_size", "threads of the grid">;
def : PythonIntrinsic<"cuda.syncthreads", Barrier, "pyk.barrier", "waits for the block">;
def : PythonIntrinsic<"cuda.shared.array", AllocArray, "shared", "array shared by the block">;
def : PythonIntrinsic<"cuda.local.array", AllocArray, "local", "array of the thread's own">;
def : PythonIntrinsic<"cuda.const.array_like", ConstantArray, "",
                "the argument, an array known at compile time, in constant memory">;

multiclass Fence<string suffix, string scope> {
  def : PythonIntrinsic<"cuda.threadfence" # suffix, Barrier, "pyk.fence " # scope,
                  "orders the thread's accesses for the threads of the " # scope>;
}
defm : Fence<"_block", "block">;
defm : Fence<"", "device">;
defm : Fence<"_system", "system">;

class CudaAtomic<string name, string doc, string kind = name>
    : PythonIntrinsic<"cuda.atomic." # name, Atomic, kind, doc>;
def : CudaAtomic<"add", "adds to an element">;
def : CudaAtomic<"sub", "subtracts from an element", "add">;
def : CudaAtomic<"and_", "bitwise and into an element", "and">;
def : CudaAtomic<"or_", "bitwise or into an element", "or">;
def : CudaAtomic<"xor", "bitwise exclusive or into an element">;
def : CudaAtomic<"inc", "counts an element up; to 0 where it has reached the value">;
def : CudaAtomic<"dec", "counts an element down; to the value from 0 or above it">;
def : CudaAtomic<"max", "maximum into an element; NaN is not replaced">;
def : CudaAtomic<"min", "minimum into an element; NaN is not replaced">;
def : CudaAtomic<"nanmax", "maximum into an element; replaces NaN">;
def : CudaAtomic<"nanmin", "minimum into an element; replaces NaN">;
def : CudaAtomic<"exch", "replaces an element">;
def : PythonIntrinsic<"cuda.atomic.cas", AtomicCas, "",
                "replaces an element that is what is expected">;
def : PythonIntrinsic<"cuda.atomic.compare_and_swap", FirstCas, "",
                "replaces element 0 if it is what is expected">;
def : PythonIntrinsic<"cuda.fma", Fma, "math.fma", "a * b + c, rounded once">;

def : PythonIntrinsic<"cuda.bf16.hfma", FmaBFloat16, "math.fma",
                "a * b + c of bfloat16, rounded once">;

class BFloat16Bits<string from, string to>
    : PythonIntrinsic<"cuda.bf16." # from # "_as_" # to, BitCast,
                      from # " " # to, "the bits of " # from # " as " # to>;
def : BFloat16Bits<"bfloat16", "int16">;
def : BFloat16Bits<"bfloat16", "uint16">;
def : BFloat16Bits<"int16", "bfloat16">;
def : BFloat16Bits<"uint16", "bfloat16">;

//===----------------------------------------------------------------------===//
// pyk: what PyK's library is written with (python/pyk/_library)
//===----------------------------------------------------------------------===//

def : PythonIntrinsic<"pyk.common", Common, "", "the arguments in one type">;
def : PythonIntrinsic<"pyk.common_number", CommonNumber, "",
                "the arguments in one type of numbers">;
def : PythonIntrinsic<"pyk.common_real", CommonReal, "",
                "the arguments in one type of floats">;
def : PythonIntrinsic<"pyk.like", Like, "", "the first argument in the type of the second">;
def : PythonIntrinsic<"pyk.is_nat", IsNat, "", "whether the argument is no time">;
def : PythonIntrinsic<"pyk.rint", FloatUnaryShort, "math.roundeven",
                "nearest whole number, half to even, as a float">;
def : PythonIntrinsic<"pyk.real", LeastReal, "", "the argument as a float">;
def : LibdeviceReal<"pyk.ilogb", FloatToExponent, "ilogb", "exponent of a float">;
