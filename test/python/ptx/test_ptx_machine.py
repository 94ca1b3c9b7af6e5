# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX machine: what it schedules, what kernels may not do, and what it says
then.

What instructions compute is in test_instructions.py, which texts it refuses in
test_ptx_machine_texts.py.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support.ptx_texts import FACTORIAL, Machine, kernel, run
from support.stand_in_driver import LIBRARY

# --- Memory -----------------------------------------------------------------

SHARED = "  .shared .align 4 .b32 one[4]; .shared .align 4 .b32 two[4];\n"


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (
            "  mul.wide.u32 %d1, %r0, 8;\n  add.u64 %d0, %d0, %d1;\n"
            "  st.global.b64 [%d0], %d1;",
            700,
            "no memory of 8 bytes to write at global address 0x",
        ),
        (
            "  ld.global.b64 %d1, [%d0+4];",
            716,
            " is no multiple of 8 bytes",
        ),
        (
            "  ld.global.v2.b64 {%d1, %d2}, [%d0+8];",
            716,
            " is no multiple of 16 bytes",
        ),
        ("  mov.b64 %d1, 8;\n  ld.b64 %d1, [%d1];", 700, "address 0x8"),
        (
            f"{SHARED}  mov.u32 %r1, one;\n  ld.shared.b32 %r2, [%r1+16];",
            700,
            "no memory of 4 bytes to read at shared address 0x",
        ),
        (
            "  .local .align 8 .b8 own[16];\n  mov.u64 %d1, own;\n"
            "  ld.local.b32 %r2, [%d1+600000];",
            700,
            "no memory of 4 bytes to read at local address 0x",
        ),
        (
            "  mov.u64 %d1, given;\n  st.global.b32 [%d1], %r0;",
            700,
            "no memory of 4 bytes to write at global address 0x",
        ),
        (
            f"{SHARED}  mov.u64 %d1, one;\n  add.u64 %d1, %d1, 0x100000000;\n"
            "  st.shared.b32 [%d1], %r0;",
            700,
            "no memory of 4 bytes to write at shared address 0x1",
        ),
        ("  add.u32 %r1, %r0;", 715, "expects more operands"),
        ("  add.u32 5, %r0, %r0;", 715, "expects a register to write"),
        ("  trap;", 719, "trap"),
    ],
)
def test_wrong_accesses_say_where(
    machine: Machine,
    capfd: pytest.CaptureFixture[str],
    body: str,
    status: int,
    message: str,
) -> None:
    text = kernel(body, ".const .align 4 .b32 given = 3;\n")
    with pytest.raises(RuntimeError, match=f"cuCtxSynchronize.* {status}"):
        run(machine(), text)
    said = capfd.readouterr().err
    line = text.splitlines().index(body.splitlines()[-1]) + 1
    assert message in said
    assert f"in run, line {line}: " in said
    assert "kernel run, block (0, 0, 0), thread (" in said


def test_the_first_thread_that_errs_is_named(
    machine: Machine, capfd: pytest.CaptureFixture[str]
) -> None:
    body = """
  setp.lt.u32 %p0, %r0, 5;
  @%p0 bra fine;
  mov.b64 %d0, 64;
fine:
  st.global.b64 [%d0], %d0;"""
    with pytest.raises(RuntimeError, match="700"):
        run(machine(), kernel(body))
    assert "thread (5, 0, 0)" in capfd.readouterr().err


def test_what_nobody_wrote_is_garbage(machine: Machine) -> None:
    bodies = [
        "  st.global.b64 [%d0], %d5;",
        "  .local .align 8 .b8 own[8];\n  mov.u64 %d1, own;\n"
        "  ld.local.b64 %d2, [%d1];\n  st.global.b64 [%d0], %d2;",
        "  .shared .align 8 .b8 all[8];\n  ld.shared.b64 %d2, [all];\n"
        "  st.global.b64 [%d0], %d2;",
    ]
    for body in bodies:
        assert not {0, -1} & {*run(machine(), kernel(body))}


def test_host_memory_is_reached_if_asked_for(machine: Machine) -> None:
    out = np.zeros(32, np.int64)
    text = kernel(
        f"  mov.u64 %d1, {out.ctypes.data};\n  cvt.u64.u32 %d2, %r0;\n"
        "  mad.wide.u32 %d1, %r0, 8, %d1;\n  st.global.b64 [%d1], %d2;"
    )
    run(machine(**{"reach-host": 1}), text)
    assert out.tolist() == [*range(32)]
    with pytest.raises(RuntimeError, match="700"):
        run(machine(), text)


# --- Threads of a warp ------------------------------------------------------

SEEDS = range(1, 51)


