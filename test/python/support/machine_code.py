# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine code of images for x86, and what its hottest loop does.

An image (CpuImage.h) has no symbols; its code is given to `llvm-objdump` as an
object file with one symbol for each image. The loop that counts is the one
that stores the most in an iteration; of it, the blocks on ways through the
last store. What is run seldom, as the last part of an array or a lane that a
formula does not hold for, is not among them: it stores elsewhere, or stands
behind the loop.
"""

import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

#: What a call counts, in instructions, and what a division of integers does,
#: which takes a processor at least as long.
CALL, DIVISION = 50, 10

MAGIC = b"PKsImage"
#: magic, abi and architecture, features, bytes of file and memory, module;
#: then the numbers of segments, relocations and symbols, and bytes of names.
HEADER = struct.Struct("<QIIQQQQIIII")
SEGMENT = struct.Struct("<QQQQII")
RELOCATION_BYTES = 24
EXECUTE = 2


def find_objdump() -> str | None:
    """LLVM's disassembler, which comes with its development files."""
    return shutil.which("llvm-objdump-22") or shutil.which("llvm-objdump")


def code_of(artifact: bytes) -> bytes:
    """The machine code in an artifact."""
    image = artifact[artifact.index(MAGIC) :]
    header = HEADER.unpack_from(image)
    for number in range(header[7]):
        place = HEADER.size + number * SEGMENT.size
        _, _, first, size, use, _ = SEGMENT.unpack_from(image, place)
        if use & EXECUTE:
            return image[first : first + size]
    raise AssertionError("an image without code")


def object_of(codes: dict[str, bytes]) -> bytes:
    """An ELF object for x86-64 with the codes and a symbol for each."""
    text, names, symbols = b"", b"\0", bytes(24)
    for name, code in codes.items():
        text += b"\xcc" * (-len(text) % 64)
        symbols += struct.pack(
            "<IBBHQQ", len(names), 0x12, 0, 1, len(text), len(code)
        )
        names += name.encode() + b"\0"
        text += code
    section_names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    parts = [text, symbols, names, section_names]
    places, place = [], 64
    for part in parts:
        places.append(place)
        place += len(part)
    header = b"\x7fELF\2\1\1" + bytes(9)
    header += struct.pack(
        "<HHIQQQIHHHHHH", 1, 62, 1, 0, 0, place, 0, 64, 0, 0, 64, 5, 4
    )
    # Name, type, flags, link, info, alignment and size of entries.
    kinds = [
        (1, 1, 6, 0, 0, 64, 0),
        (7, 2, 0, 3, 1, 8, 24),
        (15, 3, 0, 0, 0, 1, 0),
        (23, 3, 0, 0, 0, 1, 0),
    ]
    sections = bytes(64)
    for (place, kind, flags, link, info, align, entry), start, part in zip(
        kinds, places, parts, strict=True
    ):
        sections += struct.pack(
            "<IIQQQQIIQQ",
            *(
                place,
                kind,
                flags,
                0,
                start,
                len(part),
                link,
                info,
                align,
                entry,
            ),
        )
    return header + b"".join(parts) + sections


@dataclass
class Instruction:
    address: int
    name: str
    operands: str

    @property
    def target(self) -> int | None:
        """Where a jump goes."""
        if not self.name.startswith("j"):
            return None
        match = re.match(r"0x([0-9a-f]+)", self.operands)
        return int(match[1], 16) if match else None

    @property
    def ends(self) -> bool:
        """Whether what follows is not run behind it."""
        return self.name.startswith(("jmp", "ret", "ud2"))

    @property
    def is_masked(self) -> bool:
        return "{%k" in self.operands or "maskmov" in self.name

    @property
    def stored(self) -> int:
        """Bytes that it stores in memory that is not the stack."""
        parts = re.split(r",\s*(?![^(]*\))", self.operands)
        into = parts[-1].partition(" {")[0]
        if not into.endswith(")"):
            return 0
        if len(parts) < 2:
            return int(self.name.startswith("set"))
        if "(%rsp" in into or re.match(r"-0x\w+\(%rbp\)", into):
            return 0
        return _bytes_of(self.name, parts[-2])


