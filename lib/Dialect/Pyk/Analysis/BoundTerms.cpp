// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From values back to arguments and places. A term is made of each value on the
// way, and of each fact that holds where the access stands. Numbers stay exact:
// the launch knows them, which the compiler does not.

#include "pyk/Dialect/Pyk/Analysis/BoundTerms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/Analysis/KnownRange.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykControlOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pyk;
using Kind = BoundTermKind;

/// Terms of a kernel at most: a launch computes all of them, in 5 ns each. An
/// access has 5 terms, a guarded one 16.
static constexpr size_t kMostTerms = 15000;

/// The `value` of operations on numbers without a sign.
static constexpr int64_t kNoSign = 1;

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

BoundTerms::Ends BoundTerms::getEnds(const Parts &parts) const {
  auto first = [&] { return ends[parts.first]; };
  auto second = [&] { return ends[parts.second]; };
  auto isWhole = [](Ends its) { return its.low && its.high; };
  switch (parts.kind) {
  case Kind::Any:
    return {false, false};
  case Kind::Add:
    return {first().low && second().low, first().high && second().high};
  case Kind::Sub:
    return {first().low && second().high, first().high && second().low};
  case Kind::Difference:
    return {true, first().high && second().low};
  case Kind::Mul:
  case Kind::Div:
  case Kind::Shl:
  case Kind::Shr:
  case Kind::Or: {
    bool both = isWhole(first()) && isWhole(second());
    return {both, both};
  }
  case Kind::Rem:
  case Kind::FloorRem:
    return {isWhole(second()), isWhole(second())};
  case Kind::And: {
    bool one = isWhole(first()) || isWhole(second());
    return {one, one};
  }
  case Kind::Min:
    return {first().low && second().low, first().high || second().high};
  case Kind::Max:
    return {first().low || second().low, first().high && second().high};
  case Kind::Signed:
  case Kind::Stable:
  case Kind::When:
    return first();
  case Kind::Unsigned:
    return {true, first().high};
  case Kind::Either:
    return {first().low && second().low, first().high && second().high};
  case Kind::CutAbove:
    return {first().low, first().high || second().high};
  case Kind::CutBelow:
    return {first().low || second().low, first().high};
  case Kind::Counter:
    return {first().low, second().high};
  default:
    return {true, true};
  }
}

BoundTerms::Term BoundTerms::add(const Parts &parts) {
  auto [entry, isNew] =
      numbers.try_emplace(parts, static_cast<Term>(terms.size()));
  if (isNew) {
    ends.push_back(getEnds(parts));
    terms.push_back(parts);
  }
  return entry->second;
}

BoundTerms::Term BoundTerms::makeConstant(int64_t number) {
  return add({Kind::Constant, 0, 0, 0, number});
}

BoundTerms::Term BoundTerms::makeAny(Value value) {
  Type type = value.getType();
  int64_t bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  return add({Kind::Any, 0, 0, 0, bits});
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

/// 0 if threads may come to `op`, as far as conditions and the counters of
/// `scf.for` tell; an empty range if none does.
BoundTerms::Term BoundTerms::evaluateReach(Operation *op) {
  Term term = restrict(makeConstant(0), contexts.get(op), /*outer=*/nullptr);
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    Value counter = loop.getInductionVar();
    Term counts = evaluate(counter, contexts.get(&loop.getBody()->front()));
    if (ends[counts].low && ends[counts].high)
      term = add({Kind::When, term, counts});
  }
  return term;
}

std::optional<BoundTerms::Term> BoundTerms::evaluateAt(Value offset,
                                                       Operation *op) {
  if (terms.size() > kMostTerms)
    return std::nullopt;
  Term term = evaluate(offset, contexts.get(op));
  if (!ends[term].low || !ends[term].high)
    return std::nullopt;
  Term reach = evaluateReach(op);
  return reach == makeConstant(0) ? term : add({Kind::When, term, reach});
}

bool BoundTerms::claimInside(Value offset, Operation *op, unsigned argument,
                             int64_t step) {
  std::optional<Term> term = evaluateAt(offset, op);
  if (term)
    add({Kind::Inside, *term, argument, 0, step});
  return term.has_value();
}

