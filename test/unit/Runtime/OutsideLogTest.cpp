// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses outside of memory, as compiled code tells of them, become warnings.

#include "TestSupport.h"

#include "pyk/runtime/Runtime.h"
#include "pyk/runtime/Warning.h"

#include <limits>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

/// Threads from 20 on, of the whole grid, are outside at one line.
void leaveAtTheEnd(pyk_rt_block *block, void *const *) {
  for (int32_t t = block->block_dim[0]; t-- > 0;) {
    int32_t i = block->block_id[0] * block->block_dim[0] + t;
    if (i >= 20)
      pyk_rt_outside(block, "a.py\n12\nreads x[{0}, {2}] of {4} {", uint32_t(t),
                     i, 0, -i);
  }
}

/// One thread of a block of several dimensions is, at two lines, and twice.
void leaveOnce(pyk_rt_block *block, void *const *) {
  for (const char *text :
       {"b.py\n3\nwrites y", "b.py\n4\nwrites z[{1}]", "b.py\n4\nreads w[{1}]"})
    pyk_rt_outside(block, text, 13, 0, 7, 0);
}

/// Lanes 1 and 6 of two vectors of 4: their threads are by lane, the first
/// index is uniform, the second consecutive.
void leaveTogether(pyk_rt_block *block, void *const *) {
  const int64_t values[] = {0b0010, 0b0100, 40, 41, 42, 43,
                            50,     51,     52, 53, 7,  100};
  pyk_rt_lanes lanes = {
      2, 4, 1, {PYK_RT_BY_LANE, PYK_RT_UNIFORM, PYK_RT_CONSECUTIVE}};
  pyk_rt_outside_lanes(block, "d.py\n5\nreads x[{0}, {1}]", lanes, values);
}

/// All of three lanes, which have one index each.
void leaveWithoutMask(pyk_rt_block *block, void *const *) {
  const int64_t values[] = {5, -1, -2, -3};
  pyk_rt_lanes lanes = {1, 3, 0, {PYK_RT_CONSECUTIVE, PYK_RT_BY_LANE}};
  pyk_rt_outside_lanes(block, "d.py\n6\nreads x[{0}]", lanes, values);
}

/// Lane 0 of the last of 300 vectors of one lane; the index wraps around.
void leaveInALongTile(pyk_rt_block *block, void *const *) {
  int64_t values[302] = {};
  values[299] = 1;
  values[301] = std::numeric_limits<int64_t>::max();
  pyk_rt_lanes lanes = {300, 1, 1, {PYK_RT_CONSECUTIVE, PYK_RT_CONSECUTIVE}};
  pyk_rt_outside_lanes(block, "d.py\n7\nreads x[{0}]", lanes, values);
}

/// More threads than are counted.
void leaveAlways(pyk_rt_block *block, void *const *) {
  for (int32_t t = 0; t < block->block_dim[0]; ++t)
    pyk_rt_outside(block, "c.py\n1\nreads x", uint32_t(t), 0, 0, 0);
}

void leaveNameless(pyk_rt_block *block, void *const *) {
  pyk_rt_outside(block, "\n0\nreads x", 0, 0, 0, 0);
}

std::string take() {
  auto warning = takeWarning();
  if (!warning)
    return "";
  return warning->file + ":" + std::to_string(warning->line) + ": " +
         warning->message;
}

} // namespace

TEST(OutsideLogTest, TellsOfTheFirstThreadAndCountsTheOthers) {
  pyk_rt_kernel kernel = loopKernel<leaveAtTheEnd>();
  kernel.name = "late";
  expectLaunch(kernel, shapeOf(4, 8));
  EXPECT_EQ(take(), "a.py:12: kernel 'late' reads x[20, -20] of {4} { (thread "
                    "[4, 0, 0] of block [2, 0, 0] and 11 more threads)");
  EXPECT_EQ(take(), "");
  // Once a process, but for another kernel.
  expectLaunch(kernel, shapeOf(4, 8));
  EXPECT_EQ(take(), "");
  kernel.name = "other";
  expectLaunch(kernel, shapeOf(3, 7));
  EXPECT_EQ(take(), "a.py:12: kernel 'other' reads x[20, -20] of {4} { (thread "
                    "[6, 0, 0] of block [2, 0, 0])");
  kernel.name = "third";
  expectLaunch(kernel, shapeOf(2, 11));
  EXPECT_EQ(take(), "a.py:12: kernel 'third' reads x[20, -20] of {4} { (thread "
                    "[9, 0, 0] of block [1, 0, 0] and 1 more thread)");
}

TEST(OutsideLogTest, EachLineWarnsOfItsFirstAccess) {
  pyk_rt_kernel kernel = loopKernel<leaveOnce>();
  kernel.name = "once";
  LaunchShape shape = {{1, 2, 2}, {4, 2, 2}, 0};
  expectLaunch(kernel, shape);
  EXPECT_EQ(take(), "b.py:3: kernel 'once' writes y (thread [1, 1, 1] of block "
                    "[0, 0, 0] and 3 more threads)");
  EXPECT_EQ(take(), "b.py:4: kernel 'once' writes z[7] (thread [1, 1, 1] of "
                    "block [0, 0, 0] and 3 more threads)");
  EXPECT_EQ(take(), "");
}

TEST(OutsideLogTest, ManyThreadsAreNotToldApart) {
  pyk_rt_kernel kernel = loopKernel<leaveAlways>();
  kernel.name = "always";
  expectLaunch(kernel, shapeOf(70, 1024));
  std::string text = take();
  EXPECT_EQ(text.substr(text.find(" and")),
            " and at least 65535 more threads)");
}

TEST(OutsideLogTest, InC) {
  EXPECT_EQ(pyk_rt_take_warning(), nullptr);
  pyk_rt_kernel kernel = loopKernel<leaveNameless>();
  kernel.name = "nameless";
  expectLaunch(kernel, shapeOf(1, 1));
  pyk_rt_warning *warning = pyk_rt_take_warning();
  ASSERT_NE(warning, nullptr);
  EXPECT_STREQ(pyk_rt_warning_message(warning),
               "kernel 'nameless' reads x (thread [0, 0, 0] of block [0, 0, "
               "0])");
  EXPECT_STREQ(pyk_rt_warning_file(warning), "");
  EXPECT_EQ(pyk_rt_warning_line(warning), 0);
  pyk_rt_warning_free(warning);
  pyk_rt_warning_free(nullptr);
}

TEST(OutsideLogTest, LanesAreToldTogether) {
  pyk_rt_kernel kernel = loopKernel<leaveTogether>();
  kernel.name = "together";
  expectLaunch(kernel, shapeOf(1, 64));
  EXPECT_EQ(take(), "d.py:5: kernel 'together' reads x[7, 101] (thread "
                    "[41, 0, 0] of block [0, 0, 0] and 1 more thread)");
  EXPECT_EQ(take(), "");
  kernel = loopKernel<leaveWithoutMask>();
  kernel.name = "together";
  expectLaunch(kernel, shapeOf(1, 64));
  EXPECT_EQ(take(), "d.py:6: kernel 'together' reads x[-1] (thread "
                    "[5, 0, 0] of block [0, 0, 0] and 2 more threads)");
  kernel = loopKernel<leaveInALongTile>();
  kernel.name = "together";
  expectLaunch(kernel, shapeOf(1, 512));
  EXPECT_EQ(take(),
            "d.py:7: kernel 'together' reads x[-9223372036854775510] (thread "
            "[299, 0, 0] of block [0, 0, 0])");
}
