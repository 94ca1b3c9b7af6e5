# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How lit runs the tests of this folder. Tools are those of the build and of the
# LLVM that it was built with; what the machine may have or lack is a feature.

import os
import shutil
import sys

import lit.formats

if not hasattr(config, "pyk_tools_dir"):
    # `lit test/...` by the path of a source: what CMake knows is in the build.
    site = os.path.join(
        os.path.dirname(__file__), "../build/dev/test/lit.site.cfg.py"
    )
    if not os.path.exists(site):
        lit_config.fatal("expects build/dev; `scripts/dev build` makes it")
    lit_config.load_config(config, site)
    raise SystemExit

config.name = "PyK"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["lib", "python", "typing", "unit", "Inputs"]
config.test_source_root = os.path.dirname(__file__)

config.environment["PATH"] = os.pathsep.join(
    [config.pyk_tools_dir, config.llvm_tools_dir, os.environ["PATH"]]
)
for name in ("CUDA_HOME", "CUDA_PATH", "PYK_LIBDEVICE"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%pyk_src", config.pyk_source_root))
config.substitutions.append(("%pyk_tools", config.pyk_tools_dir))
config.substitutions.append(("%llvm_include", config.llvm_include_dir))
# `%exits 2 COMMAND` succeeds if COMMAND ends with status 2.
config.substitutions.append(("%exits", "sh -c '\"$@\"; test $? -eq $0'"))

# `%pyk_python` has the package of this build, if there is one.
if config.pyk_python:
    config.available_features.add("python-package")
    config.substitutions.append(
        (
            "%pyk_python",
            f"env PYTHONPATH={config.pyk_python_path} {config.pyk_python}",
        )
    )

# PYK_TEST_ROUNDTRIP=1 makes every pyk-opt also print and parse its result: a
# second suite for free.
if os.environ.get("PYK_TEST_ROUNDTRIP") == "1":
    config.substitutions.append((r"\bpyk-opt\b", "pyk-opt --verify-roundtrip"))

toolkits = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
toolkits = [path for path in toolkits if path] + ["/usr/local/cuda"]

ptxas = shutil.which(
    "ptxas", path=os.pathsep.join([os.path.join(t, "bin") for t in toolkits])
) or shutil.which("ptxas")
if ptxas:
    config.available_features.add("ptxas")
    # The command, not a folder or a file of that name.
    config.substitutions.append((r"(?<![\w/.-])ptxas(?![\w/.-])", ptxas))

if os.environ.get("PYK_LIBDEVICE") or any(
    os.path.exists(os.path.join(t, "nvvm/libdevice/libdevice.10.bc"))
    for t in toolkits
):
    config.available_features.add("libdevice")
