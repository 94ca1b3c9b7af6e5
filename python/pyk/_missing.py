# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that programs know from Numba and that PyK may not have yet.

Who asks for one of them has made no mistake, and is told so. A name that PyK
gets may stay in the list: only what a module lacks is looked up here.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Collection, Mapping


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Public names of `numba.cuda`.
OF_CUDA = _names(
    "CUSource Cubin Fatbin HostOnlyCUDAMemoryManager "
    "BaseCUDAMemoryManager GetIpcHandleMixin IpcHandle LTOIR "
    "LinkableCode MappedMemory MemoryInfo MemoryPointer Object "
    "PTXSource PinnedMemory Archive Reduce activemask all_sync any_sync "
    "alias atomic ballot_sync brev cache_hints cbrt cg clz compile "
    "compile_all compile_for_current_device compile_ptx "
    "compile_ptx_for_current_device compiler config const cudadrv "
    "declare_device dispatcher eq_sync extending external_stream ffi "
    "ffs fma grid_group guvectorize intrinsics "
    "is_supported_version lanemask_lt launchconfig ldca "
    "ldcg ldcs ldcv ldlu libdevice libdevicefuncs literal_unroll local "
    "match_all_sync match_any_sync memory_management models nvvm "
    "open_ipc_array popc random reduce runtime selp set_memory_manager "
    "shared shfl_down_sync shfl_sync shfl_up_sync shfl_xor_sync simulator "
    "stcg stcs stwb stwt syncthreads syncthreads_and syncthreads_count "
    "syncthreads_or syncwarp testing ufuncs vectorize"
)

#: Public names of `numba`.
OF_NUMBA = _names(
    "carray cfunc deferred_type experimental farray gdb gdb_breakpoint "
    "gdb_init generated_jit get_num_threads get_parallel_chunksize "
    "get_thread_id guvectorize literally misc objmode optional "
    "parallel_chunksize set_num_threads set_parallel_chunksize stencil "
    "testing threading_layer typed typeguard vectorize"
)


#: What else does what a public name of `cuda` does elsewhere.
_INSTEAD = {
    "inline_ptx": "declare a function of PTX with cuda.declare_device(..., "
    "link=[...]), and with cpu= what the CPU runs instead",
}


#: What a public name of `numba` is that PyK lacks.
OF_THE_HOST = (
    "for functions on the host, which PyK leaves to Numba; install it by 'pip "
    "install numba'"
)


def reason(owner: str, name: str) -> str | None:
    """Why PyK lacks `owner.name`, for "it is ..."; None if nobody has it."""
    if owner == "cuda" and name in _INSTEAD:
        return f"not in PyK ({_INSTEAD[name]})"
    if owner == "numba" and name in OF_NUMBA:
        return OF_THE_HOST
    return "not yet in PyK" if owner == "cuda" and name in OF_CUDA else None


def _name_for_programs(module: str) -> str:
    """The name under which programs import a module."""
    stands_for_numba = hasattr(sys.modules.get("numba"), "__pyk__")
    if module == "pyk.cuda" and stands_for_numba:
        return "numba.cuda"
    return module


def _hint(
    module: str, name: str, elsewhere: Mapping[str, Collection[str]]
) -> str:
    """Where `name`, which a module lacks, may be, or what may be meant."""
    if name.startswith("_"):
        return ""
    for place, names in elsewhere.items():
        if name in names:
            return f"; {place.format(name)}"
    # Only what goes wrong needs it.
    import difflib

    public = getattr(sys.modules[module], "__all__", ())
    near = difflib.get_close_matches(name, public, 1, 0.8)
    return f"; did you mean '{near[0]}'?" if near else ""


def getter(
    module: str,
    of_numba: Callable[[str], object] | None = None,
    elsewhere: Mapping[str, Collection[str]] | None = None,
) -> Callable[[str], object]:
    """The `__getattr__` of a module, which gets what the module lacks.

    `of_numba` gives what an installed Numba has of that name, or raises
    AttributeError. `elsewhere` has what other names programs may look for here,
    by what to say of one of them.
    """
    owner = module.rpartition(".")[2]

    def get(name: str) -> object:
        if of_numba is not None:
            with contextlib.suppress(AttributeError):
                return of_numba(name)
        message = f"module '{module}' has no attribute '{name}'"
        why = reason(owner, name)
        is_known = why is not None
        hint = "" if is_known else _hint(module, name, elsewhere or {})
        shown = _name_for_programs(module)
        if is_known:
            message = f"'{owner}.{name}' is {why}"
        elif shown.startswith("numba") and not name.startswith("__"):
            message = f"PyK, in the place of numba, has no '{shown}.{name}'"
            # All that are modules are there from the start.
            is_known = f"{module}.{name}" not in sys.modules
        # `from module import name` asks here first. Of an AttributeError it
        # makes a message of its own.
        if (is_known or hint) and sys._getframe(
            1
        ).f_code.co_name == "_handle_fromlist":
            raise ImportError(message + hint, name=module)
        raise AttributeError(message + hint, name=name)

    return get
