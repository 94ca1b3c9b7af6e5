// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the command line by hand: LLVM's cl::opt would add the options of every
// library that is linked, and end the process as it likes.

#include "Options.h"
#include "Errors.h"
#include "pyk/Support/ElementTypes.h"
#include "pyk/Target/Backend.h"
#include "pyk/Target/PTX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pyk;
using namespace pyk::run;

namespace {

enum class Group { Both, Python, Mlir };

/// A row of PykRun.def.
struct Option {
  StringLiteral spelling, value;
  Group group;
  StringLiteral help;
};

} // namespace

static constexpr Option kOptions[] = {
#define PYK_RUN_OPTION(spelling, value, group, help)                           \
  {spelling, value, Group::group, help},
#include "pyk/Tools/PykRun.def"
};

/// The option that `name` is another name of, or `name` itself.
static StringRef resolveAlias(StringRef name) {
#define PYK_RUN_ALIAS(alias, spelling)                                         \
  if (name == (alias))                                                         \
    return spelling;
#include "pyk/Tools/PykRun.def"
  return name;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Error expects(StringRef option, const Twine &expected, StringRef found) {
  return usageError("option " + option + " expects " + expected + " but got '" +
                    found + "'");
}

static Error setExtents(StringRef option, StringRef text,
                        std::optional<Extents> &extents) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  Extents values = {1, 1, 1};
  bool isValid = parts.size() <= 3;
  for (size_t i = 0; isValid && i != parts.size(); ++i)
    isValid = !parts[i].getAsInteger(10, values[i]) && values[i] > 0;
  if (!isValid)
    return expects(option, "X[,Y[,Z]] of positive integers", text);
  extents = values;
  return Error::success();
}

static Error setNumber(StringRef option, StringRef text, int64_t least,
                       int64_t &number) {
  int64_t value;
  if (text.getAsInteger(10, value) || value < least)
    return expects(option, "an integer from " + Twine(least), text);
  number = value;
  return Error::success();
}

static std::string listStages() {
  std::string names;
  for (const Stage *stage : getStages())
    names += stage->name.str() + ", ";
  return names + "artifact, cubin";
}

/// The floats that NumPy lacks.
static std::string listSmallFloats() {
  std::vector<StringRef> names;
  for (const ElementType &element : ElementTypes)
    if (!element.inMlDtypes.empty())
      names.push_back(element.shortName);
  return join(names, ", ");
}

/// A target of Python programs alone.
static constexpr StringLiteral kPtxMachine = "ptx-machine";

/// What --target takes.
static std::string listTargets(StringRef separator) {
  std::vector<StringRef> names = getTargets();
  names.insert(names.begin(), "auto");
  names.push_back(kPtxMachine);
  return join(names, separator);
}

static Error setEmit(StringRef option, StringRef text, Options &options) {
  options.compile.emit = nullptr;
  options.emit = text == "artifact" ? Emit::Artifact
                 : text == "cubin"  ? Emit::Cubin
                                    : Emit::Stage;
  if (options.emit == Emit::Artifact)
    return Error::success();
  auto stage = findStage(options.emit == Emit::Cubin ? "ptx" : text);
  if (!stage) {
    consumeError(stage.takeError());
    return expects(option, "one of " + listStages(), text);
  }
  options.compile.emit = *stage;
  return Error::success();
}

static Error setTarget(StringRef option, StringRef text, Options &options) {
  if (text == kPtxMachine)
    return usageError("option --target=" + text +
                      " is for Python programs only");
  if (text != "auto" && !is_contained(getTargets(), text))
    return expects(option, "one of " + listTargets(", "), text);
  options.target = text.str();
  return Error::success();
}

static Error setChip(StringRef option, StringRef text, Options &options) {
  auto chip = findChip(text);
  if (!chip)
    return usageError("option " + option + " " + toString(chip.takeError()));
  options.compile.chip = text.str();
  return Error::success();
}

