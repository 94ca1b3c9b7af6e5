# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Universal functions: a function of numbers, for arrays of any shape.

What is computed where follows from the arguments: with an array of a device
among them the result stays on the device, else it is an array of the host, or a
number. On the CPU kernels work on the memory of host arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pyk import types
from pyk._boundary import public
from pyk.cuda import _kernels, _pickling
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._broadcast import (
    Shape,
    as_mask,
    broadcast_strides,
    common_shape,
    merge,
    meta,
    overlaps,
    view,
)
from pyk.cuda._creation import device_array, new_like, to_device
from pyk.cuda._devices import Device
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._folds import Folding
from pyk.cuda._layout import is_contiguous
from pyk.cuda._loops import (
    WEAK,
    Loop,
    choose,
    choose_result,
    scalar_loop,
)
from pyk.cuda._transfers import copy_out

#: Threads of a block: of the CPU, of a GPU, and there along rows.
_THREADS_OF_CPU, _THREADS, _WIDTH = 1024, 256, 32

#: How many elements a block computes, about, where there are rows.
_ELEMENTS_OF_ROWS = 4096


class Options(NamedTuple):
    """What a call of a function of the host may ask for, as of NumPy's."""

    where: Any = True
    dtype: Any = None
    casting: Any = "same_kind"

    def mask(self) -> Any:
        """Which elements are computed; None if all are."""
        if self.where is True:
            return None
        return as_mask(self.where)


class UFunc(Folding):
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
        self.nin = py_func.__code__.co_argcount

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _pickling.reduce(
            self, UFunc, self._signatures, self._target_name, self.identity
        )

    def _make_loop(self, signature: types.Signature) -> Loop:
        return scalar_loop(self.py_func, signature)

    @public
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """The function of each element, after broadcasting.

        Targets of the host take `where`, `dtype` and `casting` as NumPy's
        functions do.
        """
        options = Options()
        if not self._is_of_cuda:
            options = Options(
                keywords.pop("where", True),
                keywords.pop("dtype", None),
                keywords.pop("casting", "same_kind"),
            )
        (out,), stream = self._outputs(
            args, keywords, () if self._is_of_cuda else Options._fields
        )
        given: list[Any] = []
        inputs: list[Any] = []
        for value in args[: self.nin]:
            if type(value) in WEAK:
                given.append(type(value))
            else:
                value = self._input(value)
                given.append(value.dtype)
            inputs.append(value)
        loop = self._loop(tuple(given), options.dtype, options.casting)
        for place, value in enumerate(inputs):
            dtype = loop.inputs[place]
            if type(value) in WEAK:
                inputs[place] = dtype.type(value)
            elif options.dtype is not None:
                # Maybe to fewer bits, which functions do not do.
                inputs[place] = value.astype(dtype, copy=False)
        with self._activated() as device:
            return self._compute(loop, inputs, out, stream, device, options)

    def _loop(
        self,
        given: tuple[Any, ...],
        dtype: Any = None,
        casting: str = "same_kind",
    ) -> Loop:
        dtype = None if dtype is None else np.dtype(dtype)
        key = given, dtype, casting
        found = self._chosen.get(key)
        if found is None:
            if self._is_dynamic and dtype is None:
                found = self._new_loop(given)
            elif self._is_dynamic:
                self._new_loop((dtype,) * self.nin)
                found = choose_result(
                    self.__name__, self._loops, given, dtype, casting
                )
            elif dtype is None:
                found = choose(
                    self.__name__,
                    self._loops,
                    given,
                    self._is_of_cuda,
                    casting,
                )
            else:
                found = choose_result(
                    self.__name__, self._loops, given, dtype, casting
                )
            self._chosen[key] = found
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
        options: Options,
    ) -> Any:
        is_array = tuple(not isinstance(a, np.generic) for a in inputs)
        arrays = [a for a in inputs if not isinstance(a, np.generic)]
        shapes = [a.shape for a in arrays]
        mask = options.mask()
        if mask is not None:
            shapes.append(mask.shape)
        shape = common_shape(self.__name__, shapes)
        dtype = loop.outputs[0]
        target: Any = None
        if out is not None:
            target = self._target_of(out)
            self._check_cast(dtype, meta(target), options.casting)
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
            if mask is not None and np.may_share_memory(mask, target):
                mask = mask.copy()
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
            if mask is not None:
                mask = np.broadcast_to(mask, shape)
            self._launch(
                loop, is_array, inputs, there, mask, shape, stream, device
            )
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
        mask: Any,
        shape: Shape,
        stream: object,
        device: Device,
    ) -> None:
        first = [target] if mask is None else [target, mask]
        arrays = first + [a for a in inputs if not isinstance(a, np.generic)]
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
        first, remaining = arrays[: len(first)], iter(arrays[len(first) :])
        values = [
            value if isinstance(value, np.generic) else next(remaining)
            for value in inputs
        ]
        kernel, blocks, threads = self._kernel(
            loop, is_array, mask is not None, extents, device
        )
        kernel[blocks, threads, stream](*first, *values)

    def _kernel(
        self,
        loop: Loop,
        is_array: tuple[bool, ...],
        is_masked: bool,
        extents: Shape,
        device: Device,
    ) -> tuple[Dispatcher, int, Any]:
        """A kernel, and what blocks and threads it needs."""
        width = 1 if device.is_cpu else _WIDTH
        ndim = len(extents)
        key = loop.inputs, is_array, is_masked, ndim, width
        kernel = self._kernels.get(key)
        if kernel is None:
            if ndim == 1:
                kernel = _kernels.elementwise(loop.op, is_array, is_masked)
            else:
                kernel = _kernels.rowwise(
                    loop.op, is_array, is_masked, ndim, width
                )
            self._kernels[key] = kernel
        if ndim == 1:
            most = _THREADS_OF_CPU if device.is_cpu else _THREADS
            threads = min(extents[0], most)
            return kernel, -(-extents[0] // threads), threads
        rows = int(np.prod(extents[:-1]))
        blocks = -(-rows * extents[-1] // _ELEMENTS_OF_ROWS)
        height = 1 if device.is_cpu else _THREADS // _WIDTH
        return kernel, min(blocks, -(-rows // height)), (width, height)


def _order(arrays: Sequence[Any]) -> Any:
    """How a result lies in memory: as all arrays do, or in C order."""
    flags = [meta(a).flags for a in arrays]
    is_c = not flags or any(own.c_contiguous for own in flags)
    return "C" if is_c or not all(own.f_contiguous for own in flags) else "F"


def _copy(array: Any, stream: object) -> Any:
    if isinstance(array, np.ndarray):
        return array.copy()
    copy = new_like(array._meta(), stream)
    if is_contiguous(array._meta()):
        copy.copy_to_device(array, stream)
    else:
        # By way of the host.
        copy.setitem(..., array, stream)
    return copy
