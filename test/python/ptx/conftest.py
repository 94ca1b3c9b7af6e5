# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver that executes PTX: the PTX machine's, or a GPU's."""

import os
from collections.abc import Iterator

import pytest

from support import ptx_instructions


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
