// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: kernels that a kernel launches.

#include "LaunchTyping.h"
#include "CallTyping.h"
#include "ProgramInference.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

/// Checks that `type` is a number of blocks or threads, or a tuple of up to
/// three.
static LogicalResult checkExtents(Location loc, StringRef what, Type type) {
  auto isCount = [](Type item) { return isInteger(item) && !isBool(item); };
  auto tuple = dyn_cast<TupleType>(type);
  if (tuple ? tuple.size() >= 1 && tuple.size() <= 3 &&
                  llvm::all_of(tuple.getTypes(), isCount)
            : isCount(type))
    return success();
  return emitTypingError(loc)
         << "expects the " << what
         << " as an integer or a tuple of one to three but got "
         << describe(type);
}

FailureOr<Fact> LaunchTyping::configure(SubscriptOp op,
                                        FlatSymbolRefAttr kernel,
                                        const Fact &shape) {
  Location loc = op.getIndex().getLoc();
  auto items = dyn_cast<TupleType>(shape.type);
  auto target = SymbolTable::lookupNearestSymbolFrom<FuncOp>(op, kernel);
  if (target && (target.getDevice() || target.getLibrary()))
    return emitTypingError(op.getObject().getLoc())
           << "'" << kernel.getValue()
           << "' is a device function, which cannot be launched";
  if (!items || items.size() < 2 || items.size() > 4)
    return emitTypingError(loc)
           << "expects a grid and a block, and possibly a stream and the bytes "
              "of dynamic shared memory, but got "
           << describe(shape.type);
  if (failed(checkExtents(loc, "grid", items.getType(0))) ||
      failed(checkExtents(loc, "block", items.getType(1))))
    return failure();
  if (items.size() > 2) {
    Fact stream = getTupleItem(shape, 2);
    auto number = dyn_cast_if_present<IntAttr>(stream.constant);
    bool isDefault = number && number.getValue().getValue().isZero();
    if (!isa<NoneType>(stream.type) && !stream.type.isUnsignedInteger(64) &&
        !isDefault) {
      InFlightDiagnostic error = emitTypingError(loc);
      error << "expects a stream, None or 0 as the third item but got "
            << describe(stream.type);
      error.attachNote() << "cuda.stream() makes one, in the kernel";
      return error;
    }
  }
  if (items.size() > 3 &&
      (!isInteger(items.getType(3)) || isBool(items.getType(3))))
    return emitTypingError(loc)
           << "expects the bytes of dynamic shared memory as an integer but "
              "got "
           << describe(items.getType(3));
  return makeTyped(ConfiguredKernelType::get(context, kernel));
}

/// Whether a kernel may be given a value of `type` by a kernel: what may change
/// while its threads run is in global memory. Closures, iterators and the like
/// hold arrays, too.
static bool isInGlobalMemory(Type type) {
  WalkResult found = type.walk([](Type part) {
    auto array = dyn_cast<ArrayType>(part);
    return array && array.getSpace() != Space::Global ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return !found.wasInterrupted();
}

FailureOr<Fact> LaunchTyping::launch(CallOp op, ConfiguredKernelType kernel,
                                     ArrayRef<Fact> arguments) {
  auto target =
      SymbolTable::lookupNearestSymbolFrom<FuncOp>(op, kernel.getKernel());
  if (!target)
    return emitTypingError(op.getLoc())
           << "kernel '" << kernel.getKernel().getValue()
           << "' is not in the module";
  FailureOr<SmallVector<Fact>> bound =
      inference.calls().bindFacts(op, target, arguments);
  if (failed(bound))
    return failure();
  for (auto [fact, name] :
       llvm::zip(*bound, target.getParameters().getAsRange<StringAttr>())) {
    // It gets values, as from the host.
    fact.isLiteral = fact.isOmitted = false;
    fact.constant = {};
    if (!fact.type)
      return Fact();
    if (isInGlobalMemory(fact.type))
      continue;
    InFlightDiagnostic error = emitTypingError(op.getLoc());
    error << "'" << name.getValue() << "' of kernel '"
          << kernel.getKernel().getValue()
          << "' is given an array that is not in global memory";
    error.attachNote()
        << "shared, local and constant arrays are gone or others "
           "when a kernel that is launched runs";
    return error;
  }
  FuncOp specialized;
  if (failed(inference.getProgram().launch(target, *bound, op.getLoc(),
                                           specialized)))
    return failure();
  inference.getAnnotations().setTarget(op, specialized);
  return makeTyped(NoneType::get(context));
}
