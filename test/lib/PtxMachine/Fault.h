// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ends a kernel before its time.

#ifndef PYK_TEST_LIB_PTXMACHINE_FAULT_H
#define PYK_TEST_LIB_PTXMACHINE_FAULT_H

#include <stdexcept>
#include <string>

namespace ptxmachine {

/// Numbers are those of CUresult.
enum class FaultKind : int {
  IllegalAddress = 700,
  LaunchTimeout = 702,
  Assert = 710,
  IllegalInstruction = 715,
  MisalignedAddress = 716,
  InvalidAddressSpace = 717,
  LaunchFailed = 719,
};

struct Fault : std::runtime_error {
  Fault(FaultKind kind, const std::string &what)
      : std::runtime_error(what), kind(kind) {}

  FaultKind kind;
};

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_FAULT_H
