// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel file. A Python program goes to the active environment's
// `python3 -m pyk`, everything else to libPyKC, which is loaded only then:
// linking it would add the start-up of MLIR to every Python program.

#include "pyk/Tools/PykRun.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

/// Options whose value may be the next word.
static constexpr std::string_view optionsWithValue[] = {
#define PYK_RUN_OPTION(spelling, value, group, help) *value ? spelling : "",
#include "pyk/Tools/PykRun.def"
};

static bool takesNextWord(std::string_view word) {
  for (std::string_view option : optionsWithValue)
    if (!option.empty() && word == option)
      return true;
  return false;
}

/// The first word that is neither an option nor the value of one.
static std::string_view findFile(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--")
      return i + 1 < argc ? argv[i + 1] : "";
    if (takesNextWord(word))
      ++i;
    else if (word == "-" || word.substr(0, 1) != "-")
      return word;
  }
  return "";
}

static bool isPython(std::string_view file) {
  return file.size() >= 3 && file.substr(file.size() - 3) == ".py";
}

/// Folder of this executable.
static fs::path getToolFolder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

static int fail(const std::string &message) {
  std::fprintf(stderr, "pyk-run: error: %s\n", message.c_str());
  return 1;
}

/// Makes the package beside this tool importable, if there is one: that of a
/// build tree or an installation. Otherwise the environment must have its own.
static void extendPythonPath() {
  for (const char *folder : {"../python", "../lib/python"}) {
    std::error_code error;
    fs::path path = fs::weakly_canonical(getToolFolder() / folder, error);
    if (error || !fs::exists(path / "pyk" / "__main__.py", error))
      continue;
    std::string value = path.string();
    if (const char *others = std::getenv("PYTHONPATH"); others && *others)
      value += std::string(":") + others;
    setenv("PYTHONPATH", value.c_str(), /*overwrite=*/1);
    return;
  }
}

static int runPython(int argc, char **argv) {
  extendPythonPath();
  std::string words[] = {"python3", "-m", "pyk"};
  std::vector<char *> command;
  for (std::string &word : words)
    command.push_back(word.data());
  command.insert(command.end(), argv + 1, argv + argc);
  command.push_back(nullptr);
  execvp(command.front(), command.data());
  return fail(std::string("cannot run 'python3' of the active environment: ") +
              std::strerror(errno));
}

static int runMLIR(int argc, char **argv) {
  // Found through the RUNPATH of this executable.
  void *library = dlopen("libPyKC.so", RTLD_NOW);
  if (!library)
    return fail(dlerror());
  auto *run =
      reinterpret_cast<decltype(&pyk_run_main)>(dlsym(library, "pyk_run_main"));
  return run ? run(argc, argv) : fail(dlerror());
}

int main(int argc, char **argv) {
  if (isPython(findFile(argc, argv)))
    return runPython(argc, argv);
  return runMLIR(argc, argv);
}
