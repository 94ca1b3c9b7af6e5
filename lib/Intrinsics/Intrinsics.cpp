// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated table and the search in it. A linear search over some hundred
// names costs less than building an index at every start.

#include "pyk/Intrinsics/Intrinsics.h"
#include "pyk/Intrinsics/Libdevice.h"
#include "llvm/ADT/STLExtras.h"

using namespace pyk;

namespace table {
using namespace pyk::intrinsics;
#define GET_Intrinsics_IMPL
#include "pyk/Intrinsics/Intrinsics.inc"
} // namespace table

llvm::ArrayRef<Intrinsic> pyk::getIntrinsics() { return table::Intrinsics; }

/// A row for each function of libdevice, in the order of that table.
static llvm::ArrayRef<Intrinsic> getLibdeviceIntrinsics() {
#define LIBDEVICE_CALL(NAME, ...)                                              \
  {"cuda.libdevice." #NAME, intrinsics::Libdevice, #NAME, "libdevice's " #NAME},
#define LIBDEVICE_INTRINSIC LIBDEVICE_CALL
#define LIBDEVICE_CLASS LIBDEVICE_CALL
  static constexpr Intrinsic table[] = {
#include "pyk/Intrinsics/Libdevice.def"
  };
  return table;
}

const Intrinsic *pyk::lookupIntrinsic(llvm::StringRef name) {
  llvm::StringRef function = name;
  if (function.consume_front(kLibdevicePrefix)) {
    const LibdeviceFunction *found = lookupLibdevice(function);
    return found ? &getLibdeviceIntrinsics()[found - getLibdevice().begin()]
                 : nullptr;
  }
  llvm::ArrayRef<Intrinsic> rows = getIntrinsics();
  const Intrinsic *row = llvm::find_if(
      rows, [&](const Intrinsic &intrinsic) { return intrinsic.name == name; });
  return row == rows.end() ? nullptr : row;
}
