# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""As much of CuPy as one tutorial uses, on whatever device PyK runs.

An array here is opaque to NumPy, as CuPy's are: no buffer, no `__array__`, no
items. All that PyK can take it by is `__cuda_array_interface__`, which names
memory of the device. That memory is a device array of PyK's, so that this works
on the CPU, on the stand-in driver and on a GPU alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pyk import cuda


class ndarray:
    def __init__(self, values: Any) -> None:
        self._memory = cuda.to_device(np.asarray(values))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        lent = self._memory.__cuda_array_interface__
        return {
            "shape": lent["shape"],
            "typestr": lent["typestr"],
            "data": lent["data"],
            "strides": None,
            "version": 3,
        }

    def get(self) -> np.ndarray:
        return self._memory.copy_to_host()

    def __mul__(self, factor: float) -> ndarray:
        return ndarray(self.get() * factor)

    def __str__(self) -> str:
        return str(self.get())


def arange(stop: int) -> ndarray:
    return ndarray(np.arange(stop))


def zeros_like(a: ndarray) -> ndarray:
    return ndarray(np.zeros_like(a.get()))
