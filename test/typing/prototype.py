# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of type inference for kernels: an abstract interpreter over Python's
ast.

It says what the type of a function is for given argument types, by the rules
that README.md lists. The environment maps a name to the *definition* that
reaches this point; a definition keeps the type it has been given so far. The
whole body is walked in source order, again and again, until no definition and
no expression changes; the errors of the last walk are the errors of the
function.

`interpret(source, arguments)` is the entry. With `peer=True` the model also
repeats the defects of the peer that we do not copy.
"""

import ast
import builtins
import inspect
import math
import operator
from collections import namedtuple

import numpy as np

# --- Types --------------------------------------------------------------------
# A scalar is its name. Everything else is one of these.


class Literal(namedtuple("Literal", "value")):
    """The type of an int or a bool that is known while compiling; 1 is not
    True.
    """

    def __eq__(self, other):
        return isinstance(other, Literal) and repr(self.value) == repr(
            other.value
        )

    def __hash__(self):
        return hash(repr(self.value))


Tuple = namedtuple("Tuple", "items")
Array = namedtuple("Array", "dtype rank layout readonly", defaults=(False,))
Optional = namedtuple("Optional", "inner")
Iterator = namedtuple("Iterator", "element")  # what a `for` walks
Known = namedtuple("Known", "object")  # a module, function or scalar type
Omitted = namedtuple("Omitted", "value")  # a default that the call left out

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEXES = ["complex64", "complex128"]
INTEGERS = SIGNED + UNSIGNED
REALS = INTEGERS + FLOATS
SCALARS = ["bool", *REALS, *COMPLEXES]
INT_LIMIT = 2**63


class TypingError(Exception):
    """A refusal: a short class and a sentence."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def bits(scalar):
    """The width in a scalar's name."""
    return int("".join(filter(str.isdigit, scalar))) if scalar != "bool" else 1


def plain(kind):
    """The type without compile-time values."""
    if isinstance(kind, Literal):
        if isinstance(kind.value, bool):
            return "bool"
        return "int64" if -INT_LIMIT <= kind.value < INT_LIMIT else "uint64"
    if isinstance(kind, Tuple):
        return Tuple(tuple(plain(item) for item in kind.items))
    return kind


def value_type(value):
    """The type of a Python or NumPy value that is known while compiling."""
    if value is None:
        return "none"
    if isinstance(value, (bool, np.bool_)):
        return Literal(value) if isinstance(value, bool) else "bool"
    if isinstance(value, int):
        if not -INT_LIMIT <= value < 2 * INT_LIMIT:
            raise TypingError("other", "integer does not fit 64 bits")
        return Literal(value)
    if isinstance(value, np.generic):
        return value.dtype.name
    if isinstance(value, float):
        return "float64"
    if isinstance(value, complex):
        return "complex128"
    if isinstance(value, str):
        return "str"
    if isinstance(value, tuple):
        return Tuple(tuple(value_type(item) for item in value))
    if isinstance(value, np.ndarray):
        return Array(value.dtype.name, value.ndim, "C", True)
    return Known(value)


# --- Conversions between scalars ----------------------------------------------

EXACT, PROMOTE, SAFE, UNSAFE = range(4)

# The lossless steps; every chain of steps is lossless too. A chain is as bad as
# its
# worst step. Any other pair of scalars converts unsafely.
_STEPS = {
    (a, b): PROMOTE
    for row in (SIGNED, UNSIGNED, FLOATS, COMPLEXES)
    for a, b in zip(row, row[1:], strict=False)
}
_STEPS |= dict.fromkeys(
    [
        ("bool", "int8"),
        ("bool", "uint8"),
        ("uint8", "int16"),
        ("uint16", "int32"),
        ("uint32", "int64"),
        ("int8", "float16"),
        ("int16", "float32"),
        ("int32", "float64"),
        ("int64", "float64"),
        ("uint64", "float64"),
        ("float32", "complex64"),
        ("float64", "complex128"),
    ],
    SAFE,
)


def _close(steps):
    table = {(kind, kind): EXACT for kind in SCALARS} | steps
    for middle in SCALARS:
        for a in SCALARS:
            for b in SCALARS:
                if (a, middle) in table and (middle, b) in table:
                    worst = max(table[a, middle], table[middle, b])
                    table[a, b] = min(worst, table.get((a, b), UNSAFE))
    return table


LOSSLESS = _close(_STEPS)


def conversion(source, target):
    """How bad it is to convert one scalar to another."""
    return LOSSLESS.get((source, target), UNSAFE)


def select(overloads, arguments, limit=UNSAFE):
    """The first overload with the fewest unsafe, then safe, then promoting
    steps.
    """
    best = None
    for formals in overloads:
        if len(formals) != len(arguments):
            continue
        steps = [
            conversion(a, b) for a, b in zip(arguments, formals, strict=True)
        ]
        if max(steps) > limit:
            continue
        rating = [steps.count(step) for step in (UNSAFE, SAFE, PROMOTE)]
        if best is None or rating < best[0]:
            best = rating, formals
    return best and best[1]


def least(candidates, *operands):
    """The first candidate that holds every operand without loss."""
    for candidate in candidates:
        if all((operand, candidate) in LOSSLESS for operand in operands):
            return candidate
    return None


# --- Unification: one variable, two types -------------------------------------


def unify_scalars(a, b):
    """What holds both: bool below everything, else NumPy's promotion."""
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    a, b = sorted((a, b), key=SCALARS.index)
    if b in COMPLEXES:
        part = {"complex64": "float32", "complex128": "float64"}
        part = unify_scalars(part.get(a, a), part[b])
        return "complex64" if part in FLOATS[:2] else "complex128"
    if b in FLOATS:
        needed = (
            {8: "float16", 16: "float32"}.get(bits(a), "float64")
            if a in INTEGERS
            else a
        )
        return max(needed, b, key=FLOATS.index)
    if (a in SIGNED) == (b in SIGNED):
        return b
    return least(SIGNED, a, b) or "float64"  # int64 and uint64 meet in float64


