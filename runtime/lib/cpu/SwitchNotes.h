// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells AddressSanitizer and ThreadSanitizer about switches of stacks, which
// they cannot see by themselves. Empty, and free, in builds without them.

#ifndef PYK_RUNTIME_LIB_CPU_SWITCHNOTES_H
#define PYK_RUNTIME_LIB_CPU_SWITCHNOTES_H

#include <cstddef>

#if defined(__has_feature)
#define PYK_HAS_FEATURE(name) __has_feature(name)
#else
#define PYK_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || PYK_HAS_FEATURE(address_sanitizer)
#define PYK_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define PYK_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__) || PYK_HAS_FEATURE(thread_sanitizer)
#define PYK_TSAN 1
#include <sanitizer/tsan_interface.h>
#else
#define PYK_TSAN 0
#endif

/// ThreadSanitizer notes the entry and the exit of each function; both must be
/// on the same stack.
#define PYK_SWITCH_INLINE [[gnu::always_inline]] inline

namespace pyk::runtime {

/// What the sanitizers need to know of one stack. Used by the OS thread that
/// the stack belongs to.
class SwitchNotes {
public:
  /// Of a new fiber whose stack is the `bytes` bytes above `bottom`; what runs
  /// from here to `endMaking` runs on it.
  PYK_SWITCH_INLINE void beginMaking([[maybe_unused]] const void *bottom,
                                     [[maybe_unused]] size_t bytes) {
#if PYK_ASAN
    stackBottom = bottom;
    stackBytes = bytes;
#endif
#if PYK_TSAN
    maker = __tsan_get_current_fiber();
    fiber = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(fiber, 0);
#endif
  }

  /// The new fiber has switched back for the first time.
  PYK_SWITCH_INLINE void endMaking() {
#if PYK_TSAN
    __tsan_switch_to_fiber(maker, 0);
#endif
  }

  /// Of the stack that the OS thread came with.
  PYK_SWITCH_INLINE void useThread() {
#if PYK_TSAN
    fiber = __tsan_get_current_fiber();
#endif
  }

  /// The fiber will not run again; not called by itself.
  PYK_SWITCH_INLINE void endFiber() {
#if PYK_TSAN
    __tsan_destroy_fiber(fiber);
#endif
  }

  /// Right before a switch from this stack to `to`.
  PYK_SWITCH_INLINE void leave([[maybe_unused]] SwitchNotes &to) {
#if PYK_ASAN
    __sanitizer_start_switch_fiber(&fakeStack, to.stackBottom, to.stackBytes);
#endif
#if PYK_TSAN
    __tsan_switch_to_fiber(to.fiber, 0);
#endif
  }

  /// Right after a switch to this stack from `from`.
  PYK_SWITCH_INLINE void arrive([[maybe_unused]] SwitchNotes &from) {
#if PYK_ASAN
    __sanitizer_finish_switch_fiber(fakeStack, &from.stackBottom,
                                    &from.stackBytes);
#endif
  }

  /// Right after a jump to this stack from `from`, which nothing goes back to.
  PYK_SWITCH_INLINE void arriveForGood([[maybe_unused]] SwitchNotes &from) {
#if PYK_ASAN
    __sanitizer_start_switch_fiber(nullptr, stackBottom, stackBytes);
    arrive(from);
#endif
#if PYK_TSAN
    __tsan_switch_to_fiber(fiber, 0);
#endif
  }

  /// Forgets the frames that were on `bytes` bytes of stacks at `memory`.
  static void clear([[maybe_unused]] const void *memory,
                    [[maybe_unused]] size_t bytes) {
#if PYK_ASAN
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
#endif
  }

private:
#if PYK_ASAN
  void *fakeStack = nullptr;
  const void *stackBottom = nullptr;
  size_t stackBytes = 0;
#endif
#if PYK_TSAN
  void *fiber = nullptr;
  void *maker = nullptr;
#endif
};

} // namespace pyk::runtime

#undef PYK_SWITCH_INLINE
#undef PYK_HAS_FEATURE

#endif // PYK_RUNTIME_LIB_CPU_SWITCHNOTES_H
