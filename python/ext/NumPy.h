// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's C interface, as it has been since 1.23. One source, Arguments.cpp,
// holds its table of functions.

#ifndef PYK_PYTHON_EXT_NUMPY_H
#define PYK_PYTHON_EXT_NUMPY_H

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define NPY_TARGET_VERSION NPY_1_23_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL pyk_numpy_api
#include <numpy/arrayobject.h>

#endif // PYK_PYTHON_EXT_NUMPY_H
