// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of Python callables and attributes that the compiler knows;
// Intrinsics.td is its source, and Libdevice.td that of the rows for libdevice.

#ifndef PYK_INTRINSICS_INTRINSICS_H
#define PYK_INTRINSICS_INTRINSICS_H

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace pyk {
namespace intrinsics {
#include "pyk/Intrinsics/Rules.inc"
} // namespace intrinsics

/// One way to call an intrinsic: types by the names that NumPy has for them.
struct IntrinsicOverload {
  /// What arguments are held against.
  llvm::ArrayRef<llvm::StringLiteral> takes;
  /// None for nothing, a tuple for several.
  llvm::ArrayRef<llvm::StringLiteral> gives;
  /// What arguments are converted to.
  llvm::ArrayRef<llvm::StringLiteral> computes;
};

/// One row of Intrinsics.td.
struct Intrinsic {
  /// Canonical Python name, such as `math.sqrt`.
  llvm::StringLiteral name;
  intrinsics::TypingRule typing;
  /// Where these decide the type.
  llvm::ArrayRef<IntrinsicOverload> overloads;
  /// Parameters that can be given by keyword.
  llvm::ArrayRef<llvm::StringLiteral> parameters;
  /// How many arguments there can be.
  size_t least, most;
  /// The arguments are what the program gives: an optional is not unwrapped.
  bool takesOptionals;
  /// An attribute, which is not called.
  bool isValue;
  intrinsics::LoweringRule lowering;
  /// The op that is made; empty if a rule knows.
  llvm::StringLiteral op;
  /// Adds the attributes of the op, or what the rule needs to know; may be
  /// null.
  void (*addSettings)(mlir::NamedAttrList &settings,
                      mlir::MLIRContext *context);
  /// A phrase for the reference page.
  llvm::StringLiteral doc;

  /// The name of a member without its owner's.
  llvm::StringRef getMember() const { return name.rsplit('.').second; }

  /// What the row says beyond its op or rule.
  mlir::NamedAttrList getSettings(mlir::MLIRContext *context) const {
    mlir::NamedAttrList settings;
    if (addSettings)
      addSettings(settings, context);
    return settings;
  }

  /// The setting of that name, which the row must have.
  template <typename Attr>
  Attr getSetting(llvm::StringRef name, mlir::MLIRContext *context) const {
    return llvm::cast<Attr>(getSettings(context).get(name));
  }
};

/// The row of `name`, or null. The table lives as long as the program.
const Intrinsic *lookupIntrinsic(llvm::StringRef name);

/// All rows, sorted by name.
llvm::ArrayRef<Intrinsic> getIntrinsics();

} // namespace pyk

#endif // PYK_INTRINSICS_INTRINSICS_H
