# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices and their errors, at the other place where programs look for them."""

from pyk import _missing
from pyk._errors import CudaAPIError, CudaDriverError
from pyk.cuda._devices import Context, Device
from pyk.cuda._streams import Event, Stream

__getattr__ = _missing.getter(__name__)

__all__ = [
    "Context",
    "CudaAPIError",
    "CudaDriverError",
    "Device",
    "Event",
    "Stream",
]
