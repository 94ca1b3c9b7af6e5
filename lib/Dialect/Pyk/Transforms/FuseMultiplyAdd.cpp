// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and sums become multiply-adds here, where all targets still share
// the IR, and no later. A back end that fused would decide by what it sees:
// LLVM looks at one block at a time, so a product that it has moved out of a
// loop stays apart, and a kernel would give other bits because of a barrier or
// a check. After this pass each operation is rounded as the IR says.
//
// A product vanishes or stays as it is: it is fused if each of its uses is a
// sum that takes it. Of two products that one sum could take, it takes the
// left.

#include "Contraction.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace pyk {
#define GEN_PASS_DEF_FUSEMULTIPLYADDPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;
using arith::FastMathFlags;

/// Leaves nothing to a back end.
static void dropContract(arith::ArithFastMathInterface op) {
  if (mayContract(op))
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(),
                                              getFastMathFlags(op) &
                                                  ~FastMathFlags::contract));
}

//===----------------------------------------------------------------------===//
// Which products are fused
//===----------------------------------------------------------------------===//

/// A sum or difference that may be rounded together with a product.
static bool isSum(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp>(op) &&
         mayContract(cast<arith::ArithFastMathInterface>(op));
}

/// Whether `product` could vanish: all its uses are sums, and none twice.
static bool isCandidate(arith::MulFOp product) {
  if (!mayContract(product) || product->use_empty())
    return false;
  llvm::SmallPtrSet<Operation *, 4> sums;
  return llvm::all_of(product->getUsers(), [&](Operation *user) {
    return isSum(user) && sums.insert(user).second;
  });
}

using Products = llvm::SmallSetVector<arith::MulFOp, 16>;

/// The one of `products` that `sum` takes; null if neither operand is one.
static arith::MulFOp choose(Operation *sum, const Products &products) {
  for (Value operand : sum->getOperands())
    if (auto product = operand.getDefiningOp<arith::MulFOp>();
        product && products.contains(product))
      return product;
  return nullptr;
}

/// The products that are fused, in the order of the program.
static Products findProducts(Operation *root) {
  Products candidates;
  root->walk([&](arith::MulFOp product) {
    if (isCandidate(product))
      candidates.insert(product);
  });
  // What a sum takes does not change any more once it is among `products`: it
  // is the left operand, or the left one has been refused before.
  Products products = candidates;
  for (arith::MulFOp product : candidates)
    if (!llvm::all_of(product->getUsers(), [&](Operation *sum) {
          return choose(sum, products) == product;
        }))
      products.remove(product);
  return products;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
struct Factors {
  Value lhs, rhs;
};
} // namespace

static Value negate(OpBuilder &b, Location loc, Value value) {
  return b.createOrFold<arith::NegFOp>(loc, value);
}

/// The factors of the negated product. Negating one of them changes no bit of
/// it; a constant takes the sign without an instruction.
static Factors negateProduct(OpBuilder &b, Location loc,
                             arith::MulFOp product) {
  if (matchPattern(product.getRhs(), m_Constant()))
    return {product.getLhs(), negate(b, loc, product.getRhs())};
  return {negate(b, loc, product.getLhs()), product.getRhs()};
}

/// The product or negation `value`, computed once more before `user`; `value`
/// itself if it is none.
static Value copyFor(Operation *user, Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::MulFOp, arith::NegFOp>(op))
    return value;
  OpBuilder b(user);
  Operation *copy = b.clone(*op);
  if (isa<arith::NegFOp>(op))
    copy->setOperand(0, copyFor(copy, copy->getOperand(0)));
  return copy->getResult(0);
}

/// Gives debuggers products of their own, so that results do not depend on
/// whether they look.
static void separateDebugValues(Operation *root) {
  root->walk([](DebugValueOp op) {
    op.getValueMutable().set(copyFor(op, op.getValue()));
  });
}

/// Makes negations of products products, so that a sum sees them as such.
static void sinkNegations(Operation *root) {
  SmallVector<arith::NegFOp> negations;
  root->walk([&](arith::NegFOp negation) { negations.push_back(negation); });
  for (arith::NegFOp negation : negations) {
    auto product = negation.getOperand().getDefiningOp<arith::MulFOp>();
    if (!product || !product->hasOneUse() || !mayContract(product))
      continue;
    OpBuilder b(negation);
    auto [lhs, rhs] = negateProduct(b, negation.getLoc(), product);
    auto negated = arith::MulFOp::create(b, product.getLoc(), lhs, rhs,
                                         product.getFastmath());
    negation.replaceAllUsesWith(negated.getResult());
    negation.erase();
    product.erase();
  }
}

/// Replaces `sum` by a multiply-add of the factors of `product`.
static void fuse(Operation *sum, arith::MulFOp product) {
  OpBuilder b(sum);
  Location loc = sum->getLoc();
  bool isLeft = sum->getOperand(0) == product.getResult();
  Value addend = sum->getOperand(isLeft ? 1 : 0);
  Factors factors{product.getLhs(), product.getRhs()};
  if (isa<arith::SubFOp>(sum)) {
    if (isLeft)
      addend = negate(b, loc, addend);
    else
      factors = negateProduct(b, loc, product);
  }
  FastMathFlags flags =
      getFastMathFlags(cast<arith::ArithFastMathInterface>(sum));
  auto fused = math::FmaOp::create(b, loc, factors.lhs, factors.rhs, addend,
                                   flags & product.getFastmath());
  sum->replaceAllUsesWith(fused);
  sum->erase();
}

namespace {

struct FuseMultiplyAddPass
    : pyk::impl::FuseMultiplyAddPassBase<FuseMultiplyAddPass> {
  void runOnOperation() override {
    separateDebugValues(getOperation());
    sinkNegations(getOperation());
    for (arith::MulFOp product : findProducts(getOperation())) {
      for (Operation *sum : llvm::make_early_inc_range(product->getUsers()))
        fuse(sum, product);
      product.erase();
    }
    getOperation()->walk(dropContract);
  }
};

} // namespace
