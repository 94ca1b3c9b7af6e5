# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a Python function to the ast buffer that the compiler reads.

`_build` is where to begin. Nothing here knows devices or launches.
"""

__all__ = ()
