# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose code is linked, on a stand-in for the driver."""

from support.stand_in_driver import output, run

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
    assert "needs libcudadevrt.a of a CUDA toolkit" in done.stderr
    assert "let CUDA_HOME name the folder that has its lib" in done.stderr


# A variable that is empty names nothing.
def test_the_device_runtime_is_looked_for_where_toolkits_are():
    done = run(LAUNCHES, CUDA_HOME="", CUDA_PATH="")
    assert (
        "which is not in /usr/local/cuda;" in done.stderr
        or "cuLinkAddFile" in done.stdout
    )


FOREIGN = """
PTX = b".version 8.0\\n.target sm_50\\n.visible .func f(.param .b64 a) {\\n}\\n"
f = cuda.declare_device("f", "void(int64)", LINK, abi="c")

@cuda.jit(link=["other.so"])
def calls_f(n):
    f(n)

calls_f[1, 1](3)
calls_f[1, 1](4)
print([call for call in calls() if call.startswith("cuLink")])
"""
LINKED = "['cuLinkCreate', 'cuLinkAddData', 'cuLinkAddFile', "


def test_code_of_other_languages_is_linked():
    """Once, and shared libraries are for the CPU."""
    program = FOREIGN.replace("LINK", "[cuda.PTXSource(PTX)] * 2")
    assert output(program) == [f"{LINKED}'cuLinkComplete', 'cuLinkDestroy']"]


def test_what_the_linker_does_not_find_is_an_error():
    done = run(FOREIGN.replace("LINK", '[cuda.PTXSource("")]'))
    assert done.returncode == 1
    assert "Undefined reference to 'f'" in done.stderr
