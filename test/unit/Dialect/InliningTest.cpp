// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the dialect tells MLIR's inliner: a body moves if it ends at its end.

#include "mlir/Analysis/CallGraph.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/Inliner.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/InitAll.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pyk;

/// The ops of `@caller` in `text` after its call has been inlined, if it can
/// be.
static std::string inlineInto(llvm::StringRef text) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "no module";
  auto caller = module->lookupSymbol<FuncOp>("caller");
  CallOp call = *caller.getBody().getOps<CallOp>().begin();
  auto callee = cast<CallableOpInterface>(call.resolveCallable());
  InlinerInterface interface(&context);
  InlinerConfig config;
  if (succeeded(inlineCall(interface, config.getCloneCallback(), call, callee,
                           callee.getCallableRegion())))
    call.erase();
  std::string ops;
  for (Operation &op : caller.getBody().front())
    ops += (op.getName().getStringRef() + "\n").str();
  return ops;
}

TEST(InliningTest, BodyTakesThePlaceOfTheCall) {
  EXPECT_EQ(inlineInto(R"mlir(
    pyk.func @caller(%x: f32) -> f32 {
      %r = pyk.call @twice(%x) : (f32) -> f32
      pyk.return %r : f32
    }
    pyk.func @twice(%x: f32) -> f32 {
      %sum = arith.addf %x, %x : f32
      pyk.return %sum : f32
    })mlir"),
            "arith.addf\npyk.return\n");
}

TEST(InliningTest, BodyThatIsLeftEarlyStays) {
  EXPECT_EQ(inlineInto(R"mlir(
    pyk.func @caller(%c: i1) {
      pyk.call @meet(%c) : (i1) -> ()
      pyk.return
    }
    pyk.func @meet(%c: i1) {
      pyk.if %c {
        pyk.return
      }
      pyk.barrier
      pyk.return
    })mlir"),
            "pyk.call\npyk.return\n");
}

TEST(InliningTest, ScopeMakesItMove) {
  EXPECT_EQ(inlineInto(R"mlir(
    pyk.func @caller(%c: i1) {
      pyk.call @meet(%c) : (i1) -> ()
      pyk.return
    }
    pyk.func @meet(%c: i1) {
      pyk.scope {
        pyk.if %c {
          pyk.return
        }
        pyk.barrier
        pyk.return
      }
      pyk.return
    })mlir"),
            "pyk.scope\npyk.return\n");
}
