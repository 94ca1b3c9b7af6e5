# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of values, loops, elements, variables and calls, which are those of
the peer. The tests compare the compiler with them, and language/status.md shows
them."""

import json
import sys
from collections.abc import Iterator

from support.places import TYPING

sys.path.append(str(TYPING))

from statements import HEADER, ROWS, Row, arguments, source  # noqa: E402

__all__ = ["HEADER", "Row", "arguments", "load", "source"]


def load() -> Iterator[tuple[Row, str | None]]:
    """Each row and its type, None if it is refused."""
    recorded = json.loads((TYPING / "statements.json").read_text())
    for row in ROWS:
        yield row, recorded[f"{row.section}: {row.what}"]
