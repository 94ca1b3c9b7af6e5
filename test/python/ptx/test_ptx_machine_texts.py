# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of PTX that the PTX machine reads or refuses, and what it says then."""

import re

import numpy as np
import pytest

from support import assembly
from support.ptx_texts import FACTORIAL, HEAD, START, Machine, kernel, run


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("  add.f8 %r1, %r0, %r0;", "does not know 'add.f8'"),
        ("  mma.sync.x %r1, %r0, %r0;", "does not know 'mma.sync.x'"),
        ("  add.s32.rn %r1, %r0, %r0;", "does not know 'add.s32.rn'"),
        ("  mov.u32 %r1, %nobody;", "does not know '%nobody'"),
        ("  bra there;", "no label 'there'"),
        ("  call missing;", "Undefined reference to 'missing'"),
        ("  mov.u64 %d1, missing;", "Undefined reference to 'missing'"),
        ("  add.s32 %r1, %r0 %r0;", "Parsing error near '%r0'"),
        ("  stray;", "Parsing error near 'stray'"),
    ],
)
def test_what_is_not_known_is_named(
    machine: Machine, body: str, message: str
) -> None:
    with pytest.raises(RuntimeError, match=r"\A[^\n]*cuModuleLoadDataEx") as c:
        run(machine(), kernel(body))
    line = HEAD.count("\n") + START.count("\n") + 1
    assert message in str(c.value)
    assert f"line {line};" in str(c.value)


TWO_CONSTANTS = ".const .b8 a[40000];\n.const .b8 b[%d];\n"
TWO_SHARED = ".shared .b8 a[40000];\n.shared .b8 b[%d];\n"
ALIGNED = ".shared .b8 c[1];\n.shared .align 16 .b8 a[16];\n"
USE_BOTH = "  st.shared.b8 [a], %h0;\n  st.shared.b8 [b], %h0;\n"
CALLEE = f".func f() {{ .reg .b16 %h<1>;\n{USE_BOTH}  ret; }}\n"
TOO_MUCH_SHARED = (
    "Entry function 'run' uses too much shared data (0xc001 bytes, 0xc000 max)"
)
#: What goes before a kernel and into it, and what is said if `b` has one byte
#: more.
SIZES = {
    "constants": (
        TWO_CONSTANTS % 25536,
        "",
        "File uses too much global constant data (0x10001 bytes, 0x10000 max)",
    ),
    "shared": (TWO_SHARED % 9152, USE_BOTH, TOO_MUCH_SHARED),
    "aligned": (
        f"{ALIGNED}.shared .b8 b[49120];\n",
        f"{USE_BOTH}  st.shared.b8 [c], %h0;\n",
        TOO_MUCH_SHARED,
    ),
    "of a callee": (
        TWO_SHARED % 9152 + CALLEE,
        "  st.shared.b8 [a], %h0;\n  call f;\n",
        TOO_MUCH_SHARED,
    ),
    "of a callee in a register": (
        TWO_SHARED % 9152 + CALLEE,
        "  st.shared.b8 [a], %h0;\n  mov.u64 %d1, f;\n"
        "P: .callprototype _ ();\n  call %d1, P;\n",
        TOO_MUCH_SHARED,
    ),
}


@pytest.mark.parametrize("which", SIZES)
def test_memory_of_a_module_has_a_limit(machine: Machine, which: str) -> None:
    before, body, message = SIZES[which]
    larger = re.sub(
        r"b\[(\d+)\]", lambda size: f"b[{int(size[1]) + 1}]", before, count=1
    )
    run(machine(), kernel(body, before))
    with pytest.raises(RuntimeError, match=re.escape(message)):
        run(machine(), kernel(body, larger))
    # ptxas refuses the same text with the same message.
    if ptxas := assembly.find_ptxas():
        chip = "sm_80"
        assert assembly.assemble(ptxas, chip, kernel(body, before)) is None
        said = assembly.assemble(ptxas, chip, kernel(body, larger))
        assert said is not None and message in said


