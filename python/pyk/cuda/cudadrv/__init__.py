# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs import from Numba's driver package: its exceptions."""

from pyk.cuda.cudadrv import driver, error

__all__ = ["driver", "error"]
