// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What debuggers are told of variables.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_DEBUGGER_H
#define PYK_LIB_CONVERSION_PYTOPYK_DEBUGGER_H

#include "FunctionLowering.h"

namespace pyk::py {

/// Tells debuggers that the variable `name` holds `value` from here on, if that
/// is a number or an array of numbers and they are to know. Parameters have a
/// position, from 1.
void tellDebugger(FunctionLowering &lowering, mlir::StringAttr name,
                  const Binding &value, mlir::Location loc,
                  int64_t argument = 0);

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_DEBUGGER_H
