# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the threads of a block or of a warp meet, and what each then gets."""

from typing import Any, NamedTuple

import numpy as np

from .. import scalars
from .exits import Refused
from .warps import LANES, REDUCTIONS, reduced

ALL = 0xFFFFFFFF


class Meeting(NamedTuple):
    """A thread that has come to a call, and its arguments."""

    name: str
    place: Any
    arguments: list[Any]

    @property
    def lane(self):
        return self.place.thread % LANES

    @property
    def warp(self):
        """None for those of the block."""
        if self.name.startswith("syncthreads"):
            return None
        return self.place.thread // LANES

    @property
    def mask(self):
        return int(self.arguments[0]) & ALL if self.arguments else ALL

    @property
    def value(self):
        return self.arguments[-1 if self.warp is None else 1]

    def features(self, launch):
        """What is noted of it."""
        name = f"cuda.{self.name}"
        yield name
        if launch.has_left:
            yield "exchange after some have left"
        if self.warp is None:
            return
        if self.warp:
            yield "several warps"
        if self.name in REDUCTIONS:
            yield f"{name} {scalars.kind_of(self.value)}"
        there = min(launch.block - self.warp * LANES, LANES)
        if ~self.mask & (1 << there) - 1:
            yield f"{name} of some lanes"
        if there < LANES:
            yield f"{name} in a part of a warp"
        if len(self.arguments) > 3:
            yield f"{name} width"


def results(meetings, threads):
    """What those get who can go on, by thread; `threads` have not ended."""
    if all(meeting.warp is None for meeting in meetings.values()):
        return of_block(meetings)
    found = {}
    for thread, meeting in meetings.items():
        if meeting.warp is None or thread in found:
            continue
        if not meeting.mask >> meeting.lane & 1:
            raise Refused("a mask without its own lane")
        wanted = [
            other
            for other in threads
            if other // LANES == meeting.warp
            and meeting.mask >> other % LANES & 1
        ]
        group = [meetings[other] for other in wanted]
        if all(
            (one.name, one.warp) == (meeting.name, meeting.warp)
            and one.mask == meeting.mask
            for one in group
        ):
            found.update(of_warp(group))
    if not found:
        raise Refused("threads that wait for each other in vain")
    return found


def of_block(meetings):
    """Of a barrier; the names of those who meet are the same."""
    names = {meeting.name for meeting in meetings.values()}
    if len(names) > 1:
        raise Refused("several barriers at a time")
    (name,) = names
    if name == "syncthreads":
        return dict.fromkeys(meetings)
    holds = [bool(meeting.value != 0) for meeting in meetings.values()]
    told = {"count": sum, "and": all, "or": any}[name.rpartition("_")[2]]
    return dict.fromkeys(meetings, np.int32(told(holds)))


def of_warp(group):
    """Of lanes that exchange values: a shuffle, a vote or a match."""
    name = group[0].name
    if name.startswith("shfl"):
        given = {one.lane: one.value for one in group}
        return {one.place.thread: taken(given, one) for one in group}
    if name == "match_any_sync":
        return {
            one.place.thread: lanes_of(
                group, [bits(other) == bits(one) for other in group]
            )
            for one in group
        }
    threads = [one.place.thread for one in group]
    if name in REDUCTIONS:
        return dict.fromkeys(threads, reduced(name, [x.value for x in group]))
    if name == "syncwarp":
        return dict.fromkeys(threads)
    if name == "activemask":
        # All of the warp have come, so that all run together.
        lanes = lanes_of(group, [True] * len(group))
        return dict.fromkeys(threads, scalars.convert(lanes, "uint32"))
    if name == "elect_sync":
        return {thread: np.bool_(thread == min(threads)) for thread in threads}
    voted = [bool(one.value != 0) for one in group]
    get = {
        "all_sync": lambda: np.bool_(all(voted)),
        "any_sync": lambda: np.bool_(any(voted)),
        "eq_sync": lambda: np.bool_(len(set(voted)) == 1),
        "ballot_sync": lambda: lanes_of(group, voted),
        "match_all_sync": lambda: match_all(group),
    }[name]
    return dict.fromkeys(threads, get())


def bits(meeting):
    return meeting.value.tobytes()


def lanes_of(group, chosen):
    """Some of the lanes, as bits of an int32."""
    lanes = (
        one.lane for one, is_one in zip(group, chosen, strict=True) if is_one
    )
    return scalars.wrapped(sum(1 << lane for lane in lanes), "int32")


def match_all(group):
    same = len(set(map(bits, group))) == 1
    if group[0].mask.bit_count() != len(group):
        raise Refused("a match of lanes that are not there")
    mask = group[0].mask if same else 0
    return scalars.wrapped(mask, "int32"), np.bool_(same)


def taken(given, meeting):
    """What a shuffle brings, of what lanes have given."""
    lane = source(meeting)
    if lane not in given:
        raise Refused("what a lane gives that is not there")
    return given[lane]


def source(meeting):
    """The lane whose value a shuffle takes."""
    offset = int(meeting.arguments[2])
    width = int(meeting.arguments[3]) if len(meeting.arguments) > 3 else LANES
    lane, first = meeting.lane, meeting.lane // width * width
    match meeting.name:
        case "shfl_sync":
            return first + offset % width
        case "shfl_up_sync":
            return lane - offset if lane - offset >= first else lane
        case "shfl_down_sync":
            return lane + offset if lane + offset < first + width else lane
        case _:
            return lane ^ offset if lane ^ offset < first + width else lane
