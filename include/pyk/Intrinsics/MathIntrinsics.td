// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of math and cmath.

#ifndef PYK_INTRINSICS_MATHINTRINSICS_TD
#define PYK_INTRINSICS_MATHINTRINSICS_TD

include "mlir/Dialect/Arith/IR/ArithOps.td"
include "mlir/Dialect/Complex/IR/ComplexOps.td"
include "mlir/Dialect/Math/IR/MathOps.td"
include "pyk/Dialect/Pyk/IR/PykOps.td"
include "pyk/Intrinsics/IntrinsicRules.td"
include "pyk/Libdevice/Libdevice.td"

//===----------------------------------------------------------------------===//
// math
//===----------------------------------------------------------------------===//

class MathUnary<string name, Op op, string doc, Typing typing = FloatUnary>
    : PythonIntrinsic<"math." # name, typing, LowersTo<op>, doc>;
class MathUnaryShort<string name, Op op, string doc>
    : MathUnary<name, op, doc, FloatUnaryShort>;
/// The op's operands say which overload of the function it is.
class LibdeviceReal<string name, Typing typing, LibdeviceFunction function,
                    string doc, Lowering lowering = LowersTo<Pyk_LibdeviceOp>>
    : PythonIntrinsic<name, typing, lowering, doc> {
  let Settings = [Text<"function", function.Name>];
}
def : MathUnaryShort<"sqrt", Math_SqrtOp, "square root">;
def : MathUnaryShort<"sin", Math_SinOp, "sine">;
def : MathUnaryShort<"cos", Math_CosOp, "cosine">;
def : MathUnary<"tan", Math_TanOp, "tangent">;
def : MathUnary<"asin", Math_AsinOp, "arc sine">;
def : MathUnary<"acos", Math_AcosOp, "arc cosine">;
def : MathUnary<"atan", Math_AtanOp, "arc tangent">;
def : MathUnary<"sinh", Math_SinhOp, "hyperbolic sine">;
def : MathUnary<"cosh", Math_CoshOp, "hyperbolic cosine">;
def : MathUnaryShort<"tanh", Math_TanhOp, "hyperbolic tangent">;
def : MathUnary<"asinh", Math_AsinhOp, "inverse hyperbolic sine">;
def : MathUnary<"acosh", Math_AcoshOp, "inverse hyperbolic cosine">;
def : MathUnary<"atanh", Math_AtanhOp, "inverse hyperbolic tangent">;
def : MathUnaryShort<"exp", Math_ExpOp, "e to a power">;
def : MathUnary<"exp2", Math_Exp2Op, "2 to a power", FloatUnaryBF16>;
def : MathUnary<"expm1", Math_ExpM1Op, "e to a power, minus 1">;
def : MathUnaryShort<"log", Math_LogOp, "natural logarithm">;
def : MathUnary<"log2", Math_Log2Op, "logarithm to base 2", FloatUnaryF16>;
def : MathUnaryShort<"log10", Math_Log10Op, "logarithm to base 10">;
def : MathUnary<"log1p", Math_Log1pOp,
                "natural logarithm of 1 plus the argument">;
def : MathUnary<"erf", Math_ErfOp, "error function">;
def : MathUnary<"erfc", Math_ErfcOp, "complementary error function">;
def : LibdeviceReal<"math.gamma", FloatUnary, Libdevice_tgamma, "gamma function">;
def : LibdeviceReal<"math.lgamma", FloatUnary, Libdevice_lgamma,
                    "natural logarithm of the gamma function's magnitude">;
def : MathUnary<"cbrt", Math_CbrtOp, "cube root">;
def : MathUnary<"fabs", Math_AbsFOp, "absolute value", FloatUnaryF16>;
def : MathUnaryShort<"floor", Math_FloorOp,
                     "largest whole number that is not above, as a float">;
def : MathUnaryShort<"ceil", Math_CeilOp,
                     "smallest whole number that is not below, as a float">;
def : MathUnaryShort<"trunc", Math_TruncOp, "whole part, as a float">;

class MathScaled<string name, string factor, string doc>
    : PythonIntrinsic<"math." # name, FloatUnary, MakeScaled, doc> {
  let Settings = [Real<"factor", factor>];
}
def : MathScaled<"radians", "0.017453292519943295", "degrees as radians">;
def : MathScaled<"degrees", "57.29577951308232", "radians as degrees">;

class MathBinary<string name, Op op, string doc, Typing typing = FloatBinary>
    : PythonIntrinsic<"math." # name, typing, LowersTo<op>, doc>;
def : MathBinary<"pow", Math_PowFOp, "power, as floats", FloatPower>;
// Upstream's op folds the angle of two zeros to NaN.
def : LibdeviceReal<"math.atan2", FloatOrWholeBinary, Libdevice_atan2,
                    "angle of the point (second, first)">;
