# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shuffles, votes, matches and reductions do what the PTX ISA says.

Whatever runs PTX is judged: the PTX machine, or a GPU. Each test runs a kernel
on random values and compares what its threads write with the ISA's formulas.
"""

import numpy as np
import pytest

from support import ptx_instructions
from support.ptx_kernels import (
    ALL,
    FRESH,
    UNTOUCHED,
    WAYS,
    Formula,
    bit_mask,
    check,
    lanes_of,
    run,
    words,
)

pytestmark = [
    pytest.mark.usefixtures("fresh_context"),
    # test/ptx_record.py compares with what other tests emit.
    pytest.mark.all_cases,
]


# --- shfl.sync ------------------------------------------------------------

MODES = ["idx", "up", "down", "bfly"]


def source(mode: str, lane: int, b: int, c: int) -> tuple[int, int]:
    """The lane that a lane reads from, and the predicate."""
    offset, clamp, segment = b & 31, c & 31, c >> 8 & 31
    low = lane & segment
    high = low | (clamp & ~segment)
    lane_read = {
        "idx": low | (offset & ~segment),
        "up": lane - offset,
        "down": lane + offset,
        "bfly": lane ^ offset,
    }[mode]
    inside = lane_read >= high if mode == "up" else lane_read <= high
    return (lane_read, 1) if inside else (lane, 0)


def shuffled(mode: str) -> Formula:
    def formula(mask, lane, inputs):
        values, b, c = inputs
        lane_read, inside = source(mode, lane, int(b[lane]), int(c[lane]))
        if not mask >> lane_read & 1:
            return [None, None]
        return [int(values[lane_read]), inside]

    return formula


def shuffle(mode: str) -> str:
    return (
        f"shfl.sync.{mode}.b32 %o0|%p0, %i2, %i3, %i4, %i1;\n"
        "selp.b32 %o1, 1, 0, %p0;"
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", MODES)
def test_shuffles(driver: ptx_instructions.Driver, mode: str, way: str) -> None:
    """Operands are random in each lane, and so are their unused bits."""
    random = np.random.default_rng(1)
    inputs = [words(random, 64, 32) for _ in range(3)]
    check(driver, way, shuffle(mode), inputs, 2, shuffled(mode), 2)


@pytest.mark.parametrize("mode", MODES)
def test_shuffles_of_all_segments_and_clamps(
    driver: ptx_instructions.Driver, mode: str
) -> None:
    random = np.random.default_rng(3)
    values, b = words(random, 1024, 32), words(random, 1024, 32, below=32)
    pairs = np.arange(1024, dtype=np.uint32)
    c = np.repeat(pairs // 32 << 8 | pairs % 32, 32).reshape(1024, 32)
    inputs = [values, b, c]
    check(driver, "together", shuffle(mode), inputs, 2, shuffled(mode), 4)


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize("mode", MODES)
def test_shuffles_by_every_offset(
    driver: ptx_instructions.Driver, mode: str, width: int
) -> None:
    """Segments as CUDA's functions with a width have them."""
    random = np.random.default_rng(width)
    values = words(random, 32, 32)
    b = np.repeat(np.arange(32, dtype=np.uint32), 32).reshape(32, 32)
    c = np.full_like(b, (32 - width) << 8 | (0 if mode == "up" else 31))
    inputs = [values, b, c]
    check(driver, "together", shuffle(mode), inputs, 2, shuffled(mode), 5)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("mode", "b", "c"),
    [
        *(("idx", 0, 31), ("idx", 37, 0x181F), ("up", 1, 0)),
        *(("up", 3, 0x1C00), ("down", 16, 31), ("down", 1, 0x100F)),
        *(("bfly", 1, 31), ("bfly", 31, 31), ("bfly", 4, 0x1803)),
    ],
)
def test_shuffles_with_literals(
    driver: ptx_instructions.Driver, mode: str, b: int, c: int, way: str
) -> None:
    random = np.random.default_rng(6)
    values = words(random, 16, 32)

    def formula(mask, lane, inputs):
        lane_read = source(mode, lane, b, c)[0]
        known = mask >> lane_read & 1
        return [int(inputs[0][lane_read]) if known else None]

    code = f"shfl.sync.{mode}.b32 %o0, %i2, {b}, {c}, %i1;"
    check(driver, way, code, [values], 1, formula, 7)


