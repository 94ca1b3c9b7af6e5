# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types that do not meet, complex numbers, results and printing."""

CASES = [
    (
        "sum_of_floats_of_8_bits",
        "x = cuda.fp8.fp8_e4m3(n)\na[0] = x + x",
        "operator '+' cannot take fp8_e4m3 and fp8_e4m3",
    ),
    (
        "floats_of_8_bits_compared",
        "x = cuda.fp8.fp8_e5m2(n)\na[0] = x < 3",
        "operator '<' cannot take fp8_e5m2 and int64",
    ),
    (
        "float_of_8_bits_of_a_complex_number",
        "a[0] = cuda.fp8.fp8_e5m2(1j * n)",
        "cannot convert complex128 to fp8_e5m2",
    ),
    (
        "floats_of_8_bits_of_two_formats",
        "s = cuda.local.array(1, cuda.fp8.fp8_e5m2)\ns[0] = cuda.fp8.fp8_e4m3(n)",
        "cannot convert fp8_e4m3 to fp8_e5m2",
    ),
    (
        "too_few_components",
        "v = cuda.float32x4(1, 2, n)\na[0] = v.x",
        "'float32x4' expects 4 components in all but got 3",
    ),
    (
        "component_of_text",
        "v = cuda.int32x2(n, 'text')\na[0] = v.x",
        "'int32x2' expects numbers, vectors and records of numbers but got str",
    ),
    (
        "vector_by_keyword",
        "v = cuda.int32x2(n, y=n)\na[0] = v.x",
        "'int32x2' takes no keywords",
    ),
    (
        "component_that_is_not_there",
        "a[0] = cuda.int32x2(n, n).z",
        "int32x2 has no attribute 'z'",
    ),
    (
        "component_assigned",
        "v = cuda.int32x2(n, n)\nv.x = 3",
        "cannot assign to attribute 'x' of int32x2",
    ),
    (
        "vector_as_number",
        "a[0] = cuda.int32x2(n, n)",
        "cannot convert int32x2 to float32",
    ),
    (
        "number_as_vector",
        "v = cuda.local.array(2, cuda.float32x2)\nv[0] = n",
        "cannot convert int64 to float32x2",
    ),
    (
        "quotient_of_vectors_of_integers",
        "v = cuda.int32x2(n, n) / 2\na[0] = v.x",
        "operator '/' cannot take int32x2 and int64",
    ),
    (
        "vectors_of_two_types",
        "v = cuda.int32x2(n, n) + cuda.float32x2(n, n)\na[0] = v.x",
        "operator '+' cannot take int32x2 and float32x2",
    ),
    (
        "truth_of_a_vector",
        "if cuda.int32x2(n, n):\n    a[0] = 1",
        "int32x2 has no truth value",
    ),
    (
        "vectors_compared",
        "a[0] = cuda.int32x2(n, n) == cuda.int32x2(n, n)",
        "operator '==' cannot take int32x2 and int32x2",
    ),
    (
        "vectors_inverted",
        "a[0] = (~cuda.int32x2(n, n)).x",
        "operator '~' cannot take int32x2",
    ),
    (
        "asarray_of_a_number",
        "a[0] = np.asarray(n)[0]",
        "'numpy.asarray' cannot take int64",
    ),
    (
        "attribute_typo",
        "a[0] = a.shap[0]",
        "array(float32, 1d, C) has no attribute 'shap'",
    ),
    (
        "two_types_at_a_join",
        "if n > 0:\n    x = a\nelse:\n    x = 1\na[0] = x",
        "cannot unify array(float32, 1d, C) and int64 for variable 'x'",
    ),
    (
        "conditional_types",
        "x = a if n > 0 else 1",
        "between which the conditional expression chooses",
    ),
    ("logical_types", "x = a and n", "between which 'and' chooses"),
    (
        "iterate_number",
        "for i in n:\n    a[0] = i",
        "expects a range, an array or a tuple to iterate over but got int64",
    ),
    (
        "literal_unroll_of_an_array",
        "for x in cuda.literal_unroll(a):\n    a[0] = x",
        "'numba.literal_unroll' expects a tuple, or a range of constants, but got "
        "array(float32, 1d, C)",
    ),
    (
        "literal_unroll_of_a_range_that_varies",
        "for i in cuda.literal_unroll(range(n)):\n    a[0] = i",
        "'numba.literal_unroll' expects a tuple, or a range of constants, but got "
        "range of int64",
    ),
    (
        "literal_unroll_without_a_loop",
        "t = cuda.literal_unroll((1, 2.5))\na[0] = t[n]",
        "'numba.literal_unroll' is for what a loop runs over",
    ),
    (
        "literal_unroll_beside_an_array",
        "for x, y in zip(cuda.literal_unroll((1, 2)), a):\n    a[0] = x * y",
        "expects what is run over beside 'numba.literal_unroll' to be a tuple, or a "
        "range of constants",
    ),
    (
        "literal_unroll_of_too_many_items",
        "for i in cuda.literal_unroll(range(100000)):\n    a[0] = i",
        "cannot compile the body of this loop for each of 100000 items: a body of "
        "its length is compiled",
    ),
    (
        "read_before_assignment",
        "a[0] = x\nx = 1",
        "variable 'x' is read before it is assigned",
    ),
    (
        "optional_function",
        "f = lambda: a[0]\nif n > 2:\n    f = None\na[0] = f()",
        "cannot unify None and function lambda for variable 'f'",
    ),
    (
        "optional_result_of_kernel",
        "if n > 2:\n    return n",
        "kernel 'k' returns a value of type int64 or None",
    ),
    (
        "growing_result",
        "growing(n)",
        "the types of 'growing' do not settle",
    ),
    (
        "field_of_named_tuple",
        "a[0] = Point(n, 1).mas",
        "Point(x: int64, mass: int64) has no attribute 'mas'",
    ),
    (
        "named_tuple_without_item",
        "a[0] = Point(n).x",
        "'Point' is called without argument 'mass'",
    ),
    (
        "named_tuple_with_item_of_another_name",
        "a[0] = Point(n, weight=1).x",
        "'Point' has no parameter 'weight'",
    ),
    (
        "members_of_two_enumerations",
        "a[0] = Color.RED == Shade.DARK",
        "operator '==' cannot take member of Color and member of Shade",
    ),
    (
        "order_of_members",
        "a[0] = Color.RED < Color.RED",
        "operator '<' cannot take member of Color and member of Color",
    ),
    (
        "endless_recursion",
        "a[0] = endless(n)",
        "cannot infer what 'endless' returns: every path to a return calls the function itself",
    ),
    (
        "different_returns",
        "a[0] = two_types(n)",
        "cannot unify the types that 'two_types' returns",
    ),
    (
        "kernel_returns",
        "return n",
        "kernel 'k' returns a value of type int64; a kernel must have void return type and gives results only through its arrays",
    ),
    (
        "too_much_local",
        "s = cuda.local.array((1 << 20, 1 << 20), float32)",
        "expects less than 2^31 elements in 'cuda.local.array'",
    ),
    (
        "value_called",
        "x = cuda.warpsize(1)",
        "expects a function to call but got int32",
    ),
    (
        "long_power",
        "a[0] = 2**65",
        "this is of type int of more than 64 bits, which a kernel cannot use",
    ),
    (
        "comparison_of_a_long_power",
        "a[0] = 1 if 2**70 > 5 else 0",
        "this is of type int of more than 64 bits, which a kernel cannot use",
    ),
    (
        "power_that_is_not_computed",
        "a[0] = 9**9**9 % 10",
        "this is of type int of more than 64 bits, which a kernel cannot use",
    ),
    (
        "long_shift",
        "a[0] = 1 << 64",
        "this is of type int of more than 64 bits, which a kernel cannot use",
    ),
    (
        "huge_condition",
        "if ONE << 70:\n    a[0] = 1",
        "the value of this constant expression needs more than 64 bits",
    ),
    (
        "call_dim3",
        "i = cuda.threadIdx()",
        "'cuda.threadIdx' is a value, not a function",
    ),
    (
        "imag_of_reals",
        "x = a.imag",
        "expects an array of complex numbers for 'imag' but got array(float32, 1d, C)",
    ),
    (
        "complex_order",
        "if 1j < n:\n    a[0] = 1",
        "operator '<' cannot take complex128 and int64",
    ),
    (
        "complex_floor",
        "a[0] = abs(1j // n)",
        "operator '//' cannot take complex128 and int64",
    ),
    (
        "complex_invert",
        "x = ~1j",
        "operator '~' cannot take complex128",
    ),
    (
        "complex_stored",
        "a[0] = 1j * n",
        "cannot convert complex128 to float32",
    ),
    (
        "complex_array_stored",
        "s = cuda.local.array(3, np.complex64)\na[:3] = s",
        "cannot convert complex64 to float32",
    ),
    (
        "complex_fill",
        "a.fill(1j)",
        "cannot convert complex128 to float32",
    ),
    (
        "float_of_text",
        "x = float('soon')",
        "float('soon') (could not convert string to float: 'soon') cannot be used in a kernel",
    ),
    (
        "bfloat16_and_complex",
        "x = cuda.bfloat16(n) + 1j",
        "operator '+' cannot take bfloat16 and complex128",
    ),
    (
        "bfloat16_compared_with_complex",
        "x = cuda.bfloat16(n) == 1j",
        "operator '==' cannot take bfloat16 and complex128",
    ),
    (
        "bfloat16_or_complex",
        "x = 1j\nif n > 2:\n    x = cuda.bfloat16(n)\na[0] = abs(x)",
        "cannot unify bfloat16 and complex128 for variable 'x'",
    ),
    (
        "bfloat16_of_complex",
        "x = cuda.bfloat16(1j * n)",
        "cannot convert complex128 to bfloat16",
    ),
    (
        "bfloat16_bits",
        "x = cuda.bfloat16(n) & 1",
        "operator '&' cannot take bfloat16 and int64",
    ),
    (
        "bfloat16_atomic",
        "s = cuda.shared.array(1, cuda.bfloat16)\ncuda.atomic.or_(s, 0, 1)",
        "'cuda.atomic.or_' cannot work on array(bfloat16, 1d, C)",
    ),
    (
        "complex_cast",
        "a[0] = np.float32(1j * n)",
        "cannot convert complex128 to float32",
    ),
    (
        "complex_int",
        "a[0] = int(1j * n)",
        "'int' expects a real number but got complex128",
    ),
    (
        "complex_math",
        "a[0] = math.sin(1j * n)",
        "'math.sin' expects a real number but got complex128",
    ),
    (
        "complex_least",
        "a[0] = min(n, 1j)",
        "'min' expects a real number but got complex128",
    ),
    (
        "complex_parts",
        "x = complex(n, 1j)",
        "'complex' expects a real number but got complex128",
    ),
    (
        "complex_slice",
        "a[1j:] = 1",
        "expects integers as bounds of a slice but got complex128",
    ),
    (
        "conjugate_arguments",
        "x = (1j).conjugate(n)",
        "'conjugate' takes 0 arguments but 1 was given",
    ),
    (
        "bool_part",
        "a[0] = (n > 0).real",
        "bool has no attribute 'real'",
    ),
    (
        "cmath_two_arguments",
        "x = cmath.sqrt(n, n)",
        "'cmath.sqrt' takes 1 argument but 2 were given",
    ),
    (
        "big_constant",
        "a[0] = BIG",
        "'BIG' is of type int of more than 64 bits, which a kernel cannot use",
    ),
    (
        "nonlocal_passed_on",
        "def f():\n    nonlocal n\n    n = 1\ng = f",
        "nested function 'f', which assigns a variable that is 'nonlocal', other than called by its name cannot be used in a kernel",
    ),
    (
        "nonlocal_elsewhere",
        "def f():\n    nonlocal n\n    n = 1\n(lambda: f())()",
        "a call of 'f', which assigns a variable that is 'nonlocal', within another function cannot be used in a kernel",
    ),
    (
        "nonlocal_twice",
        "def f():\n    pass\ndef f():\n    nonlocal n\n    n = 1\nf()",
        "more than one 'f' of which one assigns a variable that is 'nonlocal' cannot be used in a kernel",
    ),
    (
        "try",
        "try:\n    a[0] = 1\nfinally:\n    pass",
        "a 'try' statement cannot be used in a kernel",
    ),
    (
        "nested_recursion",
        "f = lambda x: f(x)\na[0] = f(n)",
        "nested function 'lambda' refers to itself",
    ),
    (
        "captured_before_assignment",
        "f = lambda: late\na[0] = f()\nlate = 1",
        "variable 'late' is read before it is assigned",
    ),
    (
        "print_array",
        "print(a)",
        "'print' expects numbers, tuples of them and constant strings but got array(float32, 1d, C)",
    ),
    (
        "print_none",
        "print(None)",
        "'print' expects numbers, tuples of them and constant strings but got None",
    ),
    (
        "print_dtype",
        "print(float32)",
        "'print' expects numbers, tuples of them and constant strings but got dtype float32",
    ),
    ("print_end", "print(n, end='')", "'print' takes no keyword arguments"),
    (
        "print_null",
        "print('a\\0b')",
        "'print' expects text without null characters",
    ),
]
