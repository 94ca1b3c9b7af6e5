# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PyK's objects mean to the Numba that is installed.

Programs hold PyK's types, modules and functions under Numba's names. They reach
Numba in three ways: as globals of functions that it compiles, as arguments of
those, and as arguments of its own functions. `to_numba` says what stands for
them there; the functions below put it into Numba's modules as they are loaded.
"""

from __future__ import annotations

import builtins
import copyreg
import functools
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from pyk import types
from pyk._numba import _genuine, _plain
from pyk.cuda import errors
from pyk.cuda._host_function import HostFunction
from pyk.cuda._ufuncs import UFunc
from pyk.cuda._unrolling import literal_unroll

#: PyK's modules that have another name than what they stand for.
_MODULES = {
    "pyk.types": "numba.core.types",
    "pyk.cuda.errors": "numba.core.errors",
}


def to_numba(value: Any) -> Any:
    """What Numba takes for one of PyK's objects; others as they are."""
    if isinstance(value, ModuleType):
        return _module_to_numba(value)
    if value is _plain.prange:
        return _genuine.load().prange
    if value is literal_unroll:
        return _genuine.load().literal_unroll
    if not type(value).__module__.startswith("pyk.") and not isinstance(
        value, (tuple, list, dict, type)
    ):
        return value
    if isinstance(value, HostFunction):
        return _function_to_numba(value)
    if isinstance(value, UFunc) and value._target_name != "cuda":
        return _ufunc_to_numba(value)
    if _is_type(value):
        return _type_to_numba(value)
    if isinstance(value, types.Signature):
        args = map(to_numba, value.args)
        if value.return_type is None:
            return tuple(args)
        return to_numba(value.return_type)(*args)
    if type(value) is list or type(value) is tuple:
        return type(value)(map(to_numba, value))
    if isinstance(value, dict):
        return type(value)((key, to_numba(own)) for key, own in value.items())
    if isinstance(value, type) and issubclass(value, types.Type):
        return _class_to_numba(value)
    return value


def _is_type(value: Any) -> bool:
    """Whether it is one of PyK's types, and none of Numba's."""
    return type(type(value)) is types.Kind


def _class_to_numba(kind: type) -> Any:
    """Numba's class of the same name."""
    return getattr(_genuine.load("numba.core.types"), kind.__name__, kind)


def _module_to_numba(module: ModuleType) -> ModuleType:
    name = _MODULES.get(module.__name__)
    if name is None and getattr(module, "__pyk__", False):
        name = module.__name__
    if name is None or name.startswith("numba.cuda"):
        return module
    found: ModuleType = _genuine.load(name)
    return found


def _function_to_numba(function: HostFunction) -> Any:
    compiled = getattr(function, "compiled", None)
    return _jitted(function) if compiled is None else compiled


@functools.cache
def _jitted(function: HostFunction) -> Any:
    """What `register_jitable` was given, as Numba's functions call it."""
    return _genuine.load().njit(function.py_func)


@functools.cache
def _ufunc_to_numba(function: UFunc) -> Any:
    return _genuine.load().vectorize(
        [*map(to_numba, function._signatures)], identity=function.identity
    )(function.py_func)


def _type_to_numba(value: types.Type) -> Any:
    theirs = _genuine.load("numba.core.types")
    if isinstance(value, types.Array):
        return theirs.Array(to_numba(value.dtype), value.ndim, value.layout)
    if isinstance(value, types.Tuple):
        return theirs.Tuple(tuple(map(to_numba, value.types)))
    if isinstance(value, types.Optional):
        return theirs.Optional(to_numba(value.type))
    if isinstance(value, types.CPointer):
        return theirs.CPointer(to_numba(value.dtype))
    if isinstance(value, (types.Vector, types.Float8)):
        return value
    if isinstance(value, types.CharSeq):
        return getattr(theirs, type(value).__name__)(value.count)
    if isinstance(value, types.Time):
        return getattr(theirs, type(value).__name__)(value.unit)
    if isinstance(value, types.Record):
        return _genuine.load("numba.np.numpy_support").from_dtype(value.dtype)
    if isinstance(value, types.NoneType):
        return theirs.none
    return getattr(theirs, value.name, value)


