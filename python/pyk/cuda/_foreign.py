# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of other languages: what kernels may call, and what it is linked from.

A GPU's driver links PTX and machine code; CUDA C++ becomes PTX by the `nvcc` of
a toolkit. The CPU calls shared libraries, or Python functions in the place of
what they lack.
"""

from __future__ import annotations

import hashlib
import io
import linecache
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from pyk import _toolkit, types
from pyk._boundary import public
from pyk._declarations import parse_signature
from pyk._frontend import _foreign
from pyk._functions import Compilable

__all__ = [
    "Archive",
    "CUSource",
    "Cubin",
    "Fatbin",
    "Object",
    "PTXSource",
    "declare_device",
]

#: Names of C, in ASCII, and what linkers take besides.
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")

#: How files end that can be linked for a GPU.
_ENDINGS = (".ptx", ".cubin", ".fatbin", ".o", ".a", ".cu")

#: Folder of files that were written to be linked, once there is one.
_folder: tempfile.TemporaryDirectory[str] | None = None


class LinkableCode:
    """Code that a kernel is linked with, from memory.

    `data` is its bytes or text, or a file of them in memory, and `name` what
    messages call it. Callbacks, which Numba hands a module of its own, are
    refused.
    """

    _ending = ""

    def __init__(
        self,
        data: bytes | str | io.BytesIO | io.StringIO,
        name: str | None = None,
        setup_callback: object = None,
        teardown_callback: object = None,
    ) -> None:
        if setup_callback is not None or teardown_callback is not None:
            raise NotImplementedError(
                f"{type(self).__name__} takes no callbacks: PyK has no module "
                "object for them; call what they do before and after launches"
            )
        if not isinstance(data, (bytes, str, io.BytesIO, io.StringIO)):
            raise TypeError(
                f"{type(self).__name__} expects bytes or a str but got {data!r}"
            )
        self._data = data
        self.name = name or f"<{type(self).__name__}>"

    @property
    def data(self) -> bytes | str:
        if isinstance(self._data, (io.BytesIO, io.StringIO)):
            return self._data.getvalue()
        return self._data

    def _path(self) -> str:
        """A file that holds it."""
        data = self.data
        content = data.encode() if isinstance(data, str) else data
        return _write(content, self._ending)


class PTXSource(LinkableCode):
    """PTX."""

    _ending = ".ptx"


class CUSource(LinkableCode):
    """CUDA C++, which the `nvcc` of a toolkit compiles."""

    _ending = ".cu"


class Fatbin(LinkableCode):
    """Machine code for several GPUs."""

    _ending = ".fatbin"


class Cubin(LinkableCode):
    """Machine code."""

    _ending = ".cubin"


class Archive(LinkableCode):
    """A library of objects."""

    _ending = ".a"


class Object(LinkableCode):
    """An object that holds code for GPUs."""

    _ending = ".o"


def _write(content: bytes, ending: str) -> str:
    """A file of this content; the same one for the same content."""
    global _folder
    if _folder is None:
        _folder = tempfile.TemporaryDirectory(prefix="pyk-link-")
    name = hashlib.sha256(content).hexdigest()[:16] + ending
    path = os.path.join(_folder.name, name)
    if not os.path.exists(path):
        # Other threads see all of it, or nothing.
        part = f"{path}.{threading.get_ident()}"
        with open(part, "wb") as file:
            file.write(content)
        os.replace(part, path)
    return path


def check_link(name: str, value: Any) -> None:
    """Refuses what is no list of files and code."""
    listed = isinstance(value, (list, tuple, set, frozenset))
    for entry in value if listed else [value]:
        if isinstance(entry, LinkableCode):
            continue
        if not isinstance(entry, (str, os.PathLike)):
            raise TypeError(
                f"{name}= expects paths and code such as cuda.PTXSource but "
                f"got {entry!r}"
            )
        if not str(entry).endswith((*_ENDINGS, ".so")):
            raise ValueError(
                f"{name}= expects files that end in "
                f"{', '.join(_ENDINGS)} or .so but got '{entry}'"
            )


def as_link(value: Any) -> tuple[object, ...]:
    """What a kernel is linked with, as a tuple."""
    if value is None:
        return ()
    if isinstance(value, (list, tuple, set, frozenset)):
        return tuple(value)
    return (value,)


def files_for_gpu(link: Iterable[object], chip: str) -> list[str]:
    """The paths of what a driver links, in order, each once.

    Those of CUDA C++ are compiled for `chip`; RuntimeError without `nvcc`.
    """
    paths = []
    for entry in link:
        if _foreign.is_shared_library(entry):
            continue
        name = entry.name if isinstance(entry, LinkableCode) else str(entry)
        path = entry._path() if isinstance(entry, LinkableCode) else name
        if path.endswith(".cu"):
            ptx = _toolkit.compile_cuda(path, chip, f"linking {name}")
            path = _write(ptx, ".ptx")
        if path not in paths:
            paths.append(path)
    return paths


@public
def declare_device(
    name: str,
    sig: object,
    link: Any = None,
    use_cooperative: bool = False,
    abi: str = "numba",
    *,
    cpu: Callable[..., Any] | None = None,
) -> _foreign.ForeignFunction:
    """A device function that is code of another language.

    Kernels call it with arguments that are cast to the types of `sig`, such as
    "float32(CPointer(float32), int32)": numbers, and arrays for pointers. With
    `abi="numba"` the code gets the address of its result before the arguments,
    and returns 0; with "c" it returns its result. A GPU's driver finds it in
    what the kernel is linked with: `link`, here or of `cuda.jit`, has paths of
    .ptx, .cubin, .fatbin, .o and .a files, .cu files if there is `nvcc`, and
    objects such as `cuda.PTXSource`.

    The CPU finds it in the shared libraries (.so) among them. Without one it
    runs `cpu`, a Python function, or refuses the kernel. `use_cooperative` says
    that the code waits for all of the grid.
    """
    if abi not in ("numba", "c"):
        raise NotImplementedError(
            f"declare_device expects 'numba' or 'c' as abi but got {abi!r}"
        )
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(
            "declare_device expects the name of a function of C but got "
            f"{name!r}"
        )
    if link is not None:
        check_link("link", link)
    signature = parse_signature(sig)
    if signature.return_type is None:
        raise TypeError(
            f"declare_device expects the type that '{name}' returns in the "
            f"signature, such as 'void(int32)', but got {sig!r}"
        )
    for argument in signature.args:
        _check_type(name, argument, is_result=False)
    _check_type(name, signature.return_type, is_result=True)
    replacement = None
    if cpu is not None:
        function = cpu.py_func if isinstance(cpu, Compilable) else cpu
        _check_function(name, function, len(signature.args))
        replacement = _foreign.Replacement(function, signature)
    # The line of the program that declares it.
    frame = sys._getframe(1)
    file, line = frame.f_code.co_filename, frame.f_lineno
    place = file, line, linecache.getline(file, line)
    return _foreign.ForeignFunction(
        name,
        signature,
        abi,
        as_link(link),
        replacement,
        place,
        bool(use_cooperative),
    )


def _check_function(name: str, function: Any, count: int) -> None:
    """Refuses what the CPU cannot run in place of `name`."""
    if not isinstance(function, FunctionType):
        raise TypeError(
            f"declare_device expects a Python function as cpu= of '{name}' but "
            f"got {function!r}"
        )
    takes = function.__code__.co_argcount
    if takes != count:
        raise TypeError(
            f"'{name}' has {count} parameters in its signature, and the "
            f"function that cpu= gives has {takes}"
        )


def _check_type(name: str, kind: types.Type, is_result: bool) -> None:
    is_number = isinstance(kind, types.Scalar) and kind.dtype.kind in "biuf"
    is_void = is_result and kind == types.void
    is_pointer = not is_result and isinstance(kind, types.CPointer)
    if is_number or is_void or is_pointer:
        return
    takes = "returns" if is_result else "takes"
    raise TypeError(
        f"declare_device expects numbers{'' if is_result else ' and pointers'} "
        f"but '{name}' {takes} {kind!r}"
    )
