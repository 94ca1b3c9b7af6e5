// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of one warp give each other, and which of them run together.
// All of them run on one OS thread, so nothing here is atomic.

#ifndef PYK_RUNTIME_LIB_CPU_WARPEXCHANGE_H
#define PYK_RUNTIME_LIB_CPU_WARPEXCHANGE_H

#include <cstdint>

namespace pyk::runtime {

/// The lanes of one warp that wait for others, and those that have ended.
class WarpExchange {
public:
  static constexpr uint32_t laneCount = 32;

  /// Makes this a new warp of `count` lanes, at least one and at most all.
  void begin(uint32_t count) {
    ended = count < laneCount ? ~uint32_t(0) << count : 0;
    waiting = gathering = patience = passes = 0;
  }

  /// `lane`, which is in `mask`, gives `value` to the lanes of `mask` and waits
  /// for `values`.
  void arrive(uint32_t lane, uint32_t mask, uint64_t value, uint64_t *values);

  /// Whether `lane`, which has arrived, has its values; gives all lanes of its
  /// mask theirs if nobody is missing.
  bool hasCompleted(uint32_t lane);

  /// `lane` has come to the call `site` and waits for its group.
  void gather(uint32_t lane, uint32_t site) {
    groups[lane] = site;
    gathering |= uint32_t(1) << lane;
  }

  /// Whether `lane` waits for its group.
  bool isGathering(uint32_t lane) const { return gathering >> lane & 1; }

  /// The lanes that `lane`, which waits no more, has gathered with.
  uint32_t getGroup(uint32_t lane) const { return groups[lane]; }

  /// At the end of a round, in which the lanes `stopped` have neither ended nor
  /// come to a barrier of the block: lets the lanes at the least site go on if
  /// no other lane of the warp can, and those at each other site that have been
  /// left behind too often.
  void formGroup(uint32_t stopped);

  /// `lane` will not come any more.
  void end(uint32_t lane) { ended |= uint32_t(1) << lane; }

private:
  void releaseLeast();

  /// Lanes as bits. Those that do not exist have ended.
  uint32_t ended = 0, waiting = 0, gathering = 0;
  /// Rounds in which lanes have gathered while others could go on.
  uint32_t patience = 0;
  /// Groups in a row that have left others behind.
  uint32_t passes = 0;
  /// The site at which each lane gathers, and then its group.
  uint32_t groups[laneCount];
  /// What each lane that waits has brought.
  struct Gift {
    uint32_t mask;
    uint64_t value;
    uint64_t *values;
  };
  Gift gifts[laneCount];
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CPU_WARPEXCHANGE_H
