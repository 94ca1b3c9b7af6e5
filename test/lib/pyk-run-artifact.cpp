// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that has the runtime and no compiler: loads the artifact in a file,
// launches each of its kernels with an array of 1000 integers, and prints a
// line for each with the sum of what is in the array then. Fails if a library
// of LLVM or MLIR is in the process.

#include "pyk/runtime/Artifact.h"
#include "pyk/runtime/CpuImage.h"
#include "pyk/runtime/CpuLaunch.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

using namespace pyk::runtime;

static int fail(const std::string &message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return 1;
}

int main(int, char **argv) {
  std::ifstream file(argv[1], std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  auto artifact = readArtifact(bytes);
  if (!artifact.ok())
    return fail(std::string(artifact.status().message()));
  auto image = loadCpuImage(artifact.value().code);
  if (!image.ok())
    return fail(std::string(image.status().message()));
  for (const HostKernel &kernel : image.value().kernels) {
    std::vector<int32_t> data(1000);
    int32_t *address = data.data();
    void *arguments[] = {static_cast<void *>(&address)};
    Status status =
        launchOnCpu(*kernel.kernel, {{10, 1, 1}, {100, 1, 1}, 0}, arguments);
    if (!status.ok())
      return fail(std::string(status.message()));
    std::printf("%s: %d\n", kernel.name.c_str(),
                std::accumulate(data.begin(), data.end(), 0));
  }
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("LLVM") != std::string::npos ||
        line.find("MLIR") != std::string::npos)
      return fail("a library of the compiler is loaded: " + line);
  return 0;
}
