// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the unroller: what ops on compact vectors become in vectors of
// the machine, one for each row and strip.

#include "Dialect/Simd/Transforms/AccessUnroller.h"
#include "Dialect/Simd/Transforms/PromotedArrays.h"
#include "Dialect/Simd/Transforms/WarpUnroller.h"
#include "SimdSupport.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykViewOps.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::simd;

// Not those of pyk.
using SimdLoadOp = pyk::simd::LoadOp;
using SimdStoreOp = pyk::simd::StoreOp;
using SimdBallotOp = pyk::simd::BallotOp;
using SimdShuffleOp = pyk::simd::ShuffleOp;

namespace {

class UnrollerTest : public KernelTest {
protected:
  /// A kernel of `body`, behind an array `%a`. Poison in it stands for vectors
  /// of which nothing is known; constants are known.
  void start(StringRef body) {
    parseKernel((R"mlir(
      %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<64xf32, c>
      )mlir" + body)
                    .str());
    if (HasFatalFailure())
      return;
    values.emplace(*builder);
    buffers.emplace(*builder);
    serials.emplace(*builder, *values, *buffers);
    for (auto [own, other] :
         llvm::zip(kernel.getArguments(), made.getArguments()))
      values->map(own, other);
    getBody().walk([&](Operation *op) {
      if (isa<FromPointerOp>(op)) {
        IRMapping mapping;
        mapping.map(op->getOperand(0), made.getArgument(0));
        values->map(op->getResult(0),
                    builder->clone(*op, mapping)->getResult(0));
      }
      if (isa<ub::PoisonOp, arith::ConstantOp>(op) &&
          isCompact(op->getResult(0).getType()))
        setUnknown(op->getResult(0));
    });
  }

  void setUnknown(Value value) {
    auto type = cast<VectorType>(value.getType());
    auto [rows, strips, lanes] = getDimensions(type);
    Type machine = VectorType::get(lanes, type.getElementType());
    Values instances;
    for (int64_t i = 0; i < rows * strips; ++i)
      instances.push_back(makeUnknown(machine));
    values->set(value, instances);
  }

  Value poison(unsigned number) {
    return findAll<ub::PoisonOp>(kernel)[number].getResult();
  }

  std::optional<UnrolledValues> values;
  std::optional<StackBuffers> buffers;
  std::optional<SerialUnroller> serials;
};

} // namespace

//===----------------------------------------------------------------------===//
// Masks and warps
//===----------------------------------------------------------------------===//

TEST_F(UnrollerTest, QuestionsAreAskedOfAllInstances) {
  start(R"mlir(
    %m = ub.poison : vector<2x1x4xi1>
    %any = simd.any %m : vector<2x1x4xi1> -> i1
    %lanes = simd.all %m : vector<2x1x4xi1> -> vector<1x1x4xi1>)mlir");
  WarpUnroller warps(*builder, *values, *buffers);
  warps.visit(find<AnyOp>());
  auto any = values->get(find<AnyOp>()).front().getDefiningOp<arith::CmpIOp>();
  ASSERT_TRUE(any);
  EXPECT_EQ(any.getPredicate(), arith::CmpIPredicate::ne);
  EXPECT_EQ(getNumber(any.getRhs()), 0);
  // All lanes stay, of which each is that of both rows.
  warps.visit(find<AllOp>());
  ASSERT_EQ(values->get(find<AllOp>()).size(), 1U);
  auto both = values->get(find<AllOp>()).front().getDefiningOp<arith::AndIOp>();
  ASSERT_TRUE(both);
  EXPECT_EQ(both.getLhs(), values->get(poison(0))[0]);
  EXPECT_EQ(both.getRhs(), values->get(poison(0))[1]);
}

TEST_F(UnrollerTest, ThreadsOfMasksAreCounted) {
  start(R"mlir(
    %m = ub.poison : vector<1x2x16xi1>
    %count = simd.count %m : vector<1x2x16xi1>)mlir");
  WarpUnroller warps(*builder, *values, *buffers);
  warps.visit(find<CountOp>());
  auto sum =
      values->get(find<CountOp>()).front().getDefiningOp<arith::AddIOp>();
  ASSERT_TRUE(sum);
  EXPECT_EQ(findAll<math::CtPopOp>(made).size(), 2U);
  EXPECT_TRUE(isValid());
}

