# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The judges of a program.

The typing model and the evaluator say what a program computes; the compiled
program must compute the same on the CPU, and ptxas must accept its PTX.
"""

import contextlib
import linecache
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import runs
from model.errors import TypingError
from model.types import Array, NamedTuple, dtype_type, value_type

from pyk import CompileError, _core, _options, cuda
from pyk._frontend import _build
from pyk.cuda import _devices
from pyk.cuda.cudadrv.driver import CudaAPIError

from . import evaluator

sys.path.append(str(Path(__file__).parents[2] / "python"))

from support import ptx_machine  # noqa: E402
from support.guarded_memory import GuardedCopies  # noqa: E402

#: How programs run on the CPU: values of the option `cpu`, the level of
#: processors behind the first one if there is more than one.
WAYS = ("simd", "reference")
#: What accesses of memory outside of every array are noted as: no GPU checks
#: them, so that the PTX machine ends such programs.
FAR = {"far load", "far store", "far atomic operation"}
#: Units in the last place by which a function of libm may be wrong.
PLACES = 8
#: Error of a complex quotient in epsilons of its size. By Smith's method each
#: part has a sum that cancels (the products in it are wrong by two roundings)
#: and a divisor that does not, wrong by three: 3.5 for a part, 5 for both.
QUOTIENT = 5
#: Relative errors of powers: logarithm and exponential follow each other.
POWER = {"float16": 2e-3, "float32": 2e-5, "float64": 1e-12}


@dataclass
class Verdict:
    """What the judges say of a program; `failure` is None if they agree."""

    failure: str | None = None
    refused: bool = False
    #: Whether it was executed in no way.
    skipped: bool = False
    #: How often it is launched in each way.
    launches: int = 1
    features: set[str] = field(default_factory=set)


def model_type(value):
    """The type of an argument in the model's words."""
    if isinstance(value, tuple):
        return NamedTuple(type(value), tuple(map(model_type, value)))
    if not isinstance(value, np.ndarray):
        return value_type(value)
    flags = value.flags
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return Array(dtype_type(value.dtype), value.ndim, layout)


def copied(arguments):
    """Arguments of the same types and layouts, with memory of their own."""
    return [
        copied_array(value) if isinstance(value, np.ndarray) else value
        for value in arguments
    ]


def copied_array(array):
    """A copy with the strides of the array, as far as they matter."""
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return array.copy(order="K")
    steps = tuple(slice(None, None, 2) for _ in array.shape)
    result = np.zeros([2 * n for n in array.shape], array.dtype)[steps]
    result[...] = array
    return result


def small(value):
    """An argument of the same type, whose integers are from 0 to 3: for these
    the facts that a kernel may assume of a launch hold."""
    if isinstance(value, tuple):
        return type(value)(*map(small, value))
    return type(value)(value % 4) if isinstance(value, np.integer) else value


def evaluate(text, arguments, grid, block):
    """(arrays afterwards, the launch); TypingError if it cannot be typed."""
    typed = evaluator.Typed(text, [model_type(value) for value in arguments])
    launch = evaluator.Launch(typed, grid, block)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        launch.run(arguments)
    return arguments, launch


def kernel(text, name):
    """The kernel of a program, for PyK."""
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    names = {"__name__": "program"}
    text = text.replace("from numba import cuda", "from pyk import cuda")
    text = text.replace("@cuda.jit\n", "@cuda.jit(fma=False)\n")
    exec(compile(text, name, "exec"), names)  # noqa: S102
    return names["k"]


def same(name, got, expected, launch):
    """What differs, or None."""
    for index in np.ndindex(got.shape):
        x, y = got[index], expected[index]
        where = expected.__array_interface__["data"][0], index
        if where in launch.rounded:
            equal = near(x, y, launch.rounded[where])
        else:
            equal = same_number(x, y)
        if not equal:
            return f"{name}{list(index)} is {x!r}, expected {y!r}"
    return None


def same_number(x, y):
    """Whether two numbers or records are the same; all NaNs are."""
    if x.dtype.names:
        return all(same_number(x[name], y[name]) for name in x.dtype.names)
    if x.dtype.kind == "c":
        return same_number(x.real, y.real) and same_number(x.imag, y.imag)
    if x.dtype.kind != "f":
        return x == y
    if np.isnan(x) or np.isnan(y):
        return np.isnan(x) and np.isnan(y)
    return x == y and np.signbit(x) == np.signbit(y)


def near(x, y, kind):
    """Whether two results that need not be exact agree."""
    if kind is None or x.dtype.kind not in "fc":
        return kind is None or x == y
    if x.dtype.kind == "c":
        return near_quotient(x, y, kind)
    return near_function(float(x), float(y), kind)


def near_quotient(x, y, kind):
    """Whether two complex quotients agree.

    Where one is infinite, only which parts are infinite or NaN is compared.
    """
    if not (np.isfinite(x) and np.isfinite(y)):
        return all(
            np.array_equal(test([x.real, x.imag]), test([y.real, y.imag]))
            for test in (np.isnan, np.isposinf, np.isneginf)
        )
    return abs(x - y) <= QUOTIENT * float(np.finfo(kind).eps) * abs(y)