def : MathBinary<"copysign", Math_CopySignOp,
                 "magnitude of the first, sign of the second">;
def : MathBinary<"fmod", Arith_RemFOp, "remainder with the sign of the first">;
def : LibdeviceReal<"math.hypot", FloatOrWholeBinary, Libdevice_hypot,
                    "length of the vector with two coordinates">;
def : LibdeviceReal<"math.nextafter", FloatBinary, Libdevice_nextafter,
                    "next float after the first, towards the second">;
def : LibdeviceReal<"math.remainder", FloatBinary, Libdevice_remainder,
                    "what is left of the first after the nearest multiple of the second">;
def : LibdeviceReal<"math.ldexp", Ldexp, Libdevice_ldexp,
                    "the first times 2 to the power of the second",
                    OpWithRule<Pyk_LibdeviceOp, MakeLdexp>> {
  let Parameters = [Positional, Positional];
}
def : PythonIntrinsic<"math.fma", Fma, LowersTo<Math_FmaOp>,
                      "a * b + c, rounded once">;

class MathPredicate<string name, Op op, string doc>
    : PythonIntrinsic<"math." # name, FloatPredicate, LowersTo<op>, doc>;
def : MathPredicate<"isnan", Math_IsNaNOp, "whether the argument is not a number">;
def : MathPredicate<"isinf", Math_IsInfOp, "whether the argument is infinite">;
def : MathPredicate<"isfinite", Math_IsFiniteOp,
                    "whether the argument is finite">;

//===----------------------------------------------------------------------===//
// cmath
//===----------------------------------------------------------------------===//

class ComplexFunction<string name, Op op, string doc,
                      Typing typing = ComplexUnary>
    : PythonIntrinsic<"cmath." # name, typing, LowersTo<op>, doc>;
class ComplexRule<string name, Typing typing, LoweringRule rule, string doc>
    : PythonIntrinsic<"cmath." # name, typing, rule, doc>;
def : ComplexFunction<"sqrt", Pyk_ComplexSqrtOp,
                      "square root with a real part of 0 or more">;
def : ComplexFunction<"exp", Pyk_ComplexExpOp, "e to a power">;
def : PythonIntrinsic<"cmath.log", ComplexLog,
                      OpWithRule<Pyk_ComplexLogOp, MakeLogarithm>,
                      "logarithm, natural or to a base">;
def : ComplexFunction<"log10", Pyk_ComplexLog10Op, "logarithm to base 10",
                      ComplexUnaryWide>;
def : ComplexFunction<"sin", Pyk_ComplexSinOp, "sine">;
def : ComplexFunction<"cos", Pyk_ComplexCosOp, "cosine">;
def : ComplexFunction<"tan", Pyk_ComplexTanOp, "tangent">;
def : ComplexFunction<"asin", Pyk_ComplexAsinOp, "arc sine">;
def : ComplexFunction<"acos", Pyk_ComplexAcosOp, "arc cosine">;
def : ComplexFunction<"atan", Pyk_ComplexAtanOp, "arc tangent">;
def : ComplexFunction<"sinh", Pyk_ComplexSinhOp, "hyperbolic sine">;
def : ComplexFunction<"cosh", Pyk_ComplexCoshOp, "hyperbolic cosine">;
def : ComplexFunction<"tanh", Pyk_ComplexTanhOp, "hyperbolic tangent",
                      ComplexUnaryWide>;
def : ComplexFunction<"asinh", Pyk_ComplexAsinhOp, "inverse hyperbolic sine">;
def : ComplexFunction<"acosh", Pyk_ComplexAcoshOp, "inverse hyperbolic cosine",
                      ComplexUnaryWide>;
def : ComplexFunction<"atanh", Pyk_ComplexAtanhOp,
                      "inverse hyperbolic tangent">;
def : ComplexFunction<"phase", AngleOp, "angle from the real axis",
                      ComplexPhase>;
def : ComplexRule<"polar", ComplexPolar, MakePolar, "absolute value and phase">;
def : ComplexRule<"rect", ComplexRect, MakeRect,
                  "the number of an absolute value and a phase">;
class ComplexTest<string name, Op op, LoweringRule rule, string doc>
    : PythonIntrinsic<"cmath." # name, ComplexPredicate, OpWithRule<op, rule>,
                      doc>;
def : ComplexTest<"isnan", Math_IsNaNOp, MakeAny,
                  "whether a part is not a number">;
def : ComplexTest<"isinf", Math_IsInfOp, MakeAny,
                  "whether a part is infinite">;
def : ComplexTest<"isfinite", Math_IsFiniteOp, MakeBoth,
                  "whether both parts are finite">;

#endif // PYK_INTRINSICS_MATHINTRINSICS_TD
