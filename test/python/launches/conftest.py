# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of launches share."""

import pytest

from pyk.cuda import _compile


@pytest.fixture
def compiled(monkeypatch):
    """The argument types of what a test compiles, in order."""
    found = []
    compile_kernel = _compile.compile_kernel

    def recording(function, arguments, *others):
        found.append(arguments)
        return compile_kernel(function, arguments, *others)

    monkeypatch.setattr(_compile, "compile_kernel", recording)
    # Blocks of few threads are like any.
    monkeypatch.setattr(_compile.options, "cpu", "auto")
    return found
