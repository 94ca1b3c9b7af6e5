// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of libdevice, NVIDIA's library of math functions, that kernels
// can call, which are those that Numba has; each once: what `pyk.libdevice` calls
// it, its types with NVIDIA's name for each, how exact it is, and what the host
// has in its place. Type inference, the lowerings, the CPU's binding, Python's
// names and the reference page are made from these rows.
//
// An intrinsic of LLVM is taken where one means the same, so that LLVM knows it
// and can vectorize it; then a formula; then a function of
// libm; where libm has none that is exact enough, one of the runtime's. fmax and fmin are PTX's: a NaN
// loses against a number, and -0 is below +0.

#ifndef PYK_LIBDEVICE_LIBDEVICE_TD
#define PYK_LIBDEVICE_LIBDEVICE_TD

include "pyk/Libdevice/LibdeviceBase.td"

defvar rounded = ["rd", "rn", "ru", "rz"];
defvar toSides = ["rd", "ru", "rz"];

//===----------------------------------------------------------------------===//
// Functions on float64 and float32
//===----------------------------------------------------------------------===//

def OfOrder : LibdeviceType<[float64], [int32, float64]>;
def WithExponent : LibdeviceType<[float64], [float64, int32]>;
def WithWhole : LibdeviceType<[float64], [float64], [int32]>;
def TwoParts : LibdeviceType<[float64], [float64], [float64]>;
def WithQuotient : LibdeviceType<[float64], [float64, float64], [int32]>;
def SineAndCosine : LibdeviceType<[], [float64], [float64, float64]>;

