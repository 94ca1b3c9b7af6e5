# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Universal functions and reductions on a stand-in for the driver.

What is computed there is nothing: no kernel runs. What is seen is where arrays
go, and that functions for the host compute on the CPU.
"""

from support.stand_in_driver import output

FUNCTIONS = """
from pyk import guvectorize, vectorize

@vectorize(["f4(f4, f4)"], target="cuda")
def add(a, b):
    return a + b

@vectorize(["f4(f4, f4)"])
def add_on_host(a, b):
    return a + b

@guvectorize(
    ["(f4[:,:], f4[:], f4[:])"], "(m,n),(n)->(m)", target="cuda",
    writable_args=(0,),
)
def product(a, b, c):
    for i in range(a.shape[0]):
        c[i] = 0
        for j in range(a.shape[1]):
            c[i] += a[i, j] * b[j]

matrix = np.ones((3, 4), np.float32)
there = cuda.to_device(matrix)

def copies(call):
    before = len(calls())
    call()
    made = calls()[before:]
    return [sum(part in name for name in made)
            for part in ("HtoD", "DtoH", "Launch")]
"""


def test_arrays_are_copied_where_they_must():
    assert output(
        FUNCTIONS
        + """
print(copies(lambda: add(matrix, 1)))
print(copies(lambda: add(matrix, matrix[0])))
print(copies(lambda: add(there, 1)))
print(copies(lambda: add(there, matrix)))
print(copies(lambda: add(there, there, out=there)))
print(copies(lambda: add(there, there, out=matrix)))
print(copies(lambda: product(matrix, matrix[0])))
print(copies(lambda: product(there, there[0])))
result = add(there, matrix[0])
print(type(result).__name__, result.shape, add(1, 2).shape)
"""
    ) == [
        "[1, 1, 1]",
        "[2, 1, 1]",
        "[0, 0, 1]",
        "[1, 0, 1]",
        "[0, 0, 1]",
        "[0, 1, 1]",
        "[3, 2, 1]",
        "[0, 0, 1]",
        "DeviceNDArray (3, 4) ()",
    ]


def test_results_of_every_layout():
    assert output(
        FUNCTIONS
        + """
wide = np.full((5, 8), 7, np.float32)
for target in (wide[1:4, ::2], wide[:4, :3].T, np.zeros((3, 4), "f8", "F")):
    assert add(matrix[:, ::-1], matrix, out=target) is target
    product(np.ones((4, 3, 8), np.float32)[..., ::2], matrix[0], target.T)
    product(np.asfortranarray(matrix), matrix[0])
print("done")
"""
    ) == ["done"]


def test_functions_of_the_host_run_there():
    assert output(
        FUNCTIONS
        + """
print(add_on_host(matrix, 1)[0], add_on_host.reduce(matrix)[0])
first = there[0, 0]
print(add_on_host(there, there).shape, copies(lambda: add_on_host(first, 2)))
print(cuda.get_current_device().is_cpu)
"""
    ) == ["[2. 2. 2. 2.] 3.0", "(3, 4) [0, 0, 0]", "False"]


def test_reductions():
    assert output(
        FUNCTIONS
        + """
total = cuda.reduce(lambda a, b: a + b)
print(copies(lambda: total(np.ones(100))))
print(copies(lambda: total(np.ones(100_000)[::2], init=5)))
print(copies(lambda: total(there[0], res=there[1])))
print(copies(lambda: add.reduce(there[0])))
"""
    ) == ["[1, 1, 1]", "[1, 1, 2]", "[0, 0, 1]", "[0, 1, 1]"]