TEST_F(UnrollerTest, BallotsHaveTheBitsOfAWarp) {
  start(R"mlir(
    %m = ub.poison : vector<1x4x16xi1>
    %b = simd.ballot %m : vector<1x4x16xi1> -> vector<1x4x16xi32>)mlir");
  WarpUnroller warps(*builder, *values, *buffers);
  warps.visit(find<SimdBallotOp>());
  const Values &all = values->get(find<SimdBallotOp>());
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0], all[1]);
  EXPECT_NE(all[1], all[2]);
  auto shifts = findAll<arith::ShLIOp>(made);
  ASSERT_EQ(shifts.size(), 2U);
  EXPECT_EQ(getNumber(shifts[0].getRhs()), 16);
  EXPECT_TRUE(isValid());
}

TEST_F(UnrollerTest, ShufflesByConstantsAreInstructions) {
  start(R"mlir(
    %x0 = ub.poison : vector<1x8x4xf32>
    %lanes = arith.constant dense<0> : vector<1x8x4xi32>
    %unknown = ub.poison : vector<1x8x4xi32>
    %s = simd.shuffle %x0 from %lanes : vector<1x8x4xf32>, vector<1x8x4xi32>
    %t = simd.shuffle %x0 from %unknown
        : vector<1x8x4xf32>, vector<1x8x4xi32>)mlir");
  auto shuffles = findAll<SimdShuffleOp>(kernel);
  WarpUnroller warps(*builder, *values, *buffers);
  warps.visit(shuffles[0]);
  EXPECT_TRUE(findAll<LLVM::AllocaOp>(made).empty());
  EXPECT_EQ(values->get(shuffles[0]).size(), 8U);
  // Others go by way of memory.
  warps.visit(shuffles[1]);
  auto buffer = findOne<LLVM::AllocaOp>(made);
  ASSERT_TRUE(buffer);
  EXPECT_EQ(getNumber(buffer.getArraySize()), 32);
  EXPECT_EQ(findAll<LLVM::masked_gather>(made).size(), 8U);
  EXPECT_TRUE(isValid());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST_F(UnrollerTest, NeighboursAreOneLoad) {
  start(R"mlir(
    %o = ub.poison : vector<1x2x16xi64>
    %m = ub.poison : vector<1x2x16xi1>
    %v = simd.load contiguous %a + %o
        : !pyk.array<64xf32, c>, vector<1x2x16xi64> -> vector<1x2x16xf32>
    %w = simd.load contiguous %a + %o mask %m : vector<1x2x16xi1>
        : !pyk.array<64xf32, c>, vector<1x2x16xi64> -> vector<1x2x16xf32>
    %u = simd.load %a + %o
        : !pyk.array<64xf32, c>, vector<1x2x16xi64> -> vector<1x2x16xf32>
  )mlir");
  AccessUnroller accesses(*builder, *values, *buffers, *serials,
                          /*fetchesRows=*/false);
  auto loads = findAll<SimdLoadOp>(kernel);
  accesses.visit(loads[0]);
  EXPECT_EQ(findAll<LLVM::LoadOp>(made).size(), 2U);
  accesses.visit(loads[1]);
  EXPECT_EQ(findAll<LLVM::MaskedLoadOp>(made).size(), 2U);
  accesses.visit(loads[2]);
  EXPECT_EQ(findAll<LLVM::masked_gather>(made).size(), 2U);
  EXPECT_EQ(values->get(loads[2])[0].getType(),
            VectorType::get(16, builder->getF32Type()));
  EXPECT_TRUE(isValid());
}

/// The elements of `value`: numbers of loads, times 100, and places in these.
static SmallVector<int64_t> trace(Value value, ArrayRef<LLVM::LoadOp> loads) {
  SmallVector<int64_t> elements;
  if (auto load = value.getDefiningOp<LLVM::LoadOp>()) {
    auto count = cast<VectorType>(value.getType()).getNumElements();
    for (int64_t at = 0; at < count; ++at)
      elements.push_back((llvm::find(loads, load) - loads.begin()) * 100 + at);
    return elements;
  }
  auto shuffle = value.getDefiningOp<LLVM::ShuffleVectorOp>();
  if (!shuffle)
    return elements;
  auto both = trace(shuffle.getV1(), loads);
  both.append(trace(shuffle.getV2(), loads));
  for (int32_t place : shuffle.getMask())
    elements.push_back(both[place]);
  return elements;
}

TEST_F(UnrollerTest, RowsChangePlacesWithLanes) {
  struct Case {
    int64_t rows, together, lanes;
    StringRef element;
  };
  for (const Case &one :
       {Case{4, 4, 4, "f32"}, Case{4, 4, 8, "f32"}, Case{8, 8, 8, "f32"},
        Case{12, 4, 16, "f32"}, Case{16, 16, 16, "f32"}, Case{2, 2, 16, "f64"},
        Case{8, 8, 16, "i16"}, Case{16, 16, 16, "i8"}}) {
    std::string shape =
        std::to_string(one.rows) + "x1x" + std::to_string(one.lanes) + "x";
    std::string array = ("!pyk.array<999x" + one.element + ", c>").str();
    std::string value = "vector<" + shape + one.element.str() + ">";
    std::string offset = "vector<" + shape + "i64>";
    start("%b = pyk.from_pointer %p : !llvm.ptr<1> to " + array +
          "\n%o = ub.poison : " + offset +
          "\n%v = simd.load transposed %b + %o"
          " : " +
          array + ", " + offset + " -> " + value +
          "\nsimd.store transposed %v, %b + %o : " + value + ", " + array +
          ", " + offset);
    AccessUnroller accesses(*builder, *values, *buffers, *serials,
                            /*fetchesRows=*/false);
    accesses.visit(find<SimdLoadOp>());
    auto loads = findAll<LLVM::LoadOp>(made);
    ASSERT_EQ(static_cast<int64_t>(loads.size()),
              one.lanes * one.rows / one.together);
    for (auto [row, instance] :
         llvm::enumerate(values->get(find<SimdLoadOp>()))) {
      auto number = static_cast<int64_t>(row);
      SmallVector<int64_t> expected;
      for (int64_t lane = 0; lane < one.lanes; ++lane)
        expected.push_back((number / one.together * one.lanes + lane) * 100 +
                           number % one.together);
      EXPECT_EQ(trace(instance, loads), expected);
    }
    // What is stored of a lane is what was loaded of it.
    accesses.visit(find<SimdStoreOp>());
    auto stores = findAll<LLVM::StoreOp>(made);
    ASSERT_EQ(stores.size(), loads.size());
    for (auto [store, load] : llvm::zip(stores, loads))
      EXPECT_EQ(trace(store.getValue(), loads), trace(load.getResult(), loads));
    EXPECT_TRUE(isValid());
  }
}

TEST_F(UnrollerTest, NobodyStoresUnderAMaskThatIsFalse) {
  start(R"mlir(
    %o = ub.poison : vector<1x1x4xi64>
    %v = ub.poison : vector<1x1x4xf32>
    %none = arith.constant dense<false> : vector<1x1x4xi1>
    simd.store contiguous %v, %a + %o mask %none : vector<1x1x4xi1>
        : vector<1x1x4xf32>, !pyk.array<64xf32, c>, vector<1x1x4xi64>
    simd.store contiguous %v, %a + %o
        : vector<1x1x4xf32>, !pyk.array<64xf32, c>, vector<1x1x4xi64>)mlir");
  auto mask = find<arith::ConstantOp>();
  Value none = arith::ConstantOp::create(
      *builder, made.getLoc(),
      DenseElementsAttr::get(VectorType::get(4, builder->getI1Type()), false));
  values->set(mask, {none});
  AccessUnroller accesses(*builder, *values, *buffers, *serials,
                          /*fetchesRows=*/false);
  auto stores = findAll<SimdStoreOp>(kernel);
  accesses.visit(stores[0]);
  EXPECT_TRUE(findAll<LLVM::MaskedStoreOp>(made).empty());
  accesses.visit(stores[1]);
  EXPECT_EQ(findAll<LLVM::StoreOp>(made).size(), 1U);
}

TEST_F(UnrollerTest, SharedArraysOfKnownPlacesAreRegisters) {
  start(R"mlir(
    %s = pyk.alloc : !pyk.array<8xf32, c, shared>
    %far = pyk.alloc : !pyk.array<8xf32, c, shared>
    %v = ub.poison : vector<1x2x4xf32>
    %o = ub.poison : vector<1x2x4xi64>
    %own = arith.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7]]]>
        : vector<1x2x4xi64>
    simd.store contiguous %v, %s + %own
        : vector<1x2x4xf32>, !pyk.array<8xf32, c, shared>, vector<1x2x4xi64>
    %w = simd.load contiguous %s + %own
        : !pyk.array<8xf32, c, shared>, vector<1x2x4xi64> -> vector<1x2x4xf32>
    simd.store contiguous %v, %far + %o
        : vector<1x2x4xf32>, !pyk.array<8xf32, c, shared>, vector<1x2x4xi64>
  )mlir");
  auto arrays = findAll<AllocOp>(kernel);
  EXPECT_TRUE(isPromotable(arrays[0], 4));
  EXPECT_FALSE(isPromotable(arrays[1], 4));
  PromotedArrays promoted(*builder, *values);
  promoted.promoteAll(getBody(), 4);
  EXPECT_EQ(findAll<LLVM::AllocaOp>(made).size(), 2U);
  auto stores = findAll<SimdStoreOp>(kernel);
  EXPECT_TRUE(promoted.visit(arrays[0]));
  EXPECT_TRUE(promoted.visit(stores[0]));
  EXPECT_FALSE(promoted.visit(arrays[1]));
  EXPECT_FALSE(promoted.visit(stores[1]));
  // What was stored is there still.
  auto load = find<SimdLoadOp>();
  EXPECT_TRUE(promoted.visit(load));
  EXPECT_EQ(values->get(load), values->get(stores[0].getValue()));
  // Elsewhere it is read again.
  promoted.forgetLines();
  EXPECT_TRUE(promoted.visit(load));
  EXPECT_NE(values->get(load), values->get(stores[0].getValue()));
  EXPECT_EQ(findAll<LLVM::LoadOp>(made).size(), 2U);
}

