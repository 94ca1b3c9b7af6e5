# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs PyK and uses it as others would: `packaging.py TEST BUILD WORK ...`.

TEST is the name of a ctest test, BUILD the build folder, WORK a folder for what
is made here. What follows are CMake's definitions, as `NAME=VALUE`, for what is
built against the installation. Every command runs with next to no environment,
so that nothing is found by way of a variable.
"""

import importlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
EXAMPLE = SOURCE / "examples" / "01-vector-add.py"
EMBED = SOURCE / "examples" / "embed"
EXPECTED = "added 10001 elements"
ALLOWED = SOURCE / "test" / "packaging" / "stubtest-allowlist.txt"
#: What ctest takes for a test that did not run.
SKIPPED = 77

test, build, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
definitions = sys.argv[4:]
prefix = work / "prefix"


def run(*command: object, with_errors: bool = False) -> str:
    """Runs a command, shows what it prints and gives its standard output, and
    its errors if they are wanted.
    """
    python_folder = Path(sys.executable).parent
    environment = {
        "CMAKE_GENERATOR": "Ninja",
        "PATH": os.pathsep.join([str(python_folder), os.environ["PATH"]]),
    }
    # Where ccache, if it is used, keeps what it has.
    for name in ("HOME", "CCACHE_DIR"):
        if name in os.environ:
            environment[name] = os.environ[name]
    words = [str(word) for word in command]
    print("$", *words, flush=True)
    result = subprocess.run(
        words,
        cwd=work,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if with_errors else None,
        text=True,
    )
    print(result.stdout, flush=True)
    if result.returncode != 0:
        sys.exit(f"exit status {result.returncode}")
    return result.stdout


def expect(text: str, *parts: str) -> None:
    """Ends the test unless `text` has all `parts`."""
    for part in parts:
        if part not in text:
            sys.exit(f"expects '{part}'")


def remove(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def install() -> None:
    """An installation, moved after it was made: no path in it is absolute."""
    staging = remove(work / "staging")
    run("cmake", "--install", build, "--prefix", staging)
    staging.rename(remove(prefix))
    expect(run(prefix / "bin" / "pyk-opt", "--help"), "--pyk-lower-to-gpu")


def pyk_run_installed() -> None:
    """The installed tool finds the installed package."""
    expect(run(prefix / "bin" / "pyk-run", EXAMPLE), EXPECTED)


def expect_code_of_guide() -> None:
    """What the guide shows is what is tested."""
    guide = SOURCE / "python-dialect-docs" / "guides" / "embedding.md"
    pattern = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    files = {"cmake": "CMakeLists.txt", "cpp": "main.cpp", "c": "embed.c"}
    for language, code in pattern.findall(guide.read_text()):
        if language in files:
            expect((EMBED / files[language]).read_text(), code)


def expect_artifact(folder: Path) -> None:
    """A back end of another project compiles, and the runtime alone loads."""
    artifact = folder / "two-kernels.pyk"
    expect(
        run(folder / "compile-relaxed", EMBED / "two-kernels.mlir", artifact),
        '"target":"relaxed"',
        '"entry":"cancel"',
        '"entry":"scale"',
    )
    expect(run(folder / "run-artifact", artifact), "x: 10 20 30 40")
    # The CPU's own back end reorders no sums.
    strict = folder / "strict.pyk"
    run(
        *(prefix / "bin" / "pyk-run", EMBED / "two-kernels.mlir"),
        *("--emit=artifact", "-o", strict),
    )
    expect(run(folder / "run-artifact", strict), "x: 0 0 0 0")
    linked = run("ldd", folder / "run-artifact")
    expect(linked, "libPyKRuntime")
    if "LLVM" in linked or "MLIR" in linked:
        raise SystemExit(f"run-artifact is linked to the compiler:\n{linked}")


def embed() -> None:
    """Programs in C and C++, in a project of their own."""
    expect_code_of_guide()
    folder = remove(work / "embed")
    run(
        "cmake",
        *("-S", EMBED, "-B", folder),
        *(f"-D{definition}" for definition in definitions),
        f"-DCMAKE_PREFIX_PATH={prefix}",
    )
    run("cmake", "--build", folder)
    expect(run(folder / "embed-c"), "squares: 1 4 9 16")
    expect(
        run(folder / "embed"),
        ".target sm_90",
        ".visible .entry axpy(",
        "y: 1 3 ... 1999",
    )
    expect_artifact(folder)
    expect(run(folder / "dialects"), "pyk.func @fill(", "= pyk.grid x : i64")
    # The plugin is loaded as its comment says.
    comment = (EMBED / "count-stores.cpp").read_text()
    (pipeline,) = re.findall("--pass-pipeline='(.*)'", comment)
    text = run(
        *(prefix / "bin" / "pyk-opt", EMBED / "two-stores.mlir"),
        f"--load-pass-plugin={folder / 'libcount-stores.so'}",
        f"--pass-pipeline={pipeline}",
        with_errors=True,
    )
    expect(text, "two-stores.mlir:2:1: remark: stores: 2")


def pip_install() -> None:
    """The extension for one more Python, which must not ask for MLIR.

    The new environment sees the packages of this one, build tools and NumPy,
    behind its own; nothing is downloaded.
    """
    venv = remove(work / "venv")
    run(sys.executable, "-m", "venv", "--without-pip", venv)
    python = venv / "bin" / "python"
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run(python, "-c", where).strip())
    (packages / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n")
    settings = [
        *definitions,
        f"PyK_DIR={prefix / 'lib' / 'cmake' / 'PyK'}",
        "CMAKE_DISABLE_FIND_PACKAGE_MLIR=ON",
    ]
    run(
        *(python, "-m", "pip", "install", "--no-build-isolation"),
        *("--no-deps", "--no-index", "--disable-pip-version-check"),
        *(f"--config-settings=cmake.define.{setting}" for setting in settings),
        SOURCE,
    )
    path = run(python, "-c", "import pyk; print(pyk.__file__)").strip()
    expect(path, str(packages))
    expect(run(python, "-m", "pyk", EXAMPLE), EXPECTED)


def old_numpy_header() -> None:
    """The headers of an older NumPy in Python's own folder do no harm.

    Debian's python3-numpy puts them there. One source that takes NumPy's is
    compiled, past ccache: it does not see what newly stands in front.
    """
    include = remove(work / "include")
    (include / "numpy").mkdir(parents=True)
    for path in Path(sysconfig.get_path("include")).iterdir():
        if path.name != "numpy":
            (include / path.name).symlink_to(path)
    for name in ("arrayobject.h", "ndarraytypes.h", "npy_math.h"):
        (include / "numpy" / name).write_text("#error the old NumPy\n")
    folder = remove(work / "old-numpy")
    run(
        *("cmake", "-S", SOURCE / "python" / "ext", "-B", folder),
        *(f"-D{item}" for item in definitions if "_LAUNCHER=" not in item),
        f"-DPyK_DIR={prefix / 'lib' / 'cmake' / 'PyK'}",
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-DPython_INCLUDE_DIR={include}",
    )
    expect((folder / "build.ninja").read_text(), str(include))
    run("ninja", "-C", folder, "CMakeFiles/_core.dir/Arguments.cpp.o")


def link_numpy() -> Path:
    """A folder with the NumPy of this environment alone."""
    folder = work / "packages"
    folder.mkdir(exist_ok=True)
    for name in ("numpy", "numpy.libs"):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(Path(sysconfig.get_path("purelib")) / name)
    return folder


def static_libraries() -> None:
    """What the tests of packages share: it is not built by default."""
    run("cmake", "--build", build, "--target", "PyKCStatic")


def bundle() -> None:
    """The archive without LLVM, and what checks it, on the CPU.

    The packages of this environment must not be seen, nor the libraries of this
    build: the interpreter is the system's, with NumPy alone beside it.
    """
    archive = work / "bundle.tar.gz"
    output = remove(work / "gpu-check")
    text = run(
        *(sys.executable, SOURCE / "scripts" / "package", "bundle"),
        *("--build", build, "--output", archive),
    )
    expect(text, f"{archive}: ", " MB, needs glibc 2.")
    numpy = link_numpy()
    python = Path(sys.base_prefix) / "bin" / Path(sys.executable).name
    text = run(
        *("env", "-i", "PATH=/usr/bin:/bin", f"PYTHONPATH={numpy}"),
        *(python, SOURCE / "scripts" / "gpu-check", archive),
        *("--target=cpu", "--output", output),
        *("--only=conformance", "--only=examples", "--only=compare"),
    )
    expect(text, "gpu-check passed on cpu", " 0 failed")
    if (output / "summary.txt").read_text() != text:
        sys.exit("expects the summary to be what was printed")


KERNEL = """
pyk.func @k(%a: !pyk.array<?xf32, c>) attributes {kernel} {
  pyk.return
}
"""

#: Kernels must need nothing of a toolkit, nor of LLVM, where a wheel runs.
FOREIGN = re.compile(r".*(?:LLVM|MLIR|libcuda|nvvm).*")

USES_LIBRARIES = """
import math
import numpy as np
from numba import cuda

