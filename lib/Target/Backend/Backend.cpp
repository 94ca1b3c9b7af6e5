// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry. One for the process, as for LLVM's targets and MLIR's passes.

#include "pyk/Target/Backend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <mutex>

using namespace pyk;
using llvm::StringRef;

namespace {

struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<TargetBackend>> backends;
};

} // namespace

static Registry &getRegistry() {
  // Never destroyed: compilations may outlive static objects.
  static auto *registry = new Registry;
  return *registry;
}

TargetBackend::~TargetBackend() = default;

void TargetBackend::buildPipeline(const Stage &stage, mlir::OpPassManager &pm,
                                  const CompileOptions &options) const {
  llvm_unreachable("a back end with stages of MLIR builds their pipelines");
}

llvm::Expected<std::string>
TargetBackend::print(const Stage &stage, LoweredModule module,
                     const CompileOptions &options) const {
  llvm_unreachable("a back end with stages of text prints them");
}

/// Ends the process if `backend` has a name that there is in `registry`.
static void checkNames(const TargetBackend &backend, const Registry &registry) {
  std::vector<const Stage *> stages(getCommonStages());
  for (const auto &other : registry.backends) {
    if (other->getName() == backend.getName())
      llvm::reportFatalUsageError("expects a back end with a name of its own "
                                  "but got '" +
                                  backend.getName() + "' again");
    llvm::append_range(stages, other->getStages());
  }
  for (const Stage *stage : backend.getStages())
    for (const Stage *other : stages)
      if (other->name == stage->name)
        llvm::reportFatalUsageError("expects stages with names of their own "
                                    "but back end '" +
                                    backend.getName() + "' has '" +
                                    stage->name + "' again");
}

void pyk::registerBackend(std::unique_ptr<TargetBackend> backend) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  checkNames(*backend, registry);
  registry.backends.push_back(std::move(backend));
}

std::vector<const TargetBackend *> pyk::getBackends() {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  std::vector<const TargetBackend *> backends;
  backends.reserve(registry.backends.size());
  for (const auto &backend : registry.backends)
    backends.push_back(backend.get());
  return backends;
}

std::vector<StringRef> pyk::getTargets() {
  std::vector<StringRef> names;
  for (const TargetBackend *backend : getBackends())
    names.push_back(backend->getName());
  llvm::sort(names);
  return names;
}

/// `names` as a sentence has them: "a, b or c".
static std::string list(llvm::ArrayRef<StringRef> names) {
  if (names.size() < 2)
    return llvm::join(names, "");
  return llvm::join(names.drop_back(), ", ") + " or " + names.back().str();
}

llvm::Expected<const TargetBackend *> pyk::findBackend(StringRef name) {
  for (const TargetBackend *backend : getBackends())
    if (backend->getName() == name)
      return backend;
  return llvm::createStringError("expects a target of " + list(getTargets()) +
                                 " but got '" + name + "'");
}

std::vector<const Stage *> pyk::getStages() {
  std::vector<const Stage *> stages(getCommonStages());
  for (const TargetBackend *backend : getBackends())
    llvm::append_range(stages, backend->getStages());
  return stages;
}

llvm::Expected<const Stage *> pyk::findStage(StringRef name) {
  std::vector<StringRef> names;
  for (const Stage *stage : getStages()) {
    if (stage->name == name)
      return stage;
    names.push_back(stage->name);
  }
  return llvm::createStringError("expects a stage of " + list(names) +
                                 " but got '" + name + "'");
}

const TargetBackend *pyk::getOwner(const Stage &stage) {
  for (const TargetBackend *backend : getBackends())
    if (llvm::is_contained(backend->getStages(), &stage))
      return backend;
  return nullptr;
}

std::string pyk::getPrintPTXFlag(const CompileOptions &options) {
  const CompileOptions defaults;
  std::string flag = "--pyk-print-ptx=chip=" + options.chip;
  for (StringRef name : {"debug-info", "opt"})
    if (std::string value = getCompileOption(options, name);
        value != getCompileOption(defaults, name))
      flag += " " + name.str() + "=" + value;
  return flag;
}
