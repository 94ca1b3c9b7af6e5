// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: what each kind gives, and what is refused.

#include "ConformanceSupport.h"

#include <cstring>
#include <limits>

using namespace pyk::runtime;
using namespace pyk::runtime::test;

using ConformanceBufferTest = ConformanceTest;

TEST_P(ConformanceBufferTest, DeviceMemoryIsAligned) {
  for (size_t bytes : {1, 3, 4096, 1 << 20}) {
    auto buffer = valueOf(device->allocate(MemoryKind::Device, bytes, nullptr));
    EXPECT_EQ(buffer->bytes(), bytes);
    EXPECT_NE(buffer->deviceAddress(), 0u);
    EXPECT_EQ(buffer->deviceAddress() % 256, 0u);
  }
}

TEST_P(ConformanceBufferTest, NoBytesAreNoMemory) {
  for (MemoryKind kind : {MemoryKind::Device, MemoryKind::Pinned,
                          MemoryKind::Mapped, MemoryKind::Managed}) {
    auto buffer = valueOf(device->allocate(kind, 0, nullptr));
    EXPECT_EQ(buffer->bytes(), 0u);
    EXPECT_EQ(buffer->deviceAddress(), 0u);
    EXPECT_EQ(buffer->hostAddress(), nullptr);
  }
}

TEST_P(ConformanceBufferTest, TooMuchMemoryIsRefused) {
  constexpr size_t all = std::numeric_limits<size_t>::max();
  for (size_t bytes : {all, all / 4})
    for (MemoryKind kind : {MemoryKind::Device, MemoryKind::Managed})
      expectFailure(device->allocate(kind, bytes, nullptr),
                    StatusCode::OutOfMemory,
                    "allocating " + std::to_string(bytes) + " bytes of " +
                        memoryKindName(kind) + " on " + device->label());
  // Later use works.
  EXPECT_EQ(integers(5)->bytes(), 20u);
}

TEST_P(ConformanceBufferTest, HostReadsWhatTheDeviceWroteToItsMemory) {
  for (MemoryKind kind : {MemoryKind::Mapped, MemoryKind::Managed}) {
    auto buffer = valueOf(device->allocate(kind, 16, nullptr));
    ASSERT_NE(buffer->hostAddress(), nullptr);
    EXPECT_OK(stream->fill(buffer->deviceAddress(), 0x01020304, 4, 4));
    EXPECT_OK(stream->synchronize());
    int32_t values[4];
    std::memcpy(values, buffer->hostAddress(), sizeof(values));
    for (int32_t value : values)
      EXPECT_EQ(value, 0x01020304);
  }
}

TEST_P(ConformanceBufferTest, PinnedMemoryIsCopied) {
  auto pinned = valueOf(device->allocate(MemoryKind::Pinned, 16, nullptr));
  auto *values = static_cast<int32_t *>(pinned->hostAddress());
  ASSERT_NE(values, nullptr);
  for (int32_t i = 0; i < 4; ++i)
    values[i] = 10 + i;
  auto buffer = integers(4);
  EXPECT_OK(stream->copyToDevice(buffer->deviceAddress(), values, 16,
                                 Completion::Queued));
  EXPECT_EQ(contents(*buffer), (std::vector<int32_t>{10, 11, 12, 13}));
}

TEST_P(ConformanceBufferTest, RegisteredMemoryIsTheDevices) {
  std::vector<int32_t> values(1024, 5);
  {
    auto mapped =
        valueOf(device->registerHost(MemoryKind::Mapped, values.data(), 4096));
    EXPECT_EQ(mapped->hostAddress(), values.data());
    EXPECT_OK(stream->fill(mapped->deviceAddress(), 9, 4, 512));
    EXPECT_OK(stream->synchronize());
  }
  EXPECT_EQ(values[0], 9);
  EXPECT_EQ(values[511], 9);
  EXPECT_EQ(values[512], 5);
  auto pinned =
      valueOf(device->registerHost(MemoryKind::Pinned, values.data(), 4096));
  EXPECT_EQ(pinned->kind(), MemoryKind::Pinned);
}

TEST_P(ConformanceBufferTest, WhatCannotBeRegisteredIsRefused) {
  int32_t value = 0;
  expectFailure(device->registerHost(MemoryKind::Managed, &value, 4),
                StatusCode::InvalidArgument,
                "registering memory of the host: the host's memory cannot "
                "become managed memory; register it as pinned or mapped "
                "memory");
  expectFailure(device->registerHost(MemoryKind::Pinned, nullptr, 4),
                StatusCode::InvalidArgument,
                "there is no memory; register one byte or more");
}

TEST_P(ConformanceBufferTest, IsFreedWhileAStreamStillUsesIt) {
  auto own = newStream();
  std::vector<int32_t> got(1 << 16);
  for (int round = 0; round < 20; ++round) {
    auto buffer = valueOf(
        device->allocate(MemoryKind::Device, got.size() * 4, own.get()));
    EXPECT_OK(
        own->fill(buffer->deviceAddress(), uint32_t(round), 4, got.size()));
    EXPECT_OK(own->copyToHost(got.data(), buffer->deviceAddress(),
                              got.size() * 4, Completion::Queued));
    buffer.reset();
    EXPECT_OK(own->synchronize());
    EXPECT_EQ(got.back(), round);
  }
}

PYK_INSTANTIATE_CONFORMANCE(ConformanceBufferTest);
