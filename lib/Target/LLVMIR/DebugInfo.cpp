// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why not upstream's pass: it calls functions by their symbols, of which
// specializations of one function have several, and knows no variables.

#include "DebugInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using pyk::DebugInfo;
using pyk::findSourceRange;

static LLVM::DIFileAttr getFile(MLIRContext *context, FileLineColRange range) {
  if (!range)
    return LLVM::DIFileAttr::get(context, "<unknown>", "");
  StringRef path = range.getFilename().getValue();
  return LLVM::DIFileAttr::get(context, llvm::sys::path::filename(path),
                               llvm::sys::path::parent_path(path));
}

/// The function of the program that `function` was made of; to `unit` belong
/// those that have a body.
static LLVM::DISubprogramAttr getSubprogram(LLVM::LLVMFuncOp function,
                                            LLVM::DICompileUnitAttr unit) {
  MLIRContext *context = function.getContext();
  FileLineColRange range = findSourceRange(function.getLoc());
  LLVM::DIFileAttr file = getFile(context, range);
  unsigned line = range ? range.getStartLine() : 1;
  StringAttr symbol = function.getSymNameAttr(), name = symbol;
  // What others cannot call has no symbol that would tell anybody anything.
  bool isLocal = function.getLinkage() == LLVM::Linkage::Internal;
  function.getLoc()->walk([&](Location inner) {
    auto named = dyn_cast<NameLoc>(inner);
    if (named)
      name = named.getName();
    return named ? WalkResult::interrupt() : WalkResult::advance();
  });
  DistinctAttr id;
  LLVM::DISubprogramFlags flags = LLVM::DISubprogramFlags::Optimized;
  if (function.isExternal()) {
    unit = nullptr;
  } else {
    id = DistinctAttr::create(UnitAttr::get(context));
    flags = flags | LLVM::DISubprogramFlags::Definition;
    if (isLocal)
      flags = flags | LLVM::DISubprogramFlags::LocalToUnit;
  }
  auto type = LLVM::DISubroutineTypeAttr::get(
      context, llvm::dwarf::DW_CC_normal, /*types=*/{});
  return LLVM::DISubprogramAttr::get(context, id, unit, file, name,
                                     isLocal ? nullptr : symbol, file, line,
                                     /*scopeLine=*/line, flags, type,
                                     /*retainedNodes=*/{}, /*annotations=*/{});
}

/// Says which variables of `scope` the slots of `function` are.
static void declareVariables(LLVM::LLVMFuncOp function,
                             LLVM::DISubprogramAttr scope) {
  MLIRContext *context = function.getContext();
  function.walk([&](LLVM::AllocaOp slot) {
    auto variable = pyk::kVariable.get(slot);
    FileLineColRange range = findSourceRange(slot.getLoc());
    if (!variable || !range)
      return;
    auto argument = variable.getAs<IntegerAttr>("argument");
    auto described = LLVM::DILocalVariableAttr::get(
        context, scope, variable.getAs<StringAttr>("name"), scope.getFile(),
        range.getStartLine(), argument ? argument.getInt() : 0,
        /*alignInBits=*/0, variable.getAs<LLVM::DITypeAttr>("type"),
        LLVM::DIFlags::Zero);
    OpBuilder b(context);
    b.setInsertionPointAfter(slot);
    LLVM::DbgDeclareOp::create(b, slot.getLoc(), slot, described,
                               LLVM::DIExpressionAttr::get(context));
  });
}

void pyk::addDebugInfo(gpu::GPUModuleOp module, DebugInfo debugInfo) {
  MLIRContext *context = module.getContext();
  bool isFull = debugInfo == DebugInfo::Full;
  auto functions = llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>());
  // Tools look for the file of the unit first.
  FileLineColRange range;
  for (LLVM::LLVMFuncOp function : functions)
    if (!range || function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      range = findSourceRange(function.getLoc());
  auto unit = LLVM::DICompileUnitAttr::get(
      DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C,
      getFile(context, range), StringAttr::get(context, "PyK"),
      /*isOptimized=*/!isFull,
      isFull ? LLVM::DIEmissionKind::Full
             : LLVM::DIEmissionKind::DebugDirectivesOnly,
      // Tables of names take differences of labels, which PTX has since 7.5.
      LLVM::DINameTableKind::None);
  for (LLVM::LLVMFuncOp function : functions) {
    LLVM::DISubprogramAttr scope = getSubprogram(function, unit);
    function->setLoc(FusedLoc::get(context, function.getLoc(), scope));
    if (isFull && !function.isExternal())
      declareVariables(function, scope);
  }
}
