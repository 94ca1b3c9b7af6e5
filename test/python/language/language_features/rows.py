# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A row of language/status.md, and rows that are alike."""

from dataclasses import dataclass

#: What the peer makes of much that it lacks.
SLOW_ERROR = "an error about its insides"

#: What it makes of some that we refuse.
TAKEN = "takes it"


@dataclass(frozen=True)
class Feature:
    section: str
    name: str
    body: str
    peer: str = ""
    expected: tuple = ()
    refused: str = ""
    #: Whether the host runs the body, and not a kernel.
    on_host: bool = False


def rows(section, *features):
    """Rows of one section: names and bodies, and perhaps what the peer does."""
    return [Feature(section, *feature) for feature in features]


def refused(section, *features):
    """Rows of what is refused: names, bodies, messages and the peer's."""
    return [
        Feature(section, name, body, peer, refused=message)
        for name, body, message, peer in features
    ]


def calls(section, module, names, arguments, peer=""):
    """A row for each function: it is called with `arguments`."""
    return [
        Feature(
            section,
            f"`{module}.{name}`",
            f"out[0] = {module}.{name}({arguments})",
            peer,
        )
        for name in names.split()
    ]