@cuda.jit
def k(a):
    a[0] = math.exp(a[0]) + math.hypot(a[1], a[2]) + math.lgamma(a[1])

a = np.array([0.0, 3.0, 4.0])
k[1, 1](a)
assert abs(a[0] - 6 - math.log(2)) < 1e-12, a
words = open("/proc/self/maps").read().split()
print(*sorted({word for word in words if ".so" in word}), sep="\\n")
"""


def use_wheel(folder: Path, venv: Path) -> None:
    """Runs what a wheel brings, with nothing else in the environment."""
    clean = ("env", "-i", "PATH=/usr/bin:/bin")
    tools = venv / "bin"
    expect(run(*clean, tools / "pyk-run", EXAMPLE), EXPECTED)
    expect(run(*clean, tools / "python", "-m", "pyk", EXAMPLE), EXPECTED)
    version = (SOURCE / "VERSION").read_text().strip()
    text = run(*clean, tools / "pyk-opt", "--version")
    expect(text, f"pyk-opt {version} with MLIR 22.1.")
    kernel = folder / "kernel.mlir"
    kernel.write_text(KERNEL)
    launch = ("--grid=1", "--block=1", "--arg=f32[2]=iota", "--print=0")
    text = run(*clean, tools / "pyk-run", kernel, *launch)
    expect(text, "0: f32[2] = [0.0, 1.0]")
    text = run(*clean, tools / "pyk-run", "--emit=ptx", EXAMPLE)
    expect(text, ".visible .entry")
    program = folder / "libraries.py"
    program.write_text(USES_LIBRARIES)
    text = run(*clean, tools / "pyk-run", program)
    expect(text, f"libPyKC.so.{version.rsplit('.', 1)[0]}")
    if names := FOREIGN.findall(text):
        sys.exit(f"expects a wheel not to use {names}")


def wheel() -> None:
    """A wheel for this Python, in an empty environment; nothing is downloaded.

    NumPy is that of this environment.
    """
    folder = remove(work / "wheel")
    text = run(
        *(sys.executable, SOURCE / "scripts" / "package", "wheel"),
        *("--build", build, "--output", folder),
    )
    (file,) = folder.glob("pyk_cuda-*-manylinux_2_34_*.whl")
    expect(text, f"{file}: ", " MB")
    expect(run("auditwheel", "show", file), "manylinux_2_34")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder / "unpacked")
    for path in (folder / "unpacked" / "pyk").glob("*.so*"):
        if "libstdc++" in run("readelf", "--dynamic", path):
            sys.exit(f"expects {path.name} to bring its C++ library")
    venv = folder / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv)
    pip = (sys.executable, "-m", "pip", "--python", venv / "bin" / "python")
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", file)
    (packages,) = venv.glob("lib/python*/site-packages")
    (packages / "numpy.pth").write_text(f"{link_numpy()}\n")
    use_wheel(folder, venv)
    check_types(folder, venv / "bin" / "python")


TYPED = """
import numpy as np
from pyk import CompileError, cuda, install_as_numba