# What is done to Numba's modules.


Adapt = Callable[[Any], None]


def _after(name: str) -> Callable[[Adapt], Adapt]:
    def register(adapt: Adapt) -> Adapt:
        _genuine.after_loading[name] = adapt
        return adapt

    return register


@_after("numba.core.interpreter")
def _adapt_globals(module: Any) -> None:
    """Globals and variables of enclosing functions, where they are read."""
    for name in ("get_global_value", "get_closure_value"):
        own = getattr(module.Interpreter, name)

        def get(self: Any, key: Any, own: Any = own) -> Any:
            return to_numba(own(self, key))

        setattr(module.Interpreter, name, functools.wraps(own)(get))


@_after("numba.core.typing.typeof")
def _adapt_typeof(module: Any) -> None:
    """Arguments of compiled functions, and attributes of modules."""

    def type_of(value: Any, context: Any) -> Any:
        meant = to_numba(value)
        return None if meant is value else module.typeof_impl(meant, context)

    for kind in (HostFunction, UFunc, types.Type):
        module.typeof_impl.register(kind)(type_of)


@_after("numba.core.types.abstract")
def _adapt_types(module: Any) -> None:
    """Arguments of types, such as those of `ListType(float64)`."""
    meta = module._TypeMetaclass
    own = meta.__call__

    @functools.wraps(own)
    def call(cls: Any, *args: Any, **options: Any) -> Any:
        if any(_holds_type(arg) for arg in args):
            args = tuple(map(to_numba, args))
        options = {
            name: to_numba(arg) if _holds_type(arg) else arg
            for name, arg in options.items()
        }
        return own(cls, *args, **options)

    meta.__call__ = call
    equal = module.Type.__eq__

    @functools.wraps(equal)
    def is_equal(self: Any, other: Any) -> Any:
        return equal(self, to_numba(other) if _is_type(other) else other)

    module.Type.__eq__ = is_equal


def _holds_type(value: Any) -> bool:
    return _is_type(value) or (
        isinstance(value, (tuple, list)) and any(map(_is_type, value))
    )


@_after("numba.core.typing.templates")
def _adapt_signatures(module: Any) -> None:
    """Signatures that extensions of a program make of types."""
    own = module.Signature.__init__

    @functools.wraps(own)
    def init(
        self: Any, return_type: Any, args: Any, *rest: Any, **options: Any
    ) -> None:
        if _is_type(return_type):
            return_type = to_numba(return_type)
        if _holds_type(args):
            args = tuple(map(to_numba, args))
        own(self, return_type, args, *rest, **options)

    module.Signature.__init__ = init


@_after("numba.core.sigutils")
def _adapt_declarations(module: Any) -> None:
    """Signatures that decorators get."""
    for name in ("is_signature", "normalize_signature"):
        own = getattr(module, name)

        def normalize(signature: Any, own: Any = own) -> Any:
            return own(to_numba(signature))

        setattr(module, name, functools.wraps(own)(normalize))


@_after("numba.core.typing.asnumbatype")
def _adapt_annotations(module: Any) -> None:
    """Types as annotations of classes."""

    def infer(annotation: Any) -> Any:
        return to_numba(annotation) if _is_type(annotation) else None

    module.as_numba_type.register(infer)


@_after("numba.experimental.jitclass.base")
def _adapt_classes(module: Any) -> None:
    """Fields of classes."""
    own = module.register_class_type

    @functools.wraps(own)
    def register(cls: Any, spec: Any, *rest: Any) -> Any:
        if isinstance(spec, Mapping):
            spec = spec.items()
        if spec is not None:
            spec = [(name, to_numba(kind)) for name, kind in spec]
        return own(cls, spec, *rest)

    module.register_class_type = register


@_after("numba.core.boxing")
def _adapt_boxing(module: Any) -> None:
    """Compiled code, which looks for `typeof` in the module `numba`."""

    def enter(self: Any) -> Any:
        c = self.c
        name = c.context.insert_const_string(
            c.builder.module, "numba.misc.special"
        )
        owner = c.pyapi.import_module(name)
        self.typeof_fn = c.pyapi.object_getattr_string(owner, "typeof")
        c.pyapi.decref(owner)
        return self

    module._NumbaTypeHelper.__enter__ = enter