def unify(a, b):
    """The type of a variable that has been given both, or None."""
    if a == b:
        return a
    if isinstance(a, Literal) or isinstance(b, Literal):
        a, b = (plain(t) if isinstance(t, Literal) else t for t in (a, b))
        if a == b:
            return a
    if a == "none" or b == "none":
        other = b if a == "none" else a
        return other if isinstance(other, Optional) else Optional(plain(other))
    if isinstance(a, Optional) or isinstance(b, Optional):
        a, b = (t.inner if isinstance(t, Optional) else t for t in (a, b))
        inner = unify(a, b)
        return inner and Optional(plain(inner))
    if isinstance(a, str) and isinstance(b, str):
        return unify_scalars(a, b) if a in SCALARS and b in SCALARS else None
    if (
        isinstance(a, Tuple)
        and isinstance(b, Tuple)
        and len(a.items) == len(b.items)
    ):
        items = tuple(
            unify(x, y) for x, y in zip(a.items, b.items, strict=True)
        )
        return None if None in items else Tuple(items)
    if isinstance(a, Iterator) and isinstance(b, Iterator):
        element = unify(a.element, b.element)
        return element and Iterator(element)
    if isinstance(a, Array) and isinstance(b, Array):
        if (a.dtype, a.rank) == (b.dtype, b.rank):
            layout = a.layout if a.layout == b.layout else "A"
            return Array(a.dtype, a.rank, layout, a.readonly or b.readonly)
    return None


def unify_all(kinds):
    """Unify a set: narrow types first, as the order matters for a few sets."""
    kinds = sorted(
        kinds, key=lambda kind: bits(plain(kind)) if plain(kind) in REALS else 0
    )
    result = kinds[0]
    for kind in kinds[1:]:
        result = result and unify(result, kind)
    return result


# --- Operators ----------------------------------------------------------------

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
SHIFTS = (ast.LShift, ast.RShift)
BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)
FLOORING = (ast.FloorDiv, ast.Mod)


def wide(scalar):
    """Integers compute in 64 bits, bool as a signed one; floats stay."""
    return (
        "uint64"
        if scalar in UNSIGNED
        else "int64"
        if scalar in [*SIGNED, "bool"]
        else scalar
    )


def binary_type(op, a, b, peer=False):
    """The result of a binary operator on two scalars, or None."""
    if op in SHIFTS:
        return None if a in FLOATS or b in FLOATS else wide(a)
    integral = a not in FLOATS and b not in FLOATS
    if op in BITWISE:
        if a == b == "bool":
            return "bool"
        return (
            ("uint64" if a in UNSIGNED and b in UNSIGNED else "int64")
            if integral
            else None
        )
    if integral:
        if op is ast.Div:
            return "float64"
        if peer and op is ast.Pow and (a, b) == ("bool", "int32"):
            return "float32"
        return "uint64" if a in UNSIGNED and b in UNSIGNED else "int64"
    floats = FLOATS[1:] if op in FLOORING or op is ast.Pow else FLOATS
    if op is ast.Pow and a in FLOATS and b not in FLOATS:
        return least(floats, a)  # an integer exponent never widens
    return least(floats, a, b)


def unary_type(op, a):
    """The result of a unary operator on a scalar, or None."""
    if op is ast.Not:
        return "bool"
    if op is ast.Invert:
        return None if a in FLOATS else a if a == "bool" else wide(a)
    return wide(a)


# --- Functions of scalars -----------------------------------------------------

_UNARY_HALF = "sqrt sin cos exp log log2 log10 floor ceil trunc fabs tanh"
_UNARY_WIDE = (
    "tan asin acos atan sinh cosh asinh acosh atanh log1p expm1 erf erfc "
    "gamma lgamma radians degrees"
)
HALF = {getattr(math, name) for name in _UNARY_HALF.split()}
SINGLE = {getattr(math, name) for name in _UNARY_WIDE.split()}
TESTS = {math.isnan, math.isinf, math.isfinite}
# overloads by argument types; the result is the first argument's type
BINARY_MATH = {
    math.atan2: [(i, i) for i in ("int64", "uint64")]
    + [(f, f) for f in FLOATS[1:]],
    math.hypot: [(i, i) for i in ("int64", "uint64")]
    + [(f, f) for f in FLOATS[1:]],
    math.fmod: [(f, f) for f in FLOATS[1:]],
    math.copysign: [(f, f) for f in FLOATS[1:]],
    math.pow: [(f, e) for e in ("self", "int32") for f in FLOATS[1:]],
}
BINARY_MATH[math.pow] = [
    (f, f if e == "self" else e) for f, e in BINARY_MATH[math.pow]
]
RANGES = [(t,) * n for t in ("int32", "int64", "uint64") for n in (1, 2, 3)]
CASTS = {getattr(np, name): name for name in REALS} | {np.bool_: "bool"}


class CudaName:
    """Stands for `numba.cuda` and what hangs below it."""

    def __init__(self, path):
        self.path = path

    def __eq__(self, other):
        return isinstance(other, CudaName) and self.path == other.path

    def __hash__(self):
        return hash(self.path)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return CudaName(f"{self.path}.{name}")

    @staticmethod
    def jit(function=None, **_):
        """Marks a device function."""
        return DeviceFunction(function) if function else DeviceFunction


class DeviceFunction:
    """What `@cuda.jit` leaves behind."""

    def __init__(self, function):
        self.function = function


CUDA_VALUES = {
    f"cuda.{n}.{a}": "int32"
    for n in ("threadIdx", "blockIdx", "blockDim", "gridDim")
    for a in "xyz"
}
CUDA_VALUES |= {"cuda.laneid": "int32", "cuda.warpsize": "int32"}


def call_type(function, arguments):
    """The type of a call of a built-in function; None when nothing fits."""
    kinds = [plain(kind) for kind in arguments]
    bare = [
        kind.inner if isinstance(kind, Optional) else kind for kind in kinds
    ]
    scalars = all(isinstance(kind, str) and kind in SCALARS for kind in bare)
    count = len(kinds)
    if isinstance(function, CudaName):
        return cuda_call_type(function.path, arguments)
    if function is len and count == 1:
        return "int64" if isinstance(kinds[0], (Array, Tuple)) else None
    if function is range and scalars and 1 <= count <= 3:
        return Iterator(select(RANGES, bare)[0])
    if function is bool and count == 1:
        return "bool"
    if not scalars or not count:
        return None
    first = bare[0]
    if count == 1:
        if function in CASTS:
            return CASTS[function]
        if function is abs:
            return "int8" if first == "bool" else first
        if function is int:
            return first if first in INTEGERS else "int64"
        if function is float:
            return (
                first
                if first in FLOATS
                else "float64"
                if first in INTEGERS
                else None
            )
        if function is round:
            return "int64"
        if function in TESTS:
            return "bool"
        if function in HALF:
            return first if first in FLOATS else "float64"
        if function in SINGLE:
            return least(FLOATS[1:], first) if first in FLOATS else "float64"
        return None
    if function in (min, max):
        if "bool" in bare and set(bare) != {"bool"}:
            return None
        return unify_all(bare)
    if function is round and count == 2:
        return least(FLOATS[1:], first) if bare[1] in INTEGERS else None
    if function is pow and count == 2:
        return binary_type(ast.Pow, *bare)
    if function in BINARY_MATH and count == 2:
        found = select(BINARY_MATH[function], bare)
        return found and ("float64" if found[0] in INTEGERS else found[0])
    return None


