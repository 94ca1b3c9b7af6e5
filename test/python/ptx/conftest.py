# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver that executes PTX: the PTX machine's, or a GPU's."""

import ctypes
import os
from collections.abc import Iterator

import pytest

from support import ptx_instructions, ptx_texts


@pytest.fixture(scope="module")
def driver() -> ptx_instructions.Driver:
    try:
        return ptx_instructions.Driver()
    except OSError as error:
        if "PYK_LIBCUDA" in os.environ:
            raise
        pytest.skip(f"nothing here runs PTX: {error}")


@pytest.fixture
def fresh_context(driver: ptx_instructions.Driver) -> Iterator[None]:
    """A kernel that fails, for one test, spoils no other's context."""
    yield
    try:
        driver.call("cuCtxSynchronize")
    except RuntimeError:
        driver.call("cuDevicePrimaryCtxReset_v2", 0)
        driver.__init__()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> ptx_texts.Machine:
    """Makes a driver of the PTX machine that knows nothing of others.

    Its arguments are settings of PYK_STANDIN.
    """
    # Only here: a machine with a GPU need not have the library.
    from support.stand_in_driver import LIBRARY

    def make(**settings: object) -> ptx_instructions.Driver:
        monkeypatch.setenv(
            "PYK_STANDIN",
            ",".join(f"{name}={value}" for name, value in settings.items()),
        )
        ctypes.CDLL(str(LIBRARY)).standin_reset()
        return ptx_instructions.Driver(str(LIBRARY))

    return make
