# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods of universal functions that combine elements of an array.

Each is a generalized universal function of rows, which goes from the first
element of a row to the last; but for `at`, which goes through places.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyk import types
from pyk._boundary import public
from pyk.cuda import _kernels
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._broadcast import as_mask, meta
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._gufuncs import GUFunc
from pyk.cuda._loops import Loop
from pyk.cuda._reduction import Reduce
from pyk.cuda._universal import Universal

_IS_OF_THE_HOST = "is for functions of the host, of target='cpu' or 'parallel'"


class _Absent:
    """Says that an argument was not passed, where None has a meaning."""

    def __repr__(self) -> str:
        return "<no value>"


_ABSENT: Any = _Absent()


class Folding(Universal):
    """A function of numbers, with its methods."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._folds: dict[tuple[object, ...], GUFunc] = {}
        self._totals: dict[tuple[object, ...], Reduce] = {}
        self._changes: dict[tuple[object, ...], Dispatcher] = {}

    @abstractmethod
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """The function of each element."""

    @abstractmethod
    def _loop(self, given: tuple[Any, ...], dtype: Any = None) -> Loop:
        """The loop for what is given; one that yields `dtype`, if that is."""

    @public
    def reduce(
        self,
        array: Any,
        axis: int | Sequence[int] | None = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = _ABSENT,
        where: Any = True,
        stream: object = 0,
    ) -> Any:
        """All elements along an axis in one, from the first to the last.

        Targets of the host take what NumPy's functions take; elements along
        several axes go in the order of C. For `target="cuda"` it takes `axis`,
        `out` and `stream`; of one dimension and on a device elements meet in
        any order, and the result is a number of the host.
        """
        asked = {"dtype": dtype is not None, "keepdims": keepdims}
        asked |= {"initial": initial is not _ABSENT}
        asked |= {"where": where is not True, "axis": isinstance(axis, tuple)}
        self._check_of_cuda("reduce", asked)
        if isinstance(out, tuple) and len(out) == 1:
            (out,) = out
        given, loop = self._foldable("reduce", array, dtype, out)
        axes = _sorted_axes(given, axis)
        rows = _rows(given, axes)
        if self._is_of_cuda and rows.ndim == 1 and rows.size and out is None:
            return self._total(rows, loop, stream)
        if where is not True or rows.shape[-1] == 0:
            initial = self._first_of_all(initial, where)
        operands: list[Any] = [rows]
        make: Callable[[Any], Callable[..., Any]] = _kernels.fold
        if where is not True:
            make = _kernels.fold_masked
            mask = np.broadcast_to(as_mask(where), given.shape)
            operands.append(_rows(mask, axes))
        elif initial is not _ABSENT and initial is not None:
            make = _kernels.fold_from
        if make is not _kernels.fold:
            element = loop.outputs[0]
            operands.append(np.asarray(initial).astype(element)[()])
        target = out
        if out is not None and keepdims:
            target = np.squeeze(out, axes)
        found = self._fold(make, loop, target, operands, stream)
        if out is not None:
            return out
        return np.expand_dims(found, axes) if keepdims else found

    def _first_of_all(self, initial: Any, where: Any) -> Any:
        """What a reduction begins with that may have no element."""
        if initial is _ABSENT and self.identity in (0, 1):
            return self.identity
        if initial is not _ABSENT and initial is not None:
            return initial
        if where is not True:
            raise ValueError(
                f"reduction operation '{self.__name__}' does not have an "
                "identity, so to use a where mask one has to specify 'initial'"
            )
        raise ValueError(
            "zero-size array to reduction operation "
            f"{self.__name__} which has no identity"
        )

    @public
    def accumulate(
        self,
        array: Any,
        axis: int = 0,
        dtype: Any = None,
        out: Any = None,
        stream: object = 0,
    ) -> Any:
        """What `reduce` would yield at each place along an axis."""
        self._check_of_cuda("accumulate", {"dtype": dtype is not None})
        if isinstance(out, tuple) and len(out) == 1:
            (out,) = out
        given, loop = self._foldable("accumulate", array, dtype, out)
        target = None
        if out is not None:
            target = _moved(self._target_of(out), axis, -1)
        rows = [_moved(given, axis, -1)]
        found = self._fold(_kernels.accumulate, loop, target, rows, stream)
        return _moved(found, -1, axis) if out is None else out

    def _check_of_cuda(self, method: str, asked: dict[str, bool]) -> None:
        """Raises for what is not for arrays of devices."""
        for name, is_asked in asked.items():
            if is_asked and self._is_of_cuda:
                what = "axis=(...)" if name == "axis" else f"{name}="
                raise TypeError(
                    f"{what} of {self.__name__}.{method}() {_IS_OF_THE_HOST}"
                )

    def _foldable(
        self, method: str, array: Any, dtype: Any, out: Any
    ) -> tuple[Any, Loop]:
        """An array of a dimension or more, and the loop for its elements."""
        self._expect_two(method)
        given = self._input(array)
        if given.ndim == 0:
            raise TypeError(f"cannot {method} on a scalar")
        if dtype is not None:
            # NumPy casts so, too, whatever is lost.
            given = given.astype(dtype, copy=False)
        first = given.dtype
        if out is not None and dtype is None and not self._is_of_cuda:
            # A total is to NumPy what is stored there.
            first = self._target_of(out).dtype
        loop = self._loop((first, given.dtype), dtype)
        if {*loop.inputs} != {*loop.outputs}:
            raise TypeError(
                f"{method} expects a function whose result is of the type of "
                f"both inputs, but '{self.__name__}' has {loop.characters}"
            )
        return given, loop

    def _fold(
        self,
        make: Callable[[Any], Callable[..., Any]],
        loop: Loop,
        out: Any,
        operands: list[Any],
        stream: object,
    ) -> Any:
        """Calls what `make` makes of the loop, for rows of arrays."""
        key = make, loop.inputs
        fold = self._folds.get(key)
        if fold is None:
            element = types.from_dtype(loop.outputs[0])
            row = types.Array(element, 1, "A")
            mask = types.Array(types.boolean, 1, "A")
            parameters, core = {
                _kernels.fold: ((row, row), "(n)->()"),
                _kernels.fold_from: ((row, element, row), "(n),()->()"),
                _kernels.fold_masked: (
                    (row, mask, element, row),
                    "(n),(n),()->()",
                ),
                _kernels.accumulate: ((row, row), "(n)->(n)"),
            }[make]
            signature = types.Signature(None, parameters)
            fold = GUFunc(make(loop.op), [signature], core, self._target_name)
            fold.__name__ = self.__name__
            self._folds[key] = fold
        if self._is_of_cuda:
            return fold(*operands, out=out, stream=stream)
        if out is None or out.dtype == loop.outputs[0]:
            return fold(*operands, out=out)
        np.copyto(out, fold(*operands), casting="unsafe")
        return out

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

    @public
    def at(self, a: Any, indices: Any, b: Any = _ABSENT) -> None:
        """Stores the function of elements of `a`, and of `b`, in their place.

        An element that `indices` name more than once is changed as often. As
        by NumPy, what is stored is cast, whatever is lost.
        """
        if self._is_of_cuda:
            raise TypeError(f"{self.__name__}.at() {_IS_OF_THE_HOST}")
        if not isinstance(a, np.ndarray):
            raise TypeError(
                f"{self.__name__}.at() expects a NumPy array but got {type(a)}"
            )
        if self.nin not in (1, 2):
            raise ValueError(
                f"at expects a function of one or two numbers but "
                f"'{self.__name__}' takes {self.nin}"
            )
        if (self.nin == 2) is (b is _ABSENT):
            raise ValueError(
                f"at of '{self.__name__}' expects {self.nin + 1} arguments, "
                f"for a function of {self.nin}"
            )
        target = self._target_of(a)
        places = np.arange(target.size).reshape(target.shape)[indices]
        operands = [np.asarray(places).reshape(-1)]
        dtypes = [target.dtype]
        if self.nin == 2:
            values = np.asarray(self._input(b))
            dtypes.append(values.dtype)
            values = np.broadcast_to(values, np.shape(places)).reshape(-1)
            operands.append(np.array(values))
        loop = self._loop(tuple(dtypes))
        elements = np.ascontiguousarray(target).reshape(-1)
        change = self._changes.get(loop.inputs)
        if change is None:
            change = _kernels.at(loop.op, self.nin)
            self._changes[loop.inputs] = change
        if operands[0].size:
            with self._activated():
                change[1, 1](elements, *operands)
        if not np.may_share_memory(elements, target):
            target[...] = elements.reshape(target.shape)

    @public
    def reduceat(self, *args: Any, **keywords: Any) -> Any:
        """Not in PyK."""
        raise NotImplementedError(
            f"'{self.__name__}.reduceat' is not yet in PyK; call reduce for "
            "each part of the array"
        )

    def _expect_two(self, method: str) -> None:
        if self.nin != 2:
            raise ValueError(
                f"{method} expects a function of two numbers but "
                f"'{self.__name__}' takes {self.nin}"
            )


def _moved(array: Any, source: Any, target: Any) -> Any:
    """The array with axes in other places."""
    moved = np.moveaxis(meta(array), source, target)
    return array._view(moved) if isinstance(array, DeviceNDArray) else moved


def _sorted_axes(array: Any, axis: Any) -> tuple[int, ...]:
    """The axes that are meant, from 0. Raises as NumPy does."""
    if axis is None:
        return tuple(range(array.ndim))
    axes = tuple(axis) if isinstance(axis, tuple) else (axis,)
    # Looks whether they are there, and each once.
    np.moveaxis(meta(array), axes, range(len(axes)))
    return tuple(sorted(each % array.ndim for each in axes))


def _rows(array: Any, axes: tuple[int, ...]) -> Any:
    """The array with all of these axes in one, the last."""
    count = len(axes)
    moved = _moved(array, axes, range(-count, 0))
    if count == 1:
        return moved
    shape = moved.shape[: array.ndim - count]
    size = math.prod(moved.shape[array.ndim - count :])
    return moved.reshape(*shape, size)
