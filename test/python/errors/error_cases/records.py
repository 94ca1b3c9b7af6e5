# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records and arrays of them."""

CASES = [
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
        "expects a range, an array or a tuple to iterate over but got "
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
