// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between the brackets of `kernel[grid, block, stream, bytes]`.
// What is not usual is the business of Python code.

#ifndef PYK_PYTHON_EXT_CONFIGURATION_H
#define PYK_PYTHON_EXT_CONFIGURATION_H

#include "pyk/runtime/Runtime.h"

#include <Python.h>

namespace pyk::python {

/// Reads a grid or a block; returns false for what is not usual.
bool readExtents(PyObject *object, int64_t (&extents)[3]);

/// Reads what a kernel is subscripted by; returns false for what is not usual.
/// `stream` becomes what stands for one, borrowed, or null if that is 0.
bool readConfiguration(PyObject *key, pyk_rt_launch_config &config,
                       PyObject *&stream);

} // namespace pyk::python

#endif // PYK_PYTHON_EXT_CONFIGURATION_H
