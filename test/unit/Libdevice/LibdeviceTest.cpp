// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds of every row of Libdevice.td: the look-ups find it, NVIDIA's
// library has it with that type, and the host has something in its place. What
// that computes is tested with the CPU target.

#include "Target/PTX/Libdevice.h"
#include "Target/Math/Formulas.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/TypeRange.h"
#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace pyk;
using llvm::StringRef;

TEST(LibdeviceTest, RowsAreFoundByTheirNames) {
  size_t overloads = 0;
  for (const LibdeviceFunction &function : getLibdevice()) {
    EXPECT_EQ(lookupLibdevice(function.name), &function) << function.name.str();
    for (const LibdeviceOverload &overload : function.overloads)
      EXPECT_EQ(lookupLibdeviceSymbol(overload.symbol), &overload)
          << overload.symbol.str();
    overloads += function.overloads.size();
  }
  EXPECT_EQ(overloads, getLibdeviceOverloads().size());
  EXPECT_EQ(overloads, 318u);
  for (StringRef name : {"", "sinf", "llabs", "si", "~"})
    EXPECT_EQ(lookupLibdevice(name), nullptr) << name.str();
  for (StringRef symbol : {"", "__nv_sin", "isfinite", "~"})
    EXPECT_EQ(lookupLibdeviceSymbol(symbol), nullptr) << symbol.str();
}

TEST(LibdeviceTest, TypesChooseTheOverload) {
  mlir::MLIRContext context;
  for (const LibdeviceFunction &function : getLibdevice())
    for (const LibdeviceOverload &overload : function.overloads) {
      EXPECT_EQ(function.findOverload(overload.getOpType(&context)), &overload)
          << overload.symbol.str();
      // Of the operands alone, so that results follow.
      EXPECT_EQ(llvm::count_if(function.overloads,
                               [&](const LibdeviceOverload &other) {
                                 return other.parameters == overload.parameters;
                               }),
                1)
          << overload.symbol.str();
    }
  auto none = mlir::FunctionType::get(&context, {}, {});
  EXPECT_EQ(lookupLibdevice("sin")->findOverload(none), nullptr);
}

TEST(LibdeviceTest, NamesFollowNvidiasRule) {
  auto symbol = [](StringRef name, size_t overload) {
    return lookupLibdevice(name)->overloads[overload].symbol;
  };
  EXPECT_EQ(symbol("atan2", 0), "atan2");
  EXPECT_EQ(symbol("atan2", 1), "atan2f");
  EXPECT_EQ(symbol("fma_rd", 1), "fmaf_rd");
  EXPECT_EQ(symbol("isfinite", 0), "isfinited");
  EXPECT_EQ(symbol("isfinite", 1), "finitef");
  EXPECT_EQ(symbol("abs", 1), "llabs");
  EXPECT_EQ(symbol("fast_sin", 0), "fast_sinf");
}

TEST(LibdeviceTest, ErrorsAreThoseThatNvidiaStates) {
  EXPECT_EQ(lookupLibdeviceSymbol("sinf")->maxUlp, 2);
  EXPECT_EQ(lookupLibdeviceSymbol("sin")->maxUlp, 1);
  EXPECT_EQ(lookupLibdeviceSymbol("fmod")->maxUlp, 0);
  // It depends on the argument.
  EXPECT_LT(lookupLibdeviceSymbol("lgamma")->maxUlp, 0);
  EXPECT_LT(lookupLibdeviceSymbol("fast_sinf")->maxUlp, 0);
}

TEST(LibdeviceTest, TheHostHasSomethingForEveryFunction) {
  for (const LibdeviceOverload *overload : getLibdeviceOverloads()) {
    SCOPED_TRACE(overload->symbol.str());
    const LibdeviceHost &host = overload->host;
    EXPECT_EQ(!host.function.empty() + host.isBitcast + host.isSplit +
                  (host.intrinsic != llvm::Intrinsic::not_intrinsic),
              1);
    EXPECT_EQ(host.classMask != 0,
              host.intrinsic == llvm::Intrinsic::is_fpclass);
  }
}

/// The type as the table writes it, with `P` for pointers.
static std::string describe(const llvm::FunctionType &type) {
  auto letter = [](const llvm::Type &one) {
    if (one.isVoidTy())
      return 'v';
    if (one.isPointerTy())
      return 'P';
    if (one.isFloatTy() || one.isDoubleTy())
      return one.isFloatTy() ? 'f' : 'd';
    return one.isIntegerTy(16) ? 'h' : one.isIntegerTy(32) ? 'i' : 'l';
  };
  std::string text(1, letter(*type.getReturnType()));
  for (const llvm::Type *parameter : type.params())
    text += letter(*parameter);
  return text;
}

TEST(LibdeviceTest, NvidiasLibraryHasEveryFunction) {
  llvm::LLVMContext context;
  auto library = openLibdevice(context);
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  if (!*library)
    GTEST_SKIP() << "there is no libdevice";
  for (const LibdeviceOverload *overload : getLibdeviceOverloads()) {
    SCOPED_TRACE(overload->symbol.str());
    std::string symbol = (kLibdevicePrefix + overload->symbol).str();
    const llvm::Function *function = (*library)->getFunction(symbol);
    ASSERT_TRUE(function);
    EXPECT_FALSE(function->isDeclaration());
    std::string type = overload->type.str();
    for (char &letter : type)
      if (llvm::isUpper(letter))
        letter = 'P';
    EXPECT_EQ(describe(*function->getFunctionType()), type);
  }
}

TEST(LibdeviceTest, PtxNeedsNoLibrary) {
  setenv("CUDA_HOME", "/nowhere", 1);
  unsetenv("PYK_LIBDEVICE");
  for (const LibdeviceOverload *overload : getLibdeviceOverloads()) {
    SCOPED_TRACE(overload->symbol.str());
    llvm::LLVMContext context;
    llvm::Module module("m", context);
    module.setTargetTriple(llvm::Triple("nvptx64-nvidia-cuda"));
    llvm::FunctionType *type = getFunctionType(*overload, context);
    auto callee = module.getOrInsertFunction(
        (kLibdevicePrefix + overload->symbol).str(), type);
    auto *function = llvm::Function::Create(
        type, llvm::GlobalValue::ExternalLinkage, "caller", module);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", function));
    auto *call = b.CreateCall(
        callee, llvm::map_to_vector(
                    function->args(),
                    [](llvm::Argument &one) -> llvm::Value * { return &one; }));
    if (type->getReturnType()->isVoidTy())
      b.CreateRetVoid();
    else
      b.CreateRet(call);
    EXPECT_EQ(llvm::toString(bindLibdevice(module)), "");
    EXPECT_FALSE(llvm::verifyModule(module, &llvm::errs()));
    for (const llvm::Function &one : module)
      EXPECT_FALSE(one.getName().starts_with(kLibdevicePrefix))
          << one.getName().str();
    bool mayApproximate =
        overload->symbol == "fast_fdividef" || overload->symbol == "saturatef";
    EXPECT_EQ(overload->isReproducible, !mayApproximate);
  }
}
