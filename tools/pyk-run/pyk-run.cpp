// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel file. A Python program goes to `python3 -m pyk`, everything
// else to libPyKC, which is loaded only then: linking it would add the start-up
// of MLIR to every Python program.

#include "pyk-c/Tools.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

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

static bool isSet(const char *variable) {
  const char *value = std::getenv(variable);
  return value && *value;
}

/// The interpreter that runs programs: `python3` of the active environment.
/// Where none is active, a build tree has the one it was configured with, whose
/// NumPy it needs.
static std::string findPython() {
  if (!isSet("VIRTUAL_ENV") && !isSet("CONDA_PREFIX")) {
    std::error_code error;
    fs::path link = getToolFolder() / "../python/python3";
    std::string python = fs::read_symlink(link, error).string();
    if (!error && access(python.c_str(), X_OK) == 0)
      return python;
  }
  return "python3";
}

static int runPython(int argc, char **argv) {
  extendPythonPath();
  std::string words[] = {findPython(), "-m", "pyk"};
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
  void *library = dlopen(PYK_LIBRARY, RTLD_NOW);
  if (!library)
    return fail(dlerror());
  auto *run =
      reinterpret_cast<decltype(&pyk_run_main)>(dlsym(library, "pyk_run_main"));
  return run ? run(argc, argv) : fail(dlerror());
}

int main(int argc, char **argv) {
  if (pyk_run_is_python(argc, argv))
    return runPython(argc, argv);
  return runMLIR(argc, argv);
}
