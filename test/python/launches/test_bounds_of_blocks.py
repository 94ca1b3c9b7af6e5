# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of kernels with `launch_bounds`."""

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import CudaInvalidValueError


@pytest.mark.parametrize("block", [1, 33, 128, (3, 5), (2, 4, 16)])
def test_blocks_may_be_smaller(block):
    @cuda.jit(launch_bounds=128)
    def kernel(shapes):
        shapes[cuda.blockIdx.x, 0] = cuda.blockDim.x
        shapes[cuda.blockIdx.x, 1] = cuda.blockDim.y
        shapes[cuda.blockIdx.x, 2] = cuda.blockDim.z

    shapes = np.zeros((3, 3), np.int64)
    kernel[3, block](shapes)
    expected = [*(block if isinstance(block, tuple) else (block,)), 1, 1][:3]
    assert shapes.tolist() == [expected] * 3


def test_larger_blocks_are_an_error():
    @cuda.jit(launch_bounds=128)
    def k(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = i

    a = np.zeros(256)
    k[2, 128](a)
    np.testing.assert_array_equal(a, np.arange(256))
    # The product counts, not an extent.
    k[1, (2, 64)](a)
    with pytest.raises(CudaInvalidValueError) as error:
        k[1, 256](a)
    assert "a block has 256 threads, more than the 128 " in str(error.value)
    with pytest.raises(CudaInvalidValueError):
        k[1, (3, 43)](a)
    kernel = k.overloads[k.signatures[0]]
    assert kernel.max_threads_per_block == 128
