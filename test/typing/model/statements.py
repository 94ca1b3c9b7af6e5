# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements other than loops: what each does to the environment.

A jump empties the environment of life, so that what follows is not walked;
assignments define names or store elements; `if` joins its two ways.
"""

import ast

from .definitions import dead, environment_alive
from .errors import TypingError
from .folding import fold
from .indexing import index_array
from .objects import as_tuple, attribute_type
from .symbols import Value
from .types import (
    COMPLEXES,
    FLOATS,
    SCALARS,
    Array,
    Record,
    Tuple,
    number,
    value_type,
)


def may_store(kind, target):
    """Whether a number goes into one: the parts of a complex one do not."""
    if isinstance(target, Record):
        return kind == target
    if not isinstance(kind, str) or kind not in SCALARS:
        return False
    return kind not in COMPLEXES or target in COMPLEXES


def element(value):
    """A value, or what the elements of an array are."""
    array = isinstance(value.type, Array)
    return Value(value.type.dtype) if array else value


class Statements:
    """The part of `Function` that runs statements."""

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

    def do_FunctionDef(self, node, environment):
        """A nested function is a value."""
        value = Value(self.closure(node))
        self.define(environment, node.name, value, node)

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
        if len(node.targets) > 1:
            value = self.evaluate(node.value)
            for target in node.targets:
                if self.untyped and isinstance(target, ast.Name):
                    self.foresee(target, node.value)
                self.assign(target, value, environment)
            return
        (target,) = node.targets
        pairs = [(target, node.value)]
        swap = (
            isinstance(target, ast.Tuple)
            and isinstance(node.value, ast.Tuple)
            and not any(isinstance(item, ast.Starred) for item in target.elts)
        )
        if swap:
            pairs = zip(target.elts, node.value.elts, strict=False)
        if self.untyped:
            for item, value in pairs:
                if isinstance(item, ast.Name):
                    self.foresee(item, value)
        if swap and len(target.elts) == len(node.value.elts):
            values = [self.evaluate(item) for item in node.value.elts]
            folded = isinstance(fold(node.value), ast.Constant)
            if folded or len(values) > 3:  # goes through a tuple
                values = [Value(value.type) for value in values]
            for item, value in zip(target.elts, values, strict=True):
                self.assign(item, value, environment)
            return
        self.assign(target, self.evaluate(node.value), environment)

    def foresee(self, target, value):
        """Note the type of a constant for its target."""
        try:
            self.early[target] = self.constant_type(value)
        except TypingError:
            pass  # reported where it is evaluated

    def assign(self, target, value, environment):
        """Store into a name, an element or a tuple of targets."""
        if isinstance(target, ast.Name):
            self.define(environment, target.id, value, target)
        elif isinstance(target, ast.Tuple):
            value = self.gathered(target, value)
            for position, item in enumerate(target.elts):
                name = item.value if isinstance(item, ast.Starred) else item
                self.assign(
                    name,
                    Value(self.unpack(target, value, position)),
                    environment,
                )
        else:
            self.store(target, value)

    def gathered(self, target, value):
        """With a starred target, the items that it takes as one tuple."""
        stars = [
            position
            for position, item in enumerate(target.elts)
            if isinstance(item, ast.Starred)
        ]
        if not stars or not isinstance(value.type, Tuple):
            return value
        items, (first,) = value.type.items, stars
        last = len(items) - (len(target.elts) - 1 - first)
        if last < first:
            return value
        return Value(
            Tuple((*items[:first], Tuple(items[first:last]), *items[last:]))
        )

    def unpack(self, target, value, position):
        """One item of a tuple on the right-hand side."""
        kind = value.type
        if kind is None:
            return None
        kind = as_tuple(kind)
        if not isinstance(kind, Tuple) or len(kind.items) != len(target.elts):
            self.report("other", "cannot unpack")
            return None
        return self.accumulate(
            (target, position, self.copy), kind.items[position]
        )

    def store(self, target, value):
        """array[index] = value."""
        array = self.evaluate(target.value).type
        if isinstance(target, ast.Attribute) or isinstance(array, Record):
            if array is not None:
                self.store_field(array, target, value)
            return
        index = self.evaluate(target.slice)
        if array is None or index.type is None or value.type is None:
            return
        kind = number(value.type)
        fits = isinstance(array, Array) and index_array(array, index.type)
        if isinstance(fits, Array) and isinstance(kind, Array):
            kind = kind.dtype if kind.rank <= fits.rank else None
        if not fits or array.readonly or not may_store(kind, array.dtype):
            self.report(
                "index", f"cannot store {kind} into {array}[{index.type}]"
            )

    def store_field(self, record, target, value):
        """record.field = value, or record["field"] = value."""
        attribute = isinstance(target, ast.Attribute)
        name = target.attr if attribute else target.slice.value
        field = attribute_type(record, name)
        if value.type and not may_store(number(value.type), field):
            self.report("index", f"cannot store {value.type} into {field}")

    def do_AugAssign(self, node, environment):
        """Reads, computes and stores."""
        load = ast.copy_location(
            type(node.target)(**dict(ast.iter_fields(node.target))), node.target
        )
        load = self.module.reads.setdefault(node, load)
        load.ctx = ast.Load()
        left, right = self.evaluate(load), self.evaluate(node.value)
        is_part = isinstance(left.type, Array)
        if isinstance(node.target, ast.Subscript):
            # Part of an array is changed element by element.
            left, right = element(left), element(right)
        value = self.binary(node, type(node.op), left, right)
        a, b = number(left.type), number(right.type)
        is_fraction = isinstance(node.op, ast.Div) or b in FLOATS
        if is_part and (
            (b in COMPLEXES and a not in COMPLEXES)
            or (is_fraction and a not in FLOATS and a not in COMPLEXES)
        ):
            self.report("array", f"elements of {a} do not become {b}")
        # An in-place operation is never a compile-time value.
        self.assign(node.target, Value(value.type), environment)

    def do_If(self, node, environment):
        """Two ways, then a join."""
        fixed = isinstance(fold(node.test), ast.Constant)
        true, false = self.test(node.test)
        then, other = (
            dict(environment) if way else dead() for way in (true, false)
        )
        self.depth += not fixed
        self.body(node.body, then)
        self.body(node.orelse, other)
        self.depth -= not fixed
        self.replace(environment, self.join(node, [then, other]))

    def do_Break(self, node, environment):
        """Out of the loop."""
        self.frames[-1].breaks.append(dict(environment))
        self.replace(environment, dead())

    def do_Continue(self, node, environment):
        """To the next iteration."""
        self.frames[-1].continues.append(dict(environment))
        self.replace(environment, dead())

    def do_Return(self, node, environment):
        """Out of the function."""
        value = self.evaluate(node.value) if node.value else Value("none")
        kind = self.accumulate((node, "return"), value.type)
        self.returns[node] = Value(kind, value.symbol)
        self.left = True
        self.replace(environment, dead())
