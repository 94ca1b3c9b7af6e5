// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stand-in's modules and functions.

#include "Entry.h"

#include <algorithm>
#include <cstring>

using namespace standin;
using namespace pyk::runtime::driver;

namespace {

Object *function(State &state, const void *handle, const char *call) {
  return state.find(Kind::Function, handle, call);
}

const ptxmachine::Function &kernelOf(const Object &function) {
  return *function.kernel->text;
}

void writeLog(const std::string &log, unsigned count, const int32_t *options,
              void *const *values) {
  char *buffer = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == jitErrorLog)
      buffer = static_cast<char *>(values[i]);
    if (options[i] == jitErrorLogBytes)
      bytes = reinterpret_cast<uintptr_t>(values[i]);
  }
  if (!buffer || bytes == 0)
    return;
  size_t length = std::min(log.size(), bytes - 1);
  std::memcpy(buffer, log.data(), length);
  buffer[length] = '\0';
}

std::vector<const ptxmachine::Variable *>
getVariables(const ptxmachine::Function &function) {
  std::vector<const ptxmachine::Variable *> variables;
  variables.reserve(function.variables.size());
  for (const ptxmachine::Variable &variable : function.variables)
    variables.push_back(&variable);
  return variables;
}

/// The bytes of those that are in a space.
uint64_t countBytes(const std::vector<const ptxmachine::Variable *> &variables,
                    ptxmachine::Space space) {
  uint64_t bytes = 0;
  for (const ptxmachine::Variable *variable : variables)
    if (variable->space == space)
      bytes += variable->bytes;
  return bytes;
}

/// Forgets a module, its functions and its variables.
void unload(State &state, uintptr_t handle) {
  for (auto it = state.objects.begin(); it != state.objects.end();)
    it = it->first == handle || it->second.module == handle
             ? state.objects.erase(it)
             : std::next(it);
  for (auto it = state.memories.begin(); it != state.memories.end();) {
    if (it->second.module != handle) {
      ++it;
      continue;
    }
    std::free(it->second.host);
    it = state.memories.erase(it);
  }
}

/// Links a text, and gives its variables memory.
void loadProgram(State &state, Module &module, uintptr_t handle,
                 const std::string &text) {
  module.program = ptxmachine::Program::link({text});
  ptxmachine::Program &program = *module.program;
  for (const ptxmachine::Variable *variable : program.getVariables()) {
    CuAddress address;
    if (state.allocate(Source::Variable, std::max<size_t>(variable->bytes, 1),
                       address) != Success)
      throw ptxmachine::TextError(0, "error   : no memory for variables");
    state.memories[address].module = handle;
    state.memories[address].isReadOnly =
        variable->space == ptxmachine::Space::Const;
    program.place(variable->name, address);
    module.variables[variable->name] = address;
  }
  program.prepare();
  for (const ptxmachine::Variable *variable : program.getVariables())
    program.initialize(
        *variable,
        state.translate(module.variables[variable->name], variable->bytes));
  if (program.getKernels().empty())
    throw ptxmachine::TextError(1, "fatal   : no .entry in the text");
  for (const std::string &opcode : program.getOpcodes())
    state.opcodes.insert(opcode);
}

} // namespace

