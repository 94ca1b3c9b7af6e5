# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads SASS, the machine code of NVIDIA's GPUs, as `nvdisasm -c` prints it.

Loops are natural loops: a jump to a block that dominates it, and all that leads
from there to the jump. A jump backward alone tells nothing, since ptxas moves
blocks that are seldom run to the end, from where they jump back into loops.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_SECTION = re.compile(r"\s*\.section\s+([^\s,]+)")
_LABEL = re.compile(r"([.$\w]+):\s*$")
_INSTRUCTION = re.compile(
    r"\s*/\*[0-9a-f]+\*/\s+"
    r"(?P<guard>@!?U?P\w+)?\s*(?P<opcode>[A-Z][\w.]*)"
    r"(?P<operands>[^;]*);"
)
_TARGET = re.compile(r"`\(([^)]+)\)")

#: What jumps, and never to where it is called from.
_JUMPS = ("BRA", "JMP")
#: What does not go on with the next instruction, unless it has a guard.
_ENDS = ("EXIT", "RET", "BRX", "JMX", "KILL")


@dataclass(frozen=True)
class Instruction:
    """One instruction; `target` is the label that it jumps to or calls."""

    opcode: str
    target: str | None = None
    is_conditional: bool = False

    def is_any_of(self, opcodes: Iterable[str]) -> bool:
        """Whether its opcode is one of these or begins with one and a dot."""
        return any(f"{self.opcode}.".startswith(f"{key}.") for key in opcodes)


@dataclass(frozen=True)
class Function:
    """A kernel with the subroutines that ptxas has put behind it."""

    instructions: list[Instruction]
    # The index of the instruction that a label stands before.
    labels: dict[str, int]

    def __len__(self) -> int:
        return len(self.instructions)

    def successors(self, index: int) -> list[int]:
        """What may follow an instruction; of a call both ways."""
        instruction = self.instructions[index]
        jumps = instruction.is_any_of(_JUMPS)
        following = []
        if instruction.is_conditional or not (
            jumps or instruction.is_any_of(_ENDS)
        ):
            following.append(index + 1)
        if jumps or instruction.is_any_of(["CALL"]):
            following.append(self.labels.get(instruction.target or "", -1))
        return [place for place in following if 0 <= place < len(self)]


@dataclass(frozen=True)
class HotLoop:
    """The innermost loop that has most key operations."""

    instructions: int
    keys: int

    @property
    def per_key(self) -> float:
        return self.instructions / self.keys


def parse(text: str) -> dict[str, Function]:
    """The functions of a disassembly by name, without what fills them up.

    At the end of a function stand a jump to itself and NOPs, which nothing
    runs.
    """
    functions: dict[str, Function] = {}
    function: Function | None = None
    for line in text.splitlines():
        if section := _SECTION.match(line):
            kind, _, name = section[1].removeprefix(".").partition(".")
            function = None
            if kind == "text":
                function = functions[name] = Function([], {})
        elif function is None:
            continue
        elif label := _LABEL.match(line):
            function.labels[label[1]] = len(function)
        elif found := _INSTRUCTION.match(line):
            function.instructions.append(_instruction(found))
    for function in functions.values():
        _trim(function)
    return functions


def _instruction(found: re.Match[str]) -> Instruction:
    operands = found["operands"].strip()
    target = _TARGET.search(operands)
    # A branch may also have its condition among its operands, as in
    # `BRA.U UP0, ...` and `BRA.DIV UR4, ...`.
    others = _TARGET.sub("", operands).strip(", ")
    jumps = found["opcode"].partition(".")[0] in _JUMPS
    return Instruction(
        found["opcode"],
        target[1] if target else None,
        found["guard"] is not None or (jumps and others != ""),
    )


def _trim(function: Function) -> None:
    instructions = function.instructions
    while instructions and instructions[-1].opcode == "NOP":
        instructions.pop()
    if instructions:
        last = instructions[-1]
        place = function.labels.get(last.target or "")
        if last.opcode == "BRA" and place == len(instructions) - 1:
            instructions.pop()


def loops(function: Function) -> list[frozenset[int]]:
    """The natural loops, as indices of instructions; one for each header."""
    order = _reverse_postorder(function)
    predecessors: dict[int, list[int]] = {index: [] for index in order}
    for index in order:
        for successor in function.successors(index):
            predecessors[successor].append(index)
    dominators = _immediate_dominators(order, predecessors)

    bodies: dict[int, set[int]] = {}
    for latch in order:
        for header in function.successors(latch):
            if not _dominates(header, latch, dominators):
                continue
            body = bodies.setdefault(header, {header})
            found = [latch]
            while found:
                index = found.pop()
                if index not in body:
                    body.add(index)
                    found += predecessors[index]
    return [frozenset(body) for body in bodies.values()]


def _reverse_postorder(function: Function) -> list[int]:
    """What can be reached from the entry, each after what leads to it."""
    order: list[int] = []
    seen = {0}
    # An instruction and those after it that are still to be visited.
    open_ones = [(0, function.successors(0))] if len(function) else []
    while open_ones:
        index, following = open_ones[-1]
        if following:
            successor = following.pop()
            if successor not in seen:
                seen.add(successor)
                open_ones.append((successor, function.successors(successor)))
        else:
            order.append(index)
            open_ones.pop()
    return order[::-1]


def _immediate_dominators(
    order: list[int], predecessors: dict[int, list[int]]
) -> dict[int, int]:
    """As in "A Simple, Fast Dominance Algorithm" (Cooper, Harvey, Kennedy)."""
    place = {index: number for number, index in enumerate(order)}
    dominators = {order[0]: order[0]} if order else {}

    def common(first: int, second: int) -> int:
        while first != second:
            if place[first] > place[second]:
                first = dominators[first]
            else:
                second = dominators[second]
        return first

    changed = True
    while changed:
        changed = False
        for index in order[1:]:
            known = [one for one in predecessors[index] if one in dominators]
            nearest = known[0]
            for one in known[1:]:
                nearest = common(nearest, one)
            if dominators.get(index) != nearest:
                dominators[index] = nearest
                changed = True
    return dominators


def _dominates(first: int, second: int, dominators: dict[int, int]) -> bool:
    while second != first and dominators[second] != second:
        second = dominators[second]
    return first == second


def hot_loop(function: Function, keys: Iterable[str]) -> HotLoop | None:
    """The innermost loop with most of these operations, if any has one."""
    keys = list(keys)
    found = loops(function)
    hottest: HotLoop | None = None
    for body in found:
        if any(other < body for other in found):
            continue
        count = sum(
            function.instructions[index].is_any_of(keys) for index in body
        )
        if count and (hottest is None or count > hottest.keys):
            hottest = HotLoop(len(body), count)
    return hottest


def outside_loops(function: Function) -> int:
    """How many instructions are in no loop."""
    return len(function) - len(frozenset().union(*loops(function)))
