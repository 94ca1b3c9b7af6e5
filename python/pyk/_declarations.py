# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signatures as programs write them: text, tuples of types, or objects."""

from __future__ import annotations

from pyk import types

_CLASSES = {
    "CPointer": types.CPointer,
    "CharSeq": types.CharSeq,
    "UnicodeCharSeq": types.UnicodeCharSeq,
    "NPDatetime": types.NPDatetime,
    "NPTimedelta": types.NPTimedelta,
    "Tuple": types.Tuple,
    "UniTuple": types.UniTuple,
    "optional": types.Optional,
    "Optional": types.Optional,
}


def parse_signature(signature: object) -> types.Signature:
    """The signature that a string, a tuple of types or an object stands for.

    >>> parse_signature("void(float32[:], i4)")
    (array(float32, 1d, A), int32) -> none
    """
    value = signature
    if isinstance(value, str):
        try:
            # A signature string is a Python expression in Numba, too.
            value = eval(
                value, {"__builtins__": {}}, {**types.NAMES, **_CLASSES}
            )
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
