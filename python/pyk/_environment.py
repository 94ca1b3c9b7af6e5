# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of environment variables, and what their values mean as yes or no.

A value that means neither, and a name that is close to one of these, warn where
the program imports PyK.
"""

from __future__ import annotations

import os

from pyk._errors import NumbaInvalidConfigWarning, caller, warn_once

#: The variables that begin with PYK_, of which some are read by the runtime,
#: the compiler and the tests: reference/environment.md has a row for each.
VARIABLES = (
    "PYK_AARCH64_RUNNER",
    "PYK_ASSUME",
    "PYK_BOUNDSCHECK",
    "PYK_COMPARE",
    "PYK_CPU",
    "PYK_CPU_LEVEL",
    "PYK_CPU_THREADS",
    "PYK_FULL_TRACEBACK",
    "PYK_LIBCUDA",
    "PYK_LIBDEVICE",
    "PYK_REINTERPRET",
    "PYK_REPRODUCIBLE",
    "PYK_STANDIN",
    "PYK_TARGET",
    "PYK_TEST_CASES",
    "PYK_TEST_QUICK",
    "PYK_TEST_ROUNDTRIP",
    "PYK_TYPING",
)


_OFF = ("", "0", "false", "no", "off")
_ON = ("1", "true", "yes", "on")


def is_on(name: str, words: tuple[str, ...] = ("0", "1")) -> bool:
    """Whether the value of a variable is one of the words for yes.

    `words` are those that a message names if the value is no known one.
    """
    value = os.environ.get(name, "")
    word = value.strip().lower()
    if word not in (*_OFF, *_ON):
        _warn(
            f"PyK ignores {name}={value!r}: it expects {', '.join(words[:-1])} "
            f"or {words[-1]}"
        )
    return word in _ON


def warn_of_unknown() -> None:
    """Warns of each variable whose name is close to one of PyK's.

    Programs may have others that begin with PYK_ for themselves.
    """
    for name in os.environ:
        if name.startswith("PYK_") and name not in VARIABLES:
            # Imported late, as correct environments do not need it.
            import difflib

            known = {known.removeprefix("PYK_"): known for known in VARIABLES}
            near = difflib.get_close_matches(
                name.removeprefix("PYK_"), known, 1, 0.7
            )
            if near:
                _warn(
                    f"PyK has no environment variable {name}; did you mean "
                    f"{known[near[0]]}?"
                )


def _warn(message: str) -> None:
    warn_once(message, message, NumbaInvalidConfigWarning, caller())


def full_traceback() -> bool:
    """Whether PYK_FULL_TRACEBACK asks for PyK's own frames."""
    return is_on("PYK_FULL_TRACEBACK")
