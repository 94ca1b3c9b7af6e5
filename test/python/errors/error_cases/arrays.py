# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays: their indices, views, methods and stores."""

CASES = [
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
        "c = a[1:]\nc += 1j",
        "operator '+=' cannot take array(float32, 1d, C) and complex128",
    ),
    (
        "view_plus_tuple",
        "a[1:] += (1, 2)",
        "operator '+=' cannot take array(float32, 1d, C) and tuple(int64, int64)",
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
        "a[1:] = (1, (2, 3))",
        "expects a tuple of numbers to store in array(float32, 1d, C) but got tuple(int64, tuple(int64, int64))",
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
        "reshape_too_large",
        "x = a.reshape(2**62, 4)",
        "expects less than 2^48 elements in a shape",
    ),
    (
        "reshape_empty_too_large",
        "x = a.reshape((0, n, 2**48))",
        "expects less than 2^48 elements in a shape",
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
        "scatter_array",
        "x = cuda.local.array(2, np.int64)\na[x] = a",
        "expects a number to store where an array says but got array(float32, 1d, C)",
    ),
]
