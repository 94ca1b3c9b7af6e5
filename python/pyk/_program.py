# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a Python program as `__main__`, with `numba` meaning PyK.

What `runpy` does, without its import time and its frames in tracebacks.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

from pyk._colors import colored, is_wanted
from pyk._environment import full_traceback
from pyk._errors import CompileError, trim
from pyk._numba._alias import install_as_numba


def run(path: str, source: bytes, arguments: list[str]) -> int:
    """Runs the program in `source` and gives its exit status.

    `-` was standard input. SystemExit is left to the interpreter, which knows
    what it means.
    """
    if path == "-":
        file, folder = "<stdin>", ""
    else:
        # Absolute, as for Python itself: sources are found after a chdir, too.
        file = _absolute(path)
        folder = os.path.dirname(file)
    main = _begin([path, *arguments], folder)
    if path != "-":
        main.__file__ = file
    return _execute(main, lambda: _code_of(source, file))


def run_module(name: str, arguments: list[str]) -> int:
    """The same for a module that is found by its name, or a package's."""
    main = _begin(["-m", *arguments], _absolute(""))
    return _execute(main, lambda: _code_of_module(name, main))


def _begin(words: list[str], folder: str) -> ModuleType:
    """The `__main__` that is to be, and what it finds in `sys`."""
    main = ModuleType("__main__")
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    sys.argv = words
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = folder
    install_as_numba()
    return main


def _execute(main: ModuleType, load: Callable[[], CodeType]) -> int:
    try:
        exec(load(), main.__dict__)
    except SystemExit:
        raise
    except CompileError as error:
        if full_traceback():
            _show(error)
        else:
            _flush()
            report(str(error))
        return 1
    except KeyboardInterrupt as error:
        _show(error)
        return 130
    except BaseException as error:
        _show(error)
        return 1
    return 0


def _absolute(path: str) -> str:
    """`path` from the root; as it stands if the folder we are in is gone."""
    try:
        return os.path.abspath(path)
    except OSError:
        return path


def _code_of(source: bytes, file: str) -> CodeType:
    """The program as code; raises SyntaxError."""
    try:
        return compile(source, file, "exec", dont_inherit=True)
    except ValueError as error:
        # What some versions of Python raise for null bytes.
        raise SyntaxError(str(error), (file, 1, None, None)) from None


def _code_of_module(name: str, main: ModuleType) -> CodeType:
    """The code of a module, which `main` then says that it is."""
    spec = _find_module(name)
    if spec is not None and spec.submodule_search_locations is not None:
        name = f"{name}.__main__"
        spec = _find_module(name)
    if spec is None:
        raise CompileError(
            f"pyk-run: error: there is no module '{name}' to run"
        )
    loader: Any = spec.loader
    code: CodeType | None = None
    if hasattr(loader, "get_code"):
        code = loader.get_code(name)
    if code is None:
        raise CompileError(
            f"pyk-run: error: module '{name}' is no Python program to run"
        )
    main.__spec__ = spec
    main.__loader__ = loader
    main.__package__ = spec.parent
    if spec.origin is not None:
        main.__file__ = sys.argv[0] = spec.origin
    return code


def _find_module(name: str) -> ModuleSpec | None:
    """Where a module comes from, if there is one; imports its packages."""
    try:
        return None if name[0] == "." else importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            return None
        raise
    except ValueError:
        # A module that was made by hand.
        return None


def _flush() -> None:
    """Keeps what the program printed in front of the message."""
    # A closed pipe or file: the message is more useful than another one.
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sys.stdout.flush()


def report(message: str) -> None:
    """Prints a message of ours, if there is anywhere to print it to."""
    if sys.stderr is not None:
        if is_wanted(sys.stderr):
            message = colored(message)
        with contextlib.suppress(OSError, ValueError):
            print(message, file=sys.stderr, flush=True)


def _show(error: BaseException) -> None:
    """Prints a traceback as the interpreter would, without PyK's frames."""
    _flush()
    if not full_traceback():
        trim(error)
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except SystemExit:
        raise
    except BaseException as other:
        # The hook is the program's own. What the interpreter says then.
        trim(other)
        other.__context__ = None
        report("Error in sys.excepthook:")
        sys.__excepthook__(type(other), other, other.__traceback__)
        report("\nOriginal exception was:")
        sys.__excepthook__(type(error), error, error.__traceback__)
