// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chips, each with the version of PTX that introduced it, and 7.0 at least:
// fast functions are instructions since then. Both are checked here because
// LLVM ends the process when they do not fit.

#include "Chips.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pyk;

// Compute capabilities that CUDA 13 and LLVM 22 support. A suffix 'a' is for
// one chip alone, 'f' for its family.
static constexpr Chip kChips[] = {
    {"sm_75", 70},   {"sm_80", 70},   {"sm_86", 71},   {"sm_87", 74},
    {"sm_88", 90},   {"sm_89", 78},   {"sm_90", 78},   {"sm_90a", 80},
    {"sm_100", 86},  {"sm_100a", 86}, {"sm_100f", 88}, {"sm_103", 88},
    {"sm_103a", 88}, {"sm_103f", 88}, {"sm_110", 90},  {"sm_110a", 90},
    {"sm_110f", 90}, {"sm_120", 87},  {"sm_120a", 87}, {"sm_120f", 88},
    {"sm_121", 88},  {"sm_121a", 88}, {"sm_121f", 88},
};

// Versions of PTX that LLVM 22 writes, from the oldest that a chip above needs.
static constexpr unsigned kVersions[] = {70, 71, 72, 73, 74, 75, 76, 77, 78, 80,
                                         81, 82, 83, 84, 85, 86, 87, 88, 90};

ArrayRef<Chip> pyk::getChips() { return kChips; }

Expected<Chip> pyk::findChip(StringRef name) {
  for (const Chip &chip : kChips)
    if (chip.name == name)
      return chip;
  std::string names;
  raw_string_ostream stream(names);
  interleaveComma(kChips, stream,
                  [&](const Chip &chip) { stream << chip.name; });
  return createStringError("expects a chip of " + names + " but got '" + name +
                           "'");
}

Expected<unsigned> pyk::choosePtxVersion(const Chip &chip, unsigned version) {
  if (version == 0)
    return chip.ptxVersion;
  if (version < chip.ptxVersion)
    return createStringError(Twine("expects PTX version ") +
                             Twine(chip.ptxVersion) + " or later for " +
                             chip.name + " but got " + Twine(version));
  if (is_contained(kVersions, version))
    return version;
  std::string versions;
  raw_string_ostream stream(versions);
  interleaveComma(kVersions, stream);
  return createStringError("expects a PTX version of " + versions +
                           " but got " + Twine(version));
}
