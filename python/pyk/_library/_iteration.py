# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What loops run over: arrays with the indices of their elements."""

# Kernels have no annotations.
# mypy: ignore-errors

import numpy as np

from pyk._library._registry import public


@public("numpy.ndenumerate")
def ndenumerate(arr):
    """The elements of an array of any shape, each with its index."""
    return zip(np.ndindex(arr.shape), arr.flat)
