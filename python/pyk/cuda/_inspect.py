# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel became: the part of a dispatcher that is not about launches.

A kernel is compiled once for each tuple of argument types. Here these are
signatures, as the program knows them, each with the text of its stages and
what it needs of a device. Texts are made when they are asked for.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from pyk import _toolkit, types
from pyk._boundary import public
from pyk._declarations import parse_signature
from pyk._frontend import _source
from pyk._functions import Compilable
from pyk._options import STAGES, options
from pyk._typeof import typeof
from pyk.cuda import _compile, _devices
from pyk.cuda._parameters import Key, Parameters
from pyk.cuda._variants import Variants

if TYPE_CHECKING:
    from pyk import _core

T = TypeVar("T")

#: The types of a kernel's arguments.
Types = tuple[types.Type, ...]


class Overload:
    """A kernel for arguments of certain types.

    What is about a device is about the current one. Of the CPU's threads nobody
    asks for registers: these numbers, and PTX, are then those of a GPU of the
    device's compute capability, or of `pyk-run --chip`.
    """

    def __init__(
        self, dispatcher: Inspectable, key: Key, argument_types: Types
    ) -> None:
        self._dispatcher = dispatcher
        self._key = key
        #: The types of the arguments.
        self.argument_types = argument_types

    def __repr__(self) -> str:
        return f"<{self._dispatcher.__name__}{self._types}>"

    @property
    def _types(self) -> str:
        return f"({', '.join(map(repr, self.argument_types))})"

    @property
    def signature(self) -> types.Signature:
        """The types of the arguments, and that there is no result."""
        return types.Signature(types.void, self.argument_types)

    # What it needs.

    @property
    def regs_per_thread(self) -> int:
        """Registers of a thread."""
        device = _devices.current()
        if device.is_cpu:
            return self._needs("the number of registers").registers_per_thread
        return self._info(device)["registers_per_thread"]

    @property
    def local_mem_per_thread(self) -> int:
        """Bytes of a thread's own memory, in local arrays and besides."""
        device = _devices.current()
        if device.is_cpu:
            return self._needs(
                "the size of local memory"
            ).local_bytes_per_thread
        return self._info(device)["local_bytes_per_thread"]

    @property
    def const_mem_size(self) -> int:
        """Bytes of constant arrays."""
        device = _devices.current()
        if device.is_cpu:
            return self._needs("the size of constant memory").constant_bytes
        return self._info(device)["constant_bytes"]

    @property
    def shared_mem_per_block(self) -> int:
        """Bytes of shared arrays whose size the kernel knows."""
        return self._info(_devices.current())["static_shared_bytes"]

    @property
    def max_threads_per_block(self) -> int:
        """How many threads a block may have."""
        return self._info(_devices.current())["max_threads_per_block"]

    @property
    def cooperative(self) -> bool:
        """Whether all blocks of a launch have to run at a time."""
        return self._function(_devices.current()).is_cooperative

    @public
    def max_cooperative_grid_blocks(
        self, blockdim: int | Sequence[int], dynsmemsize: int = 0
    ) -> int:
        """How many blocks of that size can run at a time, and so synchronize.

        `dynsmemsize` is the bytes of dynamic shared memory of a block.
        """
        device = _devices.current()
        extents = blockdim if isinstance(blockdim, Sequence) else (blockdim,)
        each = self._function(device).active_blocks(
            math.prod(extents), dynsmemsize
        )
        return each * int(device.MULTIPROCESSOR_COUNT)

    def _info(self, device: _devices.Device) -> dict[str, int]:
        return self._function(device).info()

    def _function(self, device: _devices.Device) -> _core.Function:
        return self._dispatcher._variants.load(self._key, device)

    def _needs(self, why: str) -> _toolkit.Needs:
        return _toolkit.needs_of(
            self.stage("ptx"),
            _chip(),
            self._dispatcher._max_registers,
            f"{why} on a GPU",
        )

    # Texts.

    def stage(self, name: str) -> str:
        """The text of the stage `name`, one of `pyk-run --emit`."""
        if name not in STAGES:
            expected = ", ".join(map(repr, STAGES))
            raise ValueError(f"a stage is one of {expected} but got {name!r}")
        return _compile.stage_text(
            self._dispatcher,
            self._key,
            self._dispatcher._buffer_options,
            name,
            _chip(),
        )

    def inspect_llvm(self) -> str:
        """LLVM IR, of which PTX is made."""
        return self.stage("llvm")

    def inspect_asm(self) -> str:
        """PTX."""
        return self.stage("ptx")

    def inspect_sass(self) -> str:
        """Machine code."""
        return self._disassemble(["--print-line-info"])

    def inspect_sass_cfg(self) -> str:
        """The control flow of the machine code, for Graphviz."""
        return self._disassemble(["--output-control-flow-graph"])

    def _disassemble(self, arguments: list[str]) -> str:
        return _toolkit.disassemble(
            self.stage("ptx"),
            _chip(),
            self._dispatcher._max_registers,
            "machine code",
            arguments,
        )

    def inspect_types(self, file: TextIO | None = None) -> None:
        """Writes the source, and the stage in which all types are known."""
        source = _source.find(self._dispatcher.py_func)
        lines = [
            f"{self._dispatcher.__name__} {self._types}",
            "-" * 80,
            f"# File: {source.file}, line {source.line}",
            source.text.rstrip("\n"),
            "",
            self.stage("pyk").rstrip("\n"),
            "=" * 80,
        ]
        print("\n".join(lines), file=sys.stdout if file is None else file)


