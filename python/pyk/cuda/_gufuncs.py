# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generalized universal functions: a function of arrays, for arrays of them.

The last dimensions of each argument, the core, are what the function gets; what
is left is a loop, by the rules of broadcasting, whose iterations are threads.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyk import types
from pyk._boundary import public
from pyk.cuda import _compile, _devices, _kernels, _pickling
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._broadcast import (
    Shape,
    broadcast_strides,
    common_shape,
    merge,
    meta,
    view,
)
from pyk.cuda._creation import device_array, to_device
from pyk.cuda._devices import Device
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._jit import jit
from pyk.cuda._layout import AnyArray
from pyk.cuda._loops import WEAK, Loop, choose
from pyk.cuda._transfers import copy_out
from pyk.cuda._universal import Universal

#: Names of core dimensions of one argument.
Core = tuple[str, ...]

#: Threads of a block, of the CPU and of a GPU.
_THREADS_OF_CPU, _THREADS = 16, 128

_ARGUMENT = r"\(((?:\w+(?:,\w+)*)?)\)"
_ARGUMENTS = rf"{_ARGUMENT}(?:,{_ARGUMENT})*"
_LAYOUT = re.compile(rf"(?:{_ARGUMENTS})?->{_ARGUMENTS}")


def parse_layout(text: str) -> tuple[list[Core], list[Core]]:
    """The core dimensions of inputs and outputs.

    >>> parse_layout("(m, n), (n) -> (m)")
    ([('m', 'n'), ('n',)], [('m',)])
    """
    plain = re.sub(r"\s", "", text) if isinstance(text, str) else ""
    if not _LAYOUT.fullmatch(plain):
        raise ValueError(
            "guvectorize expects core dimensions such as '(m,n),(n)->(m)' but "
            f"got {text!r}"
        )
    inputs, outputs = (
        [
            tuple(names.split(",")) if names else ()
            for names in re.findall(_ARGUMENT, side)
        ]
        for side in plain.split("->")
    )
    known = {name for names in inputs for name in names}
    missing = {
        name
        for names in outputs
        for name in names
        if name not in known and not name.isdigit()
    }
    if missing:
        raise NameError(
            f"undefined output symbols: {','.join(sorted(missing))}"
        )
    return inputs, outputs


