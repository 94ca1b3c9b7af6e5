# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension module: PyK's C interfaces in Python's terms.

Its sources are in python/ext; a test compares the names here with those of
the built module. Addresses are ints; numbers of backends, kinds of memory and
default streams are those of pyk/runtime/Runtime.h.
"""

from collections.abc import Callable
from typing import Any, final

class Boundary:
    """A callable whose exceptions carry no frame of PyK's own files.

    `trim` is called with an exception that `function` raises.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        trim: Callable[[BaseException], None],
    ) -> None: ...
    @property
    def __wrapped__(self) -> Callable[..., Any]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __get__(
        self, instance: object, owner: type | None = None, /
    ) -> Any: ...
    __name__: str
    __qualname__: str

class Failure:
    """What a thread of a kernel that checks recorded when it failed."""

    @property
    def code(self) -> int:
        """Its place in the list of failures of the manifest, from 1."""

    def describe(
        self,
        function: str,
        file: str,
        line: int,
        message: str | None,
        *,
        speaks_of_values: bool,
    ) -> str:
        """Says which thread failed where, and the message, if there is one.

        If that speaks of values, {0} and {1} in it stand for those that the
        thread recorded.
        """

class Device:
    """A device of the runtime."""

    @staticmethod
    def get(backend: int, index: int) -> Device: ...
    @property
    def backend(self) -> int: ...
    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def uuid(self) -> str: ...
    def attribute(self, name: str) -> int:
        """CUDA's attribute of that name, without its prefix."""

    def memory_info(self) -> tuple[int, int]:
        """Free and total bytes."""

    def set_profiling(self, on: bool) -> None:
        """Tells a profiler to record, or no longer."""

    def context(self) -> int: ...
    def synchronize(self) -> None: ...
    def reset(self) -> None: ...
    def allocate(self, bytes: int, memory: int) -> Buffer: ...
    def register(self, address: int, bytes: int, memory: int) -> Buffer: ...

class Buffer:
    """Memory, which is freed with this object."""

    @property
    def device_address(self) -> int: ...
    @property
    def host_address(self) -> int: ...
    @property
    def bytes(self) -> int: ...

class Keeper:
    """Holds `owner` until it goes and the work that was queued then has ended.

    For owners of memory that is not the runtime's.
    """

    def __init__(self, owner: object, device: Device) -> None: ...
    @property
    def owner(self) -> object: ...

class Stream:
    """A stream of the runtime; host memory must outlive what reads it."""

    @staticmethod
    def create(device: Device) -> Stream: ...
    @staticmethod
    def default(device: Device, which: int) -> Stream: ...
    @staticmethod
    def external(device: Device, handle: int) -> Stream: ...
    @property
    def device_index(self) -> int: ...
    @property
    def handle(self) -> int: ...
    def copy_to_device(
        self, to: int, source: int, bytes: int, wait: bool
    ) -> None: ...
    def copy_to_host(
        self, to: int, source: int, bytes: int, wait: bool
    ) -> None: ...
    def copy_on_device(self, to: int, source: int, bytes: int) -> None: ...
    def copy_rows(
        self,
        direction: int,
        to: int,
        source: int,
        to_pitch: int,
        source_pitch: int,
        row_bytes: int,
        rows: int,
        wait: bool,
    ) -> None: ...
    def wait(self, event: Event) -> None: ...
    def add_callback(self, function: Callable[[str | None], object]) -> None:
        """Calls `function` with None, or with why the work before failed."""

    def synchronize(self) -> None: ...

class Event:
    """An event of the runtime."""

    @staticmethod
    def create(device: Device, timing: bool) -> Event: ...
    @property
    def handle(self) -> int: ...
    def record(self, stream: Stream) -> None: ...
    def query(self) -> bool: ...
    def synchronize(self) -> None: ...
    def elapsed(self, end: Event) -> float:
        """Milliseconds until `end`."""

class Module:
    """Compiled kernels."""

    @property
    def emitted(self) -> str:
        """Text of the stage that `compile` was asked to emit."""

    @property
    def manifest(self) -> str:
        """What python-dialect-docs/reference/manifest.md says, as JSON."""

    @property
    def artifact(self) -> bytes:
        """Manifest and code as one; empty if it was compiled for no target."""

    @property
    def remarks(self) -> list[str]:
        """What `explain` asked for, as text, in the order of lines."""

    @property
    def kernels(self) -> list[str]:
        """The entries, in the order of the module."""

    @property
    def has_block_shape(self) -> bool:
        """Whether its first kernel is for blocks of one shape alone."""

    @property
    def ptx(self) -> str:
        """PTX; empty if it was compiled for the CPU."""

    @property
    def reproduce(self) -> str:
        """The pyk-opt command line that repeats the compilation."""

    @property
    def times(self) -> str:
        """Milliseconds by stage, as JSON."""

    #: Set by `cuda._compile`: makes the exception of a thread that has failed.
    describe: Callable[[Failure], BaseException]
    #: Set by `cuda._compile`: device arrays whose addresses are in the code.
    held: list[Any]
    link: list[Any]

    def load(
        self,
        device: Device,
        max_registers: int = 0,
        describe: Callable[[Failure], BaseException] | None = None,
        kernel: str | None = None,
        opt: int = -1,
        line_info: bool = False,
        debug_info: bool = False,
        link: list[str] = [],
    ) -> Function:
        """Loads a kernel on a device of the target that it was compiled for.

        Without an entry there must be one kernel only. A GPU's driver
        optimizes as `opt` says, 0 to 4 or -1 for its default, and keeps lines
        or what debuggers want if asked to.
        """

