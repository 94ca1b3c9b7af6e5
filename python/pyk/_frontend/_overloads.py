# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device functions with several signatures, in ast buffers.

Such a function asks for the types of its arguments, one after the other, and
calls the one for the signature that fits best. The compiler has the answers
before it infers types, so that nothing but one call is left. How far types are
from each other is what launches of kernels go by, too; layouts of arrays play
no part, as these are passed as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pyk import types
from pyk._frontend._expressions import Node
from pyk._frontend._values import Value
from pyk._signatures import (
    EXACT,
    NEVER,
    SAFE,
    NumberForm,
    counts,
    distance_of_numbers,
)


class Overload(NamedTuple):
    """A function of the buffer, and the signature that it is for."""

    key: str
    signature: types.Signature
    #: How far the arguments that were asked for are from the declared types.
    distances: tuple[int, ...] = ()


def choose(function: Node, overloads: Sequence[Overload]) -> Node:
    """What stands for `function`: calls of the overload that fits best."""
    body = _Choice(function, overloads).among(overloads)
    return {**function, "body": body}


#: What an argument may be: a number or a time, an array of any layout, None,
#: or anything else.
_Kind = types.Scalar | types.Array | None | str

_OTHER = "other"


def _form(declared: types.Type) -> types.Array | None:
    """What the compiler tells an array by, if it is one of numbers."""
    if isinstance(declared, types.Array) and isinstance(
        declared.dtype, types.Scalar
    ):
        return types.Array(declared.dtype, declared.ndim, "A")
    return None


def _distance(declared: types.Type, own: _Kind) -> int:
    """How far an argument is from what is declared."""
    if isinstance(declared, types.Optional):
        if own is None:
            return EXACT
        return max(SAFE, _distance(declared.type, own))
    form = _form(declared)
    if form is not None:
        return EXACT if form == own else NEVER
    if not isinstance(declared, types.Scalar):
        return EXACT if own is _OTHER else NEVER
    if not isinstance(own, types.Scalar):
        return NEVER
    if isinstance(declared, types.Time) or isinstance(own, types.Time):
        return EXACT if declared == own else NEVER
    return distance_of_numbers(NumberForm.of(declared), NumberForm.of(own))


def _meaning(signature: types.Signature) -> tuple[object, ...]:
    """What the function of a signature depends on."""
    forms = (_form(one) or one for one in signature.args)
    return (signature.return_type, *forms)


class _Choice:
    """The statements that tell the overloads of a function apart."""

    def __init__(self, function: Node, overloads: Sequence[Overload]) -> None:
        self._name = function["name"]
        self._declared = ", ".join(str(one.signature) for one in overloads)
        self._at = function["at"]
        self._parameters = [entry["name"] for entry in function["parameters"]]

    def among(self, overloads: Sequence[Overload]) -> list[Node]:
        """Asks for the first argument that was not asked for, if any."""
        if not overloads:
            return self._refuse(
                "with arguments that it is not declared for",
                f"'{self._name}' is declared for {self._declared}",
            )
        place = len(overloads[0].distances)
        if place == len(self._parameters):
            return self._choose(overloads)
        value = self._node("name", id=self._parameters[place])
        declared = [overload.signature.args[place] for overload in overloads]

        def given(own: _Kind) -> list[Node]:
            """What follows if the argument is of that kind."""
            return self.among(
                [
                    one._replace(distances=(*one.distances, distance))
                    for one, kind in zip(overloads, declared, strict=True)
                    if (distance := _distance(kind, own)) != NEVER
                ]
            )

        # What is asked first stands around what is asked later.
        body = other = given(_OTHER)
        for array in dict.fromkeys(map(_form, declared)):
            if array is not None:
                is_one = self._is_instance(value, _intrinsic(repr(array)))
                body = self._if(is_one, given(array), body)
        if any(isinstance(one, types.Optional) for one in declared):
            is_none = self._compare(value, "is", {"t": "none"})
            body = self._if(is_none, given(None), body)
            # Of what may be None only types that are known before are told.
            is_tuple = self._is_instance(value, _intrinsic("builtins.tuple"))
            body = self._if(is_tuple, other, body)
        times = [one for one in declared if isinstance(one, types.Time)]
        groups: dict[tuple[int, ...], list[types.Scalar]] = {}
        for own in (*types.NUMBERS, *dict.fromkeys(times)):
            distances = tuple(_distance(one, own) for one in declared)
            groups.setdefault(distances, []).append(own)
        for group in groups.values():
            dtypes = [{"t": "dtype", "name": own.name} for own in group]
            is_one = self._is_instance(value, {"t": "tuple", "items": dtypes})
            body = self._if(is_one, given(group[0]), body)
        return body

    def _choose(self, overloads: Sequence[Overload]) -> list[Node]:
        """Calls the best one."""
        least = min(counts(one.distances) for one in overloads)
        found = [one for one in overloads if counts(one.distances) == least]
        if len({_meaning(one.signature) for one in found}) > 1:
            fitting = " and ".join(str(one.signature) for one in found)
            return self._refuse(
                f"that fits {fitting} equally well",
                "convert arguments to the types of the one that you mean",
            )
        arguments = [self._node("name", id=name) for name in self._parameters]
        call = self._call({"t": "function", "id": found[0].key}, arguments)
        return [self._node("return", value=call)]

    def _refuse(self, why: str, remedy: str) -> list[Node]:
        what = f"a call of '{self._name}' {why}"
        return [self._node("unsupported", what=what, remedy=remedy)]

    def _if(
        self, test: Node, body: list[Node], orelse: list[Node]
    ) -> list[Node]:
        return [self._node("if", test=test, body=body, orelse=orelse)]

    def _is_instance(self, value: Node, classes: Value) -> Node:
        arguments = [value, self._constant(classes)]
        return self._call(_intrinsic("builtins.isinstance"), arguments)

    def _compare(self, value: Node, operator: str, other: Value) -> Node:
        others = [self._constant(other)]
        return self._node(
            "compare", left=value, ops=[operator], comparators=others
        )

    def _call(self, callee: Value, arguments: list[Node]) -> Node:
        function = self._constant(callee)
        return self._node("call", func=function, args=arguments, keywords=[])

    def _constant(self, value: Value) -> Node:
        return self._node("const", value=value)

    def _node(self, kind: str, **keys: object) -> Node:
        return {"k": kind, "at": self._at, **keys}


def _intrinsic(name: str) -> Value:
    return {"t": "intrinsic", "name": name}
