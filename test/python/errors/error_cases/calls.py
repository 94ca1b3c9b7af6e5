# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names, calls and their arguments, tuples."""

CASES = [
    ("unknown_name", "a[0] = foo", "name 'foo' is not defined"),
    ("unknown_attribute", "a[0] = cuda.warp", "'cuda' has no 'warp'"),
    (
        "undecorated_function",
        "a[0] = plain(n)",
        "'plain' is of type function, which a kernel cannot use",
    ),
    ("dict", "a[0] = TABLE[1]", "'TABLE' is of type dict"),
    (
        "index_number",
        "a[0] = n[0]",
        "expects an array or a tuple to index but got int64",
    ),
    (
        "nested_launch",
        "add[1, 32](a, b)",
        "'add' is a device function, which cannot be launched",
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
        "name_of_another_module",
        "a[0] = cuda.rsqrt(a[0])",
        "'cuda' has no 'rsqrt'",
    ),
    (
        "type_of_signatures",
        "a[0] = cuda.types.void",
        "'cuda.types.void' is of type type, which a kernel cannot use",
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
        "part_of_cuda_that_is_not_there_yet",
        "a[0] = cuda.ffi.import_op(n)",
        "'cuda.ffi', which is not yet in PyK, cannot be used in a kernel",
    ),
    (
        "module_in_a_variable",
        "m = math\na[0] = m.sin(n)",
        "module math is in a variable, of which 'sin' cannot be read",
    ),
    (
        "inline_ptx",
        'a[0] = cuda.inline_ptx("mov.u32 %0, 5;", "=r")',
        "'cuda.inline_ptx', which is not in PyK (declare a function of PTX with "
        "cuda.declare_device(..., link=[...]), and with cpu= what the CPU runs "
        "instead), cannot be used in a kernel",
    ),
    (
        "part_of_a_group_that_it_lacks",
        "a[0] = cuda.cg.this_grid().thread_rank",
        "grid_group has no attribute 'thread_rank'",
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
        "builtin_of_a_tuple",
        "a[0] = divmod((n, 1), 2)",
        "'divmod' cannot take tuple(int64, int64), int64; it takes (x, y)",
    ),
    (
        "builtin_of_nothing",
        "a[0] = sum()",
        "'sum' is called without argument",
    ),
    (
        "library_function_of_too_much",
        "a[0] = np.prod(a, 0)",
        "'numpy.prod' takes 1 argument but 2 were given",
    ),
    (
        "library_function_of_nothing",
        "a[0] = np.sqrt()",
        "'numpy.sqrt' is called without argument 'x'",
    ),
    (
        "method_of_too_much",
        "a[0] = a.prod(0)",
        "'ndarray.prod' takes 0 arguments but 1 was given",
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
        "vote_mask",
        "a[0] = cuda.all_sync(1j, True)",
        "'cuda.all_sync' expects a real number but got complex128",
    ),
    (
        "vote_predicate",
        "a[0] = cuda.ballot_sync(-1, a)",
        "'cuda.ballot_sync' expects a number but got array(float32, 1d, C)",
    ),
    (
        "vote_count",
        "a[0] = cuda.any_sync(-1)",
        "'cuda.any_sync' takes 2 arguments but 1 was given",
    ),
    (
        "active_mask_arguments",
        "a[0] = cuda.activemask(-1)",
        "'cuda.activemask' takes 0 arguments but 1 was given",
    ),
    (
        "warp_barrier_mask",
        "cuda.syncwarp(a)",
        "'cuda.syncwarp' expects a number but got array(float32, 1d, C)",
    ),
    (
        "warp_barrier_count",
        "cuda.syncwarp(1, 2)",
        "'cuda.syncwarp' takes at most 1 argument but 2 were given",
    ),
    (
        "warp_keyword",
        "a[0] = cuda.shfl_up_sync(-1, n, offset=1)",
        "'cuda.shfl_up_sync' has no parameter 'offset'",
    ),
    (
        "warp_keyword_twice",
        "a[0] = cuda.any_sync(-1, mask=1)",
        "'cuda.any_sync' is given two values for 'mask'",
    ),
    (
        "warp_keyword_missing",
        "a[0] = cuda.match_any_sync(mask=1)",
        "'cuda.match_any_sync' takes 2 arguments but 1 was given",
    ),
    (
        "shuffle_keyword_missing",
        "a[0] = cuda.shfl_sync(-1, n, width=8)",
        "'cuda.shfl_sync' is called without argument 'src_lane'",
    ),
    (
        "warp_keyword_type",
        "a[0] = cuda.ballot_sync(predicate=a, mask=-1)",
        "'cuda.ballot_sync' expects a number but got array(float32, 1d, C)",
    ),
    (
        "sum_in_an_axis",
        "a[0] = np.sum(a.reshape(2, -1), 0)",
        "'numpy.sum' cannot take array(float32, 2d, C), int64; it takes (a, axis, dtype)",
    ),
    (
        "sum_in_no_type",
        "a[0] = a.sum(dtype=math.sqrt)",
        "'ndarray.sum' cannot take array(float32, 1d, C), math.sqrt; it takes (a, axis, dtype)",
    ),
    (
        "slice_of_four",
        "a[slice(1, 2, 3, 4)] = 1",
        "'slice' with anything but one to three arguments cannot be used in a kernel",
    ),
    (
        "nan_to_num_of_array",
        "a[0] = np.nan_to_num(a)[0]",
        "'numpy.nan_to_num' cannot take array(float32, 1d, C); it takes (x, copy, nan, posinf, neginf)",
    ),
    (
        "trace_with_float_offset",
        "a[0] = np.trace(a.reshape(2, -1), 1.5)",
        "'numpy.trace' cannot take array(float32, 2d, C), float64; it takes (a, offset)",
    ),
    (
        "array_of_other_dtype",
        "a[0] = np.asarray(a, np.float64)[0]",
        "'numpy.asarray' cannot take array(float32, 1d, C), dtype float64; it takes (a, dtype)",
    ),
    (
        "limits_of_no_floats",
        "a[0] = np.finfo(type(n)).max",
        "'numpy.finfo' cannot take dtype int64; it takes (dtype)",
    ),
    (
        "limits_of_a_function",
        "a[0] = np.iinfo(lambda x: x).max",
        "'numpy.iinfo' cannot take function lambda; it takes (int_type)",
    ),
    (
        "limits_of_no_integers",
        "a[0] = np.iinfo(a.dtype).max",
        "'numpy.iinfo' cannot take dtype float32; it takes (int_type)",
    ),
    (
        "searched_side",
        "a[0] = np.searchsorted(a, 1.5, 'middle')",
        "np.searchsorted(a, 1.5, 'middle') (side must be 'left' or 'right') cannot be used in a kernel",
    ),
    (
        "bits_of_float",
        "a[0] = np.bitwise_count(a[0])",
        "'numpy.bitwise_count' cannot take float32; it takes (x, out)",
    ),
    (
        "long_tuples_of_tuples",
        "a[0] = len((((0,) * 256,) * 256,) * 256)",
        "operator '*' cannot take tuple(",
    ),
    (
        "view_of_a_number",
        "a[0] = a[0].view(np.int64)",
        "'view' expects a dtype of numbers of the size of float32 but got dtype int64",
    ),
    (
        "max_of_a_tuple_with_an_array",
        "a[0] = max((1, a))",
        "'max' expects a number but got array(float32, 1d, C)",
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
        "s = cuda.local.array(n, float32)",
        "expects a constant int or a tuple of them as the shape of 'cuda.local.array' but got int64",
    ),
    (
        "shape_known_later",
        "s = cuda.shared.array(n + cuda.threadIdx.x, float32)\na[0] = s.size",
        "expects a size of the shared array that is known at the launch",
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
        "computed_alignment",
        "s = cuda.local.array(3, float32, alignment=n)",
        "expects a constant int as the alignment of 'cuda.local.array' but got int64",
    ),
    (
        "alignment_of_a_float",
        "s = cuda.shared.array(3, float32, 16.0)",
        "expects a constant int as the alignment of 'cuda.shared.array' but got float64",
    ),
    (
        "alignment_of_three",
        "s = cuda.local.array(3, float32, alignment=3)",
        "expects an alignment that is a power of 2 from 8 to 4096 but got 3",
    ),
    (
        "negative_alignment",
        "s = cuda.shared.array(3, float32, alignment=-16)",
        "expects an alignment that is a power of 2 from 8 to 4096 but got -16",
    ),
    (
        "small_alignment",
        "s = cuda.local.array(3, float32, alignment=4)",
        "expects an alignment that is a power of 2 from 8 to 4096 but got 4",
    ),
    (
        "large_alignment",
        "s = cuda.shared.array(3, float32, alignment=8192)",
        "expects an alignment that is a power of 2 from 8 to 4096 but got 8192",
    ),
    (
        "next_of_array",
        "x = next(a)",
        "'next' expects an iterator but got array(float32, 1d, C)",
    ),
    (
        "tuple_of_array",
        "t = tuple(a)",
        "'tuple' cannot take array(float32, 1d, C)",
    ),
    (
        "tuple_index_other",
        "x = (1, 'a').index(a)",
        "cannot compare array(float32, 1d, C) with int64, an item of the tuple",
    ),
    (
        "complex_in_range",
        "a[0] = 1j in range(n)",
        "operator 'in' cannot take complex128 and range of int64",
    ),
]
