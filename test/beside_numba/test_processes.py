# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads, processes, pickles and a cache on disk, next to a true Numba."""

import multiprocessing
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor

import cloudpickle
import loky
import numba
import numpy as np
import pytest
from numba import njit, types


@njit
def smallest(a, pair):
    return np.sort(a)[0] + pair[0]


@njit
def nothing(a):
    return a.nothing


def test_threads():
    @njit
    def last(a, pair):
        return np.sort(a)[-1] + pair[1]

    found = []

    def call(a):
        found.append(last(a, (1, 2)))

    threads = [
        threading.Thread(target=call, args=(np.ones(3, f"f{size}"),))
        for size in (4, 8, 4, 8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [3, 3, 3, 3]


# Numba's first import, by a thread that nobody waits for.
def test_first_use_in_a_thread(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("""
import threading
import numpy as np
from numba import cuda, njit
@njit
def f(a, shape):
    return a.sum() + shape[0]
found = []
thread = threading.Thread(target=lambda: found.append(f(np.ones(4), (15, 15))))
thread.start()
while thread.is_alive():
    from numba import types
    import numba.core.errors
    assert numba.cuda is cuda
print(found)
""")
    done = subprocess.run(
        [sys.executable, "-m", "pyk", path],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("[19.0]\n", "")


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes(method):
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(smallest, np.ones(3), (4, 5)).result(300) == 5
        with pytest.raises(numba.core.errors.TypingError) as caught:
            pool.submit(nothing, 1).result(300)
    assert "nothing" in str(caught.value)


def test_functions_by_value():
    scale = 3

    @njit
    def scaled(x):
        return scale * x

    copy = pickle.loads(cloudpickle.dumps(scaled))
    assert copy(2) == 6
    with loky.ProcessPoolExecutor(1) as pool:
        assert pool.submit(scaled, 5).result(300) == 15


def test_types_and_errors():
    listed = types.ListType(types.int64)
    assert pickle.loads(pickle.dumps(listed)) == listed
    with pytest.raises(numba.core.errors.TypingError) as caught:
        nothing(1)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is type(caught.value)
    assert str(copy) == str(caught.value)


def test_cache_on_disk(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("""
from numba import njit
@njit(cache=True)
def f(x, pair):
    return x + pair[0]
f(1, (2, 3))
print(sum(f.stats.cache_hits.values()), f(1, (2, 3)))
""")
    for hits in (0, 1):
        done = subprocess.run(
            [sys.executable, "-m", "pyk", path],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == f"{hits} 3\n"
