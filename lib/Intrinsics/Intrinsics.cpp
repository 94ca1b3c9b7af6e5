// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated table and the search in it.

#include "pyk/Intrinsics/Intrinsics.h"
#include "mlir/IR/Builders.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace pyk;

namespace table {
using namespace pyk::intrinsics;
#include "pyk/Intrinsics/Rows.inc"
} // namespace table

llvm::ArrayRef<Intrinsic> pyk::getIntrinsics() { return table::kRows; }

const Intrinsic *pyk::lookupIntrinsic(llvm::StringRef name) {
  llvm::ArrayRef<Intrinsic> rows = getIntrinsics();
  const Intrinsic *row = llvm::lower_bound(
      rows, name, [](const Intrinsic &intrinsic, llvm::StringRef wanted) {
        return intrinsic.name < wanted;
      });
  return row != rows.end() && row->name == name ? row : nullptr;
}