def near_function(x, y, kind):
    """Whether two results of a function are equal to some last places."""
    if np.isnan(x) or np.isnan(y):
        return np.isnan(x) and np.isnan(y)
    info = np.finfo(kind)
    limit = float(info.max)
    x, y = (np.inf * np.sign(v) if abs(v) > limit else v for v in (x, y))
    if x == y:
        return True
    x, y = (np.clip(v, -limit, limit) for v in (x, y))
    allowed = max(PLACES * float(info.eps), POWER[kind])
    return abs(x - y) <= allowed * abs(y) + 8 * float(info.tiny) * float(
        info.eps
    )


def judge(
    text,
    arguments,
    grid,
    block,
    name="<program>",
    ways=("auto",),
    at_page=False,
    is_second=False,
):
    """The verdict on a program: names and values of arguments.

    It is run in each of `ways`, which are as in WAYS or `ptx` and the seed of a
    schedule for the PTX machine, on arrays between canaries; with `at_page`
    they end where memory can no longer be accessed. With `is_second` the kernel
    is launched with small integers before: code for that launch may not be
    right for this one.
    """
    names = [key for key, _ in arguments]
    values = [value for _, value in arguments]
    verdict = Verdict()
    try:
        expected, launch = evaluate(text, copied(values), grid, block)
        verdict.features = launch.features
    except TypingError as error:
        verdict.refused = True
        refusal = str(error)
    except (evaluator.Refused, evaluator.Exhausted) as error:
        verdict.refused = True
        verdict.failure = f"not judged: {error!r}"
        return verdict
    if verdict.refused:
        source = buffer(kernel(text, name), copied(values))
        try:
            _core.compile(source=source, target="cpu", options={"fma": False})
        except CompileError:
            return verdict
        verdict.failure = f"compiles, but the model says: {refusal}"
        return verdict
    before = evaluate_small(text, values, grid, block) if is_second else None
    verdict.launches = 2 if before else 1
    if FAR & verdict.features:
        ways = [way for way in ways if not way.startswith("ptx")]
    verdict.skipped = not ways
    for way in ways:
        rounds = [(GuardedCopies(values, at_page), expected, launch)]
        if before:
            first = GuardedCopies([*map(small, values)], at_page)
            rounds.insert(0, (first, *before))
        launches = [copies.arguments for copies, _, _ in rounds]
        wrong = launched(text, name, launches, grid, block, way)
        for copies, wanted, of in rounds:
            wrong = wrong or copies.overwritten(names)
            for key, x, y in zip(names, copies.arguments, wanted, strict=True):
                if isinstance(x, np.ndarray):
                    wrong = wrong or same(key, x, y, of)
        if wrong:
            verdict.failure = f"{wrong} (run as {way})"
            break
    return verdict


def evaluate_small(text, values, grid, block):
    """What `evaluate` says of small integers; None if it cannot judge them.

    Nor can a GPU where threads access memory far outside of an array.
    """
    try:
        found = evaluate(text, copied(map(small, values)), grid, block)
    except (evaluator.Refused, evaluator.Exhausted):
        return None
    return None if FAR & found[1].features else found


def ways_of(seed):
    """The ways in which a long run executes the program of a seed.

    As vectors for each of its levels of processors, by threads, and on the PTX
    machine in an order of threads by the seed.
    """
    ways = []
    if runs.runs_on_cpu():
        ways = [*(f"simd {level}" for level in runs.levels()), "reference"]
    return [*ways, f"ptx {seed}"] if runs.runs_on_ptx() else ways


def launched(text, name, launches, grid, block, way):
    """Launches a kernel with each of these arguments; why that failed, or None.

    On the PTX machine several launches have arrays of the device.
    """
    is_on_device = way.startswith("ptx") and len(launches) > 1
    try:
        with running_as(way), warnings.catch_warnings():
            # Of accesses outside of an array.
            warnings.simplefilter("ignore")
            compiled = kernel(text, name)
            for arguments in launches:
                with on_device(arguments, is_on_device) as given:
                    compiled[grid, block](*given)
    except CompileError as error:
        return f"does not compile: {error}"
    except CudaAPIError as error:
        return f"fails at its launch: {error}"
    return None


@contextlib.contextmanager
def on_device(arguments, is_on_device):
    """The arguments, with arrays of the device in place of those of the host
    that are contiguous; they are copied back."""
    copies = {
        place: cuda.to_device(array)
        for place, array in enumerate(arguments)
        if is_on_device
        and isinstance(array, np.ndarray)
        and (array.flags.c_contiguous or array.flags.f_contiguous)
    }
    yield [copies.get(place, one) for place, one in enumerate(arguments)]
    for place, copy in copies.items():
        copy.copy_to_host(arguments[place])


@contextlib.contextmanager
def running_as(way):
    """Programs that are launched within run in this way."""
    form, _, rest = way.partition(" ")
    if form == "ptx":
        with ptx_machine.on_it(int(rest)):
            yield
        return
    assert _devices.current().is_cpu
    options = _options.options
    old = options.cpu, options.cpu_level
    options.cpu, options.cpu_level = form, rest or options.cpu_level
    try:
        yield
    finally:
        options.cpu, options.cpu_level = old


def buffer(compiled, arguments):
    """The ast buffer of a launch."""
    options = compiled._buffer_options
    return _build.build(compiled, compiled._parameters.key(arguments), options)


def assembly(text, arguments, chip, name="<program>"):
    """The PTX of a program."""
    values = [value for _, value in arguments]
    source = buffer(kernel(text, name), values)
    return _core.compile(
        source=source,
        target="cuda",
        emit="ptx",
        options={"chip": chip, "fma": False},
    ).emitted
