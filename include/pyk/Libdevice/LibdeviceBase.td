// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a row of the table of libdevice's functions says, and the kinds of rows.
// scripts/generate-intrinsics turns them into C++, into intrinsics and into a
// table of the reference page.

#ifndef PYK_LIBDEVICE_LIBDEVICEBASE_TD
#define PYK_LIBDEVICE_LIBDEVICEBASE_TD

include "pyk/Support/ElementTypes.td"

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// What the host has in place of a function.
class Host;
/// A function of C that the runtime finds (HostSymbols.def), of the same type.
class HostFunction<string name> : Host {
  string Function = name;
}
/// A formula of lib/Target/Math, for numbers and vectors of them, which PTX has
/// without libdevice, too; a function of C for processors that cannot multiply
/// and add at once.
class HostFormula<string name> : Host {
  string Function = name;
  /// Whether it takes more than a hundred instructions.
  bit IsLong = 0;
}
/// One that takes longer for some arguments, but not for 0.
class HostPartialFormula<string name> : Host {
  string Function = name;
  bit IsLong = 0;
}
class HostLongFormula<string name> : HostFormula<name> {
  let IsLong = 1;
}
class HostLongPartialFormula<string name> : HostPartialFormula<name> {
  let IsLong = 1;
}
/// `llvm.<name>` on the type of the result.
class HostIntrinsic<string name> : Host {
  string Intrinsic = name;
}
/// `llvm.is.fpclass` with a mask of llvm::FPClassTest, as i32.
class HostClassTest<string mask> : Host {
  string Mask = mask;
}

/// The bits of the argument as the type of the result.
class HostBitcast : Host;
/// For functions that return values through pointers, such as sincos: a call
/// becomes calls of functions that return one value each, also in PTX without
/// libdevice (lib/Target/Math/SeveralResults.cpp).
class HostSplit : Host;

/// The type of a function: what it returns, which is nothing or one thing, what
/// it takes, and what it writes through pointers, which come last. Integers are
/// signed, as in libdevice's bitcode.
class LibdeviceType<list<NumberType> returns, list<NumberType> takes,
            list<NumberType> writes = []> {
  list<NumberType> Returns = returns;
  list<NumberType> Takes = takes;
  list<NumberType> Writes = writes;
}

/// For `MaxUlp`: NVIDIA states none, or none that holds of every argument.
defvar unknown = -1;

/// A function of libdevice: `symbol` is NVIDIA's name without `__nv_`. `maxUlp` is
/// the largest difference from the correctly rounded result, in units in its
/// last place, that the CUDA C++ Programming Guide of CUDA 11 states. `nvvm` is
/// the rest of the name of the intrinsic `llvm.nvvm.` that is the function on a
/// GPU, with `_` for points; it takes the same arguments. PTX has it where there is
/// no libdevice.
class LibdeviceOverload<string symbol, LibdeviceType type, Host host,
                        int maxUlp = unknown, string nvvm = ""> {
  string Symbol = symbol;
  LibdeviceType Type = type;
  Host InPlace = host;
  int MaxUlp = maxUlp;
  string Nvvm = nvvm;
}

/// What `pyk.libdevice` names: functions that compute the same of other types.
/// No two of them take the same types. It is reproducible if the CPU, and PTX of
/// reproducible kernels, compute the same bits: by a formula, by instructions that
/// are exact or rounded correctly, or by functions that are.
class LibdeviceFunction<string name, list<LibdeviceOverload> overloads> {
  string Name = name;
  bit Reproducible = 1;
  list<LibdeviceOverload> Overloads = overloads;
}

//===----------------------------------------------------------------------===//
// Kinds of rows
//===----------------------------------------------------------------------===//

class Unary<NumberType type> : LibdeviceType<[type], [type]>;
class Binary<NumberType type> : LibdeviceType<[type], [type, type]>;
class Ternary<NumberType type> : LibdeviceType<[type], [type, type, type]>;
class Conversion<NumberType from, NumberType to> : LibdeviceType<[to], [from]>;

/// What a shape of float64 is with float32.
class Narrowed<LibdeviceType wide>
    : LibdeviceType<!foreach(type, wide.Returns, !if(!eq(type, float64), float32, type)),
            !foreach(type, wide.Takes, !if(!eq(type, float64), float32, type)),
            !foreach(type, wide.Writes, !if(!eq(type, float64), float32, type))>;