def test_shuffle_into_its_source(driver: ptx_instructions.Driver) -> None:
    values = np.arange(32, dtype=np.uint32) * 3 + 1
    code = """mov.b32 %o0, %i0;
    shfl.sync.bfly.b32 %o0, %o0, 1, 31, 0xffffffff;
    shfl.sync.idx.b32 %o0, %o0, %o0, 31, 0xffffffff;"""
    once = values[np.arange(32) ^ 1]
    (found,) = run(driver, code, [values], 1)
    assert found.tolist() == once[once & 31].tolist()


def test_shuffles_add_up(driver: ptx_instructions.Driver) -> None:
    """A sum of a warp, and inclusive sums, of several warps and blocks."""
    values = words(np.random.default_rng(8), 12, 32)
    code = ["mov.b32 %o0, %i0;", "mov.b32 %o1, %i0;"]
    for step in (1, 2, 4, 8, 16):
        code += [
            f"shfl.sync.bfly.b32 %r0, %o0, {step}, 31, -1;",
            "add.u32 %o0, %o0, %r0;",
            f"shfl.sync.up.b32 %r0|%p0, %o1, {step}, 0, -1;",
            "@%p0 add.u32 %o1, %o1, %r0;",
        ]
    sums, scans = run(driver, "\n".join(code), [values], 2, 96, 4)
    total = values.sum(1, dtype=np.uint32, keepdims=True)
    assert (sums.reshape(12, 32) == total).all()
    running = np.cumsum(values, 1, dtype=np.uint32)
    assert (scans.reshape(12, 32) == running).all()


def test_shuffles_with_a_guard_predicate(
    driver: ptx_instructions.Driver,
) -> None:
    """Lanes whose predicate is false neither take part nor get a value."""
    random = np.random.default_rng(9)
    values = words(random, 32, 32)
    wanted = np.full((32, 32), UNTOUCHED, np.uint32)
    masks, taking = np.zeros((2, 32, 32), np.uint32)
    for warp in range(32):
        lanes = np.flatnonzero(random.random(32) < 0.6)
        masks[warp], taking[warp, lanes] = bit_mask(lanes), 1
        wanted[warp, lanes] = values[warp, lanes[-1]] if len(lanes) else 0
    last = np.array([int(mask).bit_length() - 1 for mask in masks[:, 0]])
    sources = np.repeat(last, 32).astype(np.uint32)
    code = """setp.ne.u32 %p0, %i1, 0;
    @%p0 shfl.sync.idx.b32 %o0, %i2, %i3, 31, %i0;"""
    (found,) = run(driver, code, [masks, taking, values, sources], 1, 32, 32)
    assert found.tolist() == wanted.ravel().tolist()


# --- vote.sync, match.sync, redux.sync, activemask ------------------------


@pytest.mark.parametrize("negated", ["", "!"])
@pytest.mark.parametrize("way", WAYS)
def test_votes(driver: ptx_instructions.Driver, way: str, negated: str) -> None:
    random = np.random.default_rng(10)
    chance = random.choice([0, 0.05, 0.5, 0.95, 1], (64, 1))
    truths = (random.random((64, 32)) < chance).astype(np.uint32)
    code = ["setp.ne.u32 %p0, %i2, 0;"]
    for index, mode in enumerate(("all", "any", "uni")):
        code += [
            f"vote.sync.{mode}.pred %p1, {negated}%p0, %i1;",
            f"selp.b32 %o{index}, 1, 0, %p1;",
        ]
    code.append(f"vote.sync.ballot.b32 %o3, {negated}%p0, %i1;")

    def formula(mask, lane, inputs):
        votes = bit_mask(
            [
                other
                for other in lanes_of(mask)
                if bool(inputs[0][other]) != bool(negated)
            ]
        )
        uniform = votes in (0, mask)
        return [int(votes == mask), int(votes != 0), int(uniform), votes]

    check(driver, way, "\n".join(code), [truths], 4, formula, 11)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("way", WAYS)
