# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`launch_bounds` and `max_registers`."""

import re

import numpy as np
import pytest

from pyk import cuda


@pytest.mark.parametrize(
    ("bounds", "directives"),
    [
        (128, [".maxntid 128, 1, 1"]),
        ((np.int64(128),), [".maxntid 128, 1, 1"]),
        ((128, 2), [".maxntid 128, 1, 1", ".minnctapersm 2"]),
        (
            (128, 2, 4),
            [".maxntid 128, 1, 1", ".minnctapersm 2", ".maxclusterrank 4"],
        ),
    ],
)
def test_ptx_has_them(bounds, directives):
    @cuda.jit("void(float32[::1])", launch_bounds=bounds)
    def k(a):
        a[0] = 1

    (ptx,) = k.inspect_asm().values()
    found = re.findall(r"\.(?:max|min|req)\w+ [0-9, ]*[0-9]", ptx)
    if int(re.search(r"\.target sm_(\d+)", ptx)[1]) < 90:
        # LLVM emits `.maxclusterrank` for sm_90 and later only.
        directives = directives[:2]
    assert found == directives


def test_device_functions_have_none():
    @cuda.jit(device=True, launch_bounds=1)
    def twice(x):
        return 2 * x

    @cuda.jit
    def k(a):
        a[cuda.grid(1)] = twice(3)

    a = np.zeros(4)
    k[1, 4](a)
    np.testing.assert_array_equal(a, 6)


def test_reproduced_by_the_stages():
    """The bounds are in the IR from the first stage on."""

    @cuda.jit("void(float32[::1])", launch_bounds=(64, 3))
    def k(a):
        a[0] = 1

    for stage in ("py", "pyk", "gpu"):
        text = k.stages(stage)[k.signatures[0]]
        assert "pyk.launch_bounds = array<i32: 64, 3>" in text


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"launch_bounds": 0}, ValueError, "ints above 0 but got 0"),
        ({"launch_bounds": (64, -1)}, ValueError, "ints above 0 but got -1"),
        ({"launch_bounds": (64, 2**31)}, ValueError, "ints above 0 but got 21"),
        ({"launch_bounds": True}, TypeError, "expects ints but got True"),
        ({"launch_bounds": ()}, ValueError, "Got 0 launch bounds: \\(\\)"),
        (
            {"launch_bounds": 1025},
            ValueError,
            "expects at most 1024 threads of a block but got 1025",
        ),
        (
            {"max_registers": -5},
            ValueError,
            "max_registers expects 0 to 65536 but got -5",
        ),
        (
            {"max_registers": 2**40},
            ValueError,
            "max_registers expects 0 to 65536 but got 1099511627776",
        ),
        ({"max_registers": 1.5}, TypeError, "float"),
    ],
)
def test_values_without_sense(options, error, message):
    with pytest.raises(error, match=message):
        cuda.jit(**options)(lambda a: None)
