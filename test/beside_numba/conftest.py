# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`numba` is PyK in these tests, as in the programs that users run."""

import pyk

pyk.install_as_numba()
