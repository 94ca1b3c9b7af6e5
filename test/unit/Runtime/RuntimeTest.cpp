// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface, as a caller uses it that knows nothing but its header. What
// the objects do is in the conformance tests; here each function is called
// once, and each refusal of its own seen.

#include "TestSupport.h"

#include "pyk/runtime/Runtime.h"

#include "gtest/gtest.h"

#include <atomic>
#include <cstring>
#include <string>
#include <thread>

using namespace pyk::runtime::test;

namespace {

void expectOk(pyk_rt_status *status) {
  EXPECT_EQ(status, nullptr) << pyk_rt_status_message(status);
  pyk_rt_status_free(status);
}

void expectFailure(pyk_rt_status *status, pyk_rt_code code,
                   const std::string &part) {
  EXPECT_EQ(pyk_rt_status_code(status), code);
  EXPECT_NE(std::string(pyk_rt_status_message(status)).find(part),
            std::string::npos)
      << "expects '" << part << "' in: " << pyk_rt_status_message(status);
  pyk_rt_status_free(status);
}

/// data[i] += amount, for each thread.
void addTo(pyk_rt_block *block, void *const *arguments) {
  auto *data = argument<int32_t *>(arguments, 0);
  for (int32_t thread = 0; thread < block->block_dim[0]; ++thread)
    data[block->block_id[0] * block->block_dim[0] + thread] +=
        argument<int32_t>(arguments, 1);
}

constexpr uint32_t addParameters[] = {8, 4};

/// The CPU with a stream and a kernel.
class RuntimeTest : public ::testing::Test {
protected:
  void SetUp() override {
    expectOk(pyk_rt_device_get(PYK_RT_BACKEND_CPU, 0, &device));
    expectOk(pyk_rt_stream_create(device, 0, &stream));
    addKernel = loopKernel<addTo>();
    pyk_rt_host_kernel kernel = {"add", &addKernel, addParameters, 2};
    expectOk(pyk_rt_module_load_host(
        device, &kernel, 1, &released,
        [](void *owner) { ++*static_cast<int *>(owner); }, &module));
    expectOk(pyk_rt_module_function(module, "add", &function));
  }

  void TearDown() override {
    pyk_rt_module_release(module);
    EXPECT_EQ(released, 0);
    pyk_rt_function_release(function);
    pyk_rt_stream_release(stream);
    expectOk(pyk_rt_device_synchronize(device));
    EXPECT_EQ(released, 1);
    pyk_rt_device_release(device);
  }

  int released = 0;
  pyk_rt_kernel addKernel = {};
  pyk_rt_device *device = nullptr;
  pyk_rt_stream *stream = nullptr;
  pyk_rt_module *module = nullptr;
  pyk_rt_function *function = nullptr;
};

} // namespace

TEST_F(RuntimeTest, NullStatusIsSuccess) {
  EXPECT_EQ(pyk_rt_status_code(nullptr), PYK_RT_OK);
  EXPECT_STREQ(pyk_rt_status_message(nullptr), "");
  EXPECT_STREQ(pyk_rt_status_native_call(nullptr), "");
  EXPECT_STREQ(pyk_rt_status_native_name(nullptr), "");
  EXPECT_EQ(pyk_rt_status_native_code(nullptr), 0);
  pyk_rt_status_free(nullptr);
  EXPECT_EQ(pyk_rt_interface_version(), PYK_RT_INTERFACE_VERSION);
}

