// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form in which the CPU target hands over machine code, and how it gets
// into the process. An image is what a linker leaves: memory to be laid out
// anywhere, and the places in it that need an address. So whoever loads one
// needs neither a compiler nor a linker (rationale/runtime.md).

#ifndef PYK_RUNTIME_CPUIMAGE_H
#define PYK_RUNTIME_CPUIMAGE_H

#include "pyk/runtime/Export.h"
#include "pyk/runtime/Module.h"
#include "pyk/runtime/Status.h"

#include <cstdint>
#include <string_view>

namespace pyk::runtime {

/// How an image begins. Behind it follow the segments, the relocations, the
/// names of the symbols, each ended by a zero byte, and the contents of the
/// segments. Numbers are the machine's own.
struct CpuImageHeader {
  /// What `magic` is.
  static constexpr uint64_t number = 0x6567616d49734b50;

  uint64_t magic;
  /// Of ABI.h.
  uint32_t abiVersion;
  /// The number of its CpuArchitecture.
  uint32_t architecture;
  /// A bit for each of that architecture's features that it needs.
  uint64_t features;
  /// All of the image.
  uint64_t fileBytes;
  /// Address space that it needs.
  uint64_t memoryBytes;
  /// Where in that memory its pyk_rt_kernel_table is.
  uint64_t module;
  uint32_t segments;
  uint32_t relocations;
  uint32_t symbols;
  /// Bytes of the names.
  uint32_t nameBytes;
};

/// Memory with one kind of use, from a multiple of the architecture's
/// `pageBytes` on. What `fileBytes` do not fill is zero.
struct CpuImageSegment {
  enum Use : uint32_t { Read = 0, Write = 1, Execute = 2 };

  uint64_t memory;
  uint64_t memoryBytes;
  uint64_t file;
  uint64_t fileBytes;
  uint32_t use;
  uint32_t reserved;
};

/// Eight bytes of memory that hold an address plus `addend`.
struct CpuImageRelocation {
  uint64_t memory;
  int64_t addend;
  /// 0: where the image's memory begins; else a symbol, counted from 1.
  uint32_t symbol;
  uint32_t reserved;
};

/// Whether the bytes begin as an image does.
PYK_RUNTIME_EXPORT bool isCpuImage(std::string_view bytes);

/// Loads an image; `bytes` may go afterwards. What it returns owns the code.
/// Fails with InvalidArgument if the bytes are no image of this version of PyK,
/// with Unsupported if it is for another architecture, needs instructions that
/// this processor lacks or calls a function that this runtime lacks, and with
/// OutOfMemory. Damaged tables are found; the
/// machine code itself is trusted. May be called from any thread.
PYK_RUNTIME_EXPORT Result<HostImage> loadCpuImage(std::string_view bytes);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_CPUIMAGE_H
