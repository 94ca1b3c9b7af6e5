// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contracts of the stages, as a table of what a module may hold.

#include "Contraction.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "pyk/Dialect/Pyk/IR/PykInterfaces.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace pyk {
#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;
using llvm::StringLiteral;

namespace {

/// What a module in one stage may hold.
struct Contract {
  StringLiteral stage;
  /// Dialects whose ops may occur.
  std::vector<StringRef> dialects;
  /// Ops of these that may not; those of pyk say it themselves.
  std::vector<StringRef> refused;
};

} // namespace

static const Contract *getContract(StringRef stage) {
  static const Contract contracts[] = {
      {"pyk",
       {"builtin", "pyk", "arith", "complex", "math", "scf", "ub"},
       {"builtin.unrealized_conversion_cast"}},
      {"gpu",
       {"builtin", "gpu", "func", "pyk", "arith", "complex", "math", "scf",
        "ub"},
       {"builtin.unrealized_conversion_cast", "complex.abs", "complex.angle",
        "func.return", "gpu.return"}},
      {"nvvm",
       {"builtin", "llvm", "nvvm"},
       {"builtin.unrealized_conversion_cast"}},
  };
  for (const Contract &contract : contracts)
    if (contract.stage == stage)
      return &contract;
  return nullptr;
}

static bool isAllowed(Operation *op, const Contract &contract) {
  StringRef name = op->getName().getStringRef();
  // Modules of the device stand in the host's.
  if (isa<ModuleOp>(op))
    return false;
  if (isa<gpu::GPUModuleOp>(op))
    return isa_and_present<ModuleOp>(op->getParentOp()) &&
           contract.stage != "pyk";
  // What is gone by a stage before belongs to a dialect that is gone, too.
  if (auto expanded = dyn_cast<ExpandedOpInterface>(op);
      expanded && expanded.getGoneBy() == contract.stage)
    return false;
  return llvm::is_contained(contract.dialects,
                            op->getName().getDialectNamespace()) &&
         !llvm::is_contained(contract.refused, name);
}

/// Whether a target could fuse `op` with another by a choice of its own.
static bool mayContract(Operation *op) {
  if (auto arithmetic = dyn_cast<arith::ArithFastMathInterface>(op))
    return pyk::mayContract(arithmetic);
  if (auto instruction = dyn_cast<LLVM::FastmathFlagsInterface>(op))
    return bitEnumContainsAll(instruction.getFastmathAttr().getValue(),
                              LLVM::FastmathFlags::contract);
  return false;
}

/// Whether `op` is an access whose address is no arithmetic yet.
static bool hasIndices(Operation *op) {
  auto access = dyn_cast<AccessOpInterface>(op);
  return access && !access.getIndices().empty();
}

/// Whether `op` stands at the top of a module but is no symbol, as a function
/// is. The dialect llvm has other ops there.
static bool isOutsideOfFunctions(Operation *op) {
  return isa_and_present<ModuleOp, gpu::GPUModuleOp>(op->getParentOp()) &&
         !isa<SymbolOpInterface>(op) &&
         !isa<LLVM::LLVMDialect>(op->getDialect());
}

/// Whether `op` makes a shared array that a copy of its block would make twice.
static bool isInnerShared(Operation *op) {
  auto array = dyn_cast<AllocOp>(op);
  return array && array.getType().getSpace() == Space::Shared &&
         !(array->getBlock()->isEntryBlock() &&
           isa<FunctionOpInterface>(array->getParentOp()));
}

namespace {

struct VerifyStagePass : pyk::impl::VerifyStagePassBase<VerifyStagePass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    const Contract *contract = getContract(stage);
    if (!contract) {
      getOperation()->emitError("expects a stage of pyk, gpu or nvvm but got '")
          << stage << "'";
      return signalPassFailure();
    }
    auto verify = [&](Operation *op) {
      if (op == getOperation())
        return WalkResult::advance();
      if (!isAllowed(op, *contract))
        op->emitOpError("cannot stand in stage ") << contract->stage;
      else if (isOutsideOfFunctions(op))
        op->emitOpError("requires an enclosing function");
      else if (contract->stage != "pyk" && mayContract(op))
        op->emitOpError("cannot carry 'contract' in stage ") << contract->stage;
      else if (contract->stage != "pyk" && hasIndices(op))
        op->emitOpError("cannot have indices in stage ") << contract->stage;
      else if (contract->stage != "pyk" && isInnerShared(op))
        op->emitOpError("has to make a shared array in the first block of its "
                        "function in stage ")
            << contract->stage;
      else if (StringAttr name = findAttributeOfVectors(op);
               name && contract->stage != "nvvm")
        op->emitOpError("cannot have '")
            << name.getValue() << "' in stage " << contract->stage;
      else
        return WalkResult::advance();
      return WalkResult::interrupt();
    };
    // In pre-order, an error names a nested module and not an op in it.
    if (getOperation()->walk<WalkOrder::PreOrder>(verify).wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
