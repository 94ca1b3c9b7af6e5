// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pins the layout of ABI.h, which the CPU target's code generator repeats as
// offsets. If this fails, that generator and PYK_RT_ABI_VERSION must change
// too.

#include "pyk/runtime/ABI.h"
#include "pyk/runtime/CpuImage.h"

#include "gtest/gtest.h"

#include <dlfcn.h>

#include <cstddef>
#include <type_traits>

static_assert(PYK_RT_ABI_VERSION == 13);
static_assert(sizeof(void *) == 8);

static_assert(std::is_standard_layout_v<pyk_rt_block>);
static_assert(offsetof(pyk_rt_block, block_id) == 0);
static_assert(offsetof(pyk_rt_block, block_dim) == 12);
static_assert(offsetof(pyk_rt_block, grid_dim) == 24);
static_assert(offsetof(pyk_rt_block, dynamic_shared_bytes) == 36);
static_assert(offsetof(pyk_rt_block, shared) == 40);
static_assert(offsetof(pyk_rt_block, sums) == 48);
static_assert(offsetof(pyk_rt_block, bytes_kept) == 56);
static_assert(sizeof(pyk_rt_block) == 64);
static_assert(alignof(pyk_rt_block) == 8);

static_assert(std::is_standard_layout_v<pyk_rt_failure>);
static_assert(offsetof(pyk_rt_failure, code) == 0);
static_assert(offsetof(pyk_rt_failure, block_id) == 4);
static_assert(offsetof(pyk_rt_failure, thread_id) == 16);
static_assert(offsetof(pyk_rt_failure, values) == 32);
static_assert(sizeof(pyk_rt_failure) == 48);

static_assert(std::is_standard_layout_v<pyk_rt_kernel>);
static_assert(offsetof(pyk_rt_kernel, abi_version) == 0);
static_assert(offsetof(pyk_rt_kernel, static_shared_bytes) == 4);
static_assert(offsetof(pyk_rt_kernel, local_bytes) == 8);
static_assert(offsetof(pyk_rt_kernel, thread) == 16);
static_assert(offsetof(pyk_rt_kernel, blocks) == 24);
static_assert(offsetof(pyk_rt_kernel, max_threads) == 32);
static_assert(offsetof(pyk_rt_kernel, parameter_count) == 36);
static_assert(offsetof(pyk_rt_kernel, parameter_bytes) == 40);
static_assert(offsetof(pyk_rt_kernel, name) == 48);
static_assert(offsetof(pyk_rt_kernel, waits_for_grid) == 56);
static_assert(offsetof(pyk_rt_kernel, thread_runs_block) == 60);
static_assert(offsetof(pyk_rt_kernel, is_reversed) == 64);
static_assert(sizeof(pyk_rt_kernel) == 72);

static_assert(std::is_standard_layout_v<pyk_rt_kernel_table>);
static_assert(offsetof(pyk_rt_kernel_table, kernel_count) == 0);
static_assert(offsetof(pyk_rt_kernel_table, kernels) == 8);
static_assert(sizeof(pyk_rt_kernel_table) == 16);

// The form of an image is kept in files.
static_assert(sizeof(pyk::runtime::CpuImageHeader) == 64);
static_assert(sizeof(pyk::runtime::CpuImageSegment) == 40);
static_assert(sizeof(pyk::runtime::CpuImageRelocation) == 24);

static_assert(
    std::is_same_v<decltype(&pyk_rt_barrier), void (*)(pyk_rt_block *)>);
static_assert(std::is_same_v<decltype(&pyk_rt_barrier_count),
                             int32_t (*)(pyk_rt_block *, uint32_t)>);
static_assert(
    std::is_same_v<decltype(&pyk_rt_grid_barrier), void (*)(pyk_rt_block *)>);
static_assert(
    std::is_same_v<decltype(&pyk_rt_yield), void (*)(pyk_rt_block *)>);

static_assert(
    std::is_same_v<decltype(&pyk_rt_exchange),
                   void (*)(pyk_rt_block *, uint32_t, uint64_t, uint64_t *)>);

static_assert(std::is_same_v<decltype(&pyk_rt_stray_lane),
                             void (*)(pyk_rt_block *, uint32_t, uint32_t)>);

static_assert(offsetof(pyk_rt_lanes, vectors) == 0);
static_assert(offsetof(pyk_rt_lanes, lanes) == 2);
static_assert(offsetof(pyk_rt_lanes, masked) == 3);
static_assert(offsetof(pyk_rt_lanes, forms) == 4);
static_assert(sizeof(pyk_rt_lanes) == 8);
static_assert(std::is_same_v<decltype(&pyk_rt_outside_lanes),
                             void (*)(pyk_rt_block *, const char *,
                                      pyk_rt_lanes, const int64_t *)>);

static_assert(std::is_same_v<decltype(&pyk_rt_active_mask),
                             uint32_t (*)(pyk_rt_block *, uint32_t)>);

static_assert(std::is_same_v<decltype(&pyk_rt_clock), uint64_t (*)()>);
static_assert(std::is_same_v<decltype(&pyk_rt_global_timer), uint64_t (*)()>);

static_assert(
    std::is_same_v<decltype(&pyk_rt_print),
                   int32_t (*)(pyk_rt_block *, const char *, const void *)>);

static_assert(
    std::is_same_v<decltype(&pyk_rt_launch),
                   void (*)(pyk_rt_block *, const pyk_rt_kernel *, int64_t,
                            int64_t, int64_t, int64_t, int64_t, int64_t,
                            int64_t, int64_t, void *const *)>);
static_assert(
    std::is_same_v<decltype(&pyk_rt_new_stream), int64_t (*)(pyk_rt_block *)>);

TEST(AbiTest, CompiledCodeFindsTheFunctionsByName) {
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_launch"),
            reinterpret_cast<void *>(&pyk_rt_launch));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_new_stream"),
            reinterpret_cast<void *>(&pyk_rt_new_stream));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_barrier"),
            reinterpret_cast<void *>(&pyk_rt_barrier));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_barrier_count"),
            reinterpret_cast<void *>(&pyk_rt_barrier_count));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_grid_barrier"),
            reinterpret_cast<void *>(&pyk_rt_grid_barrier));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_yield"),
            reinterpret_cast<void *>(&pyk_rt_yield));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_exchange"),
            reinterpret_cast<void *>(&pyk_rt_exchange));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_stray_lane"),
            reinterpret_cast<void *>(&pyk_rt_stray_lane));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_outside_lanes"),
            reinterpret_cast<void *>(&pyk_rt_outside_lanes));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_active_mask"),
            reinterpret_cast<void *>(&pyk_rt_active_mask));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_clock"),
            reinterpret_cast<void *>(&pyk_rt_clock));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_global_timer"),
            reinterpret_cast<void *>(&pyk_rt_global_timer));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "pyk_rt_print"),
            reinterpret_cast<void *>(&pyk_rt_print));
}
