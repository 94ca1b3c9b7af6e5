# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes, methods, indices and views of arrays."""

from .rows import rows

ARRAYS = "Arrays"

FEATURES = [
    *rows(
        ARRAYS,
        ("a slice in a global", "out[0] = f[PART].sum()"),
        ("`np.asarray`", "out[0] = np.asarray(f)[1]", "for arrays only"),
        ("`shape`, `ndim`, `size`", "out[0] = m.shape[1] + m.ndim * m.size"),
        (
            "`strides`, `itemsize`, `nbytes`",
            "out[0] = m.strides[0] + m.itemsize + m.nbytes",
        ),
        (
            "`dtype`",
            "a = cuda.local.array(1, m.dtype)\na[0] = 2\nout[0] = a[0]",
        ),
        ("`T`", "out[0] = m.T[2, 1]"),
        ("`real`, `imag`", "out[0] = f.real[1]"),
        ("`flat`", "for x in m.flat:\n    out[0] += x"),
        ("`reshape`", "out[0] = m.reshape(3, 2)[2, 0]"),
        ("`ravel`", "out[0] = m.ravel()[4]", "only with its run-time memory"),
        ("`transpose`", "out[0] = m.transpose()[1, 0]"),
        ("`view`", "out[0] = f.view(np.int64)[0]"),
        ("`fill`", "out[2:4].fill(7)"),
        ("`item`", "out[0] = f[2:3].item()"),
        ("negative index", "out[0] = f[-1] + m[-1, -2]"),
        ("partial index", "out[0] = m[1][2]"),
        ("slice", "out[0] = f[1:3][1]"),
        ("slice with a step", "out[0] = f[::2][1] + f[::-1][0]"),
        ("ellipsis, `None`", "out[0] = m[..., 1][1] + m[:, None, 2][1, 0]"),
        ("number into a slice", "out[1:5:2] = 4"),
        (
            "array into a slice",
            "out[1:5] = f",
            "only with its run-time memory",
        ),
        (
            "number where an array says",
            "out[i] = 5\nout[i[:1]] = f[1]",
        ),
        (
            "number where an array of bools says",
            "c = cuda.local.array(4, np.bool_)\nfor n in range(4):\n"
            "    c[n] = f[n] > 1\nout[:4][c] = 5",
            "",
            (0, 5, 5, 0),
        ),
        ("`in` of an array", "out[0] = 1.5 in f\nout[1] = 7 not in m"),
        (
            "`is` of arrays",
            "out[0] = f is f\nout[1] = f[1:] is m[0]\nout[2] = f is not out",
        ),
        (
            "comparison of dtypes",
            "out[0] = f.dtype == np.dtype('f8')\nout[1] = f.dtype == i.dtype\n"
            "out[2] = i.dtype == np.int64\nout[3] = f.dtype != 'float32'",
            "`==` of dtypes; `'f8'` is another one there",
        ),
        (
            "`dtype.kind`, `dtype.name`",
            "out[0] = f.dtype.kind == 'f'\nout[1] = i.dtype.name == 'int64'",
            "no `name`",
        ),
        (
            "`np.finfo`, `np.iinfo` of a dtype",
            "out[0] = np.finfo(f.dtype).eps\nout[1] = np.iinfo(i.dtype).bits",
        ),
        (
            "`ctypes.data`",
            "out[0] = f[1:].ctypes.data - f.ctypes.data",
        ),
        ("`+=` to an element", "out[0] += 2\nout[0] *= f[1]"),
        (
            "`+=` to an array",
            "out += 2\nout[:4] **= 2\na = out[2:6]\na /= f",
            "only `/=`, `&=`, `|=`, `^=`, `<<=` and `>>=`",
        ),
        ("`+=` to a slice", "out[:3] += 2\nout[1:3] *= 3", "not there"),
        ("`for` over elements", "for x in f:\n    out[0] += x"),
        ("`for` over rows", "for row in m:\n    out[0] += row[1]"),
        (
            "`np.ndenumerate`",
            "for (r, c), x in np.ndenumerate(m):\n    out[0] += r * c * x",
        ),
        (
            "`np.ndindex`",
            "for r, c in np.ndindex(2, 3):\n    out[0] += m[r, c]",
        ),
        (
            "`np.nditer`",
            "for x in np.nditer(m):\n    out[0] += x.item()",
        ),
        ("unpacking", "x, y = f[:2]\nout[0] = x - y"),
        ("unpacking into elements", "out[0], out[1] = f[1], f[0]"),
        ("row as an argument", "out[0] = row_sum(m[1])"),
        ("captured array", "out[0] = TABLE[2]"),
        ("captured device array", "THERE[0] += 1\nout[0] = THERE[2]"),
        ("0-d array", "out[0] = m[1, 2, ...]"),
        (
            "0-d array as a number",
            "x = m[1, 2, ...]\nout[0] = x + 1\nout[1] = x > 4\n"
            "n = i[2, ...]\nout[2] = f[n]",
        ),
    ),
]
