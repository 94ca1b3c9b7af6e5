// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items of tuples, known and unknown.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_TUPLES_H
#define PYK_LIB_CONVERSION_PYTOPYK_TUPLES_H

#include "FunctionLowering.h"

namespace pyk::py {

/// The item of `tuple` at `position`.
Binding getItem(const Binding &tuple, unsigned position);

/// Selects items where the program knows the position, or the item, only when
/// it runs.
class TupleLowering : public LoweringPart {
public:
  using LoweringPart::LoweringPart;

  /// The item of `tuple` at `position`, which is inside.
  Binding selectItem(const Binding &tuple, mlir::Value position,
                     mlir::Location loc);
  /// Where `wanted` stands in `tuple` first; not to be there is an error.
  Binding findItem(const Binding &tuple, const Binding &wanted,
                   mlir::Location loc);

private:
  /// An array in memory of values that never change.
  struct Table {
    llvm::SmallVector<mlir::Value, 0> values;
    mlir::Value array;
  };

  Binding loadItem(const Binding &tuple, mlir::Value position,
                   mlir::Location loc);
  mlir::Value makeTable(llvm::ArrayRef<mlir::Value> values, mlir::Location loc);

  /// Tables of known values, and of others.
  llvm::DenseMap<mlir::Attribute, mlir::Value> constantTables;
  llvm::SmallVector<Table, 0> tables;
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_TUPLES_H