def Libdevice_acos : OfFormula<"acos", Unary<float64>, 1, 3>;
def Libdevice_acosh : OfFormula<"acosh", Unary<float64>, 2, 4>;
def Libdevice_asin : OfFormula<"asin", Unary<float64>, 2, 4>;
def Libdevice_asinh : OfFormula<"asinh", Unary<float64>, 2, 3>;
def Libdevice_atan : OfFormula<"atan", Unary<float64>, 2, 2>;
def Libdevice_atan2 : OfFormula<"atan2", Binary<float64>, 2, 3>;
def Libdevice_atanh : OfFormula<"atanh", Unary<float64>, 2, 3>;
def Libdevice_cbrt : OfFormula<"cbrt", Unary<float64>, 1, 1>;
def Libdevice_ceil : OfLLVM<"ceil", Unary<float64>, "ceil", 0>;
def Libdevice_copysign : OfLLVM<"copysign", Binary<float64>, "copysign">;
def Libdevice_cos : OfPartialFormula<"cos", Unary<float64>, 1, 2>;
def Libdevice_cosh : OfFormula<"cosh", Unary<float64>, 1, 2>;
def Libdevice_cospi : OfRuntimeFormula<"cospi", Unary<float64>, 1, 2>;
def Libdevice_erf : OfFormula<"erf", Unary<float64>, 2, 2>;
def Libdevice_erfc : OfFormula<"erfc", Unary<float64>, 4, 4>;
def Libdevice_erfcinv : OfLongFormula<"erfcinv", Unary<float64>, 6, 2>;
def Libdevice_erfcx : OfRuntimeFormula<"erfcx", Unary<float64>, 3, 4>;
def Libdevice_erfinv : OfLongFormula<"erfinv", Unary<float64>, 5, 2>;
def Libdevice_exp : OfFormula<"exp", Unary<float64>, 1, 2>;
def Libdevice_exp10 : OfFormula<"exp10", Unary<float64>, 1, 2>;
def Libdevice_exp2 : OfFormula<"exp2", Unary<float64>, 1, 2>;
def Libdevice_expm1 : OfFormula<"expm1", Unary<float64>, 1, 1>;
def Libdevice_fabs : OfLLVM<"fabs", Unary<float64>, "fabs">;
def Libdevice_fdim : OfFormula<"fdim", Binary<float64>, 0, 0>;
def Libdevice_floor : OfLLVM<"floor", Unary<float64>, "floor", 0>;
def Libdevice_fma : OfLLVM<"fma", Ternary<float64>, "fma", 0>;
def Libdevice_fmax : OfLLVM<"fmax", Binary<float64>, "maximumnum">;
def Libdevice_fmin : OfLLVM<"fmin", Binary<float64>, "minimumnum">;
def Libdevice_fmod : OfPartialFormula<"fmod", Binary<float64>, 0, 0>;
def Libdevice_frexp : OfSplit<"frexp", WithWhole, 0, 0>;
def Libdevice_hypot : OfFormula<"hypot", Binary<float64>, 2, 3>;
def Libdevice_ilogb : OfRuntime<"ilogb", Conversion<float64, int32>, 0, 0>;
def Libdevice_j0 : OfLongPartialFormula<"j0", Unary<float64>>;
def Libdevice_j1 : OfLongPartialFormula<"j1", Unary<float64>>;
def Libdevice_jn : OfLongPartialFormula<"jn", OfOrder>;
def Libdevice_ldexp : OfFormula<"ldexp", WithExponent, 0, 0>;
def Libdevice_lgamma : OfLongFormula<"lgamma", Unary<float64>>;
def Libdevice_llrint : OfRuntime<"llrint", Conversion<float64, int64>, 0, 0>;
def Libdevice_llround : OfRuntime<"llround", Conversion<float64, int64>, 0, 0>;
def Libdevice_log : OfFormula<"log", Unary<float64>, 1, 1>;
def Libdevice_log10 : OfFormula<"log10", Unary<float64>, 1, 2>;
def Libdevice_log1p : OfFormula<"log1p", Unary<float64>, 1, 1>;
def Libdevice_log2 : OfFormula<"log2", Unary<float64>, 1, 1>;
def Libdevice_logb : OfLibm<"logb", Unary<float64>, 0, 0>;
def Libdevice_modf : OfSplit<"modf", TwoParts, 0, 0>;
def Libdevice_nearbyint : OfLLVM<"nearbyint", Unary<float64>, "nearbyint", 0>;
def Libdevice_nextafter : OfFormula<"nextafter", Binary<float64>>;
def Libdevice_normcdf : OfRuntimeFormula<"normcdf", Unary<float64>, 5, 5>;
def Libdevice_normcdfinv : OfLongFormula<"normcdfinv", Unary<float64>, 7, 5>;
def Libdevice_pow : OfFormula<"pow", Binary<float64>, 2, 8>;
def Libdevice_powi : OfRuntimeFormula<"powi", WithExponent>;
def Libdevice_rcbrt : OfRuntimeFormula<"rcbrt", Unary<float64>, 1, 1>;
def Libdevice_remainder : OfPartialFormula<"remainder", Binary<float64>, 0, 0>;
def Libdevice_remquo : OfSplit<"remquo", WithQuotient, 0, 0>;
def Libdevice_rint : OfLLVM<"rint", Unary<float64>, "rint", 0>;
def Libdevice_round : OfLLVM<"round", Unary<float64>, "round", 0>;
def Libdevice_rsqrt : OfRuntimeFormula<"rsqrt", Unary<float64>, 1, 2>;
def Libdevice_scalbn : OfFormula<"scalbn", WithExponent, 0, 0>;
def Libdevice_sin : OfPartialFormula<"sin", Unary<float64>, 1, 2>;
def Libdevice_sincos : OfSplit<"sincos", SineAndCosine, 1, 2>;
def Libdevice_sincospi : OfSplit<"sincospi", SineAndCosine, 1, 2>;
def Libdevice_sinh : OfFormula<"sinh", Unary<float64>, 1, 3>;
def Libdevice_sinpi : OfRuntimeFormula<"sinpi", Unary<float64>, 1, 2>;
def Libdevice_sqrt : OfLLVM<"sqrt", Unary<float64>, "sqrt">;
def Libdevice_tan : OfPartialFormula<"tan", Unary<float64>, 2, 4>;
def Libdevice_tanh : OfFormula<"tanh", Unary<float64>, 1, 2>;
def Libdevice_tgamma : OfLongFormula<"tgamma", Unary<float64>, 8, 11>;
def Libdevice_trunc : OfLLVM<"trunc", Unary<float64>, "trunc", 0>;
def Libdevice_y0 : OfLongPartialFormula<"y0", Unary<float64>>;
def Libdevice_y1 : OfLongPartialFormula<"y1", Unary<float64>>;
def Libdevice_yn : OfLongPartialFormula<"yn", OfOrder>;

def Libdevice_isfinite : ClassTest<"isfinite", "fcFinite", "isfinited", "finitef">;
def Libdevice_isinf : ClassTest<"isinf", "fcInf", "isinfd", "isinff">;
def Libdevice_isnan : ClassTest<"isnan", "fcNan", "isnand", "isnanf">;
def Libdevice_signbit
    : LibdeviceFunction<
          "signbit", [LibdeviceOverload<"signbitd", Conversion<float64, int32>,
                                        HostFunction<"pyk_rt_math_signbitd">>,
                      LibdeviceOverload<"signbitf", Conversion<float32, int32>,
                                        HostFunction<"pyk_rt_math_signbitf">>]>;

