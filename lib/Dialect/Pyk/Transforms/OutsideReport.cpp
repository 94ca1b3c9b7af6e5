// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of arrays and lines come from locations, as the front end left them
// there.

#include "OutsideReport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/Analysis/AccessPatterns.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykLimits.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykRecordOps.h"
#include "pyk/Support/Diagnostics.h"

using namespace mlir;
using namespace pyk;

/// What follows from its being outside.
static StringRef describeRest(Operation *op) {
  if (isa<LoadOp>(op))
    return "such reads give 0";
  return isa<StoreOp>(op) ? "such writes are dropped"
                          : "such accesses are dropped";
}

/// The linear index of the thread in its block.
static Value makeThread(ImplicitLocOpBuilder &b) {
  auto toInteger = [&](Value index) -> Value {
    return arith::IndexCastUIOp::create(b, b.getI32Type(), index);
  };
  Value thread;
  for (auto dimension :
       {gpu::Dimension::z, gpu::Dimension::y, gpu::Dimension::x}) {
    if (thread) {
      Value extent = toInteger(gpu::BlockDimOp::create(b, dimension));
      thread = arith::MulIOp::create(b, thread, extent);
    }
    Value own = toInteger(gpu::ThreadIdOp::create(b, dimension));
    thread = thread ? arith::AddIOp::create(b, thread, own).getResult() : own;
  }
  return thread;
}

void pyk::reportOutside(Operation *op, Value root, ValueRange indices,
                        ImplicitLocOpBuilder &b) {
  std::string text = getAccessVerb(op).str();
  StringRef name = root ? getArrayName(root) : "";
  text += name.empty() ? " an array" : (" " + name).str();
  if (indices.size() > kMaxToldIndices)
    indices = {};
  if (!indices.empty()) {
    text += name.empty() ? " at [" : "[";
    for (size_t i = 0; i < indices.size(); ++i)
      text += (i ? ", {" : "{") + std::to_string(i) + "}";
    text += "]";
  }
  text += ", outside of the array's memory; ";
  text += describeRest(op);
  FileLineColRange range = findSourceRange(op->getLoc());
  std::string file = range ? range.getFilename().str() : "";
  llvm::replace(file, '\n', ' ');
  OutsideOp::create(b, text, file, range ? range.getStartLine() : 0,
                    makeThread(b), indices);
}
