# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Numba that is installed, loaded next to PyK's modules of the same names.

Programs see PyK's `numba` in `sys.modules`. Numba's own modules are imported
under a name of their own, `ROOT`, and their `__import__` finds each other
there: who imports decides what `numba` means, in every thread and at any time,
and nothing is ever exchanged in `sys.modules`.

A module of Numba that PyK has no counterpart of stands in `sys.modules` under
its usual name as well, where `pickle` and compiled code look for it.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.abc
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib._bootstrap import _ModuleLockManager  # type: ignore
from importlib.machinery import (
    ExtensionFileLoader,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
)
from types import ModuleType
from typing import Any

from pyk._numba import _handed_on

#: The name in `sys.modules` of the package that is Numba's own.
ROOT = "_numba_next_to_pyk"

#: What is done to a module of Numba as soon as it is loaded, by its name.
after_loading: dict[str, Callable[[ModuleType], None]] = {}

#: Builtins of single modules besides `__import__`, by the module's name.
special_builtins: dict[str, Mapping[str, object]] = {}

#: Modules of Numba that are another one under an old name. Their own text
#: redirects imports by `sys.modules`, where the names are PyK's.
_SAME = {"numba.types": "numba.core.types"}


def is_installed() -> bool:
    """Whether there is a Numba to be loaded."""
    return _find() is not None


def is_loaded() -> bool:
    """Whether it has been loaded."""
    return ROOT in sys.modules


def load(name: str = "numba") -> Any:
    """A module of Numba's own, by the name that Numba has for it."""
    # Also in processes in which nobody has put PyK in Numba's place.
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    return importlib.import_module(_key(name))


def lookup(module: str, name: str) -> Any:
    """What Numba has as `name` in `module`.

    Raises AttributeError, also if Numba is not installed.
    """
    if not is_installed():
        raise AttributeError(name)
    owner = load(module)
    try:
        return getattr(owner, name)
    except AttributeError:
        if not hasattr(owner, "__path__") or not name.isidentifier():
            raise
    try:
        return load(f"{module}.{name}")
    except ModuleNotFoundError:
        raise AttributeError(name) from None


def _key(name: str) -> str:
    """Where a module of Numba stands in `sys.modules`."""
    name = _SAME.get(name, name)
    return ROOT + name.removeprefix("numba")


def _name(key: str) -> str:
    return "numba" + key.removeprefix(ROOT)


def _find() -> ModuleSpec | None:
    path = [entry for entry in sys.path if entry != _handed_on.FOLDER]
    spec = PathFinder.find_spec("numba", path)
    # A folder of that name without an __init__.py is none.
    return None if spec is None or spec.origin is None else spec


def import_for_numba(
    name: str,
    globals: Mapping[str, Any] | None = None,
    locals: Mapping[str, Any] | None = None,
    fromlist: Sequence[str] = (),
    level: int = 0,
) -> Any:
    """The `__import__` of Numba's modules: for them `numba` is Numba."""
    if level:
        assert globals is not None
        package = globals["__package__"].split(".")
        package = package[: len(package) - level + 1]
        name = ".".join([*package, *filter(None, [name])])
    if name.partition(".")[0] != "numba":
        return builtins.__import__(name, globals, locals, fromlist, 0)
    module = load(name)
    if not fromlist:
        return load()
    if hasattr(module, "__path__"):
        for item in fromlist:
            names = getattr(module, "__all__", ()) if item == "*" else (item,)
            for own in names:
                _bind(name, module, own)
    return module


def _bind(name: str, module: ModuleType, item: str) -> None:
    """Lets a package have what is imported from it, if that is a module."""
    if hasattr(module, item):
        return
    whole = f"{name}.{item}"
    try:
        found = load(whole)
    except ModuleNotFoundError as error:
        if error.name != _key(whole):
            raise
        return
    # One that is being loaded is not yet bound; Python would look for it in
    # `sys.modules`.
    setattr(module, item, found)


_BUILTINS = {**vars(builtins), "__import__": import_for_numba}


class _Loader(importlib.abc.Loader):
    """Loads a module of Numba's own from what its files hold."""

    def __init__(self, name: str, inner: Any) -> None:
        self._name = name
        self._inner = inner
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        if isinstance(self._inner, ExtensionFileLoader):
            # It is named after the function that makes it.
            own = ExtensionFileLoader(self._name, self._inner.path)
            self._inner = own
            self._spec = ModuleSpec(self._name, own, origin=own.path)
            return own.create_module(self._spec)
        return None

    def exec_module(self, module: ModuleType) -> None:
        module.__name__ = self._name
        is_package = hasattr(module, "__path__")
        module.__package__ = (
            self._name if is_package else self._name.rpartition(".")[0]
        )
        # Numba looks for modules there while it loads them. Other threads that
        # import one by this name wait, as for any module that is being loaded.
        with _ModuleLockManager(self._name):
            is_ours = sys.modules.setdefault(self._name, module) is not module
            try:
                self._execute(module)
            except BaseException:
                if not is_ours:
                    del sys.modules[self._name]
                raise
            # A program that imports it by this name gets this module.
            module.__spec__ = _spec_of(module)
        adapt = after_loading.get(self._name)
        if adapt is not None:
            adapt(module)

    def _execute(self, module: ModuleType) -> None:
        if isinstance(self._inner, SourceFileLoader):
            special = special_builtins.get(self._name)
            module.__dict__["__builtins__"] = (
                _BUILTINS if special is None else {**_BUILTINS, **special}
            )
            code = self._inner.get_code(self._inner.name)
            assert code is not None
            exec(code, module.__dict__)
        else:
            self._inner.exec_module(module)


class _Loaded(importlib.abc.Loader):
    """Gives a program a module of Numba's own under its usual name."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        pass


def _spec_of(module: ModuleType) -> ModuleSpec:
    spec = ModuleSpec(module.__name__, _Loaded(module), origin=module.__file__)
    spec.submodule_search_locations = getattr(module, "__path__", None)
    return spec


class _Finder(importlib.abc.MetaPathFinder):
    """Finds Numba's modules under `ROOT`."""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if name != ROOT and not name.startswith(f"{ROOT}."):
            return None
        found = _find() if name == ROOT else PathFinder.find_spec(name, path)
        if found is None:
            return None
        spec = ModuleSpec(
            name, _Loader(_name(name), found.loader), origin=found.origin
        )
        spec.has_location = found.has_location
        spec.cached = found.cached
        spec.submodule_search_locations = found.submodule_search_locations
        return spec


def spec_for_program(name: str) -> ModuleSpec | None:
    """How a program imports a module that only Numba has."""
    if not is_installed():
        return None
    try:
        module = load(name)
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith(ROOT):
            raise
        return None
    return _spec_of(module)
