# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages in color, for terminals.

What asks for color and what forbids it is what Python's own tracebacks heed:
PYTHON_COLORS, NO_COLOR and FORCE_COLOR, in this order.
"""

from __future__ import annotations

import os
import re
from typing import Any

_RESET, _BOLD = "\x1b[0m", "\x1b[1m"
_OF_LABELS = {"error": "\x1b[1;31m", "note": "\x1b[1;36m"}
_OF_CARETS = "\x1b[1;32m"

#: `place: label: text`, and what stands below the quoted line.
_MESSAGE = re.compile(r"(.*?: )?(error|note): (.*)")
_CARETS = re.compile(r"\s*\^~*")


def is_wanted(stream: Any) -> bool:
    """Whether what is written to `stream` is to have color."""
    choice = os.environ.get("PYTHON_COLORS")
    if choice in ("0", "1"):
        return choice == "1"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if os.environ.get("TERM") == "dumb":
        return False
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def colored(message: str) -> str:
    """A message about a kernel, with color."""
    return "\n".join(map(_colored_line, message.split("\n")))


def _colored_line(line: str) -> str:
    if _CARETS.fullmatch(line):
        return f"{_OF_CARETS}{line}{_RESET}"
    found = _MESSAGE.fullmatch(line)
    # Quoted lines are indented.
    if found is None or line.startswith(" "):
        return line
    place, label, text = found.groups()
    start = f"{_BOLD}{place}{_RESET}" if place else ""
    return f"{start}{_OF_LABELS[label]}{label}: {_RESET}{_BOLD}{text}{_RESET}"
