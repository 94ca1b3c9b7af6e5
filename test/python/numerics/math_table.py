# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the bits of math functions in PTX and on the CPU, of many arguments.

    python math_table.py NARROW WIDE

computes each function of NARROW arguments of 32 bits and WIDE of 64, both
powers of 2, on the PTX machine without libdevice, with vectors and with single
threads. Names each function whose bits differ, and where; fails if there is
one.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

from math_bits import TOGETHER
from support.programs import run_without_toolkit

PROGRAM = Path(__file__).with_name("math_bits.py")
#: The options of each way to compute; the first is compared with the others.
WAYS = {
    "PTX": ["--target=ptx-machine"],
    "vectors": ["--target=cpu", "--cpu=simd"],
    "threads": ["--target=cpu", "--cpu=reference"],
}


def compute_hashes(options, narrow, wide):
    """The hashes of math_bits.py, by function and type."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "hashes.npz")
        done = run_without_toolkit(
            *options, PROGRAM, file, narrow, wide, seconds=None
        )
        if done.returncode or done.stderr:
            raise RuntimeError(done.stderr)
        with np.load(file) as found:
            return dict(found)


def compare(expected, found):
    """A line for each function whose hashes differ."""
    if expected.keys() != found.keys():
        return [f"only one has {sorted(expected.keys() ^ found.keys())}"]
    lines = []
    for name, hashes in expected.items():
        places = np.flatnonzero(hashes != found[name])
        if places.size:
            first = places[0] * TOGETHER
            lines.append(
                f"{name}: {places.size} of {hashes.size} parts differ, first "
                f"the results from {first} to {first + TOGETHER - 1}"
            )
    return lines


def main():
    narrow, wide = map(int, sys.argv[1:])
    expected, *others = (
        compute_hashes(options, narrow, wide) for options in WAYS.values()
    )
    first, *names = WAYS
    lines = [
        f"{first} and {name}: {line}"
        for name, found in zip(names, others, strict=True)
        for line in compare(expected, found)
    ]
    print(*lines, f"{len(expected)} functions, {len(lines)} differ", sep="\n")
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
