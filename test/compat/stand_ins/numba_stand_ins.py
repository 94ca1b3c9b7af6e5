# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numba-cuda's own tests import besides what programs use.

PyK stands in for Numba as programs see it. The tests also import Numba's test
support, which is here in our own words, and parts of its compiler, which PyK
does not have: any such name can be imported and used while a module is
loaded, and raises `NotInPyK` when a test uses it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import io
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from enum import Enum, IntEnum
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

#: The folder numba_cuda/numba/cuda/tests of a checkout.
TESTS_VARIABLE = "COMPAT_TESTS"

#: Whether test modules are being loaded; their tests run afterwards.
loading = True


class NotInPyK(Exception):
    """A test needs a part of Numba that programs do not see."""


class Absent:
    """A name that PyK does not have."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *args: object, **kwargs: object) -> Absent:
        if not loading:
            raise NotInPyK(self._name)
        return Absent(f"{self._name}()")

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if not loading:
            raise NotInPyK(f"{self._name}.{name}")
        return Absent(f"{self._name}.{name}")

    def __mro_entries__(self, bases: object) -> tuple[type, ...]:
        return (object,)

    def __or__(self, other: object) -> Absent:
        return self

    __getitem__ = __call__


class AbsentModule(ModuleType):
    """A module that PyK does not have: it has every name."""

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Absent(f"{self.__name__}.{name}")


class AbsentFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module of Numba that nothing else has."""

    def find_spec(self, name: str, path: object, target: object = None) -> Any:
        if name.split(".")[0] in ("numba", "cffi"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> ModuleType:
        return AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


# ===----------------------------------------------------------------------===#
# numba.cuda.tests.support and numba.cuda.testing, in our words.
# ===----------------------------------------------------------------------===#


class TestCase(unittest.TestCase):
    """unittest's class with a comparison that looks at types, too."""

    longMessage = True

    @property
    def random(self) -> np.random.RandomState:
        return np.random.RandomState(42)

    def reset_module_warnings(self, module: Any) -> None:
        """Lets warnings that were given once be given again."""
        name = module if isinstance(module, str) else module.__name__
        with contextlib.suppress(KeyError, AttributeError):
            del sys.modules[name].__warningregistry__

    def assertPreciseEqual(
        self,
        first: Any,
        second: Any,
        prec: str = "exact",
        ulps: int = 1,
        msg: str | None = None,
        ignore_sign_on_zero: bool = False,
        abs_tol: float | str | None = None,
    ) -> None:
        """Equal in kind, shape and value; NaN equals NaN."""
        if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
            self.assertIsInstance(first, np.ndarray, msg)
            self.assertIsInstance(second, np.ndarray, msg)
            self.assertEqual(first.shape, second.shape, msg)
            self.assertEqual(first.dtype, second.dtype, msg)
            pairs = zip(first.flat, second.flat, strict=True)
        elif isinstance(first, (tuple, list)):
            self.assertEqual(len(first), len(second), msg)
            pairs = zip(first, second, strict=True)
        elif isinstance(first, Enum) or isinstance(second, Enum):
            self.assertIs(first, second, msg)
            return
        else:
            self.assertEqual(_kind(first), _kind(second), msg)
            tolerance = _tolerance(first, second, prec, ulps, abs_tol)
            signed = not ignore_sign_on_zero
            for a, b in _parts(first, second):
                if not _close(a, b, tolerance, signed):
                    self.fail(f"{first!r} != {second!r} ({prec}): {msg}")
            return
        for a, b in pairs:
            self.assertPreciseEqual(
                a, b, prec, ulps, msg, ignore_sign_on_zero, abs_tol
            )

    @contextlib.contextmanager
    def assertTypingError(self) -> Any:
        from pyk.cuda import errors

        refusals = (
            errors.LoweringError,
            errors.TypingError,
            TypeError,
            NotImplementedError,
        )
        with self.assertRaises(refusals) as caught:
            yield caught


def _kind(value: object) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "bool"
    kind = np.asarray(value).dtype.kind
    return "i" if kind == "u" else kind


def _parts(first: Any, second: Any) -> list[tuple[Any, Any]]:
    if isinstance(first, (complex, np.complexfloating)):
        return [(first.real, second.real), (first.imag, second.imag)]
    return [(first, second)]


def _tolerance(
    first: Any, second: Any, prec: str, ulps: int, abs_tol: Any
) -> float:
    if _kind(first) not in "fc":
        return 0.0
    if prec == "exact":
        return 0.0
    digits = {"single": 24, "double": 53}[prec]
    absolute = {None: 0.0, "eps": 2.0 ** (1 - digits)}.get(abs_tol, abs_tol)
    scale = max(abs(first), abs(second))
    if not math.isfinite(scale) or scale == 0:
        return absolute
    return max(absolute, ulps * 2.0 ** (math.frexp(scale)[1] - digits))


def _close(a: Any, b: Any, tolerance: float, signed: bool) -> bool:
    if a != a or b != b:
        return bool(a != a and b != b)
    if a == b:
        return not (
            signed
            and a == 0
            and isinstance(a, (float, np.floating))
            and math.copysign(1, a) != math.copysign(1, b)
        )
    return bool(abs(a - b) <= tolerance)


class CUDATestCase(TestCase):
    """A test of kernels, which may look at their text with LLVM's FileCheck."""

    FLOAT16_RTOL = np.finfo(np.float16).eps

    def assertFileCheckAsm(
        self,
        ir_producer: Any,
        signature: Any = None,
        check_prefixes: Any = ("ASM",),
        **options: object,
    ) -> None:
        self._check_texts(
            ir_producer, ir_producer.inspect_asm(), signature, check_prefixes
        )

    def assertFileCheckLLVM(
        self,
        ir_producer: Any,
        signature: Any = None,
        check_prefixes: Any = ("LLVM",),
        **options: object,
    ) -> None:
        self._check_texts(
            ir_producer, ir_producer.inspect_llvm(), signature, check_prefixes
        )

    def _check_texts(
        self, kernel: Any, texts: Any, signature: Any, prefixes: Any
    ) -> None:
        if isinstance(texts, str):
            texts = {signature: texts}
        chosen = texts.values() if signature is None else [texts[signature]]
        self.assertTrue(chosen)
        for text in chosen:
            self.assertFileCheckMatches(text, kernel.__doc__, prefixes)

    def assertFileCheckMatches(
        self,
        ir_content: str,
        check_patterns: str,
        check_prefixes: Any = ("CHECK",),
        **options: object,
    ) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".checks") as checks:
            checks.write(check_patterns)
            checks.flush()
            done = subprocess.run(
                [
                    os.environ.get("FILECHECK", "FileCheck-22"),
                    f"--check-prefixes={','.join(check_prefixes)}",
                    checks.name,
                ],
                input=ir_content,
                capture_output=True,
                text=True,
            )
        if done.returncode:
            self.fail(f"FileCheck failed:\n{done.stderr}")


