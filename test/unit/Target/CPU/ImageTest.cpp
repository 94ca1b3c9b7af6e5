// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images of compiled code: several kernels in one, in a process that has no
// compiler, and bytes that are no image.

#include "Support.h"
#include "pyk/runtime/Artifact.h"
#include "pyk/runtime/CpuFeatures.h"
#include "pyk/runtime/Device.h"
#include "pyk/runtime/Registry.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <cstdio>
#include <random>

using namespace pyk;
using namespace pyk::runtime;
using namespace pyk::test;

namespace {

/// Three kernels: a loop, one that waits, and one that calls the runtime for
/// mathematics. Two have shared arrays, one in a function that both call.
constexpr const char text[] = R"(
@own = internal addrspace(3) global [32 x i32] undef, align 4
@both = internal addrspace(3) global [8 x i32] undef, align 4
@table = internal addrspace(4) constant [4 x i32] [i32 5, i32 6, i32 7, i32 8]
declare double @__nv_erfcinv(double)

define internal i32 @index() noinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %b, %n
  %i = add i32 %before, %t
  ret i32 %i
}

define internal void @share(i32 %value) noinline {
  store i32 %value, ptr addrspace(3) @both
  ret void
}

define ptx_kernel void @loop(ptr addrspace(1) %out) {
  %i = call i32 @index()
  %k = and i32 %i, 3
  %from = getelementptr i32, ptr addrspace(4) @table, i32 %k
  %value = load i32, ptr addrspace(4) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %value, ptr addrspace(1) %to
  call void @share(i32 %value)
  ret void
}

define ptx_kernel void @waits(ptr addrspace(1) %out) "nvvm.maxntid"="128" {
  %i = call i32 @index()
  store i32 2, ptr addrspace(3) @own
  call void @share(i32 1)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a = load i32, ptr addrspace(3) @own
  %b = load i32, ptr addrspace(3) @both
  %sum = add i32 %a, %b
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @calls(ptr addrspace(1) %out) {
  %i = call i32 @index()
  %one = call double @__nv_erfcinv(double 1.0)
  %zero = fptosi double %one to i32
  %value = add i32 %zero, 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %value, ptr addrspace(1) %to
  ret void
}
)";

std::string compileAll() {
  llvm::StringRef names[] = {"loop", "waits", "calls"};
  auto image = compileForCpu(parse(text), names);
  if (image)
    return std::move(*image);
  ADD_FAILURE() << llvm::toString(image.takeError());
  return "";
}

std::string messageOf(llvm::StringRef bytes) {
  auto loaded = loadCpuImage(bytes);
  EXPECT_FALSE(loaded.ok());
  return loaded.ok() ? "" : std::string(loaded.status().message());
}

/// The image with one field of its header changed.
template <typename T>
std::string changed(std::string image, size_t offset, T value) {
  std::memcpy(image.data() + offset, &value, sizeof(value));
  return image;
}

} // namespace

TEST(ImageTest, HoldsEachKernel) {
  auto image = loadCpuImage(compileAll());
  ASSERT_TRUE(image.ok()) << image.status().message();
  const std::vector<HostKernel> &kernels = image.value().kernels;
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].name, "loop");
  EXPECT_EQ(kernels[1].name, "waits");
  EXPECT_EQ(kernels[2].name, "calls");
  EXPECT_EQ(kernels[0].parameterBytes, std::vector<uint32_t>{8});
  EXPECT_NE(kernels[0].kernel->blocks, nullptr);
  EXPECT_EQ(kernels[1].kernel->blocks, nullptr);
  EXPECT_EQ(kernels[1].kernel->max_threads, 128u);
  // What both share has one place; a kernel that shares nothing needs none.
  EXPECT_EQ(kernels[1].kernel->static_shared_bytes, 160u);
  EXPECT_EQ(kernels[2].kernel->static_shared_bytes, 0u);
}

TEST(ImageTest, RunsWhereThereIsNoCompiler) {
  llvm::SmallString<128> path;
  int file;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("pyk", "image", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true)
      << writeArtifact({"{}", compileAll()});
  std::string command =
      std::string(PYK_RUN_ARTIFACT) + " " + path.c_str() + " 2>&1";
  FILE *output = popen(command.c_str(), "r");
  ASSERT_TRUE(output);
  char printed[4096] = {};
  size_t length = std::fread(printed, 1, sizeof(printed) - 1, output);
  EXPECT_EQ(pclose(output), 0);
  EXPECT_FALSE(llvm::sys::fs::remove(path));
  EXPECT_EQ(std::string(printed, length),
            "loop: 6500\nwaits: 3000\ncalls: 4000\n");
}

