// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links the objects of kernels into the process. Private to lib/Target/CPU.

#ifndef PYK_LIB_TARGET_CPU_JIT_H
#define PYK_LIB_TARGET_CPU_JIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace pyk {

/// Machine code in executable memory, which it owns: the destructor unmaps it.
class LinkedCode {
public:
  /// Links `object` against the host library and finds `symbols` in it. Fails
  /// if it needs a symbol that the library lacks, which the message names. May
  /// be called from any thread.
  static llvm::Expected<LinkedCode>
  link(std::unique_ptr<llvm::MemoryBuffer> object,
       llvm::ArrayRef<llvm::StringRef> symbols);

  LinkedCode(LinkedCode &&other) = default;
  LinkedCode &operator=(LinkedCode &&other) = delete;
  ~LinkedCode();

  /// The address of the i-th symbol asked for.
  void *getAddress(unsigned i) const { return addresses[i]; }

private:
  LinkedCode() = default;

  /// Null once moved from.
  llvm::orc::JITDylibSP library;
  llvm::SmallVector<void *, 2> addresses;
};

} // namespace pyk

#endif // PYK_LIB_TARGET_CPU_JIT_H