def test_branches_part_and_meet_again(machine: Machine) -> None:
    body = """
  and.b32 %r1, %r0, 3;
  setp.eq.u32 %p0, %r1, 0;
  @%p0 bra zero;
  setp.eq.u32 %p1, %r1, 1;
  @%p1 bra one;
  activemask.b32 %r2;
  bra end;
zero:
  activemask.b32 %r2;
  bra end;
one:
  activemask.b32 %r2;
end:
  activemask.b32 %r3;
  mov.b64 %d1, {%r2, %r3};
  st.global.b64 [%d0], %d1;"""
    masks = [0x11111111, 0x22222222, 0xCCCCCCCC, 0xCCCCCCCC]
    expected = [masks[i % 4] for i in range(32)]
    found = run(machine(), kernel(body))
    assert [number & 0xFFFFFFFF for number in found] == expected
    assert {number >> 32 & 0xFFFFFFFF for number in found} == {0xFFFFFFFF}


#: Each lane takes a lock, adds one, and gives the lock back. Those that wait
#: are at a lower place than the one that has it.
LOCK = """
  .shared .align 4 .b32 lock; .shared .align 4 .b32 sum;
  st.shared.b32 [lock], 0;
  st.shared.b32 [sum], 0;
  bar.sync 0;
again:
  atom.shared.cas.b32 %r1, [lock], 0, 1;
  setp.ne.u32 %p0, %r1, 0;
  @%p0 bra again;
  ld.volatile.shared.b32 %r2, [sum];
  add.u32 %r2, %r2, 1;
  st.volatile.shared.b32 [sum], %r2;
  membar.cta;
  atom.shared.exch.b32 %r3, [lock], 0;
  bar.sync 0;
  ld.shared.b32 %r2, [sum];
  cvt.u64.u32 %d1, %r2;
  st.global.b64 [%d0], %d1;"""


@pytest.mark.parametrize("threads", [32, 96])
def test_lanes_that_spin_let_others_go_on(
    machine: Machine, threads: int
) -> None:
    for seed in (0, *SEEDS):
        found = run(machine(seed=seed), kernel(LOCK), threads)
        assert found == [threads] * threads, seed


def test_only_random_schedules_show_a_race(machine: Machine) -> None:
    """A thread writes what another warp reads, with and without a barrier."""
    body = """
  .shared .align 4 .b32 word;
  st.shared.b32 [word], 7;
  bar.sync 0;
  setp.eq.u32 %p0, %r0, 40;
  @%p0 st.shared.b32 [word], 9;
  {barrier}
  ld.shared.b32 %r1, [word];
  cvt.u64.u32 %d1, %r1;
  st.global.b64 [%d0], %d1;"""
    seen = set()
    for seed in SEEDS:
        text = kernel(body.replace("{barrier}", ""))
        seen.add(run(machine(seed=seed), text, 64)[0])
        text = kernel(body.replace("{barrier}", "bar.sync 0;"))
        assert run(machine(seed=seed), text, 64) == [9] * 64
    assert seen == {7, 9}
    # A seed is one schedule.
    text = kernel(body.replace("{barrier}", ""))
    for seed in (3, 4):
        one = run(machine(seed=seed), text, 64)
        assert run(machine(seed=seed), text, 64) == one


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "  setp.lt.u32 %p0, %r0, 16;\n  @%p0 bra low;\n"
            "  bar.sync 0;\n  bra end;\nlow:\n"
            "  shfl.sync.idx.b32 %r1, %r0, 0, 31, 0xffffffff;\nend:",
            ["lanes 0xffff wait at shfl", "lanes 0xffff0000 wait at bar.sync"],
        ),
        ("  bar.sync 0, 64;", ["lanes 0xffffffff wait at bar.sync"]),
    ],
)
def test_deadlocks_say_who_waits(
    machine: Machine,
    capfd: pytest.CaptureFixture[str],
    body: str,
    said: list[str],
) -> None:
    with pytest.raises(RuntimeError, match="702"):
        run(machine(), kernel(body))
    message = capfd.readouterr().err
    assert "deadlock: no thread can go on" in message
    assert all(part in message for part in said), message


