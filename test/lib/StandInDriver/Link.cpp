// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker: it puts PTX texts one behind the other, and knows what is
// missing.

#include "Entry.h"

#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>

using namespace standin;
using namespace pyk::runtime::driver;

/// The name of a function that PTX in `text` declares and nothing defines.
static std::string findUndefined(const std::string &text, bool hasRuntime) {
  static const std::regex declared("\\.extern \\.func[^;]*?([A-Za-z_]\\w*)\\s*"
                                   "(\\([^)]*\\))?\\s*;");
  for (std::sregex_iterator it(text.begin(), text.end(), declared), end;
       it != end; ++it) {
    std::string name = (*it)[1];
    if (name == "vprintf" || (hasRuntime && name.find("__cudaCDP2") == 0))
      continue;
    std::regex defined("\\.visible \\.func[^;{]*\\b" + name + "\\b");
    if (!std::regex_search(text, defined))
      return name;
  }
  return {};
}

extern "C" {

STANDIN_API CuResult cuLinkCreate_v2(unsigned count, int32_t *options,
                                     void **values, CuLinkState *result) {
  STANDIN_BEGIN_IN_CONTEXT(cuLinkCreate);
  Object made = {};
  made.kind = Kind::Linker;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == jitErrorLog)
      made.log = static_cast<char *>(values[i]);
  *result = reinterpret_cast<CuLinkState>(state.add(std::move(made)));
  return Success;
}

STANDIN_API CuResult cuLinkAddData_v2(CuLinkState linker, int32_t kind,
                                      void *data, size_t bytes, const char *,
                                      unsigned, int32_t *, void **) {
  STANDIN_BEGIN_IN_CONTEXT(cuLinkAddData);
  Object *used = state.find(Kind::Linker, linker, "cuLinkAddData");
  if (!used)
    return InvalidHandle;
  if (kind != jitInputPtx)
    return NoBinaryForGpu;
  used->text.append(static_cast<const char *>(data), bytes - 1);
  return Success;
}

STANDIN_API CuResult cuLinkAddFile_v2(CuLinkState linker, int32_t kind,
                                      const char *path, unsigned, int32_t *,
                                      void **) {
  STANDIN_BEGIN_IN_CONTEXT(cuLinkAddFile);
  Object *used = state.find(Kind::Linker, linker, "cuLinkAddFile");
  if (!used)
    return InvalidHandle;
  std::string name(path);
  if (kind == jitInputLibrary) {
    used->hasDeviceRuntime |= name.find("cudadevrt") != std::string::npos;
    return Success;
  }
  if (kind != jitInputPtx)
    return NoBinaryForGpu;
  std::ifstream file(name);
  std::ostringstream text;
  text << file.rdbuf();
  used->text += "\n" + text.str();
  return Success;
}

STANDIN_API CuResult cuLinkComplete(CuLinkState linker, void **cubin,
                                    size_t *bytes) {
  STANDIN_BEGIN_IN_CONTEXT(cuLinkComplete);
  Object *used = state.find(Kind::Linker, linker, "cuLinkComplete");
  if (!used)
    return InvalidHandle;
  if (std::string name = findUndefined(used->text, used->hasDeviceRuntime);
      !name.empty()) {
    if (used->log)
      std::strcpy(used->log,
                  ("error: Undefined reference to '" + name + "'").c_str());
    return InvalidPtx;
  }
  *cubin = used->text.data();
  *bytes = used->text.size();
  return Success;
}

STANDIN_API CuResult cuLinkDestroy(CuLinkState linker) {
  STANDIN_BEGIN_IN_CONTEXT(cuLinkDestroy);
  if (!state.find(Kind::Linker, linker, "cuLinkDestroy"))
    return InvalidHandle;
  state.objects.erase(reinterpret_cast<uintptr_t>(linker));
  return Success;
}

} // extern "C"
