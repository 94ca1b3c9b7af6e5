# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers, fences, special registers and atomics do what the PTX ISA says.

Whatever runs PTX is judged: the PTX machine, or a GPU.
"""

import numpy as np
import pytest

from support import ptx_instructions
from support.ptx_kernels import (
    ALL,
    FRESH,
    GUARD,
    UNTOUCHED,
    WAYS,
    check,
    gather,
    lanes_of,
    run,
    words,
)

pytestmark = [
    pytest.mark.usefixtures("fresh_context"),
    # test/ptx_record.py compares with what other tests emit.
    pytest.mark.all_cases,
]


# --- bar.warp.sync --------------------------------------------------------

#: The address of a word of shared memory, of lane %r0, in %r1.
WORD = """mov.u32 %r1, shared;
mad.lo.u32 %r1, %r0, 4, %r1;"""


def test_warp_barrier_from_two_places(
    driver: ptx_instructions.Driver,
) -> None:
    """Lanes of one branch read what those of another wrote before both met."""
    random = np.random.default_rng(17)
    values = words(random, 32, 32)
    sides = words(random, 32, 32, below=2)
    code = f"""mov.u32 %r0, %thread;
    {WORD}
    setp.eq.u32 %p0, %i1, 0;
    @%p0 bra RIGHT;
    st.shared.b32 [%r1], %i0;
    bar.warp.sync 0xffffffff;
    bra END;
    RIGHT:
    not.b32 %r2, %i0;
    st.shared.b32 [%r1], %r2;
    bar.warp.sync 0xffffffff;
    END:
    xor.b32 %r0, %thread, 21;
    {WORD}
    ld.shared.b32 %o0, [%r1];"""
    (found,) = run(driver, code, [values, sides], 1, 64, 16)
    written = np.where(sides == 1, values, ~values)
    assert (found.reshape(32, 32) == written[:, np.arange(32) ^ 21]).all()


def test_warp_barriers_in_turns(driver: ptx_instructions.Driver) -> None:
    """One half writes, the other answers, many times, each in its own loop."""
    code = """mov.u32 %r1, shared;
    mov.u32 %r2, 0;
    mov.u32 %o0, 0;
    setp.ge.u32 %p0, %lane, 16;
    and.b32 %r3, %lane, 15;
    mad.lo.u32 %r1, %r3, 4, %r1;
    @%p0 bra ANSWER;
    ASK:
    mad.lo.u32 %r4, %r2, 100, %lane;
    st.shared.b32 [%r1], %r4;
    bar.warp.sync 0xffffffff;
    bar.warp.sync 0xffffffff;
    ld.shared.b32 %r5, [%r1+64];
    add.u32 %o0, %o0, %r5;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 10;
    @%p1 bra ASK;
    bra END;
    ANSWER:
    bar.warp.sync 0xffffffff;
    ld.shared.b32 %r5, [%r1];
    add.u32 %o0, %o0, %r5;
    shl.b32 %r5, %r5, 1;
    st.shared.b32 [%r1+64], %r5;
    bar.warp.sync 0xffffffff;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 10;
    @%p1 bra ANSWER;
    END:"""
    (found,) = run(driver, code, [], 1)
    total = 4500 + 10 * np.arange(16)
    assert found.tolist() == [*(2 * total).tolist(), *total.tolist()]


@pytest.mark.parametrize("way", WAYS)
def test_warp_barriers_of_members(
    driver: ptx_instructions.Driver, way: str
) -> None:
    """Members read what the others wrote; non-members are not waited for."""
    random = np.random.default_rng(18)
    values = words(random, 64, 32)
    code = f"""mov.u32 %r0, %thread;
    {WORD}
    st.shared.b32 [%r1], %i2;
    bar.warp.sync %i1;
    mov.u32 %r1, shared;
    and.b32 %r2, %thread, 0xffffffe0;
    mad.lo.u32 %r1, %r2, 4, %r1;
    mov.u32 %o0, 0;
    mov.u32 %r3, %i3;
    """
    # The members are an input, since lanes that exited write nothing. The
    # loop's labels are local to a block.
    code += """{
    AGAIN:
    setp.eq.u32 %p0, %r3, 0;
    @%p0 bra DONE;
    brev.b32 %r4, %r3;
    clz.b32 %r4, %r4;
    add.u32 %r5, %r3, -1;
    and.b32 %r3, %r3, %r5;
    mad.lo.u32 %r5, %r4, 4, %r1;
    ld.shared.b32 %r5, [%r5];
    add.u32 %o0, %o0, %r5;
    bra AGAIN;
    DONE:
    }"""
    members = gather(np.random.default_rng(19), way, 64)[2]

    def formula(mask, lane, inputs):
        return [int(inputs[0][lanes_of(mask)].sum(dtype=np.uint32))]

    check(driver, way, code, [values, members], 1, formula, 19)


# --- Barriers of blocks ---------------------------------------------------


def rotating(meet: str, rounds: int = 6) -> str:
    """Each thread adds up what its right neighbours write, round by round."""
    return f"""mov.u32 %o0, 0;
    mov.u32 %r2, 0;
    add.u32 %r3, %thread, 1;
    rem.u32 %r3, %r3, %threads;
    mov.u32 %r4, shared;
    mad.lo.u32 %r5, %r3, 4, %r4;
    mad.lo.u32 %r4, %thread, 4, %r4;
    mov.b32 %r6, %i0;
    AGAIN:
    st.shared.b32 [%r4], %r6;
    {meet}
    ld.shared.b32 %r6, [%r5];
    add.u32 %o0, %o0, %r6;
    {meet}
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p0, %r2, {rounds};
    @%p0 bra AGAIN;"""


@pytest.mark.parametrize("threads", [1, 31, 32, 33, 100, 128, 1000])
@pytest.mark.parametrize(
    "meet",
    [
        *("bar.sync 0;", "barrier.sync 15;", "bar.cta.sync 3;"),
        *("barrier.cta.sync.aligned 7;", "mov.u32 %r7, 9; bar.sync %r7;"),
        "mov.u32 %r7, 4; barrier.sync %r7;",
    ],
)
def test_barrier(
    driver: ptx_instructions.Driver, meet: str, threads: int
) -> None:
    values = words(np.random.default_rng(20), 3, threads)
    (found,) = run(driver, rotating(meet), [values], 1, threads, 3)
    wanted = sum(
        np.roll(values, -shift, axis=1) for shift in range(1, 7)
    ).astype(np.uint32)
    assert (found.reshape(3, threads) == wanted).all()


@pytest.mark.parametrize(
    "meet",
    [
        "barrier.sync %r10, %r11;",
        "bar.sync %r10, %r11;",
        "barrier.sync.aligned %r10, 64;",
    ],
)
def test_barriers_of_some_warps(
    driver: ptx_instructions.Driver, meet: str
) -> None:
    """Pairs of warps meet at a barrier each, as often as they want to."""
    values = words(np.random.default_rng(21), 2, 256)
    code = f"""shr.u32 %r10, %warp, 1;
    mov.u32 %r11, 64;
    mov.u32 %o0, 0;
    mov.u32 %r2, 0;
    xor.b32 %r3, %thread, 63;
    mov.u32 %r4, shared;
    mad.lo.u32 %r5, %r3, 4, %r4;
    mad.lo.u32 %r4, %thread, 4, %r4;
    mov.b32 %r6, %i0;
    AGAIN:
    st.shared.b32 [%r4], %r6;
    {meet}
    ld.shared.b32 %r6, [%r5];
    add.u32 %r6, %r6, 1;
    {meet}
    add.u32 %r2, %r2, 1;
    setp.le.u32 %p0, %r2, %r10;
    @%p0 bra AGAIN;
    mov.b32 %o0, %r6;"""
    (found,) = run(driver, code, [values], 1, 256, 2)
    wanted = values.copy()
    thread = np.arange(256)
    for round_ in range(4):
        stays = thread // 64 >= round_
        wanted[:, stays] = wanted[:, thread ^ 63][:, stays] + np.uint32(1)
    assert (found.reshape(2, 256) == wanted).all()


def test_barrier_from_two_places(driver: ptx_instructions.Driver) -> None:
    """Lanes of a warp arrive at one barrier by different instructions."""
    values = words(np.random.default_rng(22), 96)
    sides = words(np.random.default_rng(23), 96, below=2)
    code = """mov.u32 %r4, shared;
    mad.lo.u32 %r5, %thread, 4, %r4;
    setp.eq.u32 %p0, %i1, 0;
    @%p0 bra RIGHT;
    st.shared.b32 [%r5], %i0;
    barrier.sync 2;
    bra END;
    RIGHT:
    not.b32 %r6, %i0;
    st.shared.b32 [%r5], %r6;
    barrier.sync 2;
    END:
    sub.u32 %r6, 95, %thread;
    mad.lo.u32 %r5, %r6, 4, %r4;
    ld.shared.b32 %o0, [%r5];"""
    (found,) = run(driver, code, [values, sides], 1, 96)
    written = np.where(sides == 1, values, ~values)
    assert found.tolist() == written[::-1].tolist()


@pytest.mark.parametrize("meet", ["bar.sync 0;", "barrier.sync 0;"])
def test_barrier_without_exited_threads(
    driver: ptx_instructions.Driver, meet: str
) -> None:
    """Whole warps, and lanes of others, exit before the rest meets."""
    values = words(np.random.default_rng(24), 4, 160)
    gone = (np.random.default_rng(25).random((4, 160)) < 0.3).astype("u4")
    gone[:, 64:96] = 1
    gone[:, 0] = gone[:, 159] = 0
    code = f"""mov.u32 %r4, shared;
    mad.lo.u32 %r5, %thread, 4, %r4;
    st.shared.b32 [%r5], %i0;
    setp.ne.u32 %p0, %i1, 0;
    @%p0 bra LEAVE;
    {meet}
    setp.eq.u32 %p1, %thread, 0;
    selp.b32 %r6, 636, 0, %p1;
    add.u32 %r6, %r6, %r4;
    ld.shared.b32 %o0, [%r6];
    {meet}
    bra END;
    LEAVE: ret;
    END:"""
    (found,) = run(driver, code, [values, gone], 1, 160, 4)
    wanted = np.repeat(values[:, :1], 160, axis=1)
    wanted[:, 0] = values[:, 159]
    wanted[gone == 1] = FRESH
    assert (found.reshape(4, 160) == wanted).all()


@pytest.mark.parametrize(
    ("arrive", "wait"),
    [
        ("bar.arrive {}, 128;", "bar.sync {}, 128;"),
        ("barrier.arrive {}, 128;", "barrier.sync {}, 128;"),
        ("barrier.cta.arrive.aligned {}, %r9;", "bar.cta.sync {}, %r9;"),
    ],
)
def test_producers_and_consumers(
    driver: ptx_instructions.Driver, arrive: str, wait: str
) -> None:
    """Two warps pass numbers to two others through one buffer."""
    code = f"""mov.u32 %r9, 128;
    and.b32 %r1, %thread, 63;
    mov.u32 %r4, shared;
    mad.lo.u32 %r4, %r1, 4, %r4;
    xor.b32 %r6, %r1, 37;
    mov.u32 %r5, shared;
    mad.lo.u32 %r5, %r6, 4, %r5;
    mov.u32 %r2, 0;
    mov.u32 %o0, 0;
    setp.ge.u32 %p0, %thread, 64;
    @%p0 bra CONSUME;
    PRODUCE:
    mad.lo.u32 %r3, %r2, 977, %i0;
    st.shared.b32 [%r4], %r3;
    {arrive.format(1)}
    add.u32 %r2, %r2, 1;
    {wait.format(2)}
    setp.lt.u32 %p1, %r2, 8;
    @%p1 bra PRODUCE;
    bra END;
    CONSUME:
    {wait.format(1)}
    ld.shared.b32 %r3, [%r5];
    {arrive.format(2)}
    mad.lo.u32 %o0, %o0, 3, %r3;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 8;
    @%p1 bra CONSUME;
    END:"""
    values = words(np.random.default_rng(26), 3, 128)
    (found,) = run(driver, code, [values], 1, 128, 3)
    wanted = np.zeros((3, 64), np.uint32)
    for round_ in range(8):
        sent = values[:, :64] + np.uint32(round_ * 977)
        wanted = wanted * np.uint32(3) + sent[:, np.arange(64) ^ 37]
    found = found.reshape(3, 128)
    assert (found[:, :64] == 0).all()
    assert (found[:, 64:] == wanted).all()


def test_arrival_does_not_wait(driver: ptx_instructions.Driver) -> None:
    """A warp arrives at a barrier, then at another that the rest awaits."""
    code = """mov.u32 %r4, shared;
    setp.eq.u32 %p0, %warp, 0;
    @!%p0 bra LATER;
    bar.arrive 1, 64;
    st.shared.b32 [%r4], %i0;
    bar.arrive 2, 64;
    bra END;
    LATER:
    bar.sync 2, 64;
    ld.shared.b32 %o0, [%r4];
    bar.sync 1, 64;
    END:"""
    values = np.full(64, 0x13579BDF, np.uint32)
    (found,) = run(driver, code, [values], 1, 64)
    assert found.tolist() == [UNTOUCHED] * 32 + [0x13579BDF] * 32


@pytest.mark.parametrize("negated", ["", "!"])
@pytest.mark.parametrize("threads", [20, 32, 100, 192])
@pytest.mark.parametrize("name", ["bar.red", "barrier.red", "bar.cta.red"])
def test_barriers_that_reduce(
    driver: ptx_instructions.Driver, name: str, threads: int, negated: str
) -> None:
    random = np.random.default_rng(27)
    chance = random.choice([0, 0.02, 0.5, 0.98, 1], (20, 1))
    truths = (random.random((20, threads)) < chance).astype(np.uint32)
    code = f"""setp.ne.u32 %p0, %i0, 0;
    mov.u32 %r1, 6;
    {name}.popc.u32 %o0, 0, {negated}%p0;
    {name}.and.pred %p1, %r1, {negated}%p0;
    selp.b32 %o1, 1, 0, %p1;
    {name}.or.pred %p1, 0, {negated}%p0;
    selp.b32 %o2, 1, 0, %p1;"""
    found = run(driver, code, [truths], 3, threads, 20)
    true = (truths != 0) != bool(negated)
    wanted = [true.sum(1), true.all(1), true.any(1)]
    for values, right in zip(found, wanted):
        each = np.repeat(right.astype(np.uint32), threads)
        assert values.tolist() == each.tolist()


@pytest.mark.parametrize("name", ["bar.red", "barrier.red"])
def test_barriers_that_reduce_some_warps(
    driver: ptx_instructions.Driver, name: str
) -> None:
    """Groups of 1, 2 and 3 warps count on barriers of their own."""
    random = np.random.default_rng(28)
    truths = words(random, 10, 192, below=2)
    ids = np.repeat([5, 2, 2, 9, 9, 9], 32)
    counts = np.repeat([32, 64, 64, 96, 96, 96], 32)
    inputs = [truths, *(np.tile(a.astype("u4"), 10) for a in (ids, counts))]
    code = f"""setp.ne.u32 %p0, %i0, 0;
    {name}.popc.u32 %o0, %i1, %i2, %p0;
    {name}.or.pred %p1, %i1, %i2, %p0;
    selp.b32 %o1, 1, 0, %p1;
    {name}.and.pred %p1, %i1, %i2, !%p0;
    selp.b32 %o2, 1, 0, %p1;"""
    stored = run(driver, code, inputs, 3, 192, 10)
    found = [values.reshape(10, 192) for values in stored]
    for place in (5, 2, 9):
        number = truths[:, ids == place].sum(1, keepdims=True)
        assert (found[0][:, ids == place] == number).all()
        assert (found[1][:, ids == place] == (number > 0)).all()
        assert (found[2][:, ids == place] == (number == 0)).all()


# --- Fences ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("fence", "chip"),
    [
        *((f"membar.{level}", 80) for level in ("cta", "gl", "sys")),
        *((f"fence.{scope}", 80) for scope in ("cta", "gpu", "sys")),
        *((f"fence.sc.{scope}", 80) for scope in ("cta", "gpu", "sys")),
        *((f"fence.acq_rel.{scope}", 80) for scope in ("cta", "gpu", "sys")),
        *(("fence.proxy.alias", 80), ("membar.proxy.alias", 80)),
        *(("fence.sc.cluster", 90), ("fence.acq_rel.cluster", 90)),
    ],
)
def test_fence(driver: ptx_instructions.Driver, fence: str, chip: int) -> None:
    values = words(np.random.default_rng(29), 64)
    code = f"""setp.lt.u32 %p0, %lane, 9;
    mov.b32 %o0, %i0;
    {fence};
    @%p0 {fence};
    add.u32 %o0, %o0, 1;"""
    (found,) = run(driver, code, [values], 1, 64, 1, chip)
    assert found.tolist() == (values + np.uint32(1)).tolist()


# --- Special registers ----------------------------------------------------


@pytest.mark.parametrize(
    ("threads", "blocks"), [(1, 1), (20, 3), (32, 2), (33, 4), (256, 5)]
)
def test_indices(
    driver: ptx_instructions.Driver, threads: int, blocks: int
) -> None:
    names = ["tid", "ntid", "ctaid", "nctaid"]
    registers = [f"%{name}.{axis}" for name in names for axis in "xyz"]
    code = "\n".join(
        f"mov.u32 %o{index}, {name};" for index, name in enumerate(registers)
    )
    found = run(driver, code, [], len(registers), threads, blocks)
    thread = np.tile(np.arange(threads), blocks)
    block = np.repeat(np.arange(blocks), threads)
    wanted = [thread, 0, 0, threads, 1, 1, block, 0, 0, blocks, 1, 1]
    for name, values, right in zip(registers, found, wanted):
        assert (values == right).all(), name


@pytest.mark.parametrize("threads", [1, 32, 50, 200])
def test_places_in_warps(driver: ptx_instructions.Driver, threads: int) -> None:
    sides = ["eq", "le", "lt", "ge", "gt"]
    names = ["laneid", *(f"lanemask_{side}" for side in sides)]
    code = "\n".join(
        f"mov.u32 %o{index}, %{name};" for index, name in enumerate(names)
    )
    found = run(driver, code, [], len(names), threads, 2)
    lane = np.tile(np.arange(threads) % 32, 2).astype(np.uint64)
    bit = np.uint64(1) << lane
    below = bit - np.uint64(1)
    everyone = np.uint64(ALL)
    above = everyone - below
    wanted = [lane, bit, below + bit, below, above, above - bit]
    for name, values, right in zip(names, found, wanted):
        assert (values == right).all(), name


def test_lane_masks_in_branches(driver: ptx_instructions.Driver) -> None:
    """They do not depend on which lanes are active or have exited."""
    code = """and.b32 %r1, %thread, 3;
    setp.eq.u32 %p0, %r1, 1;
    @%p0 bra GONE;
    setp.eq.u32 %p1, %r1, 2;
    @%p1 mov.u32 %o0, %lanemask_lt;
    @!%p1 mov.u32 %o0, %lanemask_ge;
    mov.u32 %o1, %laneid;
    bra END;
    GONE: ret;
    END:"""
    masks, lanes = run(driver, code, [], 2)
    for lane in range(32):
        below = (1 << lane) - 1
        right = below if lane % 4 == 2 else ALL & ~below
        wanted = (right, lane) if lane % 4 != 1 else (FRESH, FRESH)
        assert (int(masks[lane]), int(lanes[lane])) == wanted


def test_numbers_of_warps(driver: ptx_instructions.Driver) -> None:
    """Lanes of a warp have one number; no other warp of the block has it."""
    code = "mov.u32 %o0, %warpid;\nmov.u32 %o1, %nwarpid;"
    found, most = run(driver, code, [], 2, 200, 4)
    assert (found < most).all()
    for numbers in found.reshape(4, 200):
        warps = [set(numbers[i : i + 32].tolist()) for i in range(0, 200, 32)]
        assert all(len(warp) == 1 for warp in warps)
        assert len(set.union(*warps)) == len(warps)


# --- Atomics and progress -------------------------------------------------


@pytest.mark.parametrize("space", ["global", "shared"])
def test_atomics_at_one_address(
    driver: ptx_instructions.Driver, space: str
) -> None:
    """Each thread finds a state of its own."""
    threads = 200
    code = "mov.u64 %d0, shared;"
    if space == "global":
        # Where thread 0 stores its last result at the end.
        code = f"ld.param.u64 %d0, [p4];\nadd.u64 %d0, %d0, {GUARD * 4};"
    code += f"""
    setp.eq.u32 %p0, %thread, 0;
    @%p0 st.{space}.b32 [%d0], 0;
    bar.sync 0;
    atom.{space}.add.u32 %o0, [%d0], 1;
    bar.sync 0;
    atom.{space}.inc.u32 %o1, [%d0], 299;
    bar.sync 0;
    atom.{space}.dec.u32 %o2, [%d0], 149;
    bar.sync 0;
    atom.{space}.exch.b32 %o3, [%d0], %thread;
    bar.sync 0;
    ld.{space}.b32 %o4, [%d0];
    bar.sync 0;"""
    sums, ups, downs, exchanges, last = run(driver, code, [], 5, threads)
    state = threads
    assert sorted(sums.tolist()) == list(range(threads))
    wanted = []
    for _ in range(threads):
        wanted.append(state)
        state = 0 if state >= 299 else state + 1
    assert sorted(ups.tolist()) == sorted(wanted)
    wanted = []
    for _ in range(threads):
        wanted.append(state)
        state = 149 if state == 0 or state > 149 else state - 1
    assert sorted(downs.tolist()) == sorted(wanted)
    (end,) = set(last.tolist())
    passed = [*range(threads), state]
    passed.remove(end)
    assert sorted(exchanges.tolist()) == sorted(passed)


def test_waiting_for_another_warp(driver: ptx_instructions.Driver) -> None:
    """Warp 1 waits in a loop until warp 0 has released a value."""
    code = """mov.u32 %r4, shared;
    st.shared.b32 [%r4+4], 0;
    bar.sync 0;
    setp.eq.u32 %p0, %warp, 0;
    @%p0 bra WRITE;
    WAIT:
    ld.acquire.cta.shared.b32 %r5, [%r4+4];
    setp.eq.u32 %p1, %r5, 0;
    @%p1 bra WAIT;
    ld.shared.b32 %o0, [%r4];
    bra END;
    WRITE:
    st.shared.b32 [%r4], %i0;
    st.release.cta.shared.b32 [%r4+4], 1;
    END:"""
    values = np.full(64, 0x2468ACE0, np.uint32)
    (found,) = run(driver, code, [values], 1, 64)
    assert found.tolist() == [UNTOUCHED] * 32 + [0x2468ACE0] * 32


def test_lock_among_lanes(driver: ptx_instructions.Driver) -> None:
    """Each lane gets a lock in turn, since each makes progress."""
    code = """mov.u32 %r4, shared;
    st.shared.v2.b32 [%r4], {0, 0};
    bar.sync 0;
    TRY:
    atom.acquire.cta.shared.cas.b32 %r5, [%r4], 0, 1;
    setp.ne.u32 %p0, %r5, 0;
    @%p0 bra TRY;
    ld.volatile.shared.b32 %o0, [%r4+4];
    add.u32 %r6, %o0, 1;
    st.volatile.shared.b32 [%r4+4], %r6;
    atom.release.cta.shared.exch.b32 %r5, [%r4], 0;
    bar.sync 0;
    ld.shared.b32 %o1, [%r4+4];"""
    found, last = run(driver, code, [], 2, 64)
    assert sorted(found.tolist()) == list(range(64))
    assert (last == 64).all()