//===----------------------------------------------------------------------===//
// Approximations
//===----------------------------------------------------------------------===//

foreach name = ["cos", "sin", "tan"] in
  def Libdevice_fast_ # name
      : Fast<name, Unary<float64>, HostPartialFormula<name # "f">>;
foreach name = ["exp", "exp10", "log", "log10", "log2", "tanh"] in
  def Libdevice_fast_ # name
      : Fast<name, Unary<float64>, HostFormula<name # "f">>;
let Reproducible = 0 in
def Libdevice_fast_fdivide
    : Fast<"fdivide", Binary<float64>, HostFunction<"pyk_rt_math_fdividef">>;
def Libdevice_fast_pow : Fast<"pow", Binary<float64>, HostFormula<"powf">>;
def Libdevice_fast_sincos : Fast<"sincos", SineAndCosine, HostSplit<>>;
let Reproducible = 0 in
def Libdevice_saturate
    : LibdeviceFunction<"saturate",
                        [LibdeviceOverload<"saturatef", Unary<float32>,
                                           HostFunction<"pyk_rt_math_saturatef">,
                                           unknown, "saturate_f">]>;

//===----------------------------------------------------------------------===//
// Arithmetic with a way of rounding
//===----------------------------------------------------------------------===//

foreach mode = rounded in {
  defvar to = NvvmRounding<mode>.Name;
  foreach op = ["add", "div", "mul"] in {
    def Libdevice_d # op # _ # mode
        : Instruction<"d" # op # "_" # mode, Binary<float64>, op # "_" # to # "_d">;
    def Libdevice_f # op # _ # mode
        : Instruction<"f" # op # "_" # mode, Binary<float32>, op # "_" # to # "_f">;
  }
  // Numba has no dsub.
  def Libdevice_fsub_ # mode : OneType<"fsub_" # mode, Binary<float32>>;
  def Libdevice_drcp_ # mode
      : Instruction<"drcp_" # mode, Unary<float64>, "rcp_" # to # "_d">;
  def Libdevice_frcp_ # mode
      : Instruction<"frcp_" # mode, Unary<float32>, "rcp_" # to # "_f">;
}
foreach mode = toSides in {
  defvar to = NvvmRounding<mode>.Name;
  def Libdevice_dsqrt_ # mode
      : Instruction<"dsqrt_" # mode, Unary<float64>, "sqrt_" # to # "_d">;
  def Libdevice_fsqrt_ # mode
      : Instruction<"fsqrt_" # mode, Unary<float32>, "sqrt_" # to # "_f">;
}
def Libdevice_dsqrt_rn : OneType<"dsqrt_rn", Unary<float64>, HostIntrinsic<"sqrt">>;
def Libdevice_fsqrt_rn : OneType<"fsqrt_rn", Unary<float32>, HostIntrinsic<"sqrt">>;
def Libdevice_frsqrt_rn
    : OneType<"frsqrt_rn", Unary<float32>, HostFunction<"pyk_rt_math_rsqrtf">>;

