# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All numbers of bfloat16, for tests that need ml_dtypes."""

import pytest

from support.short_floats import all_numbers, other_numbers

bfloat16 = pytest.importorskip("ml_dtypes").bfloat16

ALL = all_numbers(bfloat16)
OTHERS = other_numbers(ALL)
