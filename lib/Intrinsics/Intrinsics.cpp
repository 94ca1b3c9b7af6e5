// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated table and the search in it. A linear search over some hundred
// names costs less than building an index at every start.

#include "pyk/Intrinsics/Intrinsics.h"
#include "llvm/ADT/STLExtras.h"

using namespace pyk;

namespace table {
using namespace pyk::intrinsics;
#define GET_Intrinsics_IMPL
#include "pyk/Intrinsics/Intrinsics.inc"
} // namespace table

llvm::ArrayRef<Intrinsic> pyk::getIntrinsics() { return table::Intrinsics; }

const Intrinsic *pyk::lookupIntrinsic(llvm::StringRef name) {
  llvm::ArrayRef<Intrinsic> rows = getIntrinsics();
  const Intrinsic *row = llvm::find_if(
      rows, [&](const Intrinsic &intrinsic) { return intrinsic.name == name; });
  return row == rows.end() ? nullptr : row;
}