//===----------------------------------------------------------------------===//
// Thread by thread
//===----------------------------------------------------------------------===//

namespace {

/// An addition to the first element, or to another one, by each thread.
constexpr llvm::StringLiteral kSums = R"mlir(
    %v = ub.poison : vector<1x2x4xf32>
    %o = ub.poison : vector<1x2x4xi64>
    %m = ub.poison : vector<1x2x4xi1>
    simd.serial (%own = %v : vector<1x2x4xf32>) {
      %e = pyk.element %a + %n : !pyk.array<64xf32, c>
      %old = pyk.atomic add %own, %e[] : !pyk.array<f32, c>
    }
    simd.serial (%own = %v : vector<1x2x4xf32>, %at = %o : vector<1x2x4xi64>) {
      %e = pyk.element %a + %at : !pyk.array<64xf32, c>
      %old = pyk.atomic add %own, %e[] : !pyk.array<f32, c>
    }
    simd.serial (%own = %v : vector<1x2x4xf32>) {
      %e = pyk.element %a + %n : !pyk.array<64xf32, c>
      %old = pyk.atomic max %own, %e[] : !pyk.array<f32, c>
    })mlir";

} // namespace

TEST_F(UnrollerTest, SumsOfAllThreadsAreOneAddition) {
  start(kSums);
  auto serials = findAll<SerialOp>(kernel);
  AtomicOp update = getCommonSum(serials[0]);
  ASSERT_TRUE(update);
  EXPECT_FALSE(getCommonSum(serials[1]));
  EXPECT_FALSE(getCommonSum(serials[2]));
  SumUnroller sums(*builder, *values);
  sums.add(serials[0], update);
  auto own = findOne<AtomicOp>(made);
  ASSERT_TRUE(own);
  EXPECT_TRUE(own.getValue().getDefiningOp<LLVM::vector_reduce_fadd>());
  EXPECT_TRUE(findAll<LoopLikeOpInterface>(made).empty());
  EXPECT_TRUE(isValid());
}

