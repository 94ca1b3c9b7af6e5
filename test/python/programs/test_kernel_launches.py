# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that launch kernels, against NumPy."""

import math
import subprocess
import sys
import time

import numpy as np
import pytest

from device_programs import by_blocks, thread_of_block, threads_of_block
from pyk import cuda
from pyk.cuda.cudadrv.driver import CudaAPIError
from pyk.cuda.errors import LoweringError
from pyk.types import float64


@pytest.fixture
def rng() -> np.random.Generator:
    """Of the same numbers whichever tests run."""
    return np.random.default_rng(23)


@cuda.jit
def add(a, begin, count, by):
    i = cuda.grid(1)
    if i < count:
        a[begin + i] += by


@cuda.jit
def add_by_parts(a, parts, block):
    part = cuda.grid(1)
    count = a.size // parts
    if part < parts:
        blocks = (count + block - 1) // block
        add[blocks, block](a, part * count, count, part)
        # A view of a part, and other types.
        row = a[part * count : (part + 1) * count]
        add[blocks, block](row, np.int32(0), count, np.float32(0.5))


@pytest.mark.parametrize("block", [1, 33, 64])
@pytest.mark.parametrize("grid", [(1, 32), (8, 4)], ids=str)
def test_each_thread_launches_for_its_part(grid, block):
    a = np.arange(3200.0)
    add_by_parts[grid](a, 32, block)
    expected = np.arange(3200.0) + np.repeat(np.arange(32), 100) + 0.5
    assert a.tolist() == expected.tolist()


#: What one thread sorts, and how deep a GPU lets grids be, almost.
SMALL = 24
DEEPEST = 20


@cuda.jit(device=True)
def sort_by_insertion(data, begin, end):
    for i in range(begin + 1, end):
        value = data[i]
        k = i
        while k > begin and data[k - 1] > value:
            data[k] = data[k - 1]
            k -= 1
        data[k] = value


