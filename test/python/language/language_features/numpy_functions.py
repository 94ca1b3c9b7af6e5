# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's functions on numbers and on arrays."""

from .rows import SLOW_ERROR, Feature, calls, rows

NUMPY = "NumPy's functions on numbers"
REDUCTIONS = "NumPy's functions on arrays"
NO_SCALARS = "not on numbers"

FEATURES = [
    *calls(
        NUMPY,
        "np",
        "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arctanh "
        "deg2rad radians rad2deg degrees log log2 log10",
        "f[0]",
    ),
    *calls(NUMPY, "np", "arccosh", "f[1]"),
    *calls(
        NUMPY,
        "np",
        "arctan2 hypot greater greater_equal less less_equal not_equal equal "
        "maximum minimum fmax fmin logical_and logical_or logical_xor",
        "f[0], f[1]",
    ),
    *calls(NUMPY, "np", "logical_not isnan", "f[0]"),
    *calls(NUMPY, "np", "divide true_divide", "f[1], f[2]"),
    *calls(
        NUMPY,
        "np",
        "bitwise_and bitwise_or bitwise_xor left_shift right_shift",
        "i[1], i[0]",
    ),
    *calls(NUMPY, "np", "invert bitwise_not", "i[1]"),
    *calls(
        NUMPY,
        "np",
        "sqrt cbrt exp exp2 expm1 log1p square reciprocal absolute fabs abs "
        "negative positive sign floor ceil trunc rint isinf isfinite "
        "signbit",
        "f[1]",
        NO_SCALARS,
    ),
    *calls(
        NUMPY,
        "np",
        "add subtract multiply floor_divide mod power "
        "copysign nextafter fmod logaddexp",
        "f[1], f[2]",
        NO_SCALARS,
    ),
    *rows(
        NUMPY,
        ("`np.ldexp`", "out[0] = np.ldexp(f[1], 3)", NO_SCALARS),
        ("`np.clip`", "out[0] = np.clip(f[3], -1.0, 1.0)", NO_SCALARS),
        ("`np.where`", "out[0] = np.where(f[0] > 1, f[1], f[2])", NO_SCALARS),
        (
            "casts",
            "out[0] = np.int32(f[2]) + np.float32(0.1) + np.uint8(300.0 % 256)",
        ),
        (
            "`np.pi`, `e`, `inf`, `nan`",
            "out[0] = np.pi + np.e\nout[1] = np.inf",
        ),
        (
            "into an array",
            "np.sin(f, out[:4])",
        ),
        (
            "of arrays without dimensions",
            "a = m[0, :1].reshape(())\nout[0] = np.cos(a) + np.maximum(a, 7)",
        ),
        (
            "order of complex numbers",
            "z = complex(f[0], f[1])\nw = complex(f[0], f[2])\n"
            "out[0] = np.less(z, w) + 2 * np.greater_equal(z, 1.0)\n"
            "out[1] = np.maximum(z, w).imag\n"
            "out[2] = np.fmin(z, complex(1, np.nan)).imag",
        ),
        (
            "`np.log2` of complex numbers",
            "z = np.log2(complex(f[1], f[2]))\nout[0] = z.real\n"
            "out[1] = z.imag",
        ),
        (
            "`np.sinc`",
            "out[0] = np.sinc(f[1])\nout[1] = np.sinc(i[0])\n"
            "out[2] = np.sinc(complex(f[1], 1)).imag",
        ),
        (
            "`np.nan_to_num`",
            "out[0] = np.nan_to_num(np.nan) + np.nan_to_num(f[1], nan=7.0)\n"
            "out[1] = np.nan_to_num(-np.inf, neginf=-2.0)\n"
            "out[2] = np.nan_to_num(i[1]) + np.nan_to_num(i)[1]",
            "only of integers",
        ),
        (
            "`np.bitwise_count`",
            "out[0] = np.bitwise_count(i[2]) + np.bitwise_count(-7)",
            "not there",
        ),
        (
            "`np.isscalar`",
            "out[0] = np.isscalar(f[0]) + 2 * np.isscalar(f)\n"
            "out[1] = np.isscalar('a') + 2 * np.isscalar((1, 2))",
        ),
        (
            "`np.any`, `np.all`, `np.count_nonzero`",
            "out[0] = np.any(f[0]) + 2 * np.all(i[0]) + np.count_nonzero(1j)",
        ),
        ("`np.array_equal`", "out[0] = np.array_equal(f[0], i[0])"),
        (
            "`np.finfo`, `np.iinfo` of a type of an argument",
            "out[0] = np.finfo(f.dtype).eps + np.iinfo(type(i[0])).bits",
        ),
    ),
    *[
        Feature(REDUCTIONS, f"`a.{name}()`", f"out[0] = f.{name}()")
        for name in "sum prod mean var std any all argmin argmax".split()
    ],
    *[
        Feature(
            REDUCTIONS,
            f"`a.{name}()`",
            f"out[0] = f.{name}()",
            "only with its run-time memory",
        )
        for name in "min max".split()
    ],
    *calls(
        REDUCTIONS,
        "np",
        "sum prod mean var std any all argmin argmax count_nonzero nansum "
        "nanprod nanmean nanvar nanstd",
        "f",
    ),
    *rows(
        REDUCTIONS,
        (
            "`dtype` of a sum",
            "out[0] = f.sum(dtype=np.int32) + np.sum(i, dtype=np.float32)",
        ),
        (
            "means of complex numbers",
            "a = cuda.local.array(3, np.complex128)\n"
            "a[0] = 1 + 2j\na[1] = 2 - 1j\na[2] = 0.5j\n"
            "z = a.mean() + np.nanmean(a)\nout[0] = z.real\nout[1] = z.imag\n"
            "out[2] = a.var()\nout[3] = np.nanstd(a)",
        ),
        ("`np.average`", "out[0] = np.average(f)"),
        (
            "`np.searchsorted` from the right",
            "out[0] = np.searchsorted(f[:3], 1.5, side='right')\n"
            "out[1] = np.searchsorted(f[:3], 1.5)\n"
            "out[2] = np.searchsorted(f[:3], np.nan)",
        ),
        (
            "`np.digitize`",
            "out[0] = np.digitize(1.5, f[:3])\n"
            "out[1] = np.digitize(1.5, f[:3], right=True)\n"
            "out[2] = np.digitize(1.5, f[2::-1])\n"
            "out[3] = np.digitize(1.5, f[2::-1], right=True)",
        ),
        (
            "`np.iscomplexobj`, `np.isrealobj`",
            "out[0] = np.iscomplexobj(f) + np.iscomplexobj(1j) * 2\n"
            "out[1] = np.isrealobj(f) + np.isrealobj(i[0]) * 2",
        ),
        ("`np.searchsorted`", "out[0] = np.searchsorted(TABLE, 1.5)"),
        (
            "`np.trace`",
            "out[0] = np.trace(m[:, :2])\nout[1] = np.trace(m, 1)\n"
            "out[2] = np.trace(m, offset=-1)",
        ),
        (
            "the axis of an array of one dimension",
            "out[0] = np.argmax(f, 0) + f.argmin(axis=0)",
        ),
        (
            "the axis of a sum",
            "out[0] = np.sum(f, 0) + np.count_nonzero(f, axis=0)",
            "only with its run-time memory",
        ),
        (
            "`weights` of `np.average`",
            "out[0] = np.average(f, weights=f)",
            SLOW_ERROR,
        ),
        (
            "names of NumPy's parameters",
            "out[0] = np.prod(a=f) + np.searchsorted(a=f[:3], v=1.5)",
        ),
        (
            "in tuples",
            "out[0] = np.searchsorted((1, 2, 4), f[1])\n"
            "out[1] = np.digitize(f[1], (1, 2, 4))",
        ),
        ("`np.asarray` with a dtype", "out[0] = np.asarray(f, f.dtype)[1]"),
        (
            "`np.array_equal` of arrays",
            "out[0] = np.array_equal(f, f) + np.array_equal(f, i)",
            "only with its run-time memory",
        ),
        (
            "`np.flip`",
            "out[0] = np.flip(f)[0] + np.flip(m)[0, 0]",
            "only with its run-time memory",
        ),
        ("`np.size`, `np.shape`", "out[0] = np.size(m) + np.shape(m)[1]"),
    ),
]