extern "C" {

STANDIN_API CuResult cuModuleLoadDataEx(CuModule *module, const void *image,
                                        unsigned count, int32_t *options,
                                        void **values) {
  STANDIN_BEGIN_IN_CONTEXT(cuModuleLoadDataEx);
  if (std::memcmp(image, "\177ELF", 4) == 0)
    return NoBinaryForGpu;
  state.jitOptions.clear();
  for (unsigned i = 0; i < count; ++i)
    state.jitOptions[options[i]] = reinterpret_cast<uintptr_t>(values[i]);
  auto asks = [&](int32_t option, uintptr_t value) {
    auto found = state.jitOptions.find(option);
    return found != state.jitOptions.end() && found->second == value;
  };
  if (asks(jitDebugInfo, 1) && !asks(jitOptimizationLevel, 0)) {
    writeLog("Optimized debugging not supported", count, options, values);
    return InvalidPtx;
  }
  auto code = std::make_shared<Module>();
  Object made = {};
  made.kind = Kind::Module;
  made.code = code;
  uintptr_t handle = state.add(std::move(made));
  try {
    loadProgram(state, *code, handle, static_cast<const char *>(image));
  } catch (const std::exception &error) {
    unload(state, handle);
    writeLog(error.what(), count, options, values);
    return InvalidPtx;
  }
  *module = reinterpret_cast<CuModule>(handle);
  return Success;
}

STANDIN_API CuResult cuModuleUnload(CuModule module) {
  STANDIN_BEGIN_IN_CONTEXT(cuModuleUnload);
  state.waitForAll(lock);
  if (!state.find(Kind::Module, module, "cuModuleUnload"))
    return InvalidHandle;
  unload(state, reinterpret_cast<uintptr_t>(module));
  return Success;
}

STANDIN_API CuResult cuModuleGetFunction(CuFunction *result, CuModule module,
                                         const char *name) {
  STANDIN_BEGIN_IN_CONTEXT(cuModuleGetFunction);
  Object *loaded = state.find(Kind::Module, module, "cuModuleGetFunction");
  if (!loaded)
    return InvalidHandle;
  const ptxmachine::Code *kernel = loaded->code->program->find(name);
  if (!kernel || !kernel->text->isKernel)
    return NotFound;
  Object made = {};
  made.kind = Kind::Function;
  made.code = loaded->code;
  made.kernel = kernel;
  made.module = reinterpret_cast<uintptr_t>(module);
  *result = reinterpret_cast<CuFunction>(state.add(std::move(made)));
  return Success;
}

STANDIN_API CuResult cuModuleGetGlobal_v2(CuAddress *address, size_t *bytes,
                                          CuModule module, const char *name) {
  STANDIN_BEGIN_IN_CONTEXT(cuModuleGetGlobal);
  Object *loaded = state.find(Kind::Module, module, "cuModuleGetGlobal");
  if (!loaded)
    return InvalidHandle;
  auto found = loaded->code->variables.find(name);
  if (found == loaded->code->variables.end())
    return NotFound;
  *address = found->second;
  *bytes = state.memories[found->second].bytes;
  return Success;
}

STANDIN_API CuResult cuFuncGetAttribute(int *value, int32_t attribute,
                                        CuFunction handle) {
  STANDIN_BEGIN_IN_CONTEXT(cuFuncGetAttribute);
  Object *asked = function(state, handle, "cuFuncGetAttribute");
  if (!asked)
    return InvalidHandle;
  switch (attribute) {
  case functionMaxThreads:
    *value = kernelOf(*asked).maxThreads;
    return Success;
  case functionSharedBytes:
    *value = int(asked->kernel->sharedBytes);
    return Success;
  case functionConstBytes:
    *value = int(countBytes(asked->code->program->getVariables(),
                            ptxmachine::Space::Const));
    return Success;
  case functionLocalBytes:
    *value = int(countBytes(getVariables(*asked->kernel->text),
                            ptxmachine::Space::Local));
    return Success;
  case functionRegisters:
    *value = 16;
    return Success;
  case functionMaxDynamicShared:
    *value = asked->maxDynamicShared;
    return Success;
  default:
    return InvalidValue;
  }
}

STANDIN_API CuResult cuFuncSetAttribute(CuFunction handle, int32_t attribute,
                                        int value) {
  STANDIN_BEGIN_IN_CONTEXT(cuFuncSetAttribute);
  Object *changed = function(state, handle, "cuFuncSetAttribute");
  if (!changed)
    return InvalidHandle;
  if (attribute == functionMaxDynamicShared && value >= 0 && value <= 232448)
    changed->maxDynamicShared = value;
  else if (attribute != functionCarveout || value < -1 || value > 100)
    return InvalidValue;
  return Success;
}

STANDIN_API CuResult cuFuncSetCacheConfig(CuFunction handle,
                                          int32_t preference) {
  STANDIN_BEGIN_IN_CONTEXT(cuFuncSetCacheConfig);
  if (!function(state, handle, "cuFuncSetCacheConfig"))
    return InvalidHandle;
  return preference >= 0 && preference <= 3 ? Success : InvalidValue;
}

STANDIN_API CuResult cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, CuFunction handle, int blockThreads, size_t) {
  STANDIN_BEGIN_IN_CONTEXT(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  if (!function(state, handle, "cuOccupancyMaxActiveBlocksPerMultiprocessor"))
    return InvalidHandle;
  if (blockThreads < 1)
    return InvalidValue;
  *blocks = std::min(32, 2048 / blockThreads);
  return Success;
}

STANDIN_API CuResult cuOccupancyMaxPotentialBlockSize(int *minGrid,
                                                      int *blockThreads,
                                                      CuFunction handle,
                                                      CuBlockToShared, size_t,
                                                      int limit) {
  STANDIN_BEGIN_IN_CONTEXT(cuOccupancyMaxPotentialBlockSize);
  Object *asked = function(state, handle, "cuOccupancyMaxPotentialBlockSize");
  if (!asked)
    return InvalidHandle;
  *blockThreads = kernelOf(*asked).maxThreads;
  if (limit > 0)
    *blockThreads = std::min(*blockThreads, limit);
  *minGrid = 4 * std::min(32, 2048 / *blockThreads);
  return Success;
}

} // extern "C"
