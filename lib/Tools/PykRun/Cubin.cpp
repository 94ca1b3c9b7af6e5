// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs ptxas on temporary files.

#include "Cubin.h"
#include "Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace pyk::run;

static Expected<std::string> findPtxas() {
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", ""}) {
    std::optional<std::string> toolkit =
        *variable ? sys::Process::GetEnv(variable) : "/usr/local/cuda";
    if (!toolkit || toolkit->empty())
      continue;
    SmallString<128> folder(*toolkit);
    sys::path::append(folder, "bin");
    if (auto path = sys::findProgramByName("ptxas", {folder.str()}))
      return *path;
  }
  if (auto path = sys::findProgramByName("ptxas"))
    return *path;
  return programError("cannot find ptxas, which makes a cubin; set CUDA_HOME "
                      "to a CUDA toolkit, or use --emit=ptx");
}

static Expected<std::string> read(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return programError("cannot read '" + path +
                        "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// Whether a function is only declared in `ptx`, but for the one that prints:
/// a driver links it.
static bool hasUndefined(StringRef ptx) {
  while (true) {
    ptx = ptx.split(".extern .func").second;
    if (ptx.empty())
      return false;
    StringRef name = ptx.split('\n').first.rsplit(' ').second;
    if (name.split('(').first != "vprintf")
      return true;
  }
}

Expected<std::string> pyk::run::assemble(StringRef ptx, StringRef chip) {
  auto tool = findPtxas();
  if (!tool)
    return tool;
  SmallString<128> input, output, messages;
  int descriptor;
  std::error_code code =
      sys::fs::createTemporaryFile("pyk", "ptx", descriptor, input);
  if (!code)
    code = sys::fs::createTemporaryFile("pyk", "cubin", output);
  if (!code)
    code = sys::fs::createTemporaryFile("pyk", "txt", messages);
  if (code)
    return programError("cannot make temporary files: " + code.message());
  FileRemover removers[] = {FileRemover(input), FileRemover(output),
                            FileRemover(messages)};
  {
    raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << ptx;
  }
  std::string why;
  SmallVector<StringRef> arguments = {*tool, "-arch", chip,
                                      "-o",  output,  input};
  if (hasUndefined(ptx))
    arguments.push_back("-c");
  int status = sys::ExecuteAndWait(
      *tool, arguments, std::nullopt,
      {StringRef(""), messages.str(), messages.str()}, 0, 0, &why);
  if (status == 0)
    return read(output);
  auto said = read(messages);
  if (!said)
    return said;
  return programError("ptxas cannot assemble the PTX for " + chip + ": " +
                      (why.empty() ? StringRef(*said).rtrim().str() : why));
}
