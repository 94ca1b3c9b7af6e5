// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variables hold, and what of it control carries.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_VARIABLES_H
#define PYK_LIB_CONVERSION_PYTOPYK_VARIABLES_H

#include "FunctionLowering.h"
#include "Liveness.h"

namespace pyk::py {

/// A variable that control carries, and its type there.
struct Slot {
  mlir::StringAttr name;
  mlir::Type type;
};

/// The variables of a function at the point that is being lowered.
class Variables : public LoweringPart {
public:
  using Bindings = llvm::DenseMap<mlir::StringAttr, Binding>;

  explicit Variables(FunctionLowering &lowering);

  /// Which variables are read later.
  const Liveness &getLiveness() const { return liveness; }

  /// What `name` holds; null if nothing that reaches this point has set it.
  const Binding *find(mlir::StringAttr name) const;
  /// Lets `name` hold `value` from here on.
  void set(mlir::StringAttr name, Binding value);

  /// What all variables hold, to go back to where control branches.
  Bindings save() const { return bindings; }
  void restore(Bindings saved) { bindings = std::move(saved); }
  /// Forgets what the body of the loop `op` sets.
  void forget(mlir::Operation *op);

  /// Those of `slots`, types by name, that are `live`, and those that are read
  /// after `op`.
  static llvm::SmallVector<Slot> getSlots(mlir::DictionaryAttr slots,
                                          const Names &live);
  llvm::SmallVector<Slot> getSlotsAfter(mlir::Operation *op,
                                        mlir::DictionaryAttr slots) const {
    return getSlots(slots, liveness.getLiveAfter(op));
  }
  /// The values of the variables of `slots`, in the types that they have there.
  llvm::SmallVector<mlir::Value> gather(llvm::ArrayRef<Slot> slots,
                                        mlir::Location loc);
  /// Sets the variables of `slots` to `values`, the parts of all.
  void bind(llvm::ArrayRef<Slot> slots, mlir::ValueRange values);

private:
  Liveness liveness;
  Bindings bindings;
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_VARIABLES_H
