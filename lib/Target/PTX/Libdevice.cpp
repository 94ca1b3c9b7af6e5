// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and links libdevice, or puts formulas and instructions in its place if
// there is none or results are to be the same on all targets. Its bitcode is
// read lazily, so that only functions that a kernel calls are ever parsed:
// linking takes a millisecond, whatever the size of the library.

#include "Libdevice.h"
#include "../Math/Formulas.h"
#include "pyk/Libdevice/Libdevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

static constexpr StringLiteral kPathInToolkit =
    "nvvm/libdevice/libdevice.10.bc";

/// Whether `module` calls `__nv_…`; `name` becomes one that it calls.
static bool callsLibdevice(const Module &module, StringRef &name) {
  for (const Function &function : module)
    if (function.isDeclaration() &&
        function.getName().starts_with(pyk::kLibdevicePrefix)) {
      name = function.getName();
      return true;
    }
  return false;
}

/// The library's file: what PYK_LIBDEVICE names, else that of the first
/// toolkit; empty if there is none.
static Expected<std::string> findLibdevice() {
  if (auto file = sys::Process::GetEnv("PYK_LIBDEVICE")) {
    if (sys::fs::exists(*file))
      return *file;
    return createStringError("cannot read '" + *file +
                             "', which PYK_LIBDEVICE names as libdevice");
  }
  SmallVector<std::string> roots;
  for (StringRef variable : {"CUDA_HOME", "CUDA_PATH"})
    if (auto root = sys::Process::GetEnv(variable))
      roots.push_back(*root);
  if (roots.empty())
    roots.push_back("/usr/local/cuda");
  for (StringRef root : roots) {
    SmallString<128> path(root);
    sys::path::append(path, kPathInToolkit);
    if (sys::fs::exists(path))
      return std::string(path);
  }
  return std::string();
}

Expected<std::unique_ptr<Module>> pyk::openLibdevice(LLVMContext &context) {
  auto path = findLibdevice();
  if (!path)
    return path.takeError();
  if (path->empty())
    return nullptr;
  auto buffer = MemoryBuffer::getFile(*path);
  if (!buffer)
    return createStringError("cannot read libdevice at '" + *path +
                             "': " + buffer.getError().message());
  auto library = getOwningLazyBitcodeModule(std::move(*buffer), context);
  if (!library)
    return createStringError("cannot read libdevice at '" + *path +
                             "': " + toString(library.takeError()));
  (*library)->setModuleIdentifier(*path);
  return library;
}

/// What `call`, of a function that has that row, computes, by means of PyK's
/// own; null if there are none. A function that has a formula is approximated
/// only with `mayApproximate`.
static Expected<Value *> compute(CallInst &call,
                                 const pyk::LibdeviceOverload &row,
                                 bool mayApproximate) {
  if (Error error =
          pyk::expectType(call, *pyk::getFunctionType(row, call.getContext())))
    return error;
  if (mayApproximate || !row.host.hasFormula)
    if (Value *result = pyk::approximateLibdevice(call, row))
      return result;
  if (row.host.hasFormula)
    return pyk::callFormula(call, row.host.function,
                            pyk::FormulaCalls::MayBeInlined);
  if (Value *result = pyk::computeInstruction(call, row.host))
    return result;
  return pyk::computeLibdeviceInstruction(call, row);
}

/// Puts PyK's own means in the place of calls of libdevice. With
/// `mayApproximate` functions that approximate are instructions, not formulas.
static Error replaceLibdevice(Module &module, bool mayApproximate) {
  if (Error error = pyk::splitResults(module))
    return error;
  // Formulas are functions that have nothing to replace.
  SmallVector<Function *> callees;
  for (Function &function : module)
    if (function.isDeclaration() &&
        function.getName().starts_with(pyk::kLibdevicePrefix))
      callees.push_back(&function);
  for (Function *callee : callees) {
    StringRef name = callee->getName();
    const pyk::LibdeviceOverload *row =
        pyk::lookupLibdeviceSymbol(name.substr(pyk::kLibdevicePrefix.size()));
    for (User *user : make_early_inc_range(callee->users())) {
      auto *call = dyn_cast<CallInst>(user);
      Expected<Value *> result =
          call && row ? compute(*call, *row, mayApproximate) : nullptr;
      if (!result)
        return result.takeError();
      if (!*result)
        return createStringError(
            "cannot find libdevice, which defines '" + name +
            "', and PyK does not know that function; install a CUDA toolkit "
            "and "
            "set CUDA_HOME to it, or set PYK_LIBDEVICE to a file "
            "libdevice.10.bc");
      call->replaceAllUsesWith(*result);
      call->eraseFromParent();
    }
    callee->eraseFromParent();
  }
  return Error::success();
}

Error pyk::bindLibdevice(Module &module) {
  StringRef needed;
  if (!callsLibdevice(module, needed))
    return Error::success();
  if (any_of(module, isReproducible))
    return replaceLibdevice(module, /*mayApproximate=*/false);
  auto library = openLibdevice(module.getContext());
  if (!library)
    return library.takeError();
  if (!*library)
    return replaceLibdevice(module, /*mayApproximate=*/true);
  std::string path = (*library)->getModuleIdentifier();
  // It is made for every GPU; LLVM would warn that the names differ.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  auto makeInternal = [](Module &linked, const StringSet<> &names) {
    for (StringRef name : names.keys())
      if (GlobalValue *value = linked.getNamedValue(name))
        value->setLinkage(GlobalValue::InternalLinkage);
  };
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded,
                          makeInternal))
    return createStringError("cannot link libdevice at '" + path + "'");
  if (callsLibdevice(module, needed))
    return createStringError("cannot find '" + needed + "' in libdevice at '" +
                             path + "'");
  return Error::success();
}
