// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the memory behind an address, among all that is allocated.

#include "Memory.h"

#include <algorithm>
#include <cstring>

using namespace ptxmachine;

/// What kernels may allocate, as CUDA's default.
static constexpr uint64_t kHeapBytes = 8 << 20;

void ptxmachine::poison(char *memory, uint64_t bytes) {
  // As a float64 and as a float32 a large negative number, as an integer one
  // that is no index.
  static constexpr unsigned char pattern[] = {0xe5, 0xc3, 0xb7, 0xd9};
  for (uint64_t i = 0; i < bytes; ++i)
    memory[i] = char(pattern[i % sizeof(pattern)]);
}

uint64_t Heap::allocate(uint64_t bytes) {
  if (bytes == 0 || bytes > kHeapBytes || used + bytes > kHeapBytes)
    return 0;
  std::unique_ptr<char[]> host(new char[bytes + 4]);
  poison(host.get(), bytes + 4);
  uint64_t address = next;
  next += (bytes / 4096 + 2) * 4096;
  used += bytes;
  allocations[address] = {bytes, std::move(host)};
  return address;
}

bool Heap::release(uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  used -= found->second.first;
  allocations.erase(found);
  return true;
}

void Heap::addTo(std::vector<Region> &regions) const {
  for (const auto &[address, allocation] : allocations)
    regions.push_back({address, allocation.first, allocation.second.get()});
}

Memory::Memory(std::vector<Region> regions, Heap &heap, bool reachesHost)
    : regions(std::move(regions)), heap(heap), reachesHost(reachesHost) {
  heap.addTo(this->regions);
  sort();
}

void Memory::sort() {
  std::sort(regions.begin(), regions.end(),
            [](const Region &one, const Region &other) {
              return one.address < other.address;
            });
}

const Region *Memory::lookUp(uint64_t address) const {
  auto above = std::upper_bound(regions.begin(), regions.end(), address,
                                [](uint64_t address, const Region &region) {
                                  return address < region.address;
                                });
  return above == regions.begin() ? nullptr : &*std::prev(above);
}

static bool contains(const Region &region, uint64_t address, uint64_t bytes) {
  uint64_t offset = address - region.address;
  uint64_t all = region.isExact ? region.bytes : (region.bytes + 3) / 4 * 4;
  return address >= region.address && offset <= all && bytes <= all - offset;
}

char *Memory::find(uint64_t address, uint64_t bytes, bool isWrite) {
  if (!contains(last, address, bytes)) {
    const Region *region = lookUp(address);
    if (!region || !contains(*region, address, bytes))
      return reachesHost && address < (uint64_t(1) << 47) && address >= 4096
                 ? reinterpret_cast<char *>(address)
                 : nullptr;
    last = *region;
  }
  if (isWrite && last.isReadOnly)
    return nullptr;
  return last.host + (address - last.address);
}

uint64_t Memory::allocate(uint64_t bytes) {
  uint64_t address = heap.allocate(bytes);
  if (address) {
    regions.erase(std::remove_if(regions.begin(), regions.end(),
                                 [](const Region &region) {
                                   return region.address >= kHeapWindow;
                                 }),
                  regions.end());
    heap.addTo(regions);
    sort();
  }
  return address;
}

bool Memory::release(uint64_t address) {
  if (!heap.release(address))
    return false;
  regions.erase(std::remove_if(regions.begin(), regions.end(),
                               [&](const Region &region) {
                                 return region.address == address;
                               }),
                regions.end());
  last = {};
  return true;
}
