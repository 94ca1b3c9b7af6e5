// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How each function of the stand-in begins: with the lock, a record, and what a
// request wants.

#ifndef PYK_TEST_LIB_STANDINDRIVER_ENTRY_H
#define PYK_TEST_LIB_STANDINDRIVER_ENTRY_H

#include "State.h"

/// A function that needs no context.
#define STANDIN_BEGIN(name)                                                    \
  State &state = State::get();                                                 \
  std::unique_lock<std::recursive_mutex> lock(state.mutex);                    \
  if (CuResult begun = state.begin(#name); begun != Success)                   \
  return begun

/// A function that needs a context.
#define STANDIN_BEGIN_IN_CONTEXT(name)                                         \
  State &state = State::get();                                                 \
  std::unique_lock<std::recursive_mutex> lock(state.mutex);                    \
  if (CuResult begun = state.beginInContext(#name); begun != Success)          \
  return begun

/// A function that needs a context and waits for work.
#define STANDIN_BEGIN_WAITING(name)                                            \
  State &state = State::get();                                                 \
  std::unique_lock<std::recursive_mutex> lock(state.mutex);                    \
  if (CuResult begun = state.beginInContext(#name, true); begun != Success)    \
  return begun

/// Ends the function unless `stream` can be used.
#define STANDIN_CHECK_STREAM(name, stream)                                     \
  if (!state.isStream(stream, #name))                                          \
  return InvalidHandle

#endif // PYK_TEST_LIB_STANDINDRIVER_ENTRY_H
