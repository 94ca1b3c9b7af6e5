// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops of the dialect have effects on. An effect on one resource is none on
// another, so an access whose memory is not known has effects on all that it
// may be in.

#ifndef PYK_DIALECT_PYK_IR_PYKEFFECTS_H
#define PYK_DIALECT_PYK_IR_PYKEFFECTS_H

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace pyk {

/// Where control goes: an exit writes it, so that nothing drops the region that
/// holds one, and conflicts with no access to memory.
struct ControlExit : mlir::SideEffects::Resource::Base<ControlExit> {
  llvm::StringRef getName() override { return "ControlExit"; }
};

/// What debuggers know: an op that tells them is kept, in its place, and
/// conflicts with no access to memory.
struct Debugger : mlir::SideEffects::Resource::Base<Debugger> {
  llvm::StringRef getName() override { return "Debugger"; }
};

/// Time, which goes on: a reading of a clock is not another one.
struct Time : mlir::SideEffects::Resource::Base<Time> {
  llvm::StringRef getName() override { return "Time"; }
};

/// Memory that all threads of the device and the host see.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() override { return "GlobalMemory"; }
};

/// Memory that the threads of a block see.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() override { return "SharedMemory"; }
};

/// Memory that one thread sees.
struct LocalMemory : mlir::SideEffects::Resource::Base<LocalMemory> {
  llvm::StringRef getName() override { return "LocalMemory"; }
};

/// Memory that nothing writes.
struct ConstantMemory : mlir::SideEffects::Resource::Base<ConstantMemory> {
  llvm::StringRef getName() override { return "ConstantMemory"; }
};

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKEFFECTS_H