bool BoundTerms::claimWithin(Value offset, Operation *op, int64_t count) {
  std::optional<Term> term = evaluateAt(offset, op);
  if (term)
    add({Kind::Within, *term, 0, 0, count});
  return term.has_value();
}

/// How many of their three operands terms of `kind` have.
static unsigned countOperands(Kind kind) {
  switch (kind) {
  case Kind::Signed:
  case Kind::Unsigned:
  case Kind::Inside:
  case Kind::Within:
    return 1;
  case Kind::Counter:
    return 3;
  default:
    return kind < Kind::Add ? 0 : 2;
  }
}

ArrayAttr BoundTerms::getTerms() {
  // Claims that were given up left terms behind.
  llvm::BitVector needed(terms.size());
  for (size_t i = terms.size(); i-- > 0;) {
    Parts &parts = terms[i];
    if (llvm::is_contained({Kind::Inside, Kind::Within}, parts.kind))
      needed.set(i);
    if (needed[i])
      for (Term *operand : parts.getOperands())
        needed.set(*operand);
  }
  SmallVector<Attribute> attributes;
  SmallVector<unsigned> places(terms.size());
  for (unsigned i : needed.set_bits()) {
    Parts parts = terms[i];
    for (Term *operand : parts.getOperands())
      *operand = places[*operand];
    places[i] = attributes.size();
    attributes.push_back(BoundTermAttr::get(kernel.getContext(), parts.kind,
                                            parts.first, parts.second,
                                            parts.third, parts.value));
  }
  return ArrayAttr::get(kernel.getContext(), attributes);
}

SmallVector<BoundTerms::Term *> BoundTerms::Parts::getOperands() {
  SmallVector<Term *> operands{&first, &second, &third};
  operands.truncate(countOperands(kind));
  return operands;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// The part of `term`, that of `value`, which facts leave.
BoundTerms::Term BoundTerms::refine(Term term, Value value,
                                    const BoundContext *context) {
  for (const BoundContext *at = context; at; at = at->outer)
    for (const BoundFact &fact : at->facts) {
      if (fact.subject != value || !applied.insert(&fact).second)
        continue;
      Term bound =
          fact.bound ? evaluate(fact.bound, context) : makeConstant(fact.delta);
      applied.erase(&fact);
      // One that launches do not know says nothing.
      if (fact.isUpper ? !ends[bound].high : !ends[bound].low)
        continue;
      term = add({fact.isUpper ? Kind::CutAbove : Kind::CutBelow, term, bound,
                  0, fact.bound ? fact.delta : 0});
    }
  return term;
}

/// `term`, or nothing where the facts of `context` that `outer` has not cannot
/// be.
BoundTerms::Term BoundTerms::restrict(Term term, const BoundContext *context,
                                      const BoundContext *outer) {
  for (const BoundContext *at = context; at && at != outer; at = at->outer)
    for (const BoundFact &fact : at->facts) {
      Term subject = evaluate(fact.subject, context);
      if (ends[subject].low && ends[subject].high)
        term = add({Kind::When, term, subject});
    }
  return term;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

BoundTerms::Term BoundTerms::evaluate(Value value,
                                      const BoundContext *context) {
  value = skipConversions(value);
  if (auto entry = known.find({value, context}); entry != known.end())
    return entry->second;
  if (terms.size() > kMostTerms || budget == 0)
    return makeAny(value);
  --budget;
  bool isWhole = applied.empty() && assumed.empty();
  Term term = refine(evaluateBase(value, context), value, context);
  // What was found within itself is less precise than it could be.
  if (isWhole)
    known[{value, context}] = term;
  return term;
}

BoundTerms::Term BoundTerms::evaluateBase(Value value,
                                          const BoundContext *context) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getBitWidth() <= 64 ? makeConstant(constant.getSExtValue())
                                        : makeAny(value);
  if (!value.getType().isIntOrIndex())
    return makeAny(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return evaluateArgument(argument);
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return evaluateSelect(select, context);
  if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op) ||
      isa<StructuredFlowOpInterface>(op))
    return evaluateResult(cast<OpResult>(value));
  return evaluateOp(op, context);
}

