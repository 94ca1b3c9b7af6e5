// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inference writes into the IR besides the types of values.

#include "Annotations.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

void Annotations::setPosition(Operation *op, std::optional<int64_t> position) {
  if (position)
    positions[op] = *position;
  else
    positions.erase(op);
}

void Annotations::write(Operation *op, const Branches &branches) const {
  MLIRContext *context = op->getContext();
  auto makeTaken = [&](std::optional<bool> way) {
    return way ? BoolAttr::get(context, *way) : BoolAttr();
  };
  auto getNumber = [&](const llvm::DenseMap<Operation *, int64_t> &numbers) {
    auto number = numbers.find(op);
    return number == numbers.end()
               ? IntegerAttr()
               : IntegerAttr::get(IntegerType::get(context, 64),
                                  number->second);
  };
  auto getTarget = [&] {
    FuncOp target = targets.lookup(op);
    return target ? FlatSymbolRefAttr::get(target) : FlatSymbolRefAttr();
  };
  auto getSelection = [&] {
    auto selection = selections.find(op);
    return selection == selections.end()
               ? DenseI64ArrayAttr()
               : DenseI64ArrayAttr::get(context, selection->second);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](IfOp branch) {
        Paths paths = branches.getPaths(branch.getCondition(), op, Copy::Only);
        branch.setTakenAttr(makeTaken(paths.getOnly()));
        branch.setSlotsAttr(slots.lookup(op));
      })
      .Case([&](ConditionalOp conditional) {
        Paths paths =
            branches.getPaths(conditional.getCondition(), op, Copy::Only);
        conditional.setTakenAttr(makeTaken(paths.getOnly()));
        conditional.setSlotsAttr(slots.lookup(op));
      })
      .Case([&](LogicalOp logical) {
        auto [mayRun, surelyRuns] =
            branches.getRightOperand(logical, Copy::Only);
        logical.setTakenAttr(makeTaken(
            mayRun == surelyRuns ? std::optional(mayRun) : std::nullopt));
        logical.setSlotsAttr(slots.lookup(op));
      })
      .Case([&](WhileOp loop) {
        loop.setTakenAttr(makeTaken(taken.lookup(op)));
        loop.setSlotsAttr(slots.lookup(op));
        loop.setElseSlotsAttr(elseSlots.lookup(op));
        loop.setAfterAttr(after.lookup(op));
      })
      .Case([&](ForOp loop) {
        loop.setSlotsAttr(slots.lookup(op));
        loop.setElseSlotsAttr(elseSlots.lookup(op));
        loop.setAfterAttr(after.lookup(op));
      })
      .Case([&](SubscriptOp subscript) {
        subscript.setPositionAttr(getNumber(positions));
        subscript.setSelectionAttr(getSelection());
      })
      .Case([&](SetSubscriptOp set) {
        set.setPositionAttr(getNumber(positions));
      })
      .Case([&](CompareOp compare) { compare.setTargetAttr(getTarget()); })
      .Case([&](CallOp call) {
        call.setTargetAttr(getTarget());
        FunctionType signature = signatures.lookup(op);
        call.setSignatureAttr(signature ? TypeAttr::get(signature)
                                        : TypeAttr());
        call.setSelectionAttr(getSelection());
        call.setAlignmentAttr(getNumber(alignments));
      });
}
