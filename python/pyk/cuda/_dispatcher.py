# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as the host sees them: configure, compile on demand, launch.

One kernel is compiled for each tuple of argument types and kept. Usual launches
of kernels that exist happen in the extension (python/ext/Launch.cpp); here is
what comes before the first one, and what is unusual.
"""

from __future__ import annotations

import copyreg
import functools
import inspect
import math
import operator
import re
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyk import _core, _signatures, types
from pyk._argument_types import DEEP, nesting, type_of
from pyk._boundary import public
from pyk._errors import (
    CompileError,
    CudaAPIError,
    caller,
    full_traceback,
    trim,
)
from pyk._options import options
from pyk._typeof import typeof
from pyk.cuda import _compile, _devices, _pickling, _pointers
from pyk.cuda._arguments import (
    After,
    ArgHint,
    aligned,
    check_alive,
    check_captured,
    same_tuple,
    usual,
)
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._foreign import files_for_gpu
from pyk.cuda._inspect import Inspectable, Key
from pyk.cuda._streams import Stream, core_stream, is_unnamed

_INT32_MAX = 2**31 - 1
# What kernels of narrow typing count to: kNarrowLimit of PykLimits.h, less 1.
_NARROW_MAX = 2**31 - 2**16 - 1

# Behind the elements stand the layout and, perhaps, more of the array.
_GAPS = re.compile(r"!pyk\.array<\?x(?!\?x).*, any[,>]")

#: What a variant of a kernel takes for granted of its launches.
Kinds = tuple[str, ...]
#: The shape of blocks that a variant is for; None is any.
Block = tuple[int, int, int] | None

#: For so many shapes of blocks a kernel is compiled, and then for any.
_MOST_BLOCKS = 8
#: Blocks of fewer threads would leave most of a vector empty.
_FEWEST_THREADS = 8
_MOST_THREADS = 1024

_dispatchers: weakref.WeakSet[Dispatcher] = weakref.WeakSet()


def _shadow(value: Any) -> Any:
    """What has the dtype, shape and strides of an argument."""
    if isinstance(value, tuple):
        return same_tuple(value, [_shadow(item) for item in value])
    return value._meta() if isinstance(value, DeviceNDArray) else value


def _as_given(shadow: Any, given: Any) -> Any:
    """What a declared type is compared with.

    Of a host array that is itself, as on every device: a copy of it lies
    together even if it does not.
    """
    if isinstance(given, ArgHint):
        given = given.value
    if isinstance(given, tuple):
        return same_tuple(shadow, [*map(_as_given, shadow, given)])
    return aligned(given, []) if isinstance(given, np.ndarray) else shadow


def _passed(value: Any, cast: object) -> Any:
    """What a launch takes for `value`, which is `cast` as declared."""
    if isinstance(value, tuple):
        return tuple(map(_passed, value, cast))  # type: ignore[call-overload]
    is_memory = isinstance(value, (DeviceNDArray, np.ndarray, np.void))
    return value if is_memory else cast


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


def _has_gaps(parameter: str) -> bool:
    """Whether it takes an array of one dimension and any stride."""
    return _GAPS.match(parameter) is not None


def _check_narrow(grid: Sequence[int], block: Sequence[int]) -> None:
    """Refuses what cuda.grid and cuda.gridsize could not count in 32 bits."""
    for axis, blocks, threads in zip("xyz", grid, block, strict=True):
        if blocks * threads > _NARROW_MAX:
            raise ValueError(
                f"a kernel of narrow typing expects at most {_NARROW_MAX} "
                f"threads along {axis} but got {blocks * threads}"
            )


class Dispatcher(Inspectable, _core.Dispatcher):
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
        is_specialized: bool = False,
        max_registers: int = 0,
        extensions: Sequence[Any] = (),
    ) -> None:
        self.py_func = py_func
        self.device = device
        self._buffer_options = buffer_options or {}
        self.link = self._buffer_options.get("link", ())
        self.fastmath = bool(self._buffer_options.get("fastmath"))
        self._signatures: list[types.Signature] = []
        #: Whether there is one signature, which no other competes with.
        self._is_specialized = False
        self._max_registers = max_registers
        #: What may put another value in the place of an argument.
        self._extensions = list(extensions)
        #: What variants for the same types are compiled from.
        self._sources: dict[Key, _compile.Source] = {}
        #: By types, target and what is taken for granted, the shape of blocks
        #: with it, one for each variant.
        self._kernels: dict[tuple[Key, str, Kinds, Block], _core.Module] = {}
        #: The same by the number of the device.
        self._functions: dict[
            tuple[Key, int, Kinds, Block], _core.Function
        ] = {}
        #: Variants for which there are no vectors: those for blocks of any
        #: shape stand for them.
        self._refused: set[tuple[Key, int, Kinds, Block]] = set()
        self._argument_types: dict[Key, tuple[types.Type, ...]] = {}
        self._lock = threading.RLock()
        code = py_func.__code__
        self._parameters = code.co_varnames[: code.co_argcount]
        #: The name of the parameter that takes all arguments that are left.
        self._rest: str | None = None
        if code.co_flags & inspect.CO_VARARGS:
            place = code.co_argcount + code.co_kwonlyargcount
            self._rest = code.co_varnames[place]
        self._defaults = py_func.__defaults__ or ()
        functools.update_wrapper(self, py_func)
        self._declared: set[Key] = set()
        if device:
            # What a device function is asked for is always refused.
            self._use_python()
        self._declare(signatures, is_specialized)
        for key in self._argument_types:
            self._compile(key, _devices.current())
        _dispatchers.add(self)

    def _declare(
        self, signatures: Sequence[types.Signature], is_specialized: bool
    ) -> None:
        """Says what it is for, before anything is compiled."""
        for signature in signatures:
            self._check_signature(signature)
        if self.device:
            self.declared = list(signatures)
            return
        self._signatures = list(signatures)
        self._is_specialized = is_specialized
        for signature in signatures:
            key = self._packed([arg.mlir for arg in signature.args])
            self._declared.add(key)
            self._argument_types[key] = signature.args

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _pickling.reduce(
            self,
            _restore,
            self.device,
            self._buffer_options,
            self.declared or self._signatures,
            self._is_specialized,
            self._max_registers,
            self._extensions,
        )

    def __setstate__(self, state: tuple[Any, Any]) -> None:
        _pickling.fill(self, state)

    def __repr__(self) -> str:
        kind = "device function" if self.device else "kernel"
        return f"<PyK {kind} {self.__qualname__}>"

    @public
    def configure(
        self, griddim: object, blockdim: object, stream: object = 0,
        sharedmem: object = 0,
    ) -> _core.Launcher:  # fmt: skip
        """The same as indexing, as a method."""
        return self._configure((griddim, blockdim, stream, sharedmem))

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
        if tpb < 0:
            raise ValueError(
                f"forall expects threads per block (tpb) >= 0 but got {tpb}"
            )
        if ntasks == 0:
            return lambda *args: None
        block = tpb or 128
        return self._configure((-(-ntasks // block), block, stream, sharedmem))

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

    @property
    def extensions(self) -> list[Any]:
        """What may put another value in the place of an argument.

        A list that programs append to; the next launch asks it.
        """
        # Usual launches do not look at it.
        self._forget()
        return self._extensions

    # What the extension calls for all that is not usual.

    def _configure(self, configuration: object) -> _core.Launcher:
        """`kernel[grid, block, stream, shared_bytes]`."""
        form = f"{self.__name__}[grid, block, stream, shared_bytes]"
        if isinstance(configuration, tuple) and len(configuration) > 4:
            raise ValueError(
                f"kernel '{self.__name__}' takes at most 4 values as its "
                f"configuration but got {len(configuration)}: {form}"
            )
        if not isinstance(configuration, tuple) or len(configuration) < 2:
            raise ValueError(
                f"kernel '{self.__name__}' must specify at least the grid "
                f"and the block: {form}"
            )
        if self.device:
            raise RuntimeError(
                "Cannot compile a device function as a kernel: "
                f"'{self.__name__}' can only be called inside a kernel"
            )
        grid, block, stream, shared_bytes = (*configuration, 0, 0)[:4]
        try:
            size = operator.index(shared_bytes)
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
        if self._buffer_options.get("typing") == "narrow":
            _check_narrow(
                _dimensions(grid, "grid"), _dimensions(block, "block")
            )
        core = None
        if not is_unnamed(stream):
            core = core_stream(stream, _devices.current())
        return self._launcher(
            _dimensions(grid, "grid"), _dimensions(block, "block"), core, size
        )

    def _launch(
        self,
        launcher: _core.Launcher,
        args: tuple[object, ...],
        keyword: str | None,
    ) -> None:
        """Launches with any arguments; `keyword` was passed by name."""
        if keyword is not None:
            raise TypeError(
                f"kernel '{self.__name__}' takes positional arguments only "
                f"but got '{keyword}' by name"
            )
        resets = _devices.all_resets()
        device = _devices.activate()
        core = launcher.stream
        if core is not None and core.device_index != device.id:
            raise ValueError(
                f"kernel '{self.__name__}' is launched on a stream of device "
                f"{core.device_index} but the current device is {device.id}"
            )
        stream = 0 if core is None else Stream(core, device)
        missing = len(self._parameters) - len(args)
        if missing > 0 or (missing < 0 and self._rest is None):
            args = self._complete(args)
        after: After = []
        if self._extensions:
            names = self._names(len(args))
            args = tuple(
                self._extended(value, name, stream, after)
                for value, name in zip(args, names, strict=True)
            )
        values: list[Any] = []
        try:
            values = [
                usual(value, name, device, stream, after)
                for value, name in zip(
                    args, self._names(len(args)), strict=True
                )
            ]
            if self._signatures:
                names = self._names(len(values))
                values = _pointers.as_declared(
                    values, names, self._signatures, device
                )
                values = [aligned(value, after) for value in values]
            function, values = self._function_for(
                values, args, device, launcher
            )
            start = time.perf_counter()
            launcher._run(function, tuple(values))
        except TypeError:
            # Another thread may have reset the device since it was activated.
            check_alive(values, self._names(len(values)), device)
            if _devices.all_resets() != resets:
                raise CudaAPIError(
                    400,
                    f"launching kernel '{self.__name__}': a device was reset "
                    "meanwhile; launch it again",
                ) from None
            raise
        except RecursionError:
            for value, name in zip(args, self._names(len(args)), strict=True):
                if nesting(value) >= DEEP:
                    raise ValueError(
                        f"argument '{name}' is a tuple that is nested too "
                        "deeply"
                    ) from None
            raise
        for finish in after:
            finish()
        if options.time:
            (core or device._default_stream).synchronize()
            elapsed = (time.perf_counter() - start) * 1e3
            _compile.times.append(("launch", self.__name__, elapsed))

    def _extended(
        self, value: Any, name: str, stream: object, after: After
    ) -> Any:
        """What the extensions make of an argument; the last one begins."""
        shown = value.value if isinstance(value, ArgHint) else value
        try:
            kind = typeof(shown, name)
        except (NotImplementedError, ValueError):
            kind = types.pyobject
        for extension in reversed(self._extensions):
            kind, value = extension.prepare_args(
                kind, value, stream=stream, retr=after
            )
        return value

    def _names(self, count: int) -> tuple[str, ...]:
        """What to call each of `count` arguments."""
        named = self._parameters
        return (
            *named,
            *(
                f"{self._rest}[{position}]"
                for position in range(count - len(named))
            ),
        )

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

    # Specializations.

    def _function_for(
        self,
        values: list[Any],
        given: Sequence[object],
        device: _devices.Device,
        launcher: _core.Launcher,
    ) -> tuple[_core.Function, list[Any]]:
        """The loaded kernel for a launch, and the values to pass to it.

        The program passed what is in `given` for them.
        """
        shadows = shown = [_shadow(value) for value in values]
        if self._signatures:
            shown = [*map(_as_given, shadows, given)]
        key = self._key(shown)
        if self._signatures and key not in self._declared:
            return self._match(values, shown, shadows, device, launcher)
        # Together, so that a reset between cannot leave a dead function.
        with self._lock:
            try:
                function = self._load(key, device, values, launcher)
            except CompileError as error:
                if self._argument_types:
                    self._say_launch(error, shadows)
                raise
            if key not in self._argument_types:
                names = self._names(len(shadows))
                self._argument_types[key] = tuple(map(typeof, shadows, names))
            # Without, the next launch would not come here.
            if not self._extensions:
                # On the CPU another shape of blocks may have its own code.
                block = launcher.blockdim if device.is_cpu else None
                self._add(function, tuple(values), block)
        return function, values

    def _say_launch(self, error: CompileError, values: Sequence[Any]) -> None:
        """Tells a launch from others, which could be compiled."""
        kinds = map(typeof, values, self._names(len(values)))
        error.add_note_at(
            caller(),
            f"'{self.__name__}' is launched here with "
            f"({', '.join(map(str, kinds))})",
        )

    def _key(self, values: Sequence[object]) -> Key:
        return self._packed([*map(type_of, values, self._names(len(values)))])

    def _packed(self, arguments: Sequence[str]) -> Key:
        """The types of the parameters, of which one may take a tuple."""
        if self._rest is None:
            return tuple(arguments)
        named = len(self._parameters)
        rest = ", ".join(arguments[named:])
        return (*arguments[:named], f"tuple<{rest}>")

    def _load(
        self,
        key: Key,
        device: _devices.Device,
        values: Sequence[Any] | None = None,
        launcher: _core.Launcher | None = None,
    ) -> _core.Function:
        """The kernel for the types in `key`, compiled once for each target.

        It takes for granted what a launch with `values`, if given, does not
        break.
        """
        kinds = self.first_kinds(key)
        block = None if launcher is None else launcher.blockdim
        with self._lock:
            function = self._load_variant(key, device, kinds, block)
            while values is not None and launcher is not None:
                broken = _core.failing(
                    function, tuple(values), launcher.griddim, launcher.blockdim
                )
                left = tuple(kind for kind in kinds if kind not in broken)
                if left == kinds:
                    break
                kinds = left
                function = self._load_variant(key, device, kinds, block)
        return function

    def first_kinds(self, key: Key) -> Kinds:
        """What the kernel takes for granted that is compiled first."""
        kinds = _compile.kinds_to_assume(self._buffer_options)
        # Without gaps an argument of one dimension would be contiguous.
        if not self._signatures and any(map(_has_gaps, key)):
            return tuple(kind for kind in kinds if kind != "strides")
        return kinds

    def _blocks_to_assume(
        self, key: Key, device: _devices.Device, kinds: Kinds, block: Block
    ) -> Block:
        """`block` if a variant should be for such blocks alone."""
        if block is None or not device.is_cpu:
            return None
        fewest = 1 if options.cpu == "simd" else _FEWEST_THREADS
        # Those that are too large are for the launch to refuse.
        if not fewest <= math.prod(block) <= _MOST_THREADS:
            return None
        variant = (key, device.id, kinds)
        refused = {other[3] for other in self._refused if other[:3] == variant}
        known = {
            other[3] for other in self._functions
            if other[:3] == variant and other[3] is not None
        }  # fmt: skip
        if block in refused:
            return None
        if block in known or len(known | refused) < _MOST_BLOCKS:
            return block
        return None

    def _load_variant(
        self,
        key: Key,
        device: _devices.Device,
        kinds: Kinds,
        block: Block,
    ) -> _core.Function:
        with self._lock:
            block = self._blocks_to_assume(key, device, kinds, block)
            function = self._functions.get((key, device.id, kinds, block))
            if function is None:
                kernel = self._compile(key, device, kinds, block)
                if block is not None and not kernel.has_block_shape:
                    self._refused.add((key, device.id, kinds, block))
                    block = None
                    function = self._functions.get(
                        (key, device.id, kinds, None)
                    )
            if function is None:
                check_captured(kernel.held, device)
                function = kernel.load(
                    device._core,
                    self._max_registers,
                    kernel.describe,
                    opt=self._level_of_driver(),
                    line_info=bool(self._buffer_options.get("lineinfo")),
                    debug_info=bool(self._buffer_options.get("debug")),
                    link=[]
                    if device.is_cpu
                    else files_for_gpu(kernel.link, device.chip),
                )
                self._functions[key, device.id, kinds, block] = function
        return function

    def _level_of_driver(self) -> int:
        """How much the driver optimizes; -1 is all that it can."""
        if self._buffer_options.get("debug"):
            # It can be asked for nothing else then.
            return 0
        level = int(self._buffer_options.get("opt", 3))
        return -1 if level == 3 else level

    def _compile(
        self,
        key: Key,
        device: _devices.Device,
        kinds: Kinds | None = None,
        block: Block = None,
    ) -> _core.Module:
        """The compiled kernel; without `kinds`, its first variant."""
        if kinds is None:
            kinds = self.first_kinds(key)
        target = "cpu" if device.is_cpu else device.chip
        kernel = self._kernels.get((key, target, kinds, block))
        if kernel is None:
            is_first = kinds == self.first_kinds(key) and not any(
                other[:3] == (key, target, kinds) for other in self._kernels
            )
            kernel = _compile.compile_kernel(
                self,
                key,
                self._buffer_options,
                device,
                kinds,
                block,
                is_first,
                self._sources,
            )
            self._kernels[key, target, kinds, block] = kernel
        return kernel

    def _specialized_for(self, signature: types.Signature) -> Dispatcher:
        """The same kernel, for one signature alone."""
        return Dispatcher(
            self.py_func,
            buffer_options=self._buffer_options,
            signatures=[signature],
            is_specialized=True,
            max_registers=self._max_registers,
            extensions=self._extensions,
        )

    def _unload(self, device: _devices.Device) -> None:
        """Forgets what was loaded on a device that is reset."""
        with self._lock:
            self._forget()
            for variant in list(self._functions):
                if variant[1] == device.id:
                    del self._functions[variant]

    # Explicit signatures.

    def _check_signature(self, signature: types.Signature) -> None:
        if self.device and self._rest is not None:
            raise TypeError(
                f"'{self.__name__}' has a '*' parameter, '{self._rest}', which "
                "the signature of a device function cannot declare"
            )
        if not self.device and signature.return_type not in (None, types.void):
            raise TypeError(
                "CUDA kernel must have void return type but the signature "
                f"{signature} returns {signature.return_type}"
            )
        for arg in signature.args:
            if not self.device and isinstance(arg, types.Optional):
                raise TypeError(
                    f"a kernel cannot take {arg}; leave the signature out, and "
                    "it is compiled for what it gets"
                )
        count = len(signature.args) - len(self._parameters)
        if count < 0 or (count > 0 and self._rest is None):
            raise TypeError(
                f"signature {signature} has {len(signature.args)} types for "
                f"the {len(self._parameters)} parameters of "
                f"'{self.__name__}' ({', '.join(self._parameters)})"
            )

    def _match(
        self,
        values: list[Any],
        shown: Sequence[object],
        shadows: Sequence[object],
        device: _devices.Device,
        launcher: _core.Launcher,
    ) -> tuple[_core.Function, list[Any]]:
        """What the declared signatures make of `values`."""
        names = self._names(len(values))
        signature, cast = _signatures.match(
            self.__name__,
            self._signatures,
            self._is_specialized,
            [*map(_signatures.Argument, names, shown, shadows)],
        )
        key = self._packed([arg.mlir for arg in signature.args])
        passed = [*map(_passed, values, cast)]
        return self._load(key, device, passed, launcher), passed


def _restore(
    function: Callable[..., Any],
    device: bool,
    buffer_options: dict[str, Any],
    signatures: Sequence[types.Signature],
    is_specialized: bool,
    max_registers: int,
    extensions: Sequence[Any],
) -> Dispatcher:
    """A dispatcher from another process; it is compiled when it is needed."""
    dispatcher = Dispatcher(
        function,
        device=device,
        buffer_options=buffer_options,
        max_registers=max_registers,
        extensions=extensions,
    )
    dispatcher._declare(signatures, is_specialized)
    return dispatcher


def _configured(dispatcher: Dispatcher, *configuration: Any) -> _core.Launcher:
    return dispatcher[configuration]


def _reduce_launcher(launcher: _core.Launcher) -> tuple[Any, ...]:
    """A launch configuration without a stream can go elsewhere, too."""
    name = launcher.dispatcher.__name__
    if launcher.stream is not None:
        raise TypeError(
            f"cannot pickle a launch of kernel '{name}' on a stream, which is "
            "one of this process"
        )
    return _configured, (
        launcher.dispatcher,
        launcher.griddim,
        launcher.blockdim,
        0,
        launcher.sharedmem,
    )


copyreg.pickle(_core.Launcher, _reduce_launcher)


def _unload_all(device: _devices.Device) -> None:
    for dispatcher in list(_dispatchers):
        dispatcher._unload(device)


_devices.on_reset.append(_unload_all)
_core.initialize(DeviceNDArray, Stream, None if full_traceback() else trim)
