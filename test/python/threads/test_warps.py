# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What threads of a warp give each other."""

import linecache

import numpy as np
import pytest

from pyk import CompileError, cuda
from pyk.cuda.errors import CudaAPIError

ALL = 0xFFFFFFFF
LANES = np.arange(64)
#: By number of the first lane of each lane's warp.
FIRST = LANES // 32 * 32

#: What each lane of two warps gets, by function and its last argument.
SOURCES = {
    "shfl_sync": lambda offset: FIRST + offset % 32,
    "shfl_up_sync": lambda offset: np.where(
        LANES - FIRST < offset, LANES, LANES - offset
    ),
    "shfl_down_sync": lambda offset: np.where(
        LANES - FIRST + offset > 31, LANES, LANES + offset
    ),
    "shfl_xor_sync": lambda offset: LANES ^ offset,
}


def shuffle(name, values, offset):
    """What the lanes get of `values`."""
    function = getattr(cuda, name)

    @cuda.jit
    def kernel(out, values, offset):
        i = cuda.threadIdx.x
        out[i] = function(ALL, values[i], offset)

    out = np.zeros_like(values)
    kernel[1, len(values)](out, values, offset)
    return out


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("offset", [0, 1, 5, 16, 31])
@pytest.mark.parametrize("name", SOURCES)
def test_lanes_get_what_others_give(name, offset, dtype):
    values = (LANES * 3 + 1).astype(dtype)
    if dtype == "i8":
        values += 1 << 40
    if dtype == "f8":
        values += 1e-12
    got = shuffle(name, values, offset)
    assert got.tolist() == values[SOURCES[name](offset)].tolist()


# The lane that is read is taken modulo the width.
def test_lanes_beyond_the_warp():
    values = LANES.astype("i4")
    assert shuffle("shfl_sync", values, 33).tolist() == (FIRST + 1).tolist()


# Each lane may ask for another one.
def test_lanes_differ_in_what_they_ask_for():
    @cuda.jit
    def reverse(a):
        i = cuda.threadIdx.x
        a[i] = cuda.shfl_sync(ALL, a[i], 31 - cuda.laneid)

    a = np.arange(64.0)
    reverse[1, 64](a)
    assert a.tolist() == [*range(31, -1, -1), *range(63, 31, -1)]


