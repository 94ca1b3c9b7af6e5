# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reader of machine code that `scripts/dev bench ptx` counts with."""

from itertools import count
from typing import Any

import pytest

_sass = pytest.importorskip("_sass", reason="a bundle has no benchmarks")


def function(text: str) -> Any:
    """A function of lines that are labels or instructions."""
    places = count(0, 16)
    lines = [
        line
        if line.endswith(":")
        else f"        /*{next(places):04x}*/    {line} ;"
        for line in map(str.strip, text.strip().splitlines())
    ]
    head = '\t.section\t.text.k,"ax",@progbits\n.text.k:\n'
    return _sass.parse(head + "\n".join(lines))["k"]


COUNTED = """
  S2R R0, SR_TID.X
.L_x_1:
  LDG.E R4, desc[UR4][R2.64]
  FFMA R5, R4, R4, R5
  ISETP.NE.AND P0, PT, R0, RZ, PT
  @P0 BRA `(.L_x_1)
  STG.E desc[UR4][R2.64], R5
  EXIT
"""


def test_sections() -> None:
    """Two functions, and no data."""
    text = """\
\t.section\t.text.first,"ax",@progbits
        .type           first,@function
first:
.text.first:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
        /*0010*/               @P0 EXIT ;
\t.section\t.nv.constant0.first,"a",@progbits
.nv.constant0.first:
        /*0000*/ \t.byte\t0x00, 0x00
\t.section\t.text.second,"ax",@progbits
        /*0000*/              @!UP1 UMOV UR4, 0x1 ;
"""
    functions = _sass.parse(text)
    assert [*functions] == ["first", "second"]
    opcodes = [one.opcode for one in functions["first"].instructions]
    assert opcodes == ["MOV", "EXIT"]
    assert functions["first"].labels == {"first": 0, ".text.first": 0}
    (moved,) = functions["second"].instructions
    assert moved == _sass.Instruction("UMOV", None, True)


def test_padding_does_not_count() -> None:
    """Neither do NOPs at the end nor the jump to itself before them."""
    assert len(function("NOP\nEXIT\n.L_x_0:\nBRA `(.L_x_0)\nNOP\nNOP")) == 2


def test_endless_loop_counts() -> None:
    """Only a jump to itself is padding."""
    code = function(".L_x_0:\nYIELD\nBRA `(.L_x_0)\nNOP")
    assert len(code) == 2
    assert _sass.loops(code) == [{0, 1}]


def test_opcodes_are_whole() -> None:
    instruction = _sass.Instruction("MUFU.RSQ")
    assert instruction.is_any_of(["MUFU"])
    assert instruction.is_any_of(["FFMA", "MUFU.RSQ"])
    assert not instruction.is_any_of(["MUF", "MUFU.RSQ64H", "RSQ"])


def test_loop() -> None:
    code = function(COUNTED)
    assert _sass.loops(code) == [{1, 2, 3, 4}]
    assert _sass.hot_loop(code, ["FFMA"]) == _sass.HotLoop(4, 1)
    assert _sass.outside_loops(code) == 3


def test_loop_without_the_key() -> None:
    assert _sass.hot_loop(function(COUNTED), ["MUFU.RSQ"]) is None


def test_straight_code_has_no_loop() -> None:
    """A jump forward is none, whatever label it goes to."""
    code = function("@P0 BRA `(.L_x_9)\nFADD R0, R0, R0\n.L_x_9:\nEXIT")
    assert _sass.loops(code) == []
    assert _sass.hot_loop(code, ["FADD"]) is None
    assert _sass.outside_loops(code) == 3


def test_innermost_loop_is_hot() -> None:
    """What encloses it is not, though that has more key operations."""
    code = function("""
      MOV R0, RZ
    .L_outer:
      FFMA R0, R0, R0, R0
    .L_inner:
      FFMA R0, R0, R0, R0
      @P0 BRA `(.L_inner)
      @P1 BRA `(.L_outer)
      EXIT
    """)
    assert {*_sass.loops(code)} == {frozenset({2, 3}), frozenset({1, 2, 3, 4})}
    assert _sass.hot_loop(code, ["FFMA"]) == _sass.HotLoop(2, 1)
    assert _sass.outside_loops(code) == 2


def test_unrolled_loop_is_hot() -> None:
    """The remainder of the iterations has a loop with fewer key operations."""
    code = function("""
    .L_four:
      FFMA R0, R0, R0, R0
      FFMA R0, R0, R0, R0
      FFMA.FTZ R0, R0, R0, R0
      FFMA R0, R0, R0, R0
      IADD3 R1, R1, 0x4, RZ
      @P0 BRA `(.L_four)
    .L_one:
      FFMA R0, R0, R0, R0
      @P1 BRA `(.L_one)
      EXIT
    """)
    hot = _sass.hot_loop(code, ["FFMA"])
    assert hot == _sass.HotLoop(6, 4)
    assert hot.per_key == 1.5


def test_block_that_was_moved_to_the_end() -> None:
    """It is part of the loop that it jumps back into; what stands between is
    not, and its jump backward makes no loop of its own.
    """
    code = function("""
    .L_loop:
      FFMA R0, R0, R0, R0
      @P2 BRA `(.L_rare)
    .L_back:
      @P0 BRA `(.L_loop)
      STG.E desc[UR4][R2.64], R0
      EXIT
    .L_rare:
      FADD R0, R0, R0
      BRA `(.L_back)
    """)
    assert _sass.loops(code) == [{0, 1, 2, 5, 6}]
    assert _sass.outside_loops(code) == 2


def test_subroutine_is_outside_of_the_loop_that_calls_it() -> None:
    code = function("""
    .L_loop:
      MUFU.RCP R0, R0
      @P1 BRA `(.L_fast)
      CALL.REL.NOINC `($slow)
    .L_fast:
      @P0 BRA `(.L_loop)
      EXIT
    $slow:
      FADD R0, R0, R0
      RET.REL.NODEC R2 `(k)
    """)
    assert _sass.loops(code) == [{0, 1, 2, 3}]
    assert _sass.outside_loops(code) == 3


@pytest.mark.parametrize(
    "jump",
    [
        "@!P0 BRA P1, `(.L_loop)",
        "BRA.U UP0, `(.L_loop)",
        "BRA.DIV UR4, `(.L_loop)",
    ],
)
def test_jumps_with_conditions_among_their_operands(jump: str) -> None:
    """What follows is reached, so a loop around it is found."""
    code = function(f".L_outer:\n.L_loop:\nFADD R0, R0, R0\n{jump}\nNOP\nEXIT")
    assert code.successors(1) == [2, 0]


def test_jump_without_condition() -> None:
    code = function("BRA `(.L_end)\nFADD R0, R0, R0\n.L_end:\nEXIT")
    assert code.successors(0) == [2]
    assert code.successors(2) == []


def test_exit_with_a_guard_goes_on() -> None:
    code = function("@!P0 EXIT\nEXIT")
    assert code.successors(0) == [1]
