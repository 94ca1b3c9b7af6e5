# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.reduce`: all elements of an array in one, by a function of two.

On the CPU a thread takes a part of the array in order; on a GPU the threads of
a block meet in shared memory. Which elements meet depends on the number of
elements alone, so results are the same every time (rationale/ufuncs.md).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from pyk import _dtypes, _missing, types
from pyk._boundary import public
from pyk._functions import Compilable
from pyk._options import options
from pyk.cuda import _compile, _devices, _kernels
from pyk.cuda._arrays import DeviceNDArray, as_device_array
from pyk.cuda._creation import device_array, to_device
from pyk.cuda._devices import Device
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._memory import check_host
from pyk.cuda._streams import is_unnamed

#: Blocks of a launch on a GPU at most.
_MOST_BLOCKS = 512


class Reduce:
    """Reduces arrays of one dimension by a function of two elements.

    The function has to be associative and commutative. It may be a device
    function; it is compiled once for each dtype.

    >>> from pyk import cuda
    >>> total = cuda.reduce(lambda a, b: a + b)
    >>> total(np.arange(5))
    np.int64(10)
    """

    __getattr__ = _missing.attribute_of

    def __init__(self, functor: Callable[..., Any]) -> None:
        op = _function_of_two(functor)
        functools.update_wrapper(self, op.py_func)
        self._op = op
        self._in_order = _kernels.reduce_in_order(op)
        self._as_trees = _kernels.reduce_as_trees(op)
        #: Those for which the function is known to return a number.
        self._dtypes: set[np.dtype[Any]] = set()

    def __reduce__(self) -> tuple[Any, ...]:
        return Reduce, (self._op,)

    @public
    def __call__(
        self,
        arr: Any,
        size: int | None = None,
        res: Any = None,
        init: object = 0,
        stream: object = 0,
    ) -> Any:
        """The elements of `arr`, then `init`, reduced to one.

        Of `arr` the first `size` elements count, or all. With `res`, a device
        array, the result is stored in its first element and nothing is copied
        to the host; without, it is what the call returns.
        """
        array = _argument(arr)[:size]
        dtype = array.dtype
        start: Any = init
        if dtype.kind in "mM":
            start = np.asarray(init).astype(dtype)[()]
        else:
            start = dtype.type(init)
        out = None if res is None else _result(res, dtype)
        if array.size == 0:
            if out is None:
                return start
            out.setitem(0, start, stream)
            return None
        return self._reduce(array, start, out, stream)

    def _reduce(self, array: Any, init: Any, out: Any, stream: object) -> Any:
        """Reduces one element or more, and `init` unless it is None."""
        device = _devices.activate()
        dtype = array.dtype
        if dtype not in self._dtypes:
            self._check(dtype)
        if isinstance(array, np.ndarray) and not device.is_cpu:
            array = to_device(np.ascontiguousarray(array), stream)
        while True:
            kernel, blocks, threads = self._launch(array.size, device)
            is_last = blocks == 1
            if out is None or not is_last:
                target = _new(blocks, dtype, device, stream)
            else:
                target = out
            own = init if is_last else None
            kernel[blocks, threads, stream](array, target, own)
            if is_last:
                break
            array = target
        if out is not None:
            return None
        if isinstance(target, np.ndarray):
            return target[0]
        return target.getitem(0, stream)

    def _check(self, dtype: np.dtype[Any]) -> None:
        """Raises unless the function makes a number of two elements."""
        element = _dtypes.element(dtype)
        if element is not None:
            step = _kernels.step(self._op)
            result = _compile.infer_result(
                step, [element] * 2, step._buffer_options
            )
            if types.from_text(result) in (None, types.none):
                raise TypeError(
                    f"cuda.reduce expects '{self._op.py_func.__name__}' to "
                    f"return a number but for elements of {dtype} it returns "
                    f"{result}"
                )
        self._dtypes.add(dtype)

    def _launch(
        self, count: int, device: Device
    ) -> tuple[Dispatcher, int, int]:
        """A kernel, and what blocks and threads it needs."""
        if takes_parts(device):
            return self._in_order, -(-count // _kernels.PART), 1
        blocks = 1
        if count > _MOST_BLOCKS:
            blocks = min(-(-count // _kernels.TREE), _MOST_BLOCKS)
        return self._as_trees, blocks, _kernels.TREE


def takes_parts(device: Device) -> bool:
    """Whether a thread of the device rather does a part alone.

    Reproducible sums have one order on all devices.
    """
    return device.is_cpu and not options.reproducible


def _function_of_two(functor: object) -> Compilable:
    """What kernels call for `functor`."""
    found = functor
    if isinstance(functor, Dispatcher) and not functor.device:
        found = functor.py_func
    if isinstance(found, FunctionType):
        found = Dispatcher(found, device=True)
    if not isinstance(found, Compilable):
        raise TypeError(
            "cuda.reduce expects a function of two elements but got "
            f"{functor!r}"
        )
    try:
        inspect.signature(found.py_func).bind(0, 0)
    except TypeError:
        name = found.py_func.__name__
        raise TypeError(
            f"cuda.reduce expects a function of two elements but '{name}' is "
            f"{name}{inspect.signature(found.py_func)}"
        ) from None
    return found


def _argument(arr: Any) -> Any:
    """An array to reduce, on the host or on a device."""
    array: Any = as_device_array(arr)
    if array is None:
        if not isinstance(arr, np.ndarray):
            raise TypeError(
                "cuda.reduce expects a NumPy array or a device array but got "
                f"{type(arr)}"
            )
        check_host(arr)
        array = np.asarray(arr)
    if array.ndim != 1:
        raise TypeError(
            "cuda.reduce expects an array of 1 dimension but got one of "
            f"{array.ndim}; pass its ravel()"
        )
    dtype = array.dtype
    if dtype.kind not in "biufcmM" and not _dtypes.is_bfloat16(dtype.type):
        raise TypeError(
            "cuda.reduce expects an array of numbers or times but got one of "
            f"dtype {dtype}"
        )
    return array


def _result(res: Any, dtype: np.dtype[Any]) -> DeviceNDArray:
    """The array that a program passed for the result."""
    array = as_device_array(res)
    if array is None:
        raise TypeError(
            f"res of cuda.reduce expects a device array but got {type(res)}"
        )
    if array.ndim != 1 or array.size == 0:
        raise ValueError(
            "res of cuda.reduce expects an array of 1 dimension with an "
            f"element but got one of shape {array.shape}"
        )
    if array.dtype != dtype:
        raise TypeError(
            f"res of cuda.reduce expects dtype {dtype}, the array's, but got "
            f"{array.dtype}"
        )
    return array


def _new(count: int, dtype: Any, device: Device, stream: object) -> Any:
    """Memory for results; the host's where that is the device's."""
    if device.is_cpu and is_unnamed(stream):
        return np.empty(count, dtype)
    return device_array(count, dtype, stream=stream)


reduce = Reduce