BoundTerms::Term BoundTerms::evaluateSelect(arith::SelectOp op,
                                            const BoundContext *context) {
  if (arith::RemSIOp remainder = findFloorRemainder(op)) {
    Term dividend = evaluate(remainder.getLhs(), context);
    return add(
        {Kind::FloorRem, dividend, evaluate(remainder.getRhs(), context)});
  }
  Term arms[2];
  for (bool holds : {false, true}) {
    const BoundContext *inner = contexts.get(op.getCondition(), holds, context);
    arms[holds] = restrict(
        evaluate(holds ? op.getTrueValue() : op.getFalseValue(), inner), inner,
        context);
  }
  return add({Kind::Either, arms[0], arms[1]});
}

static unsigned getAxis(gpu::Dimension dimension) {
  return static_cast<unsigned>(dimension);
}

BoundTerms::Term BoundTerms::evaluateExtent(DimOp op) {
  auto array = op.getArray().getDefiningOp<FromPointerOp>();
  int64_t dimension = op.getDimension();
  int64_t extent =
      cast<ArrayType>(op.getArray().getType()).getShape()[dimension];
  if (!ShapedType::isDynamic(extent))
    return makeConstant(extent);
  if (!array)
    return makeAny(op);
  unsigned place = llvm::count_if(
      array.getType().getShape().take_front(dimension), ShapedType::isDynamic);
  return evaluate(array.getExtents()[place], nullptr);
}

/// The difference of both terms, before it wraps: facts may say more of it than
/// of both.
BoundTerms::Term BoundTerms::subtract(Term lhs, Term rhs, arith::SubIOp op,
                                      const BoundContext *context) {
  Value from = skipConversions(op.getLhs()), by = skipConversions(op.getRhs());
  std::optional<int64_t> least;
  for (const BoundContext *at = context; at; at = at->outer)
    for (const BoundFact &fact : at->facts)
      if (fact.bound && !fact.isUpper && fact.subject == from &&
          skipConversions(fact.bound) == by)
        least = std::max(least.value_or(fact.delta), fact.delta);
  return least ? add({Kind::Difference, lhs, rhs, 0, *least})
               : add({Kind::Sub, lhs, rhs});
}

BoundTerms::Term BoundTerms::evaluateOp(Operation *op,
                                        const BoundContext *context) {
  Value result = op->getResult(0);
  unsigned bits = result.getType().isIndex()
                      ? 64
                      : result.getType().getIntOrFloatBitWidth();
  auto operand = [&](unsigned i) {
    return evaluate(op->getOperand(i), context);
  };
  // As a number with a sign, whatever the range without one was.
  auto wrap = [&](Term term) { return add({Kind::Signed, term, 0, 0, bits}); };
  auto wrapUnlessFits = [&](Term term) {
    auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    bool mayWrap =
        flags && !bitEnumContainsAny(flags.getOverflowAttr().getValue(),
                                     arith::IntegerOverflowFlags::nsw);
    return mayWrap ? wrap(term) : term;
  };
  auto binary = [&](Kind kind) {
    Term lhs = operand(0);
    return wrapUnlessFits(add({kind, lhs, operand(1)}));
  };
  auto makeUnsigned = [&](unsigned i) {
    return add({Kind::Unsigned, operand(i), 0, 0, bits});
  };
  auto unsignedBinary = [&](Kind kind) {
    Term lhs = makeUnsigned(0);
    return wrap(add({kind, lhs, makeUnsigned(1), 0, kNoSign}));
  };
  return TypeSwitch<Operation *, Term>(op)
      .Case([&](gpu::ThreadIdOp own) {
        return add({Kind::Thread, getAxis(own.getDimension())});
      })
      .Case([&](gpu::BlockIdOp own) {
        return add({Kind::Block, getAxis(own.getDimension())});
      })
      .Case([&](gpu::BlockDimOp own) {
        return add({Kind::BlockDim, getAxis(own.getDimension())});
      })
      .Case([&](gpu::GridDimOp own) {
        return add({Kind::GridDim, getAxis(own.getDimension())});
      })
      .Case([&](DimOp dim) { return evaluateExtent(dim); })
      .Case([&](arith::AddIOp) { return binary(Kind::Add); })
      .Case([&](arith::SubIOp sub) {
        Term lhs = operand(0);
        return wrapUnlessFits(subtract(lhs, operand(1), sub, context));
      })
      .Case([&](arith::MulIOp) { return binary(Kind::Mul); })
      .Case([&](arith::ShLIOp) { return binary(Kind::Shl); })
      .Case([&](arith::DivSIOp) { return binary(Kind::Div); })
      .Case([&](arith::RemSIOp) { return binary(Kind::Rem); })
      .Case([&](arith::ShRSIOp) { return binary(Kind::Shr); })
      .Case([&](arith::MinSIOp) { return binary(Kind::Min); })
      .Case([&](arith::MaxSIOp) { return binary(Kind::Max); })
      .Case([&](arith::AndIOp) { return binary(Kind::And); })
      .Case<arith::OrIOp, arith::XOrIOp>(
          [&](Operation *) { return binary(Kind::Or); })
      .Case([&](arith::DivUIOp) { return unsignedBinary(Kind::Div); })
      .Case([&](arith::RemUIOp) { return unsignedBinary(Kind::Rem); })
      .Case([&](arith::ShRUIOp) { return unsignedBinary(Kind::Shr); })
      .Case([&](arith::MinUIOp) { return unsignedBinary(Kind::Min); })
      .Case([&](arith::MaxUIOp) { return unsignedBinary(Kind::Max); })
      .Case([&](arith::ExtUIOp extension) {
        Type from = extension.getIn().getType();
        if (from.isInteger(1))
          return add({Kind::Either, makeConstant(0), makeConstant(1)});
        return add({Kind::Unsigned, operand(0), 0, 0,
                    int64_t(from.getIntOrFloatBitWidth())});
      })
      .Case([&](arith::TruncIOp) {
        return add({Kind::Signed, operand(0), 0, 0, int64_t(bits)});
      })
      .Default([&](Operation *) { return makeAny(result); });
}

