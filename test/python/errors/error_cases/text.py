# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strings, bytes and characters."""

CASES = [
    (
        "str_and_bytes",
        "s = 'a'\nif n > 0:\n    s = b'a'\nx = s == 'a'",
        "cannot unify bytes and str for variable 's'",
    ),
    (
        "nul_at_the_end",
        "s = 'a' if n > 0 else 'a\\0'",
        "cannot unify str and str, between which the conditional expression",
    ),
    (
        "order_of_two_kinds",
        "x = 'a' < b'b'",
        "operator '<' cannot take str and bytes",
    ),
    (
        "bytes_and_number",
        "x = b'a' == n",
        "operator '==' cannot take bytes and int64",
    ),
    (
        "bytes_in_str",
        "x = b'a' in 'abc'",
        "operator 'in' cannot take bytes and str",
    ),
    (
        "concatenation",
        "s = 'a' if n > 0 else 'bc'\nx = s + 'd'",
        "operator '+' cannot take str[2] and str",
    ),
    (
        "method_of_a_string",
        "s = 'a' if n > 0 else 'bc'\nx = s.upper()",
        "str[2] has no attribute 'upper'",
    ),
    (
        "find_of_two_arguments",
        "x = 'abc'.find('b', 1)",
        "'find' takes 1 argument but 2 were given",
    ),
    (
        "find_of_bytes",
        "x = 'abc'.find(b'b')",
        "'find' expects str to look for but got bytes",
    ),
    (
        "isascii_of_an_argument",
        "x = 'abc'.isascii(n)",
        "'isascii' takes 0 arguments but 1 was given",
    ),
    (
        "slice_of_a_string",
        "x = 'abc'[n:]",
        "expects an integer as index of str but got slice(int64, None, None)",
    ),
    (
        "float_index_of_a_string",
        "s = 'abc'\nx = s[1.5]",
        "expects an integer as index of str but got float64",
    ),
    (
        "index_behind_a_string",
        "x = 'abc'[3]",
        "index 3 is out of range for str of length 3",
    ),
    (
        "index_behind_characters",
        "s = 'a' if n > 0 else 'bc'\nx = s[-3]",
        "index -3 is out of range for str[2] of length 2",
    ),
    (
        "loop_over_a_string",
        "for c in 'abc':\n    pass",
        "to iterate over but got str",
    ),
    ("ord_of_a_number", "x = ord(n)", "'ord' expects a character"),
    (
        "ord_of_two_characters",
        "x = ord('ab')",
        "'ord' expects a character but got str of length 2",
    ),
    ("str_of_a_number", "x = str(n)", "'str' expects str but got int64"),
    (
        "print_of_a_string_by_path",
        "s = 'a' if n > 0 else 'bc'\nprint(s)",
        "tuples of them and constant strings but got str[2]",
    ),
    (
        "str_in_a_field_of_bytes",
        "NAMED_COPY = cuda.local.array(2, NAMED.dtype)\n"
        "NAMED_COPY[0].name = 'ab'",
        "cannot convert str to bytes[3]",
    ),
    (
        "number_in_text",
        "t = cuda.local.array(2, NAMED.dtype)\nt[0].text = n",
        "cannot convert int64 to str[3]",
    ),
    (
        "text_in_numbers",
        "a[0] = NAMED[0].text",
        "expects a number to store in array(float32, 1d, C) but got str[3]",
    ),
    (
        "text_in_filled_numbers",
        "a.fill('abc')",
        "cannot convert str to float32",
    ),
]
