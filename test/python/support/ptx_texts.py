# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in PTX for the tests of the PTX machine, and their launch."""

from collections.abc import Callable

import numpy as np

from .ptx_instructions import Driver

Machine = Callable[..., Driver]

HEAD = ".version 7.8\n.target sm_80\n.address_size 64\n"
#: What begins most kernels: the thread in %r0, and the address of its number of
#: 8 bytes in `out` in %d0.
START = """
  .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<16>; .reg .pred %p<8>;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %d0, [out];
  mad.wide.u32 %d0, %r0, 8, %d0;
"""


def kernel(body: str, before: str = "") -> str:
    return (
        f"{HEAD}{before}.visible .entry run(.param .u64 out) {{{START}{body}\n"
        "  ret;\n}\n"
    )


def run(
    driver: Driver, text: str, threads: int = 32, blocks: int = 1
) -> list[int]:
    """The numbers that threads of the first block leave; at first all ones."""
    out = np.full(threads, -1)
    driver.run(text, [out], threads, blocks)
    return out.tolist()


FACTORIAL = """
.func (.param .b64 result) factorial(.param .b64 n) {
  .reg .b64 %d<4>; .reg .pred %p;
  ld.param.b64 %d0, [n];
  setp.le.u64 %p, %d0, 1;
  @%p bra end;
  {
    .param .b64 sent; .param .b64 got;
    sub.u64 %d1, %d0, 1;
    st.param.b64 [sent], %d1;
    call (got), factorial, (sent);
    ld.param.b64 %d2, [got];
  }
  mul.lo.u64 %d0, %d0, %d2;
  st.param.b64 [result], %d0;
  ret;
end:
  st.param.b64 [result], 1;
  ret;
}
.func (.param .b64 result) twice(.param .b64 n) {
  .reg .b64 %d0;
  ld.param.b64 %d0, [n];
  add.u64 %d0, %d0, %d0;
  st.param.b64 [result], %d0;
  ret;
}
"""
