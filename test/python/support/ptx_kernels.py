# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in PTX whose threads do something together, and what they leave.

Lanes come to an instruction with a member mask in several ways (`WAYS`): all
together, in groups that share the instruction or branch to one of their own,
from two places, or after other lanes of the warp have exited.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from support import ptx_instructions

#: Words before and behind the values of an array, which no kernel may write.
GUARD = 4

#: What arrays hold before a kernel runs.
FRESH = 0xA5A5A5A5

#: What registers hold before an instruction writes them.
UNTOUCHED = 0xDEADBEEF

ALL = 0xFFFFFFFF


# --- Kernels --------------------------------------------------------------


def text_of(
    body: str, kinds: Sequence[str], results: int, chip: int = 80
) -> str:
    """A kernel that gives each thread inputs and stores its results.

    Inputs are in %i0, %i1, ... and results in %o0, %o1, ...; %thread, %lane,
    %warp and %threads are the thread's place in its block and the block's
    size. Threads that do not reach the body's end store nothing.
    """
    declared, loads, stores = [], [], []
    for index, kind in enumerate(kinds):
        size = int(kind[1:]) // 8
        declared.append(f".reg .{kind} %i{index};")
        loads += [
            f"ld.param.u64 %address, [p{index}];",
            f"mad.wide.u32 %address, %index, {size}, %address;",
            f"ld.global.{kind} %i{index}, [%address+{GUARD * size}];",
        ]
    for index in range(results):
        declared.append(f".reg .b32 %o{index};")
        loads.append(f"mov.b32 %o{index}, {UNTOUCHED:#x};")
        stores += [
            f"ld.param.u64 %address, [p{len(kinds) + index}];",
            "mad.wide.u32 %address, %index, 4, %address;",
            f"st.global.b32 [%address+{GUARD * 4}], %o{index};",
        ]
    parameters = ", ".join(
        f".param .u64 p{index}" for index in range(len(kinds) + results)
    )
    lines = "\n  ".join(
        [*declared, *loads, *body.strip().splitlines(), *stores]
    )
    return f""".version 7.8
.target sm_{chip}
.address_size 64
.visible .entry run({parameters}) {{
  .shared .align 16 .b8 shared[8192];
  .reg .b32 %thread, %lane, %warp, %threads, %index, %r<16>;
  .reg .b64 %address, %d<8>; .reg .pred %p<8>;
  mov.u32 %thread, %tid.x;
  mov.u32 %threads, %ntid.x;
  and.b32 %lane, %thread, 31;
  shr.u32 %warp, %thread, 5;
  mov.u32 %index, %ctaid.x;
  mad.lo.u32 %index, %index, %threads, %thread;
  {lines}
  ret;
}}
"""


def guarded(values: np.ndarray) -> np.ndarray:
    """An array with guards around its values."""
    guard = np.full(GUARD, FRESH, values.dtype)
    return np.concatenate([guard, values, guard])


def run(
    driver: ptx_instructions.Driver,
    body: str,
    inputs: Sequence[np.ndarray],
    results: int,
    threads: int = 32,
    blocks: int = 1,
    chip: int = 80,
) -> list[np.ndarray]:
    """What each thread of a kernel stores; nothing else may change."""
    if chip > driver.capability:
        pytest.skip(f"needs sm_{chip}")
    inputs = [np.ascontiguousarray(values).ravel() for values in inputs]
    assert all(len(values) == threads * blocks for values in inputs)
    kinds = [f"b{8 * values.itemsize}" for values in inputs]
    fresh = np.full(threads * blocks, FRESH, np.uint32)
    arrays = [guarded(values) for values in inputs]
    arrays += [guarded(fresh) for _ in range(results)]
    text = text_of(body, kinds, results, chip)
    driver.run(text, arrays, threads, blocks)
    for array, values in zip(arrays, inputs):
        assert (array == guarded(values)).all(), "an input has changed"
    found = [array[GUARD:-GUARD] for array in arrays[len(inputs) :]]
    for array, values in zip(arrays[len(inputs) :], found):
        assert (array == guarded(values)).all(), "a guard has changed"
    return found


