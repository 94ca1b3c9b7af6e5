// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From accesses to warnings. What a process has been told once it is not told
// again, so a program that launches a wrong kernel a thousand times reads of it
// once.

#include "OutsideLog.h"

#include "../MessageValues.h"
#include "pyk/runtime/Limits.h"
#include "pyk/runtime/Warning.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>
#include <tuple>

using namespace pyk::runtime;

namespace {

/// The warnings of the process. Never destroyed: a thread may launch while the
/// process exits.
struct Warnings {
  static Warnings &get() {
    static auto *warnings = new Warnings;
    return *warnings;
  }

  std::mutex mutex;
  /// Kernels, files and lines that have warned.
  std::set<std::tuple<std::string, std::string, int>> said;
  std::deque<Warning> waiting;
  /// Whether there are any, for who asks often.
  std::atomic<bool> hasAny{false};
};

} // namespace

std::optional<Warning> pyk::runtime::takeWarning() {
  Warnings &all = Warnings::get();
  if (!all.hasAny.load(std::memory_order_relaxed))
    return std::nullopt;
  std::lock_guard<std::mutex> lock(all.mutex);
  if (all.waiting.empty())
    return std::nullopt;
  Warning taken = std::move(all.waiting.front());
  all.waiting.pop_front();
  all.hasAny = !all.waiting.empty();
  return taken;
}

void OutsideLog::add(const char *text, ThreadPosition position,
                     const Indices &indices) {
  const char *line = std::strchr(text, '\n') + 1;
  const char *what = std::strchr(line, '\n') + 1;
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, isNew] = lines.try_emplace(
      {std::string(text, line - text - 1), int(std::strtol(line, nullptr, 10))},
      Line{});
  Line &known = entry->second;
  if (isNew || position < known.first) {
    known.first = position;
    known.text = what;
    known.indices = indices;
  }
  static_assert(LaunchLimits::threadsPerBlock <= 1 << 10);
  if (known.threads.size() < Line::mostThreads)
    known.threads.insert(position.block << 10 | position.thread);
}

void OutsideLog::warnOf(const char *kernel,
                        const std::pair<std::string, int> &source,
                        const Line &line, const std::string &thread) {
  Warnings &all = Warnings::get();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (!all.said.emplace(kernel, source.first, source.second).second)
    return;
  size_t count = line.threads.size();
  std::string others;
  if (count == Line::mostThreads)
    others = " and at least " + std::to_string(count - 1) + " more threads";
  else if (count > 1)
    others = " and " + std::to_string(count - 1) + " more thread" +
             (count > 2 ? "s" : "");
  all.waiting.push_back(
      {"kernel '" + std::string(kernel) + "' " +
           insertValues(line.text, line.indices.data(), line.indices.size()) +
           " (" + thread + others + ")",
       source.first, source.second});
  all.hasAny = true;
}
