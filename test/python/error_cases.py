# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that cannot be typed, each with what the message has to say.

An entry is a name, the body of a kernel `k(a, b, n)` where `a` and `b` are 1-D
float32 and 2-D int64 arrays and `n` is an int, the class of the error, and its
text. `HELPERS` stands above every kernel.
"""

HELPERS = """
from collections import namedtuple
from enum import Enum
from numba import cuda, float32, int32
import cmath, math
import numpy as np

TABLE = {1: 2}
WEIGHTS = np.array([1.0, 2.0])
SIZES = (2, 3)
ONE = 1
POINT = np.dtype([("x", "f4"), ("mass", "i4"), ("name", "S3"), ("v", "f4", 2)])
POINTS = np.zeros(2, POINT)
BIG = 2**70

def plain(x):
    return x

@cuda.jit(device=True)
def add(x, y, scale=1):
    return (x + y) * scale

@cuda.jit(device=True)
def point(i):
    points = cuda.local.array(2, POINT)
    return points[i]

class Color(Enum):
    RED = 1

class Shade(Enum):
    DARK = 1

Point = namedtuple("Point", "x mass")

@cuda.jit(device=True)
def growing(x):
    if x > 0:
        return x, growing(x - 1)

@cuda.jit(device=True)
def endless(x):
    return endless(x)

@cuda.jit(device=True)
def fresh(x):
    return cuda.local.array(3, int32)

@cuda.jit(device=True)
def two_types(x):
    if x > 0:
        return (x, x)
    return x
