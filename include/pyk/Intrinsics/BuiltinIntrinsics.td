// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The builtins, what NumPy has to run over arrays, and what PyK's library is
// written with.

#ifndef PYK_INTRINSICS_BUILTININTRINSICS_TD
#define PYK_INTRINSICS_BUILTININTRINSICS_TD

include "pyk/Intrinsics/MathIntrinsics.td"

//===----------------------------------------------------------------------===//
// builtins
//===----------------------------------------------------------------------===//

/// `most` is how many arguments there can be, of which `least` must be.
class Builtin<string name, Typing typing, LoweringRule rule, string doc,
              int least = 1, int most = least, string module = "builtins">
    : PythonIntrinsic<module # "." # name, typing, rule, doc> {
  let Parameters = !listconcat(!listsplat(Positional, least),
                               !listsplat(OptionalPositional,
                                          !sub(most, least)));
}
/// Any number of arguments from `least` on.
class AnyNumber<string name, Typing typing, LoweringRule rule, string doc,
               int least = 0, string module = "builtins">
    : Builtin<name, typing, rule, doc, least, least, module> {
  let Surplus = !sub(32, least);
}

def : Builtin<"abs", Abs, MakeAbs, "absolute value">;
def : AnyNumber<"min", MinMax, MakeMin, "smallest argument; ignores NaN", 1>;
def : AnyNumber<"max", MinMax, MakeMax, "largest argument; ignores NaN", 1>;
def : Builtin<"pow", Pow, MakePow, "as the operator **", 2>;
def : Builtin<"round", Round, MakeRound, "nearest whole number, half to even",
              1, 2>;
def : Builtin<"bool", ToBool, MakeBool, "whether the argument is not zero"> {
  let TakesOptionals = true;
}
def : Builtin<"int", ToInt, MakeNumber, "whole part; NaN becomes 0">;
def : Builtin<"float", ToFloat, MakeNumber, "the argument as a float">;
def : Builtin<"complex", ToComplex, MakeComplex,
              "the complex number of one number, or of two parts", 1, 2>;
def : Builtin<"isinstance", IsInstance, MakeIsInstance,
              "whether the argument's type is a class, or one of a tuple of classes",
              2> {
  let TakesOptionals = true;
}
def : Builtin<"type", ClassOf, MakeNothing,
              "the class of a number, which makes such numbers">;
def : Builtin<"len", Len, MakeLen,
              "first extent of an array, items of a tuple or a range, or characters of a text">;
class TextItself<string name, int isBytes, string doc>
    : Builtin<name, ToText, MakeSame, doc> {
  let Settings = [Integer<"is_bytes", isBytes>];
}
def : TextItself<"str", 0, "the str itself">;
def : TextItself<"bytes", 1, "the bytes themselves">;
def : Builtin<"ord", Ord, MakeOrd, "number of a character in Unicode">;
def : Builtin<"range", Range, MakeRange, "numbers for a loop", 1, 3>;
def : Builtin<"enumerate", Enumerate, MakeEnumerate,
              "what a loop runs over, with numbers", 1, 2>;
def : AnyNumber<"zip", Zip, MakeZip,
               "what loops run over, side by side, to the end of the shortest">;
def : Builtin<"literal_unroll", LiteralUnroll, MakeSame,
              "a tuple, or a range of constants: the body of a loop over it is compiled for each item",
              1, 1, "numba">;
def : PythonIntrinsic<"builtins.breakpoint", NoResult, LowersTo<Pyk_BreakpointOp>,
                      "stops the thread for a debugger; without one, the launch ends with an error">;
def : Builtin<"iter", Iter, MakeIter,
              "what a loop runs over, from where next(...) has left it">;
def : Builtin<"next", Next, MakeNext,
              "the next element of an iterator; without one, the thread ends with StopIteration">;
def : AnyNumber<"ndindex", NdIndex, MakeNdIndex,
               "every index of a shape, given as a tuple or one by one", 0,
               "numpy">;
def : Builtin<"nditer", NdIter, MakeNdIter,
              "the elements of an array, or of a tuple of arrays, as arrays to read or write",
              1, 1, "numpy">;
def : AnyNumber<"print", Print, MakePrint,
               "writes a line of values to standard output"> {
  // There is no limit.
  let Surplus = 0x7fffffff;
}

//===----------------------------------------------------------------------===//
// pyk: what PyK's library is written with (python/pyk/_library)
//===----------------------------------------------------------------------===//

class LibraryConversion<string name, Typing typing, LoweringRule rule,
                        string doc, int least = 1, int most = least>
    : Builtin<name, typing, rule, doc, least, most, "pyk">;
def : LibraryConversion<"common", Common, MakeConverted,
                        "the arguments in one type", 1, 3>;
def : LibraryConversion<"common_number", CommonNumber, MakeConverted,
                        "the arguments in one type of numbers", 1, 3>;
def : LibraryConversion<"common_real", CommonReal, MakeConverted,
                        "the arguments in one type of floats", 1, 3>;
def : LibraryConversion<"like", Like, MakeNumber,
                        "the first argument in the type of the second", 2>;
def : LibraryConversion<"is_nat", IsNat, MakeIsNat,
                        "whether the argument is no time">;
// What `cuda.fp8` is made of.
class ToFloat8<string format, string rounding, string overflow>
    : PythonIntrinsic<"pyk.to_" # !tolower(format) # "_" # !tolower(rounding)
                      # "_" # !tolower(overflow),
                      Float8Bits, LowersTo<Pyk_RoundToFloat8Op>,
                      "the bits of a number as a float of 8 bits"> {
  let Settings = [Case<"format", Pyk_Float8FormatAttr, format>,
                  Case<"rounding", Pyk_Float8RoundingAttr, rounding>,
                  Case<"overflow", Pyk_Float8OverflowAttr, overflow>];
}
foreach overflow = ["Saturate", "Exceed"] in {
  foreach format = ["E5M2", "E4M3"] in
    def : ToFloat8<format, "Nearest", overflow>;
  foreach rounding = ["Up", "TowardZero"] in
    def : ToFloat8<"E8M0", rounding, overflow>;
}
def : PythonIntrinsic<"pyk.from_e8m0", Float8Value,
                      LowersTo<Pyk_ExtendFloat8Op>,
                      "the number that the bits of an exponent stand for"> {
  let Settings = [Case<"format", Pyk_Float8FormatAttr, "E8M0">];
}
def : PythonIntrinsic<"pyk.rint", FloatUnaryShort, LowersTo<Math_RoundEvenOp>,
                      "nearest whole number, half to even, as a float">;
def : PythonIntrinsic<"pyk.real", LeastReal, MakeConverted,
                      "the argument as a float">;
def : LibdeviceReal<"pyk.ilogb", FloatToExponent, Libdevice_ilogb,
                    "exponent of a float">;

#endif // PYK_INTRINSICS_BUILTININTRINSICS_TD
