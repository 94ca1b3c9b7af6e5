# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations: their results, and that no update is lost."""

import linecache

import numpy as np
import pytest

import pyk
from pyk import cuda
from support.short_floats import BFLOAT16

THREADS = 64
BLOCKS = 33
COUNT = THREADS * BLOCKS

INTEGERS = ("i4", "u4", "i8", "u8")
FLOATS = ("f4", "f8")
SHORT_FLOATS = ("f2", *BFLOAT16)
NUMBERS = INTEGERS + FLOATS + SHORT_FLOATS


def make(body, parameters="a, out, values"):
    text = f"def k({parameters}):\n    i = cuda.grid(1)\n" + "".join(
        f"    {line}\n" for line in body.splitlines()
    )
    name = f"<{body}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    scope = {"cuda": cuda, "np": np}
    exec(compile(text, name, "exec"), scope)
    return cuda.jit(scope["k"])


def one(name, before, *values):
    """What a thread finds in an element, and what it leaves there."""
    before = np.asarray(before)
    a, old = before.reshape(1).copy(), np.zeros(1, before.dtype)
    values = np.array(values, before.dtype)
    arguments = ", ".join(f"values[{n}]" for n in range(values.size))
    make(f"out[0] = cuda.atomic.{name}(a, 0, {arguments})")[1, 1](
        a, old, values
    )
    return old[0], a[0]


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("name", ["add", "sub"])
def test_no_addition_is_lost(name, dtype):
    sums = np.zeros((2, 3), dtype)
    # What fits the digits of a short float.
    blocks = 3 if dtype in SHORT_FLOATS else BLOCKS
    make(f"cuda.atomic.{name}(a, (i % 2, -1), values[i % 4])")[blocks, THREADS](
        sums, sums, np.arange(4).astype(dtype)
    )
    places = np.arange(blocks * THREADS)
    total = [int((places % 4)[places % 2 == row].sum()) for row in (0, 1)]
    sign = 1 if name == "add" else -1
    expected = np.zeros((2, 3), dtype)
    expected[:, -1] = np.array(total).astype(dtype) * np.array(sign).astype(
        dtype
    )
    np.testing.assert_array_equal(sums, expected)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_each_thread_gets_its_own_number(dtype):
    next_place = np.zeros(1, dtype)
    order = np.zeros(COUNT, dtype)
    make("out[i] = cuda.atomic.add(a, 0, 1)")[BLOCKS, THREADS](
        next_place, order, order
    )
    assert sorted(order.tolist()) == list(range(COUNT))


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("name", ["max", "min", "nanmax", "nanmin"])
def test_extremes(name, dtype):
    random = np.random.default_rng(5)
    values = (random.permutation(COUNT) + 10).astype(dtype)
    if np.dtype(dtype).kind != "u":
        values -= np.array(COUNT // 2, dtype)
    found = np.array([values[3]])
    make(f"cuda.atomic.{name}(a, 0, values[i])")[BLOCKS, THREADS](
        found, found, values
    )
    extreme = values.max() if name.endswith("max") else values.min()
    assert found[0] == extreme


@pytest.mark.parametrize("dtype", FLOATS + SHORT_FLOATS)
@pytest.mark.parametrize(
    ("name", "before", "value", "after"),
    [
        ("max", np.nan, 1, np.nan),
        ("max", -np.nan, 1, np.nan),
        ("max", 1, np.nan, 1),
        ("min", np.nan, 1, np.nan),
        ("min", 1, np.nan, 1),
        ("nanmax", np.nan, 1, 1),
        ("nanmax", 1, np.nan, 1),
        ("nanmin", np.nan, 1, 1),
        ("nanmin", 1, np.nan, 1),
        ("max", -np.inf, -5, -5),
        ("min", np.inf, 5, 5),
        ("max", 2, 3, 3),
        ("max", 3, 2, 3),
    ],
)
def test_extremes_and_nan(name, before, value, after, dtype):
    old, found = one(name, np.array(before, dtype), value)
    np.testing.assert_array_equal(float(old), before)
    np.testing.assert_array_equal(float(found), after)


@pytest.mark.parametrize("dtype", FLOATS + SHORT_FLOATS)
@pytest.mark.parametrize("name", ["max", "min", "nanmax", "nanmin"])
@pytest.mark.parametrize("before", [0.0, -0.0])
def test_extremes_leave_an_equal_zero(name, before, dtype):
    _, found = one(name, np.array(before, dtype), -before)
    assert np.signbit(float(found)) == np.signbit(before)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(
    ("name", "before", "value", "after"),
    [
        ("and_", 0b1100, 0b1010, 0b1000),
        ("or_", 0b1100, 0b1010, 0b1110),
        ("xor", 0b1100, 0b1010, 0b0110),
        ("exch", 7, 9, 9),
    ],
)
def test_bits(name, before, value, after, dtype):
    assert one(name, np.array(before, dtype), value) == (before, after)


@pytest.mark.parametrize("dtype", ["u4", "u8"])
@pytest.mark.parametrize(
    ("name", "before", "value", "after"),
    [
        ("inc", 3, 5, 4),
        ("inc", 5, 5, 0),
        ("inc", 9, 5, 0),
        ("dec", 3, 5, 2),
        ("dec", 0, 5, 5),
        ("dec", 9, 5, 5),
    ],
)
def test_counters(name, before, value, after, dtype):
    assert one(name, np.array(before, dtype), value) == (before, after)


@pytest.mark.parametrize("dtype", FLOATS + SHORT_FLOATS)
def test_exchange_of_floats(dtype):
    assert one("exch", np.array(1.5, dtype), 2.5) == (1.5, 2.5)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_compare_and_swap(dtype):
    assert one("cas", np.array(4, dtype), 4, 6) == (4, 6)
    assert one("cas", np.array(4, dtype), 5, 6) == (4, 4)
    a, old = np.array([4, 9], dtype), np.zeros(1, dtype)
    swap = make("out[0] = cuda.atomic.compare_and_swap(a, 4, 6)")
    swap[1, 1](a, old, old)
    assert (a.tolist(), old[0]) == ([6, 9], 4)


def test_values_take_the_type_of_the_array():
    sums = np.zeros(2, "i4")
    make("cuda.atomic.add(a, 0, 2.75)\ncuda.atomic.add(a, 1, True)")[1, 1](
        sums, sums, sums
    )
    assert sums.tolist() == [2, 1]


@pytest.mark.parametrize("space", ["shared", "local"])
def test_own_memory(space):
    body = (
        f"s = cuda.{space}.array(2, np.float32)\n"
        "if cuda.threadIdx.x == 0 or values[0] == 1:\n"
        "    s[0] = 0\n    s[1] = -5\n"
        "cuda.syncthreads()\n"
        "cuda.atomic.add(s, 0, 1)\n"
        "cuda.atomic.max(s, 1, i % 7)\n"
        "cuda.syncthreads()\n"
        "if cuda.threadIdx.x == 0:\n"
        "    out[0] = s[0]\n    out[1] = s[1]\n"
    )
    is_local = space == "local"
    out = np.zeros(2)
    make(body)[1, THREADS](out, out, np.array([int(is_local)]))
    assert out.tolist() == ([1, 0] if is_local else [THREADS, 6])


def test_histogram_in_views():
    counts = np.zeros((3, 4, 5), np.int64)
    make("row = a[1, ::2]\ncuda.atomic.add(row, (i % 2, i % 5), 1)")[
        BLOCKS, THREADS
    ](counts, counts, counts)
    places = np.arange(COUNT)
    expected = np.zeros((3, 4, 5), np.int64)
    np.add.at(expected, (1, places % 2 * 2, places % 5), 1)
    np.testing.assert_array_equal(counts, expected)


# Locks: a thread that waits must let others go on.


@pytest.mark.parametrize(
    "acquire",
    [
        "while cuda.atomic.cas(a, 0, 0, 1) != 0:\n    pass",
        "while cuda.atomic.exch(a, 0, 1) == 1:\n    pass",
        "while True:\n    if cuda.atomic.compare_and_swap(a, 0, 1) == 0:\n"
        "        break",
        "mine = cuda.atomic.add(a, 1, 1)\n"
        "while cuda.atomic.add(a, 2, 0) != mine:\n    pass",
    ],
    ids=["cas", "exch", "compare_and_swap", "ticket"],
)
def test_lock(acquire):
    release = (
        "cuda.atomic.add(a, 2, 1)"
        if "mine" in acquire
        else "cuda.atomic.exch(a, 0, 0)"
    )
    state, total = np.zeros(3, np.int32), np.zeros(1, np.int64)
    make(
        f"{acquire}\ncuda.threadfence()\nout[0] += values[i]\n"
        f"cuda.threadfence()\n{release}",
    )[BLOCKS, THREADS](state, total, np.arange(COUNT))
    assert total[0] == COUNT * (COUNT - 1) // 2


def test_last_block_adds_up():
    body = (
        "s = cuda.shared.array(1, np.int64)\n"
        "if cuda.threadIdx.x == 0:\n"
        "    s[0] = 0\n"
        "cuda.syncthreads()\n"
        "cuda.atomic.add(s, 0, values[i])\n"
        "cuda.syncthreads()\n"
        "if cuda.threadIdx.x == 0:\n"
        "    out[1 + cuda.blockIdx.x] = s[0]\n"
        "    cuda.threadfence()\n"
        "    count = cuda.gridDim.x\n"
        "    if cuda.atomic.inc(a, 0, count) == count - 1:\n"
        "        for block in range(count):\n"
        "            out[0] += out[1 + block]\n"
    )
    done, out = np.zeros(1, np.uint32), np.zeros(1 + BLOCKS, np.int64)
    make(body)[BLOCKS, THREADS](done, out, np.arange(COUNT))
    assert out[0] == COUNT * (COUNT - 1) // 2


# Every worker at once: what all threads find, and what they leave.


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(
    ("name", "before", "after", "value"),
    [
        ("and_", -1, -1 << 32, "~(1 << i % 32)"),
        ("or_", 0, 0xFFFFFFFF, "1 << i % 32"),
        ("xor", 0x55555555, 0xAAAAAAAA, "1 << i % 32"),
    ],
)
def test_each_thread_changes_its_own_bit(name, before, after, value, dtype):
    start = np.full(COUNT // 32, before).astype(dtype)
    words, old = start.copy(), np.zeros(COUNT, dtype)
    make(f"out[i] = cuda.atomic.{name}(a, i // 32, {value})")[BLOCKS, THREADS](
        words, old, old
    )
    np.testing.assert_array_equal(
        words, np.full(COUNT // 32, after).astype(dtype)
    )
    # Nobody but the thread itself touches its bit.
    places = np.arange(COUNT)
    own = old.astype("u8") >> (places % 32).astype("u8") & 1
    first = start[places // 32].astype("u8") >> (places % 32).astype("u8") & 1
    np.testing.assert_array_equal(own, first)


@pytest.mark.parametrize("dtype", ["u4", "u8"])
@pytest.mark.parametrize("name", ["inc", "dec"])
def test_each_count_is_found_as_often(name, dtype):
    counter, old = np.zeros(1, dtype), np.zeros(COUNT, dtype)
    make(f"out[i] = cuda.atomic.{name}(a, 0, 5)")[BLOCKS, THREADS](
        counter, old, old
    )
    assert COUNT % 6 == 0
    assert counter[0] == 0
    assert np.bincount(old.astype("i8")).tolist() == [COUNT // 6] * 6


@pytest.mark.parametrize("dtype", NUMBERS)
def test_exchanges_hand_on(dtype):
    """What is given in is found by one thread, or is there at the end."""
    last, old = np.array([200], dtype), np.zeros(COUNT, dtype)
    values = (np.arange(COUNT) % 199).astype(dtype)
    make("out[i] = cuda.atomic.exch(a, 0, values[i])")[BLOCKS, THREADS](
        last, old, values
    )
    given = [200, *values.astype("f8").tolist()]
    found = [*old.astype("f8").tolist(), float(last[0])]
    assert sorted(found) == sorted(given)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_swaps_count(dtype):
    """A sum by compare-and-swap loses nothing, and no two threads win."""
    blocks = 3
    total, old = np.zeros(1, dtype), np.zeros(blocks * THREADS, dtype)
    make(
        "seen = a[0]\n"
        "while True:\n"
        "    found = cuda.atomic.cas(a, 0, seen, seen + values[0])\n"
        "    if found == seen:\n"
        "        break\n"
        "    seen = found\n"
        "out[i] = found"
    )[blocks, THREADS](total, old, np.ones(1, dtype))
    assert total[0] == blocks * THREADS
    assert sorted(old.astype("f8").tolist()) == list(range(blocks * THREADS))


@pytest.mark.parametrize("dtype", [*FLOATS, *SHORT_FLOATS])
@pytest.mark.parametrize("name", ["max", "min", "nanmax", "nanmin"])
def test_extremes_never_go_back(name, dtype):
    """What the threads of a warp find comes nearer to the extreme."""
    sign = 1 if name.endswith("max") else -1
    found, old = np.full(1, -sign, dtype), np.zeros(COUNT, dtype)
    values = (sign * (np.arange(COUNT) % 97)).astype(dtype)
    make(f"out[i] = cuda.atomic.{name}(a, 0, values[i])")[BLOCKS, THREADS](
        found, old, values
    )
    assert found[0] == sign * 96
    assert set((sign * old.astype("f8")).tolist()) <= {-1, *range(97)}


# Order and scope.

ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("scope", ["block", "device", "system"])
@pytest.mark.parametrize("dtype", ["i4", "f8", "f2"])
def test_order_and_scope(dtype, scope, order):
    words = f'order="{order}", scope="{scope}"'
    body = (
        f"cuda.atomic.add(a, 0, 1, {words})\n"
        f"cuda.atomic.max(a, 1, values[i], {words})\n"
        f"out[0] = cuda.atomic.cas(a, 2, 5, 6, {words})\n"
    )
    a, old = np.array([0, 0, 5], dtype), np.zeros(1, dtype)
    make(body)[1, THREADS](a, old, np.arange(THREADS).astype(dtype))
    assert a.tolist() == [THREADS, THREADS - 1, 6]
    assert old[0] in (5, 6)


@pytest.mark.parametrize("scope", ["block", "device", "system"])
@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u8"])
def test_integers_of_each_scope(dtype, scope):
    """Numbers whose order depends on the sign."""
    names = ["add", "sub", "min", "max", "and_", "or_", "xor"]
    body = "".join(
        f'cuda.atomic.{name}(a, {place}, values[i], scope="{scope}")\n'
        for place, name in enumerate(names)
    )
    with np.errstate(all="ignore"):
        values = (np.arange(THREADS) - THREADS // 2).astype(dtype)
        total = values.sum(dtype=dtype)
    a, out = np.full(len(names), 3, dtype), np.zeros(1, dtype)
    make(body)[1, THREADS](a, out, values)
    three = a.dtype.type(3)
    assert a.tolist() == [
        three + total,
        three - total,
        min(values.min(), 3),
        max(values.max(), 3),
        np.bitwise_and.reduce(values) & three,
        np.bitwise_or.reduce(values) | three,
        np.bitwise_xor.reduce(values) ^ three,
    ]


@pytest.mark.parametrize("wide", [False, True], ids=["device", "system"])
def test_message(wide):
    """What was written before a release is read after an acquire."""
    there = ', scope="system"' if wide else ""
    body = (
        "if cuda.threadIdx.x == 0:\n"
        "    if cuda.blockIdx.x == 0:\n"
        "        for n in range(out.size):\n"
        "            out[n] = n + 1\n"
        f'        cuda.atomic.exch(a, 0, 1, order="release"{there})\n'
        "    else:\n"
        "        posted = 0\n"
        "        while posted == 0:\n"
        "            posted = cuda.atomic.add("
        f'a, 0, 0, order="acquire"{there})\n'
        "        for n in range(out.size):\n"
        "            values[cuda.blockIdx.x] += out[n]\n"
    )
    flag, out, sums = np.zeros(1, "i4"), np.zeros(100), np.zeros(BLOCKS)
    make(body)[BLOCKS, THREADS](flag, out, sums)
    assert sums.tolist() == [0] + [5050.0] * (BLOCKS - 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            'order="strict"',
            "expects 'relaxed', 'acquire', 'release', 'acq_rel' or 'seq_cst' "
            "as order but got 'strict'",
        ),
        (
            'scope="gpu"',
            "expects 'block', 'device' or 'system' as scope but got 'gpu'",
        ),
        ("order=1", "as order but got int64"),
        ("scope=a[0]", "as scope but got float32"),
        (
            "memory=1",
            "'cuda.atomic.add' has no keyword 'memory', but 'order' and "
            "'scope'",
        ),
    ],
)
def test_words_that_are_none(words, message):
    kernel = make(f"cuda.atomic.add(a, 0, 1, {words})")
    with pytest.raises(pyk.CompileError) as caught:
        kernel[1, 1](np.zeros(2, "f4"), np.zeros(2), np.zeros(2))
    assert message in str(caught.value).splitlines()[0]


@pytest.mark.parametrize("scope", ["", "_block", "_system"])
def test_fences(scope):
    out = np.zeros(1)
    make(f"out[0] = 1\ncuda.threadfence{scope}()\nout[0] += 1")[1, 1](
        out, out, out
    )
    assert out[0] == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "add(1.5, 0, 1)",
            "'cuda.atomic.add' expects an array but got float64",
        ),
        ("add(a, 0)", "'cuda.atomic.add' takes 3 arguments but 2 were given"),
        (
            "add(a, (0, 0), a)",
            "'cuda.atomic.add' expects a number but got array(",
        ),
        (
            "add(a, 0.5, 1)",
            "expects integers and slices as indices of array(float32, 2d, C) "
            "but got float64",
        ),
        (
            "add(a, 0, 1)",
            "'cuda.atomic.add' expects the index of an element of "
            "array(float32, 2d, C) but got int64",
        ),
        (
            "add(values, 0, 1)",
            "'cuda.atomic.add' cannot work on array(int16, 1d, C)",
        ),
        (
            "and_(a, (0, 0), 1)",
            "'cuda.atomic.and_' cannot work on array(float32, 2d, C)",
        ),
        (
            "inc(out, 0, 1)",
            "'cuda.atomic.inc' cannot work on array(int64, 1d, C)",
        ),
        (
            "compare_and_swap(a, 0, 1)",
            "'cuda.atomic.compare_and_swap' expects an array of 1 dimension "
            "but got array(float32, 2d, C)",
        ),
        (
            "cas(out, 0, 1)",
            "'cuda.atomic.cas' takes 4 arguments but 3 were given",
        ),
    ],
)
def test_mistakes(call, message):
    kernel = make(f"cuda.atomic.{call}")
    with pytest.raises(pyk.CompileError) as caught:
        kernel[1, 1](
            np.zeros((2, 2), "f4"), np.zeros(2, "i8"), np.zeros(2, "i2")
        )
    assert message in str(caught.value).splitlines()[0]


def test_read_only_array():
    a = np.zeros(2)
    a.flags.writeable = False
    with pytest.raises(pyk.CompileError, match="expects an array that can be"):
        make("cuda.atomic.add(a, 0, 1)")[1, 1](a, a, a)


def test_packed_field():
    packed = np.zeros(2, np.dtype([("flag", "i1"), ("count", "i4")]))
    with pytest.raises(pyk.CompileError) as caught:
        make("cuda.atomic.add(a.count, 0, 1)")[1, 1](packed, packed, packed)
    assert (
        "'cuda.atomic.add' cannot work on fields of packed records"
        in str(caught.value).splitlines()[0]
    )


@pytest.mark.parametrize(
    "dtype", [np.float32, np.float64, np.float16, np.bool_, np.int8, np.uint64]
)
def test_index_of_any_type_of_number(dtype):
    """Numbers are converted, as in Numba, those of tuples, too."""

    @cuda.jit
    def k(a, b, i, j):
        cuda.atomic.add(a, i, 5)
        cuda.atomic.cas(a, (j,), 0, 7)
        cuda.atomic.max(b, (j, i), 3)
        cuda.atomic.sub(b, (i, 1 - j), 2)

    a, b = np.zeros(3, np.int64), np.zeros((2, 2), np.float32)
    k[1, 1](a, b, dtype(1), dtype(0))
    assert a.tolist() == [7, 5, 0]
    assert b.tolist() == [[0, 3], [0, -2]]


def test_indices_that_are_floats():
    @cuda.jit
    def k(a, b, i, j):
        cuda.atomic.add(a, i, 5)
        cuda.atomic.cas(a, j, 0, 7)
        cuda.atomic.add(b, (j, i), 3)
        cuda.stcg(b, (i, j), cuda.ldcg(b, (j, i)) + 1)

    a, b = np.zeros(4, np.int64), np.zeros((2, 2), np.int32)
    k[1, 1](a, b, 1.9, -1.5)
    assert a.tolist() == [0, 5, 0, 7]
    assert b.tolist() == [[0, 0], [0, 4]]


def test_index_that_is_no_number():
    @cuda.jit
    def k(a):
        cuda.atomic.add(a, (0, 1j), 1)

    with pytest.raises(cuda.errors.TypingError):
        k[1, 1](np.zeros((2, 2)))
