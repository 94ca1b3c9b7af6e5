# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs say around calls of code of other languages."""

# Kernels have no annotations.
# mypy: ignore-errors

from pyk._library._registry import public


@public("cffi.from_buffer")
def from_buffer(array):
    """The array, whose address code of another language gets."""
    return array
