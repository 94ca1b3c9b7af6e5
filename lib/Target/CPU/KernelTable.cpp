// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes what the runtime must know of kernels into their own module, as the
// constants that ABI.h describes: what an image holds needs no description
// beside it, and no reader.

#include "BindToHost.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <cstddef>

using namespace llvm;
using namespace pyk;

/// A constant that only its address leads to.
static Constant *addConstant(Module &module, Constant *value,
                             const Twine &name) {
  auto *global =
      new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                         GlobalValue::InternalLinkage, value, name);
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

void pyk::addKernelTable(Module &module, ArrayRef<BoundKernel> kernels) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  auto *pointer = PointerType::get(context, 0);
  Constant *null = ConstantPointerNull::get(pointer);
  auto number = [&](uint64_t value) { return ConstantInt::get(i32, value); };
  auto *row =
      StructType::get(context, {i32, i32, i64, pointer, pointer, i32, i32,
                                pointer, pointer, i32, i32, i32, i32});
  assert(module.getDataLayout().getTypeAllocSize(row) ==
             sizeof(pyk_rt_kernel) &&
         "a field was added to pyk_rt_kernel");
  SmallVector<Constant *> rows;
  for (const BoundKernel &kernel : kernels) {
    Constant *sizes = null;
    if (!kernel.parameterBytes.empty())
      sizes = addConstant(
          module, ConstantDataArray::get(context, kernel.parameterBytes),
          kernel.name + ".parameters");
    rows.push_back(ConstantStruct::get(
        row,
        {number(PYK_RT_ABI_VERSION), number(kernel.staticSharedBytes),
         ConstantInt::get(i64, kernel.localBytes),
         kernel.thread ? static_cast<Constant *>(kernel.thread) : null,
         kernel.blocks ? static_cast<Constant *>(kernel.blocks) : null,
         number(std::min<uint64_t>(kernel.maxThreads, UINT32_MAX)),
         number(kernel.parameterBytes.size()), sizes,
         addConstant(module, ConstantDataArray::getString(context, kernel.name),
                     kernel.name + ".name"),
         number(kernel.waitsForGrid), number(kernel.thread && kernel.isOfBlock),
         number(kernel.isReversed), number(0)}));
  }
  Constant *table = addConstant(
      module, ConstantArray::get(llvm::ArrayType::get(row, rows.size()), rows),
      "kernels");
  for (auto [index, kernel] : enumerate(kernels))
    if (GlobalVariable *stand =
            module.getGlobalVariable(getRowName(kernel.name))) {
      stand->replaceAllUsesWith(ConstantExpr::getInBoundsGetElementPtr(
          row, table, ArrayRef<Constant *>{number(index)}));
      stand->eraseFromParent();
    }
  Constant *value =
      ConstantStruct::getAnon(context, {number(rows.size()), number(0), table});
  new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                     GlobalValue::ExternalLinkage, value, tableName);
}
