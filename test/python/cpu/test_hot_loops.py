# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of the CPU benchmark's kernels access memory as they should.

The tables guard what kernels have gained: a gather where there was a load, or
another tile, is slower, and no other test would see it. A change that is meant
is written here by `python test/python/cpu/hot_loops.py`.
"""

from collections import Counter

import pytest

import hot_loops

pytest.importorskip("_cpu_cases", reason="a bundle has no benchmarks")

pytestmark = pytest.mark.on_vectors

# Of each kernel: the threads of a block, how many run at a time, and rows x
# strips of that tile. Then its loops, 1.1 in 1, and how often a turn does what;
# "-" is outside of loops. Columns are those of `hot_loops.KINDS`.
OF_8_LANES = """\
loop     loads stores masked gather scatter load-1 store-1 atomic stack float
vadd: 256 x 1 x 1 in vectors of 8, 8 of 32 at a time, 1 x 8
1.1         16      8      .      .       .      .       .      .     .     8
saxpy: 256 x 1 x 1 in vectors of 8, 8 of 32 at a time, 1 x 8
1.1         16      8      .      .       .      .       .      .     .     8
blackscholes: 256 x 1 x 1 in vectors of 8, 2 of 32 at a time, 1 x 2
1.1          6      4      .      .       .      .       .      .     .    88
mandelbrot: 16 x 16 x 1 in vectors of 8, 2 of 32 at a time, 1 x 2
1.1          .      2      .      .       .      .       .      .     .     2
1.1.1        .      .      .      .       .      .       .      .     .    16
nbody: 256 x 1 x 1 in vectors of 8, a whole block at a time, 1 x 32
-            .     96      .      .       .      .       .      .    96     .
1           12      .      .      .       .      .       .      .    24     .
2.1         16     16      .      .       .      .       .      .     .     .
2.2          .      .      .      .       .      .       .      .    18     .
2.2.1        .      .      .      .       .      4       .      .     .    30
matmul: 16 x 16 x 1 in vectors of 8, 8 of 32 at a time, 4 x 2
1            .      8      .      .       .      .       .      .     .     .
1.1          2      .      .      .       .      4       .      .     .     8
matmul_t16: 16 x 16 x 1 in vectors of 8, a whole block at a time, 16 x 2
-            .     32      .      .       .      .       .      .    64     .
1           64     64      .      .       .      .       .      .     .     .
1.1          .      .      .      .       .      .       .      .    16     .
1.1.1        2      .      .      .       .      4       .      .     .     8
matmul_t32: 32 x 32 x 1 in vectors of 8, a whole block at a time, 32 x 4
-            .      .      .      .       .      .       .      .   128     .
1.1          8      8      .      .       .      .       .      .     .     .
1.2          .      .      .      .       .      .       .      .    16     .
1.2.1        4      .      .      .       .      2       .      .     .     8
2            .      4      .      .       .      .       .      .     4     .
transpose: 32 x 8 x 1 in vectors of 8, a whole block at a time, 8 x 4
1           32     32      .      .       .      .       .      .     .     .
2.1         32     16      .      .       .      .       .      .     .     .
reduce: 256 x 1 x 1 in vectors of 8, a whole block at a time, 1 x 32
-            .      .      .      .       .      .       1      .    32    34
1            4      .      .      .       .      .       .      .     4     .
histogram: 256 x 1 x 1 in vectors of 8, a whole block at a time, 1 x 32
-           32     32      .      .       .      .       .      .   224     .
1           32      .      .      .       .      .       .      .     .     .
1.1          .      .      .      .       .      4       .      4     .     .
2            .      .      .      .       .      .       .      .     1     .
2.1          .      .      .      .       .      1       .      .     2     .
3            .      .      .      .       .      .       .      .     1     .
3.1          .      .      .      .       .      1       .      1     .     .
4            .      .      .      .       .      .       .      4     8     .
jacobi: 32 x 8 x 1 in vectors of 8, 8 of 32 at a time, 2 x 4
1.1         40      8      .      .       .      .       .      .     .    40
scan: 256 x 1 x 1 in vectors of 8, a whole block at a time, 1 x 32
-            .     32      .      .       .      .       .      .    32   225
1            4      .      .      .       .      .       .      .     4     .
spmv: threads: most of what its loops do is to collect elements from all over
warp_sum: 256 x 1 x 1 in vectors of 8, 4 of 32 at a time, 1 x 4
1            4      .      .      .       1      .       .      .     .    17
warp_first: 256 x 1 x 1 in vectors of 8, 4 of 32 at a time, 1 x 4
1            1      .      .      .       1      .       .      .     .     .
softmax_row: threads: each of its threads goes through a row of its own
life_step: 16 x 16 x 1 in vectors of 8, 8 of 32 at a time, 4 x 2
1.1          8      8      8      .       .      .       .      .     .     .
1.1.1.1      .      .      .      8       .      .       .      .     .     .
kmeans_assign: 256 x 1 x 1 in vectors of 8, 4 of 32 at a time, 1 x 4
1.1          .      4      .      8       .      .       .      .    20     .
1.1.1        .      .      .      8       .      2       .      .     .    20
1.1.2        .      .      .      .       .      .       .      4     8     .
1.1.3        .      .      .      .       .      .       .      4     8     .
1.1.4        .      .      .      .       .      .       .      4     4     .
kmeans_update: 32 x 1 x 1 in vectors of 8, a whole block at a time, 1 x 4
1            4      4      8      8      16      .       .      .     .     8
heat_step: 16 x 16 x 1 in vectors of 8, 4 of 32 at a time, 2 x 2
1.1         20      4      .      .       .      .       .      .     .    20
compute_elements: 1024 x 1 x 1 in vectors of 8, 2 of 128 at a time, 1 x 2
1.1          .      2      .      6       .      .       .      .     .    78
"""

OF_16_LANES = """\
loop     loads stores masked gather scatter load-1 store-1 atomic stack float
vadd: 256 x 1 x 1 in vectors of 16, 8 of 16 at a time, 1 x 8
1.1         16      8      .      .       .      .       .      .     .     8
saxpy: 256 x 1 x 1 in vectors of 16, 8 of 16 at a time, 1 x 8
1.1         16      8      .      .       .      .       .      .     .     8
blackscholes: 256 x 1 x 1 in vectors of 16, 2 of 16 at a time, 1 x 2
1.1          6      4      .      .       .      .       .      .     .    88
mandelbrot: 16 x 16 x 1 in vectors of 16, 4 of 16 at a time, 4 x 1
1.1          .      4      .      .       .      .       .      .     .     1
1.1.1        .      .      .      .       .      .       .      .     .    32
nbody: 256 x 1 x 1 in vectors of 16, a whole block at a time, 1 x 16
-           48     48      .      .       .      .       .      .   144     .
1           64     64      .      .       .      .       .      .     .     .
1.1          .      .      .      .       .      .       .      .    36     .
1.1.1        .      .      .      .       .      4       .      .     .    60
matmul: 16 x 16 x 1 in vectors of 16, a whole block at a time, 16 x 1
1            .     16      .      .       .      .       .      .     .     .
1.1          1      .      .      .       .     16       .      .     .    16
matmul_t16: 16 x 16 x 1 in vectors of 16, a whole block at a time, 16 x 1
-            .     16      .      .       .      .       .      .     .     .
1           32     32      .      .       .      .       .      .     .     .
1.1          1      .      .      .       .     16       .      .     .    16
matmul_t32: 32 x 32 x 1 in vectors of 16, a whole block at a time, 32 x 2
-            .     64      .      .       .      .       .      .   128     .
1.1          8      8      .      .       .      .       .      .     .     .
1.2          .      .      .      .       .      .       .      .    32     .
1.2.1        2      .      .      .       .      8       .      .     .    16
transpose: 32 x 8 x 1 in vectors of 16, a whole block at a time, 8 x 2
1           16     16      .      .       .      .       .      .     .     .
2           32     16      .      .       .      .       .      .     .     .
reduce: 256 x 1 x 1 in vectors of 16, a whole block at a time, 1 x 16
-           16      .      .      .       .      .       1      .     .    19
histogram: 256 x 1 x 1 in vectors of 16, a whole block at a time, 1 x 16
-           16     16     16      .       .      .       .      .    48     .
1           16      .      .      .       .      .       .      .     .     .
1.1          .      .      .      .       .      4       .      4     .     .
2            .      .      .      .       .      .       .      .     1     .
2.1          .      .      .      .       .      1       .      1     .     .
3            .      .      .      .       .      .       .      4     8     .
jacobi: 32 x 8 x 1 in vectors of 16, 8 of 16 at a time, 4 x 2
1.1         40      8      .      .       .      .       .      .     .    40
scan: 256 x 1 x 1 in vectors of 16, a whole block at a time, 1 x 16
-           16     16      .      .       .      .       .      .     .   113
spmv: threads: most of what its loops do is to collect elements from all over
warp_sum: 256 x 1 x 1 in vectors of 16, 2 of 16 at a time, 1 x 2
1            2      .      .      .       1      .       .      .     .     9
warp_first: 256 x 1 x 1 in vectors of 16, 2 of 16 at a time, 1 x 2
1            1      .      .      .       1      .       .      .     .     .
softmax_row: threads: each of its threads goes through a row of its own
life_step: 16 x 16 x 1 in vectors of 16, 4 of 16 at a time, 4 x 1
1.1          4      4      4      .       .      .       .      .     .     .
1.1.1.1      .      .      .      4       .      .       .      .     .     .
kmeans_assign: 256 x 1 x 1 in vectors of 16, 4 of 16 at a time, 1 x 4
1.1          .      4      .      8       .      .       .      .    20     .
1.1.1        .      .      .      8       .      2       .      .     .    20
1.1.2        .      .      .      .       .      .       .      4     8     .
1.1.3        .      .      .      .       .      .       .      4     8     .
1.1.4        .      .      .      .       .      .       .      4     4     .
kmeans_update: 32 x 1 x 1 in vectors of 16, a whole block at a time, 1 x 2
1            2      2      4      4       8      .       .      .     .     4
heat_step: 16 x 16 x 1 in vectors of 16, 4 of 16 at a time, 4 x 1
1.1         20      4      .      .       .      .       .      .     .    20
compute_elements: 1024 x 1 x 1 in vectors of 16, 2 of 64 at a time, 1 x 2
1.1          .      2      .      6       .      .       .      .     .    78
"""


def kernels_of(table: str) -> dict[str, list[str]]:
    """The lines of each kernel."""
    found: dict[str, list[str]] = {}
    for line in table.splitlines()[1:]:
        name, colon, plan = line.partition(": ")
        if colon:
            found[name] = lines = [plan]
        else:
            lines.append(line)
    return found


EXPECTED = {8: kernels_of(OF_8_LANES), 16: kernels_of(OF_16_LANES)}


@pytest.fixture(scope="module")
def kernels() -> dict[str, str]:
    return dict(hot_loops.compile_cases())


@pytest.mark.parametrize("lanes", hot_loops.LANES)
def test_all_kernels_have_a_row(lanes: int, kernels: dict[str, str]) -> None:
    assert [*kernels] == [*EXPECTED[lanes]]


@pytest.mark.parametrize(
    ("lanes", "name"),
    [(lanes, name) for lanes, names in EXPECTED.items() for name in names],
)
def test_loops(lanes: int, name: str, kernels: dict[str, str]) -> None:
    assert hot_loops.rows(kernels[name], lanes) == EXPECTED[lanes][name]


# What counts.

GUARDED = """\
gpu.func @k() kernel {
  scf.for %i = %a to %b step %c : i32 {
    scf.if %all {
      %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> vector<8xf32>
      %y = arith.addf %x, %x : vector<8xf32>
      %z = arith.addi %n, %n : vector<8xi32>
      llvm.store %y, %p {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr<1>
    } else {
      %x = llvm.intr.masked.load %p, %m, %z : (!llvm.ptr<1>) -> vector<8xf32>
      scf.for %j = %a to %b step %c : i32 {
        %y = pyk.load %e[] : !pyk.array<f32, c>
      }
    }
  }
  pyk.return
}
"""


def test_first_arm_counts() -> None:
    """The second one is for the last block alone."""
    found = hot_loops.count(GUARDED)
    assert found == {"1": Counter(loads=1, stores=1, float=1)}


def test_gather_is_no_load() -> None:
    load = "llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1>"
    gather = "llvm.intr.masked.gather %p, %m, %z : (vector<8x!llvm.ptr<1>>)"
    assert load in GUARDED
    found = hot_loops.count(GUARDED.replace(load, gather))
    assert found == {"1": Counter(gather=1, stores=1, float=1)}


def test_loops_in_loops() -> None:
    """Each has its own number; what a loop around does is not its."""
    found = hot_loops.count("""\
pyk.store %x, %e[] : !pyk.array<f32, c>
%0:2 = scf.for %i = %a to %b step %c iter_args(%s = %n) -> (f32) : i32 {
  %1 = scf.while (%arg = %x) : (i64) -> i64 {
    %x = pyk.load %e[] : !pyk.array<f32, c>
    scf.condition(%c) %arg : i64
  } do {
  ^bb0(%arg: i64):
    %y = pyk.load %e[] : !pyk.array<f32, c>
  }
  scf.for %i = %a to %b step %c : i32 {
    %y = pyk.atomic add %x, %e[] : !pyk.array<f32, c>
  }
  %x = pyk.load %e[] : !pyk.array<f32, c>
}
""")
    expected = {"": {"store-1": 1}, "1": {"load-1": 1}}
    assert found == expected | {"1.1": {"load-1": 2}, "1.2": {"atomic": 1}}


def test_registers_are_no_memory() -> None:
    """Variables of one vector are none in the end; arrays of them are."""
    found = hot_loops.count("""\
%v = llvm.alloca %one x vector<8xf32> : (i64) -> !llvm.ptr
%a = llvm.alloca %n x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
%x = llvm.load %v : !llvm.ptr -> vector<8xf32>
%y = llvm.load %a : !llvm.ptr -> f32
""")
    assert found == {"": {"stack": 1}}


def test_unknown_accesses_do_not_go_uncounted() -> None:
    with pytest.raises(AssertionError, match="expandload"):
        hot_loops.count("%x = llvm.intr.masked.expandload %p, %m, %z : ...")
