# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types into an interactive interpreter on a terminal, as somebody does.

Also used by the test of wheels, for interpreters of other versions.
"""

import os
import pty
import re
import select
import time

#: What moves the cursor and sets colors.
_CONTROL = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])")

#: What a terminal sends around a pasted text to a program that asked for it.
_ASKED, _BEGIN, _END = "\x1b[?2004h", "\x1b[200~", "\x1b[201~"

#: Something to paste, and what has to be on the screen afterwards.
KERNEL = [
    (
        "import numpy as np\nfrom pyk import cuda\na = np.zeros(2)\n"
        "b = 40 + 2\nprint(b)\n",
        "\n42",
    ),
    (
        "@cuda.jit\ndef k(a):\n    i = cuda.grid(1)\n    if i < a.size:\n"
        "        a[i] = i + 5\n\n",
        "",
    ),
    ("k[1, 32](a); print(a)\n", "\n[5. 6.]"),
    (
        "@cuda.jit\ndef wrong(a):\n    i = 0\n    a[i] = unknown\n\n",
        "",
    ),
    (
        "wrong[1, 1](a)\n",
        ":4:12: error: name 'unknown' is not defined\n"
        "        a[i] = unknown\n               ^~~~~~~\n",
    ),
    ("twice = cuda.jit(lambda a: a.fill(2))\n", ""),
    ("twice[1, 1](a); print(a)\n", "\n[2. 2.]"),
]


class Terminal:
    """A pseudoterminal and the program that runs on it."""

    def __init__(self, command: list[str], home: str, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._output = b""
        self._child, self._file = pty.fork()
        if not self._child:
            # No history is read or written.
            os.environ.update(HOME=home, TERM="xterm", NO_COLOR="1")
            os.execv(command[0], command)

    def _text(self) -> str:
        return self._output.decode(errors="replace")

    def _screen(self, start: int) -> str:
        """What was printed from there on, without what moves the cursor."""
        return _CONTROL.sub("", self._text()[start:]).replace("\r", "")

    def _wait_for(self, text: str, start: int) -> None:
        """Reads until `text`, and a prompt behind it, are on the screen."""
        pattern = re.compile(re.escape(text) + ".*>>> ", re.DOTALL)
        while not pattern.search(self._screen(start)):
            assert self._read(), f"expects '{text}' in: {self._screen(0)}"

    def _read(self) -> bool:
        """Reads what the program prints next; false at its end."""
        left = self._end - time.monotonic()
        ready = left > 0 and select.select([self._file], [], [], left)[0]
        assert ready, f"expects more than: {self._screen(0)}"
        try:
            new = os.read(self._file, 1 << 16)
        except OSError:
            # What Linux has for the end of a terminal.
            return False
        self._output += new
        return bool(new)

    def begin(self) -> None:
        """Waits for the first prompt."""
        self._wait_for("", 0)

    def paste(self, text: str, expected: str) -> None:
        """Pastes `text` and waits for `expected` and the next prompt."""
        start = len(self._text())
        if _ASKED in self._text():
            text = f"{_BEGIN}{text}{_END}\n"
        os.write(self._file, text.encode())
        self._wait_for(expected, start)

    def end(self) -> int:
        """Ends the program and gives its exit status."""
        os.write(self._file, b"\x04")
        while self._read():
            pass
        _, status = os.waitpid(self._child, 0)
        os.close(self._file)
        return os.waitstatus_to_exitcode(status)


def define_kernels(python: str, home: str) -> None:
    """Defines kernels at the prompt of `python`; fails unless they work."""
    terminal = Terminal([python, "-q"], home, 60)
    terminal.begin()
    for text, expected in KERNEL:
        terminal.paste(text, expected)
    assert terminal.end() == 0
