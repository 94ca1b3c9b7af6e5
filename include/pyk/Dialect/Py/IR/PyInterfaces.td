// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every type of the py dialect says of itself.

#ifndef PYK_DIALECT_PY_IR_PYINTERFACES_TD
#define PYK_DIALECT_PY_IR_PYINTERFACES_TD

include "mlir/IR/Interfaces.td"

def Py_PythonTypeInterface : TypeInterface<"PythonTypeInterface"> {
  let description = [{
    A type of Python's values. What inference and lowering need to know of each is
    here; for the types of MLIR and of the pyk dialect the functions of
    Promotion.h, Wrappers.h, Members.h and Indexing.h add it.
  }];
  let cppNamespace = "::pyk::py";
  let methods = [
    InterfaceMethod<"Writes the type in the words of Python's users.", "void",
                    "writeDescription", (ins "::llvm::raw_ostream &":$os)>,
    InterfaceMethod<[{
      The types of what a value consists of when the kernel runs, which may be of
      Python, too; of what is known while compiling nothing.
    }], "::llvm::SmallVector<::mlir::Type>", "getParts">,
    InterfaceMethod<[{
      The classes that have its attributes and methods, the nearest first: those
      that rows of the table of intrinsics begin with.
    }], "::llvm::ArrayRef<::llvm::StringRef>", "getClasses", (ins), "",
        "return {};">,
    InterfaceMethod<[{
      What it is a value of with something added, such as a name: its items, its
      value; null if it is nothing but itself.
    }], "::mlir::Type", "getInner", (ins), "", "return {};">,
    InterfaceMethod<[{
      What a loop over a value yields; null if none can run over it.
    }], "::mlir::Type", "getYielded", (ins), "", "return {};">,
    InterfaceMethod<[{
      The type of what is one of this type on one path and of `other`, another
      type, on a second; null if there is none, or if `other` has to know.
    }], "::mlir::Type", "unifyWith", (ins "::mlir::Type":$other), "",
        "return {};">,
    InterfaceMethod<"Whether a variable can hold it on one path, and None on another.",
                    "bool", "canBeOptional", (ins), "", "return false;">];
}

#endif // PYK_DIALECT_PY_IR_PYINTERFACES_TD