"""

CASES = [
    ("unknown_name", "a[0] = foo", "name 'foo' is not defined"),
    (
        "undecorated_function",
        "a[0] = plain(n)",
        "'plain' is of type function, which a kernel cannot use",
    ),
    ("dict", "a[0] = TABLE[1]", "'TABLE' is of type dict"),
    (
        "array_plus_array",
        "a[0] = a + a",
        "operator '+' cannot take array(float32, 1d, C) and array(float32, 1d, C)",
    ),
    (
        "minus_array",
        "a[0] = -a",
        "operator '-' cannot take array(float32, 1d, C)",
    ),
    ("compare_array", "a[0] = a < 1", "operator '<' cannot take"),
    (
        "float_index",
        "a[n / 2] = 1",
        "expects integers and slices as indices of array(float32, 1d, C) but got float64",
    ),
    (
        "bool_index",
        "a[n > 1] = 1",
        "expects integers and slices as indices of array(float32, 1d, C) but got bool",
    ),
    (
        "array_as_index",
        "a[0] = b[0, a]",
        "expects integers and slices as indices of array(int64, 2d, C) but got array(float32, 1d, C)",
    ),
    (
        "two_ellipses",
        "a[0] = b[..., ...]",
        "expects at most one '...' in the index of an array",
    ),
    (
        "ellipsis_alone",
        "a[0] = ...",
        "expects a number to store in array(float32, 1d, C) but got ellipsis",
    ),
    (
        "step_of_zero",
        "a[::0] = 1",
        "expects the step of a slice to be other than 0",
    ),
    (
        "bound_of_no_number",
        "a[a:] = 1",
        "expects integers as bounds of a slice but got array(float32, 1d, C)",
    ),
    (
        "slice_of_tuple",
        "x = SIZES[n:]",
        "expects a slice with constant bounds for tuple(int64, int64)",
    ),
    (
        "view_plus_number",
        "c = a[1:]\nc += 1",
        "operator '+=' cannot take array(float32, 1d, C) and int64",
    ),
    (
        "view_plus_tuple",
        "a[1:] += (1, 2)",
        "'numpy.add' cannot take array(float32, 1d, C), tuple(int64, int64); it takes (out, y)",
    ),
    (
        "store_view_in_element",
        "a[0] = a[1:]",
        "expects a number to store in array(float32, 1d, C) but got array(float32, 1d, C)",
    ),
    (
        "store_too_many_dimensions",
        "a[1:] = b",
        "expects an array of at most 1 dimension to store in array(float32, 1d, C) but got array(int64, 2d, C)",
    ),
    (
        "store_tuple_in_view",
        "a[1:] = (1, 2)",
        "expects a number or an array to store in array(float32, 1d, C) but got tuple(int64, int64)",
    ),
    (
        "store_other_shape",
        "cuda.local.array((2, 3), int32)[:] = cuda.local.array(2, int32)",
        "cannot store an array of shape (2) in one of shape (2, 3)",
    ),
    (
        "reshape_strided",
        "x = a[::2].reshape(2, 1)",
        "expects an array of layout C to reshape but got array(float32, 1d, A)",
    ),
    (
        "enumerate_number",
        "for i, x in enumerate(n):\n    a[0] = i",
        "'enumerate' expects a range, an array or a tuple of one type but got int64",
    ),
    (
        "enumerate_from_float",
        "for i, x in enumerate(a, 1.5):\n    a[0] = i",
        "'enumerate' expects an integer to begin with but got float64",
    ),
    ("reshape_nothing", "x = a.reshape()", "'reshape' takes a shape"),
    (
        "reshape_float",
        "x = a.reshape(2.0)",
        "expects integers as a shape but got float64",
    ),
    (
        "reshape_twice_open",
        "x = a.reshape(-1, -1)",
        "expects at most one extent of -1 in a shape",
    ),
    (
        "transpose_axis_twice",
        "x = b.transpose(0, 0)",
        "expects each dimension of array(int64, 2d, C) once, as constants, to transpose it",
    ),
    (
        "ravel_strided",
        "x = b[:, 1].ravel()",
        "expects an array of layout C for 'ravel' but got array(int64, 1d, A)",
    ),
    (
        "flat_index",
        "x = b.T.flat[1.5]",
        "expects an integer as index of 'flat' but got float64",
    ),
    (
        "flat_constant",
        "cuda.const.array_like(WEIGHTS).T.flat[0] = 1",
        "expects an array that can be written but got one in constant memory",
    ),
    (
        "ndindex_float",
        "for i in np.ndindex(2, 1.5):\n    a[0] = 1",
        "'numpy.ndindex' expects integers or one tuple of them but got float64",
    ),
    (
        "nditer_number",
        "for x in np.nditer((a, n)):\n    a[0] = 1",
        "'numpy.nditer' expects an array or a tuple of arrays but got tuple(array(float32, 1d, C), int64)",
    ),
    (
        "fill_with_array",
        "a.fill(a)",
        "'fill' expects a number but got array(float32, 1d, C)",
    ),
    (
        "fill_constant",
        "cuda.const.array_like(WEIGHTS).fill(1)",
        "expects an array that can be written but got one in constant memory",
    ),
    ("fill_nothing", "a.fill()", "'fill' takes 1 argument but 0 were given"),
    (
        "method_with_keyword",
        "a.fill(value=1)",
        "'fill' takes no keyword arguments",
    ),
    (
        "too_many_indices",
        "a[0, 0] = 1",
        "expects at most 1 index for array(float32, 1d, C) but got 2",
    ),
    (
        "index_number",
        "a[0] = n[0]",
        "expects an array or a tuple to index but got int64",
    ),
    (
        "nested_launch",
        "add[1, 32](a, b)",
        "'add' cannot be launched from a kernel",
    ),
    (
        "position_without_axis",
        "a[cuda.threadIdx] = 1",
        "expects integers and slices as indices of array(float32, 1d, C) but got cuda.threadIdx",
    ),
    (
        "host_function",
        "cuda.to_device(a)",
        "'cuda.to_device' is of type function for the host, which a kernel cannot use",
    ),
    (
        "host_decorator",
        "cuda.jit(a)",
        "'cuda.jit' is of type function for the host, which a kernel cannot use",
    ),
    (
        "store_into_number",
        "n[0] = 1",
        "expects an array to assign to an element of but got int64",
    ),
    (
        "store_tuple",
        "a[0] = (1, 2)",
        "expects a number to store in array(float32, 1d, C) but got",
    ),
    (
        "store_constant",
        "w = cuda.const.array_like(WEIGHTS)\nw[0] = 1",
        "expects an array that can be written but got one in constant memory",
    ),
    (
        "const_of_argument",
        "w = cuda.const.array_like(a)",
        "'cuda.const.array_like' expects an array known at compile time but got",
    ),
    (
        "tuple_index_float",
        "a[0] = SIZES[1.5]",
        "expects an integer as index of a tuple but got float64",
    ),
    (
        "tuple_index_range",
        "a[0] = SIZES[2]",
        "expects an index from -2 to 1 for",
    ),
    (
        "tuple_index_mixed",
        "t = (1, 2.5)\na[0] = t[n]",
        "expects a constant index for",
    ),
    (
        "starred_target_of_array",
        "x, *y = a",
        "expects a tuple to unpack into a starred target but got array(float32, 1d, C)",
    ),
    (
        "starred_target_of_few",
        "x, y, *z = (1,)",
        "expects at least 2 values to unpack but got 1",
    ),
    (
        "starred_number",
        "x = max(*n)",
        "expects a tuple after '*' but got int64",
    ),
    (
        "assigned_position",
        "cuda.threadIdx.x = 1",
        "an assignment to 'cuda.threadIdx.x', which is not local, cannot be used",
    ),
    (
        "unpack_number",
        "x, y = n",
        "expects a tuple or an array to unpack but got int64",
    ),
    (
        "unpack_count",
        "x, y = SIZES + (1,)",
        "expects 2 values to unpack but got 3",
    ),
    ("call_number", "a[0] = n(1)", "expects a function to call but got int64"),
    ("call_module", "a[0] = math(1)", "expects a function to call but got"),
    (
        "unknown_function",
        "a[0] = math.factorial(n)",
        "'math.factorial' cannot be used in a kernel",
    ),
    (
        "atomic_of_a_complex_number",
        "cuda.atomic.add(a, 0, 1j)",
        "cannot convert complex128 to float32",
    ),
    (
        "shared_memory",
        "s = cuda.shared.array(6145, np.float64)\ns[0] = n\na[0] = s[0]",
        "with this one, the shared arrays take 49160 bytes, and a block has 49152",
    ),
    (
        "library_function_of_a_tuple",
        "a[0] = np.sqrt((n, 1))",
        "'numpy.sqrt' cannot take tuple(int64, int64); it takes (x, out)",
    ),
    (
        "library_function_of_an_array",
        "a[0] = np.sqrt(a)",
        "'numpy.sqrt' cannot take array(float32, 1d, C); it takes (x, out)",
    ),
    (
        "library_function_of_too_much",
        "a[0] = np.sum(a, 0)",
        "'numpy.sum' takes 1 argument but 2 were given",
    ),
    (
        "library_function_of_nothing",
        "a[0] = np.sqrt()",
        "'numpy.sqrt' is called without argument 'x'",
    ),
    (
        "method_of_too_much",
        "a[0] = a.sum(0)",
        "'ndarray.sum' takes 0 arguments but 1 was given",
    ),
    (
        "operator_of_floats",
        "a[0] = np.bitwise_and(a[0], 1)",
        "'numpy.bitwise_and' cannot take float32, int64; it takes (x, y, out)",
    ),
    (
        "float_exponent",
        "a[0] = math.ldexp(a[0], 1.5)",
        "'math.ldexp' expects an integer as exponent but got float64",
    ),
    (
        "no_class",
        "a[0] = isinstance(a[0], 3)",
        "'isinstance' expects classes of numbers, tuple or numpy.ndarray but got int64",
    ),
    (
        "too_many_arguments",
        "a[0] = add(1, 2, 3, 4)",
        "'add' takes 3 arguments but 4 were given",
    ),
    (
        "missing_argument",
        "a[0] = add(1)",
        "'add' is called without argument 'y'",
    ),
    (
        "unknown_keyword",
        "a[0] = add(1, 2, size=3)",
        "'add' has no parameter 'size'",
    ),
    (
        "argument_twice",
        "a[0] = add(1, 2, x=3)",
        "'add' is given two values for 'x'",
    ),
    (
        "keyword_of_intrinsic",
        "a[0] = math.sqrt(x=2.0)",
        "'math.sqrt' takes no keyword arguments",
    ),
    (
        "intrinsic_arguments",
        "a[0] = math.sqrt(1, 2)",
        "'math.sqrt' takes 1 argument but 2 were given",
    ),
    (
        "sqrt_of_array",
        "a[0] = math.sqrt(a)",
        "'math.sqrt' expects a number but got array(float32, 1d, C)",
    ),
    (
        "min_of_bool",
        "a[0] = min(True, n)",
        "'min' cannot mix bool and other numbers",
    ),
    (
        "round_digits",
        "a[0] = round(1.5, 2.0)",
        "'round' expects an integer as number of digits but got float64",
    ),
    (
        "float_of_bool",
        "a[0] = float(n > 1)",
        "'float' cannot take bool",
    ),
    (
        "len_of_number",
        "a[0] = len(n)",
        "'len' expects an array or a tuple but got int64",
    ),
    (
        "grid_of_four",
        "i = cuda.grid(4)",
        "'cuda.grid' expects a constant 1, 2 or 3 but got 4",
    ),
    (
        "grid_keyword",
        "i = cuda.grid(rank=1)",
        "'cuda.grid' has no parameter \"rank\"",
    ),
    (
        "grid_of_variable",
        "i = cuda.grid(n)",
        "'cuda.grid' expects a constant 1, 2 or 3 but got int64",
    ),
    (
        "call_thread_id",
        "i = cuda.threadIdx.x()",
        "expects a function to call but got int32",
    ),
    (
        "cast_array",
        "a[0] = np.float64(a)",
        "expects one number to convert to float64 but got",
    ),
    (
        "shape_not_constant",
        "s = cuda.shared.array(n, float32)",
        "expects a constant int or a tuple of them as the shape of 'cuda.shared.array' but got int64",
    ),
    (
        "negative_shape",
        "s = cuda.local.array(-1, float32)",
        "expects extents of at least 0 but got -1",
    ),
    (
        "no_dtype",
        "s = cuda.local.array(3)",
        "'cuda.local.array' needs a shape and a dtype",
    ),
    (
        "string_dtype",
        "s = cuda.local.array(3, 'float3')",
        "expects a dtype for 'cuda.local.array' but got the string 'float3'",
    ),
    (
        "number_dtype",
        "s = cuda.local.array(3, n)",
        "expects a dtype for 'cuda.local.array' but got int64",
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
        "expects a range, an array or a tuple of one type to iterate over but got int64",
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
        "kernel 'k' returns a value of type int64; a kernel has results only through its arrays",
    ),
    (
        "array_result",
        "b[0, 0] = fresh(n)",
        "an array in local memory that is returned has to be a parameter of 'fresh', under its own name, or a part of one",
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
        "walrus_in_and",
        "if n > 0 and (m := n):\n    a[0] = 1",
        "an assignment within 'and', 'or' or a conditional expression cannot be used in a kernel",
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
    (
        "print_many",
        f"print({', '.join(['n'] * 33)})",
        "'print' takes 0 to 32 arguments but 33 were given",
    ),
    (
        "print_many_numbers",
        f"print({', '.join(['cuda.threadIdx'] * 11)})",
        "'print' writes at most 32 numbers but got 33, two for each complex number and three for each x, y, z",
    ),
    (
        "unknown_field",
        "p = cuda.local.array(2, POINT)\na[0] = p[0].mas",
        "Record(x: float32, mass: int32, name: ..., v: 2xfloat32) has no field "
        "'mas'",
    ),
    (
        "unknown_field_by_name",
        "p = cuda.local.array(2, POINT)\na[0] = p[0]['z']",
        "has no field 'z'",
    ),
    (
        "unknown_field_of_array",
        "p = cuda.local.array(2, POINT)\np['z'][0] = 1",
        "array(Record(x: float32, mass: int32, name: ..., v: 2xfloat32), 1d, C) "
        "has no field 'z'",
    ),
    (
        "assign_unknown_field",
        "p = cuda.local.array(2, POINT)\np[0].y = 1",
        "has no field 'y'",
    ),
    (
        "field_of_text",
        "p = cuda.local.array(2, POINT)\nq = p[0].name",
        "field 'name' of Record(x: float32, mass: int32, name: ..., v: 2xfloat32) "
        "is of a kind that a kernel cannot use",
    ),
    (
        "field_by_unknown_number",
        "p = cuda.local.array(2, POINT)\na[0] = p[0][n]",
        "expects a constant or a name as index of Record(x: float32, mass: int32, "
        "name: ..., v: 2xfloat32), whose fields differ in type",
    ),
    (
        "field_by_wrong_number",
        "p = cuda.local.array(2, POINT)\na[0] = p[0][4]",
        "expects the number of a field from -4 to 3 for Record(x: float32, mass: "
        "int32, name: ..., v: 2xfloat32) but got 4",
    ),
    (
        "attribute_of_number",
        "n.x = 1",
        "cannot assign to attribute 'x' of int64",
    ),
    (
        "attribute_of_array",
        "a.shape = (2, 2)",
        "cannot assign to attribute 'shape' of array(float32, 1d, C)",
    ),
    (
        "field_of_constant",
        "POINTS[0].x = 1",
        "expects a record that can be written but got one in constant memory",
    ),
    (
        "number_into_record",
        "p = cuda.local.array(2, POINT)\np[0] = 1",
        "expects Record(x: float32, mass: int32, name: ..., v: 2xfloat32) to "
        "store in array(Record(x: float32, mass: int32, name: ..., v: 2xfloat32), "
        "1d, C) but got int64",
    ),
    (
        "record_into_number",
        "a[0] = POINTS[1]",
        "expects a number to store in array(float32, 1d, C) but got Record(x: "
        "float32, mass: int32, name: ..., v: 2xfloat32)",
    ),
    (
        "record_of_numbers",
        "p = POINT(1)",
        "expects a function to call but got dtype Record(x: float32, mass: int32, "
        "name: ..., v: 2xfloat32)",
    ),
    (
        "record_plus_number",
        "a[0] = POINTS[0] + 1",
        "operator '+' cannot take Record(x: float32, mass: int32, name: ..., v: "
        "2xfloat32) and int64",
    ),
    (
        "length_of_record",
        "a[0] = len(POINTS[0])",
        "'len' expects an array or a tuple but got Record(x: float32",
    ),
    (
        "record_to_unpack",
        "x, y, z, v = POINTS[0]",
        "expects a tuple or an array to unpack but got Record(x: float32",
    ),
    (
        "record_to_iterate",
        "for v in POINTS[0]:\n    a[0] = 1",
        "expects a range, an array or a tuple of one type to iterate over but got "
        "Record(x: float32",
    ),
    (
        "truth_of_record",
        "if POINTS[0]:\n    a[0] = 1",
        "name: ..., v: 2xfloat32) has no truth value",
    ),
    (
        "fill_with_record",
        "p = cuda.local.array(2, POINT)\np.fill(POINTS[0])",
        "'fill' expects an array of numbers but got array(Record(x: float32",
    ),
    (
        "local_record_returned",
        "a[0] = point(n).x",
        "an array in local memory that is returned has to be a parameter of "
        "'point', under its own name, or a part of one",
    ),
    (
        "view_as_number",
        "c = a.view(3)",
        "'view' expects a dtype but got int64",
    ),
    (
        "view_of_columns",
        "c = b.T.view(float32)",
        "cannot view array(int64, 2d, F) as float32",
    ),
]
