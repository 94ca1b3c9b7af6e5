// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images of code for the CPU, made by hand, where their parts end exactly with
// the image or its memory, and one step further.

#include "pyk/runtime/CpuImage.h"
#include "pyk/runtime/CpuFeatures.h"

#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

using namespace pyk::runtime;

namespace {

/// The memory of an image: a page that holds all that the loader reads.
struct Memory {
  pyk_rt_kernel_table table;
  pyk_rt_kernel kernel;
  uint32_t parameterBytes[2];
  char code[8];
  char name[8];
};

/// An image of one kernel, which nobody runs; a test changes parts of it.
class Image {
public:
  Image() {
    memory.table.kernel_count = 1;
    memory.kernel.abi_version = PYK_RT_ABI_VERSION;
    memory.kernel.parameter_count = 2;
    memory.parameterBytes[0] = 8;
    memory.parameterBytes[1] = 4;
    std::strcpy(memory.name, "k");
    point(offsetof(Memory, table.kernels), offsetof(Memory, kernel));
    point(offsetof(Memory, kernel.thread), offsetof(Memory, code));
    point(offsetof(Memory, kernel.name), offsetof(Memory, name));
    point(offsetof(Memory, kernel.parameter_bytes),
          offsetof(Memory, parameterBytes));
    segment.memoryBytes = page;
    segment.fileBytes = sizeof(Memory);
    header.magic = CpuImageHeader::number;
    header.abiVersion = PYK_RT_ABI_VERSION;
    header.architecture = getHostArchitecture().number;
    header.memoryBytes = page;
    header.segments = 1;
  }

  /// The pointer at `place` of the memory is one to `target` there.
  void point(uint64_t place, uint64_t target, uint32_t symbol = 0) {
    relocations.push_back({place, int64_t(target), symbol, 0});
  }

  std::string write() const {
    CpuImageHeader written = header;
    CpuImageSegment placed = segment;
    written.relocations = uint32_t(relocations.size());
    written.nameBytes = uint32_t(names.size());
    placed.file += sizeof(header) + sizeof(segment) +
                   relocations.size() * sizeof(CpuImageRelocation) +
                   names.size();
    written.fileBytes = placed.file - segment.file + sizeof(Memory);
    std::string bytes;
    auto add = [&](const void *part, size_t size) {
      bytes.append(static_cast<const char *>(part), size);
    };
    add(&written, sizeof(written));
    add(&placed, sizeof(placed));
    add(relocations.data(), relocations.size() * sizeof(CpuImageRelocation));
    add(names.data(), names.size());
    add(&memory, sizeof(memory));
    return bytes;
  }

  /// What the loader says of it; nothing if it takes it.
  std::string load() const {
    Result<HostImage> loaded = loadCpuImage(write());
    return loaded.ok() ? "" : loaded.status().message();
  }

  uint64_t page = getHostArchitecture().pageBytes;
  CpuImageHeader header = {};
  CpuImageSegment segment = {};
  std::vector<CpuImageRelocation> relocations;
  std::string names;
  Memory memory = {};
};

/// Expects that `image` is refused for `problem`.
void expectBroken(const Image &image, const std::string &problem) {
  EXPECT_EQ(image.load(), "loading code for the CPU: " + problem +
                              "; compile the kernel again with this version "
                              "of PyK");
}

} // namespace

TEST(CpuImageTest, HasItsKernel) {
  Result<HostImage> loaded = loadCpuImage(Image().write());
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  ASSERT_EQ(loaded.value().kernels.size(), 1u);
  const HostKernel &kernel = loaded.value().kernels[0];
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.parameterBytes, (std::vector<uint32_t>{8, 4}));
  EXPECT_NE(kernel.kernel->thread, nullptr);
}

TEST(CpuImageTest, MemoryIsWholePages) {
  Image image;
  image.header.memoryBytes = 2 * image.page;
  EXPECT_EQ(image.load(), "");
  image.header.memoryBytes += 8;
  expectBroken(image, "it asks for " + std::to_string(2 * image.page + 8) +
                          " bytes of memory");
  image.header.memoryBytes = (uint64_t(1) << 31) + image.page;
  expectBroken(image, "it asks for " +
                          std::to_string((uint64_t(1) << 31) + image.page) +
                          " bytes of memory");
}

