# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs import from Numba's driver package."""

from pyk.cuda.cudadrv import devicearray, devices, driver, error

__all__ = ["devicearray", "devices", "driver", "error"]
