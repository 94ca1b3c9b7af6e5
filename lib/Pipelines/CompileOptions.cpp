// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options as text, and their hash.

#include "pyk/Pipelines/CompileOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <type_traits>

using namespace pyk;
using llvm::Error;
using llvm::StringRef;

static constexpr CompileOptionInfo kInfos[] = {
#define PYK_LOWERING_OPTION(type, member, flag, value, help)                   \
  {flag, std::is_same_v<type, bool>, help},
#define PYK_BACKEND_OPTION PYK_LOWERING_OPTION
#include "pyk/Pipelines/CompileOptions.inc"
};

llvm::ArrayRef<CompileOptionInfo> pyk::getCompileOptionInfos() {
  return kInfos;
}

static Error set(StringRef flag, StringRef text, bool &value) {
  if (text != "true" && text != "false")
    return llvm::createStringError(
        "option " + flag + " expects true or false but got '" + text + "'");
  value = text == "true";
  return Error::success();
}

static Error set(StringRef flag, StringRef text, std::string &value) {
  value = text.str();
  return Error::success();
}

Error pyk::setCompileOption(CompileOptions &options, StringRef name,
                            StringRef text) {
#define PYK_LOWERING_OPTION(type, member, flag, value, help)                   \
  if (name == (flag))                                                          \
    return set(flag, text, options.member);
#define PYK_BACKEND_OPTION PYK_LOWERING_OPTION
#include "pyk/Pipelines/CompileOptions.inc"
  auto flags = llvm::map_range(
      kInfos, [](const CompileOptionInfo &info) { return info.flag; });
  return llvm::createStringError("expects an option of " +
                                 llvm::join(flags, ", ") + " but got '" + name +
                                 "'");
}

static std::string print(bool value) { return value ? "true" : "false"; }
static std::string print(const std::string &value) { return value; }

std::string pyk::getCompileOption(const CompileOptions &options,
                                  StringRef name) {
#define PYK_LOWERING_OPTION(type, member, flag, value, help)                   \
  if (name == (flag))                                                          \
    return print(options.member);
#define PYK_BACKEND_OPTION PYK_LOWERING_OPTION
#include "pyk/Pipelines/CompileOptions.inc"
  llvm_unreachable("the options are those of the table");
}

uint64_t pyk::hashOptions(const CompileOptions &options) {
  // A null ends each part, so that no two lists of parts are one text.
  std::string text = options.target + '\0' + options.kernel + '\0';
  for (const CompileOptionInfo &info : kInfos)
    text += info.flag.str() + '=' + getCompileOption(options, info.flag) + '\0';
  return llvm::xxh3_64bits(text);
}
