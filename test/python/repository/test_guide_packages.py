# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of the guide to pyk.cuda where PyK is installed without extras.

They are run one after the other, as a reader does who types them.
"""

import json
import re
import subprocess
import sys

from support.places import ROOT

GUIDE = ROOT / "python-dialect-docs/guides/pyk-cuda.md"

#: Runs the texts in files and writes which of them lacked what.
RUNNER = """
import contextlib, io, json, sys, warnings

# An import of None is one that fails.
sys.modules["ml_dtypes"] = None
warnings.simplefilter("ignore")
names, lacks = {}, []
for path in sys.argv[1:]:
    try:
        code = compile(open(path).read(), path, "exec")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
    except (NameError, ImportError) as error:
        lacks.append((path, error.name))
    except Exception:
        # Some examples show errors.
        pass
print(json.dumps(lacks), file=sys.stderr)
"""


def test_only_examples_of_the_extra_lack_something(tmp_path):
    text = GUIDE.read_text()
    paths, sections = [], {}
    for section in re.split("^### ", text, flags=re.M):
        title = section.partition("\n")[0]
        for code in re.findall("^```python\n(.*?)^```", section, re.M | re.S):
            path = str(tmp_path / f"{len(paths)}.py")
            (tmp_path / f"{len(paths)}.py").write_text(code)
            paths.append(path)
            sections[path] = title
    run = subprocess.run(
        [sys.executable, "-c", RUNNER, *paths],
        capture_output=True,
        text=True,
        check=True,
    )
    lacks = json.loads(run.stderr.splitlines()[-1])
    assert {name for _, name in lacks} == {"ml_dtypes"}
    found = {sections[path] for path, _ in lacks}
    assert found == {"bfloat16", "Floats of 8 bits"}
    extra = text.index("pip install 'pyk-cuda[bfloat16]'")
    assert extra < text.index("import ml_dtypes")