class Function:
    """A kernel on a device."""

    def info(self) -> dict[str, int]:
        """What it needs: names are those of `pyk_rt_function_info`.

        The runtime knows nothing of registers and constants on the CPU: 0.
        """

    def active_blocks(self, threads: int, shared_bytes: int) -> int:
        """How many blocks run at a time on one multiprocessor."""

    @property
    def is_cooperative(self) -> bool:
        """Whether all blocks of its launches have to run at a time."""

class Dispatcher:
    """The base of kernels: `dispatcher[grid, block]` gives a `Launcher`.

    What is not usual goes to the methods `_configure(key)` and
    `_launch(launcher, arguments, keyword)` of the subclass.
    """

    def __getitem__(self, configuration: object, /) -> Launcher: ...
    def _add(
        self,
        function: Function,
        arguments: tuple[Any, ...],
        block: tuple[int, int, int] | None,
    ) -> None:
        """Launches with arguments of these types are ones of `function`."""

    def _count(self) -> int:
        """How many specializations a launch may have to search."""

    def _forget(self) -> None:
        """Undoes every `_add`."""

    def _launcher(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        stream: Stream | None,
        shared_bytes: int,
    ) -> Launcher: ...
    def _use_python(self) -> None:
        """From now on `_configure` is always called."""

@final
class Launcher:
    """A kernel with its launch configuration."""

    @property
    def dispatcher(self) -> Any: ...
    @property
    def griddim(self) -> tuple[int, int, int]: ...
    @property
    def blockdim(self) -> tuple[int, int, int]: ...
    @property
    def stream(self) -> Stream | None: ...
    @property
    def sharedmem(self) -> int: ...
    def _run(
        self, function: Function, arguments: tuple[Any, ...]
    ) -> BaseException | None:
        """Launches with arguments that need no conversion.

        Returns the exception that the kernel has raised.
        """

    def __call__(self, *args: Any) -> None: ...

def check_chip(chip: str) -> None:
    """Raises ValueError unless PTX can be made for `chip`."""

def compile(
    *,
    source: bytes | str,
    source_name: str | None = None,
    target: str | None = None,
    emit: str | None = None,
    dump_stages: str | None = None,
    explain: bool = False,
    options: dict[str, bool | str] = {},
) -> Module:
    """Compiles an ast buffer or MLIR text; raises what pyk._errors maps.

    Without a target only the texts are made, and nothing can be loaded.
    """

def infer_result(*, source: bytes | str, source_name: str | None = None) -> str:
    """The type of what the function of an ast buffer returns, as MLIR's text.

    Its arguments are of the types that the buffer has, and it may be a device
    function; raises as `compile` does.
    """

def device_count(backend: int) -> int:
    """How many devices there are; CudaSupportError if there can be none."""

def import_dlpack(
    tensor: object,
) -> tuple[int, tuple[int, ...], tuple[int, ...], str, object]:
    """Address, shape, strides in bytes, dtype and owner of a DLPack tensor."""

def initialize(
    device_array: type,
    stream: type,
    trim: Callable[[BaseException], None] | None,
) -> None:
    """Tells the launch path of the classes that pyk.cuda defines.

    `trim` is called with each exception that a launch raises.
    """

def compile_options() -> list[tuple[str, str]]:
    """The options of `compile`, and all values that each may have.

    These are "true|false" for a bool; "" stands for any str.
    """

def targets() -> list[str]:
    """What kernels can be compiled for."""

def stages() -> list[tuple[str, str | None]]:
    """The stages that have a text, and the target whose own each is.

    It is None for those that all targets share.
    """

def libdevice_functions() -> list[tuple[str, str]]:
    """Name and type of each function of libdevice, as pyk-c/PyK.h says."""

def listen_to_compile(callee: Callable[[object, object], None] | None) -> None:
    """Calls `callee` with each text that Python compiles, and its file.

    That may be bytes, a str, a tree, or None for one that is being read.
    """

def observe_launches(on: bool) -> None:
    """Whether every launch goes by way of `Dispatcher._launch`."""

def hide_output(on: bool) -> None:
    """Whether what kernels on the CPU print and warn of is dropped."""

def finish_callbacks() -> None:
    """Waits for callbacks of streams; later ones are not called."""

def failing(
    function: Function,
    arguments: tuple[object, ...],
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
) -> list[str]:
    """What `function` takes for granted and does not hold of a launch.

    Of "scalars", "sizes", "disjoint", "aligned" and "strides", those that a
    compilation should not assume, and "block" if it is for other blocks. The
    arguments are of usual types.
    """

def unwritten(function: Function, arguments: tuple[object, ...]) -> list[int]:
    """The device addresses of arrays that `function` certainly does not write.

    The arguments are of usual types.
    """

def limits() -> dict[str, int]:
    """`threads_per_block`, which a block of any device has at most, and
    `narrow`, which what kernels of narrow typing count is below.
    """

def forget_streams() -> None:
    """The streams that threads have selected are dead."""

def select_stream(stream: Stream, device: object) -> None:
    """What names no stream is launched on `stream`, in this thread.

    Device arrays must have `device` as their `_device`, unless that is None.
    """

def version() -> str:
    """The version of PyK."""

def is_python(words: list[str]) -> bool:
    """Whether pyk-run, called with `words`, runs a Python program.

    Of `-` the text on standard input decides, which can be read afterwards.
    """

def pyk_run(words: list[str]) -> int:
    """Runs pyk-run's command line for MLIR; gives the exit status."""

def pyk_opt(words: list[str]) -> int:
    """Runs pyk-opt's command line; gives the exit status."""
