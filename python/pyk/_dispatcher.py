# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as the host sees them: configure, compile on demand, launch.

One kernel is compiled for each tuple of argument types and kept. The path of
a launch whose kernel exists is short on purpose: type each argument, look the
kernel up, hand everything to the extension.
"""

from __future__ import annotations

import functools
import operator
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pyk import _compile, types
from pyk._argument_types import type_of
from pyk._boundary import public
from pyk._functions import Compilable
from pyk._options import options
from pyk.cuda._arrays import DeviceNDArray

if TYPE_CHECKING:
    from pyk._core import Kernel

_INT32_MAX = 2**31 - 1


def _dimensions(value: object, what: str) -> tuple[int, int, int]:
    """A grid or a block as three ints."""
    entries = value if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(entries) <= 3:
        raise ValueError(
            f"{what} expects 1 to 3 dimensions but got {len(entries)}"
        )
    sizes = []
    for entry in entries:
        try:
            size = operator.index(entry)
        except TypeError:
            raise TypeError(
                f"{what} expects ints but got {entry!r} of {type(entry)}"
            ) from None
        if not 1 <= size <= _INT32_MAX:
            raise ValueError(
                f"{what} expects dimensions from 1 to {_INT32_MAX} but got "
                f"{size}"
            )
        sizes.append(size)
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


class Launcher:
    """A kernel with its launch configuration: what `kernel[...]` gives."""

    __slots__ = ("_block", "_dispatcher", "_grid", "_shared_bytes")

    def __init__(
        self,
        dispatcher: Dispatcher,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared_bytes: int,
    ) -> None:
        self._dispatcher = dispatcher
        self._grid = grid
        self._block = block
        self._shared_bytes = shared_bytes

    @public
    def __call__(self, *args: object, **kwargs: object) -> None:
        """Runs the kernel; on the CPU it has finished on return."""
        if kwargs:
            raise TypeError(
                f"kernel '{self._dispatcher.__name__}' takes positional "
                f"arguments only but got '{next(iter(kwargs))}' by name"
            )
        kernel, values = self._dispatcher._prepare(args)
        start = time.perf_counter() if options.time else 0.0
        kernel.launch(self._grid, self._block, self._shared_bytes, values)
        if options.time:
            elapsed = (time.perf_counter() - start) * 1e3
            name = self._dispatcher.__name__
            _compile.times.append(("launch", name, elapsed))


class Dispatcher(Compilable):
    """A function decorated with `cuda.jit`.

    >>> from pyk import cuda
    >>> @cuda.jit
    ... def fill(a, value):
    ...     i = cuda.grid(1)
    ...     if i < a.size:
    ...         a[i] = value
    >>> import numpy as np
    >>> a = np.zeros(3)
    >>> fill[1, 32](a, 7)
    >>> a
    array([7., 7., 7.])
    """

    __name__: str
    __qualname__: str

    def __init__(
        self,
        py_func: Callable[..., Any],
        *,
        device: bool = False,
        buffer_options: dict[str, Any] | None = None,
        signatures: Sequence[types.Signature] = (),
    ) -> None:
        self.py_func = py_func
        self.device = device
        self._buffer_options = buffer_options or {}
        self._signatures = list(signatures)
        self._kernels: dict[tuple[str, ...], Kernel] = {}
        self._lock = threading.Lock()
        code = py_func.__code__
        self._parameters = code.co_varnames[: code.co_argcount]
        self._defaults = py_func.__defaults__ or ()
        functools.update_wrapper(self, py_func)
        for signature in self._signatures:
            self._check_signature(signature)
            self._kernel_for(tuple(arg.mlir for arg in signature.args))

    def __repr__(self) -> str:
        kind = "device function" if self.device else "kernel"
        return f"<PyK {kind} {self.__qualname__}>"

    @public
    def __getitem__(self, configuration: object) -> Launcher:
        """`kernel[grid, block, stream, shared_bytes]`."""
        if not isinstance(configuration, tuple) or not (
            2 <= len(configuration) <= 4
        ):
            raise ValueError(
                f"kernel '{self.__name__}' must specify at least the grid "
                "and the block: "
                f"{self.__name__}[grid, block, stream, shared_bytes]"
            )
        return self._configure(*configuration)

    @public
    def configure(
        self, griddim: object, blockdim: object, stream: object = 0,
        sharedmem: object = 0,
    ) -> Launcher:  # fmt: skip
        """The same as indexing, as a method."""
        return self._configure(griddim, blockdim, stream, sharedmem)

    @public
    def forall(
        self,
        ntasks: int,
        tpb: int = 0,
        stream: object = 0,
        sharedmem: int = 0,
    ) -> Callable[..., None]:
        """A 1-D configuration with at least `ntasks` threads."""
        if ntasks < 0:
            raise ValueError(
                f"forall expects a number of tasks >= 0 but got {ntasks}"
            )
        if ntasks == 0:
            return lambda *args: None
        block = tpb or 128
        return self._configure(-(-ntasks // block), block, stream, sharedmem)

    @public
    def __call__(self, *args: object, **kwargs: object) -> None:
        """Always an error: a kernel needs a configuration first."""
        if self.device:
            raise TypeError(
                f"device function '{self.__name__}' can only be called "
                "inside a kernel"
            )
        raise ValueError(
            f"Kernel launch configuration was not specified: expects "
            f"{self.__name__}[grid, block](...)"
        )

    def _configure(
        self,
        grid: object,
        block: object,
        stream: object = 0,
        shared_bytes: object = 0,
    ) -> Launcher:
        if self.device:
            raise TypeError(
                f"device function '{self.__name__}' cannot be launched: it "
                "can only be called inside a kernel"
            )
        try:
            size = operator.index(shared_bytes)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(
                "dynamic shared memory expects an int, in bytes, but got "
                f"{shared_bytes!r}"
            ) from None
        if not 0 <= size <= _INT32_MAX:
            raise ValueError(
                f"dynamic shared memory expects 0 to {_INT32_MAX} bytes but "
                f"got {size}"
            )
        return Launcher(
            self, _dimensions(grid, "grid"), _dimensions(block, "block"), size
        )

    def _prepare(
        self, args: tuple[object, ...]
    ) -> tuple[Kernel, Sequence[object]]:
        """The kernel for a launch, and the values to pass to it."""
        names = self._parameters
        if len(args) != len(names):
            args = self._complete(args)
        values = [
            arg.array if type(arg) is DeviceNDArray else arg for arg in args
        ]
        if self._signatures:
            return self._match(values)
        key = tuple(map(type_of, values, names))
        kernel = self._kernels.get(key)
        if kernel is None:
            kernel = self._kernel_for(key)
        return kernel, values

    def _complete(self, args: tuple[object, ...]) -> tuple[object, ...]:
        """`args` with defaults for what is missing."""
        names = self._parameters
        missing = len(names) - len(args)
        if 0 < missing <= len(self._defaults):
            return (*args, *self._defaults[-missing:])
        was = "was" if len(args) == 1 else "were"
        count = len(names)
        raise TypeError(
            f"kernel '{self.__name__}' takes {count} "
            f"argument{'s' * (count != 1)} ({', '.join(names)}) but "
            f"{len(args)} {was} given"
        )

    def _kernel_for(self, key: tuple[str, ...]) -> Kernel:
        """Compiles for the types in `key`, once."""
        _compile.check_target()
        with self._lock:
            kernel = self._kernels.get(key)
            if kernel is None:
                kernel = _compile.compile_kernel(
                    self, key, self._buffer_options
                )
                self._kernels[key] = kernel
        return kernel

    # Explicit signatures.

    def _check_signature(self, signature: types.Signature) -> None:
        if signature.return_type != types.void:
            raise TypeError(
                "CUDA kernel must have void return type but the signature "
                f"{signature} returns {signature.return_type}"
            )
        if len(signature.args) != len(self._parameters):
            raise TypeError(
                f"signature {signature} has {len(signature.args)} types for "
                f"the {len(self._parameters)} parameters of "
                f"'{self.__name__}' ({', '.join(self._parameters)})"
            )

    def _match(
        self, values: Sequence[object]
    ) -> tuple[Kernel, Sequence[object]]:
        """The first declared signature that takes `values`."""
        actual = tuple(map(type_of, values, self._parameters))
        kernel = self._kernels.get(actual)
        if kernel is not None:
            return kernel, values
        for signature in self._signatures:
            cast = types.cast_arguments(signature, values)
            if cast is not None:
                key = tuple(arg.mlir for arg in signature.args)
                return self._kernels[key], cast
        declared = ", ".join(map(str, self._signatures))
        raise TypeError(
            f"kernel '{self.__name__}' is declared for {declared}, not for "
            f"({', '.join(actual)})"
        )
