# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of modules and builtins."""

from .rows import Feature, calls, rows

MATH = "Module `math`"
CMATH = "Module `cmath`"
OPERATOR = "Module `operator`"
BUILTINS = "Builtins"
CUDA = "Functions of `cuda`"

FEATURES = [
    *calls(
        MATH,
        "math",
        "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin atan sinh "
        "cosh tanh asinh erf erfc gamma lgamma fabs floor ceil trunc radians "
        "degrees isnan isinf isfinite",
        "f[0]",
    ),
    *calls(MATH, "math", "acos atanh", "f[0]"),
    *calls(MATH, "math", "acosh", "f[1]"),
    *calls(
        MATH,
        "math",
        "pow hypot atan2 copysign fmod remainder nextafter",
        "f[1], f[2]",
    ),
    *rows(
        MATH,
        ("`math.ldexp`", "out[0] = math.ldexp(f[1], 3)"),
        ("`math.frexp`", "out[0], out[1] = math.frexp(f[2])"),
        ("`math.modf`", "out[0], out[1] = math.modf(f[2])"),
        (
            "`math.pi`, `e`, `tau`, `inf`, `nan`",
            "out[0] = math.pi + math.e + math.tau\nout[1] = math.inf\n"
            "out[2] = math.nan",
        ),
    ),
    *calls(MATH, "math", "cbrt", "f[2]", "not there"),
    *calls(MATH, "math", "gcd lcm", "i[1], i[2]", "not there"),
    *calls(MATH, "math", "isqrt", "i[2]", "not there"),
    *calls(MATH, "math", "isclose", "f[1], f[2]", "not there"),
    *[
        Feature(
            CUDA,
            f"`cuda.{call.partition('(')[0]}`",
            f"out[0] = cuda.{call}",
            expected=(value,),
        )
        for call, value in [
            ("popc(i[0] * 0 + 7)", 3),
            ("clz(i[0] * 0 + 7)", 61),
            ("ffs(i[0] * 0 + 8)", 4),
            ("brev(np.uint32(i[0] * 0 + 1))", 2**31),
            ("selp(f[1] > 100, 1.0, 2.0)", 2),
            ("cbrt(f[1] * 0 + 27)", 3),
            ("fma(f[1], f[2], 0.125)", 3.875),
        ]
    ],
    Feature(
        CUDA,
        "`cuda.dp4a`",
        "out[0] = cuda.dp4a(i[1] + 256, 0x0303, 5)",
        "not there",
        expected=(14,),
    ),
    Feature(
        CUDA,
        "`cuda.libdevice`, all of it",
        "out[0] = cuda.libdevice.fadd_ru(1, 1e-9) > 1\n"
        "out[1], out[2] = cuda.libdevice.frexp(6)",
        expected=(1, 0.75, 3),
    ),
    *[
        Feature(
            CMATH,
            f"`cmath.{name}`",
            f"z = cmath.{name}(complex(f[0], f[1]))\n"
            "out[0] = z.real\nout[1] = z.imag",
        )
        for name in (
            "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh "
            "sqrt tan tanh"
        ).split()
    ],
    *calls(CMATH, "cmath", "isfinite isinf isnan phase", "complex(f[0], f[1])"),
    *rows(
        CMATH,
        (
            "`cmath.polar`",
            "out[0], out[1] = cmath.polar(complex(f[0], f[1]))",
        ),
        (
            "`cmath.rect`",
            "z = cmath.rect(f[0], f[1])\nout[0] = z.real\nout[1] = z.imag",
        ),
    ),
    *calls(
        OPERATOR,
        "operator",
        "add sub mul truediv floordiv mod pow eq ne lt le gt ge",
        "f[1], f[2]",
    ),
    *calls(OPERATOR, "operator", "and_ or_ xor lshift rshift", "i[1], i[2]"),
    *calls(OPERATOR, "operator", "neg pos", "f[1]"),
    *calls(OPERATOR, "operator", "invert not_", "i[1]"),
    *calls(
        OPERATOR,
        "operator",
        "iadd isub imul itruediv ifloordiv imod ipow",
        "f[1], f[2]",
    ),
    *rows(
        OPERATOR,
        (
            "`operator.is_`",
            "out[0] = operator.is_(f, None)\nout[1] = operator.is_(1, 1.0)",
        ),
        ("`operator.is_not`", "out[0] = operator.is_not(f, None)"),
        ("`operator.contains`", "out[0] = operator.contains((1, 2), i[1])"),
        ("`operator.getitem`", "out[0] = operator.getitem(f, 1)"),
        ("`operator.setitem`", "operator.setitem(out, 1, 7)"),
        ("`operator.truth`", "out[0] = operator.truth((1, 2))"),
    ),
    *calls(OPERATOR, "operator", "iand ior ixor ilshift irshift", "i[1], i[2]"),
    *rows(
        BUILTINS,
        ("`abs`", "out[0] = abs(f[3]) + abs(i[3])"),
        ("`bool`", "out[0] = bool(i[0]) + bool(f[0])"),
        (
            "`complex`",
            "z = complex(f[0], f[1]) * complex(f[2])\n"
            "out[0] = z.real\nout[1] = z.imag",
        ),
        ("`divmod`", "out[0], out[1] = divmod(i[3], i[1])"),
        ("`type` of a number", "out[0] = type(i[0])(2.7) + type(f[0])(2)"),
        (
            "`slice`",
            "s = slice(1, 3)\nout[0] = f[s].sum() + f[slice(2)].sum()\n"
            "out[slice(2, 8, 3)] = 9",
        ),
        (
            "`sum` of numbers of several types",
            "out[0] = sum((i[1], f[1])) + sum((f[1], i[1]), start=1)",
        ),
        ("`sum` of a long tuple", "out[0] = sum((1, 2) * 100 + (0.5,))"),
        (
            "`enumerate`",
            "for n, x in enumerate(f, 2):\n    out[0] += n * x",
        ),
        ("`float`", "out[0] = float(i[2])"),
        ("`int`", "out[0] = int(f[3])"),
        (
            "`isinstance`",
            "if isinstance(i.size, int):\n    out[0] = 1\n"
            "if isinstance(np.float32(f[0]), (int, float)):\n    out[0] = 2\n"
            "if isinstance(f[0], float):\n    out[1] = 1\n"
            "out[2] = isinstance('', str) + isinstance(1, (str, list))",
            "",
            (1, 1, 1),
        ),
        ("`bit_count` of ints", "out[0] = i[2].bit_count()"),
        (
            "`iter`, `next`",
            "it = iter(f)\nout[0] = next(it)\nfor x in it:\n    out[1] += x",
        ),
        (
            "`next` of `zip`, `enumerate`",
            "z = zip(f, i)\nx, n = next(z)\nout[0] = x * n\n"
            "x, n = next(z)\nout[1] = x * n\n"
            "out[2] = next(enumerate(f, 5))[0]",
        ),
        ("`breakpoint`", "if i[0] > 9:\n    breakpoint()"),
        ("`len`", "out[0] = len(m) + len((1, 2)) + len(m.flat)"),
        (
            "`max`, `min` of arguments",
            "out[0] = max(i[0], i[2]) + min(1, i[3])",
        ),
        ("`max`, `min` of an array", "out[0] = max(f) + min(f)"),
        ("`max`, `min` of a tuple", "out[0] = max((i[0], 2)) + min((i[0], 2))"),
        ("`pow`", "out[0] = pow(i[1], i[2]) + pow(f[0], 2)"),
        ("`print`", "print(1, f[0], 'text')"),
        (
            "`print` of a tuple",
            "print((1, (f[0], True)))",
        ),
        (
            "`print` of a complex number",
            "print(complex(f[0], f[1]))",
            "no: complex numbers cannot be printed",
        ),
        ("`range`", "for n in range(9, 0, -2):\n    out[0] += n"),
        (
            "`len`, `min`, `max`, `sum` of a range",
            "r = range(9, i[0], -2)\nout[0] = len(r) + sum(r)\n"
            "out[1] = min(r) * 10 + max(r)",
        ),
        (
            "parts of a range",
            "r = range(1, i[2])\nout[0] = r.start + r.stop + r.step\n"
            "x, y = r\nout[1] = x - y",
        ),
        ("`in` of a range", "out[0] = i[1] in range(0, 9, 2)"),
        (
            "parts of a slice",
            "s = slice(1, -1)\nout[0] = s.start + s.stop\n"
            "out[1], out[2], out[3] = s.indices(5)",
        ),
        ("`tuple`", "out[0] = tuple((1, 2))[1] + len(tuple())"),
        (
            "`index` of a tuple",
            "out[0] = (i[0], i[1], 2.5).index(i[1])",
            "tuples of one type",
        ),
        ("`round`", "out[0] = round(f[2]) + round(f[1])"),
        ("`round` to digits", "out[0] = round(f[3] / 3, 2)"),
        ("`sum` of an array", "out[0] = sum(f)"),
        ("`sum` of a tuple", "out[0] = sum((1, 2, 3))"),
        ("`zip`", "for x, n in zip(f, i):\n    out[0] += x * n"),
        ("`any`, `all`", "out[0] = any(i) + all(i)", "not there"),
    ),
]
