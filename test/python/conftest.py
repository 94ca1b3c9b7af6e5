# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Notes the kernels that tests compile, for `test_ptxas.py`, which runs last.

The dispatcher looks `compile` up in the extension whenever it compiles, so the
one there can be replaced for the time of the tests.
"""

import pytest

import assembly
from pyk import _core

#: What runs after all others: resets end the streams that tests have made.
LAST = ["test_host_resets.py", "test_ptxas.py"]


def pytest_sessionstart(session: pytest.Session) -> None:
    _core.compile = assembly.recording(_core.compile)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        name = item.path.name
        return LAST.index(name) if name in LAST else -1

    items.sort(key=place)