def _ptx_of_device_function(
    function: Any, wanted: object
) -> str | dict[Types, str]:
    """The PTX for one declared signature, or for each by its types."""
    found = {signature.args: signature for signature in function.declared}
    if wanted is not None:
        args = parse_signature(wanted).args
        if args not in found:
            raise KeyError(
                f"device function '{function.__name__}' is declared for "
                f"{', '.join(map(repr, function.declared))} and not for "
                f"({', '.join(map(repr, args))})"
            )
        found = {args: found[args]}
    texts = {}
    for args, signature in found.items():
        # Exporting declares a function anew.
        copy = type(function)(
            function.py_func,
            device=True,
            buffer_options=function._buffer_options,
        )
        texts[args] = copy._exported(signature, _chip(), "numba", "")[0]
    return texts if wanted is None else texts[args]


def _chip() -> str:
    """What PTX is made for."""
    return options.chip or _devices.current().chip


class Inspectable(Compilable):
    """What `Dispatcher` inherits.

    `_argument_types` has the types by key, in the order in which they came.
    """

    __name__: str
    _argument_types: dict[Key, Types]
    _buffer_options: dict[str, Any]
    _is_specialized: bool
    _max_registers: int
    _signatures: list[types.Signature]
    _parameters: Parameters
    _variants: Variants

    # What `Dispatcher` has.

    _forget: Callable[[], None]
    _declare: Callable[[Sequence[types.Signature], bool], None]
    _specialized_for: Callable[[types.Signature], Any]

    # Signatures.

    @property
    def overloads(self) -> dict[Types, Overload]:
        """What was compiled, by the types of the arguments."""
        with self._variants.lock:
            known = list(self._argument_types.items())
        return {found: Overload(self, key, found) for key, found in known}

    @property
    def signatures(self) -> list[Types]:
        """The types of arguments that there is a compiled kernel for."""
        return list(self.overloads)

    @property
    def nopython_signatures(self) -> list[types.Signature]:
        """The same as objects that also say that there is no result."""
        return [found.signature for found in self.overloads.values()]

    @property
    def specialized(self) -> bool:
        """Whether the kernel is for one signature alone."""
        return self._is_specialized

    @functools.cached_property
    def specializations(self) -> dict[tuple[object, Types], Any]:
        """What `specialize` gave, by compute capability and types."""
        return {}

    @public
    def specialize(self, *args: object) -> Any:
        """A kernel for arguments of the types of `args`, values or types."""
        self._check_is_kernel("specialize")
        if self._is_specialized:
            raise RuntimeError(
                f"Dispatcher already specialized: kernel '{self.__name__}' is "
                f"declared for {', '.join(map(repr, self._signatures))}"
            )
        found = tuple(
            arg if isinstance(arg, types.Type) else typeof(arg) for arg in args
        )
        signature = types.Signature(types.void, found)
        key = _devices.current().compute_capability, found
        with self._variants.lock:
            if key not in self.specializations:
                self.specializations[key] = self._specialized_for(signature)
            return self.specializations[key]

    @public
    def compile(self, sig: object) -> Overload:
        """Compiles the kernel for a signature, unless it is."""
        self._check_is_kernel("compile")
        signature = parse_signature(sig)
        self._parameters.check(signature, self.device)
        key = self._parameters.packed([arg.mlir for arg in signature.args])
        with self._variants.lock:
            if key not in self._argument_types:
                if self._signatures:
                    raise RuntimeError(
                        f"kernel '{self.__name__}' is declared for "
                        f"{', '.join(map(repr, self._signatures))} and not "
                        f"compiled for {signature}"
                    )
                self._variants.compile(key, _devices.current())
                self._argument_types[key] = signature.args
            return Overload(self, key, self._argument_types[key])

    @public
    def recompile(self) -> None:
        """Compiles it again for each signature, with globals as they are."""
        with self._variants.lock:
            self._forget()
            self._variants.clear()
            for key in self._argument_types:
                self._variants.declare(key, _devices.current())

    def _ptx(self, signature: types.Signature, chip: str | None) -> str:
        """The PTX for a signature and a chip, and nothing else."""
        self._parameters.check(signature, self.device)
        key = self._parameters.packed([arg.mlir for arg in signature.args])
        return _compile.stage_text(self, key, self._buffer_options, "ptx", chip)

    def _exported(
        self,
        signature: types.Signature,
        chip: str | None,
        abi: str,
        name: str,
    ) -> tuple[str, types.Type]:
        """The PTX of a device function for others to call, and its result.

        Nobody would hear of an exception, so that there are no checks.
        """
        self._declare([signature], False)
        key = self._parameters.packed(
            [
                arg.exported if isinstance(arg, types.CPointer) else arg.mlir
                for arg in signature.args
            ]
        )
        buffer_options = {
            **self._buffer_options,
            "debug": False,
            "export": {"abi": abi, "name": name},
        }
        ptx = _compile.stage_text(self, key, buffer_options, "ptx", chip)
        if signature.return_type is not None:
            return ptx, signature.return_type
        text = _compile.infer_result(self, key, buffer_options)
        result = types.from_text(text)
        assert result is not None, "what C has is a number or nothing"
        return ptx, result

    def _check_is_kernel(self, method: str) -> None:
        if self.device:
            raise RuntimeError(
                f"{method}() expects a kernel, and '{self.__name__}' is a "
                "device function"
            )

    def _each(
        self, get: Callable[[Overload], T], signature: object
    ) -> T | dict[Types, T]:
        """Of the kernel for a signature, or of all by their types."""
        if signature is None:
            return {
                found: get(overload)
                for found, overload in self.overloads.items()
            }
        wanted = parse_signature(signature).args
        key = self._parameters.packed([arg.mlir for arg in wanted])
        found = self._argument_types.get(key)
        if found is None:
            compiled = ", ".join(map(repr, self.nopython_signatures))
            raise KeyError(
                f"'{self.__name__}' is not compiled for "
                f"({', '.join(map(repr, wanted))}), but for "
                f"{compiled or 'no signature yet'}"
            )
        return get(Overload(self, key, found))

    def _number(
        self, get: Callable[[Overload], int], signature: object
    ) -> int | dict[Types, int]:
        """The same, but a specialized kernel needs no signature."""
        if signature is None and self.specialized:
            return get(next(iter(self.overloads.values())))
        return self._each(get, signature)

    # Texts.

    @public
    def stages(
        self, name: str, signature: object = None
    ) -> str | dict[Types, str]:
        """The text of a stage: `py`, `pyk`, `gpu`, `nvvm`, `llvm`, `ptx`,
        `reference`, `simd` or `host`; by the types of the
        arguments if no signature is given.

        >>> from pyk import cuda
        >>> @cuda.jit("void(float32[::1])")
        ... def clear(a):
        ...     a[cuda.grid(1)] = 0
        >>> "pyk.store" in clear.stages("pyk", "(float32[::1],)")
        True
        >>> list(clear.stages("ptx"))
        [(array(float32, 1d, C),)]
        """
        return self._each(lambda overload: overload.stage(name), signature)

    @public
    def inspect_llvm(self, signature: object = None) -> str | dict[Types, str]:
        """The LLVM IR of which PTX is made."""
        return self._each(Overload.inspect_llvm, signature)

    @public
    def inspect_asm(self, signature: object = None) -> str | dict[Types, str]:
        """The PTX for the current device.

        On the CPU that is for the compute capability that it says it has, 9.0,
        or for what `pyk-run --chip` says. That of a device function, for the
        signatures that it is declared for, is what Numba's code would call.
        """
        if self.device and self.declared:
            return _ptx_of_device_function(self, signature)
        return self._each(Overload.inspect_asm, signature)

    @public
    def inspect_sass(self, signature: object = None) -> str | dict[Types, str]:
        """The machine code; needs `ptxas` and `nvdisasm`."""
        return self._each(Overload.inspect_sass, signature)

    @public
    def inspect_sass_cfg(
        self, signature: object = None
    ) -> str | dict[Types, str]:
        """The control flow of the machine code, for Graphviz."""
        return self._each(Overload.inspect_sass_cfg, signature)

    @public
    def inspect_types(self, file: TextIO | None = None) -> None:
        """Writes, for each signature, the source and its types."""
        for overload in self.overloads.values():
            overload.inspect_types(file)

    # What a kernel needs.

    @public
    def get_regs_per_thread(
        self, signature: object = None
    ) -> int | dict[Types, int]:
        """Registers of a thread; on the CPU, of a GPU's: by `ptxas`."""
        return self._number(lambda one: one.regs_per_thread, signature)

    @public
    def get_const_mem_size(
        self, signature: object = None
    ) -> int | dict[Types, int]:
        """Bytes of constant arrays; on the CPU by `ptxas`."""
        return self._number(lambda one: one.const_mem_size, signature)

    @public
    def get_shared_mem_per_block(
        self, signature: object = None
    ) -> int | dict[Types, int]:
        """Bytes of shared arrays whose size the kernel knows."""
        return self._number(lambda one: one.shared_mem_per_block, signature)

    @public
    def get_max_threads_per_block(
        self, signature: object = None
    ) -> int | dict[Types, int]:
        """How many threads a block may have."""
        return self._number(lambda one: one.max_threads_per_block, signature)

    @public
    def get_local_mem_per_thread(
        self, signature: object = None
    ) -> int | dict[Types, int]:
        """Bytes of a thread's own memory; on the CPU by `ptxas`."""
        return self._number(lambda one: one.local_mem_per_thread, signature)
