# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records of numbers that tests of records share."""

import numpy as np


def point(align):
    return np.dtype(
        [("tag", "u1"), ("x", "f4"), ("y", "f8"), ("n", "i2")], align=align
    )


def points(count, align=False):
    a = np.zeros(count, point(align))
    for position, name in enumerate(a.dtype.names):
        a[name] = np.arange(count) * 3 + position
    return a
