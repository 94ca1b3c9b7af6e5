# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each instruction that PyK's PTX has does what the PTX ISA says.

Whatever runs PTX is judged: the PTX machine, or a GPU. The rows are in
ptx/instructions; support/ptx_instructions.py describes them.
"""

import pytest

from support import ptx_instructions

GROUPS = [
    group
    for file in sorted(ptx_instructions.TABLES.glob("*.txt"))
    for group in ptx_instructions.read(file)
]

pytestmark = [
    pytest.mark.usefixtures("fresh_context"),
    # test/ptx_record.py compares with what other tests emit.
    pytest.mark.all_cases,
]


@pytest.mark.parametrize(
    "group",
    [
        pytest.param(group, id=f"{group.text.strip('`')} {group.place}")
        for group in GROUPS
    ],
)
def test_instruction(
    driver: ptx_instructions.Driver, group: ptx_instructions.Group
) -> None:
    if int(group.chip.removeprefix("sm_")) > driver.capability:
        pytest.skip(f"{group.text} needs {group.chip}")
    assert ptx_instructions.judge(driver, group) == []
