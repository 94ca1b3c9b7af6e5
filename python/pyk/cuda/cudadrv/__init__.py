# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs import from Numba's driver package."""

from pyk import _missing
from pyk.cuda.cudadrv import devicearray, devices, driver, error

__getattr__ = _missing.getter(__name__)

__all__ = ["devicearray", "devices", "driver", "error"]