TEST(ImageTest, LoadsOnTheCpuAlone) {
  auto device = Registry::ofProcess().device(Backend::Cpu, 0);
  ASSERT_TRUE(device.ok());
  std::string image = compileAll();
  std::string artifact = writeArtifact({"{}", image});
  DeviceImage given;
  given.name = "three";
  for (const std::string &code : {image, artifact}) {
    given.code = code;
    auto module = device.value()->loadImage(given);
    ASSERT_TRUE(module.ok()) << module.status().message();
    EXPECT_TRUE(module.value()->kernel("loop").ok());
    EXPECT_EQ(module.value()->kernel("other").status().message(),
              "looking for kernel 'other': the module has none of that name; "
              "ask for one of 'loop', 'waits', 'calls'");
  }
  // What is damaged within an artifact, and code for a GPU.
  std::string damaged = writeArtifact({"{}", image.substr(0, 100)});
  given.code = damaged;
  EXPECT_EQ(device.value()->loadImage(given).status().code(),
            StatusCode::InvalidImage);
  given.code = std::string_view(artifact).substr(0, 100);
  EXPECT_EQ(device.value()->loadImage(given).status().code(),
            StatusCode::InvalidImage);
  std::string foreign = writeArtifact({"{}", ".version 7.8\n"});
  given.code = foreign;
  EXPECT_EQ(device.value()->loadImage(given).status().message(),
            "loading module 'three': the cpu device runs no code for GPUs; "
            "compile the kernels for the CPU");
}

TEST(ImageTest, CodeGoesWithItsOwner) {
  auto image = loadCpuImage(compileAll());
  ASSERT_TRUE(image.ok());
  std::weak_ptr<void> owner = image.value().owner;
  std::shared_ptr<void> kept = std::move(image.value().owner);
  image = HostImage();
  EXPECT_FALSE(owner.expired());
  kept.reset();
  EXPECT_TRUE(owner.expired());
}

TEST(ImageTest, OtherBytesAreRefused) {
  const std::string prefix = "loading code for the CPU: ";
  const std::string again = "; compile the kernel again with this version of "
                            "PyK";
  EXPECT_EQ(messageOf(""), prefix +
                               "these bytes are no code that PyK compiled for "
                               "the CPU" +
                               again);
  std::string image = compileAll();
  EXPECT_EQ(messageOf(changed(image, 0, 'x')), messageOf(""));
  EXPECT_EQ(messageOf(changed(image, offsetof(CpuImageHeader, abiVersion), 99)),
            prefix +
                "it was compiled for version 99 of the runtime's ABI, and this "
                "is version " +
                std::to_string(PYK_RT_ABI_VERSION) + again);
  EXPECT_EQ(
      messageOf(changed(image, offsetof(CpuImageHeader, architecture), 243)),
      prefix +
          "it was compiled for architecture 243 as ELF counts them, and this "
          "machine is number " +
          std::to_string(getHostArchitecture().number) +
          "; compile the kernel on a machine of this kind, or for one with "
          "option cpu-level");
  EXPECT_EQ(messageOf(changed(image, offsetof(CpuImageHeader, features),
                              getHostCpuFeatures() | uint64_t(1) << 63)),
            prefix +
                "it was compiled for a processor that has feature 63, which "
                "this one does not; compile the kernel on a machine that has "
                "no more than this one, or for less with option cpu-level");
  size_t name = image.find("pyk_rt_barrier");
  ASSERT_NE(name, std::string::npos);
  EXPECT_EQ(messageOf(changed(image, name, 'q')),
            prefix +
                "it calls 'qyk_rt_barrier', which this runtime does not "
                "have" +
                again);
  EXPECT_EQ(messageOf(image.substr(0, image.size() - 1)),
            prefix + "it has " + std::to_string(image.size() - 1) +
                " bytes instead of " + std::to_string(image.size()) + again);
}

TEST(ImageTest, TablesOutOfBoundsAreRefused) {
  std::string image = compileAll();
  auto messageWith = [&](size_t offset, auto value) {
    return messageOf(changed(image, offset, value));
  };
  CpuImageHeader header;
  std::memcpy(&header, image.data(), sizeof(header));
  constexpr size_t segment = sizeof(CpuImageHeader);
  size_t relocation = segment + header.segments * sizeof(CpuImageSegment);
  struct Case {
    size_t offset;
    uint64_t value;
    const char *part;
  };
  for (const Case &wrong : {
           Case{offsetof(CpuImageHeader, memoryBytes), 0, "asks for 0 bytes"},
           {offsetof(CpuImageHeader, module), ~uint64_t(7), "list of kernels"},
           {offsetof(CpuImageHeader, segments), ~uint64_t(0), "tables end"},
           {segment + offsetof(CpuImageSegment, memory), 1, "segment 0 does"},
           {segment + offsetof(CpuImageSegment, file), ~uint64_t(0),
            "segment 0 does"},
           {relocation + offsetof(CpuImageRelocation, memory), ~uint64_t(0),
            "relocation 0 does"},
           {relocation + offsetof(CpuImageRelocation, symbol), 1000,
            "relocation 0 does"},
       })
    EXPECT_NE(messageWith(wrong.offset, wrong.value).find(wrong.part),
              std::string::npos)
        << wrong.part;
  auto nameBytes = offsetof(CpuImageHeader, nameBytes);
  EXPECT_NE(messageWith(nameBytes, 3).find("names of symbols end"),
            std::string::npos);
}

// Whatever is damaged, the loader stays within the bytes and says no, or loads
// what nobody then runs.
TEST(ImageTest, DamageIsSurvived) {
  const std::string image = compileAll();
  std::mt19937 random(1);
  size_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = image;
    for (int times = 1 + int(random() % 3); times > 0; --times)
      damaged[random() % damaged.size()] = char(random());
    refused += !loadCpuImage(damaged).ok();
  }
  EXPECT_GT(refused, 1000u);
  for (size_t length = 0; length < image.size(); ++length)
    EXPECT_FALSE(loadCpuImage(std::string_view(image).substr(0, length)).ok());
}
