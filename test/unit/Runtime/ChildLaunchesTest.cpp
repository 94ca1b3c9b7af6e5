// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pyk_rt_launch promises: order on each stream of a block, none among
// others, the end of all before the launch's, and copies of arguments.

#include "TestSupport.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

namespace {

/// What a grid is called, and what it tells of when it runs.
struct Record {
  std::mutex mutex;
  std::vector<std::string> names;

  void add(const std::string &name) {
    std::lock_guard<std::mutex> lock(mutex);
    names.push_back(name);
  }
  /// Where `name` is; fails if it is not there once.
  size_t find(const std::string &name) const {
    size_t place = names.size(), count = 0;
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) {
        place = i;
        ++count;
      }
    EXPECT_EQ(count, 1u) << name;
    return place;
  }
};

constexpr uint32_t eightBytes[] = {8, 8};

/// A kernel of two parameters of eight bytes.
template <typename Function>
pyk_rt_kernel kernelOf(Function function, const char *name) {
  pyk_rt_kernel kernel = loopKernel(function);
  kernel.parameter_count = 2;
  kernel.parameter_bytes = eightBytes;
  kernel.name = name;
  return kernel;
}

void launchFrom(pyk_rt_block *block, const pyk_rt_kernel &kernel,
                Record *record, int64_t number, int64_t stream,
                int64_t threads = 1) {
  void *arguments[] = {static_cast<void *>(&record),
                       static_cast<void *>(&number)};
  pyk_rt_launch(block, &kernel, 1, 1, 1, threads, 1, 1, stream, 0, arguments);
}

const pyk_rt_kernel leaf = kernelOf(
    [](pyk_rt_block *, void *const *arguments) {
      auto number = argument<int64_t>(arguments, 1);
      argument<Record *>(arguments, 0)->add("leaf " + std::to_string(number));
    },
    "leaf");

/// Launches a leaf of its number.
const pyk_rt_kernel inner = kernelOf(
    [](pyk_rt_block *block, void *const *arguments) {
      auto *record = argument<Record *>(arguments, 0);
      auto number = argument<int64_t>(arguments, 1);
      record->add("inner " + std::to_string(number));
      launchFrom(block, leaf, record, number, 0);
    },
    "inner");

/// Two after each other without a name, two on streams of their own.
const pyk_rt_kernel outer = kernelOf(
    [](pyk_rt_block *block, void *const *arguments) {
      auto *record = argument<Record *>(arguments, 0);
      int64_t base = 10 * block->block_id[0];
      launchFrom(block, inner, record, base, 0);
      int64_t first = pyk_rt_new_stream(block);
      int64_t second = pyk_rt_new_stream(block);
      EXPECT_NE(first, 0);
      EXPECT_NE(first, second);
      launchFrom(block, inner, record, base + 2, first);
      launchFrom(block, inner, record, base + 1, 0);
      launchFrom(block, inner, record, base + 3, second);
      launchFrom(block, inner, record, base + 4, first);
      record->add("outer " + std::to_string(base));
    },
    "outer");

Status launchOf(const pyk_rt_kernel &kernel, int64_t blocks, Record *record,
                int64_t number) {
  void *arguments[] = {static_cast<void *>(&record),
                       static_cast<void *>(&number)};
  return launchOnCpu(kernel, shapeOf(blocks, 1), arguments);
}

/// How many OS threads a launch has.
class ChildLaunchesTest : public testing::TestWithParam<int32_t> {
protected:
  ScopedThreadCount count{GetParam()};
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Workers, ChildLaunchesTest, testing::Values(1, 2, 5),
                         [](const testing::TestParamInfo<int32_t> &info) {
                           return std::to_string(info.param);
                         });

