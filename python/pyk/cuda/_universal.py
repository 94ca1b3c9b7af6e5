# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What universal functions of numbers and of arrays have in common."""

from __future__ import annotations

import contextlib
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pyk import _missing
from pyk._frontend import _source
from pyk.cuda import _devices, _pickling
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._broadcast import as_array, meta
from pyk.cuda._devices import Device
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda._layout import AnyArray
from pyk.cuda._loops import Loop
from pyk.types import Signature


class Universal(ABC):
    """A function that arrays are broadcast for.

    Those of a program are compiled for their signatures where they are
    defined, those from another process when they are first called: only then
    is all there that they reach.
    """

    __getattr__ = _missing.attribute_of

    __name__: str
    __qualname__: str
    #: What messages call it.
    _kind = "ufunc"

    def __init__(
        self,
        py_func: Callable[..., Any],
        signatures: Sequence[Signature],
        target: str,
        identity: object,
    ) -> None:
        wrapper: Any = self
        functools.update_wrapper(wrapper, py_func)
        self.py_func = py_func
        _source.keep(py_func)
        self._signatures = tuple(signatures)
        self._is_dynamic = not signatures
        self._target_name = target
        self._is_of_cuda = target == "cuda"
        self.identity = identity
        self.nin = 0
        self.nout = 1
        self._chosen: dict[tuple[object, ...], Loop] = {}
        self._kernels: dict[tuple[object, ...], Dispatcher] = {}

    def __repr__(self) -> str:
        return f"<PyK universal function '{self.__name__}'>"

    @abstractmethod
    def __reduce__(self) -> str | tuple[Any, ...]:
        """By name or by value, as other functions are pickled."""

    def __setstate__(self, state: tuple[Any, Any]) -> None:
        _pickling.fill(self, state)

    @abstractmethod
    def _make_loop(self, signature: Signature) -> Loop:
        """The function for the types of a signature."""

    @functools.cached_property
    def _loops(self) -> list[Loop]:
        return [*map(self._make_loop, self._signatures)]

    def compile(self) -> None:
        """Compiles it for its signatures, so that errors are found now."""
        _ = self._loops

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
        self,
        args: tuple[Any, ...],
        keywords: dict[str, Any],
        others: Sequence[str] = (),
    ) -> tuple[list[Any], object]:
        """What was passed for the results, and the stream.

        `others` are keywords that the caller has taken.
        """
        given = len(args) - self.nin
        if given < 0 or given > self.nout:
            raise TypeError(self._wrong_count(len(args)))
        stream = keywords.pop("stream", 0) if self._is_of_cuda else 0
        out = keywords.pop("out", None)
        if keywords:
            known = ["out", *others, *["stream"] * self._is_of_cuda]
            raise TypeError(
                f"{self.__name__}() got an unexpected keyword argument "
                f"'{next(iter(keywords))}'; it takes "
                + " and ".join(filter(None, [", ".join(known[:-1]), known[-1]]))
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

    @contextlib.contextmanager
    def _activated(self) -> Iterator[Device]:
        """Makes the device current that the function computes on."""
        device = _devices.activate()
        if self._is_of_cuda or device.is_cpu:
            yield device
        else:
            with _devices.on_cpu() as cpu:
                yield cpu

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

    def _check_cast(
        self, dtype: np.dtype[Any], target: AnyArray, casting: Any = "same_kind"
    ) -> None:
        if not np.can_cast(dtype, target.dtype, casting):
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