class CheckWarningsMixin:
    """Looks for the words of warnings."""

    @contextlib.contextmanager
    def check_warnings(
        self, messages: list[str], category: type = RuntimeWarning
    ) -> Any:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        told = [str(w.message) for w in caught if w.category is category]
        for message in messages:
            assert any(message in text for text in told), (message, told)


class NoRuntime:
    """Counts what kernels allocate by Numba's runtime: PyK has none."""


class ForeignArray:
    """An array of another library."""

    def __init__(self, arr: Any) -> None:
        self._arr = arr
        self.__cuda_array_interface__ = arr.__cuda_array_interface__


def _always(test: Any) -> Any:
    return test


def _never_because(what: str) -> Any:
    return unittest.skip(what)


def _unless_installed(module: str) -> Any:
    found = importlib.util.find_spec(module) is not None
    return unittest.skipUnless(found, f"requires {module}")


def _unless_program(name: str) -> Any:
    return unittest.skipIf(shutil.which(name) is None, f"requires {name}")


def _capability_at_least(major: int, minor: int) -> bool:
    from pyk import cuda

    return cuda.get_current_device().compute_capability >= (major, minor)


def _unless_capability(major: int, minor: int) -> Any:
    return unittest.skipUnless(
        _capability_at_least(major, minor), f"requires cc >= {major}.{minor}"
    )


