// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trait of ops that stand in functions, for the ops of each dialect.

#ifndef PYK_SUPPORT_INFUNCTION_TD
#define PYK_SUPPORT_INFUNCTION_TD

include "mlir/IR/OpBase.td"

/// A function, of any dialect that MLIR knows as such, is around the op.
def Pyk_InFunction : NativeOpTrait<"InFunction"> {
  let cppNamespace = "::pyk";
}

#endif // PYK_SUPPORT_INFUNCTION_TD
