// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of complex numbers. Values are of the builtin type and are made and
// taken apart by `complex.create`, `complex.re` and `complex.im`.

#ifndef PYK_DIALECT_PYK_IR_PYKCOMPLEXOPS_TD
#define PYK_DIALECT_PYK_IR_PYKCOMPLEXOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"

def Pyk_Complex : Complex<AnyTypeOf<[F32, F64]>>;

/// A function of one complex number, which `meaning` says.
class Pyk_ComplexUnaryOp<string name, string summary_, string meaning>
    : Pyk_Op<"complex." # name, [Pure, SameOperandsAndResultType,
                              Pyk_GoneBy<"gpu">]> {
  let summary = summary_;
  let description =
    "Python's `cmath." # name # "`: " # meaning #
    "\n\nInfinities, NaNs and zeros give what `cmath` gives for them; where it "
    "raises an\nerror, the result is the limit, infinite or NaN.\n\nExample:\n"
    "```mlir\n%w = pyk.complex." # name # " %z : complex<f64>\n```";
  let arguments = (ins Pyk_Complex:$operand);
  let results = (outs Pyk_Complex:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Pyk_ComplexSqrtOp : Pyk_ComplexUnaryOp<"sqrt", "square root of a complex number",
    "the root whose real part is not negative. Below the negative real axis the "
    "imaginary part is negative, with a zero imaginary part counted by its sign.">;
def Pyk_ComplexExpOp : Pyk_ComplexUnaryOp<"exp", "e to a complex power",
    "the number of absolute value `exp(re)` and phase `im`.">;
def Pyk_ComplexLogOp : Pyk_ComplexUnaryOp<"log", "natural logarithm of a complex number",
    "its real part is the logarithm of the absolute value, its imaginary part the "
    "phase, from -pi to pi.">;
def Pyk_ComplexLog10Op : Pyk_ComplexUnaryOp<"log10",
    "logarithm of a complex number to base 10",
    "the natural logarithm divided by that of 10.">;
def Pyk_ComplexSinOp : Pyk_ComplexUnaryOp<"sin", "sine of a complex number",
    "`sin(re) cosh(im) + i cos(re) sinh(im)`.">;
def Pyk_ComplexCosOp : Pyk_ComplexUnaryOp<"cos", "cosine of a complex number",
    "`cos(re) cosh(im) - i sin(re) sinh(im)`.">;
def Pyk_ComplexTanOp : Pyk_ComplexUnaryOp<"tan", "tangent of a complex number",
    "the sine divided by the cosine.">;
def Pyk_ComplexSinhOp : Pyk_ComplexUnaryOp<"sinh",
    "hyperbolic sine of a complex number",
    "`sinh(re) cos(im) + i cosh(re) sin(im)`.">;
def Pyk_ComplexCoshOp : Pyk_ComplexUnaryOp<"cosh",
    "hyperbolic cosine of a complex number",
    "`cosh(re) cos(im) + i sinh(re) sin(im)`.">;
def Pyk_ComplexTanhOp : Pyk_ComplexUnaryOp<"tanh",
    "hyperbolic tangent of a complex number",
    "the hyperbolic sine divided by the hyperbolic cosine.">;
def Pyk_ComplexAsinOp : Pyk_ComplexUnaryOp<"asin", "arc sine of a complex number",
    "the number with this sine whose real part is from -pi/2 to pi/2.">;
def Pyk_ComplexAcosOp : Pyk_ComplexUnaryOp<"acos", "arc cosine of a complex number",
    "the number with this cosine whose real part is from 0 to pi.">;
def Pyk_ComplexAtanOp : Pyk_ComplexUnaryOp<"atan", "arc tangent of a complex number",
    "the number with this tangent whose real part is from -pi/2 to pi/2.">;
def Pyk_ComplexAsinhOp : Pyk_ComplexUnaryOp<"asinh",
    "inverse hyperbolic sine of a complex number",
    "the number with this hyperbolic sine whose imaginary part is from -pi/2 to "
    "pi/2.">;
def Pyk_ComplexAcoshOp : Pyk_ComplexUnaryOp<"acosh",
    "inverse hyperbolic cosine of a complex number",
    "the number with this hyperbolic cosine whose real part is not negative.">;
def Pyk_ComplexAtanhOp : Pyk_ComplexUnaryOp<"atanh",
    "inverse hyperbolic tangent of a complex number",
    "the number with this hyperbolic tangent whose imaginary part is from -pi/2 to "
    "pi/2.">;

def Pyk_ComplexRectOp : Pyk_ComplexUnaryOp<"rect",
    "complex number of an absolute value and a phase",
    "the number whose absolute value and phase are the parts of the operand.">;

class Pyk_ComplexBinaryOp<string name>
    : Pyk_Op<"complex." # name, [Pure, SameOperandsAndResultType,
                              Pyk_GoneBy<"gpu">]> {
  let arguments = (ins Pyk_Complex:$lhs, Pyk_Complex:$rhs);
  let results = (outs Pyk_Complex:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Pyk_ComplexDivOp : Pyk_ComplexBinaryOp<"div"> {
  let summary = "quotient of two complex numbers";
  let description = [{
    Python's `/`, by Smith's method as in CPython: parts are not squared, so they
    may be as large as half of the largest number. Division by zero divides both
    parts by it, as in NumPy.

    Example:
    ```mlir
    %q = pyk.complex.div %a, %b : complex<f64>
    ```
  }];
}

def Pyk_ComplexPowOp : Pyk_ComplexBinaryOp<"pow"> {
  let summary = "complex power of a complex number";
  let description = [{
    Python's `**`. A real `rhs` that is a whole number of -100 to 100 multiplies;
    any other exponent goes by absolute value and phase. A power of 0 is 1 for a
    `rhs` of 0, 0 where the real part of `rhs` is positive, else NaN.

    Example:
    ```mlir
    %p = pyk.complex.pow %a, %b : complex<f64>
    ```
  }];
}

#endif // PYK_DIALECT_PYK_IR_PYKCOMPLEXOPS_TD
