// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: a thin skin over pyk::compile.

#include "pyk-c/PyK.h"
#include "pyk/Compiler/Compiler.h"
#include "pyk/InitAll.h"
#include "pyk/Libdevice/Libdevice.h"
#include "pyk/Target/PTX.h"
#include "llvm/Support/ErrorHandling.h"
#include <bits/functexcept.h>
#include <mutex>

using namespace pyk;

struct PykError {
  RenderedError error;
};

struct PykKernel {
  CompiledKernel kernel;
  std::string name;
};

struct PykModule {
  std::unique_ptr<CompiledModule> module;
  std::string reproduce;
  std::vector<PykKernel> kernels;
  /// Made when it is asked for: most modules are launched here.
  mutable std::once_flag hasArtifact;
  mutable std::string artifact;
};

static PykError *makeError(std::string kind, std::string text) {
  auto *error = new PykError;
  error->error.kind = std::move(kind);
  error->error.text = std::move(text);
  return error;
}

static PykStringRef toRef(llvm::StringRef text) {
  return {text.data(), text.size()};
}

const char *pyk_error_kind(const PykError *error) {
  return error->error.kind.c_str();
}
const char *pyk_error_message(const PykError *error) {
  return error->error.text.c_str();
}
const char *pyk_error_file(const PykError *error) {
  return error->error.file.c_str();
}
int pyk_error_line(const PykError *error) { return error->error.line; }
int pyk_error_column(const PykError *error) { return error->error.column; }
void pyk_error_destroy(PykError *error) { delete error; }

const char *pyk_version(void) { return PYK_VERSION; }

uint32_t pyk_api_version(void) { return PYK_C_API_VERSION; }

/// Lets LLVM, where it would end the process for want of memory, throw what
/// `new` throws; a caller that has exceptions may go on.
static void throwWhenOutOfMemory() {
  static std::once_flag isInstalled;
  std::call_once(isInstalled, [] {
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { std::__throw_bad_alloc(); });
  });
}

PykModule *pyk_compile(const PykCompileOptions *options, PykError **error) {
  throwWhenOutOfMemory();
  registerAllBackends();
  auto refuse = [&](llvm::Error why) {
    *error = makeError("ValueError", llvm::toString(std::move(why)));
    return nullptr;
  };
  CompileOptions own;
  own.target = options->target ? options->target : "";
  if (options->target)
    if (auto target = findBackend(options->target); !target)
      return refuse(target.takeError());
  if (options->kernel)
    own.kernel = options->kernel;
  for (const PykCompileOption &option :
       llvm::ArrayRef(options->options, options->num_options))
    if (llvm::Error why = setCompileOption(own, option.name, option.value))
      return refuse(std::move(why));
  *error = pyk_check_chip(own.chip.c_str());
  if (*error)
    return nullptr;
  if (options->dump_stages)
    own.dumpStages = options->dump_stages;
  own.explain = options->explain != 0;
  if (options->emit) {
    auto stage = findStage(options->emit);
    if (!stage)
      return refuse(stage.takeError());
    own.emit = *stage;
  }
  llvm::StringRef source(options->source.data, options->source.size);
  llvm::StringRef name =
      options->source_name ? options->source_name : "<kernel>";
  RenderedError rendered;
  std::unique_ptr<CompiledModule> module = compile(source, name, own, rendered);
  if (!module) {
    *error = new PykError{std::move(rendered)};
    return nullptr;
  }
  auto *result = new PykModule;
  result->module = std::move(module);
  for (unsigned i = 0; i < result->module->getNumKernels(); ++i) {
    CompiledKernel kernel = result->module->getKernel(i);
    result->kernels.push_back({kernel, kernel.getName().str()});
  }
  result->reproduce = "pyk-opt " + name.str();
  // A shell takes the options of a pipeline for words of their own.
  for (llvm::StringRef flag : result->module->getReproduceFlags())
    result->reproduce +=
        flag.contains(' ') ? (" '" + flag + "'").str() : (" " + flag).str();
  result->reproduce += " -o /dev/null";
  return result;
}

