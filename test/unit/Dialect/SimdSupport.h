// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of the parts that write vectors share: a kernel, and a place to
// write what becomes of it.

#ifndef PYK_TEST_UNIT_DIALECT_SIMDSUPPORT_H
#define PYK_TEST_UNIT_DIALECT_SIMDSUPPORT_H

#include "Dialect/Simd/Transforms/Masks.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "pyk/InitAll.h"
#include "gtest/gtest.h"

namespace pyk::simd {

/// A kernel whose parameters are a pointer, an i64, an f32 and an i1, beside
/// `made`, which has the same and in which `builder` stands.
class KernelTest : public testing::Test {
protected:
  KernelTest() : context(getRegistry()) { context.loadAllAvailableDialects(); }

  static const mlir::DialectRegistry &getRegistry() {
    static const mlir::DialectRegistry registry = [] {
      mlir::DialectRegistry all;
      registerAllDialects(all);
      return all;
    }();
    return registry;
  }

  /// Makes a kernel of `body`, which knows its parameters as `%p`, `%n`, `%x`
  /// and `%c`, and, as `%more`, one of type `more`.
  void parseKernel(llvm::StringRef body, llvm::StringRef more = "i32") {
    std::string parameters =
        ("(%p: !llvm.ptr<1>, %n: i64, %x: f32, %c: i1, %more: " + more + ")")
            .str();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "gpu.module @pyk {\n gpu.func @kernel" + parameters + " kernel {\n" +
            body.str() + "\n pyk.return\n }\n gpu.func @made" + parameters +
            " kernel {\n pyk.return\n }\n}",
        &context);
    ASSERT_TRUE(module);
    auto all =
        module->getBody()->front().getRegion(0).getOps<mlir::gpu::GPUFuncOp>();
    kernel = *all.begin();
    made = *std::next(all.begin());
    builder.emplace(made.getBody().front().getTerminator());
  }

  mlir::Block &getBody() { return kernel.getBody().front(); }

  /// The ops of one kind in `root`, in order.
  template <typename Op>
  static llvm::SmallVector<Op> findAll(mlir::Operation *root) {
    llvm::SmallVector<Op> found;
    root->walk([&](Op op) { found.push_back(op); });
    return found;
  }
  /// The only one.
  template <typename Op>
  static Op findOne(mlir::Operation *root) {
    llvm::SmallVector<Op> found = findAll<Op>(root);
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? Op() : found.front();
  }
  template <typename Op>
  Op find() {
    return findOne<Op>(kernel);
  }

  /// The elements of `value`, a constant.
  template <typename T>
  static llvm::SmallVector<T> getElements(mlir::Value value) {
    auto elements = getConstantElements<T>(value);
    EXPECT_TRUE(elements);
    return elements.value_or(llvm::SmallVector<T>());
  }
  /// The number that `value` is; none if it is no constant.
  static std::optional<int64_t> getNumber(mlir::Value value) {
    llvm::APInt number;
    if (!mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
      return std::nullopt;
    return number.getSExtValue();
  }

  bool isValid() { return mlir::succeeded(mlir::verify(*module)); }

  /// Something of `type` of which nothing is known.
  mlir::Value makeUnknown(mlir::Type type) {
    return mlir::ub::PoisonOp::create(*builder, made.getLoc(), type);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::gpu::GPUFuncOp kernel, made;
  std::optional<mlir::OpBuilder> builder;
};

/// The values of a kernel whose threads are in a tile, which is the block.
class TileTest : public KernelTest {
protected:
  /// Lets `tile` be that of a kernel with `body`.
  void start(llvm::StringRef body, const Tile &own) {
    parseKernel(body);
    if (testing::Test::HasFatalFailure())
      return;
    tile = own;
    shapes.emplace(*module);
    values.emplace(tile, *shapes, *builder, obstacle);
    masks.emplace(*values, *builder);
    values->set(kernel.getArguments(), made.getArguments());
    mlir::Value zero = mlir::arith::ConstantIntOp::create(
        *builder, made.getLoc(), builder->getI32Type(), 0);
    position = {zero, zero, {}};
    // As the walk does.
    for (auto index : findAll<mlir::gpu::ThreadIdOp>(kernel))
      values->set(index, tile.makeThreadIndex(
                             *builder, made.getLoc(),
                             static_cast<unsigned>(index.getDimension()),
                             position.row, position.strip));
  }

  Tile tile = Tile({32, 1, 1}, 16);
  TilePosition position;
  Obstacle obstacle;
  std::optional<LaneShapeAnalysis> shapes;
  std::optional<LaneValues> values;
  std::optional<Masks> masks;
};

} // namespace pyk::simd

#endif // PYK_TEST_UNIT_DIALECT_SIMDSUPPORT_H
