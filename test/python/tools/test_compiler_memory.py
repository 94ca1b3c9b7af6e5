# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler keeps of what it has compiled, in a process of its own."""

from support.programs import lines_of, run_program


def test_constants_of_kernels_that_are_gone(tmp_path):
    """Each kernel has a megabyte of them, of which the compiler keeps a few."""
    program = """
    import os
    import numpy as np
    from pyk import cuda

    def megabytes():
        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def run(first):
        table = np.arange(2**18, dtype=np.int32) + first

        @cuda.jit
        def k(out):
            out[0] = table[out.size]

        out = np.zeros(1)
        k[1, 1](out)
        assert out[0] == first + 1

    for first in range(20):
        run(first)
    before = megabytes()
    for first in range(20, 80):
        run(first)
    print(megabytes() - before)
    """
    (megabytes,) = lines_of(run_program(tmp_path, program))
    # Without an end it was more than 130.
    assert float(megabytes) < 70


def test_the_stack_of_the_compiler_is_large_enough(tmp_path):
    """However small that of the program is when the first kernel is compiled:
    the thread that compiles stays."""
    arms = "".join(
        f"    elif x < {i}:\n        out[0] = {i}\n" for i in range(250)
    )
    program = f"""
import resource
import numpy as np
from pyk import cuda

@cuda.jit
def nothing():
    pass

@cuda.jit
def k(out, x):
    if x < 0:
        out[0] = -1
{arms}
usual, most = resource.getrlimit(resource.RLIMIT_STACK)
resource.setrlimit(resource.RLIMIT_STACK, (2**18, most))
nothing[1, 1]()
resource.setrlimit(resource.RLIMIT_STACK, (usual, most))
out = np.zeros(1)
k[1, 1](out, 2.5)
print(out[0])
"""
    assert lines_of(run_program(tmp_path, program)) == ["3.0"]