install_as_numba()
a = cuda.to_device(np.zeros(3))
stream = cuda.stream()
try:
    b: object = a.copy_to_host(stream=stream)
except CompileError as error:
    print(error)
"""


def check_types(folder: Path, python: Path) -> None:
    """Strict mypy takes a program that uses the package, and its stubs."""
    program = folder / "typed.py"
    program.write_text(TYPED)
    cache = build / "wheel" / "mypy"
    mypy = (sys.executable, "-m", "mypy", "--cache-dir", cache)
    run(*mypy, "--strict", "--python-executable", python, program)
    run(
        *("env", f"PYTHONPATH={folder / 'unpacked'}"),
        *(sys.executable, "-m", "mypy.stubtest", "--concise"),
        *("--ignore-disjoint-bases", "--allowlist", ALLOWED, "pyk._core"),
    )


def find_other_python() -> str | None:
    """Another version's interpreter that can build extensions, the newest."""
    header = "sysconfig.get_path('include') + '/Python.h'"
    check = f"import ensurepip, os, sysconfig; os.stat({header})"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for minor in range(14, 9, -1):
        if minor == sys.version_info.minor:
            continue
        # What stands on PATH may be a shim, which runs only if asked for.
        candidates = [shutil.which(f"python3.{minor}")]
        candidates += pyenv.glob(f"versions/3.{minor}.*/bin/python3.{minor}")
        for python in filter(None, candidates):
            if not subprocess.call([python, "-c", check], stderr=-3):
                return str(python)
    return None


def wheel_of_other_python() -> None:
    """The same for another version of Python, with NumPy from the index.

    The newest has another prompt than this one.
    """
    python = find_other_python()
    if python is None:
        print("no interpreter of another version has headers and ensurepip")
        sys.exit(SKIPPED)
    folder = remove(work / "wheel-of-other-python")
    run(
        *(sys.executable, SOURCE / "scripts" / "package", "wheel", python),
        *("--build", build, "--output", folder),
    )
    (file,) = folder.glob("pyk_cuda-*-manylinux_2_34_*.whl")
    venv = folder / "venv"
    run(python, "-m", "venv", venv)
    run(venv / "bin" / "python", "-m", "pip", "install", "--quiet", file)
    use_wheel(folder, venv)
    sys.path.append(str(SOURCE / "test" / "python" / "tools"))
    # The wheel's package, not that of the build.
    os.environ.pop("PYTHONPATH", None)
    terminal = importlib.import_module("terminal")
    terminal.define_kernels(str(venv / "bin" / "python"), str(folder))


globals()[test.replace("-", "_")]()
