// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that not all threads of a warp may come to together.

#ifndef PYK_LIB_TARGET_PTX_BARRIERS_H
#define PYK_LIB_TARGET_PTX_BARRIERS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace pyk {

/// Drops `.aligned` from barriers of a block, which requires that all threads
/// of a warp execute the same one, unless the branches before them are uniform.
/// Takes what threads load from one address to be the same for all. Runs after
/// optimization, which decides what branches there are.
void relaxBarriers(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_BARRIERS_H
