# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `python -m pyk` and the environment decide for the whole process.

The dispatcher reads these when it compiles and launches. A program that is
not run by `python -m pyk` has the defaults and those of the environment.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from pyk import _core
from pyk._environment import is_on, warn_of_unknown

#: The target of programs that the PTX machine runs.
PTX_MACHINE = "ptx-machine"
TARGETS = ("auto", *_core.targets(), PTX_MACHINE)
#: How kernels run on the CPU.
CPUS = tuple(dict(_core.compile_options())["cpu"].split("|"))
#: The least processors that code for the CPU may be for.
CPU_LEVELS = tuple(dict(_core.compile_options())["cpu-level"].split("|"))
#: What kernels may be told to take for granted.
ASSUMPTIONS = tuple(dict(_core.compile_options())["assume"].split(","))
TYPINGS = ("numba", "narrow")
#: What becomes of accesses that go wrong: an IndexError for each index that is
#: out of bounds; reads of 0 and dropped writes outside of memory, on the CPU;
#: or whatever they do.
BOUNDS = ("index", "memory", "off")
#: What `emit` is for what the runtime loads, instead of a stage.
ARTIFACT = "artifact"
#: The stages, and the target whose own each is; None if all share it.
STAGES = dict(_core.stages())


@dataclass
class Options:
    """Settings of one process."""

    #: One of TARGETS.
    target: str = "auto"
    #: One of CPUS.
    cpu: str = "auto"
    #: Rows and strips of the tiles of vectors; tests try others than the plan.
    tile: str = "any"
    #: What kernels take for granted that do not say it themselves, words of
    #: ASSUMPTIONS joined by commas; None is all for launches, else nothing.
    assume: str | None = None
    #: How kernels are typed that do not say it themselves.
    typing: str = "numba"
    #: Stage whose text `write` receives of all compiled kernels, or ARTIFACT.
    emit: str | None = None
    #: Compute capability to make PTX for; None leaves it to the compiler.
    chip: str | None = None
    #: One of CPU_LEVELS, for what `emit` asks for; what runs is for this one.
    cpu_level: str = "native"
    #: Folder for one file for each stage.
    dump_stages: str | None = None
    #: Whether to print remarks on the speed of kernels.
    explain: bool = False
    #: Whether to keep times for the report of `--time`.
    time: bool = False
    #: Whether to print the pyk-opt command of each compile.
    reproduce: bool = False
    #: Whether kernels that do not say otherwise compute the same bits on all
    #: targets.
    reproducible: bool = False
    #: Whether to run each launch in several ways and compare the results.
    compare: bool = False
    #: One of BOUNDS, for kernels that do not say otherwise.
    bounds: str = "memory"
    #: Whether the stream of a `__cuda_array_interface__` is waited for.
    array_interface_sync: bool = True
    #: Whether memory of any numbers is read as those that are declared.
    reinterpret: bool = False
    #: Receives what `emit` asks for.
    write: Callable[[str | bytes], object] = print


def from_environment() -> Options:
    """The defaults, changed by the variables that begin with PYK_.

    NUMBA_CUDA_ARRAY_INTERFACE_SYNC means what it means to Numba.
    """
    warn_of_unknown()
    sync = os.environ.get("NUMBA_CUDA_ARRAY_INTERFACE_SYNC", "1")
    return Options(
        target=os.environ.get("PYK_TARGET") or "auto",
        cpu=os.environ.get("PYK_CPU") or "auto",
        assume=os.environ.get("PYK_ASSUME") or None,
        bounds=_bounds_of(os.environ.get("PYK_BOUNDSCHECK")),
        reinterpret=is_on("PYK_REINTERPRET"),
        compare=is_on("PYK_COMPARE"),
        reproducible=is_on("PYK_REPRODUCIBLE"),
        typing=os.environ.get("PYK_TYPING") or "numba",
        array_interface_sync=sync.strip() != "0",
    )


def kinds_of(words: str) -> tuple[str, ...]:
    """The kinds of facts that are named by `words` of ASSUMPTIONS.

    >>> kinds_of("launch")
    ('scalars', 'sizes', 'disjoint', 'aligned', 'strides')
    >>> kinds_of("none"), kinds_of("disjoint,scalars")
    ((), ('scalars', 'disjoint'))
    """
    given = words.split(",")
    if not set(given) <= set(ASSUMPTIONS):
        raise ValueError(
            f"assume expects {', '.join(ASSUMPTIONS)}, or several joined by "
            f"commas, but got '{words}'"
        )
    _, everything, *kinds = ASSUMPTIONS
    return tuple(kind for kind in kinds if kind in given or everything in given)


def _bounds_of(value: str | None) -> str:
    """What the value of PYK_BOUNDSCHECK asks for, one of BOUNDS."""
    if value in BOUNDS:
        return value
    words = ("0", "1", *BOUNDS)
    return "index" if is_on("PYK_BOUNDSCHECK", words) else "memory"


options = from_environment()