def test_loops_without_end_are_ended(
    machine: Machine, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RuntimeError, match="702"):
        run(machine(limit=100000), kernel("again:\n  bra again;"))
    message = capfd.readouterr().err
    assert "no end after 1" in message
    assert "lanes 0xffffffff are at bra" in message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("  bar.sync 16;", "a barrier is numbered 0 to 15"),
        ("  bar.sync 1, 33;", "for whole warps"),
        ("  bar.arrive 1, 64;\n  bar.sync 1, 64;", "arrives twice"),
        (
            "  setp.lt.u32 %p0, %r0, 16;\n  @%p0 bra low;\n"
            "  bar.sync 0;\n  bra end;\nlow:\n  barrier.sync 0;\nend:",
            "at two barriers, one of which is aligned: this one, and that of",
        ),
        (
            "  bar.warp.sync 1;",
            "lane 1 is not in the mask of bar.warp.sync",
        ),
    ],
)
def test_wrong_barriers_are_errors(
    machine: Machine,
    capfd: pytest.CaptureFixture[str],
    body: str,
    message: str,
) -> None:
    with pytest.raises(RuntimeError, match="715"):
        run(machine(), kernel(body))
    assert message in capfd.readouterr().err


#: The first thread of each block waits for those of all others.
GRID = """
  setp.ne.u32 %p0, %r0, 0;
  @%p0 ret;
  mov.u32 %r1, %nctaid.x;
  atom.global.add.u32 %r2, [%d0], 1;
again:
  ld.volatile.global.u32 %r3, [%d0];
  setp.lt.u32 %p1, %r3, %r1;
  @%p1 bra again;"""


def test_blocks_of_a_cooperative_grid_are_all_there(machine: Machine) -> None:
    out = np.zeros(32, np.int64)
    machine().run(kernel(GRID), [out], 32, 200, is_cooperative=True)
    assert out.tolist() == [200] + [0] * 31
    # Otherwise some begin when others have ended.
    with pytest.raises(RuntimeError, match="702"):
        machine(limit=1000000).run(kernel(GRID), [out * 0], 32, 200)


# --- Functions --------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_lanes_recurse_to_different_depths(machine: Machine, seed: int) -> None:
    body = """
  .param .b64 sent; .param .b64 got;
  and.b32 %r1, %r0, 15;
  cvt.u64.u32 %d1, %r1;
  st.param.b64 [sent], %d1;
  call (got), factorial, (sent);
  ld.param.b64 %d2, [got];
  st.global.b64 [%d0], %d2;"""
    expected = [
        int(np.prod(range(1, i % 16 + 1), dtype=np.int64)) for i in range(32)
    ]
    found = run(machine(seed=seed), kernel(body, FACTORIAL))
    assert found == expected


def test_calls_of_functions_in_registers(machine: Machine) -> None:
    body = """
  .param .b64 sent; .param .b64 got;
  and.b32 %r1, %r0, 1;
  setp.eq.u32 %p0, %r1, 0;
  mov.u64 %d1, factorial;
  @%p0 mov.u64 %d1, twice;
  st.param.b64 [sent], 5;
  call (got), %d1, (sent), shape;
  shape: .callprototype (.param .b64 _) _ (.param .b64 _);
  ld.param.b64 %d2, [got];
  st.global.b64 [%d0], %d2;"""
    assert run(machine(), kernel(body, FACTORIAL)) == [10, 120] * 16
    nothing = body.replace("mov.u64 %d1, twice", "mov.u64 %d1, 12")
    with pytest.raises(RuntimeError, match="700"):
        run(machine(), kernel(nothing, FACTORIAL))


def test_calls_pass_what_functions_declare(machine: Machine) -> None:
    body = """
  .param .b32 sent; .param .b64 got;
  call (got), twice, (sent);"""
    with pytest.raises(RuntimeError, match="715"):
        run(machine(), kernel(body, FACTORIAL))


def test_recursion_without_end_is_ended(
    machine: Machine, capfd: pytest.CaptureFixture[str]
) -> None:
    before = ".func down() {\n  .reg .b32 %r<9>;\n  call down;\n  ret;\n}\n"
    with pytest.raises(RuntimeError, match="700"):
        run(machine(), kernel("  call down;", before))
    assert "stack overflow\n  in down, line 6: call" in capfd.readouterr().err


def test_launches_of_other_shapes_are_refused(machine: Machine) -> None:
    text = kernel("").replace("{\n", ".reqntid 64, 1, 1 {\n", 1)
    with pytest.raises(RuntimeError, match="cuLaunchKernel returns 1"):
        run(machine(), text)


TEXT = (
    ".global .align 1 .b8 text[32] = {%s};\n"
    ".extern .func (.param .b32 count) vprintf"
    "(.param .b64 format, .param .b64 values);\n"
)


