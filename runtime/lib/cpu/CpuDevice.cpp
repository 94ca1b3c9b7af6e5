// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CPU says of itself, in CUDA's terms: a multiprocessor is an OS
// thread of a launch, and limits are those that launchOnCpu enforces.

#include "../WorkCheck.h"
#include "CpuObjects.h"
#include "pyk/runtime/Artifact.h"
#include "pyk/runtime/CpuImage.h"

#include <cstdlib>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

using namespace pyk::runtime;

/// The processor's name as the system knows it.
static std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, 10, "model name") == 0)
      if (size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "CPU";
}

/// A number that names the machine, in the form of a UUID.
static std::string machineUuid() {
  std::string digits;
  std::ifstream("/etc/machine-id") >> digits;
  digits.resize(32, '0');
  return "CPU-" + digits.substr(0, 8) + "-" + digits.substr(8, 4) + "-" +
         digits.substr(12, 4) + "-" + digits.substr(16, 4) + "-" +
         digits.substr(20);
}

uint64_t CpuDevice::physicalBytes() {
  return uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
}

uint64_t CpuDevice::freeBytes() {
  std::ifstream file("/proc/meminfo");
  uint64_t kibibytes;
  for (std::string word; file >> word;)
    if (word == "MemAvailable:" && file >> kibibytes)
      return kibibytes * 1024;
  return uint64_t(sysconf(_SC_AVPHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
}

CpuDevice::CpuDevice()
    : Device(Backend::Cpu, 0, processorName(), machineUuid()),
      queues(std::make_shared<CpuWork>()) {}

Status CpuOwner::check(std::string_view doing) const {
  return epoch == device->epoch() ? Status() : deadObject(doing, *device);
}

/// The clock of the first core in kHz, as Linux tells it; 0 if it does not.
static int64_t clockKilohertz() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("cpu MHz", 0) == 0)
      if (size_t colon = line.find(':'); colon != std::string::npos)
        return int64_t(std::strtod(line.c_str() + colon + 1, nullptr) * 1000);
  return 0;
}

Result<int64_t> CpuDevice::attribute(DeviceAttribute attribute) {
  switch (attribute) {
  case DeviceAttribute::MaxThreadsPerBlock:
    return LaunchLimits::threadsPerBlock;
  case DeviceAttribute::MaxBlockDimX:
    return LaunchLimits::block[0];
  case DeviceAttribute::MaxBlockDimY:
    return LaunchLimits::block[1];
  case DeviceAttribute::MaxBlockDimZ:
    return LaunchLimits::block[2];
  case DeviceAttribute::MaxGridDimX:
    return LaunchLimits::grid[0];
  case DeviceAttribute::MaxGridDimY:
    return LaunchLimits::grid[1];
  case DeviceAttribute::MaxGridDimZ:
    return LaunchLimits::grid[2];
  case DeviceAttribute::MaxSharedMemoryPerBlock:
  case DeviceAttribute::MaxSharedMemoryPerBlockOptin:
  case DeviceAttribute::MaxSharedMemoryPerMultiprocessor:
    return LaunchLimits::sharedBytesPerBlock;
  case DeviceAttribute::TotalConstantMemory:
    return LaunchLimits::constantBytesPerModule;
  case DeviceAttribute::WarpSize:
    return int64_t(32);
  case DeviceAttribute::MaxRegistersPerBlock:
  case DeviceAttribute::MaxRegistersPerMultiprocessor:
    return int64_t(64 * 1024);
  case DeviceAttribute::ClockRate:
    return clockKilohertz();
  case DeviceAttribute::MaxThreadsPerMultiprocessor:
    return LaunchLimits::residentThreadsPerWorker;
  case DeviceAttribute::ComputeCapabilityMajor:
    return int64_t(9);
  case DeviceAttribute::ComputeCapabilityMinor:
    return int64_t(0);
  case DeviceAttribute::MultiprocessorCount: {
    Result<int32_t> count = cpuThreadCount();
    if (!count.ok())
      return count.status();
    return int64_t(count.value());
  }
  case DeviceAttribute::Integrated:
  case DeviceAttribute::CanMapHostMemory:
  case DeviceAttribute::ConcurrentKernels:
  case DeviceAttribute::UnifiedAddressing:
  case DeviceAttribute::ManagedMemory:
  case DeviceAttribute::ConcurrentManagedAccess:
  case DeviceAttribute::PageableMemoryAccess:
  case DeviceAttribute::HostNativeAtomicSupported:
  case DeviceAttribute::CanUseHostPointerForRegisteredMem:
  case DeviceAttribute::HostRegisterSupported:
  case DeviceAttribute::CooperativeLaunch:
    return int64_t(1);
  case DeviceAttribute::KernelExecTimeout:
  case DeviceAttribute::ComputeMode:
  case DeviceAttribute::EccEnabled:
  case DeviceAttribute::PciBusId:
  case DeviceAttribute::PciDeviceId:
  case DeviceAttribute::PciDomainId:
  case DeviceAttribute::TccDriver:
  case DeviceAttribute::AsyncEngineCount:
  case DeviceAttribute::ClusterLaunch:
  case DeviceAttribute::MemoryPoolsSupported:
  case DeviceAttribute::MultiGpuBoard:
    return int64_t(0);
  default:
    return Status::failure(StatusCode::Unsupported,
                           "asking for an attribute of the " + label(),
                           "attribute " + std::to_string(int32_t(attribute)) +
                               " says nothing of a CPU",
                           "ask for it on a GPU");
  }
}