_WIDTH = {"b": 1, "w": 2, "l": 4, "q": 8}
_OF_REGISTER = {"z": 64, "y": 32, "x": 16}


def _bytes_of(name: str, source: str) -> int:
    register = re.match(r"%([xyz])mm", source)
    if not register:
        stores = re.fullmatch(r"mov([bwlq])|mov", name)
        if not stores:
            return 0
        return _WIDTH[stores[1]] if stores[1] else 8
    size = _OF_REGISTER[register[1]]
    if match := re.fullmatch(r"vpmov(?:s|us)?([wdq])([bwd])", name):
        order = "bwdq"
        return size >> (order.index(match[1]) - order.index(match[2]))
    if match := re.fullmatch(r"vpextr([bwdq])", name):
        return 1 << "bwdq".index(match[1])
    known = {
        "vmovss": 4,
        "vmovd": 4,
        "vextractps": 4,
        "vmovsd": 8,
        "vmovq": 8,
        "vmovlps": 8,
        "vmovhps": 8,
        "vmovlpd": 8,
        "vmovhpd": 8,
        "vcvtps2ph": size // 2,
    }
    if name in known:
        return known[name]
    if name.startswith("vextract"):
        return 32 if name.endswith(("x4", "x8")) and "64x4" in name else 16
    if name.startswith(("vmov", "mov", "vmaskmov", "vpmaskmov")):
        return size
    return 0


@dataclass
class Block:
    first: int
    instructions: list[Instruction] = field(default_factory=list)
    following: list[int] = field(default_factory=list)

    @cached_property
    def stored(self) -> int:
        """Bytes of results. The index of the next block, three numbers of the
        runtime's, is none."""
        stores = [one for one in self.instructions if one.stored]
        index = (
            {
                f"{place}({base})"
                for place in ("", "0x4", "0x8")
                for base in [stores[0].operands.split("(")[-1].rstrip(")")]
            }
            if stores
            else set()
        )
        found = {one.operands.split(", ", 1)[-1] for one in stores}
        if found == index:
            return 0
        return sum(one.stored for one in stores)

    @cached_property
    def is_masked(self) -> bool:
        return any(one.stored and one.is_masked for one in self.instructions)


def _blocks(code: list[Instruction]) -> dict[int, Block]:
    """The blocks of a disassembly, by their first address."""
    known = {one.address for one in code}
    starts = {one.target for one in code} & known
    for one, following in zip(code, code[1:], strict=False):
        if one.target is not None or one.ends:
            starts.add(following.address)
    blocks: dict[int, Block] = {}
    block: Block | None = None
    for one in code:
        if block is None or one.address in starts:
            before, block = block, Block(one.address)
            blocks[one.address] = block
            if before and not before.instructions[-1].ends:
                before.following.append(one.address)
        block.instructions.append(one)
        if one.target in known:
            block.following.append(one.target)
    return blocks


def _order(blocks: dict[int, Block]) -> list[int]:
    """Reverse postorder; blocks that nothing jumps to are entries."""
    entered = {to for block in blocks.values() for to in block.following}
    order: list[int] = []
    seen: set[int] = set()
    for entry in [first for first in blocks if first not in entered]:
        stack: list[tuple[int, Iterator[int]]] = []
        if entry not in seen:
            seen.add(entry)
            stack = [(entry, iter(blocks[entry].following))]
        while stack:
            at, rest = stack[-1]
            for to in rest:
                if to not in seen:
                    seen.add(to)
                    stack.append((to, iter(blocks[to].following)))
                    break
            else:
                order.append(at)
                stack.pop()
    return order[::-1]


def _dominators(blocks: dict[int, Block]) -> dict[int, set[int]]:
    order = _order(blocks)
    before: dict[int, list[int]] = {first: [] for first in order}
    for first in order:
        for to in blocks[first].following:
            before[to].append(first)
    result: dict[int, set[int]] = {}
    changed = True
    while changed:
        changed = False
        for first in order:
            sets = [result[p] for p in before[first] if p in result]
            found = set.intersection(*sets) if sets else set()
            found |= {first}
            if result.get(first) != found:
                result[first] = found
                changed = True
    return result


