# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts beside this one read of descriptions in TableGen."""

import json
import subprocess


def read_records(path, include):
    """The records of `path` and what it includes, by name."""
    dump = subprocess.run(
        ["llvm-tblgen", "--dump-json", path, *(f"-I{i}" for i in include)],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(dump.stdout)
