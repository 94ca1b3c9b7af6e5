// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated table, that of libdevice, and the search in them.

#include "pyk/Intrinsics/Intrinsics.h"
#include "mlir/IR/Builders.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <vector>

using namespace pyk;

namespace table {
using namespace pyk::intrinsics;
#include "pyk/Intrinsics/Rows.inc"

/// libdevice's rows, without their overloads, in the order of its table.
static constexpr Intrinsic kLibdeviceRows[] = {
#define LIBDEVICE_CALL(NAME, ...)                                              \
  {"cuda.libdevice." #NAME,                                                    \
   TypingRule::Overloads,                                                      \
   {},                                                                         \
   {},                                                                         \
   0,                                                                          \
   0,                                                                          \
   false,                                                                      \
   false,                                                                      \
   LoweringRule::Op,                                                           \
   "pyk.libdevice",                                                            \
   [](mlir::NamedAttrList &settings, mlir::MLIRContext *context) {             \
     settings.set("function", mlir::StringAttr::get(context, #NAME));          \
   },                                                                          \
   "libdevice's " #NAME},
#define LIBDEVICE_INTRINSIC LIBDEVICE_CALL
#define LIBDEVICE_CLASS LIBDEVICE_CALL
#include "pyk/Libdevice/Libdevice.def"
};
} // namespace table

llvm::ArrayRef<Intrinsic> pyk::getIntrinsics() { return table::kRows; }

/// What NumPy calls the type of a letter.
static llvm::StringLiteral getTypeName(char letter) {
  switch (letter) {
  case 'h':
    return "int16";
  case 'i':
    return "int32";
  case 'l':
    return "int64";
  case 'f':
    return "float32";
  default:
    return "float64";
  }
}

/// A row for each function of libdevice, in the order of that table.
static llvm::ArrayRef<Intrinsic> getLibdeviceIntrinsics() {
  static const std::vector<Intrinsic> rows = [] {
    // As long as the program.
    static std::deque<std::vector<llvm::StringLiteral>> types;
    static std::deque<IntrinsicOverload> overloads;
    auto getTypes = [](llvm::StringRef letters) {
      return llvm::ArrayRef(
          types.emplace_back(llvm::map_range(letters, getTypeName).begin(),
                             llvm::map_range(letters, getTypeName).end()));
    };
    std::vector<Intrinsic> rows;
    for (auto [base, function] :
         llvm::zip_equal(table::kLibdeviceRows, getLibdevice())) {
      auto takes = getTypes(function.parameters);
      overloads.push_back({takes, getTypes(function.results), takes});
      rows.push_back(base);
      rows.back().overloads = overloads.back();
      rows.back().least = rows.back().most = takes.size();
    }
    return rows;
  }();
  return rows;
}

const Intrinsic *pyk::lookupIntrinsic(llvm::StringRef name) {
  llvm::StringRef function = name;
  if (function.consume_front(kLibdevicePrefix)) {
    const LibdeviceFunction *found = lookupLibdevice(function);
    return found ? &getLibdeviceIntrinsics()[found - getLibdevice().begin()]
                 : nullptr;
  }
  llvm::ArrayRef<Intrinsic> rows = getIntrinsics();
  const Intrinsic *row = llvm::lower_bound(
      rows, name, [](const Intrinsic &intrinsic, llvm::StringRef wanted) {
        return intrinsic.name < wanted;
      });
  return row != rows.end() && row->name == name ? row : nullptr;
}
