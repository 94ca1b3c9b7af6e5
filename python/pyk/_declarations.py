# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signatures as programs write them: text, tuples of types, or objects."""

from __future__ import annotations

import re
from types import SimpleNamespace

from pyk import types

_CLASSES = {
    "Array": types.Array,
    "NoneType": types.NoneType,
    "Record": types.Record,
    "array": types.Array,
    "from_dtype": types.from_dtype,
    "CPointer": types.CPointer,
    "CharSeq": types.CharSeq,
    "UnicodeCharSeq": types.UnicodeCharSeq,
    "NPDatetime": types.NPDatetime,
    "NPTimedelta": types.NPTimedelta,
    "Tuple": types.Tuple,
    "UniTuple": types.UniTuple,
    "optional": types.Optional,
    "Optional": types.Optional,
    "tuple": lambda *items: types.Tuple(items),
}
_NAMES: dict[str, object] = {**types.NAMES, **_CLASSES}
# Numba evaluates the text where its types are, and programs name that place.
_NAMES["types"] = SimpleNamespace(**_NAMES)

#: What types print that is not Python: `array(float32, 2d, C)`, and records.
_PRINTED_ARRAY = re.compile(r",\s*(\d+)d\s*,\s*([CFA])\s*\)")
_PRINTED_RECORD = re.compile(r"\bRecord\(([^()]*);(\d+);(True|False)\)")
_PRINTED_FIELD = re.compile(r"(\w+)\[type=([^;\]]+);offset=(\d+)[^\]]*\]")


def _as_python(text: str) -> str:
    """A signature in which types may stand as they print.

    >>> _as_python("void(array(float32, 2d, C))")
    "void(array(float32, 2, 'C'))"
    """

    def record(found: re.Match[str]) -> str:
        fields = ", ".join(
            f"({name!r}, {{'type': {of}, 'offset': {offset}}})"
            for name, of, offset in _PRINTED_FIELD.findall(found[1])
        )
        return f"Record([{fields}], {found[2]}, {found[3]})"

    text = _PRINTED_ARRAY.sub(r", \1, '\2')", text)
    return _PRINTED_RECORD.sub(record, text)


def parse_signature(signature: object) -> types.Signature:
    """The signature that a string, a tuple of types or an object stands for.

    >>> parse_signature("void(float32[:], i4)")
    (array(float32, 1d, A), int32) -> none
    """
    value = signature
    if isinstance(value, str):
        try:
            # A signature string is a Python expression in Numba, too.
            value = eval(_as_python(value), {"__builtins__": {}}, _NAMES)
        except Exception as error:
            raise TypeError(
                f"cannot read the signature {signature!r}: {error}"
            ) from None
    if isinstance(value, tuple):
        return types.Signature(None, value)
    if isinstance(value, types.Signature):
        return value
    text = signature.strip() if isinstance(signature, str) else ""
    if isinstance(value, types.Type) and text.startswith("("):
        # "(float32)" is a type in parentheses, not a tuple.
        return types.Signature(None, (value,))
    raise TypeError(
        "expects a signature such as 'void(float32[:], int32)' or a tuple of "
        f"types but got {signature!r}"
    )