def cuda_call_type(path, arguments):
    """The few functions of `cuda` that the model knows."""
    if path in ("cuda.grid", "cuda.gridsize") and len(arguments) == 1:
        rank = arguments[0].value if isinstance(arguments[0], Literal) else None
        if type(rank) is not int or rank not in (1, 2, 3):
            return None
        return "int64" if rank == 1 else Tuple(("int64",) * rank)
    if (
        path in ("cuda.local.array", "cuda.shared.array")
        and len(arguments) == 2
    ):
        shape, dtype = arguments
        shape = shape.items if isinstance(shape, Tuple) else (shape,)
        literal = all(isinstance(n, Literal) for n in shape)
        if literal and isinstance(dtype, Known) and dtype.object in CASTS:
            return Array(CASTS[dtype.object], len(shape), "C")
        return None
    return "none" if path == "cuda.syncthreads" and not arguments else None


# --- Indexing -----------------------------------------------------------------


def index_array(array, index):
    """The type of array[index] with integers only, or None."""
    index = plain(index)
    indices = index.items if isinstance(index, Tuple) else (index,)
    if len(indices) > array.rank or not all(
        kind in INTEGERS for kind in indices
    ):
        return None
    rank = array.rank - len(indices)
    if rank == 0:
        return array.dtype
    layout = "C" if array.layout == "C" else "A"
    return Array(array.dtype, rank, layout, array.readonly)


def index_tuple(kind, index, static):
    """The type of kind[index]: any position if all items agree, else a known
    one.
    """
    position = index.value if isinstance(index, Literal) else static
    if type(position) is int:
        if -len(kind.items) <= position < len(kind.items):
            return kind.items[position]
        raise TypingError("index", "tuple index out of range")
    items = set(plain(kind).items)
    return items.pop() if len(items) == 1 and plain(index) in INTEGERS else None


# --- Compile-time values ------------------------------------------------------
# An expression may carry a symbol: what is known of it without types.

Constant = namedtuple(
    "Constant", "value"
)  # a literal in the text, a global, a closure's
Argument = namedtuple("Argument", "kind")  # a parameter as it came in
Operation = namedtuple(
    "Operation", "key op left right"
)  # a binary operation on symbols
Read = namedtuple("Read", "version definition")  # a read of a variable
Chosen = namedtuple(
    "Chosen", "symbol"
)  # the only operand of and/or/if-else that is left
Rank = namedtuple("Rank", "array")  # .ndim of a symbol
Length = namedtuple("Length", "tuple")  # len() of a symbol
Value = namedtuple("Value", "type symbol", defaults=(None,))


class NoneMark:
    """None as an operand of a condition: equal and identical to itself only."""


NONE = NoneMark()


class Definition:
    """One place that gives a name a value."""

    def __init__(self, name):
        self.name = name
        self.type = None
        self.symbol = None
        self.sources = None  # for a join: the definitions that meet
        self.partial = False  # a join that some path reaches without a value
        self.busy = False
        self.error = None


FOLDED_BITS = 128


def fold_operator(op, left, right):
    """One operator on constants, unless CPython finds the result too large."""
    if isinstance(left, int) and isinstance(right, int):
        sizes = left.bit_length(), right.bit_length()
        size = {
            ast.Pow: sizes[0] * max(right, 0),
            ast.LShift: sizes[0] + max(right, 0),
            ast.Mult: sum(sizes),
        }
        if size.get(op, 0) > FOLDED_BITS:
            raise OverflowError
    return OPERATORS[op](left, right)


def fold(node):
    """CPython folds operators on constants before anyone else sees them."""
    if isinstance(node, ast.Constant):
        return node
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        items = [fold(item) for item in node.elts]
        if all(isinstance(item, ast.Constant) for item in items):
            return ast.copy_location(
                ast.Constant(tuple(i.value for i in items)), node
            )
        return node
    try:
        if isinstance(node, ast.UnaryOp) and isinstance(
            fold(node.operand), ast.Constant
        ):
            value = OPERATORS[type(node.op)](fold(node.operand).value)
        elif isinstance(node, ast.BinOp):
            left, right = fold(node.left), fold(node.right)
            if not isinstance(left, ast.Constant) or not isinstance(
                right, ast.Constant
            ):
                return node
            value = fold_operator(type(node.op), left.value, right.value)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            left, right = fold(node.value), fold(node.slice)
            if not isinstance(left, ast.Constant) or not isinstance(
                right, ast.Constant
            ):
                return node
            value = left.value[right.value]
        else:
            return node
    except Exception:
        return node
    return ast.copy_location(ast.Constant(value), node)


# --- One function -------------------------------------------------------------


class Frame:
    """Where jumps of one loop collect their environments."""

    def __init__(self):
        self.breaks, self.continues = [], []