TEST_F(RuntimeTest, TellsOfDevices) {
  int32_t count = 0, version = -1;
  expectOk(pyk_rt_backend_device_count(PYK_RT_BACKEND_CPU, &count));
  EXPECT_EQ(count, 1);
  expectOk(pyk_rt_backend_driver_version(PYK_RT_BACKEND_CPU, &version));
  EXPECT_EQ(version, 0);
  EXPECT_EQ(pyk_rt_device_backend(device), PYK_RT_BACKEND_CPU);
  EXPECT_EQ(pyk_rt_device_index(device), 0);
  EXPECT_STRNE(pyk_rt_device_name(device), "");
  EXPECT_EQ(std::strlen(pyk_rt_device_uuid(device)), 40u);
  int64_t value = 0;
  expectOk(pyk_rt_device_attribute(device, "WARP_SIZE", &value));
  EXPECT_EQ(value, 32);
  EXPECT_STREQ(pyk_rt_device_attribute_name(0), "MAX_THREADS_PER_BLOCK");
  EXPECT_EQ(pyk_rt_device_attribute_name(100000), nullptr);
  uint64_t freeBytes = 0, totalBytes = 0, context = 1;
  expectOk(pyk_rt_device_memory_info(device, &freeBytes, &totalBytes));
  expectOk(pyk_rt_device_set_profiling(device, 1));
  expectOk(pyk_rt_device_set_profiling(device, 0));
  EXPECT_LE(freeBytes, totalBytes);
  expectOk(pyk_rt_device_context(device, &context));
  EXPECT_EQ(context, 0u);
}

TEST_F(RuntimeTest, CopiesFillsLaunchesAndWaits) {
  pyk_rt_buffer *buffer = nullptr;
  expectOk(pyk_rt_buffer_allocate(device, PYK_RT_MEMORY_DEVICE, 256, stream,
                                  &buffer));
  EXPECT_EQ(pyk_rt_buffer_bytes(buffer), 256u);
  EXPECT_NE(pyk_rt_buffer_host_address(buffer), nullptr);
  uint64_t address = pyk_rt_buffer_device_address(buffer);
  expectOk(pyk_rt_stream_fill(stream, address, 1, 4, 64));
  int32_t amount = 5;
  void *arguments[] = {&address, &amount};
  pyk_rt_launch_config config = {
      sizeof(config), {2, 1, 1}, {32, 1, 1}, 0, /*cooperative=*/0};
  expectOk(pyk_rt_stream_launch(stream, function, &config, arguments));
  int32_t values[64] = {};
  expectOk(pyk_rt_stream_copy_to_host(stream, values, address, 256, 1));
  EXPECT_EQ(values[63], 6);
  values[0] = 30;
  expectOk(pyk_rt_stream_copy_to_device(stream, address, values, 4, 0));
  expectOk(pyk_rt_stream_copy_on_device(stream, address + 4, address, 4));
  pyk_rt_copy_2d rows = {sizeof(rows),
                         PYK_RT_TO_HOST,
                         reinterpret_cast<uintptr_t>(values),
                         address,
                         4,
                         8,
                         4,
                         2};
  expectOk(pyk_rt_stream_copy_rows(stream, &rows, 1));
  EXPECT_EQ(values[0], 30);
  EXPECT_EQ(values[1], 6);
  int32_t done = 0;
  expectOk(pyk_rt_stream_synchronize(stream));
  expectOk(pyk_rt_stream_query(stream, &done));
  EXPECT_EQ(done, 1);
  pyk_rt_buffer_release(buffer);
}

TEST_F(RuntimeTest, RegistersMemoryOfTheCaller) {
  int32_t values[4] = {};
  pyk_rt_buffer *buffer = nullptr;
  expectOk(pyk_rt_buffer_register(device, PYK_RT_MEMORY_MAPPED, values, 16,
                                  &buffer));
  EXPECT_EQ(pyk_rt_buffer_host_address(buffer), values);
  pyk_rt_buffer_release(buffer);
}

TEST_F(RuntimeTest, EventsTakeTheTime) {
  pyk_rt_event *start = nullptr, *end = nullptr;
  expectOk(pyk_rt_event_create(device, 1, &start));
  expectOk(pyk_rt_event_create(device, 1, &end));
  EXPECT_NE(pyk_rt_event_handle(start), pyk_rt_event_handle(end));
  expectOk(pyk_rt_event_record(start, stream));
  expectOk(pyk_rt_stream_wait_event(stream, start));
  expectOk(pyk_rt_event_record(end, stream));
  expectOk(pyk_rt_event_synchronize(end));
  int32_t done = 0;
  expectOk(pyk_rt_event_query(end, &done));
  EXPECT_EQ(done, 1);
  double milliseconds = -1;
  expectOk(pyk_rt_event_elapsed(start, end, &milliseconds));
  EXPECT_GE(milliseconds, 0);
  pyk_rt_event_release(start);
  pyk_rt_event_release(end);
}

