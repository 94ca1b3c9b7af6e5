// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: what loops run over, other than ranges and arrays.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Indexing.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Whether a loop, or what one runs over, is all that takes what `op` yields.
static bool isRunOver(CallOp op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    auto call = dyn_cast<CallOp>(user);
    auto callee =
        call ? call.getCallee().getDefiningOp<ConstantOp>() : ConstantOp();
    auto intrinsic =
        callee ? dyn_cast<IntrinsicAttr>(callee.getValue()) : IntrinsicAttr();
    const Intrinsic *row =
        intrinsic ? lookupIntrinsic(intrinsic.getName()) : nullptr;
    return isa<ForOp>(user) || (row && (row->typing == intrinsics::Zip ||
                                        row->typing == intrinsics::Enumerate));
  });
}

FailureOr<Fact> FunctionInference::evaluateIterable(CallOp op,
                                                    const Intrinsic &intrinsic,
                                                    ArrayRef<Type> types) {
  StringRef name = getWrittenName(intrinsic.name);
  auto refuse = [&](Location loc, StringRef wanted, Type type) {
    return emitTypingError(loc) << "'" << name << "' expects " << wanted
                                << " but got " << describe(type);
  };
  auto locate = [&](unsigned position) {
    return op.getInputs()[position].getLoc();
  };
  auto tuple = types.size() == 1 ? dyn_cast<TupleType>(types[0]) : TupleType();
  SmallVector<Type> items(tuple ? tuple.getTypes() : TypeRange(types));
  switch (intrinsic.typing) {
  case intrinsics::NdIndex:
    for (Type extent : items)
      if (!isInteger(extent))
        return refuse(op.getLoc(), "integers or one tuple of them", extent);
    return makeTyped(NdIndexType::get(context, items.size()));
  case intrinsics::NdIter:
    if (items.empty() || !llvm::all_of(items, llvm::IsaPred<ArrayType>))
      return refuse(locate(0), "an array or a tuple of arrays", types[0]);
    return makeTyped(NdIterType::get(context, items));
  default:
    break;
  }
  if (intrinsic.typing == intrinsics::Next) {
    auto iterator = dyn_cast<IteratorType>(types[0]);
    if (iterator)
      return makeTyped(getElementOf(iterator));
    InFlightDiagnostic error = refuse(locate(0), "an iterator", types[0]);
    if (getElementOf(types[0]))
      error.attachNote() << "iter(...) makes one";
    return error;
  }
  bool isZip = intrinsic.typing == intrinsics::Zip;
  // Python's zip of nothing yields nothing.
  if (types.empty())
    return makeTyped(TupleType::get(context));
  for (auto [position, type] : llvm::enumerate(types))
    if ((isZip || position == 0) && !getElementOf(type))
      return refuse(locate(position),
                    "a range, an array or a tuple of one type", type);
  if (intrinsic.typing == intrinsics::Iter)
    return makeTyped(isa<IteratorType>(types[0])
                         ? types[0]
                         : IteratorType::get(context, types[0]));
  // What a loop runs over at once needs no position.
  bool isKept = !function.getLibrary() && !isRunOver(op);
  auto makeIterator = [&](Type type) {
    return makeTyped(isKept ? IteratorType::get(context, type) : type);
  };
  if (isZip)
    return makeIterator(ZipType::get(context, types));
  if (types.size() == 2 && !isInteger(types[1]))
    return refuse(locate(1), "an integer to begin with", types[1]);
  return makeIterator(EnumerateType::get(context, types[0]));
}
