# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of devices, at the other place where programs look for them."""

from pyk._errors import CudaDriverError, CudaSupportError, NvvmSupportError

__all__ = ["CudaDriverError", "CudaSupportError", "NvvmSupportError"]
