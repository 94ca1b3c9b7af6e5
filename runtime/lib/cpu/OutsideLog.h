// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of a launch that would have left the memory of an array. They are
// kept until the launch has ended, and become one warning for each line.

#ifndef PYK_RUNTIME_LIB_CPU_OUTSIDELOG_H
#define PYK_RUNTIME_LIB_CPU_OUTSIDELOG_H

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

namespace pyk::runtime {

/// A thread of a launch: its block's number, x fastest, and its linear index
/// there.
struct ThreadPosition {
  uint64_t block;
  uint32_t thread;
  bool operator<(const ThreadPosition &other) const {
    return block != other.block ? block < other.block : thread < other.thread;
  }
};

/// Those of one launch. `add` may be called by any thread.
class OutsideLog {
public:
  using Indices = std::array<int64_t, 3>;

  /// Notes an access of a thread, as pyk_rt_outside says.
  void add(const char *text, ThreadPosition position, const Indices &indices);

  /// Makes warnings of what was noted, but for lines of `kernel` that have
  /// warned already; only when no thread adds any more. `describe` says in
  /// words which thread is at a position.
  template <typename Describe>
  void warn(const char *kernel, Describe describe) {
    for (auto &entry : lines)
      warnOf(kernel, entry.first, entry.second, describe(entry.second.first));
  }

private:
  /// Accesses of one line.
  struct Line {
    /// The first thread of all, and its first access.
    ThreadPosition first;
    std::string text;
    Indices indices;
    /// So many threads are told apart.
    static constexpr size_t mostThreads = 1 << 16;
    std::unordered_set<uint64_t> threads;
  };

  static void warnOf(const char *kernel,
                     const std::pair<std::string, int> &source,
                     const Line &line, const std::string &thread);

  std::mutex mutex;
  /// By the file and the line.
  std::map<std::pair<std::string, int>, Line> lines;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_OUTSIDELOG_H