@dataclass
class Loop:
    """What an iteration of the hottest loop does."""

    instructions: list[Instruction]
    stored: int
    #: Loops within, such as one over lanes.
    has_inner: bool

    def cost(self) -> int:
        return sum(
            CALL
            if one.name.startswith("call")
            else DIVISION
            if re.fullmatch(r"i?div[bwlq]", one.name)
            else 1
            for one in self.instructions
        )

    def calls(self) -> int:
        return sum(one.name.startswith("call") for one in self.instructions)


def _ways_through(
    middle: int,
    head: int,
    body: set[int],
    blocks: dict[int, Block],
    dominators: dict[int, set[int]],
    excludes_far: bool,
) -> list[int]:
    """The blocks that an iteration may run which runs `middle`."""

    def reached(first: int, following: dict[int, list[int]]) -> set[int]:
        seen, rest = {first}, [first]
        while rest:
            for to in following[rest.pop()]:
                if to not in seen:
                    seen.add(to)
                    rest.append(to)
        return seen

    within: dict[int, list[int]] = {
        b: [to for to in blocks[b].following if to in body and to != head]
        for b in body
    }
    backwards: dict[int, list[int]] = {b: [] for b in body}
    for b, following in within.items():
        for to in following:
            backwards[to].append(b)
    always = [
        b for b in body if b in dominators[middle] or middle in dominators[b]
    ]
    ways = reached(middle, within) | reached(middle, backwards)
    if not excludes_far:
        return sorted(ways)
    return [b for b in ways if min(always) <= b <= max(always)]


def hottest_loop(code: list[Instruction], excludes_far: bool) -> Loop | None:
    """The loop that counts; `excludes_far`: without blocks that are placed
    apart from it, as the seldom ones of vectors are."""
    blocks = _blocks(code)
    dominators = _dominators(blocks)
    before: dict[int, list[int]] = {first: [] for first in dominators}
    for first in dominators:
        for to in blocks[first].following:
            before[to].append(first)
    loops: dict[int, set[int]] = {}
    for end in dominators:
        for head in blocks[end].following:
            if head not in dominators[end]:
                continue
            body, rest = {head}, [end]
            while rest:
                one = rest.pop()
                if one not in body:
                    body.add(one)
                    rest += before[one]
            loops.setdefault(head, set()).update(body)
    if not any(blocks[b].stored for body in loops.values() for b in body):
        # A function of one thread, which a loop calls.
        loops = {
            first: {b for b, own in dominators.items() if first in own}
            for first, own in dominators.items()
            if own == {first}
        }
    best: Loop | None = None
    best_rank = (0, False)
    for head, body in loops.items():
        inner = [
            other for at, other in loops.items() if at != head and other < body
        ]
        # Those of a loop within are its own.
        stores = [
            b
            for b in body
            if blocks[b].stored and not any(b in own for own in inner)
        ]
        for last in stores:
            hot = _ways_through(
                last, head, body, blocks, dominators, excludes_far
            )
            stored = sum(blocks[b].stored for b in hot if b in stores)
            rank = (stored, not blocks[last].is_masked)
            if rank > best_rank:
                best_rank = rank
                best = Loop(
                    [one for b in hot for one in blocks[b].instructions],
                    stored,
                    any(b in own for own in inner for b in hot),
                )
    return best


def disassemble(codes: dict[str, bytes]) -> dict[str, list[Instruction]]:
    """The instructions of each code."""
    objdump = find_objdump()
    assert objdump
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernels.o"
        file.write_bytes(object_of(codes))
        text = subprocess.run(
            [objdump, "-d", "--no-show-raw-insn", file],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    found: dict[str, list[Instruction]] = {}
    for line in text.splitlines():
        if match := re.fullmatch(r"[0-9a-f]+ <(.*)>:", line):
            found[match[1]] = instructions = []
        elif match := re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*([^#<]*)", line):
            if match[2] in ("nop", "int3", "nopw", "nopl", "xchgw"):
                continue
            address, name, operands = match.groups()
            instructions.append(
                Instruction(int(address, 16), name, operands.strip())
            )
    return found
