// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the C interface share: each handle is a struct around the
// C++ object, each function one call of it. C++ exceptions stop here; what the
// standard library throws is a lack of memory.

#ifndef PYK_RUNTIME_LIB_RUNTIMEHANDLES_H
#define PYK_RUNTIME_LIB_RUNTIMEHANDLES_H

#include "pyk/runtime/Registry.h"
#include "pyk/runtime/Runtime.h"

#include <exception>
#include <memory>
#include <new>
#include <string>

struct pyk_rt_status {
  pyk::runtime::Status status;
};
struct pyk_rt_device {
  std::shared_ptr<pyk::runtime::Device> device;
};
struct pyk_rt_buffer {
  std::unique_ptr<pyk::runtime::Buffer> buffer;
};
struct pyk_rt_stream {
  std::unique_ptr<pyk::runtime::Stream> stream;
};
struct pyk_rt_event {
  std::unique_ptr<pyk::runtime::Event> event;
};
struct pyk_rt_module {
  std::unique_ptr<pyk::runtime::Module> module;
};
struct pyk_rt_function {
  std::unique_ptr<pyk::runtime::Kernel> kernel;
};

namespace pyk::runtime {

/// The status of having no memory for a status. Never freed.
pyk_rt_status *noMemory();

/// What C gets for `status`.
pyk_rt_status *handOut(Status status);

/// Runs `body`, which returns a Status, where no exception may pass.
template <typename Body>
pyk_rt_status *guarded(Body body) {
  try {
    return handOut(body());
  } catch (const std::bad_alloc &) {
    return noMemory();
  } catch (const std::exception &error) {
    // No test: nothing throws but for a lack of memory.
    return handOut(Status::failure(StatusCode::Unavailable,
                                   "calling the runtime", error.what(),
                                   "report this as a defect of PyK"));
  }
}

/// Hands `result`'s object out as a `Handle`.
template <typename Handle, typename T>
Status give(Result<T> result, Handle **out) {
  if (!result.ok())
    return result.status();
  *out = new Handle{std::move(result.value())};
  return Status();
}

/// Hands `result`'s value out.
template <typename T, typename Out>
Status set(Result<T> result, Out *out) {
  if (result.ok())
    *out = Out(result.value());
  return result.status();
}

/// The status of an argument that is none of those that there are.
Status invalid(std::string_view doing, std::string_view what, int64_t value,
               std::string_view remedy);

/// Fails unless the caller knows at least the members of the first version.
Status checkSize(std::string_view doing, size_t given, size_t first);

} // namespace pyk::runtime

#endif // PYK_RUNTIME_LIB_RUNTIMEHANDLES_H
