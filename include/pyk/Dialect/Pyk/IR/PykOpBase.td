// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops of several families are made of. The file of a family includes this
// one and no other family: what is generated of a file has all ops that it sees.

#ifndef PYK_DIALECT_PYK_IR_PYKOPBASE_TD
#define PYK_DIALECT_PYK_IR_PYKOPBASE_TD

include "pyk/Dialect/Pyk/IR/PykInterfaces.td"
include "pyk/Dialect/Pyk/IR/PykTypes.td"
include "pyk/Support/InFunction.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// An op that stands in a function.
class Pyk_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pyk_Dialect, mnemonic, !listconcat([Pyk_InFunction], traits)>;

/// Reads or writes one element at an index for each dimension. Canonicalized, it
/// reaches through views to the array that they are of.
class Pyk_AccessOp<string mnemonic, list<Trait> traits = []>
    : Pyk_Op<mnemonic, !listconcat(traits, [
        Pyk_AccessInterface, Pyk_Lanes<"Memory">,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // PYK_DIALECT_PYK_IR_PYKOPBASE_TD
