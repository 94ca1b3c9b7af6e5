// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends that the conformance tests run on. Each says how it gets a
// device, gives the same kernels in its own form, and lists the tests that it
// cannot pass, each with a reason. A backend that is not there on this machine
// skips; anything else that goes wrong fails.

#ifndef PYK_TEST_UNIT_RUNTIME_CONFORMANCESUPPORT_H
#define PYK_TEST_UNIT_RUNTIME_CONFORMANCESUPPORT_H

#include "TestSupport.h"

#include "pyk/runtime/Registry.h"

#include "gtest/gtest.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace pyk::runtime::test {

/// The kernels, as PTX: `write_index(out, count, factor)` sets out[i] to
/// i * factor, `add_one(data, count)` adds, and `shared_bytes(out)` tells its
/// dynamic shared memory. `marker` is a variable of 16 bytes.
extern const char *const kernelsAsPtx;

/// The same kernels for the CPU.
HostImage kernelsAsHostImage();

/// A kind of device that the tests run on.
struct ConformanceBackend {
  std::string name;
  /// Fails with Unavailable or NotFound if the machine has none.
  std::function<Result<std::shared_ptr<Device>>()> device;
  /// Loads the kernels.
  std::function<Result<std::unique_ptr<Module>>(Device &)> load;
  /// Names of tests, without the suite's, and why they cannot pass.
  std::map<std::string, std::string> unsupported;
};

/// All backends, in the order cpu, standin, cuda.
const std::vector<const ConformanceBackend *> &conformanceBackends();

/// Fails the test unless `status` is a success.
#define EXPECT_OK(expression)                                                  \
  do {                                                                         \
    ::pyk::runtime::Status checked = (expression);                             \
    EXPECT_TRUE(checked.ok()) << checked.message();                            \
  } while (false)

/// The value of a result; a failure ends the test.
template <typename T>
T valueOf(Result<T> result) {
  if (!result.ok()) {
    ADD_FAILURE() << result.status().message();
    throw std::runtime_error(result.status().message());
  }
  return std::move(result.value());
}

/// Fails the test unless `status` is a failure of kind `code` whose message
/// contains `part`.
inline void expectFailure(const Status &status, StatusCode code,
                          const std::string &part) {
  EXPECT_EQ(statusCodeName(status.code()), std::string(statusCodeName(code)))
      << status.message();
  EXPECT_NE(status.message().find(part), std::string::npos)
      << "expects '" << part << "' in: " << status.message();
}

template <typename T>
void expectFailure(const Result<T> &result, StatusCode code,
                   const std::string &part) {
  expectFailure(result.status(), code, part);
}

/// A test that runs on every backend, with a device of it.
class ConformanceTest
    : public ::testing::TestWithParam<const ConformanceBackend *> {
protected:
  void SetUp() override {
    const ConformanceBackend &backend = *GetParam();
    std::string test =
        ::testing::UnitTest::GetInstance()->current_test_info()->name();
    test.resize(test.find('/'));
    if (auto entry = backend.unsupported.find(test);
        entry != backend.unsupported.end())
      GTEST_SKIP() << backend.name << ": " << entry->second;
    Result<std::shared_ptr<Device>> found = backend.device();
    if (found.status().code() == StatusCode::Unavailable ||
        found.status().code() == StatusCode::NotFound)
      GTEST_SKIP() << backend.name << ": " << found.status().message();
    device = valueOf(std::move(found));
    stream = valueOf(device->defaultStream(DefaultStream::Unnamed));
  }

  void TearDown() override {
    stream.reset();
    if (device)
      EXPECT_OK(device->synchronize());
  }

  /// `count` integers of device memory.
  std::unique_ptr<Buffer> integers(size_t count) {
    return valueOf(
        device->allocate(MemoryKind::Device, count * sizeof(int32_t), nullptr));
  }

  std::unique_ptr<Module> loadKernels() {
    return valueOf(GetParam()->load(*device));
  }

  std::unique_ptr<Kernel> kernelNamed(const std::string &name) {
    return valueOf(loadKernels()->kernel(name));
  }

  /// What `buffer` holds, read through `through`.
  std::vector<int32_t> contents(const Buffer &buffer, Stream &through) {
    std::vector<int32_t> values(buffer.bytes() / sizeof(int32_t));
    EXPECT_OK(through.copyToHost(values.data(), buffer.deviceAddress(),
                                 buffer.bytes(), Completion::Done));
    return values;
  }

  std::vector<int32_t> contents(const Buffer &buffer) {
    return contents(buffer, *stream);
  }

  std::unique_ptr<Stream> newStream() {
    return valueOf(device->createStream(StreamOrder::WithDefault));
  }

  std::shared_ptr<Device> device;
  /// The default stream.
  std::unique_ptr<Stream> stream;
};

/// Lets a stream stand still until this is opened or goes.
class Gate {
public:
  explicit Gate(Stream &stream) : state(std::make_shared<State>()) {
    EXPECT_OK(stream.addCallback([state = state](const Status &) {
      std::unique_lock<std::mutex> lock(state->mutex);
      state->changed.wait(lock, [&] { return state->open; });
    }));
  }
  Gate(const Gate &) = delete;
  Gate &operator=(const Gate &) = delete;
  ~Gate() { open(); }

  void open() {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->open = true;
    state->changed.notify_all();
  }

private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
  };
  std::shared_ptr<State> state;
};

/// A launch of `blocks` blocks of `threads` threads.
inline LaunchConfig launchOf(int64_t blocks, int64_t threads,
                             int64_t dynamicSharedBytes = 0) {
  LaunchConfig config;
  config.grid[0] = blocks;
  config.block[0] = threads;
  config.dynamicSharedBytes = dynamicSharedBytes;
  return config;
}

/// Launches `kernel`; each further argument is one of its own.
template <typename... Arguments>
Status launchOn(Stream &stream, Kernel &kernel, const LaunchConfig &config,
                Arguments... arguments) {
  void *addresses[] = {&arguments..., nullptr};
  return stream.launch(kernel, config, addresses);
}

#define PYK_INSTANTIATE_CONFORMANCE(suite)                                     \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      Backends, suite, ::testing::ValuesIn(conformanceBackends()),             \
      [](const ::testing::TestParamInfo<const ConformanceBackend *> &info) {   \
        return info.param->name;                                               \
      })

} // namespace pyk::runtime::test

#endif // PYK_TEST_UNIT_RUNTIME_CONFORMANCESUPPORT_H
