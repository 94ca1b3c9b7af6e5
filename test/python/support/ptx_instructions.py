# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of what instructions of PTX compute, and how to execute them.

The files ptx/instructions/*.txt hold the tables:

    # Integer Arithmetic Instructions: bfind
    bfind.shiftamt.u32  u32 -> u32
        1 -> 31
        0 -> 0xffffffff

A line of `#` names a section of the PTX ISA. It may end in `(sm_90)`, the first
processors that have the instruction, or in `(by analogy: WHY)`, if the section
leaves the rows open. A head holds an instruction, the types of what it reads
and, behind `->`, of what it writes, and perhaps how exact it is: `within 2
ulp`, `within 2**-21 absolute` or `within 2**-22 relative`. Rows hold values.

Instead of an instruction a head may have a text in backquotes, in which `$0`,
`$1`, ... are what it writes and reads, in this order:

    `add.cc.u32 $0, $2, $3; addc.u32 $1, $2, 0;`  u32 u32 -> u32 u32

Types are those of PTX, `pred`, `imm` (the value is written into the text) and
`mem.TYPE` or `mem.shared.TYPE`: the operand is an address of memory that holds
this value. As what is written, `mem.TYPE` is that memory afterwards.

Values are numbers as Python writes them, hexadecimal ones are bits. `nan` as a
result is any NaN.
"""

import ctypes
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

TABLES = Path(__file__).parents[1] / "ptx/instructions"

#: Bytes between the values of two threads in memory.
SLOT = 16

Bits = int | None


@dataclass
class Group:
    """The rows of a head."""

    section: str
    text: str
    inputs: list[str]
    outputs: list[str]
    tolerance: str = ""
    chip: str = "sm_80"
    place: str = ""
    rows: list[tuple[list[str], list[str]]] = field(default_factory=list)


def read(file: Path) -> list[Group]:
    """The groups of a table."""
    groups: list[Group] = []
    section, chip = "", "sm_80"
    for number, line in enumerate(file.read_text().splitlines(), 1):
        place = f"{file.name}:{number}"
        if not line.strip():
            continue
        if line.startswith("#"):
            section = line[1:].strip()
            found = re.search(r"\((sm_\d+)\)", section)
            chip = found[1] if found else "sm_80"
        elif line[0].isspace():
            given, arrow, expected = line.partition("->")
            assert arrow, f"{place}: a row has no `->`"
            row = given.split(), expected.split()
            group = groups[-1]
            wanted = len(group.inputs), len(group.outputs)
            assert (len(row[0]), len(row[1])) == wanted, f"{place}: {line}"
            group.rows.append(row)
        else:
            head = re.fullmatch(
                r"(`[^`]*`|\S+)\s+(.*?)\s*->\s*(.*?)(?:\s+within (.*))?", line
            )
            assert head and section, f"{place}: no head: {line}"
            text, inputs, outputs, tolerance = head.groups()
            groups.append(
                Group(
                    *(section, text, inputs.split(), outputs.split()),
                    *(tolerance or "", chip, place),
                )
            )
    return groups


# --- Values ---------------------------------------------------------------


def bytes_of(kind: str) -> int:
    """How many bytes a value of this type has."""
    if kind == "pred":
        return 1
    number = re.search(r"\d+$", kind)
    special = {"f16x2": 4, "bf16x2": 4, "e4m3x2": 2, "e5m2x2": 2}
    assert kind in special or number, kind
    return special.get(kind) or int(number[0] if number else 0) // 8


def base_of(kind: str) -> str:
    """The type of the value behind an operand."""
    return kind.rpartition(".")[2]


def is_float(kind: str) -> bool:
    return re.fullmatch(r"b?f\d+", kind) is not None


def to_bits(word: str, kind: str) -> int:
    """The bits of a value that a row holds."""
    if kind == "imm":
        return int(word, 0)
    mask = (1 << 8 * bytes_of(kind)) - 1
    if word.startswith("0x") or not is_float(kind):
        return int(word, 0) & mask
    return from_float(float(word), kind)


def from_float(value: float, kind: str) -> int:
    """The bits of the nearest number of this type."""
    if kind == "bf16":
        bits = int(np.float32(value).view(np.uint32))
        if math.isnan(value):
            return 0x7FFF
        return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    dtype = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind]
    number = np.array(value, np.float64).astype(dtype)
    return int(number.view(f"u{number.itemsize}"))


def to_float(bits: int, kind: str) -> float:
    """The number of these bits."""
    if kind == "bf16":
        bits, kind = bits << 16, "f32"
    size = bytes_of(kind)
    dtype = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind]
    return float(np.array(bits, f"u{size}").view(dtype))


def agrees(found: int, expected: str, kind: str, tolerance: str) -> bool:
    """Whether the bits of a result are what a row says."""
    if is_float(kind) and not expected.startswith("0x"):
        wanted, number = float(expected), to_float(found, kind)
        if math.isnan(wanted):
            return math.isnan(number)
        if tolerance and math.isfinite(wanted):
            return is_near(number, wanted, kind, tolerance)
    return found == to_bits(expected, kind)


def is_near(number: float, wanted: float, kind: str, tolerance: str) -> bool:
    bound, unit = tolerance.split()
    most = eval(bound, {"__builtins__": {}})
    if unit == "relative":
        most *= abs(wanted)
    elif unit == "ulp":
        digits = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}[kind]
        exponent = math.frexp(wanted)[1] if wanted else -125
        most *= math.ldexp(1.0, exponent - digits)
    return abs(number - wanted) <= most


# --- Texts ----------------------------------------------------------------


def text_of(group: Group, row: tuple[list[str], list[str]] | None) -> str:
    """The kernel that executes an instruction, one row in each thread."""
    declared, before, after = [], [], []
    operands: dict[int, str] = {}
    registers = [kind for kind in group.outputs if not kind.startswith("mem")]
    for index, kind in enumerate(registers):
        operands[index] = f"%v{index}"
        declared.append(f".reg .{register(kind)} %v{index};")
    memory = None
    for index, kind in enumerate(group.inputs):
        number = len(registers) + index
        operands[number] = f"%v{number}"
        if kind == "imm":
            operands[number] = row[0][index] if row else "0"
            continue
        if kind.startswith("mem"):
            memory = base_of(kind), kind.startswith("mem.shared"), number
            declared.append(f".reg .b64 %v{number};")
            before += address_of(index, memory)
            continue
        declared.append(f".reg .{register(kind)} %v{number};")
        before += load(f"%v{number}", kind, index)
    for index, kind in enumerate(group.outputs):
        place = len(group.inputs) + index
        if kind.startswith("mem"):
            assert memory
            after += copy_back(place, memory)
        else:
            after += store(f"%v{index}", kind, place)
    parameters = ", ".join(
        f".param .u64 p{index}"
        for index in range(len(group.inputs) + len(group.outputs))
    )
    lines = "\n  ".join(
        [*declared, *before, instruction(group, operands), *after]
    )
    return f""".version 7.8
.target {group.chip}
.address_size 64
.visible .entry run({parameters}) {{
  .shared .align 16 .b8 shared[{SLOT * 1024}];
  .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %q<4>;
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d0, %r0, {SLOT};
  {lines}
  ret;
}}
"""


def register(kind: str) -> str:
    """The type of a register for values of this type."""
    return "pred" if kind == "pred" else f"b{max(8 * bytes_of(kind), 16)}"


def slot(index: int) -> list[str]:
    """Leaves the address of a thread's value of a parameter in %d1."""
    return [f"ld.param.u64 %d1, [p{index}];", "add.u64 %d1, %d1, %d0;"]


def load(name: str, kind: str, index: int) -> list[str]:
    if kind == "pred":
        return [
            *(*slot(index), "ld.global.u8 %h0, [%d1];"),
            f"setp.ne.u16 {name}, %h0, 0;",
        ]
    suffix = f"{kind[0] if kind in ('s8', 'u8') else 'b'}{8 * bytes_of(kind)}"
    return [*slot(index), f"ld.global.{suffix} {name}, [%d1];"]


def store(name: str, kind: str, index: int) -> list[str]:
    if kind == "pred":
        return [
            *(*slot(index), f"selp.u16 %h0, 1, 0, {name};"),
            "st.global.u8 [%d1], %h0;",
        ]
    return [*slot(index), f"st.global.b{8 * bytes_of(kind)} [%d1], {name};"]


def address_of(index: int, memory: tuple[str, bool, int]) -> list[str]:
    """Leaves the address of memory with a thread's value in its register."""
    kind, is_shared, number = memory
    if not is_shared:
        return [*slot(index), f"mov.u64 %v{number}, %d1;"]
    suffix, name = copying(kind)
    return [
        f"mov.u64 %v{number}, shared;",
        f"add.u64 %v{number}, %v{number}, %d0;",
        *(*slot(index), f"ld.global.{suffix} {name}, [%d1];"),
        f"st.shared.{suffix} [%v{number}], {name};",
    ]


def copy_back(index: int, memory: tuple[str, bool, int]) -> list[str]:
    kind, is_shared, number = memory
    suffix, name = copying(kind)
    space = "shared" if is_shared else "global"
    return [
        *(f"ld.{space}.{suffix} {name}, [%v{number}];", *slot(index)),
        f"st.global.{suffix} [%d1], {name};",
    ]


def copying(kind: str) -> tuple[str, str]:
    """The suffix and the register of a copy of such a value."""
    bits = 8 * bytes_of(kind)
    return f"b{bits}", {8: "%h1", 16: "%h1", 32: "%r1", 64: "%d2"}[bits]


def instruction(group: Group, operands: dict[int, str]) -> str:
    if group.text.startswith("`"):
        return re.sub(
            r"\$(\d+)", lambda found: operands[int(found[1])], group.text[1:-1]
        )
    kinds = [kind for kind in group.outputs if not kind.startswith("mem")]
    written = "|".join(operands[index] for index in range(len(kinds)))
    reads = [
        f"[{operands[len(kinds) + index]}]"
        if kind.startswith("mem")
        else operands[len(kinds) + index]
        for index, kind in enumerate(group.inputs)
    ]
    return f"{group.text} {', '.join([written, *reads] if kinds else reads)};"


# --- Execution ------------------------------------------------------------


class Driver:
    """The CUDA driver, used as a program in C would."""

    def __init__(self, name: str | None = None) -> None:
        name = name or os.environ.get("PYK_LIBCUDA") or "libcuda.so.1"
        self.library = ctypes.CDLL(name)
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call(
            "cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device
        )
        self.call("cuCtxPushCurrent_v2", self.context)
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(major), 75, device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), 76, device)
        self.capability = 10 * major.value + minor.value

    def call(self, name: str, *arguments: Any) -> None:
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name} returns {status}")

    def run(
        self,
        text: str,
        arrays: Sequence[np.ndarray],
        threads: int,
        blocks: int = 1,
        *,
        is_cooperative: bool = False,
    ) -> None:
        """Runs the kernel `run` of a text, on arrays of the host."""
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(4096)
        keys = (ctypes.c_int * 2)(5, 6)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            self.call(
                *("cuModuleLoadDataEx", ctypes.byref(module)),
                *(text.encode() + b"\0", 2, keys, values),
            )
        except RuntimeError as error:
            raise RuntimeError(f"{error}: {log.value.decode()}") from None
        self.call("cuModuleGetFunction", ctypes.byref(kernel), module, b"run")
        addresses = []
        for array in arrays:
            address = ctypes.c_uint64()
            size = ctypes.c_size_t(array.nbytes)
            self.call("cuMemAlloc_v2", ctypes.byref(address), size)
            self.copy("cuMemcpyHtoDAsync_v2", address, array.ctypes.data, size)
            addresses.append(address)
        pointers = (ctypes.c_void_p * len(addresses))(
            *(ctypes.addressof(address) for address in addresses)
        )
        shape = blocks, 1, 1, threads, 1, 1, 0, None
        if is_cooperative:
            self.call("cuLaunchCooperativeKernel", kernel, *shape, pointers)
        else:
            self.call("cuLaunchKernel", kernel, *shape, pointers, None)
        self.call("cuCtxSynchronize")
        for array, address in zip(arrays, addresses):
            size = ctypes.c_size_t(array.nbytes)
            self.copy("cuMemcpyDtoHAsync_v2", array.ctypes.data, address, size)
            self.call("cuMemFree_v2", address)
        self.call("cuModuleUnload", module)

    def copy(self, name: str, to: Any, source: Any, size: Any) -> None:
        to, source = (
            side if isinstance(side, ctypes.c_uint64) else ctypes.c_uint64(side)
            for side in (to, source)
        )
        self.call(name, to, source, size, None)
        self.call("cuCtxSynchronize")


def slots(values: Sequence[int]) -> np.ndarray:
    """Memory with one value for each thread."""
    array = np.zeros((len(values), SLOT // 8), np.uint64)
    array[:, 0] = np.array([value % 2**64 for value in values], np.uint64)
    return array


def execute(
    driver: Driver,
    group: Group,
    inputs: Sequence[Sequence[int]],
    row: tuple[list[str], list[str]] | None = None,
) -> list[list[int]]:
    """What an instruction writes, as bits: for each output, of each thread.

    `inputs` are the bits that it reads: for each input, of each thread.
    """
    threads = len(inputs[0]) if inputs else 1
    arrays = [slots(values) for values in inputs]
    arrays += [slots([0] * threads) for _ in group.outputs]
    driver.run(text_of(group, row), arrays, threads)
    results = []
    for kind, array in zip(group.outputs, arrays[len(inputs) :]):
        mask = (1 << 8 * bytes_of(base_of(kind))) - 1
        results.append([int(value) & mask for value in array[:, 0]])
    return results


def judge(driver: Driver, group: Group) -> list[str]:
    """The rows on which an instruction does otherwise, one line for each."""
    has_literals = "imm" in group.inputs
    batches = [[row] for row in group.rows] if has_literals else [group.rows]
    wrong = []
    for rows in batches:
        inputs = [
            [to_bits(row[0][index], base_of(kind)) for row in rows]
            for index, kind in enumerate(group.inputs)
        ]
        results = execute(driver, group, inputs, rows[0])
        for number, (given, expected) in enumerate(rows):
            found = [values[number] for values in results]
            if not all(
                agrees(bits, word, base_of(kind), group.tolerance)
                for bits, word, kind in zip(found, expected, group.outputs)
            ):
                wrong.append(
                    f"{group.text} {' '.join(given)} -> "
                    f"{' '.join(map(hex, found))}, not {' '.join(expected)}"
                )
    return wrong
