# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of kernels with `launch_bounds`."""

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import CudaInvalidValueError

#: The most threads of a block, alone and with the least number of blocks of a
#: multiprocessor and the most of a cluster.
BOUNDS = [128, (128,), (128, 2), (128, 4, 1)]


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("block", [1, 33, 128, (2, 4, 16)])
def test_blocks_may_be_smaller(block, bounds):
    @cuda.jit(launch_bounds=bounds)
    def kernel(shapes):
        shapes[cuda.blockIdx.x, 0] = cuda.blockDim.x
        shapes[cuda.blockIdx.x, 1] = cuda.blockDim.y
        shapes[cuda.blockIdx.x, 2] = cuda.blockDim.z

    shapes = np.zeros((3, 3), np.int64)
    kernel[3, block](shapes)
    expected = [*(block if isinstance(block, tuple) else (block,)), 1, 1][:3]
    assert shapes.tolist() == [expected] * 3


@pytest.mark.parametrize("bounds", BOUNDS)
def test_larger_blocks_are_an_error(bounds):
    @cuda.jit(launch_bounds=bounds)
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