class Function:
    """Inference of one function for one tuple of argument types."""

    def __init__(self, module, function, arguments):
        self.module, self.function = module, function
        self.node = module.nodes[
            function.__code__.co_firstlineno, function.__code__.co_name
        ]
        self.arguments = arguments
        code = function.__code__
        self.locals = set(code.co_varnames + code.co_cellvars)
        self.types = {}  # expression -> accumulated type
        self.definitions = {}  # place -> Definition
        self.all = {}  # name -> its definitions other than joins
        self.returns = {}  # return statement -> (type, symbol)
        self.backbone = set()  # assignments that every call runs, once
        self.versions = {}  # (name, version) -> its assignments; see README
        self.early = {}  # target -> the type of a constant assigned to it
        self.wanted = set()  # the joins that something reads
        self.taken = {}  # branch -> the only way it goes
        self.nullified = {}  # operation -> the value that replaced it

    # Driving

    def infer(self):
        """The return type."""
        self.untyped = self.first = True
        self.walk()
        self.first = False
        for error in self.errors:
            if isinstance(error, NameNotDefined):
                raise error
        self.prune(
            self.resolve_single
        )  # before variables are split into definitions
        self.prune(self.resolve_single)
        self.settled = {
            node: self.resolve_single(s) for node, s in self.indices.items()
        }
        self.all = {}
        self.walk_until_stable()
        if self.module.late:
            self.prune(self.resolve_reaching)  # once more, after
        for definition in self.read:
            self.want(definition)
        self.untyped = False
        self.all = {}
        self.walk_until_stable()
        if self.errors:
            raise self.errors[0]
        if self.undecided:
            raise TypingError("undetermined", "a variable never gets a type")
        return self.return_type()

    def walk_until_stable(self):
        """Walk until nothing changes."""
        self.changed = True
        while self.changed:
            self.changed = False
            self.walk()

    def walk(self):
        """One pass over the body in source order."""
        self.undecided, self.read = [], []
        self.errors, self.branches, self.indices = (
            [],
            {},
            getattr(self, "indices", {}),
        )
        self.frames, self.copy = [], ()
        self.version, self.nested, self.left = {}, 0, False
        self.returns = {}
        self.check_names = self.untyped and not self.taken
        names = [a.arg for a in self.node.args.args]
        environment = {}
        for name, kind in zip(names, self.arguments, strict=True):
            if isinstance(kind, Omitted):
                value = Value(value_type(kind.value), Argument(kind))
            else:
                value = Value(kind, Argument(kind))
            self.define(environment, name, value, self.node)
        self.body(self.node.body, environment)
        if environment_alive(environment):
            self.returns[self.node] = Value("none")

    def return_type(self):
        """All return statements together."""
        values = list(self.returns.values())
        if any(value.type is None for value in values):
            raise TypingError(
                "undetermined", "the type of a result is not known"
            )
        if not values:
            return "none"
        result = unify_all({value.type for value in values})
        if result is None:
            raise TypingError("return", "return types do not unify")
        if isinstance(result, Array):
            for value in values:
                direct = (
                    isinstance(value.symbol, Read)
                    and value.symbol.definition.symbol
                )
                if not isinstance(direct, Argument):
                    raise TypingError(
                        "return", "an array result must be an argument"
                    )
        if isinstance(result, Known) and not inspect.ismodule(result.object):
            raise TypingError("return", "a function is not a result")
        return result

    # Accumulation

    def report(self, kind, message):
        """Note an error by its class and sentence."""
        self.note(
            (NoOverload if kind in ("call", "index") else TypingError)(
                kind, message
            )
        )

    def note(self, error):
        """Only the errors of the last walk count; the peer gives up at once on
        some.
        """
        if self.module.peer and isinstance(error, NoOverload):
            raise error
        self.errors.append(error)

    def accumulate(self, key, kind):
        """Unify an expression's type with what it has been before."""
        if kind is None or self.untyped:
            if key not in self.types:
                self.undecided.append(key)
            return self.types.get(key)
        before = self.types.get(key)
        after = kind if before is None else unify(before, kind)
        if after is None:
            self.report("unify", f"cannot unify {before} and {kind}")
            return before
        if after != before:
            self.types[key] = after
            self.changed = True
        return after

    def define(self, environment, name, value, node):
        """An assignment: a definition of its own, that accumulates too."""
        key = (node, name, self.copy)
        definition = self.definitions.setdefault(key, Definition(name))
        definition.symbol = value.symbol
        if self.untyped and self.early.get(node) is not None:
            self.types[key] = self.early[node]
        definition.type = self.accumulate(key, value.type)
        if self.first and not self.nested and not self.left:
            self.backbone.add(key)
        if key in self.backbone:
            self.version[name] = self.version.get(name, 0) + 1
        if self.first:
            version = name, self.version.get(name, 0)
            self.versions.setdefault(version, {})[key] = definition
        self.all.setdefault(name, {})[key] = definition
        environment[name] = definition

    def join(self, node, environments):
        """The environment after several paths meet; dead if all are."""
        environments = [e for e in environments if environment_alive(e)]
        if not environments:
            return dead()
        result = {}
        for name in {name for e in environments for name in e}:
            sources = [e.get(name) for e in environments]
            result[name] = self.meet(node, name, sources)
        return result

    def meet(self, node, name, sources):
        """One name at a join; no new definition where only one arrives."""
        if all(source is sources[0] for source in sources):
            return sources[0]
        key = (node, name, self.copy, "join")
        definition = self.definitions.setdefault(key, Definition(name))
        definition.sources = [
            source for source in sources if source is not None
        ]
        definition.partial = None in sources
        self.form(definition, key)
        return definition

    def form(self, definition, key):
        """A join unifies, here and now, what its sources are so far, if it is
        read at all.
        """
        definition.key = key
        if not self.untyped and key in self.wanted:
            for source in definition.sources:
                if source.type is not None:
                    definition.type = self.accumulate(key, source.type)

    def want(self, definition):
        """Note that a join is read, and the joins that it is made of."""
        waiting = [definition]
        while waiting:
            definition = waiting.pop()
            if (
                definition.sources is not None
                and definition.key not in self.wanted
            ):
                self.wanted.add(definition.key)
                waiting += definition.sources

    # Compile-time values and branches

    def resolve_single(self, symbol):
        """What a symbol stands for while a name with one assignment is a
        constant.
        """
        while isinstance(symbol, Read):
            found = list(self.versions.get(symbol.version, {}).values())
            symbol = found[0].symbol if len(found) == 1 else None
        return self.settle(symbol) if not isinstance(symbol, Chosen) else None

    def resolve_reaching(self, symbol):
        """What a symbol stands for when each read knows the definition it
        sees.
        """
        while isinstance(symbol, (Read, Chosen)):
            chosen = isinstance(symbol, Chosen)
            symbol = (
                symbol.symbol if chosen else self.symbol_of(symbol.definition)
            )
        return self.settle(symbol)

    def settle(self, symbol):
        """Ranks and lengths of arguments are constants; so is a decided
        condition.
        """
        if isinstance(symbol, Operation) and symbol.key in self.nullified:
            return Constant(self.nullified[symbol.key])
        if isinstance(symbol, Rank):
            array = self.resolve_single(symbol.array)
            if isinstance(array, Argument) and isinstance(array.kind, Array):
                return Constant(array.kind.rank)
            return None
        if isinstance(symbol, Length):
            items = self.resolve_single(symbol.tuple)
            if isinstance(items, Argument) and isinstance(items.kind, Tuple):
                return Constant(len(items.kind.items))
            return None
        return symbol

    def symbol_of(self, definition):
        """A join has no symbol unless only one definition really arrives."""
        if definition.sources is None:
            return definition.symbol
        if definition.partial or definition.busy:
            return None
        definition.busy = True
        arriving = {id(d): d for d in self.flatten(definition)}
        definition.busy = False
        return (
            next(iter(arriving.values())).symbol if len(arriving) == 1 else None
        )

    def flatten(self, definition, seen=None):
        """The assignments below a join."""
        seen = seen if seen is not None else set()
        if id(definition) in seen:
            return []
        seen.add(id(definition))
        if definition.sources is None:
            return [definition]
        if definition.partial:
            return [Definition("?"), Definition("?")]
        return [
            d
            for source in definition.sources
            for d in self.flatten(source, seen)
        ]

    def prune(self, resolve):
        """Decide the branches seen in the last walk; conditions become
        constants after.
        """
        nullified = {}
        for key, symbol in self.branches.items():
            if key in self.taken:
                continue
            way, replaced = self.decide(resolve(symbol), resolve)
            if way is None:
                continue
            self.taken[key] = way
            if replaced is not None:
                nullified[replaced[0]] = replaced[1]
        self.nullified |= nullified

    def decide(self, condition, resolve):
        """(the way a branch goes or None, what operation became what)."""
        if isinstance(condition, Constant):
            try:
                return bool(condition.value), None
            except ValueError:
                return None, None
        if not isinstance(condition, Operation):
            return None, None
        operands, by_type = [], False
        for symbol in (condition.left, condition.right):
            symbol = resolve(symbol)
            if isinstance(symbol, Constant):
                operands.append(NONE if symbol.value is None else symbol.value)
            elif isinstance(symbol, Argument):
                by_type = True
                kind = symbol.kind
                if kind == "none" or kind == Omitted(None):
                    operands.append(NONE)
                elif isinstance(kind, Literal):
                    operands.append(object())  # some type that is not None's
                else:
                    return None, None
            else:
                return None, None
        if by_type and NONE not in operands:
            return None, None
        try:
            value = OPERATORS[condition.op](*operands)
            way = bool(value)
        except Exception:
            return None, None
        return way, (condition.key, int(way) if by_type else value)

    def branch(self, key, value):
        """(may be true, may be false) for an evaluated condition."""
        key = (key, self.copy)
        self.branches[key] = value.symbol
        if isinstance(value.type, Optional) and key not in self.taken:
            self.report(
                "call", "a value that may be missing has no truth value"
            )
        if key in self.taken:
            return self.taken[key], not self.taken[key]
        return True, True

    def test(self, node):
        """A condition in a jump: (may be true, may be false)."""
        node = fold(node)
        if isinstance(node, ast.Constant):
            return bool(node.value), not node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            true, false = self.test(node.operand)
            return false, true
        if isinstance(node, ast.BoolOp):
            conjunction = isinstance(node.op, ast.And)
            stays, leaves = True, False
            for value in node.values:
                if not stays:
                    break
                true, false = self.test(value)
                stays, out = (true, false) if conjunction else (false, true)
                leaves = leaves or out
            return (stays, leaves) if conjunction else (leaves, stays)
        if isinstance(node, ast.IfExp):
            true, false = self.test(node.test)
            ways = [
                self.test(n)
                for n, on in ((node.body, true), (node.orelse, false))
                if on
            ]
            return any(w[0] for w in ways), any(w[1] for w in ways)
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            stays, leaves = True, False
            for index, value in enumerate(self.compare_steps(node)):
                true, false = self.branch((node, index), value)
                stays, leaves = true, leaves or false
                if not stays:
                    break
            return stays, leaves
        return self.branch(node, self.evaluate(node))

    # Statements

    def body(self, statements, environment):
        """Run statements; the environment is emptied of life by a jump."""
        for statement in statements:
            if not environment_alive(environment):
                return
            self.environment = environment
            getattr(self, "do_" + type(statement).__name__)(
                statement, environment
            )

    def replace(self, environment, new):
        """Continue with another environment in the same object."""
        environment.clear()
        environment.update(new)

    def do_Pass(self, node, environment):
        """Nothing."""

    def do_Expr(self, node, environment):
        """A call for its effect."""
        self.evaluate(node.value)

    def constant_type(self, node):
        """The type of a constant or global, known beforehand."""
        node = fold(node)
        if isinstance(node, ast.Constant):
            return value_type(node.value)
        if isinstance(node, ast.Name) and node.id not in self.locals:
            return self.get_Name(node).type
        return None

    def do_Assign(self, node, environment):
        """One value, one or more targets."""
        (target,) = node.targets
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = zip(target.elts, node.value.elts, strict=False)
        if self.untyped:
            for item, value in pairs:
                if isinstance(item, ast.Name):
                    try:
                        self.early[item] = self.constant_type(value)
                    except TypingError:
                        pass  # reported where it is evaluated
        swap = isinstance(target, ast.Tuple) and isinstance(
            node.value, ast.Tuple
        )
        if swap and len(target.elts) == len(node.value.elts):
            values = [self.evaluate(item) for item in node.value.elts]
            folded = isinstance(fold(node.value), ast.Constant)
            if folded or len(values) > 3:  # goes through a tuple
                values = [Value(value.type) for value in values]
            for item, value in zip(target.elts, values, strict=True):
                self.assign(item, value, environment)
            return
        self.assign(target, self.evaluate(node.value), environment)

    def assign(self, target, value, environment):
        """Store into a name, an element or a tuple of targets."""
        if isinstance(target, ast.Name):
            self.define(environment, target.id, value, target)
        elif isinstance(target, ast.Tuple):
            for position, item in enumerate(target.elts):
                self.assign(
                    item,
                    Value(self.unpack(target, value, position)),
                    environment,
                )
        else:
            self.store(target, value)

    def unpack(self, target, value, position):
        """One item of a tuple on the right-hand side."""
        kind = value.type
        if kind is None:
            return None
        if not isinstance(kind, Tuple) or len(kind.items) != len(target.elts):
            self.report("other", "cannot unpack")
            return None
        return self.accumulate(
            (target, position, self.copy), kind.items[position]
        )

    def store(self, target, value):
        """array[index] = value."""
        array, index = (
            self.evaluate(target.value).type,
            self.evaluate(target.slice),
        )
        if array is None or index.type is None or value.type is None:
            return
        kind = plain(value.type)
        kind = kind.inner if isinstance(kind, Optional) else kind
        fits = isinstance(array, Array) and index_array(array, index.type)
        number = isinstance(kind, str) and kind in SCALARS
        if not fits or array.readonly or not number:
            self.report(
                "index", f"cannot store {kind} into {array}[{index.type}]"
            )

    def do_AugAssign(self, node, environment):
        """Reads, computes and stores."""
        load = ast.copy_location(
            type(node.target)(**dict(ast.iter_fields(node.target))), node.target
        )
        load = self.module.reads.setdefault(node, load)
        load.ctx = ast.Load()
        value = self.binary(
            node, type(node.op), self.evaluate(load), self.evaluate(node.value)
        )
        value = Value(
            value.type
        )  # an in-place operation is never a compile-time value
        self.assign(node.target, value, environment)

    def do_If(self, node, environment):
        """Two ways, then a join."""
        fixed = isinstance(fold(node.test), ast.Constant)
        true, false = self.test(node.test)
        then, other = (
            dict(environment) if way else dead() for way in (true, false)
        )
        self.nested += not fixed
        self.body(node.body, then)
        self.body(node.orelse, other)
        self.nested -= not fixed
        self.replace(environment, self.join(node, [then, other]))

    def loop(self, node, entry, run):
        """The head of a loop joins the entry with what came around last time.

        run(environment, frame) walks the body and returns what goes around.
        """
        names = {
            n.id
            for part in node.body
            for n in ast.walk(part)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        if isinstance(node, ast.For):
            names |= {
                n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)
            }
        head = dict(entry)
        for name in names:
            key = (node, name, self.copy, "head")
            definition = self.definitions.setdefault(key, Definition(name))
            came = [
                d for d in definition.sources or [] if d is not entry.get(name)
            ]
            definition.sources = [
                d for d in [entry.get(name), *came] if d is not None
            ]
            definition.partial = name not in entry
            self.form(definition, key)
            if definition.sources:
                head[name] = definition
        frame = Frame()
        self.frames.append(frame)
        self.nested += 1
        around = run(head, frame)
        self.nested -= 1
        self.frames.pop()
        for name in names:
            definition = self.definitions[node, name, self.copy, "head"]
            sources = [
                e.get(name) for e in [entry, *around] if environment_alive(e)
            ]
            fresh = [
                d
                for d in dict.fromkeys(sources)
                if d is not None and d is not definition
            ]
            definition.partial = None in sources
            if fresh != definition.sources:
                definition.sources = fresh
                self.changed = True
        return frame

    def do_While(self, node, environment):
        """The condition stands twice: before the loop and at its end."""
        if not self.module.rotate:
            self.plain_while(node, environment)
            return
        copy = self.copy
        true, false = self.test(node.test)
        exits = [dict(environment) if false else dead()]
        if true:

            def run(head, frame):
                self.body(node.body, head)
                bottom = self.join((node, "bottom"), [head, *frame.continues])
                if not environment_alive(bottom):
                    return []
                self.environment, self.copy = bottom, (*copy, node)
                again, done = self.test(node.test)
                self.copy = copy
                exits.append(bottom if done else dead())
                return [bottom] if again else []

            frame = self.loop(node, environment, run)
        else:
            frame = Frame()
        self.finish_loop(node, environment, exits, frame)

    def plain_while(self, node, environment):
        """The condition stands once, at the head."""
        exits = []

        def run(head, frame):
            self.environment = head
            true, false = self.test(node.test)
            exits.append(dict(head) if false else dead())
            inside = head if true else dead()
            self.body(node.body, inside)
            return [inside, *frame.continues]

        frame = self.loop(node, environment, run)
        self.finish_loop(node, environment, exits, frame)

    def do_For(self, node, environment):
        """The target is a definition in the body; the exit leaves from the
        head.
        """
        iterated = self.evaluate(node.iter).type
        element = None
        if isinstance(iterated, Iterator):
            element = iterated.element
        elif (
            isinstance(iterated, Tuple) and len(set(plain(iterated).items)) == 1
        ):
            element = plain(iterated).items[0]
        elif isinstance(iterated, Array):
            element = index_array(iterated, "int64")
        elif iterated is not None:
            self.note(TypingError("call", f"cannot iterate over {iterated}"))
        exits = []

        def run(head, frame):
            exits.append(dict(head))
            self.assign(node.target, Value(element), head)
            self.body(node.body, head)
            return [head, *frame.continues]

        frame = self.loop(node, environment, run)
        self.finish_loop(node, environment, exits, frame)

    def finish_loop(self, node, environment, exits, frame):
        """`else` runs on the normal exits; breaks go around it."""
        normal = self.join((node, "exit"), exits)
        self.nested += 1
        self.body(node.orelse, normal)
        self.nested -= 1
        self.replace(
            environment, self.join((node, "after"), [normal, *frame.breaks])
        )

    def do_Break(self, node, environment):
        """Out of the loop."""
        self.frames[-1].breaks.append(dict(environment))
        self.replace(environment, dead())

    def do_Continue(self, node, environment):
        """To the next turn."""
        self.frames[-1].continues.append(dict(environment))
        self.replace(environment, dead())

    def do_Return(self, node, environment):
        """Out of the function."""
        value = self.evaluate(node.value) if node.value else Value("none")
        kind = self.accumulate((node, "return"), value.type)
        self.returns[node] = Value(kind, value.symbol)
        self.left = True
        self.replace(environment, dead())

    # Expressions

    def evaluate(self, node):
        """The value of an expression; its type accumulates."""
        node = self.module.folded.setdefault(node, fold(node))
        try:
            value = getattr(self, "get_" + type(node).__name__)(node)
        except TypingError as error:
            self.note(error)
            value = Value(None)
        return Value(
            self.accumulate((node, self.copy), value.type), value.symbol
        )

    def get_Constant(self, node):
        """A constant; the items of a constant tuple stay literal."""
        symbol = None if isinstance(node.value, tuple) else Constant(node.value)
        return Value(value_type(node.value), symbol)

    def get_Name(self, node):
        """A local by its definition, anything else by its value."""
        if node.id in self.locals:
            definition = self.environment.get(node.id)
            if (
                definition is None
            ):  # no path brings a value: the first one stands in
                found = list(self.all.get(node.id, {}).values())
                if not found:
                    if self.check_names:
                        raise NameNotDefined(
                            "name", f"{node.id} is read above its assignments"
                        )
                    raise TypingError("undetermined", f"{node.id} has no value")
                if not self.module.peer:
                    raise TypingError(
                        "undefined",
                        f"{node.id} has no value on any path to here",
                    )
                return Value(found[0].type)
            self.read.append(definition)
            version = node.id, self.version.get(node.id, 0)
            return Value(definition.type, Read(version, definition))
        found = inspect.getclosurevars(self.function).nonlocals
        for scope in (found, self.function.__globals__, vars(builtins)):
            if node.id in scope:
                value = scope[node.id]
                return Value(value_type(value), Constant(value))
        raise TypingError("name", f"{node.id} is not defined")

    def get_Tuple(self, node):
        """Literal items stay literal."""
        kinds = tuple(self.evaluate(item).type for item in node.elts)
        return Value(None if None in kinds else Tuple(kinds))

    def get_UnaryOp(self, node):
        """Signs, inversion, not."""
        kind = plain(self.evaluate(node.operand).type)
        if kind is None:
            return Value(None)
        kind = kind.inner if isinstance(kind, Optional) else kind
        if isinstance(node.op, ast.Not):
            return Value("bool")
        result = (
            unary_type(type(node.op), kind)
            if isinstance(kind, str) and kind in SCALARS
            else None
        )
        if result is None:
            raise NoOverload("call", f"no operator for {kind}")
        return Value(result)

    def get_BinOp(self, node):
        """Arithmetic, shifts, bits."""
        return self.binary(
            node,
            type(node.op),
            self.evaluate(node.left),
            self.evaluate(node.right),
        )

    def binary(self, node, op, left, right):
        """A binary operator on two values."""
        key = (node, self.copy)
        symbol = Operation(key, op, left.symbol, right.symbol)
        if key in self.nullified:
            return Value(value_type(self.nullified[key]), symbol)
        a, b = plain(left.type), plain(right.type)
        if a is None or b is None:
            return Value(None, symbol)
        a, b = (
            kind.inner if isinstance(kind, Optional) else kind
            for kind in (a, b)
        )
        if (
            self.module.peer
            and isinstance(node, ast.AugAssign)
            and op is ast.Div
        ):
            op = ast.FloorDiv if a not in FLOATS and b not in FLOATS else op
        if isinstance(a, Tuple) and isinstance(b, Tuple) and op is ast.Add:
            return Value(Tuple(a.items + b.items), symbol)
        scalars = all(
            isinstance(kind, str) and kind in SCALARS for kind in (a, b)
        )
        result = binary_type(op, a, b, self.module.peer) if scalars else None
        if result is None:
            arrays = isinstance(a, Array) or isinstance(b, Array)
            self.report(
                "array" if arrays else "call", f"no operator for {a} and {b}"
            )
        return Value(result, symbol)

    def compare_steps(self, node):
        """The values of a chain of comparisons, one after the other."""
        left = self.evaluate(node.left)
        for index, (op, comparator) in enumerate(
            zip(node.ops, node.comparators, strict=True)
        ):
            right = self.evaluate(comparator)
            yield self.compare((node, index), type(op), left, right)
            left = right

    def compare(self, key, op, left, right):
        """One comparison."""
        key = (key, self.copy)
        symbol = Operation(key, op, left.symbol, right.symbol)
        if op in (ast.In, ast.NotIn):
            return Value("bool")
        if key in self.nullified and self.module.peer:
            return Value(value_type(self.nullified[key]), symbol)
        if key in self.nullified or op in (ast.Is, ast.IsNot):
            return Value("bool", symbol)
        a, b = plain(left.type), plain(right.type)
        if a is None or b is None:
            return Value(None, symbol)
        a, b = (
            kind.inner if isinstance(kind, Optional) else kind
            for kind in (a, b)
        )
        scalars = all(
            isinstance(kind, str) and kind in SCALARS for kind in (a, b)
        )
        tuples = isinstance(a, Tuple) and isinstance(b, Tuple)
        nothing = "none" in (a, b) and op in (ast.Eq, ast.NotEq)
        if not (scalars or tuples or nothing):
            arrays = isinstance(a, Array) or isinstance(b, Array)
            self.report(
                "array" if arrays else "call", f"cannot compare {a} and {b}"
            )
            return Value(None, symbol)
        return Value("bool", symbol)

    def get_Compare(self, node):
        """The first false comparison ends a chain."""
        result = Value(None)
        kinds = []
        for index, value in enumerate(self.compare_steps(node)):
            result = value
            kinds.append(value.type)
            if index < len(node.ops) - 1:
                true, false = self.branch((node, index), value)
                if not false:
                    kinds.pop()
                if not true:
                    break
        for kind in kinds:
            result = Value(
                self.accumulate((node, "chain", self.copy), kind), result.symbol
            )
        if len(node.ops) > 1:
            return Value(
                result.type, Chosen(result.symbol) if len(kinds) == 1 else None
            )
        return result

    def get_BoolOp(self, node):
        """The operands that can be the result."""
        true, false = self.outcomes(node)
        values = {id(value): value for value in [*true, *false]}.values()
        kind, symbol = None, None
        for value in values:
            kind = self.accumulate((node, "result", self.copy), value.type)
            symbol = value.symbol
        return Value(kind, Chosen(symbol) if len(values) == 1 else None)

    def outcomes(self, node):
        """(values that a true result can be, that a false one can be)."""
        if not isinstance(node, ast.BoolOp):
            value = self.evaluate(node)
            constant = fold(node)
            if isinstance(constant, ast.Constant):
                true, false = bool(constant.value), not constant.value
            else:
                true, false = self.branch(("value", node), value)
            return [value] if true else [], [value] if false else []
        conjunction = isinstance(node.op, ast.And)
        ends = []
        for position, value in enumerate(node.values):
            if position == len(node.values) - 1 and not isinstance(
                value, ast.BoolOp
            ):
                last = self.evaluate(value)
                true, false = [last], [last]
            else:
                true, false = self.outcomes(value)
            stays, leaves = (true, false) if conjunction else (false, true)
            ends += leaves
            if not stays:
                break
        return (stays, ends) if conjunction else (ends, stays)

    def get_IfExp(self, node):
        """The sides that can be reached."""
        true, false = self.test(node.test)
        kind, symbol = None, None
        for side, reached in ((node.body, true), (node.orelse, false)):
            if reached:
                value = self.evaluate(side)
                kind = self.accumulate((node, "result", self.copy), value.type)
                symbol = value.symbol
        return Value(kind, Chosen(symbol) if true != false else None)

    def get_Subscript(self, node):
        """An element, a row or an item."""
        base, index = self.evaluate(node.value), self.evaluate(node.slice)
        self.indices[node] = index.symbol
        if base.type is None or index.type is None:
            return Value(None)
        kind = base.type.inner if isinstance(base.type, Optional) else base.type
        result = None
        if isinstance(kind, Array):
            result = index_array(kind, index.type)
        elif isinstance(kind, Tuple):
            static = getattr(self, "settled", {}).get(node)
            value = static.value if isinstance(static, Constant) else None
            static = int(value) if isinstance(value, np.integer) else value
            result = index_tuple(kind, index.type, static)
        if result is None:
            raise NoOverload("index", f"cannot index {kind} with {index.type}")
        return Value(result)

    def get_Attribute(self, node):
        """Shapes of arrays, members of modules."""
        base = self.evaluate(node.value)
        kind, name = base.type, node.attr
        symbol = Rank(base.symbol) if name == "ndim" else None
        if kind is None:
            return Value(None, symbol)
        if isinstance(kind, Array):
            if name == "ndim":
                known = self.settle(symbol)
                return Value(Literal(known.value) if known else "int64", symbol)
            if name in ("size", "itemsize"):
                return Value("int64")
            if name in ("shape", "strides"):
                return Value(Tuple(("int64",) * kind.rank))
        if isinstance(kind, Known):
            if isinstance(kind.object, CudaName):
                path = f"{kind.object.path}.{name}"
                return Value(CUDA_VALUES.get(path) or Known(CudaName(path)))
            if hasattr(kind.object, name):
                return Value(plain(value_type(getattr(kind.object, name))))
        raise TypingError("attribute", f"{kind} has no attribute {name}")

    def get_Call(self, node):
        """A built-in function by table, a device function by inference."""
        callee = self.evaluate(node.func)
        values = [self.evaluate(argument) for argument in node.args]
        named = {
            keyword.arg: self.evaluate(keyword.value).type
            for keyword in node.keywords
        }
        kinds = [value.type for value in values]
        symbol = None
        if callee.symbol == Constant(len) and len(values) == 1:
            symbol = Length(values[0].symbol)
            known = self.settle(symbol)
            if known:
                return Value(Literal(known.value), symbol)
        if callee.type is None or None in kinds or None in named.values():
            return Value(None, symbol)
        if not isinstance(callee.type, Known):
            raise TypingError("call", f"{callee.type} is not callable")
        function = callee.type.object
        if isinstance(function, DeviceFunction):
            return Value(self.module.call(function.function, kinds, named))
        result = call_type(function, kinds) if not named else None
        if result is None:
            raise NoOverload("call", f"no overload of {function} for {kinds}")
        return Value(result, symbol)