/// The type is in the middle of NVIDIA's name.
class RoundedFma<string mode, Host wide, Host narrow, string nvvm = "fma_" # NvvmRounding<mode>.Name>
    : LibdeviceFunction<
          "fma_" # mode,
          [LibdeviceOverload<"fma_" # mode, Ternary<float64>, wide, unknown, nvvm # "_d">,
           LibdeviceOverload<"fmaf_" # mode, Ternary<float32>, narrow, unknown, nvvm # "_f">]>;
foreach mode = toSides in
  def Libdevice_fma_ # mode
      : RoundedFma<mode, HostFunction<"pyk_rt_math_fma_" # mode>,
                   HostFunction<"pyk_rt_math_fmaf_" # mode>>;
def Libdevice_fma_rn
    : RoundedFma<"rn", HostIntrinsic<"fma">, HostIntrinsic<"fma">>;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

foreach mode = rounded in {
  defvar to = NvvmRounding<mode>.Name;
  def Libdevice_double2float_ # mode
      : Instruction<"double2float_" # mode, Conversion<float64, float32>, "d2f_" # to>;
  foreach sign = ["", "u"] in {
    def Libdevice_double2 # sign # int_ # mode
        : Instruction<"double2" # sign # "int_" # mode, Conversion<float64, int32>,
                      "d2" # sign # "i_" # to>;
    def Libdevice_double2 # sign # ll_ # mode
        : Instruction<"double2" # sign # "ll_" # mode, Conversion<float64, int64>,
                      "d2" # sign # "ll_" # to>;
    def Libdevice_float2 # sign # int_ # mode
        : Instruction<"float2" # sign # "int_" # mode, Conversion<float32, int32>,
                      "f2" # sign # "i_" # to>;
    def Libdevice_float2 # sign # ll_ # mode
        : Instruction<"float2" # sign # "ll_" # mode, Conversion<float32, int64>,
                      "f2" # sign # "ll_" # to>;
    def Libdevice_ # sign # int2float_ # mode
        : Instruction<sign # "int2float_" # mode, Conversion<int32, float32>,
                      sign # "i2f_" # to>;
    def Libdevice_ # sign # ll2float_ # mode
        : Instruction<sign # "ll2float_" # mode, Conversion<int64, float32>,
                      sign # "ll2f_" # to>;
    def Libdevice_ # sign # ll2double_ # mode
        : Instruction<sign # "ll2double_" # mode, Conversion<int64, float64>,
                      sign # "ll2d_" # to>;
  }
}
// These are exact.
def Libdevice_int2double_rn
    : Instruction<"int2double_rn", Conversion<int32, float64>, "i2d_rn">;
def Libdevice_uint2double_rn
    : Instruction<"uint2double_rn", Conversion<int32, float64>, "ui2d_rn">;

// The bits of the nearest number of 16 bits.
def Libdevice_float2half_rn : Instruction<"float2half_rn", Conversion<float32, int16>, "f2h_rn">;
def Libdevice_half2float : OneType<"half2float", Conversion<int16, float32>>;

def Libdevice_double_as_longlong
    : OneType<"double_as_longlong", Conversion<float64, int64>, HostBitcast<>>;
def Libdevice_longlong_as_double
    : OneType<"longlong_as_double", Conversion<int64, float64>, HostBitcast<>>;
def Libdevice_float_as_int
    : OneType<"float_as_int", Conversion<float32, int32>, HostBitcast<>>;
def Libdevice_int_as_float
    : OneType<"int_as_float", Conversion<int32, float32>, HostBitcast<>>;
def Libdevice_double2hiint
    : Instruction<"double2hiint", Conversion<float64, int32>, "d2i_hi">;
def Libdevice_double2loint
    : Instruction<"double2loint", Conversion<float64, int32>, "d2i_lo">;
def Libdevice_hiloint2double
    : OneType<"hiloint2double", LibdeviceType<[float64], [int32, int32]>>;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

def Libdevice_abs
    : WholeOfRuntime<"abs", Unary<int32>, "llabs", Unary<int64>>;
def Libdevice_brev : WholeFunction<"brev", Unary<int32>,
                                   HostIntrinsic<"bitreverse">, "brevll",
                                   Unary<int64>>;
def Libdevice_clz
    : WholeOfRuntime<"clz", Unary<int32>, "clzll", Conversion<int64, int32>>;
def Libdevice_ffs
    : WholeOfRuntime<"ffs", Unary<int32>, "ffsll", Conversion<int64, int32>>;
def Libdevice_popc
    : WholeFunction<"popc", Unary<int32>, HostIntrinsic<"ctpop">, "popcll",
                    Conversion<int64, int32>, HostFunction<"pyk_rt_math_popcll">>;
foreach order = ["max", "min"] in {
  def Libdevice_ # order
      : WholeFunction<order, Binary<int32>, HostIntrinsic<"s" # order>,
                      "ll" # order, Binary<int64>>;
  def Libdevice_u # order
      : WholeFunction<"u" # order, Binary<int32>, HostIntrinsic<"u" # order>,
                      "ull" # order, Binary<int64>>;
}
foreach sign = ["", "u"] in {
  def Libdevice_ # sign # mulhi
      : WholeOfRuntime<sign # "mulhi", Binary<int32>, sign # "mul64hi",
                       Binary<int64>>;
  foreach name = ["hadd", "rhadd"] in
    def Libdevice_ # sign # name : OneType<sign # name, Binary<int32>>;
  def Libdevice_ # sign # mul24
      : Instruction<sign # "mul24", Binary<int32>, "mul24_" # sign # "i">;
  def Libdevice_ # sign # sad
      : Instruction<sign # "sad", Ternary<int32>, "sad_" # sign # "i">;
}
def Libdevice_byte_perm : OneType<"byte_perm", Ternary<int32>>;

#endif // PYK_LIBDEVICE_LIBDEVICE_TD
