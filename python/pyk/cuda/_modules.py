# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ast buffers of several kernels: what `--emit` writes is one module.

A buffer is made when its kernel is compiled, because globals may change until
another one is. So functions of one key may differ; the later one gets a new key
then, and so does all that names it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from pyk._frontend import _build
from pyk._frontend._expressions import Node


class Collector:
    """Buffers, put together where they are compiled alike."""

    def __init__(self) -> None:
        self._units: dict[tuple[str, str], Node] = {}
        self._inputs: dict[tuple[str, str], dict[str, Any]] = {}

    def add(self, source: bytes, **inputs: Any) -> None:
        """Takes a buffer, and what else `_core.compile` is told of it."""
        unit = json.loads(source)
        options = json.dumps(unit.get("options"), sort_keys=True)
        settings = {**inputs, "source_name": None}
        key = options, json.dumps(settings, sort_keys=True)
        if key in self._units:
            merge(self._units[key], unit)
        else:
            self._units[key], self._inputs[key] = unit, inputs

    def modules(self) -> Iterator[dict[str, Any]]:
        """What `_core.compile` takes, for each module; forgets all."""
        units, inputs = self._units, self._inputs
        self._units, self._inputs = {}, {}
        for key, unit in units.items():
            yield {"source": _build.encode(unit), **inputs[key]}


def merge(unit: Node, other: Node) -> None:
    """Adds the entries of `other`, and what these need, to `unit`."""
    functions, new = unit["functions"], other["functions"]
    entries = {entry["function"] for entry in unit["entries"]}
    launched = {entry["function"] for entry in other["entries"]}
    names = {key: set(_names(node)) for key, node in new.items()}
    keys: dict[str, str] = {}
    # What is called cannot be launched, and the other way round.
    changed = [
        key
        for key, node in new.items()
        if key in functions
        and (functions[key] != node or (key in entries) != (key in launched))
    ]
    while changed:
        for key in changed:
            keys[key] = _unused(key, {*functions, *new, *keys.values()})
        changed = [
            key
            for key in new
            if key in functions and key not in keys and names[key] & keys.keys()
        ]
    for key, node in new.items():
        _rename(node, keys)
        functions.setdefault(keys.get(key, key), node)
    for entry in other["entries"]:
        entry["function"] = keys.get(entry["function"], entry["function"])
        if entry not in unit["entries"]:
            unit["entries"].append(entry)


def _unused(key: str, taken: set[str]) -> str:
    base = re.sub(r"\.\d+$", "", key)
    count = 1
    while f"{base}.{count}" in taken:
        count += 1
    return f"{base}.{count}"


def _places(node: Node) -> Iterator[tuple[Node, str]]:
    """The objects within a FUNCTION that name one, and under which key."""
    waiting: list[Any] = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if item.get("t") == "function":
                yield item, "id"
            elif item.get("k") == "closure":
                yield item, "function"
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item


def _names(node: Node) -> Iterator[str]:
    return (place[key] for place, key in _places(node))


def _rename(node: Node, keys: dict[str, str]) -> None:
    for place, key in _places(node):
        place[key] = keys.get(place[key], place[key])
