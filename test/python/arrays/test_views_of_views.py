# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random views of views, with NumPy as the judge."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from view_kernels import look


@st.composite
def items_of(draw, extent):
    """One item of an index into a dimension; perhaps None before it."""
    bound = st.integers(-extent - 1, extent + 1).map(str) | st.just("")
    low, high = draw(bound), draw(bound)
    kinds = [":", f"{low}:{high}"]
    kinds += [f"{low}:{high}:{step}" for step in (-2, -1, 1, 2)]
    if extent:
        kinds += [str(draw(st.integers(-extent, extent - 1)))] * 3
    item = draw(st.sampled_from(kinds))
    return f"None, {item}" if draw(st.integers(0, 5)) == 0 else item


@st.composite
def chains(draw):
    """A shape and up to three indices, one after the other."""
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    array, indices = np.zeros(shape), []
    for _ in range(draw(st.integers(1, 3))):
        if not array.ndim:
            break
        left = draw(st.integers(0, array.ndim))
        right = draw(st.integers(0, array.ndim - left))
        extents = array.shape
        items = [draw(items_of(extent)) for extent in extents[:left]]
        if right or draw(st.booleans()):
            items.append("...")
        items += [draw(items_of(n)) for n in extents[array.ndim - right :]]
        indices.append(f"[{', '.join(items) or '()'}]")
        array = eval(f"array{indices[-1]}")
        if array.ndim and draw(st.integers(0, 3)) == 0:
            indices.append(".T")
            array = array.T
    return shape, indices


@pytest.mark.long
@settings(max_examples=100, deadline=None, derandomize=True)
@given(chains(), st.sampled_from("CFA"))
def test_views_of_views(chain, layout):
    shape, indices = chain
    size = int(np.prod(shape))
    a = np.arange(2.0 * size)[::2].reshape(shape)
    if layout != "A":
        a = np.array(a, order=layout)
    else:
        a = np.repeat(a, 2, axis=0)[::2]
    look("a" + "".join(indices), a)
