// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the sources of the extension share: one binding function for each
// source, called once by the module, and the way from a C error to a Python
// exception.

#ifndef PYK_PYTHON_EXT_CORE_H
#define PYK_PYTHON_EXT_CORE_H

#include "pyk-c/PyK.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace pyk::python {

/// A compiled kernel, owned by a Python object.
class Kernel {
public:
  explicit Kernel(PykKernel *kernel) : kernel(kernel, &pyk_kernel_destroy) {}

  const PykKernel *get() const { return kernel.get(); }

private:
  std::unique_ptr<PykKernel, decltype(&pyk_kernel_destroy)> kernel;
};

/// Raises the Python exception for `error`, which is destroyed. The GIL must
/// be held.
[[noreturn]] void throwError(PykError *error);

/// Binds the class Boundary.
void bindBoundary(nanobind::module_ &module);

/// Binds the class Kernel with its launch method.
void bindLaunch(nanobind::module_ &module);

/// Binds the function compile; the class Kernel must be bound before.
void bindCompile(nanobind::module_ &module);

} // namespace pyk::python

#endif // PYK_PYTHON_EXT_CORE_H
