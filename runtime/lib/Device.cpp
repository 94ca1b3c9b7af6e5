// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all devices and their objects share: names, attributes by name, and the
// places of their virtual tables.

#include "pyk/runtime/Device.h"

using namespace pyk::runtime;

namespace {

constexpr NamedAttribute attributes[] = {
#define PYK_DEVICE_ATTRIBUTE(identifier, name, number)                         \
  {DeviceAttribute::identifier, #name},
#include "pyk/runtime/DeviceAttributes.def"
};

std::string labelOf(Backend backend, int32_t index) {
  std::string label = std::string(backendName(backend)) + " device";
  if (backend == Backend::Cuda)
    label += " " + std::to_string(index);
  return label;
}

} // namespace

const char *pyk::runtime::backendName(Backend backend) {
  return backend == Backend::Cpu ? "cpu" : "cuda";
}

const char *pyk::runtime::memoryKindName(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::Device:
    return "device memory";
  case MemoryKind::Pinned:
    return "pinned memory";
  case MemoryKind::Mapped:
    return "mapped memory";
  case MemoryKind::Managed:
    return "managed memory";
  }
  return "unknown kind of memory";
}

NamedAttribute pyk::runtime::deviceAttributeAt(int32_t index) {
  if (index < 0 || size_t(index) >= std::size(attributes))
    return {DeviceAttribute(0), nullptr};
  return attributes[index];
}

Result<DeviceAttribute>
pyk::runtime::deviceAttributeNamed(std::string_view name) {
  for (const NamedAttribute &known : attributes)
    if (name == known.name)
      return known.attribute;
  return Status::failure(StatusCode::NotFound, "asking for a device attribute",
                         "there is none named '" + std::string(name) + "'",
                         "use one of CUDA's names without its prefix, such as "
                         "MULTIPROCESSOR_COUNT");
}

Device::Device(Backend backend, int32_t index, std::string name,
               std::string uuid)
    : deviceBackend(backend), deviceIndex(index), deviceName(std::move(name)),
      deviceUuid(std::move(uuid)), deviceLabel(labelOf(backend, index)) {}

Device::~Device() = default;
Buffer::~Buffer() = default;
Event::~Event() = default;
Module::~Module() = default;
Kernel::~Kernel() = default;
Stream::~Stream() = default;