class NoOverload(TypingError):
    """No overload takes these types (yet)."""


class NameNotDefined(TypingError):
    """A local is read above every assignment to it; nothing can mend that."""


def dead():
    """The environment of code that is not reached."""
    return {None: None}


def environment_alive(environment):
    """Whether control can be here."""
    return None not in environment


# --- A module -----------------------------------------------------------------


class Module:
    """The text of a case: its functions and the values around them."""

    def __init__(self, source, peer, rotate, late):
        self.peer, self.rotate, self.late = peer, rotate, late
        tree = ast.parse(source)
        self.nodes = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                first = min(
                    [node.lineno] + [d.lineno for d in node.decorator_list]
                )
                self.nodes[first, node.name] = node
        self.names = {"__name__": "case"}
        text = source.replace("from numba import cuda", "pass")
        self.names["cuda"] = CudaName("cuda")
        exec(compile(text, "<case>", "exec"), self.names)
        self.reads, self.folded = {}, {}
        self.done, self.running = {}, {}

    def call(self, function, kinds, named=None):
        """The result of a function for these argument types, inferred once."""
        parameters = list(inspect.signature(function).parameters.values())
        arguments = list(kinds)
        if len(arguments) > len(parameters):
            raise TypingError("call", "too many arguments")
        for parameter in parameters[len(arguments) :]:
            if named and parameter.name in named:
                arguments.append(named[parameter.name])
            elif parameter.default is not parameter.empty:
                arguments.append(Omitted(parameter.default))
            else:
                raise TypingError(
                    "call", f"argument {parameter.name} is missing"
                )
        key = (function, tuple(arguments))
        if key in self.running:
            known = [
                v.type for v in self.running[key].returns.values() if v.type
            ]
            result = (
                unify_all({plain(kind) for kind in known}) if known else None
            )
            if result is None:
                raise TypingError(
                    "recursion", "the result of a recursive call is not known"
                )
            return result
        if key not in self.done:
            self.running[key] = Function(self, *key)
            try:
                self.done[key] = self.running[key].infer()
            finally:
                del self.running[key]
        return self.done[key]


