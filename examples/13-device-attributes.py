# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks the device how wide a launch should be.

The largest block and the number of multiprocessors differ from device to
device. A kernel that strides over its array, as in example 09, takes any shape,
so the shape can follow the device: a few blocks for each multiprocessor.
"""

import numpy as np
from numba import cuda


@cuda.jit
def invert(image):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, image.size, stride):
        image[i] = 255 - image[i]


assert cuda.is_available()
device = cuda.get_current_device()
assert device.id == cuda.gpus.current.id
assert device.WARP_SIZE == 32

threads = min(256, device.MAX_THREADS_PER_BLOCK)
blocks = 4 * device.MULTIPROCESSOR_COUNT

# The image has to fit, and half of what is free is left to others.
free, total = cuda.current_context().get_memory_info()
n = min(1_000_000, free // 2)
assert 0 < free <= total

image = np.arange(n, dtype=np.int64) % 256
pixels = cuda.to_device(image)
invert[blocks, threads](pixels)
cuda.synchronize()

assert np.array_equal(pixels.copy_to_host(), 255 - image)
print(f"{n} pixels inverted by one launch that fits the device")
