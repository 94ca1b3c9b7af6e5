# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a host program asks of the device as a whole.

On the CPU target a launch has finished when it returns. Streams exist so that
programs written for a GPU run; there is nothing left for them to order.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


def is_available() -> bool:
    """Whether kernels can run: always, since the CPU is a target.

    >>> is_available()
    True
    """
    return True


def synchronize() -> None:
    """Waits until every launch has finished."""


class Stream:
    """An ordered queue of work, which on the CPU is always empty."""

    def synchronize(self) -> None:
        """Waits until the work in this stream has finished."""

    @contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """Waits, at the end of a `with` block, for the work in the stream."""
        yield self


def stream() -> Stream:
    """A new stream."""
    return Stream()


def default_stream() -> Stream:
    """The stream of launches that name none."""
    return Stream()