def test_shared_memory_that_a_kernel_does_not_use_is_not_counted(
    machine: Machine,
) -> None:
    """Nor does %total_smem_size have it."""
    body = """
  st.shared.b8 [a], %h0;
  mov.u32 %r1, %total_smem_size;
  cvt.u64.u32 %d1, %r1;
  st.global.b64 [%d0], %d1;"""
    text = kernel(body, TWO_SHARED % 40000)
    assert run(machine(), text) == [40000] * 32
    if ptxas := assembly.find_ptxas():
        assert assembly.assemble(ptxas, "sm_80", text) is None


def test_labels_are_those_of_their_braces(machine: Machine) -> None:
    block = """
  {{
    bra over;
    add.u64 %d1, %d1, 7;
    over: add.u64 %d1, %d1, {};
  }}"""
    body = "  mov.b64 %d1, 0;" + block.format(10) + block.format(1000)
    assert run(machine(), kernel(f"{body}\n  st.global.b64 [%d0], %d1;")) == (
        [1010] * 32
    )
    with pytest.raises(RuntimeError, match="Duplicate definition of label 'x'"):
        run(machine(), kernel("  x: ret;\n  x: ret;"))


@pytest.mark.parametrize(
    ("written", "bits"),
    [("0b101", 5), ("0x1F", 31), ("010", 8), ("-3", 2**64 - 3), ("7U", 7)],
)
def test_numbers(machine: Machine, written: str, bits: int) -> None:
    body = f"  mov.b64 %d1, {written};\n  st.global.b64 [%d0], %d1;"
    assert run(machine(), kernel(body))[0] % 2**64 == bits


@pytest.mark.parametrize("written", ["1.5", "9junk", "0x", "--3", "0b12"])
def test_what_is_no_number_is_an_error(machine: Machine, written: str) -> None:
    with pytest.raises(RuntimeError, match="Parsing error near"):
        run(machine(), kernel(f"  mov.b64 %d1, {written};"))


def test_negative_floats(machine: Machine) -> None:
    body = "  mov.f32 %r1, -0f3F800000;\n  cvt.u64.u32 %d1, %r1;\n"
    body += "  st.global.b64 [%d0], %d1;"
    assert run(machine(), kernel(body))[0] == 0xBF800000


#: Of each kind of instruction, to be damaged.
VARIED = """
  .shared .align 8 .b64 word[4];
  .local .align 8 .b8 own[16]; .param .b64 sent; .param .b64 got;
  mov.u64 %d1, word;
  st.shared.b64 [%d1+8], %d0;
  bar.sync 0, 32;
  bfe.u32 %r1, %r0, 2, 3;
  cvt.u64.u32 %d3, %r1;
  mov.b64 {%r2, %r3}, %d3;
  shfl.sync.bfly.b32 %r4|%p1, %r1, 1, 31, -1;
  vote.sync.ballot.b32 %r5, %p1, -1;
  setp.lt.and.u32 %p2|%p3, %r4, %r5, %p1;
  @!%p2 bra end;
  atom.shared.cas.b64 %d4, [word], 0, %d3;
  st.param.b64 [sent], %d3;
  call (got), twice, (sent);
  ld.param.b64 %d5, [got];
end:
  st.global.v2.b32 [%d0], {%r2, %r3};"""


def test_damaged_texts_end_with_an_error(machine: Machine) -> None:
    words = re.findall(r"\S+|\n", kernel(VARIED, FACTORIAL))
    random = np.random.default_rng(1)
    ended = {"error": 0, "result": 0}
    for _ in range(400):
        damaged = [*words]
        for _ in range(random.integers(1, 3)):
            at, other = random.integers(0, len(words), 2)
            damaged[at % len(damaged)] = str(
                random.choice(
                    [words[other], "", "{", "}", "-1", "9e9", ",", "["]
                )
            )
        try:
            run(machine(limit=5000), " ".join(damaged))
            ended["result"] += 1
        except RuntimeError:
            ended["error"] += 1
    assert ended["error"] > 200
    assert ended["result"] > 5
