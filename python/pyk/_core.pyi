# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension module: PyK's C interface in Python's terms.

Its sources are in python/ext; a test compares the names here with those of
the built module.
"""

from collections.abc import Callable, Sequence
from typing import Any

class Boundary:
    """A callable whose exceptions carry no frame of PyK's own files.

    `trim` is called with an exception that `function` raises.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        trim: Callable[[BaseException], None],
    ) -> None: ...
    @property
    def __wrapped__(self) -> Callable[..., Any]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __get__(self, instance: object, owner: type | None = None) -> Any: ...

class Kernel:
    """A compiled kernel."""

    @property
    def emitted(self) -> str:
        """Text of the stage that `compile` was asked to emit."""

    @property
    def manifest(self) -> str:
        """Entry, parameters, shared memory and target, as JSON."""

    @property
    def reproduce(self) -> str:
        """The pyk-opt command line that repeats the compilation."""

    @property
    def times(self) -> str:
        """Milliseconds by stage, as JSON."""

    def launch(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared_bytes: int,
        args: Sequence[object],
    ) -> None:
        """Runs the kernel to its end, without copying arrays.

        `args` are what the kernel was compiled for: objects with the buffer
        protocol (NumPy arrays and scalars), bool, int, float and None.
        """

def check_chip(chip: str) -> None:
    """Raises ValueError unless PTX can be made for `chip`."""

def compile(
    *,
    source: bytes | str,
    source_name: str | None = None,
    target: str,
    chip: str | None = None,
    emit: str | None = None,
    dump_stages: str | None = None,
    no_fma: bool = False,
) -> Kernel:
    """Compiles an ast buffer or MLIR text; raises what pyk._errors maps."""
