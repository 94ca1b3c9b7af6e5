# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as the host sees them: configure, compile on demand, launch.

One kernel is compiled for each tuple of argument types and kept. Usual launches
of kernels that exist happen in the extension (python/ext/Launch.cpp); here is
what comes before the first one, and what is unusual.
"""

from __future__ import annotations

import copyreg
import functools
import operator
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyk import _core, _missing, _signatures, types
from pyk._argument_types import check_nesting
from pyk._boundary import public
from pyk._environment import full_traceback
from pyk._errors import (
    CompileError,
    CudaAPIError,
    caller,
    trim,
)
from pyk._frontend import _source
from pyk._options import options
from pyk._typeof import typeof
from pyk.cuda import _compile, _devices, _pickling, _pointers
from pyk.cuda._arguments import (
    ArgHint,
    aligned,
    check_alive,
    moved,
    same_tuple,
)
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._comparison import Comparison, comparison_lock
from pyk.cuda._copies import After
from pyk.cuda._inspect import Inspectable
from pyk.cuda._parameters import Key, Parameters
from pyk.cuda._remainders import warn_of_remainder
from pyk.cuda._streams import Stream, core_stream, is_unnamed
from pyk.cuda._variants import Variants

_INT32_MAX = 2**31 - 1
# What kernels of narrow typing count to.
_NARROW_MAX = _core.limits()["narrow"] - 1

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
    return aligned(given, After()) if isinstance(given, np.ndarray) else shadow


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
            remedy = ""
            if isinstance(entry, (float, np.floating)):
                remedy = "; round up with (n + threads - 1) // threads"
            raise TypeError(
                f"{what} expects ints but got {entry!r} of {type(entry)}"
                f"{remedy}"
            ) from None
        if not 1 <= size <= _INT32_MAX:
            remedy = ""
            if size < 1:
                remedy = (
                    "; launch nothing for no elements, and compute a number "
                    "of blocks as (n + threads - 1) // threads"
                )
            raise ValueError(
                f"{what} expects dimensions from 1 to {_INT32_MAX} but got "
                f"{size}{remedy}"
            )
        sizes.append(size)
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


def _count(value: object, what: str) -> int:
    """A number that is passed to `forall`."""
    try:
        found = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(
            f"forall expects {what}, an int, but got {value!r}"
        ) from None
    if found < 0:
        raise ValueError(f"forall expects {what} >= 0 but got {found}")
    return found


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

    __getattr__ = _missing.attribute_of

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
        _source.keep(py_func)
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
        self._variants = Variants(self, self._buffer_options, max_registers)
        self._argument_types: dict[Key, tuple[types.Type, ...]] = {}
        self._parameters = Parameters(py_func)
        functools.update_wrapper(self, py_func)
        self._declared: set[Key] = set()
        if device:
            # What a device function is asked for is always refused.
            self._use_python()
        self._declare(signatures, is_specialized)
        for key in self._argument_types:
            self._variants.declare(key, _devices.current())
        _dispatchers.add(self)

    def _declare(
        self, signatures: Sequence[types.Signature], is_specialized: bool
    ) -> None:
        """Says what it is for, before anything is compiled."""
        for signature in signatures:
            self._parameters.check(signature, self.device)
        if self.device:
            self.declared = list(signatures)
            return
        self._signatures = list(signatures)
        self._is_specialized = is_specialized
        self._variants.is_declared = bool(signatures)
        for signature in signatures:
            key = self._parameters.packed([arg.mlir for arg in signature.args])
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
        tasks = _count(ntasks, "a number of tasks")
        block = _count(tpb, "threads per block (tpb)") or 128
        if tasks == 0:
            return lambda *args: None
        return self._configure((-(-tasks // block), block, stream, sharedmem))

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
                f"'{self.__name__}' can only be called inside a kernel; launch "
                "one that calls it, or leave device=True out"
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
        if not options.compare:
            _launch(self, launcher, args, keyword)
            return
        with comparison_lock:
            _launch(self, launcher, args, keyword)

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
        key = self._parameters.key(shown)
        if self._signatures and key not in self._declared:
            return self._match(values, shown, shadows, device, launcher)
        # Together, so that a reset between cannot leave a dead function.
        with self._variants.lock:
            try:
                function = self._variants.load(key, device, values, launcher)
            except CompileError as error:
                if self._argument_types:
                    _say_launch(error, self, shadows)
                raise
            if key not in self._argument_types:
                names = self._parameters.names(len(shadows))
                self._argument_types[key] = tuple(map(typeof, shadows, names))
            # Without, the next launch would not come here.
            if not self._extensions:
                # On the CPU another shape of blocks may have its own code.
                block = launcher.blockdim if device.is_cpu else None
                self._add(function, tuple(values), block)
        return function, values

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
        with self._variants.lock:
            self._forget()
            self._variants.unload(device)

    # Explicit signatures.

    def _match(
        self,
        values: list[Any],
        shown: Sequence[object],
        shadows: Sequence[object],
        device: _devices.Device,
        launcher: _core.Launcher,
    ) -> tuple[_core.Function, list[Any]]:
        """What the declared signatures make of `values`."""
        names = self._parameters.names(len(values))
        signature, cast = _signatures.match(
            self.__name__,
            self._signatures,
            self._is_specialized,
            [*map(_signatures.Argument, names, shown, shadows)],
        )
        key = self._parameters.packed([arg.mlir for arg in signature.args])
        passed = [*map(_passed, values, cast)]
        return self._variants.load(key, device, passed, launcher), passed


def _launch(
    kernel: Dispatcher,
    launcher: _core.Launcher,
    args: tuple[object, ...],
    keyword: str | None,
) -> None:
    """What `Dispatcher._launch` does, while nothing else is compared."""
    if keyword is not None:
        raise TypeError(
            f"kernel '{kernel.__name__}' takes positional arguments only "
            f"but got '{keyword}' by name; pass it at its place: "
            f"({', '.join(kernel._parameters.named)})"
        )
    resets = _devices.all_resets()
    device = _devices.activate()
    core = launcher.stream
    if core is not None and core.device_index != device.id:
        raise ValueError(
            f"kernel '{kernel.__name__}' is launched on a stream of device "
            f"{core.device_index} but the current device is {device.id}"
        )
    stream = 0 if core is None else Stream(core, device)
    if not kernel._parameters.fit(len(args)):
        args = kernel._parameters.complete(args)
    # What extensions ask for comes last: it may read host arrays.
    after, last = After(), After()
    if kernel._extensions:
        names = kernel._parameters.names(len(args))
        args = tuple(
            _extended(value, name, kernel._extensions, stream, last)
            for value, name in zip(args, names, strict=True)
        )
    values: list[Any] = []
    try:
        names = kernel._parameters.names(len(args))
        args, values = _moved(
            args, names, kernel._signatures, device, stream, after
        )
        function, values = kernel._function_for(values, args, device, launcher)
        if not device.is_cpu:
            after.unwritten = _core.unwritten(function, tuple(values))
        warn_of_remainder(
            kernel.py_func, launcher.griddim, launcher.blockdim, args
        )
        comparison = None
        if options.compare and "cpu" not in kernel._buffer_options:
            comparison = Comparison(kernel, launcher, names, args, device)
        start = time.perf_counter()
        raised = launcher._run(function, tuple(values))
    except TypeError:
        # Another thread may have reset the device since it was activated.
        if values:
            check_alive(args, names, device)
        if _devices.all_resets() != resets:
            raise CudaAPIError(
                400,
                f"launching kernel '{kernel.__name__}': a device was reset "
                "meanwhile; launch it again",
            ) from None
        raise
    except RecursionError:
        check_nesting(args, kernel._parameters.names(len(args)))
        raise
    # Arrays of the host get what the threads have stored, on a GPU as on
    # the CPU, also if one of them has failed.
    for finish in (*after, *last):
        finish()
    if comparison is not None:
        comparison.check(raised)
    if raised is not None:
        raise raised
    if options.time:
        (core or device._default_stream).synchronize()
        elapsed = (time.perf_counter() - start) * 1e3
        _compile.times.append(("launch", kernel.__name__, elapsed))


def _moved(
    args: tuple[object, ...],
    names: Sequence[str],
    signatures: Sequence[types.Signature],
    device: _devices.Device,
    stream: object,
    after: After,
) -> tuple[tuple[object, ...], list[Any]]:
    """`args` as `signatures` take them, and what the launch takes for them."""
    if not signatures:
        return args, moved(args, names, device, stream, after)
    written_back = After()
    args = tuple(aligned(value, written_back) for value in args)
    values = moved(args, names, device, stream, after)
    # From what the device copies back first.
    after += written_back
    return args, _pointers.as_declared(values, names, signatures, device)


def _extended(
    value: Any,
    name: str,
    extensions: Sequence[Any],
    stream: object,
    after: After,
) -> Any:
    """What `extensions` make of an argument; the last one begins."""
    shown = value.value if isinstance(value, ArgHint) else value
    try:
        kind = typeof(shown, name)
    except (NotImplementedError, ValueError):
        kind = types.pyobject
    for extension in reversed(extensions):
        kind, value = extension.prepare_args(
            kind, value, stream=stream, retr=after
        )
    return value


def _say_launch(
    error: CompileError, kernel: Dispatcher, values: Sequence[Any]
) -> None:
    """Tells a launch from others, which could be compiled."""
    kinds = map(typeof, values, kernel._parameters.names(len(values)))
    error.add_note_at(
        caller(),
        f"'{kernel.__name__}' is launched here with "
        f"({', '.join(map(str, kinds))})",
    )


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
# Each launch is compared, or timed.
_core.observe_launches(options.compare)