@contextlib.contextmanager
def override_config(name: str, value: object) -> Any:
    from pyk.cuda import config

    previous = getattr(config, name)
    setattr(config, name, value)
    try:
        yield
    finally:
        setattr(config, name, previous)


def run_in_subprocess(
    code: str, flags: Any = (), env: Any = None, timeout: float = 30
) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, *flags, "-c", code],
        env=env,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    if done.returncode:
        raise AssertionError(f"status {done.returncode}:\n{done.stderr}")
    return done.stdout, done.stderr


def captured_stdout() -> Any:
    return contextlib.redirect_stdout(io.StringIO())


def captured_stderr() -> Any:
    return contextlib.redirect_stderr(io.StringIO())


@contextlib.contextmanager
def override_env_config(name: str, value: str) -> Any:
    previous = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if previous is None:
            del os.environ[name]
        else:
            os.environ[name] = previous


_SUPPORT = {
    "CheckWarningsMixin": CheckWarningsMixin,
    "EnableNRTStatsMixin": NoRuntime,
    "MemoryLeakMixin": NoRuntime,
    "TestCase": TestCase,
    "override_env_config": override_env_config,
    "skip_if_typeguard": _always,
    "windows_only": _never_because("Windows only test"),
    "IS_NUMPY_2": np.__version__ >= "2",
    "captured_stderr": captured_stderr,
    "captured_stdout": captured_stdout,
    "linux_only": _always,
    "override_config": override_config,
    "run_in_subprocess": run_in_subprocess,
    "skip_unless_cffi": _unless_installed("cffi"),
}


def _testing() -> dict[str, Any]:
    return {
        **_SUPPORT,
        "CUDATestCase": CUDATestCase,
        "ForeignArray": ForeignArray,
        "cc_X_or_above": _capability_at_least,
        "skip_if_cuda_includes_missing": _never_because("needs CUDA C++"),
        "skip_if_cudadevrt_missing": _always,
        "skip_if_curand_kernel_missing": _never_because("needs curand"),
        "skip_if_external_memmgr": lambda reason: _always,
        "skip_if_nvjitlink_missing": _never_because,
        "skip_on_arm": lambda reason: _always,
        "skip_on_cudasim": lambda reason: _always,
        "skip_on_nvjitlink_13_1_sm_120": lambda reason: _always,
        "skip_on_standalone_numba_cuda": _always,
        "skip_on_wsl2": lambda reason: _always,
        "skip_under_cuda_memcheck": lambda reason: _always,
        "skip_unless_conda_cudatoolkit": _never_because,
        "skip_unless_cc_50": _unless_capability(5, 0),
        "skip_unless_cc_53": _unless_capability(5, 3),
        "skip_unless_cc_60": _unless_capability(6, 0),
        "skip_unless_cc_75": _unless_capability(7, 5),
        "skip_unless_cc_90": _unless_capability(9, 0),
        "skip_unless_cudasim": _never_because,
        "skip_with_nvdisasm": lambda reason: unittest.skipIf(
            shutil.which("nvdisasm") is not None, reason
        ),
        "skip_without_nvdisasm": lambda reason: _unless_program("nvdisasm"),
        "test_data_dir": Path(os.environ.get(TESTS_VARIABLE, "")) / "data",
        "unittest": unittest,
        "xfail_unless_cudasim": unittest.expectedFailure,
    }


# ===----------------------------------------------------------------------===#
# The other places of names that PyK does have.
# ===----------------------------------------------------------------------===#


def _describe_complex_types() -> None:
    """The tests read the type of a complex type's parts from it."""
    from pyk import types

    types.complex64.underlying_float = types.float32
    types.complex128.underlying_float = types.float64


class Argument(NamedTuple):
    """A parameter of a function of libdevice."""

    name: str
    ty: Any
    is_ptr: bool


