// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas of math functions in the place of calls, for both targets. Private
// to lib/Target and its tests.

#ifndef PYK_LIB_TARGET_MATH_FORMULAS_H
#define PYK_LIB_TARGET_MATH_FORMULAS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class CallInst;
class Function;
class FunctionType;
class LLVMContext;
class Module;
class Value;
} // namespace llvm

namespace pyk {

struct LibdeviceHost;
struct LibdeviceOverload;

/// Whether what `function` computes has to have the same bits on all targets.
bool isReproducible(const llvm::Function &function);

/// The type of a function of libdevice in LLVM.
llvm::FunctionType *getFunctionType(const LibdeviceOverload &function,
                                    llvm::LLVMContext &context);

/// An error if `call` calls a function of another type.
llvm::Error expectType(const llvm::CallInst &call,
                       const llvm::FunctionType &expected);

/// Computes what `call` computes, of numbers or of vectors, at its place by the
/// formula of `name`, which is C's name of a function whose row has one. The
/// call stays.
llvm::Value *computeFormula(llvm::CallInst &call, llvm::StringRef name);

/// Replaces calls of libdevice's functions that return values through pointers,
/// such as sincos, by calls of those that return one value. Fails if a call has
/// another type.
llvm::Error splitResults(llvm::Module &module);

/// Whether LLVM may inline a function that has a formula.
enum class FormulaCalls { Stay, MayBeInlined };

/// Calls a function of the module that has the formula, and makes it at the
/// first call.
llvm::Value *callFormula(llvm::CallInst &call, llvm::StringRef name,
                         FormulaCalls calls);

/// Computes what `call` computes by instructions that every target has, if the
/// row names such; null if it does not.
llvm::Value *computeInstruction(llvm::CallInst &call,
                                const LibdeviceHost &host);

} // namespace pyk

#endif // PYK_LIB_TARGET_MATH_FORMULAS_H