def test_vprintf_takes_what_lies_behind_its_format(
    machine: Machine, capfd: pytest.CaptureFixture[str]
) -> None:
    written = b"%d|%5.2f|%lld|%c|%%|%x\n\0"
    body = """
  .local .align 8 .b8 values[40];
  .param .b64 format; .param .b64 given; .param .b32 count;
  setp.ne.u32 %p0, %r0, 3;
  @%p0 ret;
  mov.u64 %d1, values;
  cvta.local.u64 %d2, %d1;
  st.b32 [%d2], -7;
  st.b64 [%d2+8], 0d400921FB54442D18;
  st.b64 [%d2+16], -5000000000;
  st.b32 [%d2+24], 65;
  st.b32 [%d2+28], 255;
  mov.u64 %d3, text;
  cvta.global.u64 %d4, %d3;
  st.param.b64 [format], %d4;
  st.param.b64 [given], %d2;
  call (count), vprintf, (format, given);
  ld.param.b32 %r2, [count];
  cvt.u64.u32 %d5, %r2;
  st.global.b64 [%d0], %d5;"""
    before = TEXT % ", ".join(map(str, written))
    assert run(machine(), kernel(body, before))[3] == 5
    assert capfd.readouterr().out == "-7| 3.14|-5000000000|A|%|ff\n"


def test_memory_of_malloc_is_checked(machine: Machine) -> None:
    declared = (
        ".extern .func (.param .b64 address) malloc(.param .b64 bytes);\n"
        ".extern .func free(.param .b64 address);\n"
    )
    body = """
  .param .b64 bytes; .param .b64 address;
  st.param.b64 [bytes], 16;
  call (address), malloc, (bytes);
  ld.param.b64 %d1, [address];
  cvt.u64.u32 %d2, %r0;
  st.b64 [%d1+8], %d2;
  ld.b64 %d3, [%d1+8];
  st.global.b64 [%d0], %d3;
  st.param.b64 [bytes], %d1;
  call free, (bytes);
  {again}"""
    found = run(machine(), kernel(body.replace("{again}", ""), declared))
    assert found == [*range(32)]
    for wrong in ("call free, (bytes);", "ld.b64 %d3, [%d1];"):
        with pytest.raises(RuntimeError, match="700"):
            run(machine(), kernel(body.replace("{again}", wrong), declared))


def test_failed_assertions_say_what_failed(
    machine: Machine, capfd: pytest.CaptureFixture[str]
) -> None:
    word = ", ".join(map(str, b"x > 0\0"))
    declared = (
        f".global .align 1 .b8 text[8] = {{{word}}};\n"
        ".extern .func __assertfail(.param .b64 a, .param .b64 b, "
        ".param .b32 c, .param .b64 d, .param .b64 e);\n"
    )
    body = """
  .param .b64 a; .param .b32 c;
  mov.u64 %d1, text;
  st.param.b64 [a], %d1;
  st.param.b32 [c], 12;
  call __assertfail, (a, a, c, a, a);"""
    with pytest.raises(RuntimeError, match="710"):
        run(machine(), kernel(body, declared))
    assert "x > 0:12: x > 0: Assertion `x > 0' failed." in (
        capfd.readouterr().err
    )


def test_variables_hold_addresses(machine: Machine) -> None:
    before = (
        ".global .align 8 .b64 numbers[3] = {5, 6, 7};\n"
        ".global .align 8 .b64 place[2] = {numbers+8, generic(numbers)+16};\n"
    )
    body = """
  ld.global.b64 %d1, [place];
  ld.global.b64 %d2, [%d1];
  ld.global.b64 %d3, [place+8];
  ld.b64 %d4, [%d3];
  mad.lo.u64 %d5, %d4, 10, %d2;
  st.global.b64 [%d0], %d5;"""
    assert run(machine(), kernel(body, before)) == [76] * 32


def test_launches_do_nothing_if_asked_for(machine: Machine) -> None:
    text = kernel("  st.global.b64 [%d0], 4;")
    assert run(machine(execute=0), text) == [-1] * 32
    assert run(machine(), text) == [4] * 32


# --- Records ----------------------------------------------------------------


def test_what_ran_is_recorded(tmp_path: Path) -> None:
    file = tmp_path / "record"
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import numpy as np\n"
        "from support.ptx_instructions import Driver\n"
        "driver = Driver(sys.argv[2])\n"
        "driver.run(sys.argv[3], [np.zeros(64, np.int64)], 64)\n"
    )
    subprocess.run(
        [
            *(sys.executable, "-c", program, str(Path(__file__).parents[1])),
            *(str(LIBRARY), kernel("  st.global.b64 [%d0], 4;")),
        ],
        env={**os.environ, "PYK_STANDIN": f"record={file}"},
        check=True,
    )
    lines = file.read_text().splitlines()
    # Two warps, each of which does five steps.
    assert lines[:3] == ["launches 1", "steps 10", "lane-steps 320"]
    assert "instruction mad.wide.u32" in lines[3:]