class GUFunc(Universal):
    """A function of arrays, for arrays of more dimensions.

    >>> from pyk import cuda
    >>> @cuda.guvectorize(["(float64[:], float64[:])"], "(n)->()")
    ... def spread(x, out):
    ...     out[0] = x.max() - x.min()
    >>> spread(np.array([[1.0, 2.0, 4.0], [5.0, 5.0, 5.0]]))
    array([3., 0.])
    """

    _kind = "gufunc"

    def __init__(
        self,
        py_func: Callable[..., Any],
        signatures: Sequence[types.Signature],
        signature: str,
        target: str,
        identity: object = None,
        writable_args: Sequence[int | str] = (),
    ) -> None:
        super().__init__(py_func, signatures, target, identity)
        self.signature = signature
        self._cores, self._output_cores = parse_layout(signature)
        self.nin = len(self._cores)
        self.nout = len(self._output_cores)
        #: No block of a launch has more threads.
        self.max_blocksize = 2**30
        parameters = Dispatcher(py_func, device=True)._parameters.named
        if len(parameters) != self.nargs:
            raise TypeError(
                f"guvectorize expects {self.nargs} parameters for {signature} "
                f"but '{self.__name__}' has {len(parameters)}"
            )
        self._writable = {
            self._place(entry, parameters[: self.nin])
            for entry in writable_args
        }

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _pickling.reduce(
            self,
            _restore,
            type(self),
            self.max_blocksize,
            self._signatures,
            self.signature,
            self._target_name,
            self.identity,
            tuple(self._writable),
        )

    def _place(self, entry: int | str, inputs: Sequence[str]) -> int:
        """The input that an entry of `writable_args` names."""
        if isinstance(entry, str) and entry in inputs:
            return inputs.index(entry)
        if isinstance(entry, int) and 0 <= entry < self.nin:
            return entry
        raise ValueError(
            f"writable_args expects inputs of '{self.__name__}', names or "
            f"numbers from 0, but got {entry!r}"
        )

    def _make_loop(self, signature: types.Signature) -> Loop:
        if signature.return_type not in (None, types.void):
            raise TypeError(
                "guvectorized functions cannot return values: signature "
                f"{signature} specifies {signature.return_type} return type"
            )
        if len(signature.args) != self.nargs:
            raise TypeError(
                f"signature {signature} has {len(signature.args)} types for "
                f"the {self.nargs} arguments of {self.signature}"
            )
        dtypes = []
        is_number = []
        cores = [*self._cores, *self._output_cores]
        for place, (declared, core) in enumerate(
            zip(signature.args, cores, strict=True)
        ):
            ndim = getattr(declared, "ndim", 0)
            # One element may be a number, or an array of one dimension.
            fits = ndim == (len(core) or 1)
            if not core and place < self.nin:
                fits = ndim <= 1
            if not fits:
                raise TypeError(
                    f"signature {signature} has {declared} for argument "
                    f"{place + 1} of {self.signature}, whose core is "
                    f"({','.join(core)})"
                )
            element: Any = declared
            if isinstance(declared, types.Array):
                element = declared.dtype
            dtypes.append(element.dtype)
            is_number.append(ndim == 0)
        return Loop(
            self._compiled(signature.args),
            tuple(dtypes[: self.nin]),
            tuple(dtypes[self.nin :]),
            tuple(is_number),
        )

    def _compiled(self, args: tuple[types.Type, ...]) -> Any:
        """What a kernel calls for each core."""
        op = jit(types.Signature(None, args), device=True)(self.py_func)
        result = _compile.infer_result(
            op, [arg.mlir for arg in args], op._buffer_options
        )
        self._check_result(result)
        return op

    def _check_result(self, result: str) -> None:
        """Raises TypeError if the function returns what would be lost.

        An array that it returns is one that it was given, such as its output:
        nothing is lost, and Numba takes it.
        """
        if result == types.none.mlir or result.startswith("!pyk.array<"):
            return
        kind = result.partition("<")[0].removeprefix("!py.")
        code = self.py_func.__code__
        raise TypeError(
            "guvectorized functions cannot return values: "
            f"'{self.__name__}' returns {types.from_text(result) or kind}; "
            f"store it in '{code.co_varnames[self.nargs - 1]}' "
            f"({code.co_filename}:{code.co_firstlineno})"
        )

    @public
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """The function of each core, after broadcasting."""
        outputs, stream = self._outputs(args, keywords)
        inputs = [
            value if type(value) in WEAK else self._input(value)
            for value in args[: self.nin]
        ]
        targets = [
            None if out is None else self._target_of(out) for out in outputs
        ]
        loop = self._loop(inputs, targets)
        if self._is_of_cuda or _devices.activate().is_cpu:
            device = _devices.activate()
            found = self._compute(loop, inputs, targets, stream, device)
        else:
            with _devices.on_cpu() as device:
                found = self._compute(loop, inputs, targets, stream, device)
        results = tuple(
            result if given is None else given
            for result, given in zip(found, outputs, strict=True)
        )
        return results[0] if self.nout == 1 else results

    # Types.

    def _loop(self, inputs: list[Any], targets: list[Any]) -> Loop:
        given = tuple(map(self._given, inputs))
        if not self._is_dynamic:
            found = self._chosen.get(given)
            if found is None:
                found = self._choose(given, inputs)
                self._chosen[given] = found
            return found
        if any(target is None for target in targets):
            raise TypeError(
                f"{self.__name__}() has no signatures, so it expects its "
                "outputs as arguments, too"
            )
        key = tuple(np.dtype(item) for item in given)
        key += tuple(target.dtype for target in targets)
        found = self._chosen.get(key)
        if found is None:
            found = self._make_loop(self._signature_for(key))
            self._chosen[key] = found
            self._loops.append(found)
        return found

    def _given(self, value: Any) -> Any:
        if type(value) in WEAK:
            return type(value)
        if self._is_of_cuda and isinstance(value, np.generic):
            # A number of the host is converted to what is declared.
            for kind in WEAK:
                if isinstance(value.item(), kind) and value.dtype.kind != "b":
                    return kind
        return value.dtype

    def _choose(self, given: tuple[Any, ...], inputs: list[Any]) -> Loop:
        try:
            return choose(self.__name__, self._loops, given, self._is_of_cuda)
        except TypeError as error:
            if not any(isinstance(value, DeviceNDArray) for value in inputs):
                raise
            raise TypeError(
                f"{error}; a device array does not support .astype()"
            ) from None

    def _signature_for(self, dtypes: Sequence[np.dtype[Any]]) -> Any:
        """Arrays of these dtypes, but numbers for inputs without a core."""
        cores = [*self._cores, *self._output_cores]
        args: list[types.Type] = []
        for place, (dtype, core) in enumerate(zip(dtypes, cores, strict=True)):
            element = types.from_dtype(dtype)
            if core or place >= self.nin:
                args.append(types.Array(element, len(core) or 1, "A"))
            else:
                args.append(element)
        return types.Signature(None, tuple(args))

    # Shapes.

    def _shapes(
        self, inputs: list[Any], targets: list[Any]
    ) -> tuple[Shape, list[Shape]]:
        """The shape of the loop, and those of the outputs' cores."""
        sizes: dict[str, int] = {}
        outer = []
        for place, (array, core) in enumerate(
            zip(inputs, self._cores, strict=True)
        ):
            outer.append(self._bind(array.shape, core, sizes, place))
        shape = common_shape(self.__name__, outer)
        for place, (target, core) in enumerate(
            zip(targets, self._output_cores, strict=True), self.nin
        ):
            if target is None:
                continue
            own = self._bind(target.shape, core, sizes, place)
            if self._is_of_cuda:
                # To Numba, a loop of one iteration is none if the output has
                # none.
                while len(shape) > len(own) and shape[0] == 1:
                    shape = shape[1:]
            whole = common_shape(self.__name__, [shape, own])
            if whole != own:
                raise ValueError(
                    f"{self.__name__}: argument {place + 1} has shape "
                    f"{target.shape}, but the loop over the inputs has {shape}"
                )
            shape = whole
        return shape, [
            tuple(int(name) if name.isdigit() else sizes[name] for name in core)
            for core in self._output_cores
        ]

    def _bind(
        self, shape: Shape, core: Core, sizes: dict[str, int], place: int
    ) -> Shape:
        """Notes sizes of core dimensions; gives the others."""
        split = len(shape) - len(core)
        if split < 0:
            raise ValueError(
                f"{self.__name__}: argument {place + 1} has shape {shape}, "
                f"fewer dimensions than its core ({','.join(core)}) of "
                f"{self.signature}"
            )
        for name, size in zip(core, shape[split:], strict=True):
            expected = sizes.setdefault(
                name, int(name) if name.isdigit() else size
            )
            if size != expected:
                raise ValueError(
                    f"{self.__name__}: argument {place + 1} has size {size} in "
                    f"its core dimension {name} of {self.signature}, but it is "
                    f"{expected}"
                )
        return shape[:split]

    # Launches.

    def _compute(
        self,
        loop: Loop,
        inputs: list[Any],
        targets: list[Any],
        stream: object,
        device: Device,
    ) -> list[Any]:
        """The outputs: those that were passed, else new ones."""
        after: list[Callable[[], object]] = []
        inputs = [
            dtype.type(value)
            if type(value) in WEAK or isinstance(value, np.generic)
            else value
            for value, dtype in zip(inputs, loop.inputs, strict=True)
        ]
        shape, cores = self._shapes(inputs, targets)
        on_device = any(isinstance(a, DeviceNDArray) for a in inputs)
        results = list(targets)
        for place, (dtype, core) in enumerate(
            zip(loop.outputs, cores, strict=True)
        ):
            if results[place] is not None:
                continue
            if on_device:
                results[place] = device_array(
                    shape + core, dtype, stream=stream
                )
            else:
                results[place] = np.empty(shape + core, dtype)
        there = [
            self._source(a, place, loop, results, stream, device, after)
            for place, a in enumerate(inputs)
        ]
        there += [
            self._target(a, dtype, stream, device, after)
            for a, dtype in zip(results, loop.outputs, strict=True)
        ]
        count = math.prod(shape)
        if count:
            self._launch(loop, there, shape, count, stream, device)
        for finish in after:
            finish()
        return [
            result[()]
            if given is None and isinstance(result, np.ndarray)
            else result
            for result, given in zip(results, targets, strict=True)
        ]

    def _source(
        self,
        value: Any,
        place: int,
        loop: Loop,
        results: list[Any],
        stream: object,
        device: Device,
        after: list[Callable[[], object]],
    ) -> Any:
        """The array that a kernel reads for an input."""
        dtype = loop.inputs[place]
        is_written = place in self._writable
        if isinstance(value, DeviceNDArray):
            if value.dtype != dtype:
                raise TypeError(
                    f"argument {place + 1} of {self.__name__}() is a device "
                    f"array of {value.dtype} where {dtype} is declared; a "
                    "device array does not support .astype()"
                )
            return value
        given = np.asarray(value)
        source = given.astype(dtype, copy=False)
        if not is_written and any(
            np.may_share_memory(source, meta(result)) for result in results
        ):
            source = source.copy()
        if is_written and not given.flags.writeable:
            raise ValueError(
                f"argument {place + 1} of {self.__name__}() is one of "
                "writable_args but cannot be written"
            )
        there: Any = source
        if not device.is_cpu:
            there = to_device(np.asarray(source, order="C"), stream)
            if is_written:
                after.append(lambda: _copy_back(there, source, stream))
        if is_written and source is not given:
            after.append(lambda: np.copyto(given, source, casting="unsafe"))
        return there

    def _target(
        self,
        result: Any,
        dtype: np.dtype[Any],
        stream: object,
        device: Device,
        after: list[Callable[[], object]],
    ) -> Any:
        """The array that a kernel writes for an output."""
        self._check_cast(dtype, meta(result))
        if isinstance(result, DeviceNDArray):
            if result.dtype != dtype:
                raise TypeError(
                    f"out of {self.__name__}() expects a device array of "
                    f"{dtype} but got one of {result.dtype}"
                )
            return result
        target = result.astype(dtype, copy=False)
        there: Any = target
        if not device.is_cpu:
            there = to_device(np.asarray(target, order="C"), stream)
            after.append(lambda: _copy_back(there, target, stream))
        if target is not result:
            after.append(lambda: np.copyto(result, target, casting="same_kind"))
        return there

    def _launch(
        self,
        loop: Loop,
        arrays: list[Any],
        shape: Shape,
        count: int,
        stream: object,
        device: Device,
    ) -> None:
        cores = [*map(len, self._cores), *map(len, self._output_cores)]
        for place, is_one in enumerate(loop.is_number):
            if not cores[place] and not is_one:
                # An array of one element, where the core has none.
                arrays[place] = arrays[place][..., None]
                cores[place] = 1
        splits = [a.ndim - core for a, core in zip(arrays, cores, strict=True)]
        for place, split in enumerate(splits):
            if split > len(shape):
                whole = (*[0] * (split - len(shape)), ...)
                arrays[place] = arrays[place][whole]
                splits[place] = len(shape)
        extents = shape
        if shape:
            metas = [*map(meta, arrays)]
            extents, strides = merge(
                shape,
                [
                    broadcast_strides(m.shape[:split], m.strides[:split], shape)
                    for m, split in zip(metas, splits, strict=True)
                ],
            )
            arrays = [
                view(
                    a,
                    extents + m.shape[split:],
                    own + m.strides[split:],
                )
                for a, m, own, split in zip(
                    arrays, metas, strides, splits, strict=True
                )
            ]
        key = loop.inputs, loop.outputs, len(extents)
        kernel = self._kernels.get(key)
        if kernel is None:
            kernel = _kernels.generalized(loop.op, len(extents), loop.is_number)
            self._kernels[key] = kernel
        most = _THREADS_OF_CPU if device.is_cpu else _THREADS
        threads = min(count, most, self.max_blocksize)
        kernel[-(-count // threads), threads, stream](count, *arrays)


def _copy_back(there: DeviceNDArray, array: AnyArray, stream: object) -> None:
    copy_out(there._meta(), array, there._device, stream)


def _restore(
    py_func: Callable[..., Any],
    kind: type[GUFunc],
    max_blocksize: int,
    *options: Any,
) -> GUFunc:
    """A function that was pickled."""
    found = kind(py_func, *options)
    found.max_blocksize = max_blocksize
    return found