@cuda.jit
def quicksort(data, spare, begin, end, depth):
    """One block parts its elements, and launches a block for each side."""
    less = cuda.shared.array(1, np.int64)
    more = cuda.shared.array(1, np.int64)
    t = thread_of_block()
    step = threads_of_block()
    if end - begin <= SMALL or depth == DEEPEST:
        if t == 0:
            sort_by_insertion(data, begin, end)
        return
    pivot = data[(begin + end) // 2]
    if t == 0:
        less[0] = begin
        more[0] = end
    cuda.syncthreads()
    for i in range(begin + t, end, step):
        value = data[i]
        if value < pivot:
            spare[cuda.atomic.add(less, 0, 1)] = value
        elif value > pivot:
            spare[cuda.atomic.sub(more, 0, 1) - 1] = value
    cuda.syncthreads()
    for i in range(begin + t, end, step):
        data[i] = spare[i] if i < less[0] or i >= more[0] else pivot
    cuda.syncthreads()
    if t == 0:
        shape = (cuda.blockDim.x, cuda.blockDim.y, cuda.blockDim.z)
        if begin < less[0]:
            quicksort[1, shape, cuda.stream()](
                data, spare, begin, less[0], depth + 1
            )
        if more[0] < end:
            quicksort[1, shape, cuda.stream()](
                data, spare, more[0], end, depth + 1
            )


@by_blocks
@pytest.mark.parametrize("count", [0, 1, 2, 100, 5000])
def test_quicksort_launches_itself(block, count, rng):
    data = rng.integers(0, max(count // 2, 1), count).astype(np.int32)
    expected = np.sort(data)
    quicksort[1, block](data, np.zeros_like(data), 0, count, 0)
    assert data.tolist() == expected.tolist()


@cuda.jit
def scale(a, factor):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= factor


@cuda.jit
def raise_by(a, by, depth):
    """Its children are a part of it: who waits for it waits for them."""
    i = cuda.grid(1)
    if depth > 0:
        if i == 0:
            raise_by[1, a.size](a, by, depth - 1)
    elif i < a.size:
        a[i] += by


@cuda.jit
def in_order(a):
    block = cuda.blockIdx.x
    row = a[block]
    if cuda.threadIdx.x == 0:
        raise_by[1, row.size](row, 2.0, 3)
        scale[1, row.size](row, 10.0)
        raise_by[1, row.size](row, 1.0, 2)
        scale[1, row.size](row, block)


def test_launches_of_a_block_run_in_order():
    a = np.zeros((9, 7))
    in_order[9, 2](a)
    assert a.tolist() == [[21.0 * row] * 7 for row in range(9)]


@cuda.jit
def on_streams(a):
    first = cuda.stream()
    second = cuda.stream()
    half = a.size // 2
    for k in range(3):
        add[1, 32, first](a, 0, half, k + 1.0)
        add[1, 32, second](a, half, half, 1.0)
        scale[1, 32, first](a[:half], 2.0)
        scale[1, 32, second](a[half:], 3.0)


def test_each_stream_keeps_its_order():
    a = np.zeros(40)
    on_streams[1, 1](a)
    assert a.tolist() == [22.0] * 20 + [39.0] * 20


@cuda.jit
def reverse(a):
    tile = cuda.shared.array(0, np.float32)
    i = cuda.threadIdx.x
    tile[i] = a[i]
    cuda.syncthreads()
    a[i] = tile[a.size - 1 - i]


@cuda.jit
def reverse_rows(a):
    i = cuda.grid(1)
    if i < a.shape[0]:
        reverse[1, a.shape[1], 0, a.shape[1] * 4](a[i])


def test_child_has_shared_memory_of_its_launch(rng):
    a = rng.random((5, 70), dtype=np.float32)
    expected = a[:, ::-1].tolist()
    reverse_rows[1, 5](a)
    assert a.tolist() == expected


@cuda.jit
def number(a, grid):
    z, y, x = cuda.blockIdx.z, cuda.blockIdx.y, cuda.blockIdx.x
    row = cuda.threadIdx.y
    a[z, y, x, row, cuda.threadIdx.x] = (
        (z * grid[1] + y) * grid[0] + x + row / 10
    )


@cuda.jit
def number_all(a, flag):
    if flag:
        grid = (a.shape[2], a.shape[1], a.shape[0])
        number[grid, (a.shape[4], a.shape[3])](a, grid)


def test_shapes_of_three_dimensions_and_tuples_as_arguments():
    a = np.zeros((2, 3, 4, 5, 6))
    number_all[1, 1](a, True)
    blocks = np.arange(24.0).reshape(2, 3, 4, 1, 1)
    expected = blocks + (np.arange(5) / 10)[:, None] + np.zeros(6)
    assert np.array_equal(a, expected)


@cuda.jit
def store_all(x, flag, z, n, out):
    out[0] = x
    out[1] = z.real
    out[2] = z.imag
    out[3] = n
    out[4] = 1 if flag else 2


@cuda.jit
def pass_all(out, x, z, n):
    store_all[1, 1](x, n > 0, z, n, out)


def test_scalars_arrive_in_their_types():
    out = np.zeros(5)
    pass_all[1, 1](out, np.float32(0.1), np.complex64(1 + 2j), np.int8(-3))
    assert out.tolist() == [np.float32(0.1), 1, 2, -3, 2]


@cuda.jit
def note_sign(out, n, a, b):
    i = cuda.grid(1)
    if i < 3:
        b[i] = 10 * a[i]
        # `a` may be `b`.
        out[i] = a[i] if n < 0 else -1


@cuda.jit
def pass_what_breaks_facts(out, n, a):
    note_sign[1, 8](out[0], n - 5, a[::2], a[::2])
    note_sign[1, 8](out[1], n, a[1::2], a[::2])


def test_children_take_nothing_for_granted():
    """What only the host checks: signs, strides, arrays that overlap."""
    out = np.zeros((2, 3), np.int64)
    a = np.arange(1, 7)
    pass_what_breaks_facts[1, 1](out, 3, a)
    assert out.tolist() == [[10, 30, 50], [-1, -1, -1]]
    assert a.tolist() == [20, 2, 40, 4, 60, 6]


@cuda.jit
def one_element(a, i):
    a[i] += i


@cuda.jit
def many(a):
    i = cuda.grid(1)
    if i < a.size:
        one_element[1, 1](a, i)


@pytest.mark.on_the_cpu(reason="on a GPU some begin meanwhile")
def test_2048_grids_wait_to_begin():
    a = np.zeros(2048)
    many[16, 128](a)
    assert a.tolist() == list(range(2048))
    # None of the last ones waits any more.
    many[16, 128](a)
    assert a.tolist() == list(range(0, 4096, 2))
    a = np.zeros(2049)
    text = (
        r"launching kernel 'one_element' from kernel 'many': 2048 grids wait "
        r"to begin, .*cudaErrorLaunchPendingCountExceeded"
    )
    with pytest.raises(CudaAPIError, match=text):
        many[17, 128](a)
    assert not a.any()


@cuda.jit
def count_down(a, n):
    a[0] += n
    if n > 0:
        count_down[1, 1](a, n - 1)


def test_grids_are_24_levels_deep():
    a = np.zeros(1, np.int64)
    count_down[1, 1](a, 24)
    assert a[0] == 24 * 25 // 2


@cuda.jit
def grow(a):
    """Launches two of itself, for ever."""
    cuda.atomic.add(a, 0, 1)
    grow[1, 1, cuda.stream()](a)
    grow[1, 1, cuda.stream()](a)


@pytest.mark.on_the_cpu(reason="a GPU has a trap")
def test_kernels_launch_themselves_for_ever():
    a = np.zeros(1, np.int64)
    text = (
        r"launching kernel 'count_down\w*' from kernel 'count_down\w*': "
        r"the grid would be 25 levels deep, .*"
        r"\(cudaErrorLaunchMaxDepthExceeded\)"
    )
    with pytest.raises(CudaAPIError, match=text):
        count_down[1, 1](a, 20_000)
    assert a[0] == sum(range(20_000 - 24, 20_001))
    a[0] = 0
    with pytest.raises(CudaAPIError, match="2048 grids wait to begin"):
        grow[1, 1](a)
    # All grids of 11 levels, and those of the next that have run.
    assert 2**11 <= a[0] < 2**12


def test_the_end_of_a_stream_is_that_of_the_children():
    stream = cuda.stream()
    a = cuda.to_device(np.zeros(3200), stream=stream)
    add_by_parts[1, 32, stream](a, 32, 32)
    scale[100, 32, stream](a, 2.0)
    result = a.copy_to_host(stream=stream)
    stream.synchronize()
    expected = 2 * (np.repeat(np.arange(32), 100) + 0.5)
    assert result.tolist() == expected.tolist()


@pytest.mark.on_the_cpu(reason="a GPU orders no grids")
def test_text_of_children_comes_in_order(capfd):
    @cuda.jit
    def say(k):
        print("child", k)

    @cuda.jit
    def ask():
        say[1, 1](cuda.blockIdx.x)
        print("parent", cuda.blockIdx.x)

    ask[3, 1]()
    lines = capfd.readouterr().out.splitlines()
    assert lines == [
        *(f"parent {k}" for k in range(3)),
        *(f"child {k}" for k in range(3)),
    ]


# What fails.


@cuda.jit(debug=True, opt=False)
def read_at(a, i):
    a[0] = a[i]


@cuda.jit(debug=True, opt=False)
def launch_read(a, i):
    if i != 5:
        read_at[1, 1](a, i)


def test_exceptions_of_children_name_them():
    a = np.arange(4.0)
    launch_read[1, 1](a, 5)
    launch_read[1, 1](a, 2)
    assert a[0] == 2
    with pytest.raises(IndexError, match="index 4 is out of bounds") as caught:
        launch_read[1, 1](a, 4)
    assert "read_at" in str(caught.value)


@cuda.jit
def write_far(a, i):
    a[i] = 7


@cuda.jit
def launch_write(a, i):
    write_far[1, 1](a[2:4], i)


@pytest.mark.on_the_cpu(reason="a GPU checks no accesses")
def test_children_stay_in_the_memory_that_they_are_given():
    a = np.arange(6.0)
    launch_write[1, 1](a, 1)
    assert a.tolist() == [0, 1, 2, 7, 4, 5]
    with pytest.warns(RuntimeWarning, match="write_far"):
        launch_write[1, 1](a, 2)
    assert a.tolist() == [0, 1, 2, 7, 4, 5]


@cuda.jit
def launch_block(a, threads):
    scale[1, threads](a, 2.0)


@pytest.mark.parametrize("threads", [0, -3, 2000])
@pytest.mark.on_the_cpu(reason="a GPU has a trap")
def test_shapes_that_no_launch_has(threads):
    a = np.ones(4)
    with pytest.raises(ValueError, match="from kernel 'launch_block'") as error:
        launch_block[1, 1](a, threads)
    assert "launching kernel 'scale'" in str(error.value)
    assert str(threads) in str(error.value)
    assert a.tolist() == [1] * 4
    launch_block[1, 1](a, 4)
    assert a.tolist() == [2] * 4


REFUSED = {
    "child[1, 1](a, enumerate(tile))": "an array that is not in global memory",
    "child[1, 1](a, tile.sum)": "an array that is not in global memory",
    "child[1, 1](a, lambda x, t=tile: t[x])": (
        "an array that is not in global memory"
    ),
    "child[1, 1](a, tile if a.size > 9 else None)": (
        "an array that is not in global memory"
    ),
    "child[1, 1](tile, 1)": "an array that is not in global memory",
    "device[1, 1](a, 1)": (
        "'device' is a device function, which cannot be launched"
    ),
    "child[1](a, 1)": (
        "expects a grid and a block, and possibly a stream and the bytes of "
        "dynamic shared memory, but got int64"
    ),
    "child[1.5, 1](a, 1)": (
        "expects the grid as an integer or a tuple of one to three but got "
        "float64"
    ),
    "child[1, (1, 2, 3, 4)](a, 1)": (
        "expects the block as an integer or a tuple of one to three but got "
        "tuple(int64, int64, int64, int64)"
    ),
    "child[1, 1, 2.5](a, 1)": (
        "expects a stream, None or 0 as the third item but got float64"
    ),
    "child[1, 1, 0, 0.5](a, 1)": (
        "expects the bytes of dynamic shared memory as an integer but got "
        "float64"
    ),
    "child[1, 1](a, 1, 2)": "'child' takes 2 arguments but 3 were given",
    "result[1, 1](a)": "returns a value of type int64",
    "sized[1, 1](a, 1)": "only a launch by the host knows",
    "parent(a)": "cannot be called from a kernel",
}


@pytest.mark.parametrize("call", REFUSED)
def test_launches_that_are_refused(call, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"""
import numpy as np
from pyk import cuda

@cuda.jit
def child(a, i):
    a[i] = 1

@cuda.jit(device=True)
def device(a, i):
    a[i] = 1

@cuda.jit
def result(a):
    return 1

@cuda.jit
def sized(a, n):
    tile = cuda.shared.array(n, np.float32)
    tile[0] = 1
    a[0] = tile[0]

@cuda.jit
def parent(a):
    tile = cuda.shared.array(4, np.float32)
    {call}

parent[1, 1](np.zeros(4, np.float32))
""")
    program = [sys.executable, str(path)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert REFUSED[call] in done.stderr


@cuda.jit(device=True)
def wait_often(a, often):
    if often > 0:
        wait_often(a, often - 1)
    cuda.cg.this_grid().sync()
    return a[0]


@cuda.jit
def meet(a):
    wait_often(a, 2)
    a[cuda.grid(1)] += 1


@cuda.jit
def launch_both(a):
    scale[1, 1](a, 3.0)
    meet[2, 2](a)


def test_kernels_that_wait_for_their_grid_are_not_launched_by_gpus():
    text = "kernel 'meet' waits for its grid, and CUDA cannot let a kernel "
    with pytest.raises(LoweringError, match=text) as error:
        cuda.compile_ptx(launch_both, (float64[::1],))
    assert "meet[2, 2](a)\n        ^~~~" in str(error.value)


@pytest.mark.on_the_cpu(reason="CUDA has no such launches")
def test_kernels_that_wait_for_their_grid(tmp_path):
    # A program of its own: what tests compile is to have PTX.
    path = tmp_path / "program.py"
    path.write_text("""
import numpy as np
from pyk import cuda

@cuda.jit
def meet(a):
    i = cuda.grid(1)
    taken = a[i - 1]
    cuda.cg.this_grid().sync()
    a[i] = taken

@cuda.jit
def launch(a):
    a[0] = 3
    meet[2, 2](a)

a = np.arange(4.0)
launch[1, 1](a)
print(*a)
""")
    program = [sys.executable, str(path)]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    assert done.stdout == "3.0 3.0 1.0 2.0\n"


@pytest.mark.on_the_cpu(reason="a GPU has 24 levels")
def test_launches_that_take_long_are_interrupted(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("""
import _thread, threading, time
import numpy as np
from pyk import cuda

@cuda.jit
def again(a, depth):
    a[0] += 1
    # One after the other: hardly any of 2**25 waits at a time.
    if depth < 24:
        again[1, 1](a, depth + 1)
        again[1, 1](a, depth + 1)

a = np.zeros(1)
threading.Timer(1.0, _thread.interrupt_main).start()
try:
    again[1, 1](a, 0)
except KeyboardInterrupt:
    print("stopped", a[0] > 1000)
""")
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, path],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout == "stopped True\n", (done.returncode, done.stderr)
    assert math.isclose(time.monotonic() - begun, 0, abs_tol=20)