TEST_F(RuntimeTest, CallbackGetsItsContext) {
  int called = 0;
  expectOk(pyk_rt_stream_add_callback(
      stream,
      [](const pyk_rt_status *status, void *context) {
        *static_cast<int *>(context) = status ? -1 : 1;
      },
      &called));
  expectOk(pyk_rt_stream_synchronize(stream));
  EXPECT_EQ(called, 1);
}

TEST_F(RuntimeTest, StreamsAreFoundAgain) {
  pyk_rt_stream *other = nullptr;
  expectOk(
      pyk_rt_stream_external(device, pyk_rt_stream_handle(stream), &other));
  EXPECT_EQ(pyk_rt_stream_handle(other), pyk_rt_stream_handle(stream));
  pyk_rt_stream_release(other);
  expectOk(pyk_rt_stream_default(device, PYK_RT_STREAM_PER_THREAD, &other));
  EXPECT_EQ(pyk_rt_stream_handle(other), 2u);
  pyk_rt_stream_release(other);
  expectFailure(pyk_rt_stream_external(device, 12345, &other),
                PYK_RT_INVALID_ARGUMENT,
                "has no stream with handle 12345; pass the handle of a stream "
                "that is alive");
}

TEST_F(RuntimeTest, FunctionsTellWhatTheyNeed) {
  pyk_rt_function_info info = {};
  expectFailure(pyk_rt_function_get_info(function, &info),
                PYK_RT_INVALID_ARGUMENT, "set it to the structure's size");
  info.struct_bytes = sizeof(info);
  expectOk(pyk_rt_function_get_info(function, &info));
  EXPECT_EQ(info.max_threads_per_block, 1024);
  expectOk(pyk_rt_function_set_max_dynamic_shared(function, 100000));
  expectOk(pyk_rt_function_set_carveout(function, 50));
  expectOk(pyk_rt_function_set_cache(function, PYK_RT_CACHE_PREFER_L1));
  int32_t blocks = 0, grid = 0, block = 0;
  expectOk(pyk_rt_function_active_blocks(function, 256, 0, &blocks));
  EXPECT_GE(blocks, 1);
  expectOk(pyk_rt_function_best_block(function, 0, 0, &grid, &block));
  EXPECT_GE(block, 32);
}

TEST_F(RuntimeTest, NumbersThatMeanNothingAreRefused) {
  pyk_rt_device *noDevice = nullptr;
  pyk_rt_buffer *buffer = nullptr;
  pyk_rt_stream *other = nullptr;
  expectFailure(pyk_rt_device_get(7, 0, &noDevice), PYK_RT_INVALID_ARGUMENT,
                "choosing a backend: its number is 7; pass "
                "PYK_RT_BACKEND_CPU or PYK_RT_BACKEND_CUDA");
  expectFailure(pyk_rt_device_get(PYK_RT_BACKEND_CPU, 1, &noDevice),
                PYK_RT_NOT_FOUND,
                "choosing a cpu device: there is none with index 1, only 1 "
                "device; choose an index from 0 to 0");
  EXPECT_EQ(noDevice, nullptr);
  expectFailure(pyk_rt_buffer_allocate(device, 9, 1, nullptr, &buffer),
                PYK_RT_INVALID_ARGUMENT, "getting memory: its kind is 9");
  expectFailure(pyk_rt_stream_default(device, 3, &other),
                PYK_RT_INVALID_ARGUMENT,
                "choosing a default stream: its number is 3");
  expectFailure(pyk_rt_function_set_cache(function, -1),
                PYK_RT_INVALID_ARGUMENT, "cache preference: its number is -1");
  pyk_rt_copy_2d rows = {sizeof(rows), 5, 0, 0, 0, 0, 0, 0};
  expectFailure(pyk_rt_stream_copy_rows(stream, &rows, 1),
                PYK_RT_INVALID_ARGUMENT, "their direction is 5");
  pyk_rt_launch_config config = {};
  expectFailure(pyk_rt_stream_launch(stream, function, &config, nullptr),
                PYK_RT_INVALID_ARGUMENT, "struct_bytes is 0, less than ");
  config = {sizeof(config), {1, 1, 1}, {1, 1, 1}, 0, 0};
  expectFailure(pyk_rt_stream_launch(stream, function, &config, nullptr),
                PYK_RT_INVALID_ARGUMENT,
                "kernel 'add' has 2 parameters, and there are no arguments");
}

