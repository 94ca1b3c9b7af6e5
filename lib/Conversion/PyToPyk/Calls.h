// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions, and functions as values.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_CALLS_H
#define PYK_LIB_CONVERSION_PYTOPYK_CALLS_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Lowers calls, and nested functions with what they carry.
class CallLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  Binding evaluate(CallOp op);
  Binding evaluate(ClosureOp op);
  /// Calls a function of the library for what is no call in the program.
  Binding callLibrary(mlir::FlatSymbolRefAttr target,
                      llvm::ArrayRef<Binding> arguments, mlir::Location loc);
  /// `closure` as one of `to`: with what its variables hold here, if `to`
  /// carries them.
  Binding convertClosure(const Binding &closure, ClosureType to,
                         mlir::Location loc);

private:
  Binding evaluateFunction(CallOp op, llvm::ArrayRef<Binding> arguments);
  llvm::SmallVector<mlir::Value>
  passArguments(CallOp op, FuncOp target, llvm::ArrayRef<Binding> arguments);
  Binding makeCall(FuncOp target, mlir::ValueRange operands,
                   mlir::Location loc);
  Binding getDefaults(const Binding &closure);
  Binding getCaptures(const Binding &closure, mlir::TupleType type,
                      mlir::Location loc);
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_CALLS_H
