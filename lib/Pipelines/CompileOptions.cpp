// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options as text, and their hash.

#include "pyk/Pipelines/CompileOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace pyk;
using llvm::Error;
using llvm::StringRef;

static constexpr CompileOptionInfo kInfos[] = {
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  {flag, words, help},
#define PYK_LAUNCH_OPTION PYK_LOWERING_OPTION
#define PYK_BACKEND_OPTION PYK_LOWERING_OPTION
#include "pyk/Pipelines/CompileOptions.inc"
};

llvm::ArrayRef<CompileOptionInfo> pyk::getCompileOptionInfos() {
  return kInfos;
}

DebugInfo pyk::getDebugInfo(const CompileOptions &options) {
  if (options.debugInfo == "full")
    return DebugInfo::Full;
  return options.debugInfo == "lines" ? DebugInfo::Lines : DebugInfo::None;
}

/// Fails if `text` is none of `words`, which are as in CompileOptionInfo.
static Error check(StringRef flag, StringRef words, StringRef text) {
  bool isList = words.contains(',');
  llvm::SmallVector<StringRef> accepted, given{text};
  words.split(accepted, isList ? ',' : '|', /*MaxSplit=*/-1,
              /*KeepEmpty=*/false);
  if (isList) {
    given.clear();
    text.split(given, ',');
  }
  if (accepted.empty() || llvm::all_of(given, [&](StringRef word) {
        return llvm::is_contained(accepted, word);
      }))
    return Error::success();
  return llvm::createStringError("option " + flag + " expects " +
                                 llvm::join(accepted, isList ? ", " : " or ") +
                                 " but got '" + text + "'");
}

static void set(StringRef text, bool &value) { value = text == "true"; }
static void set(StringRef text, unsigned &value) {
  text.getAsInteger(10, value);
}
static void set(StringRef text, std::string &value) { value = text.str(); }

Error pyk::setCompileOption(CompileOptions &options, StringRef name,
                            StringRef text) {
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  if (name == (flag)) {                                                        \
    if (Error error = check(flag, words, text))                                \
      return error;                                                            \
    set(text, options.member);                                                 \
    return Error::success();                                                   \
  }
#define PYK_LAUNCH_OPTION PYK_LOWERING_OPTION
#define PYK_BACKEND_OPTION PYK_LOWERING_OPTION
#include "pyk/Pipelines/CompileOptions.inc"
  auto flags = llvm::map_range(
      kInfos, [](const CompileOptionInfo &info) { return info.flag; });
  return llvm::createStringError("expects an option of " +
                                 llvm::join(flags, ", ") + " but got '" + name +
                                 "'");
}

static std::string print(bool value) { return value ? "true" : "false"; }
static std::string print(unsigned value) { return llvm::utostr(value); }
static std::string print(const std::string &value) { return value; }

std::string pyk::getCompileOption(const CompileOptions &options,
                                  StringRef name) {
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  if (name == (flag))                                                          \
    return print(options.member);
#define PYK_LAUNCH_OPTION PYK_LOWERING_OPTION
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
