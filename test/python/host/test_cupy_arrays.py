# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real arrays of CuPy, on a GPU: kernels write in their memory, no copy."""

import numpy as np
import pytest

from pyk import cuda

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
pytestmark = pytest.mark.skipif(
    cuda.get_current_device().is_cpu, reason="CuPy needs a GPU"
)


@cuda.jit
def scale(a, factor):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= factor


@cuda.jit
def transpose(out, a):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        out[j, i] = a[i, j]


@pytest.mark.parametrize("dtype", ["int32", "float16", "float64", "complex64"])
def test_arguments(dtype):
    a = cupy.arange(1000).astype(dtype)
    scale[8, 128](a, 3)
    expected = np.arange(1000).astype(dtype) * np.array(3, dtype)
    np.testing.assert_array_equal(cupy.asnumpy(a), expected)


def test_strides_and_orders():
    a = cupy.arange(24, dtype=np.float32).reshape(4, 6)
    out = cupy.zeros((6, 4), np.float32, order="F")
    transpose[(1, 1), (8, 8)](out, a)
    expected = np.arange(24, dtype=np.float32).reshape(4, 6).T
    np.testing.assert_array_equal(cupy.asnumpy(out), expected)
    part = a[::2, ::-1]
    out = cupy.zeros((6, 2), np.float32)
    transpose[(1, 1), (8, 8)](out, part)
    np.testing.assert_array_equal(cupy.asnumpy(out), cupy.asnumpy(part).T)


def test_one_memory_under_two_names():
    a = cupy.zeros(16, np.int32)
    view = cuda.as_cuda_array(a)
    view[3] = 7
    assert int(a[3]) == 7
    d = cuda.to_device(np.arange(16, dtype=np.int32))
    other = cupy.asarray(d)
    other += 1
    cupy.cuda.get_current_stream().synchronize()
    np.testing.assert_array_equal(d.copy_to_host(), np.arange(16) + 1)


def test_streams_of_cupy():
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        a = cupy.arange(1 << 20, dtype=np.float32)
        scale[4096, 256, cuda.external_stream(stream.ptr)](a, 2)
        a += 1
    stream.synchronize()
    expected = np.arange(1 << 20, dtype=np.float32) * 2 + 1
    np.testing.assert_array_equal(cupy.asnumpy(a), expected)
