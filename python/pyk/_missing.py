# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that programs know from Numba and that PyK may not have yet.

Who asks for one of them has made no mistake, and is told so. A name that PyK
gets may stay in the list: only what a module lacks is looked up here.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Collection, Mapping
from opcode import opmap
from types import FrameType
from typing import Any

_IMPORT_FROM = opmap["IMPORT_FROM"]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Public names of `numba.cuda`.
OF_CUDA = _names(
    "CUSource Cubin Fatbin HostOnlyCUDAMemoryManager "
    "BaseCUDAMemoryManager GetIpcHandleMixin IpcHandle LTOIR "
    "LinkableCode MappedMemory MemoryInfo MemoryPointer Object "
    "PTXSource PinnedMemory Archive Reduce activemask all_sync any_sync "
    "alias api args atomic ballot_sync brev cache_hints cbrt cg clz compile "
    "compile_all compile_for_current_device compile_ptx "
    "compile_ptx_for_current_device compiler config const cudadrv "
    "declare_device dispatcher eq_sync extending external_stream ffi "
    "ffs fma grid_group guvectorize intrinsics "
    "is_supported_version lanemask_lt launchconfig ldca "
    "kernels ldcg ldcs ldcv ldlu libdevice libdevicefuncs literal_unroll local "
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


#: Public names of parts of `numba.cuda` that programs import by their place.
OF_DRIVERS = {
    "cudadrv": _names(
        "drvapi dummyarray enums libs linkable_code mappings ndarray nvrtc "
        "nvvm rtapi runtime"
    ),
    "devicearray": _names(
        "DeviceNDArrayBase FakeShape IpcArrayHandle ManagedNDArray "
        "MappedNDArray from_array_like "
        "from_record_like require_cuda_ndarray verify_cuda_ndarray_interface"
    ),
    "devices": _names("require_context"),
    "driver": _names(
        "AutoFreePointer BaseCUDAMemoryManager Device Driver Event Function "
        "GetIpcHandleMixin HostOnlyCUDAMemoryManager IpcHandle Linker "
        "ManagedMemory MappedMemory MemoryInfo MemoryPointer Module "
        "NumbaCUDAMemoryManager OwnedPointer PinnedMemory Stream "
        "device_ctypes_pointer device_extents device_memory_depends "
        "device_memory_size device_memset device_pointer device_to_device "
        "device_to_host driver host_memory_extents host_memory_size "
        "host_pointer host_to_device is_device_memory launch_kernel "
        "memory_size_from_info set_memory_manager"
    ),
}

#: Public attributes of objects, by the class that PyK has for them.
OF_OBJECTS = {
    "Context": _names(
        "create_module_image create_module_ptx deallocations device extras "
        "get_active_blocks_per_multiprocessor get_ipc_handle "
        "get_max_potential_block_size get_or_load_kernel memalloc "
        "memallocmanaged memhostalloc memory_manager mempin modules "
        "open_ipc_handle prepare_for_use unload_module"
    ),
    "DeviceNDArray": _names(
        "alloc_size as_cuda_arg bind device_ctypes_pointer get_ipc_handle "
        "gpu_data"
    ),
    "Dispatcher": _names(
        "add_overload compile_device disable_compile enable_caching "
        "get_call_template get_compile_result get_metadata get_overload "
        "get_overload_kernel inspect_lto_ptx inspect_sass_cfg is_compiling "
        "mark_launch_config_sensitive nopython_signatures typeof_pyval"
    ),
    "GUFunc": _names("add build_ufunc engine gufunc_builder is_dynamic"),
    "UFunc": _names(
        "add build_ufunc find_ewise_function functions match_signature "
        "max_blocksize outer targetoptions ufunc"
    ),
}


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
    known = OF_CUDA if owner == "cuda" else OF_DRIVERS.get(owner, ())
    return "not yet in PyK" if name in known else None


def attribute_of(value: object, name: str) -> Any:
    """The `__getattr__` of classes whose objects programs hold: it raises."""
    raise attribute_error(value, name)


def attribute_error(value: object, name: str) -> AttributeError:
    """The error for an attribute that an object of PyK lacks."""
    kinds = [kind.__name__ for kind in type(value).__mro__]
    if any(name in OF_OBJECTS.get(kind, ()) for kind in kinds):
        return AttributeError(f"'{kinds[0]}.{name}' is not yet in PyK")
    message = f"'{kinds[0]}' object has no attribute '{name}'"
    if not name.startswith("_"):
        public = [known for known in dir(value) if known[0] != "_"]
        message += _near(name, public)
    return AttributeError(message)


def _near(name: str, public: Collection[str]) -> str:
    """The one of some names that `name` may be meant to be."""
    # Imported late, as only errors need it.
    import difflib

    near = difflib.get_close_matches(name, public, 1, 0.8)
    return f"; did you mean '{near[0]}'?" if near else ""


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
    return _near(name, getattr(sys.modules[module], "__all__", ()))


def _imports(frame: FrameType) -> bool:
    """Whether a frame looks for what `from module import name` names.

    That of the import system does for packages, that of the program for others.
    """
    code = frame.f_code
    return (
        code.co_name == "_handle_fromlist"
        or code.co_code[frame.f_lasti] == _IMPORT_FROM
    )


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
        if (is_known or hint) and _imports(sys._getframe(1)):
            raise ImportError(message + hint, name=module)
        raise AttributeError(message + hint, name=name)

    return get
