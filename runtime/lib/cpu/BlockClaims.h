// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which blocks of a launch nobody has taken yet.

#ifndef PYK_RUNTIME_LIB_CPU_BLOCKCLAIMS_H
#define PYK_RUNTIME_LIB_CPU_BLOCKCLAIMS_H

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace pyk::runtime {

/// The blocks of a launch by parts that follow each other. Workers begin with
/// different ones: what a worker has in its caches, the next launch is likely
/// to give to it again.
class BlockClaims {
public:
  /// Begins with all `blocks`, in `count` parts at most; neither is 0.
  void divide(uint64_t blocks, uint64_t count) {
    partCount = std::min({count, kMostParts, blocks});
    uint64_t begin = 0;
    for (uint64_t i = 0; i < partCount; ++i) {
      parts[i].next.store(begin, std::memory_order_relaxed);
      begin += blocks / partCount + (i < blocks % partCount ? 1 : 0);
      parts[i].end = begin;
    }
  }

  /// Takes the next blocks of `part`, or of one behind it if none is left
  /// there, `count` of them if there are so many: [begin, end) in the order x
  /// fastest. Sets `part` to where they are from. Returns false if none is left
  /// at all.
  bool claim(uint64_t &begin, uint64_t &end, uint64_t count, uint64_t &part) {
    for (uint64_t i = 0; i < partCount; ++i, ++part) {
      Part &own = parts[part %= partCount];
      if (own.next.load(std::memory_order_relaxed) >= own.end)
        continue;
      begin = own.next.fetch_add(count, std::memory_order_relaxed);
      end = std::min(begin + count, own.end);
      if (begin < end)
        return true;
    }
    return false;
  }

private:
  static constexpr uint64_t kMostParts = 16;
  /// Each in a cache line of its own.
  struct alignas(64) Part {
    std::atomic<uint64_t> next;
    uint64_t end;
  };

  uint64_t partCount = 0;
  Part parts[kMostParts];
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_BLOCKCLAIMS_H
