# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs scripts/requirements-numba.txt into a folder of its own.

  install.py FOLDER

Does nothing where the folder has what the file says; fails where pip cannot
install it.
"""

import shutil
import subprocess
import sys
from pathlib import Path

REQUIREMENTS = (
    Path(__file__).resolve().parents[2] / "scripts" / "requirements-numba.txt"
)


def main() -> int:
    folder = Path(sys.argv[1])
    stamp = folder / "installed.txt"
    wanted = f"{sys.version}\n{REQUIREMENTS.read_text()}"
    if stamp.exists() and stamp.read_text() == wanted:
        return 0
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    command += ["--no-input", "--disable-pip-version-check"]
    command += ["--target", str(folder), "--requirement", str(REQUIREMENTS)]
    status = subprocess.run(command, check=False).returncode
    if not status:
        stamp.write_text(wanted)
    return status


if __name__ == "__main__":
    sys.exit(main())
