# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose code is linked, on a stand-in for the driver."""

from stand_in_driver import output, run

LAUNCHES = """
@cuda.jit
def child(a):
    a[0] = 1

@cuda.jit
def parent(a):
    child[1, 1](a)

there = cuda.to_device(np.zeros(4))
parent[1, 1](there)
print([call for call in calls() if call.startswith(("cuLink", "cuModuleLoad"))])
"""


def toolkit(folder):
    """A toolkit with the device runtime only."""
    library = folder / "lib64" / "libcudadevrt.a"
    library.parent.mkdir()
    library.write_bytes(b"!<arch>\n")
    return str(folder)


def test_launches_by_kernels_are_linked_with_the_device_runtime(tmp_path):
    assert output(LAUNCHES, CUDA_HOME=toolkit(tmp_path)) == [
        "['cuLinkCreate', 'cuLinkAddData', 'cuLinkAddFile', 'cuLinkComplete', "
        "'cuLinkDestroy', 'cuModuleLoadDataEx']"
    ]


def test_other_kernels_need_no_linker():
    assert output("""
nothing[1, 1]()
print(any(call.startswith("cuLink") for call in calls()))
""") == ["False"]


def test_without_the_device_runtime_the_error_says_what_to_install(tmp_path):
    done = run(LAUNCHES, CUDA_HOME=str(tmp_path), CUDA_PATH=str(tmp_path))
    if done.returncode == 0:
        # There is a toolkit in the usual place.
        assert "cuLinkAddFile" in done.stdout
        return
    assert "needs libcudadevrt.a of a CUDA toolkit" in done.stderr
    assert "let CUDA_HOME name the folder that has its lib" in done.stderr
