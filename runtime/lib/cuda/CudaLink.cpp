// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver links by itself, so that no toolkit is needed where a program runs
// but for the libraries that it names. Of those one is CUDA's own: what lets
// kernels launch kernels.

#include "CudaLink.h"

#include <cstdlib>
#include <unistd.h>
#include <utility>

using namespace pyk::runtime;
using namespace pyk::runtime::driver;

static constexpr std::string_view deviceRuntime = "libcudadevrt.a";

bool pyk::runtime::needsDeviceRuntime(std::string_view code) {
  return code.find("__cudaCDP2LaunchDeviceV2") != std::string_view::npos;
}

Result<std::string> pyk::runtime::findDeviceRuntime(std::string_view doing) {
  std::vector<std::string> roots;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable); root && *root)
      roots.emplace_back(root);
  // A program that names a toolkit means that one.
  if (roots.empty())
    roots.emplace_back("/usr/local/cuda");
  std::string looked;
  for (const std::string &root : roots) {
    looked += (looked.empty() ? "" : ", ") + root;
    for (const char *folder : {"/lib64/", "/lib/", "/targets/x86_64-linux/lib/",
                               "/targets/sbsa-linux/lib/"}) {
      std::string path = root + folder + std::string(deviceRuntime);
      if (access(path.c_str(), R_OK) == 0)
        return path;
    }
  }
  return Status::failure(
      StatusCode::NotFound, doing,
      "a kernel launches kernels, for which the GPU needs " +
          std::string(deviceRuntime) + " of a CUDA toolkit, which is not in " +
          looked,
      "install the toolkit (or the package nvidia-cuda-runtime, and let "
      "CUDA_HOME name the folder that has its lib), or run on the CPU");
}

/// What the driver calls a file of this name; -1 if its ending says nothing.
static int32_t getInputKind(std::string_view path) {
  static constexpr std::pair<std::string_view, int32_t> kinds[] = {
      {".cubin", jitInputCubin},
      {".ptx", jitInputPtx},
      {".fatbin", jitInputFatBinary},
      {".o", jitInputObject},
      {".a", jitInputLibrary}};
  for (auto [ending, kind] : kinds)
    if (path.size() > ending.size() &&
        path.substr(path.size() - ending.size()) == ending)
      return kind;
  return -1;
}

namespace {

/// A linker, which is gone with this.
class Linker {
public:
  explicit Linker(CudaContext &context) : context(context) {}
  ~Linker() {
    if (state)
      context.release("releasing a linker", context.functions().cuLinkDestroy,
                      state);
  }
  Linker(const Linker &) = delete;
  Linker &operator=(const Linker &) = delete;

  CudaContext &context;
  CuLinkState state = nullptr;
};

} // namespace

Result<std::string>
pyk::runtime::link(CudaContext &context, const std::string &doing,
                   const std::string &name, const std::string &code,
                   const std::vector<std::string> &paths, JitOptions &options) {
  const Driver &functions = context.functions();
  Linker linker(context);
  // With its log, if it has said anything.
  auto explain = [&](Status status) {
    std::string_view told = options.getLog();
    if (!status.native() || told.empty() ||
        status.code() == StatusCode::DeviceLost)
      return status;
    return context.failure(doing + " on " + context.label(),
                           status.native()->call.c_str(),
                           CuResult(status.native()->code), told);
  };
  if (Status status =
          context.call(doing, functions.cuLinkCreate, options.count,
                       &options.numbers[0], &options.values[0], &linker.state);
      !status.ok())
    return explain(status);
  bool isPtx = code.compare(0, 4, "\177ELF") != 0;
  if (Status status = context.call(
          doing, functions.cuLinkAddData, linker.state,
          isPtx ? jitInputPtx : jitInputCubin, const_cast<char *>(code.c_str()),
          code.size() + (isPtx ? 1 : 0), name.c_str(), 0u,
          static_cast<int32_t *>(nullptr), static_cast<void **>(nullptr));
      !status.ok())
    return explain(status);
  for (const std::string &path : paths) {
    int32_t kind = getInputKind(path);
    if (kind < 0)
      return Status::failure(
          StatusCode::InvalidArgument, doing,
          "'" + path +
              "', which it is to be linked with, has an unknown ending",
          "pass files that end in .ptx, .cubin, .fatbin, .o or .a");
    if (access(path.c_str(), R_OK) != 0)
      return Status::failure(
          StatusCode::NotFound, doing,
          "'" + path + "', which it is to be linked with, cannot be read",
          "check the path");
    if (Status status = context.call(
            doing, functions.cuLinkAddFile, linker.state, kind, path.c_str(),
            0u, static_cast<int32_t *>(nullptr), static_cast<void **>(nullptr));
        !status.ok())
      return explain(status);
  }
  void *cubin = nullptr;
  size_t bytes = 0;
  if (Status status = context.call(doing, functions.cuLinkComplete,
                                   linker.state, &cubin, &bytes);
      !status.ok())
    return explain(status);
  return std::string(static_cast<const char *>(cubin), bytes);
}