/// Sets the option of compilations that has the name of `option`.
static Error setOfCompile(StringRef option, StringRef text, Options &options) {
  if (Error error =
          setCompileOption(options.compile, option.drop_front(2), text))
    return usageError(toString(std::move(error)));
  return Error::success();
}

static Error addOutput(StringRef option, StringRef text, Options &options) {
  bool saves = option == "--save";
  auto [index, path] = saves ? text.split(':') : std::pair(text, StringRef());
  unsigned argument;
  if (index.getAsInteger(10, argument) || path.empty() == saves)
    return expects(option,
                   saves ? "K:FILE.npy, K being an argument from 0"
                         : "the number of an argument from 0",
                   text);
  std::string written = (option + "=" + text).str();
  options.outputs.push_back({written, argument, path.str()});
  return Error::success();
}

/// Sets the option `name`, which PykRun.def has, to `value`.
static Error setOption(StringRef name, StringRef value, Options &options) {
  if (name == "--target")
    return setTarget(name, value, options);
  if (name == "--emit")
    return setEmit(name, value, options);
  if (name == "--chip")
    return setChip(name, value, options);
  if (name == "--grid")
    return setExtents(name, value, options.grid);
  if (name == "--block")
    return setExtents(name, value, options.block);
  if (name == "--shared-bytes")
    return setNumber(name, value, 0, options.sharedBytes);
  if (name == "--repeat")
    return setNumber(name, value, 1, options.repeat);
  if (name == "--print" || name == "--save")
    return addOutput(name, value, options);
  if (name == "--arg")
    options.arguments.push_back(value.str());
  else if (name == "-o")
    options.output = value.str();
  else if (name == "--dump-stages")
    options.compile.dumpStages = value.str();
  else if (name == "--kernel")
    options.compile.kernel = value.str();
  else if (name == "--explain")
    options.compile.explain = true;
  else if (name == "--time")
    options.time = true;
  else if (name == "--reproduce")
    options.reproduce = true;
  else if (name == "--print-all")
    options.printAll = true;
  else if (name == "--assume" || name == "--cpu")
    return setOfCompile(name, value, options);
  else if (name == "--no-fma")
    options.compile.fma = false;
  else if (name == "--reproducible")
    options.compile.reproducible = true;
  else if (name == "--check-bounds")
    options.compile.checkBounds = true;
  else if (name == "--help")
    options.help = true;
  else if (name == "--version")
    options.version = true;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

static Error unknownOption(StringRef name) {
  const Option *nearest = nullptr;
  // One edit, or two of a long name: others are no misspellings.
  unsigned distance = name.size() > 5 ? 3 : 2;
  for (const Option &option : kOptions) {
    unsigned other = name.edit_distance(option.spelling, true, distance);
    if (other < distance && option.spelling.size() > 2) {
      distance = other;
      nearest = &option;
    }
  }
  std::string hint =
      nearest ? ("; did you mean '" + nearest->spelling + "'?").str() : "";
  return usageError("unknown option '" + name + "'" + hint);
}

static Error setFile(StringRef word, Options &options) {
  if (!options.file.empty())
    return usageError("expects one file but got '" + options.file + "' and '" +
                      word + "'");
  if (word.empty())
    return usageError("expects a file but got ''");
  options.file = word.str();
  return Error::success();
}

/// Reads the option at the front of `words` and drops it with its value.
static Error takeOption(ArrayRef<StringRef> &words, Options &options) {
  StringRef name, value;
  std::tie(name, value) = words.front().split('=');
  bool hasValue = words.front().contains('=');
  name = resolveAlias(name);
  words = words.drop_front();
  const Option *option = find_if(
      kOptions, [&](const Option &option) { return option.spelling == name; });
  if (option == std::end(kOptions))
    return unknownOption(name);
  if (option->group == Group::Python)
    return usageError("option " + name + " is for Python programs only");
  if (option->value.empty() && hasValue)
    return expects(name, "no value", value);
  if (!option->value.empty() && !hasValue) {
    if (words.empty())
      return usageError("option " + name + " expects a value");
    value = words.front();
    words = words.drop_front();
  }
  if (!option->value.empty() && value.empty())
    return usageError("option " + name + " expects a value");
  return setOption(name, value, options);
}

/// Refuses options that do not go together.
static Error checkOptions(const Options &options) {
  if (options.file.empty())
    return usageError("expects a file; see --help");
  if (!options.output.empty() && options.emit == Emit::Nothing)
    return usageError("option -o expects --emit=STAGE as well");
  bool isBinary = options.emit == Emit::Cubin || options.emit == Emit::Artifact;
  bool toStandardOutput = options.output.empty() || options.output == "-";
  if (isBinary && toStandardOutput && sys::Process::StandardOutIsDisplayed())
    return usageError(Twine("option --emit=") +
                      (options.emit == Emit::Cubin ? "cubin" : "artifact") +
                      " writes bytes that a terminal cannot show; use -o FILE "
                      "as well");
  return Error::success();
}

Expected<Options> pyk::run::parseOptions(ArrayRef<StringRef> words) {
  Options options;
  bool takesOptions = true;
  while (!words.empty()) {
    StringRef word = words.front();
    if (takesOptions && word == "--") {
      takesOptions = false;
      words = words.drop_front();
    } else if (takesOptions && word.starts_with("-") && word != "-") {
      if (Error error = takeOption(words, options))
        return error;
    } else {
      if (Error error = setFile(word, options))
        return error;
      words = words.drop_front();
    }
  }
  if (!options.help && !options.version)
    if (Error error = checkOptions(options))
      return error;
  return options;
}

static void printGroup(raw_ostream &os, Group group) {
  for (const Option &option : kOptions) {
    if (option.group != group)
      continue;
    std::string text = option.spelling.str();
    std::string value = option.value.str();
    if (option.spelling == "--target")
      value = listTargets("|");
    for (const CompileOptionInfo &info : getCompileOptionInfos())
      if (option.spelling.drop_front(2) == info.flag && !value.empty() &&
          !info.words.empty())
        value = info.words.contains(',') ? "none|launch|..." : info.words.str();
    if (!value.empty())
      text += (option.spelling.size() == 2 ? " " : "=") + value;
    os << "  " << left_justify(text, 27) << option.help << '\n';
  }
}

void pyk::run::printHelp(raw_ostream &os) {
  os << "usage: pyk-run [options] FILE.py|- [arguments of the program]\n"
        "       pyk-run [options] -m MODULE [arguments of the program]\n"
        "       pyk-run [options] FILE.mlir|-\n"
        "\n"
        "Runs a Python program whose GPU kernels PyK compiles, or one kernel "
        "in MLIR, in\n"
        "a stage from py to gpu. Of - (standard input) and of files with "
        "another ending, the\n"
        "text decides which it is.\n"
        "\n"
        "Stages: "
     << listStages() << " (of a kernel in MLIR only).\n\nOptions:\n";
  printGroup(os, Group::Both);
  printGroup(os, Group::Python);
  os << "\nOptions for MLIR:\n";
  printGroup(os, Group::Mlir);
  os << "\nSPEC is i32:7, f32:2.5, bool:true and so on, or an array: "
        "f32[1024]=CONTENTS,\nf64[3x4]=CONTENTS. CONTENTS is zeros, ones, "
        "iota, random(SEED), @FILE.npy or the\nvalues themselves: "
        "i32[3]=1,2,3. A parameter that is None gets none.\nTypes: i8 to "
        "i64, u8 to u64, bool, f16, f32, f64, c64 (c64:3-4j), c128,\n"
     << listSmallFloats()
     << ".\n"
        "\n"
        "Exit status: 1 if the kernel does not compile or run, 2 for a wrong "
        "command line.\n";
}
