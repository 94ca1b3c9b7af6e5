# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels made from the text of an index, and arrays to try them on.

What a kernel sees of a view (elements, shape, strides) has to be what NumPy
makes of the same text.
"""

import itertools
import linecache

import numpy as np

from pyk import cuda


def make(body, parameters, **names):
    """A kernel with `body`, a text without indentation."""
    lines = "\n    ".join(body.strip("\n").split("\n"))
    source = f"def kernel({parameters}):\n    {lines}\n"
    return cuda.jit(pyk_function(source, names))


def pyk_function(source, names, name="kernel"):
    file = f"<view {next(pyk_function.numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope = {"cuda": cuda, "np": np} | names
    exec(compile(source, file, "exec"), scope)
    return scope[name]


pyk_function.numbers = itertools.count()


def look(view, a, **names):
    """What a kernel sees of the view that the text `view` makes of `a`."""
    expected = eval(view, {"a": a, "np": np} | names)
    rank = np.ndim(expected)
    body = f"view = {view}\nout[...] = view\n"
    for n in range(rank):
        body += f"sizes[{n}] = view.shape[{n}]\n"
        body += f"sizes[{rank + n}] = view.strides[{n}]\n"
    out = np.full(np.shape(expected), -1, a.dtype)
    sizes = np.zeros(2 * rank + 1, np.int64)
    make(body, "a, out, sizes", **names)[1, 1](a, out, sizes)
    np.testing.assert_array_equal(out, expected)
    assert tuple(sizes[:rank]) == np.shape(expected)
    # NumPy does not care for strides that lead nowhere; nor do we.
    for n in range(rank):
        if np.size(expected) and expected.shape[n] > 1:
            assert sizes[rank + n] == expected.strides[n], n


def sources(rank):
    """Arrays of each layout, with strides of every sort."""
    shape = (3, 4, 2, 3, 2, 2)[:rank]
    size = int(np.prod(shape))
    base = np.arange(1.0, 1.0 + size)
    yield base.reshape(shape)
    yield base.reshape(shape, order="F")
    wide = np.arange(float(size * 2**rank)).reshape([2 * n for n in shape])
    yield wide[(slice(None, None, -2),) * rank]


# Indices by the rank of what they index.