//===----------------------------------------------------------------------===//
// Parameters, conditions and loops
//===----------------------------------------------------------------------===//

BoundTerms::Term BoundTerms::evaluateParameter(BlockArgument argument) {
  auto abi = kAbi.get(kernel);
  if (!abi || argument.getArgNumber() >= abi.getParameters().size())
    return makeAny(argument);
  ParameterAttr parameter = abi.getParameters()[argument.getArgNumber()];
  switch (parameter.getKind()) {
  case ParameterKind::Extent:
    return add(
        {Kind::Extent, parameter.getArgument(), parameter.getDimension()});
  case ParameterKind::Stride:
    return add(
        {Kind::Stride, parameter.getArgument(), parameter.getDimension()});
  case ParameterKind::Scalar:
    return add({Kind::Scalar, parameter.getArgument(), 0, 0,
                int64_t(argument.getType().getIntOrFloatBitWidth() / 8)});
  default:
    return makeAny(argument);
  }
}

BoundTerms::Term BoundTerms::evaluateArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent == kernel)
    return evaluateParameter(argument);
  auto flow = dyn_cast<StructuredFlowOpInterface>(parent);
  if (!flow)
    return makeAny(argument);
  if (argument == flow.getCountedValue()) {
    // Counters are terms of numbers with a sign.
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && loop.getUnsignedCmp())
      return makeAny(argument);
    SmallVector<Value> bounds = flow.getConditions();
    const BoundContext *context = contexts.get(parent);
    Term first = evaluate(bounds[0], context);
    Term end = evaluate(bounds[1], context);
    Term step = evaluate(bounds[2], context);
    return add({Kind::Counter, first, end, step});
  }
  return evaluateCarried(argument, getIncomingValues(argument).values);
}

BoundTerms::Term BoundTerms::evaluateResult(OpResult result) {
  Operation *op = result.getOwner();
  if (!isa<scf::IfOp>(op))
    return evaluateCarried(result, getIncomingValues(result).values);
  auto branch = cast<scf::IfOp>(op);
  const BoundContext *outer = contexts.get(op);
  Term arms[2];
  for (bool holds : {false, true}) {
    auto yield = holds ? branch.thenYield() : branch.elseYield();
    const BoundContext *inner = contexts.get(yield);
    arms[holds] =
        restrict(evaluate(yield.getOperand(result.getResultNumber()), inner),
                 inner, outer);
  }
  return add({Kind::Either, arms[0], arms[1]});
}
