// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of variables that two paths assign.

#include "mlir/IR/MLIRContext.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyDialect.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

namespace {

class UnifyTest : public testing::Test {
protected:
  UnifyTest() { context.loadDialect<PyDialect, PykDialect>(); }

  /// A namedtuple that holds another one and so on, the innermost `inner`.
  Type nest(Type inner, unsigned depth) {
    auto name = StringAttr::get(&context, "a");
    for (unsigned i = 0; i < depth; ++i)
      inner =
          NamedTupleType::get(&context, "N", ArrayAttr::get(&context, {name}),
                              TupleType::get(&context, {inner}));
    return inner;
  }

  MLIRContext context;
  Type f32 = Float32Type::get(&context), f64 = Float64Type::get(&context);
};

// Each level is asked once: twice would take a year.
TEST_F(UnifyTest, DeepTypesThatDoNotUnify) {
  Type range = RangeType::get(
      &context, IntegerType::get(&context, 64, IntegerType::Signed));
  EXPECT_FALSE(unify(nest(f32, 50), nest(range, 50)));
  EXPECT_EQ(unify(nest(f32, 50), nest(f64, 50)), nest(f64, 50));
}

// Whichever comes first.
TEST_F(UnifyTest, OptionalsAndMembers) {
  Type member = EnumType::get(
      &context, "m.Color", IntegerType::get(&context, 64, IntegerType::Signed),
      /*integer=*/true);
  Type none = NoneType::get(&context);
  Type optional = OptionalType::get(&context, f32);
  for (bool swapped : {false, true}) {
    auto meet = [&](Type a, Type b) {
      return swapped ? unify(b, a) : unify(a, b);
    };
    EXPECT_EQ(meet(f32, none), optional);
    EXPECT_EQ(meet(optional, f64), OptionalType::get(&context, f64));
    EXPECT_EQ(meet(member, f64), f64);
    EXPECT_FALSE(meet(nest(f32, 1), member));
  }
}

} // namespace
