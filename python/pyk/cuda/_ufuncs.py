# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Universal functions: a function of numbers, for arrays of any shape.

What is computed where follows from the arguments: with an array of a device
among them the result stays on the device, else it is an array of the host, or a
number. On the CPU kernels work on the memory of host arrays.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyk import types
from pyk._boundary import public
from pyk._dispatcher import Dispatcher
from pyk.cuda import _devices, _kernels
from pyk.cuda._arrays import (
    DeviceNDArray,
    device_array,
    new_like,
    to_device,
)
from pyk.cuda._broadcast import (
    Shape,
    as_array,
    broadcast_strides,
    common_shape,
    merge,
    meta,
    overlaps,
    view,
)
from pyk.cuda._devices import Device
from pyk.cuda._layout import AnyArray
from pyk.cuda._loops import WEAK, Loop, choose, scalar_loop

#: Threads of a block: of the CPU, of a GPU, and there along rows.
_THREADS_OF_CPU, _THREADS, _WIDTH = 1024, 256, 32

#: How many elements a block computes, about, where there are rows.
_ELEMENTS_OF_ROWS = 4096


class Universal:
    """What universal functions of all kinds have."""

    __name__: str
    #: What messages call it.
    _kind = "ufunc"

    def __init__(
        self, py_func: Callable[..., Any], target: str, identity: object
    ) -> None:
        wrapper: Any = self
        functools.update_wrapper(wrapper, py_func)
        self._py_func = py_func
        self._is_of_cuda = target == "cuda"
        self.identity = identity
        self.nin = 0
        self.nout = 1
        self._loops: list[Loop] = []
        self._chosen: dict[tuple[object, ...], Loop] = {}
        self._kernels: dict[tuple[object, ...], Dispatcher] = {}

    def __repr__(self) -> str:
        return f"<PyK universal function '{self.__name__}'>"

    @property
    def nargs(self) -> int:
        """How many arguments it has, the outputs included."""
        return self.nin + self.nout

    @property
    def types(self) -> list[str]:
        """The types that it has been compiled for, as NumPy writes them."""
        return [loop.characters for loop in self._loops]

    @property
    def ntypes(self) -> int:
        """How many combinations of types it has."""
        return len(self._loops)

    def _outputs(
        self, args: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[list[Any], object]:
        """What was passed for the results, and the stream."""
        given = len(args) - self.nin
        if given < 0 or given > self.nout:
            raise TypeError(self._wrong_count(len(args)))
        stream = keywords.pop("stream", 0) if self._is_of_cuda else 0
        out = keywords.pop("out", None)
        if keywords:
            raise TypeError(
                f"{self.__name__}() got an unexpected keyword argument "
                f"'{next(iter(keywords))}'; it takes out"
                f"{' and stream' * self._is_of_cuda}"
            )
        if out is not None and given:
            raise ValueError(
                "cannot specify argument 'out' as both positional and keyword"
            )
        outputs = list(args[self.nin :])
        if out is not None:
            outputs = list(out) if isinstance(out, tuple) else [out]
            if len(outputs) != self.nout:
                raise ValueError(
                    f"out of {self.__name__}() expects {self.nout} arrays but "
                    f"got {len(outputs)}"
                )
        return outputs + [None] * (self.nout - len(outputs)), stream

    def _wrong_count(self, given: int) -> str:
        def count(number: int) -> str:
            return f"{number} positional argument{'s' * (number != 1)}"

        return (
            f"{self.__name__}: this {self._kind} accepts {count(self.nin)} "
            f"(inputs only) or {count(self.nargs)} (inputs and outputs). Got "
            f"{count(given)}."
        )

    def _target_of(self, out: Any) -> Any:
        """The array that was passed for a result."""
        if isinstance(out, np.ndarray) or hasattr(
            out, "__cuda_array_interface__"
        ):
            target = (
                out if isinstance(out, np.ndarray) else as_array(out, "out")
            )
            if self._is_of_cuda or isinstance(target, np.ndarray):
                if not meta(target).flags.writeable:
                    raise ValueError(
                        f"out of {self.__name__}() expects an array that can "
                        "be written"
                    )
                return target
        raise TypeError(
            f"out of {self.__name__}() expects a NumPy array"
            f"{' or a device array' * self._is_of_cuda} but got {type(out)}"
        )

    def _check_cast(self, dtype: np.dtype[Any], target: AnyArray) -> None:
        if not np.can_cast(dtype, target.dtype, "same_kind"):
            raise TypeError(
                f"{self.__name__}() yields {dtype}, which cannot be stored in "
                f"an array of {target.dtype}"
            )

    def _input(self, value: Any) -> Any:
        """What computes with an argument."""
        found = as_array(value, f"an argument of {self.__name__}()")
        if isinstance(found, DeviceNDArray):
            if not self._is_of_cuda:
                return np.asarray(found)
            device = _devices.current()
            if found._device is not device:
                raise ValueError(
                    f"an argument of {self.__name__}() is on device "
                    f"{found._device.id} but the current one is {device.id}"
                )
        return found


class UFunc(Universal):
    """A function of numbers for arrays of numbers.

    >>> from pyk import cuda
    >>> @cuda.vectorize(["float32(float32, float32)"])
    ... def mean(a, b):
    ...     return (a + b) / 2
    >>> mean(np.arange(3, dtype=np.float32), 1)
    array([0.5, 1. , 1.5], dtype=float32)
    """

    #: What NumPy has for functions without core dimensions.
    signature = None

    def __init__(
        self,
        py_func: Callable[..., Any],
        signatures: Sequence[types.Signature],
        target: str,
        identity: object,
    ) -> None:
        super().__init__(py_func, target, identity)
        self._is_dynamic = not signatures
        self.nin = py_func.__code__.co_argcount
        for signature in signatures:
            self._loops.append(scalar_loop(py_func, signature))

    @public
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """The function of each element, after broadcasting."""
        (out,), stream = self._outputs(args, keywords)
        given: list[Any] = []
        inputs: list[Any] = []
        for value in args[: self.nin]:
            if type(value) in WEAK:
                given.append(type(value))
            else:
                value = self._input(value)
                given.append(value.dtype)
            inputs.append(value)
        loop = self._loop(tuple(given))
        for place, value in enumerate(inputs):
            if type(value) in WEAK:
                inputs[place] = loop.inputs[place].type(value)
        if self._is_of_cuda or _devices.activate().is_cpu:
            device = _devices.activate()
            return self._compute(loop, inputs, out, stream, device)
        with _devices.on_cpu() as device:
            return self._compute(loop, inputs, out, stream, device)

    def _loop(self, given: tuple[Any, ...]) -> Loop:
        found = self._chosen.get(given)
        if found is None:
            if self._is_dynamic:
                found = self._new_loop(given)
            else:
                found = choose(
                    self.__name__, self._loops, given, self._is_of_cuda
                )
            self._chosen[given] = found
        return found

    def _new_loop(self, given: tuple[Any, ...]) -> Loop:
        """The loop for exactly what is given."""
        dtypes = tuple(map(np.dtype, given))
        for loop in self._loops:
            if loop.inputs == dtypes:
                return loop
        declared = tuple(map(types.from_dtype, dtypes))
        signature = types.Signature(None, declared)
        loop = scalar_loop(self._py_func, signature)
        self._loops.append(loop)
        return loop

    def _compute(
        self,
        loop: Loop,
        inputs: list[Any],
        out: Any,
        stream: object,
        device: Device,
    ) -> Any:
        is_array = tuple(not isinstance(a, np.generic) for a in inputs)
        arrays = [a for a in inputs if not isinstance(a, np.generic)]
        shape = common_shape(self.__name__, [a.shape for a in arrays])
        dtype = loop.outputs[0]
        target: Any = None
        if out is not None:
            target = self._target_of(out)
            self._check_cast(dtype, meta(target))
            whole = common_shape(self.__name__, [shape, target.shape])
            if whole != target.shape:
                raise ValueError(
                    f"out of {self.__name__}() expects shape {shape} but got "
                    f"{target.shape}"
                )
            shape = whole
            for place, source in enumerate(inputs):
                if is_array[place] and overlaps(meta(source), meta(target)):
                    inputs[place] = _copy(source, stream)
        elif any(isinstance(a, DeviceNDArray) for a in arrays):
            target = device_array(
                shape, dtype, order=_order(arrays), stream=stream
            )
        else:
            target = np.empty(shape, dtype, _order(arrays))
        there = target
        if not device.is_cpu:
            inputs = [
                to_device(np.ascontiguousarray(a), stream)
                if isinstance(a, np.ndarray)
                else a
                for a in inputs
            ]
            if isinstance(target, np.ndarray):
                there = new_like(target, stream)
        if meta(target).size:
            self._launch(loop, is_array, inputs, there, shape, stream, device)
        if there is not target:
            there.copy_to_host(target, stream)
        if out is not None:
            return out
        if isinstance(target, np.ndarray) and not shape:
            return target[()]
        return target

    def _launch(
        self,
        loop: Loop,
        is_array: tuple[bool, ...],
        inputs: list[Any],
        target: Any,
        shape: Shape,
        stream: object,
        device: Device,
    ) -> None:
        arrays = [target]
        arrays += [a for a in inputs if not isinstance(a, np.generic)]
        if all(a.shape == shape and meta(a).flags.c_contiguous for a in arrays):
            extents: Shape = (meta(target).size,)
            if len(shape) != 1:
                arrays = [a.reshape(-1) for a in arrays]
        else:
            extents, strides = merge(
                shape,
                [
                    broadcast_strides(m.shape, m.strides, shape)
                    for m in map(meta, arrays)
                ],
            )
            arrays = [
                view(a, extents, own)
                for a, own in zip(arrays, strides, strict=True)
            ]
        remaining = iter(arrays[1:])
        values = [
            value if isinstance(value, np.generic) else next(remaining)
            for value in inputs
        ]
        kernel, blocks, threads = self._kernel(loop, is_array, extents, device)
        kernel[blocks, threads, stream](arrays[0], *values)

    def _kernel(
        self,
        loop: Loop,
        is_array: tuple[bool, ...],
        extents: Shape,
        device: Device,
    ) -> tuple[Dispatcher, int, Any]:
        """A kernel, and what blocks and threads it needs."""
        width = 1 if device.is_cpu else _WIDTH
        ndim = len(extents)
        key = loop.inputs, is_array, ndim, width
        kernel = self._kernels.get(key)
        if kernel is None:
            if ndim == 1:
                kernel = _kernels.elementwise(loop.op, is_array)
            else:
                kernel = _kernels.rowwise(loop.op, is_array, ndim, width)
            self._kernels[key] = kernel
        if ndim == 1:
            most = _THREADS_OF_CPU if device.is_cpu else _THREADS
            threads = min(extents[0], most)
            return kernel, -(-extents[0] // threads), threads
        rows = int(np.prod(extents[:-1]))
        blocks = -(-rows * extents[-1] // _ELEMENTS_OF_ROWS)
        height = 1 if device.is_cpu else _THREADS // _WIDTH
        return kernel, min(blocks, -(-rows // height)), (width, height)

    @public
    def outer(self, a: Any, b: Any, **keywords: Any) -> Any:
        """The function of each element of `a` with each one of `b`."""
        self._expect_two("outer")
        first, second = self._input(a), self._input(b)
        if first.ndim:
            first = first.reshape(*first.shape, *[1] * second.ndim)
        return self(first, second, **keywords)

    def _expect_two(self, method: str) -> None:
        if self.nin != 2:
            raise ValueError(
                f"{method} expects a function of two numbers but "
                f"'{self.__name__}' takes {self.nin}"
            )


def _order(arrays: Sequence[Any]) -> Any:
    """How a result lies in memory: as all arrays do, or in C order."""
    flags = [meta(a).flags for a in arrays]
    is_c = not flags or any(own.c_contiguous for own in flags)
    return "C" if is_c or not all(own.f_contiguous for own in flags) else "F"


def _copy(array: Any, stream: object) -> Any:
    if isinstance(array, np.ndarray):
        return array.copy()
    copy = new_like(array._meta(), stream)
    copy.copy_to_device(array, stream)
    return copy
