# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Skips what this machine cannot run, and notes the kernels of the tests.

`test_ptxas.py`, which runs last, takes the kernels that tests compile. The
dispatcher looks `compile` up in the extension whenever it compiles, so the
one there can be replaced for the time of the tests.
"""

import hashlib
import os
from collections import defaultdict
from collections.abc import Generator

import pytest

from pyk import _core, _options, _toolkit, cuda
from support import assembly, host_memory, simd_agreement


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cpu", choices=_options.CPUS, help="how kernels run on the CPU"
    )
    parser.addoption(
        "--in-place",
        action="store_true",
        help="kernels reach arrays of the host, as the PTX machine can",
    )
    parser.addoption(
        "--assume", help="what kernels take for granted of their launches"
    )


def pytest_configure(config: pytest.Config) -> None:
    assume = config.getoption("--assume")
    if assume is not None:
        _options.options.assume = os.environ["PYK_ASSUME"] = assume
    if config.getoption("--in-place"):
        host_memory.use_in_place()
    way = config.getoption("--cpu")
    if way is not None:
        _options.options.cpu = way
        # For programs that tests run.
        os.environ["PYK_CPU"] = way
    config.addinivalue_line(
        "markers", "on_the_cpu(reason): a GPU does otherwise, for this reason"
    )
    config.addinivalue_line(
        "markers", "long: only `scripts/dev test --all` runs it"
    )
    config.addinivalue_line(
        "markers", "on_vectors: of how blocks run as vectors of the CPU"
    )
    config.addinivalue_line(
        "markers",
        "all_cases(assembled): `scripts/dev test` runs every case, and `ptxas` "
        "gets all of their kernels unless `assembled` is False",
    )


#: The cases of one function that `scripts/dev test` runs at most, so that
#: tables may grow. Whoever names a file runs them all.
QUICK_CASES = 16


def choose(
    items: list[pytest.Item], most: int, has_long: bool
) -> list[pytest.Item]:
    """Of tests, `most` cases of each function: those whose names have the least
    hashes, so that a new case changes nothing for others. Tests that are marked
    `all_cases` run whole."""
    functions = defaultdict(list)
    chosen = set()
    for item in items:
        if item.get_closest_marker("all_cases"):
            chosen.add(item)
        elif has_long or not item.get_closest_marker("long"):
            functions[item.nodeid.partition("[")[0]].append(item)

    def rank(item: pytest.Item) -> bytes:
        return hashlib.sha256(item.nodeid.encode()).digest()

    for cases in functions.values():
        chosen.update(sorted(cases, key=rank)[:most])
    return [item for item in items if item in chosen]


#: What runs after all others: resets end the streams that tests have made.
LAST = ["test_host_resets.py", "test_ptxas.py"]


def pytest_sessionstart(session: pytest.Session) -> None:
    _core.compile = assembly.recording(_core.compile)


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    # `scripts/dev test` says so; whoever runs pytest himself names what to run.
    is_quick = os.environ.get("PYK_TEST_QUICK") == "1"
    most = QUICK_CASES if is_quick else int(os.environ.get("PYK_TEST_CASES", 0))
    assembly.is_short = bool(most)
    assembly.whole.update(
        item.nodeid.partition("[")[0]
        for item in items
        if (mark := item.get_closest_marker("all_cases"))
        and mark.kwargs.get("assembled", True)
    )
    if most:
        quick = choose(items, most, has_long=not is_quick)
        left = {*items}.difference(quick)
        config.hook.pytest_deselected(items=[*left])
        items[:] = quick

    def place(item: pytest.Item) -> int:
        name = item.path.name
        return LAST.index(name) if name in LAST else -1

    items.sort(key=place)


def pytest_runtest_setup(item: pytest.Item) -> None:
    mark = item.get_closest_marker("on_the_cpu")
    if mark and not cuda.get_current_device().is_cpu:
        pytest.skip(mark.kwargs["reason"])
    if item.get_closest_marker("on_vectors"):
        if not cuda.get_current_device().is_cpu:
            pytest.skip("a GPU has no such variants")
        if not simd_agreement.has_vectors():
            pytest.skip("the processor has vectors of fewer than 4 lanes")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Skips a test of kernels that launch kernels where there is no CUDA
    toolkit: a GPU needs its library for such kernels."""
    try:
        yield
    except LookupError as error:
        if "libcudadevrt.a" in str(error) and _toolkit.find("nvcc") is None:
            pytest.skip("kernels that launch kernels need a CUDA toolkit")
        raise
