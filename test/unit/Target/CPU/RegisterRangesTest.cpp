// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM is told how small and how large special registers are. A range that is
// too short makes it take a comparison with the last value for one that never
// holds.

#include "Support.h"

#include <sstream>

using namespace pyk;
using namespace pyk::test;

namespace {

/// A special register.
struct Register {
  std::string name;
  int32_t least, most;
};

constexpr int32_t largest = 2147483647;

const std::vector<Register> registers = {
    {"tid.x", 0, 1023},          {"tid.y", 0, 1023},     {"tid.z", 0, 63},
    {"ntid.x", 1, 1024},         {"ntid.y", 1, 1024},    {"ntid.z", 1, 64},
    {"ctaid.x", 0, largest - 1}, {"ctaid.y", 0, 65534},  {"ctaid.z", 0, 65534},
    {"nctaid.x", 1, largest},    {"nctaid.y", 1, 65535}, {"nctaid.z", 1, 65535},
};

/// For each register, stores whether it has its least value and whether it has
/// its last one.
std::string compareAll() {
  std::ostringstream text;
  text << "define ptx_kernel void @k(ptr addrspace(1) %out) {\n";
  int place = 0;
  for (const auto &[name, least, most] : registers) {
    text << "%" << name << " = call i32 @llvm.nvvm.read.ptx.sreg." << name
         << "()\n";
    for (int32_t value : {least, most}) {
      text << "%is" << place << " = icmp eq i32 %" << name << ", " << value
           << "\n%byte" << place << " = zext i1 %is" << place << " to i8\n%at"
           << place << " = getelementptr i8, ptr addrspace(1) %out, i32 "
           << place << "\nstore i8 %byte" << place << ", ptr addrspace(1) %at"
           << place << "\n";
      ++place;
    }
  }
  text << "ret void\n}\n";
  return text.str();
}

/// What a thread finds whose registers are these.
std::vector<int8_t> find(const CpuKernel &kernel,
                         const std::vector<int32_t> &values) {
  std::vector<int8_t> found(2 * registers.size(), -1);
  int8_t *out = found.data();
  void *arguments[] = {static_cast<void *>(&out)};
  const int32_t *size = &values[3], *id = &values[6], *grid = &values[9];
  pyk_rt_block block = {{id[0], id[1], id[2]},
                        {size[0], size[1], size[2]},
                        {grid[0], grid[1], grid[2]},
                        0,
                        nullptr,
                        nullptr,
                        0};
  kernel.getEntry().thread(&block, values[0], values[1], values[2], arguments);
  return found;
}

} // namespace

// One register after the other has its last value, in a block and a grid of one
// otherwise: what is larger than a launch can be is asked for here alone.
TEST(RegisterRangesTest, FirstAndLastValuesAreInside) {
  auto kernel = compile(compareAll());
  ASSERT_TRUE(kernel);
  std::vector<int32_t> values;
  std::vector<int8_t> expected;
  for (const Register &each : registers) {
    values.push_back(each.least);
    expected.insert(expected.end(), {1, 0});
  }
  EXPECT_EQ(find(*kernel, values), expected);
  for (size_t i = 0; i < registers.size(); ++i) {
    SCOPED_TRACE(registers[i].name);
    std::vector<int32_t> changed = values;
    std::vector<int8_t> changedFinds = expected;
    changed[i] = registers[i].most;
    changedFinds[2 * i] = 0;
    changedFinds[2 * i + 1] = 1;
    EXPECT_EQ(find(*kernel, changed), changedFinds);
  }
}

// The loop over a block's threads goes from any of them to before any other or
// the end.
TEST(RegisterRangesTest, LoopEndsAfterTheLastThread) {
  auto printed = printReference(
      parse("define ptx_kernel void @k() { ret void }"), llvm::StringRef("k"));
  ASSERT_TRUE(bool(printed)) << llvm::toString(printed.takeError());
  for (const char *parameter :
       {"range(i32 0, 1024) %x,", "range(i32 1, 1025) %x.end,",
        "range(i32 0, 1024) %y,", "range(i32 1, 1025) %y.end,",
        "range(i32 0, 64) %z,", "range(i32 1, 65) %z.end"})
    EXPECT_NE(printed->find(parameter), std::string::npos)
        << parameter << " in:\n"
        << *printed;
}