TEST_F(UnrollerTest, OtherOpsRunInALoopOverThreads) {
  start(kSums);
  serials->visit(findAll<SerialOp>(kernel)[1]);
  auto loop = findOne<scf::ForOp>(made);
  ASSERT_TRUE(loop);
  EXPECT_EQ(getNumber(loop.getUpperBound()), 8);
  EXPECT_FALSE(findAll<AtomicOp>(loop).empty());
  // What each thread has lies in memory.
  EXPECT_EQ(findAll<LLVM::AllocaOp>(made).size(), 2U);
  EXPECT_TRUE(isValid());
}

TEST_F(UnrollerTest, ThreadsThatAreOffAreLeftOut) {
  start(R"mlir(
    %o = ub.poison : vector<1x1x4xi64>
    %m = ub.poison : vector<1x1x4xi1>
    simd.serial (%at = %o : vector<1x1x4xi64>) mask %m : vector<1x1x4xi1> {
      %e = pyk.element %a + %at : !pyk.array<64xf32, c>
      %old = pyk.atomic max %x, %e[] : !pyk.array<f32, c>
    })mlir");
  serials->visit(find<SerialOp>());
  // From one bit of the mask to the next.
  auto loop = findOne<scf::WhileOp>(made);
  ASSERT_TRUE(loop);
  EXPECT_EQ(findAll<LLVM::CountTrailingZerosOp>(loop).size(), 1U);
  EXPECT_TRUE(isValid());
}
