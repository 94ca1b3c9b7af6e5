// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What some ops of the dialect have in common.

#ifndef PYK_DIALECT_PYK_IR_PYKINTERFACES_TD
#define PYK_DIALECT_PYK_IR_PYKINTERFACES_TD

include "mlir/IR/OpBase.td"

def Pyk_AccessInterface : OpInterface<"AccessOpInterface"> {
  let description = [{
    An op that reads or writes, or both, one element of `array`, at an index for
    each of its dimensions.
  }];
  let cppNamespace = "::pyk";
  let methods = [
    InterfaceMethod<"The array that is accessed.",
                    "::mlir::TypedValue<::pyk::ArrayType>", "getArray">,
    InterfaceMethod<"The index in each dimension.",
                    "::mlir::OperandRange", "getIndices">];
}

#endif // PYK_DIALECT_PYK_IR_PYKINTERFACES_TD
