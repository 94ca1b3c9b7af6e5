# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of devices, at the place where programs look for them."""

from pyk import _missing
from pyk._errors import CudaAPIError, CudaDriverError

__getattr__ = _missing.getter(__name__)

__all__ = ["CudaAPIError", "CudaDriverError"]
