# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lanes of a warp that exchange values, and of which of them is known that
they are there.
"""

from typing import NamedTuple

LANES = 32
ALL = "0xFFFFFFFF"


class Group(NamedTuple):
    """Lanes as a mask names them; a lane may take of those alone."""

    mask: str
    #: Whether the mask has no lanes but those that are there.
    is_exact: bool
    #: The number of one of these lanes; "{}" stands for any integer.
    lane: str | None = None
    #: Segments of so many lanes are whole; 0 if none is.
    width: int = 0
    #: In segments of so many lanes those before a lane are there; 0 if none.
    span: int = 0
    #: Within all that, the lanes `first`, `first + step` and so on are meant.
    step: int = 1
    first: int = 0

    def multiple(self, text):
        """A distance between lanes of the group."""
        return (
            text if self.step == 1 else f"{text} // {self.step} * {self.step}"
        )

    def number(self, text):
        """A lane of the group, counted from a segment's first."""
        text = self.multiple(text)
        return f"{text} + {self.first}" if self.first else text


def of_all(block, has_left, mask=ALL):
    """The lanes of a warp; some may have left."""
    if has_left:
        return Group(mask, is_exact=False)
    is_exact = mask != ALL or block % LANES == 0
    width = min(block & -block, LANES)
    return Group(mask, is_exact, f"{{}} % {least(block)}", width, LANES)


def of_every_other(block, first, has_left):
    """The even or the odd lanes; `first` is 0 or 1."""
    mask = ("0x55555555", "0xAAAAAAAA")[first]
    count = (least(block) + 1 - first) // 2
    if has_left or not count:
        return Group(mask, is_exact=False)
    return Group(
        *(mask, block % LANES == 0, f"{{}} % {count} * 2 + {first}"),
        *(min(block & -block, LANES) if block % 2 == 0 else 0, LANES),
        *(2, first),
    )


def of_first(count, has_left):
    """The first lanes, which all warps have."""
    mask = hex((1 << count) - 1)
    if has_left:
        return Group(mask, is_exact=False)
    return Group(mask, True, f"{{}} % {count}", count & -count, LANES)


def of_others(count, block, has_left):
    """Those behind so many lanes."""
    mask = hex((1 << LANES) - (1 << count))
    rest = least(block) - count
    lane = None if has_left or rest < 1 else f"{{}} % {rest} + {count}"
    return Group(mask, block % LANES == 0 and not has_left, lane)


def of_segment(mask, size, block, has_left):
    """The segment of the lane, of a size; it may end with the block."""
    if has_left:
        return Group(mask, is_exact=False)
    if block % size:
        return Group(mask, is_exact=False, span=size)
    lane = f"cuda.laneid // {size} * {size} + {{}} % {size}"
    return Group(mask, True, lane, size, size)


def of_found(mask):
    """Lanes of which threads have just told each other."""
    return Group(mask, is_exact=True, lane=f"cuda.ffs({mask}) - 1")


def least(block):
    """The lanes of the smallest warp of a block."""
    return (block - 1) % LANES + 1


def mask_of_all(block):
    """Of the lanes that exist, if all warps have the same; or of all."""
    if block > LANES and block % LANES:
        return ALL
    return hex((1 << least(block)) - 1)
