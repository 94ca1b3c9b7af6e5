# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`np.finfo` and `np.iinfo` as values of a kernel: namedtuples."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

_FLOAT_LIMITS = (
    "bits eps epsneg iexp machep max maxexp min minexp negep nexp nmant "
    "precision resolution smallest_normal smallest_subnormal tiny"
)

FloatLimits = namedtuple("FloatLimits", _FLOAT_LIMITS)  # type: ignore[misc]
IntegerLimits = namedtuple("IntegerLimits", "bits max min")


def _take(found: Any, fields: Any) -> Any:
    return fields(*(getattr(found, name) for name in fields._fields))


def of_float(dtype: Any) -> Any:
    """The attributes of `np.finfo(dtype)`."""
    return _take(np.finfo(dtype), FloatLimits)


def of_integer(dtype: Any) -> Any:
    """The attributes of `np.iinfo(dtype)`."""
    return _take(np.iinfo(dtype), IntegerLimits)
