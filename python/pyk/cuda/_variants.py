# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The variants that a kernel is compiled to, and where they are loaded.

For arguments of the same types there may be several: by target, by what they
take for granted of their launches, and by the shape of blocks.
"""

from __future__ import annotations

import math
import re
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from pyk import _core
from pyk._functions import Compilable
from pyk._options import options
from pyk.cuda import _compile, _devices
from pyk.cuda._arguments import check_captured
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._foreign import files_for_gpu
from pyk.cuda._parameters import Key

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
_MOST_THREADS = _core.limits()["threads_per_block"]

#: What remarks say of a kernel that vectors run for no shape of blocks.
_NO_VECTORS = "does not run as vectors"


def _has_gaps(parameter: str) -> bool:
    """Whether it takes an array of one dimension and any stride."""
    return _GAPS.match(parameter) is not None


class Variants:
    """Those of one kernel, each compiled and loaded once."""

    def __init__(
        self,
        function: Compilable,
        buffer_options: dict[str, Any],
        max_registers: int,
    ) -> None:
        # It has these: a circle would live until the next collection.
        self._function = weakref.ref(function)
        self._buffer_options = buffer_options
        self._max_registers = max_registers
        #: Whether the kernel is for declared signatures alone.
        self.is_declared = False
        #: What variants for the same types are compiled from.
        self._sources: dict[Key, _compile.Source] = {}
        #: By types, target and what is taken for granted, the shape of blocks
        #: with it, one for each variant.
        self.modules: dict[tuple[Key, str, Kinds, Block], _core.Module] = {}
        #: The same by the number of the device.
        self.functions: dict[tuple[Key, int, Kinds, Block], _core.Function] = {}
        #: Variants for which there are no vectors: those for blocks of any
        #: shape stand for them.
        self._refused: set[tuple[Key, int, Kinds, Block]] = set()
        #: The same kernel as comparisons run it, by how.
        self._others: dict[tuple[int, str], Any] = {}
        self.lock = threading.RLock()

    def other(self, way: tuple[int, str], make: Callable[[], Any]) -> Any:
        """The kernel as comparisons run it in some way; `make` makes it."""
        with self.lock:
            if way not in self._others:
                self._others[way] = make()
            return self._others[way]

    def share_sources(self, other: Variants) -> None:
        """Compiles from what `other` was, and will be, compiled from.

        Not what other languages are linked with, which targets have each in
        their own way.
        """
        if not any(source.link for source in other._sources.values()):
            self._sources = other._sources

    def captured(self) -> list[DeviceNDArray]:
        """The device arrays that its variants hold the addresses of."""
        found = {
            id(array): array
            for source in list(self._sources.values())
            for array in source.held
        }
        return list(found.values())

    def load(
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
        with self.lock:
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
            if block is not None and options.explain:
                self._explain_launch(key, device, kinds, block)
        return function

    def first_kinds(self, key: Key) -> Kinds:
        """What the kernel takes for granted that is compiled first."""
        kinds = _compile.kinds_to_assume(self._buffer_options)
        # Without gaps an argument of one dimension would be contiguous.
        if not self.is_declared and any(map(_has_gaps, key)):
            return tuple(kind for kind in kinds if kind != "strides")
        return kinds

    def _blocks_to_assume(
        self, key: Key, device: _devices.Device, kinds: Kinds, block: Block
    ) -> Block:
        """`block` if a variant should be for such blocks alone."""
        if block is None or not device.is_cpu:
            return None
        form = _compile.cpu_form(self._buffer_options)
        fewest = 1 if form == "simd" else _FEWEST_THREADS
        # Those that are too large are for the launch to refuse.
        if not fewest <= math.prod(block) <= _MOST_THREADS:
            return None
        known, refused = self._tried_blocks(key, device, kinds)
        if block in refused:
            return None
        if block in known or len(known | refused) < _MOST_BLOCKS:
            return block
        return None

    def _tried_blocks(
        self, key: Key, device: _devices.Device, kinds: Kinds
    ) -> tuple[set[Block], set[Block]]:
        """The shapes of blocks that vectors run, and that they do not."""
        variant = (key, device.id, kinds)
        known: set[Block] = {
            other[3] for other in self.functions
            if other[:3] == variant and other[3] is not None
        }  # fmt: skip
        refused = {other[3] for other in self._refused if other[:3] == variant}
        return known, refused

    def _explain_launch(
        self,
        key: Key,
        device: _devices.Device,
        kinds: Kinds,
        block: tuple[int, int, int],
    ) -> None:
        """Prints how a launch with blocks of a shape runs."""
        target = self._target(device)
        kernel = self.modules.get((key, target, kinds, block))
        is_for_shape = kernel is not None
        if kernel is None:
            kernel = self.modules.get((key, target, kinds, None))
        remarks = [] if kernel is None else kernel.remarks
        has_reason = any(_NO_VECTORS in remark for remark in remarks)
        reason = None
        if device.is_cpu and not is_for_shape and not has_reason:
            reason = self._reason_of_shape(key, device, kinds, block)
        function = self._function()
        assert function is not None, "it has these variants"
        _compile.tell_of_launch(
            function, self._buffer_options, remarks, block, reason
        )

    def _reason_of_shape(
        self,
        key: Key,
        device: _devices.Device,
        kinds: Kinds,
        block: tuple[int, int, int],
    ) -> str | None:
        """Why the shape of its blocks keeps a launch from running as vectors.

        None if vectors run the kernel for no shape that was tried: why, those
        launches have said.
        """
        known, refused = self._tried_blocks(key, device, kinds)
        threads = math.prod(block)
        # Those that are too large are for the launch to refuse.
        if (refused and not known) or threads > _MOST_THREADS:
            return None
        if threads < _FEWEST_THREADS:
            return (
                f"that takes {_FEWEST_THREADS} threads or more; launch larger "
                "blocks"
            )
        return (
            f"it has had {len(known | refused)} other shapes of blocks, the "
            "most that it is compiled for; launch it with fewer shapes"
        )

    def _load_variant(
        self,
        key: Key,
        device: _devices.Device,
        kinds: Kinds,
        block: Block,
    ) -> _core.Function:
        with self.lock:
            block = self._blocks_to_assume(key, device, kinds, block)
            function = self.functions.get((key, device.id, kinds, block))
            if function is None:
                kernel = self.compile(key, device, kinds, block)
                if block is not None and not kernel.has_block_shape:
                    self._refused.add((key, device.id, kinds, block))
                    block = None
                    function = self.functions.get((key, device.id, kinds, None))
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
                self.functions[key, device.id, kinds, block] = function
        return function

    @staticmethod
    def _target(device: _devices.Device) -> str:
        """What a variant for `device` is compiled for."""
        return "cpu" if device.is_cpu else device.chip

    def _level_of_driver(self) -> int:
        """How much the driver optimizes; -1 is all that it can."""
        if self._buffer_options.get("debug"):
            # It can be asked for nothing else then.
            return 0
        level = int(self._buffer_options.get("opt", 3))
        return -1 if level == 3 else level

    def compile(
        self,
        key: Key,
        device: _devices.Device,
        kinds: Kinds | None = None,
        block: Block = None,
    ) -> _core.Module:
        """The compiled kernel; without `kinds`, its first variant."""
        if kinds is None:
            kinds = self.first_kinds(key)
        target = self._target(device)
        kernel = self.modules.get((key, target, kinds, block))
        if kernel is None:
            is_first = kinds == self.first_kinds(key) and not any(
                other[:3] == (key, target, kinds) for other in self.modules
            )
            function = self._function()
            assert function is not None, "it has these variants"
            kernel = _compile.compile_kernel(
                function,
                key,
                self._buffer_options,
                device,
                kinds,
                block,
                is_first,
                self._sources,
            )
            self.modules[key, target, kinds, block] = kernel
        return kernel

    def declare(self, key: Key, device: _devices.Device) -> None:
        """Prepares the kernel for the types of a signature; raises its errors.

        On the CPU, code is made when a launch states the shape of its blocks.
        """
        if not device.is_cpu or _compile.is_written():
            self.compile(key, device)
            return
        function = self._function()
        assert function is not None, "it has these variants"
        _compile.check(function, key, self._buffer_options, self._sources)

    def unload(self, device: _devices.Device) -> None:
        """Forgets what was loaded on a device that is reset."""
        for variant in list(self.functions):
            if variant[1] == device.id:
                del self.functions[variant]

    def clear(self) -> None:
        """Forgets all."""
        self.modules.clear()
        self.functions.clear()
        self._refused.clear()
        self._sources.clear()
        self._others.clear()
