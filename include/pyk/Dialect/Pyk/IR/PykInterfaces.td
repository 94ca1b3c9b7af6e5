// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What some ops of the dialect have in common, and what types of other dialects
// have to say to be elements of its arrays.

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

def Pyk_StoredTypeInterface : TypeInterface<"StoredTypeInterface"> {
  let description = [{
    A type of another dialect that arrays may have as their element: a number
    with a meaning of its own, or a record of numbers that are one value. From
    stage pyk on the number or record stands in its place.
  }];
  let cppNamespace = "::pyk";
  let methods = [
    InterfaceMethod<"The type of the number or record that memory holds.",
                    "::mlir::Type", "getStored">];
}

#endif // PYK_DIALECT_PYK_IR_PYKINTERFACES_TD
