// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that has the runtime and no compiler: loads the artifact in a file
// and launches kernels of it. Fails if a library of LLVM or MLIR is in the
// process.
//
//   pyk-run-artifact FILE
//
// launches each kernel with an array of 1000 integers, and prints a line for
// each with the sum of what is in the array then.
//
//   pyk-run-artifact FILE LAUNCHES
//
// makes the launches that the file LAUNCHES describes, and writes what is then
// in its buffers to standard output. Numbers are of 64 bits, the machine's own:
//
//   buffers; of each its bytes, contents
//   launches; of each the bytes of the kernel's name, name, grid, block,
//     bytes of dynamic shared memory, values; of each value 0, its bytes,
//     value; or the number of a buffer, counted from 1, and a distance in it

#include "pyk/runtime/Artifact.h"
#include "pyk/runtime/CpuImage.h"
#include "pyk/runtime/CpuLaunch.h"

#include <cstdio>
#include <cstring>
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

static std::string readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static Status launchAll(const std::vector<HostKernel> &kernels) {
  for (const HostKernel &kernel : kernels) {
    std::vector<int32_t> data(1000);
    int32_t *address = data.data();
    void *arguments[] = {static_cast<void *>(&address)};
    Status status =
        launchOnCpu(*kernel.kernel, {{10, 1, 1}, {100, 1, 1}, 0}, arguments);
    if (!status.ok())
      return status;
    std::printf("%s: %d\n", kernel.name.c_str(),
                std::accumulate(data.begin(), data.end(), 0));
  }
  return Status();
}

namespace {

/// Launches of a file, and the buffers that they share.
class Launches {
public:
  Launches(std::string bytes, const std::vector<HostKernel> &kernels)
      : bytes(std::move(bytes)), kernels(kernels) {}

  Status run();
  void write(FILE *file) const {
    for (const std::string &buffer : buffers)
      std::fwrite(buffer.data(), 1, buffer.size(), file);
  }

private:
  int64_t number() {
    int64_t value;
    std::memcpy(&value, bytes.data() + position, sizeof(value));
    position += sizeof(value);
    return value;
  }
  std::string text() {
    size_t count = size_t(number());
    position += count;
    return bytes.substr(position - count, count);
  }
  std::string value();
  Status launch();

  const std::string bytes;
  const std::vector<HostKernel> &kernels;
  size_t position = 0;
  std::vector<std::string> buffers;
};

} // namespace

std::string Launches::value() {
  size_t buffer = size_t(number());
  if (buffer == 0)
    return text();
  const char *address = buffers[buffer - 1].data() + number();
  return {reinterpret_cast<const char *>(&address), sizeof(address)};
}

Status Launches::launch() {
  std::string name = text();
  LaunchShape shape = {};
  for (auto *extents : {&shape.grid, &shape.block})
    for (auto &extent : *extents)
      extent = number();
  shape.dynamicSharedBytes = number();
  size_t valueCount = size_t(number());
  std::vector<std::string> values(valueCount);
  std::vector<void *> addresses;
  for (std::string &given : values) {
    given = value();
    addresses.push_back(given.data());
  }
  for (const HostKernel &kernel : kernels)
    if (kernel.name == name)
      return launchOnCpu(*kernel.kernel, shape, addresses.data());
  return Status::failure(StatusCode::NotFound, "looking for '" + name + "'",
                         "there is none", "give the name of a kernel");
}

Status Launches::run() {
  buffers.resize(size_t(number()));
  for (std::string &buffer : buffers)
    buffer = text();
  for (int64_t left = number(); left != 0; --left)
    if (Status status = launch(); !status.ok())
      return status;
  return Status();
}

int main(int count, char **words) {
  std::string bytes = readFile(words[1]);
  auto artifact = readArtifact(bytes);
  if (!artifact.ok())
    return fail(std::string(artifact.status().message()));
  auto image = loadCpuImage(artifact.value().code);
  if (!image.ok())
    return fail(std::string(image.status().message()));
  const std::vector<HostKernel> &kernels = image.value().kernels;
  if (count > 2) {
    Launches launches(readFile(words[2]), kernels);
    if (Status status = launches.run(); !status.ok())
      return fail(std::string(status.message()));
    launches.write(stdout);
  } else if (Status status = launchAll(kernels); !status.ok()) {
    return fail(std::string(status.message()));
  }
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("LLVM") != std::string::npos ||
        line.find("MLIR") != std::string::npos)
      return fail("a library of the compiler is loaded: " + line);
  return 0;
}
