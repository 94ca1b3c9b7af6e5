// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds of every row of the table: rules have functions, types and ops are
// known, and the look-up finds it.

#include "Conversion/PyToPyk/IntrinsicLowering.h"
#include "Dialect/Py/Transforms/IntrinsicTyping.h"
#include "mlir/AsmParser/AsmParser.h"
#include "pyk/Dialect/Py/IR/Members.h"
#include "pyk/Dialect/Py/IR/Static.h"
#include "pyk/InitAll.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace pyk;
using intrinsics::LoweringRule;
using intrinsics::TypingRule;

/// Whether the types of calls follow from overloads.
static bool isByOverloads(TypingRule typing) {
  return typing == TypingRule::Overloads ||
         typing == TypingRule::ExactOverloads;
}

TEST(IntrinsicTest, EveryRuleHasAFunction) {
  for (size_t rule = 0; rule != intrinsics::kTypingRules; ++rule) {
    auto typing = static_cast<TypingRule>(rule);
    bool isByRule = !isByOverloads(typing) && typing != TypingRule::Object;
    bool isOfCalls = py::TypingRules::get()[typing] != nullptr;
    bool isOfAttributes = py::TypingRules::get().ofAttribute(typing) != nullptr;
    EXPECT_EQ(isOfCalls != isOfAttributes, isByRule) << rule;
  }
  for (size_t rule = 0; rule != intrinsics::kLoweringRules; ++rule) {
    auto lowering = static_cast<LoweringRule>(rule);
    EXPECT_TRUE(py::LoweringRules::get()[lowering] ||
                py::LoweringRules::get().ofAttribute(lowering))
        << rule;
  }
}

TEST(IntrinsicTest, MembersAreFoundByTheTypesOfTheirObjects) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto find = [&](llvm::StringRef type, llvm::StringRef member) {
    const Intrinsic *row =
        py::lookupMember(mlir::parseType(type, &context), member);
    return row ? row->name : llvm::StringLiteral("none");
  };
  EXPECT_EQ(find("!pyk.array<?xf32, c>", "shape"), "ndarray.shape");
  EXPECT_EQ(find("!pyk.array<?xf32, c>", "sum"), "none");
  EXPECT_EQ(find("si32", "item"), "generic.item");
  EXPECT_EQ(find("si32", "view"), "int.view");
  EXPECT_EQ(find("f32", "view"), "float.view");
  EXPECT_EQ(find("complex<f32>", "view"), "none");
  EXPECT_EQ(find("complex<f32>", "real"), "number.real");
  EXPECT_EQ(find("i1", "real"), "none");
  EXPECT_EQ(find("i1", "item"), "generic.item");
  EXPECT_EQ(find("!py.range<si64>", "stop"), "range.stop");
  EXPECT_EQ(find("!py.method<!pyk.array<?xf32, c>, \"ctypes\">", "data"),
            "ctypes.data");
  EXPECT_EQ(find("!py.method<!pyk.array<?xf32, c>, \"fill\">", "data"), "none");
  // The functions of a row's rules are of its kind.
  for (const Intrinsic &row : getIntrinsics()) {
    SCOPED_TRACE(row.name.str());
    bool isMember = llvm::is_contained(
        {"ndarray", "ctypes", "number", "generic", "int", "float", "range",
         "slice", "tuple", "str", "bytes", "dtype"},
        row.name.split('.').first);
    if (!isMember)
      continue;
    if (!isByOverloads(row.typing))
      EXPECT_EQ(py::TypingRules::get().ofAttribute(row.typing) != nullptr,
                row.isValue);
    EXPECT_TRUE(row.isValue
                    ? py::LoweringRules::get().ofAttribute(row.lowering) !=
                          nullptr
                    : py::LoweringRules::get()[row.lowering] != nullptr);
  }
}

TEST(IntrinsicTest, RowsAreFoundByTheirNames) {
  llvm::ArrayRef<Intrinsic> rows = getIntrinsics();
  EXPECT_GT(rows.size(), 100u);
  for (const Intrinsic &row : rows)
    EXPECT_EQ(lookupIntrinsic(row.name), &row) << row.name.str();
  EXPECT_EQ(lookupIntrinsic("math.sqr"), nullptr);
  EXPECT_EQ(lookupIntrinsic(""), nullptr);
  EXPECT_EQ(lookupIntrinsic("zzz"), nullptr);
  const Intrinsic *hypot = lookupIntrinsic("cuda.libdevice.hypotf");
  ASSERT_NE(hypot, nullptr);
  EXPECT_EQ(hypot->name, "cuda.libdevice.hypotf");
  ASSERT_EQ(hypot->overloads.size(), 1u);
  EXPECT_EQ(hypot->overloads[0].takes.size(), 2u);
  EXPECT_EQ(hypot->overloads[0].gives[0], "float32");
  mlir::MLIRContext context;
  EXPECT_EQ(hypot->getSetting<mlir::StringAttr>("function", &context), "hypot");
  EXPECT_EQ(lookupIntrinsic("cuda.libdevice.hypott"), nullptr);
}

TEST(IntrinsicTest, RowsNameTypesAndOpsThatThereAre) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  for (const Intrinsic &row : getIntrinsics()) {
    SCOPED_TRACE(row.name.str());
    EXPECT_EQ(row.overloads.empty(), !isByOverloads(row.typing));
    EXPECT_LE(row.least, row.most);
    for (const IntrinsicOverload &way : row.overloads) {
      EXPECT_GE(way.takes.size(), row.least);
      EXPECT_LE(way.takes.size(), row.most);
      EXPECT_EQ(way.takes.size(), way.computes.size());
      for (auto types : {way.takes, way.gives, way.computes})
        for (llvm::StringRef type : types)
          EXPECT_TRUE(py::getDtype(type, &context)) << type.str();
    }
    if (row.lowering == LoweringRule::Op)
      EXPECT_FALSE(row.op.empty());
    if (!row.op.empty())
      EXPECT_TRUE(mlir::RegisteredOperationName::lookup(row.op, &context))
          << row.op.str();
  }
}