TEST_P(ChildLaunchesTest, StreamsOfABlockKeepTheirOrder) {
  constexpr int64_t blocks = 300;
  Record record;
  ASSERT_TRUE(launchOf(outer, blocks, &record, 0).ok());
  EXPECT_EQ(record.names.size(), size_t(blocks) * 11);
  for (int64_t block = 0; block < blocks; ++block) {
    auto find = [&](const char *what, int64_t number) {
      return record.find(what + std::to_string(10 * block + number));
    };
    for (auto [before, behind] : {std::pair(0, 1), std::pair(2, 4)})
      EXPECT_LT(find("leaf ", before), find("inner ", behind));
    for (int64_t number = 0; number < 5; ++number) {
      EXPECT_LT(find("outer ", 0), find("inner ", number));
      EXPECT_LT(find("inner ", number), find("leaf ", number));
    }
  }
}

// What one block launches, another one comes between: its stream is one all the
// same.
TEST_P(ChildLaunchesTest, BlocksThatTakeTurnsHaveTheirOwnOrder) {
  static std::atomic<int> turn{0};
  static const pyk_rt_kernel takesTurns = [] {
    pyk_rt_kernel kernel = fiberKernel([](pyk_rt_block *block, int32_t, int32_t,
                                          int32_t, void *const *arguments) {
      auto *record = argument<Record *>(arguments, 0);
      auto waitFor = [&](int wanted) {
        while (turn != wanted)
          pyk_rt_yield(block);
      };
      if (block->block_id[0] == 0) {
        launchFrom(block, inner, record, 0, 0);
        turn = 1;
        waitFor(2);
        launchFrom(block, leaf, record, 2, 0);
      } else {
        waitFor(1);
        launchFrom(block, leaf, record, 1, 0);
        turn = 2;
      }
    });
    kernel.parameter_count = 2;
    kernel.parameter_bytes = eightBytes;
    return kernel;
  }();
  turn = 0;
  Record record;
  ASSERT_TRUE(launchOf(takesTurns, 2, &record, 0).ok());
  EXPECT_EQ(record.names.size(), 4u);
  EXPECT_LT(record.find("leaf 0"), record.find("leaf 2"));
}

TEST_P(ChildLaunchesTest, NothingRunsBehindAFailure) {
  static const pyk_rt_kernel fails = kernelOf(
      [](pyk_rt_block *block, void *const *arguments) {
        auto *record = argument<Record *>(arguments, 0);
        launchFrom(block, leaf, record, 1, 0);
        launchFrom(block, leaf, record, 2, 0, /*threads=*/2000);
      },
      "fails");
  static const pyk_rt_kernel above = kernelOf(
      [](pyk_rt_block *block, void *const *arguments) {
        auto *record = argument<Record *>(arguments, 0);
        launchFrom(block, fails, record, 0, 0);
        launchFrom(block, leaf, record, 3, 0);
      },
      "above");
  Record record;
  Status status = launchOf(above, 1, &record, 0);
  EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
  EXPECT_EQ(status.message(),
            "launching kernel 'leaf' from kernel 'fails': blockDim.x is 2000, "
            "more than CUDA's limit of 1024; use smaller blocks and more of "
            "them");
  EXPECT_TRUE(record.names.empty());
  EXPECT_TRUE(launchOf(inner, 1, &record, 7).ok());
  EXPECT_EQ(record.names.size(), 2u);
}

// Two of itself after each other, so that hardly any of 2^24 waits at a time.
TEST(ChildLaunchesStopTest, LaunchesOfItselfEndWhenTheProgramAsks) {
  static std::atomic<int64_t> runs{0};
  static const pyk_rt_kernel *itself;
  static const pyk_rt_kernel tree = kernelOf(
      [](pyk_rt_block *block, void *const *arguments) {
        ++runs;
        auto *record = argument<Record *>(arguments, 0);
        auto depth = argument<int64_t>(arguments, 1);
        for (int i = 0; i < 2 && depth < LaunchLimits::nestedLaunches; ++i)
          launchFrom(block, *itself, record, depth + 1, 0);
      },
      "tree");
  itself = &tree;
  setInterruptCheck([] { return runs > 1000; });
  Record record;
  Status status = launchOf(tree, 1, &record, 0);
  setInterruptCheck(nullptr);
  EXPECT_EQ(status.code(), StatusCode::Cancelled);
  EXPECT_GT(runs, 1000);
}
