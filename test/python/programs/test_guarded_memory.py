# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Guarded copies of arrays show what leaves the elements."""

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.cudadrv.driver import CudaAPIError
from support.guarded_memory import (
    PAGE,
    GuardedCopies,
    GuardedCopy,
    address_of,
    whole_of,
)

ARRAYS = {
    "bytes": np.arange(17, dtype=np.uint8),
    "columns": np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    "steps": np.arange(20, dtype=np.int16)[1::3],
    "backwards": np.arange(9)[::-2],
    "a part": np.arange(24, dtype=np.float32).reshape(4, 6)[1:3, 2:5],
    "pages": np.arange(3 * PAGE, dtype=np.int32),
}


@pytest.mark.parametrize("at_page", [False, True])
@pytest.mark.parametrize("name", ARRAYS)
def test_copy_has_values_strides_and_layout(name: str, at_page: bool) -> None:
    array = ARRAYS[name]
    copy = GuardedCopy(array, at_page)
    assert (copy.array == array).all()
    assert copy.array.strides == array.strides
    assert copy.array.flags.aligned
    assert copy.overwritten() is None
    copy.array[...] = 0
    assert copy.overwritten() is None
    assert array.any()


@pytest.mark.parametrize("name", ["steps", "backwards", "a part"])
def test_bytes_between_elements_are_canaries(name: str) -> None:
    copy = GuardedCopy(ARRAYS[name])
    whole = whole_of(copy.array)
    whole[...] ^= 255
    said = copy.overwritten()
    between = whole.nbytes - copy.array.nbytes
    assert said and said.startswith(f"{between} bytes outside of its elements")


@pytest.mark.parametrize("at_page", [False, True])
@pytest.mark.parametrize("place", [-1, 17])
def test_a_byte_beside_the_array_is_found(at_page: bool, place: int) -> None:
    if at_page and place > 0:
        pytest.skip("there is no byte")
    copies = GuardedCopies([3, ARRAYS["bytes"]], at_page)
    array = copies.arguments[1]
    beside = np.ndarray(1, np.uint8, whole_of(array).base, offset(array, place))
    beside += 1
    assert copies.overwritten(["n", "a"]) == (
        f"a: 1 bytes outside of its elements are overwritten, the first at "
        f"{place} of 17"
    )


def offset(array: np.ndarray, place: int) -> int:
    """Where a byte is in the memory that a copy has of its own."""
    memory = np.frombuffer(whole_of(array).base, np.uint8)
    return address_of(array) - address_of(memory) + place


@pytest.mark.parametrize("name", ["bytes", "steps", "a part", "pages"])
def test_memory_ends_at_the_page(name: str) -> None:
    whole = whole_of(GuardedCopy(ARRAYS[name], at_page=True).array)
    assert (address_of(whole) + whole.nbytes) % PAGE == 0


@pytest.mark.on_the_cpu(reason="a GPU has a copy of the array")
def test_loads_and_stores_behind_the_page_fail() -> None:
    @cuda.jit(boundscheck=False)
    def load(a, out):
        out[0] = a[a.size]

    @cuda.jit(boundscheck=False)
    def store(a, out):
        a[a.size + out[0]] = 1

    for kernel in load, store:
        copies = GuardedCopies([ARRAYS["bytes"], np.zeros(1, np.int64)], True)
        with pytest.raises(CudaAPIError, match="700"):
            kernel[1, 1](*copies.arguments)