# --- Text forms ---------------------------------------------------------------


def parse(text):
    """A type from its text."""
    text = text.strip()
    if text.startswith("array("):
        dtype, rank, layout = text[6:-1].split(",")
        return Array(dtype.strip(), int(rank), layout.strip())
    if text.startswith("tuple("):
        parts, depth, start, inner = [], 0, 0, text[6:-1]
        for position, character in enumerate(inner + ","):
            depth += (character == "(") - (character == ")")
            if character == "," and depth == 0:
                parts.append(inner[start:position])
                start = position + 1
        return Tuple(tuple(parse(part) for part in parts if part.strip()))
    return text


def show(kind):
    """The text of a type."""
    kind = plain(kind)
    if isinstance(kind, Tuple):
        return "tuple(" + ", ".join(show(item) for item in kind.items) + ")"
    if isinstance(kind, Array):
        return f"array({kind.dtype}, {kind.rank}, {kind.layout})"
    if isinstance(kind, Optional):
        return f"optional({show(kind.inner)})"
    return kind if isinstance(kind, str) else str(kind)


def interpret(source, arguments, entry="f", peer=False, rotate=True, late=True):
    """(result, error class, message) of a case.

    `peer` repeats the peer's defects; `rotate` types the condition of `while`
    twice; `late` prunes again after variables are split into definitions.
    """
    module = Module(source, peer, rotate, late)
    function = module.names[entry]
    function = getattr(function, "function", function)
    try:
        return (
            show(module.call(function, [parse(text) for text in arguments])),
            None,
            "",
        )
    except TypingError as error:
        return None, error.kind, str(error)