/// A function on float64 and float32. NVIDIA's rule, which is C's: that on
/// float32 has an `f` at its end.
class RealFunction<string name, LibdeviceType type, Host wide, Host narrow,
                   int wideUlp = unknown, int narrowUlp = unknown>
    : LibdeviceFunction<
          name, [LibdeviceOverload<name, type, wide, wideUlp>,
                 LibdeviceOverload<name # "f", Narrowed<type>, narrow, narrowUlp>]>;
/// For which the host has functions of libm, by the same rule, which are exact.
class OfLibm<string name, LibdeviceType type, int wideUlp = unknown,
             int narrowUlp = unknown>
    : RealFunction<name, type, HostFunction<name>, HostFunction<name # "f">,
                   wideUlp, narrowUlp>;
/// For which there is a formula, and libm has functions.
class OfFormula<string name, LibdeviceType type, int wideUlp = unknown,
                int narrowUlp = unknown>
    : RealFunction<name, type, HostFormula<name>, HostFormula<name # "f">,
                   wideUlp, narrowUlp>;
class OfPartialFormula<string name, LibdeviceType type, int wideUlp = unknown,
                       int narrowUlp = unknown>
    : RealFunction<name, type, HostPartialFormula<name>,
                   HostPartialFormula<name # "f">, wideUlp, narrowUlp>;
/// For which the runtime has functions, which are exact.
class OfRuntime<string name, LibdeviceType type, int wideUlp = unknown,
                int narrowUlp = unknown>
    : RealFunction<name, type, HostFunction<"pyk_rt_math_" # name>,
                   HostFunction<"pyk_rt_math_" # name # "f">, wideUlp, narrowUlp>;
/// For which there is a formula, and the runtime has functions.
class OfRuntimeFormula<string name, LibdeviceType type, int wideUlp = unknown,
                       int narrowUlp = unknown>
    : RealFunction<name, type, HostFormula<"pyk_rt_math_" # name>,
                   HostFormula<"pyk_rt_math_" # name # "f">, wideUlp, narrowUlp>;
class OfLongFormula<string name, LibdeviceType type, int wideUlp = unknown,
                    int narrowUlp = unknown>
    : RealFunction<name, type, HostLongFormula<"pyk_rt_math_" # name>,
                   HostLongFormula<"pyk_rt_math_" # name # "f">, wideUlp, narrowUlp>;
class OfLongPartialFormula<string name, LibdeviceType type, int wideUlp = unknown,
                           int narrowUlp = unknown>
    : RealFunction<name, type, HostLongPartialFormula<"pyk_rt_math_" # name>,
                   HostLongPartialFormula<"pyk_rt_math_" # name # "f">, wideUlp,
                   narrowUlp>;
/// For which functions that return one value each are called.
class OfSplit<string name, LibdeviceType type, int wideUlp = unknown,
              int narrowUlp = unknown>
    : RealFunction<name, type, HostSplit<>, HostSplit<>, wideUlp, narrowUlp>;
/// For which LLVM has an intrinsic.
class OfLLVM<string name, LibdeviceType type, string intrinsic, int ulp = unknown>
    : RealFunction<name, type, HostIntrinsic<intrinsic>,
                   HostIntrinsic<intrinsic>, ulp, ulp>;

/// An approximation, on float32 alone; the host and reproducible kernels have the
/// accurate function.
class Fast<string name, LibdeviceType type, Host host>
    : LibdeviceFunction<"fast_" # name,
                        [LibdeviceOverload<"fast_" # name # "f", Narrowed<type>,
                                           host>]>;

/// A test of the class of a number, with NVIDIA's names for both.
class ClassTest<string name, string mask, string wide, string narrow>
    : LibdeviceFunction<
          name, [LibdeviceOverload<wide, LibdeviceType<[int32], [float64]>,
                                   HostClassTest<mask>>,
                 LibdeviceOverload<narrow, LibdeviceType<[int32], [float32]>,
                                   HostClassTest<mask>>]>;

/// A function of one type; that of the runtime has its name.
class OneType<string name, LibdeviceType type, Host host = HostFunction<"pyk_rt_math_" # name>,
              string nvvm = "">
    : LibdeviceFunction<name, [LibdeviceOverload<name, type, host, unknown, nvvm>]>;
/// One that a GPU has as an instruction.
class Instruction<string name, LibdeviceType type, string nvvm>
    : OneType<name, type, HostFunction<"pyk_rt_math_" # name>, nvvm>;

/// What LLVM's intrinsics call a way of rounding: down to `rm`, up to `rp`.
class NvvmRounding<string mode> {
  string Name = !cond(!eq(mode, "rd") : "rm", !eq(mode, "ru") : "rp", true : mode);
}

/// A function on int32 and int64, each with NVIDIA's name.
class WholeFunction<string name, LibdeviceType type, Host host, string wide,
                    LibdeviceType wideType, Host wideHost = host>
    : LibdeviceFunction<name, [LibdeviceOverload<name, type, host>,
                               LibdeviceOverload<wide, wideType, wideHost>]>;
/// For which the runtime has functions.
class WholeOfRuntime<string name, LibdeviceType type, string wide, LibdeviceType wideType>
    : WholeFunction<name, type, HostFunction<"pyk_rt_math_" # name>, wide,
                    wideType, HostFunction<"pyk_rt_math_" # wide>>;

#endif // PYK_LIBDEVICE_LIBDEVICEBASE_TD
