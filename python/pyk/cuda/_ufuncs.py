# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Universal functions: a function of numbers, for arrays of any shape.

What is computed where follows from the arguments: with an array of a device
among them the result stays on the device, else it is an array of the host, or a
number. On the CPU kernels work on the memory of host arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyk import _pickling, types
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
    broadcast_strides,
    common_shape,
    merge,
    meta,
    overlaps,
    view,
)
from pyk.cuda._devices import Device
from pyk.cuda._gufuncs import GUFunc
from pyk.cuda._loops import WEAK, Loop, choose, scalar_loop
from pyk.cuda._reduction import Reduce
from pyk.cuda._transfers import copy_out
from pyk.cuda._universal import Universal

#: Threads of a block: of the CPU, of a GPU, and there along rows.
_THREADS_OF_CPU, _THREADS, _WIDTH = 1024, 256, 32

#: How many elements a block computes, about, where there are rows.
_ELEMENTS_OF_ROWS = 4096


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
        super().__init__(py_func, signatures, target, identity)
        self._folds: dict[tuple[object, ...], GUFunc] = {}
        self._totals: dict[tuple[object, ...], Reduce] = {}
        self.nin = py_func.__code__.co_argcount

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _pickling.reduce(
            self, UFunc, self._signatures, self._target_name, self.identity
        )

    def _make_loop(self, signature: types.Signature) -> Loop:
        return scalar_loop(self.py_func, signature)

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
        loop = self._make_loop(signature)
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
            copy_out(there._meta(), target, device, stream)
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
    def reduce(
        self,
        array: Any,
        axis: int | None = 0,
        out: Any = None,
        stream: object = 0,
    ) -> Any:
        """All elements along an axis in one, from the first to the last.

        Of one dimension and on a device they meet in any order, and the result
        is a number of the host.
        """
        given, loop = self._foldable("reduce", array)
        if axis is None:
            given, axis = given.reshape(-1), 0
        count = given.shape[axis]
        keywords = {"stream": stream} if self._is_of_cuda else {}
        if count == 0 and self.identity not in (0, 1):
            raise ValueError(
                "zero-size array to reduction operation "
                f"{self.__name__} which has no identity"
            )
        if self._is_of_cuda and given.ndim == 1 and count and out is None:
            return self._total(given, loop, stream)
        if count == 0:
            shape = list(given.shape)
            shape[axis] = 1
            given = np.full(shape, self.identity, loop.outputs[0])
        fold = self._fold(_kernels.fold, loop, "(n)->()")
        return fold(_moved(given, axis, -1), out=out, **keywords)

    @public
    def accumulate(
        self, array: Any, axis: int = 0, out: Any = None, stream: object = 0
    ) -> Any:
        """What `reduce` would yield at each place along an axis."""
        given, loop = self._foldable("accumulate", array)
        keywords = {"stream": stream} if self._is_of_cuda else {}
        if out is not None:
            keywords["out"] = _moved(self._target_of(out), axis, -1)
        fold = self._fold(_kernels.accumulate, loop, "(n)->(n)")
        found = fold(_moved(given, axis, -1), **keywords)
        return _moved(found, -1, axis) if out is None else out

    def _foldable(self, method: str, array: Any) -> tuple[Any, Loop]:
        """An array of a dimension or more, and the loop for its elements."""
        self._expect_two(method)
        given = self._input(array)
        if given.ndim == 0:
            raise TypeError(f"cannot {method} on a scalar")
        loop = self._loop((given.dtype, given.dtype))
        if {*loop.inputs} != {*loop.outputs}:
            raise TypeError(
                f"{method} expects a function whose result is of the type of "
                f"both inputs, but '{self.__name__}' has {loop.characters}"
            )
        return given, loop

    def _fold(
        self, make: Callable[[Any], Callable[..., Any]], loop: Loop, core: str
    ) -> GUFunc:
        """A function of rows that combines elements by this one."""
        key = core, loop.inputs
        found = self._folds.get(key)
        if found is None:
            row = types.Array(types.from_dtype(loop.outputs[0]), 1, "A")
            signature = types.Signature(None, (row, row))
            found = GUFunc(make(loop.op), [signature], core, self._target_name)
            found.__name__ = self.__name__
            self._folds[key] = found
        return found

    def _total(self, array: Any, loop: Loop, stream: object) -> Any:
        """The elements of one dimension in one."""
        dtype = loop.outputs[0]
        if isinstance(array, np.ndarray):
            array = array.astype(dtype, copy=False)
        elif array.dtype != dtype:
            raise TypeError(
                f"reduce of {self.__name__} expects a device array of {dtype} "
                f"but got one of {array.dtype}"
            )
        found = self._totals.get(loop.inputs)
        if found is None:
            found = self._totals[loop.inputs] = Reduce(loop.op)  # type: ignore[arg-type]
        return found._reduce(array, None, None, stream)

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


def _moved(array: Any, source: int, target: int) -> Any:
    """The array with an axis in another place."""
    moved = np.moveaxis(meta(array), source, target)
    return array._view(moved) if isinstance(array, DeviceNDArray) else moved


def _copy(array: Any, stream: object) -> Any:
    if isinstance(array, np.ndarray):
        return array.copy()
    copy = new_like(array._meta(), stream)
    copy.copy_to_device(array, stream)
    return copy