void pyk_module_destroy(PykModule *module) { delete module; }

PykStringRef pyk_module_emitted(const PykModule *module) {
  return toRef(module->module->getEmitted());
}
PykStringRef pyk_module_manifest(const PykModule *module) {
  return toRef(module->module->getManifest());
}
PykStringRef pyk_module_artifact(const PykModule *module) {
  if (module->module->getTarget())
    std::call_once(module->hasArtifact,
                   [&] { module->artifact = module->module->getArtifact(); });
  return toRef(module->artifact);
}
PykStringRef pyk_module_reproduce(const PykModule *module) {
  return toRef(module->reproduce);
}
PykStringRef pyk_module_remark(const PykModule *module, size_t index) {
  llvm::ArrayRef<std::string> remarks = module->module->getRemarks();
  return index < remarks.size() ? toRef(remarks[index])
                                : PykStringRef{nullptr, 0};
}
PykStringRef pyk_module_times(const PykModule *module) {
  return toRef(module->module->getTimes());
}
PykStringRef pyk_module_ptx(const PykModule *module) {
  const TargetBackend *target = module->module->getTarget();
  bool isPTX = target && target->getFormat() == "ptx";
  return toRef(isPTX ? module->module->getCode() : "");
}

const PykKernel *pyk_module_kernel(const PykModule *module, size_t index) {
  return index < module->kernels.size() ? &module->kernels[index] : nullptr;
}
pyk_rt_signature pyk_kernel_signature(const PykKernel *kernel) {
  return kernel->kernel.getSignature();
}
const char *pyk_kernel_name(const PykKernel *kernel) {
  return kernel->name.c_str();
}
int pyk_kernel_prints(const PykKernel *kernel) {
  return kernel->kernel.mayPrint();
}
int pyk_kernel_is_cooperative(const PykKernel *kernel) {
  return kernel->kernel.isCooperative();
}
const pyk_rt_kernel *pyk_kernel_entry(const PykKernel *kernel) {
  return kernel->kernel.getHostEntry();
}

PykError *pyk_infer_result(PykStringRef source, const char *source_name,
                           void (*take)(void *user, PykStringRef type),
                           void *user) {
  RenderedError rendered;
  std::optional<std::string> type =
      inferResult({source.data, source.size},
                  source_name ? source_name : "<function>", rendered);
  if (!type)
    return new PykError{std::move(rendered)};
  take(user, toRef(*type));
  return nullptr;
}

PykError *pyk_check_chip(const char *chip) {
  auto found = findChip(chip);
  if (found)
    return nullptr;
  return makeError("ValueError", llvm::toString(found.takeError()));
}

const char *pyk_target(size_t index) {
  registerAllBackends();
  std::vector<llvm::StringRef> targets = getTargets();
  // All names are literals, which end in a null.
  return index < targets.size() ? targets[index].data() : nullptr;
}

const char *pyk_stage(size_t index, const char **target) {
  registerAllBackends();
  std::vector<const Stage *> stages = getStages();
  if (index >= stages.size())
    return nullptr;
  const TargetBackend *owner = getOwner(*stages[index]);
  *target = owner ? owner->getName().data() : nullptr;
  return stages[index]->name.data();
}

const char *pyk_compile_option(size_t index, const char **words,
                               const char **help) {
  llvm::ArrayRef<CompileOptionInfo> infos = getCompileOptionInfos();
  if (index >= infos.size())
    return nullptr;
  // Literals, which end in a null.
  *words = infos[index].words.data();
  *help = infos[index].help.data();
  return infos[index].flag.data();
}

const char *pyk_libdevice_function(size_t index, const char **type) {
  llvm::ArrayRef<const LibdeviceOverload *> functions = getLibdeviceOverloads();
  if (index >= functions.size())
    return nullptr;
  // Literals, which end in a null.
  *type = functions[index]->type.data();
  return functions[index]->symbol.data();
}
