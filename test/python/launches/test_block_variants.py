# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a dispatcher compiles for the shapes of blocks in its launches."""

from typing import Any

import numpy as np
import pytest

from pyk import _options, cuda
from support.simd_agreement import blocks_of

pytestmark = pytest.mark.on_vectors


def test_globals_are_those_of_the_first_compilation() -> None:
    scope: dict[str, Any] = {"cuda": cuda, "FACTOR": 2}
    exec(
        "@cuda.jit\ndef fill(a):\n    a[cuda.grid(1)] = FACTOR\n",
        scope,
    )
    kernel, a = scope["fill"], np.zeros(64)
    kernel[1, 32](a)
    scope["FACTOR"] = 3
    kernel[1, 64](a)
    assert a.tolist() == [2] * 64


def test_variants_for_shapes_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_options.options, "cpu", "auto")

    @cuda.jit
    def fill(a):
        a[cuda.grid(1)] += 1

    a = np.zeros(512)
    # A variant each, again and again, up to a number.
    for _ in range(2):
        for threads in range(16, 144, 16):
            fill[1, threads](a)
    shapes = {(threads, 1, 1) for threads in range(16, 144, 16)}
    assert blocks_of(fill) == shapes
    for threads in (256, 512):
        fill[1, threads](a)
    # Few threads gain nothing.
    fill[1, 4](a)
    assert blocks_of(fill) == {*shapes, None}
    expected = [2 * (8 - i // 16) + 2 for i in range(128)]
    expected[:4] = [19] * 4
    assert a.tolist() == expected + [2] * 128 + [1] * 256


def test_vectors_after_a_launch_of_few_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_options.options, "cpu", "auto")

    @cuda.jit
    def fill(a):
        a[cuda.grid(1)] += 1

    a = np.zeros(64)
    for threads in (4, 64, 4, 64):
        fill[1, threads](a)
    assert a.tolist() == [4] * 4 + [2] * 60
    assert blocks_of(fill) == {None, (64, 1, 1)}


def test_blocks_that_are_as_wide_and_as_high(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_options.options, "cpu", "auto")

    @cuda.jit
    def fill(a):
        x, y, z = cuda.grid(3)
        a[x, y, z] += 1

    a = np.zeros((4, 1, 16))
    for depth in (1, 16, 1, 16):
        fill[1, (4, 1, depth)](a)
    assert a[:, 0].tolist() == [[4] + [2] * 15] * 4
    assert blocks_of(fill) == {None, (4, 1, 16)}


def test_vectors_for_other_shapes_than_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_options.options, "cpu", "auto")

    @cuda.jit
    def own(a):
        i = cuda.grid(1)
        many = cuda.local.array(500, np.int64)
        many[i % 500] = i
        a[i] = many[i % 500]

    # Of 256 threads they are too large for the stack.
    for threads in (256, 64, 256):
        a = np.full(256, -1)
        own[1, threads](a)
        assert a.tolist() == [*range(threads)] + [-1] * (256 - threads)
    assert blocks_of(own) == {None, (64, 1, 1)}


def test_variants_are_counted_by_types(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_options.options, "cpu", "auto")

    @cuda.jit
    def fill(a):
        a[cuda.grid(1)] += 1

    expected = set()
    for dtype, first in ((np.float32, 16), (np.int32, 24)):
        a, shapes = np.zeros(256, dtype), range(first, first + 128, 16)
        # The one for blocks of any shape is not counted, either.
        for threads in (4, *shapes, 256):
            fill[1, threads](a)
        assert a[:4].tolist() == [10] * 4
        assert a[4:].sum() == sum(shapes) + 256 - 9 * 4
        blocks = [None, *((threads, 1, 1) for threads in shapes)]
        expected |= {(np.dtype(dtype), block) for block in blocks}
    ((one,), (other,)) = fill.signatures
    dtypes = [one.dtype.dtype, other.dtype.dtype]
    keys = [*dict.fromkeys(key for key, *_ in fill._variants.functions)]
    found = {
        (dtypes[keys.index(key)], block)
        for key, _, _, block in fill._variants.functions
    }
    assert found == expected


def local_array(size: int) -> dict[str, Any]:
    """A program whose kernel `own` has a local array of so many elements."""
    scope: dict[str, Any] = {"cuda": cuda, "np": np, "SIZE": size}
    exec(
        "@cuda.jit\ndef own(a):\n    i = cuda.grid(1)\n"
        "    many = cuda.local.array(SIZE, np.int64)\n"
        "    many[i % SIZE] = i\n    a[i] = many[i % SIZE]\n",
        scope,
    )
    return scope


def test_vectors_are_refused_for_so_many_shapes_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_options.options, "cpu", "auto")
    own = local_array(20000)["own"]
    for _ in range(2):
        for threads in range(16, 176, 16):
            a = np.zeros(threads)
            own[1, threads](a)
            assert a.tolist() == [*range(threads)]
    tried = {block for *_, block in own._variants.modules}
    assert tried == {(threads, 1, 1) for threads in range(16, 144, 16)}
    assert blocks_of(own) == {None}


def test_recompiled_kernels_may_have_vectors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_options.options, "cpu", "auto")
    scope = local_array(20000)
    own = scope["own"]
    own[1, 32](np.zeros(32))
    assert blocks_of(own) == {None}
    scope["SIZE"] = 4
    own.recompile()
    a = np.zeros(32)
    own[1, 32](a)
    assert a.tolist() == [*range(32)]
    assert blocks_of(own) == {(32, 1, 1)}


def test_kernel_without_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_options.options, "cpu", "auto")

    @cuda.jit
    def own(a):
        i = cuda.grid(1)
        # Too large to lie on the stack for all threads of a block.
        many = cuda.local.array(20000, np.int64)
        many[i % 20000] = i
        a[i] = many[i % 20000]

    # One for blocks of any shape.
    for threads in (32, 64):
        a = np.zeros(threads)
        own[1, threads](a)
        assert a.tolist() == [*range(threads)]
    assert blocks_of(own) == {None}