def test_sum_of_a_warp():
    @cuda.jit
    def sums(out, a):
        i = cuda.grid(1)
        total = a[i]
        offset = 16
        while offset > 0:
            total += cuda.shfl_down_sync(ALL, total, offset)
            offset //= 2
        if cuda.laneid == 0:
            out[i // 32] = total

    a = np.arange(10 * 256, dtype="f4")
    out = np.zeros(10 * 8, "f4")
    sums[10, 256](out, a)
    assert out.tolist() == a.reshape(-1, 32).sum(axis=1).tolist()


# Threads of a mask wait for those alone, and not for what has returned.
def test_parts_of_a_warp():
    @cuda.jit
    def kernel(a):
        i = cuda.threadIdx.x
        if i >= 24:
            return
        if i < 8:
            a[i] = cuda.shfl_xor_sync(0xFF, a[i], 1)
        else:
            for _ in range(3):
                a[i] = cuda.shfl_sync(0xFFFF00, a[i] + 1, 8)

    a = np.arange(32)
    kernel[1, 32](a)
    assert a.tolist() == [1, 0, 3, 2, 5, 4, 7, 6, *[11] * 16, *range(24, 32)]


# A block may end within a warp, and have any shape.
def test_warps_of_blocks_of_any_shape():
    @cuda.jit
    def kernel(a):
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        i = y * cuda.blockDim.x + x
        a[i] = cuda.shfl_sync(ALL, i, 2)

    a = np.zeros(35, np.int64)
    kernel[1, (7, 5)](a)
    assert a.tolist() == [2] * 32 + [34] * 3


def test_barriers_of_a_warp_order_memory():
    """What another thread wrote is read again behind them."""

    @cuda.jit
    def k(a, out):
        i = cuda.threadIdx.x
        before = a[0]
        cuda.syncwarp()
        if i == 5:
            a[0] = 9
        cuda.syncwarp()
        out[i] = before * 100 + a[0]

    a, out = np.ones(1, np.int64), np.zeros(32, np.int64)
    k[1, 32](a, out)
    assert out.tolist() == [109] * 32
    assert a.tolist() == [9]


# Half of the warp is at the barrier; the next launch is none the worse.
@pytest.mark.on_the_cpu(reason="a GPU hangs")
def test_threads_that_wait_in_vain():
    @cuda.jit
    def kernel(a, first):
        i = cuda.threadIdx.x
        if i < first:
            cuda.syncthreads()
        else:
            a[i] = cuda.shfl_sync(ALL, i, 16)

    a = np.zeros(32, np.int64)
    with pytest.raises(
        CudaAPIError,
        match=r"thread \(16, 0, 0\) of block \(0, 0, 0\) waits "
        "for threads of its warp that wait elsewhere; let all threads that a "
        "mask names call the same function with it",
    ):
        kernel[1, 32](a, 16)
        cuda.synchronize()
    kernel[1, 32](a, 0)
    assert a.tolist() == [16] * 32


@pytest.mark.parametrize(
    "name, kind",
    [
        ("shfl_sync", "idx"),
        ("shfl_up_sync", "up"),
        ("shfl_down_sync", "down"),
        ("shfl_xor_sync", "bfly"),
    ],
)
@pytest.mark.parametrize("signature, count", [("f4[:]", 1), ("i8[:]", 2)])
def test_instructions(name, kind, signature, count):
    function = getattr(cuda, name)

    def kernel(a):
        i = cuda.threadIdx.x
        a[i] = function(ALL, a[i], 3)

    ptx, _ = cuda.compile_ptx(kernel, f"void({signature})", cc=(8, 0))
    last = 0 if kind == "up" else 31
    lines = [line for line in ptx.splitlines() if "shfl.sync" in line]
    assert len(lines) == count
    for line in lines:
        assert f"shfl.sync.{kind}.b32" in line
        assert line.rstrip(";").endswith(f"3, {last}, -1")


def vote(mask, predicates):
    """What each lane gets of the four votes; lanes outside of `mask` get -1."""

    @cuda.jit
    def kernel(out, mask, predicates):
        i = cuda.threadIdx.x
        if mask >> cuda.laneid & 1:
            p = predicates[i]
            out[i, 0] = cuda.all_sync(mask, p)
            out[i, 1] = cuda.any_sync(mask, p)
            out[i, 2] = cuda.eq_sync(mask, p)
            out[i, 3] = cuda.ballot_sync(mask, p)

    out = np.full((len(predicates), 4), -1, np.int64)
    kernel[1, len(predicates)](out, np.int64(mask), predicates)
    return out


# Any number but 0 holds. The last warp is a part of one.
@pytest.mark.parametrize("dtype", ["?", "i4", "i8", "u1"])
@pytest.mark.parametrize("mask", [ALL, 0xFF, 0xF0F0F0F1, 1 << 7])
@pytest.mark.parametrize("held", ["all", "none", "some", "one"])
def test_votes(held, mask, dtype):
    holds = {
        "all": np.ones(72, bool),
        "none": np.zeros(72, bool),
        "some": np.arange(72) % 3 == 1,
        "one": np.arange(72) == 36,
    }[held]
    got = vote(mask, (holds * 2).astype(dtype))
    for lane in range(72):
        warp = range(lane // 32 * 32, min(lane // 32 * 32 + 32, 72))
        members = [other for other in warp if mask >> other % 32 & 1]
        if lane not in members:
            assert got[lane].tolist() == [-1] * 4
            continue
        votes = [bool(holds[other]) for other in members]
        ballot = sum(1 << other % 32 for other in members if holds[other])
        assert got[lane].tolist() == [
            all(votes),
            any(votes),
            len(set(votes)) == 1,
            np.uint32(ballot).astype(np.int32),
        ]


# Both halves of a branch vote, each with its own mask, as often as it likes.
def test_votes_in_branches():
    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        if i % 2:
            for turn in range(3):
                out[i] += cuda.ballot_sync(0xAAAAAAAA, i > 16 + turn)
        else:
            out[i] = cuda.ballot_sync(0x55555555, i < 4)

    out = np.zeros(32, np.int64)
    kernel[1, 32](out)
    odd = sum(
        int(
            np.uint32(
                sum(1 << i for i in range(1, 32, 2) if i > 16 + turn)
            ).astype("i4")
        )
        for turn in range(3)
    )
    assert out.tolist() == [0b101, odd] * 16


# Threads that have returned do not count.
def test_votes_without_those_that_returned():
    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        if i >= 20:
            return
        out[i, 0] = cuda.all_sync(ALL, i < 20)
        out[i, 1] = cuda.ballot_sync(ALL, True)

    out = np.zeros((32, 2), np.int64)
    kernel[1, 32](out)
    assert out.tolist() == [[1, (1 << 20) - 1]] * 20 + [[0, 0]] * 12


@pytest.mark.parametrize("has_mask", [False, True])
def test_barrier_of_a_warp(has_mask):
    @cuda.jit
    def kernel(out):
        shared = cuda.shared.array(64, np.int32)
        i = cuda.threadIdx.x
        shared[i] = i * i
        if has_mask:
            cuda.syncwarp(0xFFFFFFFF)
        else:
            cuda.syncwarp()
        out[i] = shared[i ^ 31]

    out = np.zeros(64, np.int32)
    kernel[1, 64](out)
    assert out.tolist() == [int(i ^ 31) ** 2 for i in LANES]


@pytest.mark.parametrize("cc", [(7, 5), (9, 0)])
def test_instructions_of_votes(cc):
    def kernel(a, mask):
        p = a[0] > 1
        a[1] = cuda.all_sync(mask, p)
        a[2] = cuda.any_sync(mask, p)
        a[3] = cuda.eq_sync(mask, p)
        a[4] = cuda.ballot_sync(mask, p)
        cuda.syncwarp(mask)
        cuda.syncwarp()

    ptx, _ = cuda.compile_ptx(kernel, "void(i4[:], i4)", cc=cc)
    lines = [line for line in ptx.splitlines() if ".sync" in line]
    found = [line.split()[0] for line in lines]
    assert found == [
        "vote.sync.all.pred",
        "vote.sync.any.pred",
        "vote.sync.uni.pred",
        "vote.sync.ballot.b32",
        "bar.warp.sync",
        "bar.warp.sync",
    ]
    assert lines[5].rstrip(";").endswith("-1")


# Matches, and masks of lanes.


def ask(expression, *arrays, threads=64):
    """What the lanes find; `arrays` are `a`, `b` and so on."""
    names = ", ".join("abc"[: len(arrays)])
    text = (
        f"def k(out, {names}):\n    i = cuda.threadIdx.x\n"
        f"    out[i] = {expression}\n"
    )
    file = f"<{expression}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    scope = {"cuda": cuda, "ALL": ALL, "np": np}
    exec(compile(text, file, "exec"), scope)
    out = np.full(threads, -7, np.int64)
    cuda.jit(scope["k"])[1, threads](out, *arrays)
    return out.tolist()


def lanes(flags):
    """The bits of a warp's flags, as a number with a sign."""
    bits = sum(1 << lane for lane, flag in enumerate(flags) if flag)
    return bits - (1 << 32) if bits >> 31 else bits


@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u8", "f4", "f8"])
def test_match_any(dtype):
    a = (np.arange(64) % 5).astype(dtype) * np.array(3).astype(dtype)
    if np.dtype(dtype).itemsize == 8 and dtype != "f8":
        # What differs in the upper half alone.
        a <<= np.array(40, dtype)
    found = ask("cuda.match_any_sync(ALL, a[i])", a)
    assert found == [
        lanes(a[i // 32 * 32 : i // 32 * 32 + 32] == a[i]) for i in range(64)
    ]


@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u8", "f4", "f8"])
@pytest.mark.parametrize("threads", [64, 40])
def test_match_all(threads, dtype):
    a = np.full(threads, 9, dtype)
    a[5] = 8
    rest = -1 if threads == 64 else 0xFF
    assert ask("cuda.match_all_sync(ALL, a[i])[0]", a, threads=threads) == [
        *[0] * 32,
        *[rest] * (threads - 32),
    ]
    assert ask("cuda.match_all_sync(ALL, a[i])[1]", a, threads=threads) == [
        *[0] * 32,
        *[1] * (threads - 32),
    ]


def test_zeros_match_by_their_bits():
    a = np.where(np.arange(32) % 2, -0.0, 0.0)
    found = ask("cuda.match_any_sync(ALL, a[i])", a, threads=32)
    assert found == [0x55555555, lanes(np.arange(32) % 2)] * 16


def test_append_of_a_warp():
    """One atomic addition for all lanes that have something."""

    @cuda.jit
    def kernel(a, count, out):
        i = cuda.grid(1)
        keeps = i < a.size and a[i] % 3 == 0
        mask = cuda.ballot_sync(ALL, keeps)
        if keeps:
            first = cuda.ffs(mask) - 1
            before = cuda.popc(mask & cuda.lanemask_lt())
            place = 0
            if cuda.laneid == first:
                place = cuda.atomic.add(count, 0, cuda.popc(mask))
            place = cuda.shfl_sync(mask, place, first)
            out[place + before] = a[i]

    a, count, out = np.arange(1000), np.zeros(1, np.int64), np.zeros(334)
    kernel[8, 128](a, count, out)
    assert count[0] == 334
    assert sorted(out.tolist()) == list(range(0, 1000, 3))


@pytest.mark.parametrize("threads", [64, 35])
@pytest.mark.parametrize(
    ("kind", "compare"),
    [
        ("eq", np.equal),
        ("lt", np.less),
        ("le", np.less_equal),
        ("gt", np.greater),
        ("ge", np.greater_equal),
    ],
)
def test_masks_of_lanes(kind, compare, threads):
    found = ask(f"cuda.lanemask_{kind}()", np.zeros(1), threads=threads)
    assert found == [
        sum(1 << lane for lane in range(32) if compare(lane, i % 32))
        for i in range(threads)
    ]


@pytest.mark.parametrize(
    ("call", "instruction"),
    [
        ("match_any_sync(ALL, a[0])", "match.any.sync.b64"),
        ("match_any_sync(ALL, np.float32(a[0]))", "match.any.sync.b32"),
        ("match_all_sync(ALL, a[0])[1]", "match.all.sync.b64"),
        ("match_all_sync(ALL, np.int32(a[0]))[0]", "match.all.sync.b32"),
        ("lanemask_lt()", "%lanemask_lt"),
        ("lanemask_ge()", "%lanemask_ge"),
    ],
)
def test_instructions_of_matches(call, instruction):
    scope = {"cuda": cuda, "ALL": ALL, "np": np}
    text = f"def k(a):\n    a[0] = cuda.{call}\n"
    file = f"<{call} as PTX>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    exec(compile(text, file, "exec"), scope)
    ptx, _ = cuda.compile_ptx(scope["k"], "void(i8[:])", cc=(7, 5))
    assert instruction in ptx


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "match_any_sync(ALL, a)",
            "'cuda.match_any_sync' expects a number but got array",
        ),
        (
            "match_all_sync(ALL, 1j)",
            "'cuda.match_all_sync' expects a real number but got complex128",
        ),
        ("lanemask_lt(1)", "'cuda.lanemask_lt' takes 0 arguments but 1 was"),
    ],
)
def test_mistakes_in_matches(call, message):
    with pytest.raises(CompileError) as caught:
        ask(f"cuda.{call}", np.zeros(2, np.int64))
    assert message in str(caught.value).splitlines()[0]


# Thread 34 is lane 2 of its warp; the next launch is none the worse.
@pytest.mark.on_the_cpu(reason="a GPU may hang")
@pytest.mark.parametrize(
    "call",
    [
        "all_sync(mask, i > 0)",
        "ballot_sync(mask, i > 0)",
        "match_any_sync(mask, i)",
        "shfl_sync(mask, i, 0)",
        "syncwarp(mask)",
    ],
)
def test_threads_outside_of_their_mask(call):
    text = (
        "def k(out, lane):\n    i = cuda.threadIdx.x\n"
        "    mask = 0xFFFFFFFF\n    if i == lane:\n        mask = 0x1000B\n"
        f"    cuda.{call}\n    out[i] = 1\n"
    )
    file = f"<{call} outside>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    scope = {"cuda": cuda}
    exec(compile(text, file, "exec"), scope)
    kernel = cuda.jit(scope["k"])
    out = np.zeros(64, np.int32)
    with pytest.raises(
        CudaAPIError,
        match=r"thread \(34, 0, 0\) of block \(0, 0, 0\), lane 2 of its "
        "warp, is not in the mask 0x1000b that it gives; let only threads "
        "that a mask names call a function with it",
    ):
        kernel[1, 64](out, 34)
        cuda.synchronize()
    kernel[1, 64](out, 64)
    assert out.tolist() == [1] * 64


# In any order, with the names that numba.cuda has.
@pytest.mark.parametrize(
    ("with_keywords", "plain"),
    [
        ("shfl_sync(ALL, src_lane=3, value=i)", "shfl_sync(ALL, i, 3)"),
        (
            "shfl_sync(ALL, width=8, src_lane=1, value=i)",
            "shfl_sync(ALL, i, 1, 8)",
        ),
        ("shfl_up_sync(ALL, i, delta=2)", "shfl_up_sync(ALL, i, 2)"),
        (
            "shfl_down_sync(delta=a[0] + 1, value=i, mask=ALL)",
            "shfl_down_sync(ALL, i, a[0] + 1)",
        ),
        (
            "shfl_xor_sync(lane_mask=5, mask=ALL, value=i)",
            "shfl_xor_sync(ALL, i, 5)",
        ),
        ("all_sync(predicate=i >= 0, mask=ALL)", "all_sync(ALL, i >= 0)"),
        ("any_sync(ALL, predicate=i > 40)", "any_sync(ALL, i > 40)"),
        ("eq_sync(mask=ALL, predicate=i > 40)", "eq_sync(ALL, i > 40)"),
        ("ballot_sync(predicate=i > 9, mask=ALL)", "ballot_sync(ALL, i > 9)"),
        (
            "match_any_sync(value=i % 3, mask=ALL)",
            "match_any_sync(ALL, i % 3)",
        ),
        (
            "match_all_sync(value=i // 32, mask=ALL)[0]",
            "match_all_sync(ALL, i // 32)[0]",
        ),
    ],
)
def test_keywords(with_keywords, plain):
    a = np.ones(1, np.int64)
    found = ask(f"cuda.{with_keywords}", a)
    assert found == ask(f"cuda.{plain}", a)
    assert set(found) != {-7}


def test_keyword_of_the_barrier():
    @cuda.jit
    def kernel(out):
        shared = cuda.shared.array(32, np.int32)
        i = cuda.threadIdx.x
        shared[i] = i
        if i < 16:
            cuda.syncwarp(mask=0xFFFF)
            out[i] = shared[15 - i]

    out = np.zeros(32, np.int32)
    kernel[1, 32](out)
    assert out.tolist() == [*range(15, -1, -1), *[0] * 16]