# --- Ways to come to an instruction ---------------------------------------

WAYS = ["together", "groups", "branches", "two places", "exits"]


def bit_mask(lanes: Sequence[int]) -> int:
    return sum(1 << int(lane) for lane in lanes)


def wrap(code: str, way: str) -> str:
    """The body of a kernel whose lanes come to `code` in some way.

    Input 0 is a lane's group, input 1 its member mask.
    """
    if way in ("together", "groups"):
        return code
    if way == "exits":
        return f"setp.eq.u32 %p7, %i0, 0;\n@%p7 bra GO;\nret;\nGO:\n{code}"
    places = 2 if way == "two places" else 4
    lines = []
    for place in range(1, places):
        lines += [
            f"setp.eq.u32 %p7, %i0, {place};",
            f"@%p7 bra PLACE{place};",
        ]
    for place in range(places):
        lines += [f"PLACE{place}:", code, "bra END;"]
    return "\n".join([*lines, "END:"])


def gather(
    random: np.random.Generator, way: str, warps: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups, member masks and the masks of lanes that really take part."""
    groups = np.zeros((warps, 32), np.uint32)
    masks = np.full((warps, 32), ALL, np.uint32)
    members = masks.copy()
    for warp in range(warps):
        if way in ("groups", "branches"):
            weights = random.dirichlet([0.7] * 4)
            groups[warp] = random.choice(4, 32, p=weights)
        elif way == "two places":
            groups[warp] = random.random(32) < random.random()
        elif way == "exits":
            groups[warp] = random.random(32) < random.random()
            groups[warp, random.integers(32)] = 0
        if way in ("groups", "branches", "exits"):
            for group in range(4):
                lanes = np.flatnonzero(groups[warp] == group)
                members[warp, lanes] = bit_mask(lanes)
        if way in ("groups", "branches"):
            masks[warp] = members[warp]
        if way == "exits":
            members[warp, groups[warp] == 1] = 0
    return groups, masks, members


Formula = Callable[[int, int, Sequence[np.ndarray]], Sequence[int | None]]


def check(
    driver: ptx_instructions.Driver,
    way: str,
    code: str,
    inputs: Sequence[np.ndarray],
    results: int,
    formula: Formula,
    seed: int,
    threads: int = 64,
) -> None:
    """Compares what each lane gets from `code` with a formula.

    `inputs` are %i2, %i3, ... of all lanes of some warps. The formula is given
    the mask of the lanes that take part, a lane and the inputs of its warp; it
    returns the lane's results, `None` where they are undefined.
    """
    random = np.random.default_rng(seed)
    warps = len(inputs[0])
    groups, masks, members = gather(random, way, warps)
    found = run(
        *(driver, wrap(code, way), [groups, masks, *inputs], results),
        *(threads, warps * 32 // threads),
    )
    stored = [values.reshape(warps, 32) for values in found]
    wrong = []
    for warp in range(warps):
        own = [values[warp] for values in inputs]
        for lane in range(32):
            got = [int(values[warp, lane]) for values in stored]
            mask = int(members[warp, lane])
            wanted: Sequence[int | None] = [FRESH] * results
            if mask:
                wanted = formula(mask, lane, own)
            if any(
                right is not None and value != right
                for value, right in zip(got, wanted)
            ):
                wrong.append((warp, lane, hex(mask), got, wanted))
    assert not wrong, f"{len(wrong)} lanes, first {wrong[0]}"


def lanes_of(mask: int) -> list[int]:
    return [lane for lane in range(32) if mask >> lane & 1]


def words(
    random: np.random.Generator, *shape: int, below: int = 2**32
) -> np.ndarray:
    return random.integers(0, below, shape, np.uint64).astype(np.uint32)