def _libdevice() -> dict[str, Any]:
    """The tests' own form of the table that PyK has."""
    from pyk import _core, types

    kinds = {
        "v": types.void,
        "h": types.int16,
        "i": types.int32,
        "l": types.int64,
        "f": types.float32,
        "d": types.float64,
    }

    def create_signature(returned: Any, arguments: list[Argument]) -> Any:
        results = [returned] * (returned is not types.void)
        results += [argument.ty for argument in arguments if argument.is_ptr]
        whole = results[0] if len(results) == 1 else types.Tuple(results)
        return whole(*[one.ty for one in arguments if not one.is_ptr])

    functions = {}
    for name, (result, *parameters) in _core.libdevice_functions():
        if name == "fast_tanhf":
            # Numba lacks it.
            continue
        arguments = [
            Argument(f"x{i}", kinds[letter.lower()], letter.isupper())
            for i, letter in enumerate(parameters)
        ]
        functions[f"__nv_{name}"] = (kinds[result], arguments)
    return {"functions": functions, "create_signature": create_signature}


def _missing(place: str, name: str) -> Absent:
    """A name that a module of PyK does not have, while tests are loaded."""
    if loading and not name.startswith("__"):
        return Absent(f"{place}.{name}")
    raise AttributeError(f"module '{place}' has no attribute '{name}'")


def install() -> None:
    """Makes `numba` mean PyK, and provides what else the tests import."""
    import pyk

    pyk.install_as_numba()
    from pyk import cuda
    from pyk.cuda import errors

    def module(name: str, contents: dict[str, Any]) -> ModuleType:
        made = AbsentModule(name)
        made.__dict__.update(contents, __path__=[])
        sys.modules[name] = made
        return made

    numba_config = sys.modules["numba"].config
    if not hasattr(cuda, "config"):
        cuda.config = numba_config
    cuda.HAS_NUMBA = True
    module("numba.cuda.core", {"config": cuda.config, "errors": errors})
    sys.modules["numba.cuda.core.config"] = cuda.config
    sys.modules["numba.cuda.core.errors"] = errors
    bf16 = {name: getattr(cuda.bf16, name) for name in cuda.bf16.__all__}
    module(
        "numba.cuda._internal.cuda_bf16",
        bf16 | {"nv_bfloat16": cuda.bfloat16},
    )
    for name in (
        *("cuda", "cuda.bindings", "cuda.bindings.driver"),
        *("cuda.core", "cuda.core._utils"),
    ):
        module(name, {})
    # What the driver's package raises, and what PyK raises in its place.
    module("cuda.core._utils.cuda_utils", {"CUDAError": errors.CudaAPIError})
    round_modes = {
        "cudaRoundNearest": 0,
        "cudaRoundZero": 1,
        "cudaRoundPosInf": 2,
        "cudaRoundMinInf": 3,
    }
    module(
        "cuda.bindings.runtime",
        {"cudaRoundMode": IntEnum("cudaRoundMode", round_modes)},
    )
    cuda.cudadrv.driver._have_nvjitlink = lambda: False
    cuda.cudadrv.driver.driver = Absent("numba.cuda.cudadrv.driver.driver")
    cuda.cudadrv.nvrtc = AbsentModule("numba.cuda.cudadrv.nvrtc")
    _describe_complex_types()
    module("numba.cuda.testing", _testing())
    tests = module("numba.cuda.tests", {})
    tests.__path__ = [os.environ.get(TESTS_VARIABLE, "")]
    # It defines a type by the extension API.
    module("numba.cuda.tests.cudapy.extensions_usecases", {})
    tests.support = module("numba.cuda.tests.support", _SUPPORT)
    dtypes = {
        "from_dtype": cuda.types.from_dtype,
        "as_dtype": lambda value: value.dtype,
        "numpy_version": tuple(map(int, np.__version__.split(".")[:2])),
    }
    module("numba.cuda.libdevicefuncs", _libdevice())
    support = module("numba.cuda.np.numpy_support", dtypes)
    module("numba.cuda.np", {"numpy_support": support})
    sys.meta_path.append(AbsentFinder())

    drivers = "numba.cuda.cudadrv"
    for place in (
        *("numba", "numba.cuda", "numba.cuda.types", drivers),
        *(f"{drivers}.{name}" for name in ("devicearray", "devices", "driver")),
    ):
        sys.modules[place].__getattr__ = functools.partial(_missing, place)
