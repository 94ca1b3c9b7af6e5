# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dates and time spans."""

CASES = [
    (
        "sum_of_dates",
        "x = DAY + DAY",
        "operator '+' cannot take datetime64[D] and datetime64[D]",
    ),
    (
        "months_and_days",
        "x = np.timedelta64(1, 'M') + HOUR",
        "operator '+' cannot take timedelta64[M] and timedelta64[h]",
    ),
    (
        "day_and_months",
        "x = DAY - np.timedelta64(1, 'Y')",
        "operator '-' cannot take datetime64[D] and timedelta64[Y]",
    ),
    (
        "span_without_a_date",
        "x = HOUR - DAY",
        "operator '-' cannot take timedelta64[h] and datetime64[D]",
    ),
    (
        "weeks_and_attoseconds",
        "x = np.timedelta64(1, 'W') < np.timedelta64(1, 'as')",
        "operator '<' cannot take timedelta64[W] and timedelta64[as]",
    ),
    (
        "date_and_number",
        "x = DAY + 1",
        "operator '+' cannot take datetime64[D] and int64",
    ),
    (
        "date_and_span_compared",
        "x = DAY == HOUR",
        "operator '==' cannot take datetime64[D] and timedelta64[h]",
    ),
    (
        "number_by_span",
        "x = 1 / HOUR",
        "operator '/' cannot take int64 and timedelta64[h]",
    ),
    (
        "span_times_bool",
        "x = HOUR * (n > 0)",
        "operator '*' cannot take timedelta64[h] and bool",
    ),
    ("negative_date", "x = -DAY", "operator '-' cannot take datetime64[D]"),
    ("bits_of_a_span", "x = ~HOUR", "operator '~' cannot take timedelta64[h]"),
    (
        "truth_of_a_span",
        "if HOUR:\n    pass",
        "timedelta64[h] has no truth value",
    ),
    (
        "bool_of_a_span",
        "x = bool(HOUR)",
        "'bool' expects a number but got timedelta64[h]",
    ),
    (
        "int_of_a_date",
        "x = int(DAY)",
        "'int' expects a number but got datetime64[D]",
    ),
    (
        "narrow_count",
        "x = np.int32(HOUR)",
        "cannot convert timedelta64[h] to int32",
    ),
    (
        "span_in_array_of_numbers",
        "a[0] = HOUR",
        "cannot convert timedelta64[h] to float32",
    ),
    (
        "number_in_array_of_spans",
        "s = cuda.local.array(1, 'm8[h]')\ns[0] = 1",
        "cannot convert int64 to timedelta64[h]",
    ),
    (
        "coarser_unit",
        "s = cuda.local.array(1, 'm8[D]')\ns[0] = HOUR",
        "cannot convert timedelta64[h] to timedelta64[D]",
    ),
    (
        "days_in_array_of_months",
        "s = cuda.local.array(1, 'm8[M]')\ns[0] = HOUR",
        "cannot convert timedelta64[h] to timedelta64[M]",
    ),
    (
        "span_in_array_of_dates",
        "s = cuda.local.array(1, 'M8[D]')\ns[0] = HOUR",
        "cannot convert timedelta64[h] to datetime64[D]",
    ),
    (
        "two_units_in_one_variable",
        "x = HOUR\nif n > 0:\n    x = np.timedelta64(1, 'D')\nx = x * 2",
        "cannot unify timedelta64[D] and timedelta64[h] for variable 'x'",
    ),
    (
        "time_of_what_is_not_constant",
        "x = np.timedelta64(n, 'D')",
        "np.timedelta64(...) of anything but constants cannot be used in a kernel",
    ),
    (
        "text_that_is_no_date",
        "x = np.datetime64('soon')",
        "np.datetime64('soon') (Error parsing datetime string \"soon\" at position 0) cannot be used in a kernel",
    ),
    (
        "nat_of_a_number",
        "x = np.isnat(1.0)",
        "'numpy.isnat' cannot take float64",
    ),
    (
        "larger_of_date_and_span",
        "x = np.maximum(DAY, HOUR)",
        "'numpy.maximum' cannot take datetime64[D], timedelta64[h]",
    ),
    (
        "printed_date",
        "print(DAY)",
        "'print' expects numbers, tuples of them and constant strings but got "
        "datetime64[D]",
    ),
    (
        "atomic_on_spans",
        "s = cuda.shared.array(1, 'm8[h]')\ncuda.atomic.add(s, 0, HOUR)",
        "'cuda.atomic.add' cannot work on array(timedelta64[h], 1d, C)",
    ),
]

#: What a note below the message says to do, or why.
REMEDIES = [
    ("print(DAY)", "np.int64(...) is the number of its units"),
    (
        "x = np.timedelta64(1, 'M') + HOUR",
        "a month or a year has no fixed number of days",
    ),
    (
        "x = np.timedelta64(1, 'W') < np.timedelta64(1, 'as')",
        "one 'W' is more 'as' than 64 bits hold",
    ),
    ("if HOUR:\n    pass", "compare it with another one"),
    ("x = bool(HOUR)", "np.int64(...) is the number of its units"),
    (
        "s = cuda.local.array(1, 'm8[h]')\ns[0] = 1",
        "an integer times np.timedelta64(1, 'D') is a timedelta64[D]",
    ),
    (
        "s = cuda.local.array(1, 'm8[D]')\ns[0] = HOUR",
        "the other unit is coarser; '//' by one of it, such as np.timedelta64(1, 'D'), counts whole ones",
    ),
    (
        "s = cuda.local.array(1, 'M8[D]')\ns[0] = np.datetime64('2005-02-03T04')",
        "the other unit is coarser, so that the date would be cut off",
    ),
]
