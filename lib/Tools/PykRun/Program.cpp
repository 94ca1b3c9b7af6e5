// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells Python programs from MLIR. A part of the tool as well as of libPyKC:
// the tool must know before it loads LLVM, so nothing of LLVM is used here.

#include "pyk-c/Tools.h"
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

/// Options whose value may be the next word.
static constexpr std::string_view optionsWithValue[] = {
#define PYK_RUN_OPTION(spelling, value, group, help) *(value) ? (spelling) : "",
#include "pyk/Tools/PykRun.def"
};

static bool takesNextWord(std::string_view word) {
  for (std::string_view option : optionsWithValue)
    if (!option.empty() && word == option)
      return true;
  return false;
}

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

static bool endsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() &&
         text.substr(text.size() - suffix.size()) == suffix;
}

/// The first word that is neither an option nor the value of one, or `-m`. What
/// follows belongs to a program in Python, so options are looked for no
/// further.
static std::string_view findProgram(int argc, char **argv, bool &isModule) {
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--")
      return i + 1 < argc ? argv[i + 1] : "";
    isModule = word == "-m" || startsWith(word, "-m=");
    if (isModule || word == "-" || word.substr(0, 1) != "-")
      return word;
    if (takesNextWord(word))
      ++i;
  }
  return "";
}

/// Whether a line begins an operation of MLIR. No program in Python begins with
/// the name of a dialect, or with a string that is called.
static bool isOperation(std::string_view line) {
  for (std::string_view prefix :
       {"module {", "module @", "module attributes", "builtin.", "py.", "pyk.",
        "gpu.", "func.", "llvm."})
    if (startsWith(line, prefix))
      return true;
  return line.size() > 1 && line[0] == '"' && line[1] != '"' &&
         line.find("\"(", 1) != line.npos;
}

/// Whether the first line of `text` that says so is one of MLIR. Lines that
/// begin with `#` are comments in Python and aliases in MLIR.
static bool isMLIR(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + (line.size() < text.size()));
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line[0])))
      line.remove_prefix(1);
    if (startsWith(line, "//") || startsWith(line, "!"))
      return true;
    if (!line.empty() && line[0] != '#')
      return isOperation(line);
  }
  return false;
}

/// All of standard input, which is there to be read again afterwards.
static std::string peekStandardInput() {
  std::string text;
  char buffer[1 << 16];
  ssize_t count;
  while ((count = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0)
    text.append(buffer, count);
  int memory = memfd_create("stdin", MFD_CLOEXEC);
  if (memory < 0)
    return text;
  for (size_t written = 0; written < text.size();) {
    count = write(memory, text.data() + written, text.size() - written);
    if (count < 0)
      break;
    written += count;
  }
  lseek(memory, 0, SEEK_SET);
  dup2(memory, STDIN_FILENO);
  close(memory);
  return text;
}

/// The text of a file; none of what cannot be read twice, as a pipe.
static std::string readFile(const std::string &path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return "";
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int pyk_run_is_python(int argc, char **argv) {
  bool isModule = false;
  std::string_view file = findProgram(argc, argv, isModule);
  if (isModule)
    return true;
  if (file == "-")
    return !isMLIR(peekStandardInput());
  if (file.empty() || endsWith(file, ".mlir"))
    return false;
  // A file that is not there is no MLIR either.
  return endsWith(file, ".py") || !isMLIR(readFile(std::string(file)));
}
