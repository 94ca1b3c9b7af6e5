# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python runs this at its start if the folder is in PYTHONPATH.

So `numba` means PyK in processes that a test starts, too.
"""

import numba_stand_ins

numba_stand_ins.install()