@_after("numba.core.datamodel.manager")
def _adapt_layouts(module: Any) -> None:
    """Types of fields, as extensions declare them."""
    own = module.DataModelManager.lookup

    def lookup(self: Any, fetype: Any) -> Any:
        return own(self, to_numba(fetype) if _is_type(fetype) else fetype)

    module.DataModelManager.lookup = functools.wraps(own)(lookup)


@_after("numba.core.datamodel.models")
def _adapt_members(module: Any) -> None:
    """Types of fields that attributes give."""
    own = module.StructModel.__init__

    def init(self: Any, dmm: Any, fe_type: Any, members: Any) -> None:
        own(self, dmm, fe_type, [(name, to_numba(of)) for name, of in members])

    module.StructModel.__init__ = functools.wraps(own)(init)


@_after("numba.core.extending")
def _adapt_intrinsics(module: Any) -> None:
    """Signatures that intrinsics return."""
    own = module._Intrinsic.__init__

    def init(
        self: Any, name: str, defn: Any, *rest: Any, **options: Any
    ) -> None:
        @functools.wraps(defn)
        def define(*args: Any, **keywords: Any) -> Any:
            return to_numba(defn(*args, **keywords))

        own(self, name, define, *rest, **options)

    module._Intrinsic.__init__ = functools.wraps(own)(init)


@_after("numba.core.config")
def _adapt_settings(module: Any) -> None:
    """What the program has set so far."""
    for name, value in _plain.settings.items():
        setattr(module, name, value)


# Extensions of Numba's compiler, which programs write in terms of types.


def for_extensions(value: Any) -> Any:
    """What a program gets of `numba.extending`."""
    _let_types_meet()
    if not isinstance(value, FunctionType):
        return value

    @functools.wraps(value)
    def call(*args: Any, **options: Any) -> Any:
        return value(
            *map(to_numba, args),
            **{name: to_numba(given) for name, given in options.items()},
        )

    return call


@functools.cache
def _let_types_meet() -> None:
    """Lets PyK's kinds of types stand for Numba's.

    An extension looks at Numba's types by `isinstance`, and derives from them.
    """
    own = types.Kind

    def is_instance(cls: Any, value: Any) -> bool:
        if type.__instancecheck__(cls, value):
            return True
        theirs = _class_to_numba(cls)
        return theirs is not cls and isinstance(value, theirs)

    def make(
        kind: Any, name: str, bases: Any, namespace: Any, **options: Any
    ) -> Any:
        if namespace["__module__"].partition(".")[0] == "pyk":
            return type.__new__(kind, name, bases, namespace, **options)
        theirs = tuple(map(to_numba, bases))
        return type(theirs[0])(name, theirs, namespace, **options)

    own.__instancecheck__ = is_instance  # type: ignore[method-assign]
    own.__new__ = make  # type: ignore[method-assign, assignment]


# Exceptions: Numba's are PyK's too, so that either name catches both.


def _build_class(function: Any, name: str, *bases: type, **options: Any) -> Any:
    ours = getattr(errors, name, None)
    if ours is not None:
        bases = (*(b for b in bases if not issubclass(ours, b)), ours)
    made = builtins.__build_class__(function, name, *bases, **options)
    if ours is not None and issubclass(made, BaseException):
        copyreg.pickle(made, _reduce)
    return made


def _reduce(error: BaseException) -> tuple[Any, ...]:
    """Their names are PyK's to `pickle`."""
    return _restore, (type(error).__name__, error.args, error.__dict__)


def _restore(name: str, args: tuple[Any, ...], state: dict[str, Any]) -> Any:
    kind: Any = getattr(errors, name)
    if _genuine.is_installed():
        kind = getattr(_genuine.load("numba.core.errors"), name)
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


_genuine.special_builtins["numba.core.errors"] = {
    "__build_class__": _build_class
}