TEST_F(RuntimeTest, WhatIsNotThereIsNotFound) {
  pyk_rt_function *none = nullptr;
  uint64_t address = 0;
  size_t bytes = 0;
  int64_t value = 0;
  expectFailure(pyk_rt_module_function(module, "sub", &none), PYK_RT_NOT_FOUND,
                "looking for kernel 'sub': the module has none of that name; "
                "ask for one of 'add'");
  expectFailure(pyk_rt_module_symbol(module, "x", &address, &bytes),
                PYK_RT_NOT_FOUND,
                "looking for variable 'x': modules of host code tell of no "
                "variables; pass the memory to the kernel as an argument");
  expectFailure(pyk_rt_device_attribute(device, "COLOR", &value),
                PYK_RT_NOT_FOUND, "there is none named 'COLOR'");
}

TEST_F(RuntimeTest, OwnerIsReleasedIfTheModuleCannotBe) {
  pyk_rt_module *none = nullptr;
  pyk_rt_host_kernel twice[] = {{"add", &addKernel, addParameters, 2},
                                {"add", &addKernel, addParameters, 2}};
  int count = 0;
  expectFailure(pyk_rt_module_load_host(
                    device, twice, 2, &count,
                    [](void *owner) { ++*static_cast<int *>(owner); }, &none),
                PYK_RT_INVALID_ARGUMENT,
                "kernel 'add' is there twice; pass each kernel once, with its "
                "description");
  EXPECT_EQ(count, 1);
  expectFailure(
      pyk_rt_module_load_image(device, "image", "x", 1, nullptr, &none),
      PYK_RT_UNSUPPORTED, "runs no code for GPUs");
}

TEST_F(RuntimeTest, WhatIsHeldGoesAfterTheWork) {
  std::atomic<int> released{0};
  auto release = [](void *held) { ++*static_cast<std::atomic<int> *>(held); };
  pyk_rt_device_hold_until_done(device, &released, release);
  EXPECT_EQ(released, 1);

  pyk_rt_stream *busy = nullptr;
  expectOk(pyk_rt_stream_create(device, 0, &busy));
  std::atomic<bool> mayEnd{false};
  expectOk(pyk_rt_stream_add_callback(
      busy,
      [](const pyk_rt_status *, void *context) {
        while (!*static_cast<std::atomic<bool> *>(context))
          std::this_thread::yield();
      },
      &mayEnd));
  pyk_rt_device_hold_until_done(device, &released, release);
  EXPECT_EQ(released, 1);
  mayEnd = true;
  expectOk(pyk_rt_stream_synchronize(busy));
  // It was queued behind the callback, and before the wait.
  EXPECT_EQ(released, 2);
  pyk_rt_stream_release(busy);
}

TEST_F(RuntimeTest, ResetKillsWhatWasMadeBefore) {
  expectOk(pyk_rt_device_reset(device));
  expectFailure(pyk_rt_stream_synchronize(stream), PYK_RT_FAILED_PRECONDITION,
                "cpu device was reset since the object was made; make it anew");
}