Result<MemoryInfo> CpuDevice::memoryInfo() {
  return MemoryInfo{freeBytes(), physicalBytes()};
}

Result<std::unique_ptr<Buffer>>
CpuDevice::allocate(MemoryKind kind, size_t bytes, Stream *stream) {
  if (stream)
    if (Status status = checkSameDevice("allocating memory", "stream",
                                        stream->device(), *this);
        !status.ok())
      return status;
  return CpuBuffer::allocate(CpuOwner(self()), kind, bytes);
}

Result<std::unique_ptr<Buffer>>
CpuDevice::registerHost(MemoryKind kind, void *host, size_t bytes) {
  if (Status status = checkRegistration("registering memory of the host", kind,
                                        host, bytes);
      !status.ok())
    return status;
  return std::unique_ptr<Buffer>(
      new CpuBuffer(CpuOwner(self()), kind, host, bytes, nullptr));
}

Result<std::unique_ptr<Stream>> CpuDevice::createStream(StreamOrder order) {
  auto queue = std::make_shared<CommandQueue>(queues, order);
  queues->add(queue);
  return std::unique_ptr<Stream>(
      new CpuStream(CpuOwner(self()), DefaultStream::Unnamed, std::move(queue),
                    /*owned=*/true));
}

Result<std::unique_ptr<Stream>> CpuDevice::defaultStream(DefaultStream which) {
  return std::unique_ptr<Stream>(
      new CpuStream(CpuOwner(self()), which, nullptr, /*owned=*/false));
}

Result<std::unique_ptr<Stream>> CpuDevice::externalStream(uint64_t handle) {
  if (handle <= uint64_t(DefaultStream::PerThread))
    return defaultStream(DefaultStream(handle));
  std::shared_ptr<CommandQueue> queue = queues->find(handle);
  if (!queue)
    return Status::failure(StatusCode::InvalidArgument,
                           "using a stream of somebody else",
                           "the " + label() + " has no stream with handle " +
                               std::to_string(handle),
                           "pass the handle of a stream that is alive");
  return std::unique_ptr<Stream>(
      new CpuStream(CpuOwner(self()), DefaultStream::Unnamed, std::move(queue),
                    /*owned=*/false));
}

Result<std::unique_ptr<Event>> CpuDevice::createEvent(EventTiming timing) {
  return std::unique_ptr<Event>(new CpuEvent(CpuOwner(self()), timing));
}

Result<std::unique_ptr<Module>> CpuDevice::loadImage(const DeviceImage &image) {
  Result<std::string_view> code = getCode(image.code);
  if (!code.ok())
    return code.status();
  if (!isCpuImage(code.value()))
    return Status::failure(StatusCode::Unsupported,
                           "loading module '" + image.name + "'",
                           "the " + label() + " runs no code for GPUs",
                           "compile the kernels for the CPU");
  Result<HostImage> loaded = loadCpuImage(code.value());
  if (!loaded.ok())
    return loaded.status();
  return loadHost(std::move(loaded.value()));
}

Result<std::unique_ptr<Module>> CpuDevice::loadHost(HostImage image) {
  return CpuModule::create(CpuOwner(self()), std::move(image));
}

Status CpuDevice::synchronize() {
  return queues->synchronize("waiting for the " + label());
}

Status CpuDevice::reset() {
  if (Status status = queues->drain("resetting the " + label(), /*all=*/true);
      !status.ok())
    return status;
  resets.fetch_add(1);
  return Status();
}
