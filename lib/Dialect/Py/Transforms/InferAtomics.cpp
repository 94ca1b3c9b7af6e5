// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: calls of cuda.atomic.

#include "Inference.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// True for the elements that `intrinsic` works on.
static bool isAtomic(const Intrinsic &intrinsic, Type element) {
  if (!isInteger(element) && !isa<Float32Type, Float64Type>(element))
    return false;
  if (element.getIntOrFloatBitWidth() < 32)
    return false;
  StringRef kind = intrinsic.lowering;
  if (kind == "inc" || kind == "dec")
    return element.isUnsignedInteger();
  return !isa<FloatType>(element) ||
         !llvm::is_contained({"and", "or", "xor"}, kind);
}

FailureOr<Fact> FunctionInference::evaluateAtomic(CallOp op,
                                                  const Intrinsic &intrinsic,
                                                  ArrayRef<Fact> arguments) {
  StringRef name = intrinsic.name;
  Value target = op.getInputs()[0];
  auto array = dyn_cast<ArrayType>(arguments[0].type);
  if (!array)
    return emitTypingError(target.getLoc())
           << "'" << name << "' expects an array but got "
           << describe(arguments[0].type);
  if (failed(checkWritable(target.getLoc(), array)))
    return failure();
  if (!isAtomic(intrinsic, array.getElementType())) {
    InFlightDiagnostic error = emitTypingError(target.getLoc());
    error << "'" << name << "' cannot work on " << describe(array);
    bool wantsUnsigned =
        intrinsic.lowering == "inc" || intrinsic.lowering == "dec";
    error.attachNote() << "its elements must be "
                       << (wantsUnsigned ? "unsigned integers"
                           : isAtomic(intrinsic, Float64Type::get(context))
                               ? "integers or floats"
                               : "integers")
                       << " of 32 or 64 bits";
    return error;
  }
  if (array.getAlignment() < array.getElementBytes())
    return emitTypingError(target.getLoc())
           << "'" << name << "' cannot work on fields of packed records";
  if (intrinsic.typing == intrinsics::FirstCas) {
    if (array.getRank() != 1)
      return emitTypingError(target.getLoc())
             << "'" << name << "' expects an array of 1 dimension but got "
             << describe(array);
  } else if (array.getRank() != 1 || !isa<FloatType>(arguments[1].type)) {
    // The one index of an array of one dimension is converted, as in Numba.
    Value index = op.getInputs()[1];
    FailureOr<Type> element = getIndexed(index, array);
    if (failed(element))
      return failure();
    if (isa<ArrayType>(*element))
      return emitTypingError(index.getLoc())
             << "'" << name << "' expects the index of an element of "
             << describe(array) << " but got " << describe(get(index).type);
  }
  size_t first = intrinsic.typing == intrinsics::FirstCas ? 1 : 2;
  for (size_t position = first; position < arguments.size(); ++position) {
    Location loc = op.getInputs()[position].getLoc();
    Type type = arguments[position].type;
    if (!isScalar(type))
      return emitTypingError(loc)
             << "'" << name << "' expects a number but got " << describe(type);
    if (failed(checkConvertible(loc, type, array.getElementType())))
      return failure();
  }
  return makeTyped(array.getElementType());
}
