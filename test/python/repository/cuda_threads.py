# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in CUDA C++ that run on the CPU, each thread as one of the system.

`cuda_threads.h`, beside this file, has what they use of CUDA.
"""

import ctypes
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

HEADER = Path(__file__).with_name("cuda_threads.h")
KERNEL = re.compile(r"^KERNEL (\w+)\(([^)]*)\)", re.MULTILINE)

# By the type of a parameter or of what it points to.
SCALARS = {"float": ctypes.c_float, "int": ctypes.c_int}
DTYPES = {"float": np.float32, "int": np.int32, "unsigned char": np.uint8}

Shape = int | tuple[int, ...]


def build(compiler: str, source: Path, folder: Path) -> dict[str, "CudaKernel"]:
    """The kernels of a file, compiled in a folder that is there."""
    parameters = parameters_of(source.read_text())
    # A function for each kernel that launches it.
    lines = [f'#include "{HEADER}"', f'#include "{source}"']
    for name, listed in parameters.items():
        names = [re.findall(r"\w+", parameter)[-1] for parameter in listed]
        lines += [
            f'extern "C" void run_{name}(Place *grid, Place *block, '
            f"{', '.join(listed)}) {{",
            f"  launch({name}, *grid, *block, {', '.join(names)});",
            "}",
        ]
    file = folder / "kernels.cpp"
    file.write_text("\n".join(lines) + "\n")
    library = file.with_suffix(".so")
    subprocess.run(
        [
            *(compiler, "-std=c++20", "-O1", "-shared", "-fPIC", "-pthread"),
            *(file, "-o", library),
        ],
        check=True,
    )
    loaded = ctypes.CDLL(str(library))
    return {
        name: CudaKernel(loaded[f"run_{name}"], listed)
        for name, listed in parameters.items()
    }


def parameters_of(text: str) -> dict[str, list[str]]:
    """How each kernel declares its parameters."""
    return {
        name: [part.strip() for part in listed.split(",")]
        for name, listed in KERNEL.findall(text)
    }


class CudaKernel:
    """Launches as `kernel[blocks, threads](...)`, with all parameters."""

    def __init__(self, function: Any, parameters: list[str]) -> None:
        self.function = function
        self.parameters = parameters

    def __getitem__(self, shapes: tuple[Shape, Shape]) -> Any:
        def launch(*arguments: Any) -> None:
            assert len(arguments) == len(self.parameters)
            pairs = zip(self.parameters, arguments, strict=True)
            self.function(
                *[place(shape) for shape in shapes],
                *[
                    convert(parameter, argument)
                    for parameter, argument in pairs
                ],
            )

        return launch


def place(shape: Shape) -> Any:
    """The address of a `Place` of C++."""
    given = shape if isinstance(shape, tuple) else (shape,)
    return (ctypes.c_uint * 3)(*given, *[1] * (3 - len(given)))


def convert(parameter: str, argument: Any) -> Any:
    """The argument for a parameter, which it has to fit."""
    kind = re.match(r"(?:const )?(unsigned char|\w+)", parameter)[1]
    assert argument.dtype == DTYPES[kind]
    assert (argument.ndim > 0) == ("*" in parameter)
    if argument.ndim == 0:
        return SCALARS[kind](argument)
    assert argument.flags.c_contiguous
    return ctypes.c_void_p(argument.ctypes.data)
