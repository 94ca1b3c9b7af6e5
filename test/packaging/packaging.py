# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs PyK and uses it as others would: `packaging.py TEST BUILD WORK ...`.

TEST is the name of a ctest test, BUILD the build folder, WORK a folder for what
is made here. What follows are CMake's definitions, as `NAME=VALUE`, for what is
built against the installation. Every command runs with next to no environment,
so that nothing is found by way of a variable.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
EXAMPLE = SOURCE / "examples" / "01-vector-add.py"
EMBED = SOURCE / "examples" / "embed"
EXPECTED = "added 10001 elements"

test, build, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
definitions = sys.argv[4:]
prefix = work / "prefix"


def run(*command: object) -> str:
    """Runs a command, shows what it prints and gives its standard output."""
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
        words, cwd=work, env=environment, stdout=subprocess.PIPE, text=True
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


def bundle() -> None:
    """The archive without LLVM, and what checks it, on the CPU.

    The packages of this environment must not be seen, nor the libraries of this
    build: the interpreter is the system's, with NumPy alone beside it.
    """
    archive = work / "bundle.tar.gz"
    output = remove(work / "gpu-check")
    run("cmake", "--build", build, "--target", "PyKCStatic")
    text = run(
        *(sys.executable, SOURCE / "scripts" / "bundle"),
        *("--build", build, "--output", archive),
    )
    expect(text, f"{archive}: ", " MB, needs glibc 2.")
    numpy = remove(work / "numpy")
    numpy.mkdir()
    for name in ("numpy", "numpy.libs"):
        (numpy / name).symlink_to(Path(sysconfig.get_path("purelib")) / name)
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


globals()[test.replace("-", "_")]()
