// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold for a loop to go on.

#ifndef PYK_LIB_DIALECT_PYK_TRANSFORMS_ITERATIONCONDITIONS_H
#define PYK_LIB_DIALECT_PYK_TRANSFORMS_ITERATIONCONDITIONS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace pyk {

/// `value`, a flag, must be `holds`.
struct Requirement {
  mlir::Value value;
  bool holds;
};

/// The flag that `value` always is; nothing for others.
std::optional<bool> getConstantFlag(mlir::Value value);

/// What must hold where `end`, a `scf.condition` or an exit, begins another
/// iteration of `loop`.
llvm::SmallVector<Requirement> getRequirements(mlir::Operation *end,
                                               mlir::Operation *loop);

} // namespace pyk

#endif // PYK_LIB_DIALECT_PYK_TRANSFORMS_ITERATIONCONDITIONS_H
