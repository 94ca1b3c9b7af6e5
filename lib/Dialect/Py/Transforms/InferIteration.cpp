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
  bool isZip = intrinsic.typing == intrinsics::Zip;
  for (auto [position, type] : llvm::enumerate(types))
    if ((isZip || position == 0) && !getElementOf(type))
      return refuse(locate(position),
                    "a range, an array or a tuple of one type", type);
  if (isZip)
    return makeTyped(ZipType::get(context, types));
  if (types.size() == 2 && !isInteger(types[1]))
    return refuse(locate(1), "an integer to begin with", types[1]);
  return makeTyped(EnumerateType::get(context, types[0]));
}