TEST(CpuImageTest, SegmentsEndWithTheImage) {
  const std::string wrong = "segment 0 does not fit";
  Image image;
  image.segment.memoryBytes = image.page + 1;
  expectBroken(image, wrong);
  // All of its bytes are in the file, and no more.
  image = Image();
  image.segment.memoryBytes = sizeof(Memory);
  EXPECT_EQ(image.load(), "");
  image.segment.memoryBytes = sizeof(Memory) - 1;
  expectBroken(image, wrong);
  image = Image();
  image.segment.fileBytes = sizeof(Memory) + 1;
  expectBroken(image, wrong);
  image = Image();
  image.segment.file = 1;
  expectBroken(image, wrong);
  // Uses are reading, writing and executing.
  for (uint32_t use : {CpuImageSegment::Read, CpuImageSegment::Write,
                       CpuImageSegment::Execute}) {
    image = Image();
    image.segment.use = use;
    EXPECT_EQ(image.load(), "") << use;
  }
  image.segment.use = CpuImageSegment::Execute + 1;
  expectBroken(image, wrong);
  image = Image();
  image.header.memoryBytes = 2 * image.page;
  image.segment.memory = 8;
  expectBroken(image, wrong);
}

TEST(CpuImageTest, RelocationsEndWithTheMemory) {
  const std::string wrong = "relocation 4 does not fit";
  Image image;
  image.point(image.page - 8, 0);
  EXPECT_EQ(image.load(), "");
  ++image.relocations.back().memory;
  expectBroken(image, wrong);
  // Symbols are counted from 1.
  image = Image();
  image.header.symbols = 1;
  image.names = std::string("pyk_rt_barrier") + '\0';
  image.point(image.page - 8, 0, 1);
  EXPECT_EQ(image.load(), "");
  image.relocations.back().symbol = 2;
  expectBroken(image, wrong);
  image.relocations.pop_back();
  image.names.pop_back();
  expectBroken(image, "its names of symbols end too early");
}

TEST(CpuImageTest, KernelsEndWithTheMemory) {
  const std::string wrong = "kernel 0 lies outside of it";
  const std::string list = "its list of kernels lies outside of it";
  Image image;
  auto movedTo = [&](size_t relocation, uint64_t target) {
    image = Image();
    image.relocations[relocation].addend = int64_t(target);
    return image;
  };
  // A name that ends with the memory, and one that does not end there.
  EXPECT_EQ(movedTo(2, image.page - 1).load(), "");
  expectBroken(movedTo(2, image.page), wrong);
  // Code begins in the memory, and may be a block's instead of a thread's.
  EXPECT_EQ(movedTo(1, image.page - 1).load(), "");
  expectBroken(movedTo(1, image.page), wrong);
  image = Image();
  image.relocations[1].memory = offsetof(Memory, kernel.blocks);
  EXPECT_EQ(image.load(), "");
  image.relocations[1].addend = -1;
  expectBroken(image, wrong);
  image.relocations[1].memory = offsetof(Memory, code);
  expectBroken(image, wrong);
  // Sizes of two parameters take eight bytes, at a multiple of four.
  EXPECT_EQ(movedTo(3, image.page - 8).load(), "");
  expectBroken(movedTo(3, image.page - 4), wrong);
  expectBroken(movedTo(3, offsetof(Memory, parameterBytes) + 2), wrong);
  // Without parameters nobody reads them.
  image.memory.kernel.parameter_count = 0;
  EXPECT_EQ(image.load(), "");
  image = Image();
  image.memory.table.kernel_count = 1000000;
  expectBroken(image, list);
  expectBroken(movedTo(0, offsetof(Memory, kernel) + 4), list);
  image = Image();
  image.header.module = image.page - sizeof(pyk_rt_kernel_table) + 8;
  expectBroken(image, list);
  image.header.module = 4;
  expectBroken(image, list);
}
