// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits for a GPU that the program can end. The driver's own waits cannot be
// interrupted: they come behind one of these, and then find little to wait for.

#ifndef PYK_RUNTIME_LIB_CUDA_CUDAWAIT_H
#define PYK_RUNTIME_LIB_CUDA_CUDAWAIT_H

#include "../InterruptPoll.h"
#include "CudaContext.h"

namespace pyk::runtime {

/// One wait. A member, to be called once, waits while the work is not done, and
/// fails with Cancelled once the interrupt check asks to stop; the work itself
/// goes on. It does nothing if there is nobody to ask. That the work has failed
/// is told by the call of the driver that follows.
class CudaWait {
public:
  /// Messages say `doing`.
  CudaWait(CudaContext &context, const char *doing)
      : context(context), doing(doing) {}
  CudaWait(const CudaWait &) = delete;
  CudaWait &operator=(const CudaWait &) = delete;
  /// After the call that follows, of which a failure here would hide the
  /// reason.
  ~CudaWait();

  /// Until `event` has happened.
  Status forEvent(driver::CuEvent event);

  /// Until all has ended that work queued on `stream` now would wait for, on
  /// other streams, too: more than cuStreamQuery tells.
  Status forWorkBefore(driver::CuStream stream);

  /// Until all has ended that is queued in the context now. A driver of before
  /// CUDA 12.5 leaves out what runs on streams that keep no order with the
  /// default one.
  Status forAllWork();

private:
  Status makeEvent();

  CudaContext &context;
  const char *const doing;
  InterruptPoll poll;
  driver::CuEvent made = nullptr;
};

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_CUDA_CUDAWAIT_H