def test_matches(driver: ptx_instructions.Driver, way: str, bits: int) -> None:
    random = np.random.default_rng(12)
    kinds = random.choice([1, 2, 5, 40], 64)
    values = np.stack([words(random, 32, below=int(n)) for n in kinds])
    table = random.integers(0, 2**63, 40, np.uint64)
    # Numbers that differ in one half alone are different ones.
    table[1] = table[0] ^ np.uint64(1 << (bits - 1))
    table[2] = table[0] ^ np.uint64(1)
    values = table[values].astype(f"u{bits // 8}")
    code = f"""match.any.sync.b{bits} %o0, %i2, %i1;
    match.all.sync.b{bits} %o1|%p0, %i2, %i1;
    selp.b32 %o2, 1, 0, %p0;
    match.all.sync.b{bits} %o3, %i2, %i1;"""

    def formula(mask, lane, inputs):
        same = [
            other
            for other in lanes_of(mask)
            if inputs[0][other] == inputs[0][lane]
        ]
        equal = bit_mask(same) == mask
        everyone = mask if equal else 0
        return [bit_mask(same), everyone, int(equal), everyone]

    check(driver, way, code, [values], 4, formula, 13)


REDUCTIONS = {
    "add.u32": np.add,
    "add.s32": np.add,
    "min.u32": np.minimum,
    "max.u32": np.maximum,
    "min.s32": np.minimum,
    "max.s32": np.maximum,
    "and.b32": np.bitwise_and,
    "or.b32": np.bitwise_or,
    "xor.b32": np.bitwise_xor,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(
    driver: ptx_instructions.Driver, name: str, way: str
) -> None:
    random = np.random.default_rng(14)
    values = words(random, 64, 32)
    values[:8] = random.choice([0, 1, ALL, 0x7FFFFFFF, 0x80000000], (8, 32))
    values[8:16] |= words(random, 8, 32) | words(random, 8, 32)
    values[16:24] &= words(random, 8, 32) & words(random, 8, 32)

    def formula(mask, lane, inputs):
        signed = np.int32 if name.endswith("s32") else np.uint32
        numbers = inputs[0][lanes_of(mask)].view(signed)
        result = REDUCTIONS[name].reduce(numbers, dtype=signed)
        return [int(result) & ALL]

    code = f"redux.sync.{name} %o0, %i2, %i1;"
    check(driver, way, code, [values], 1, formula, 15)


def test_activemask(driver: ptx_instructions.Driver) -> None:
    """Which lanes are active is up to the scheduler, within limits.

    A lane is active itself. Those with it are on its side of a branch, have
    not exited and get the same mask.
    """
    random = np.random.default_rng(16)
    sides = words(random, 32, 32, below=4)
    code = """activemask.b32 %o0;
    setp.eq.u32 %p0, %i0, 3;
    @%p0 bra GONE;
    setp.eq.u32 %p1, %i0, 2;
    @%p1 bra RIGHT;
    activemask.b32 %o1;
    setp.eq.u32 %p2, %i0, 0;
    @%p2 activemask.b32 %o2;
    bra END;
    GONE: ret;
    RIGHT: activemask.b32 %o1;
    END:"""
    stored = run(driver, code, [sides], 3, 64, 16)
    found = [values.reshape(32, 32) for values in stored]
    for warp in range(32):
        side = sides[warp]
        allowed = {
            0: bit_mask(np.flatnonzero(side < 2)),
            1: bit_mask(np.flatnonzero(side < 2)),
            2: bit_mask(np.flatnonzero(side == 2)),
        }
        zeros = bit_mask(np.flatnonzero(side == 0))
        for lane in range(32):
            first, branch, guarded_one = (
                int(values[warp, lane]) for values in found
            )
            if side[lane] == 3:
                assert {first, branch, guarded_one} == {FRESH}
                continue
            assert first >> lane & 1
            assert branch >> lane & 1
            assert branch & ~allowed[int(side[lane])] == 0
            assert all(
                found[1][warp, other] == branch for other in lanes_of(branch)
            )
            if side[lane] == 0:
                assert guarded_one >> lane & 1
                assert guarded_one & ~zeros == 0
            else:
                assert guarded_one == UNTOUCHED
