// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators of Python that the ops of py.binary, py.unary, py.compare and
// py.logical are told apart by, and what NumPy's types of time are.

#ifndef PYK_DIALECT_PY_IR_PYENUMS_TD
#define PYK_DIALECT_PY_IR_PYENUMS_TD

include "pyk/Dialect/Py/IR/PyDialect.td"
include "mlir/IR/EnumAttr.td"

class Py_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::pyk::py";
  let genSpecializedAttr = 0;
}

def Py_BinaryOperatorEnum : Py_I32Enum<"BinaryOperator", "operator of two values", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"TrueDiv", 3, "truediv">,
    I32EnumAttrCase<"FloorDiv", 4, "floordiv">, I32EnumAttrCase<"Mod", 5, "mod">,
    I32EnumAttrCase<"Pow", 6, "pow">, I32EnumAttrCase<"LShift", 7, "lshift">,
    I32EnumAttrCase<"RShift", 8, "rshift">, I32EnumAttrCase<"BitAnd", 9, "bitand">,
    I32EnumAttrCase<"BitOr", 10, "bitor">, I32EnumAttrCase<"BitXor", 11, "bitxor">,
    I32EnumAttrCase<"MatMul", 12, "matmul">]>;
def Py_BinaryOperatorAttr
    : EnumAttr<Py_Dialect, Py_BinaryOperatorEnum, "binary_operator">;

def Py_UnaryOperatorEnum : Py_I32Enum<"UnaryOperator", "operator of one value", [
    I32EnumAttrCase<"Plus", 0, "plus">, I32EnumAttrCase<"Minus", 1, "minus">,
    I32EnumAttrCase<"Invert", 2, "invert">, I32EnumAttrCase<"Not", 3, "not">]>;
def Py_UnaryOperatorAttr
    : EnumAttr<Py_Dialect, Py_UnaryOperatorEnum, "unary_operator">;

def Py_CompareOperatorEnum : Py_I32Enum<"CompareOperator", "comparison", [
    I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">,
    I32EnumAttrCase<"Lt", 2, "lt">, I32EnumAttrCase<"Le", 3, "le">,
    I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">,
    I32EnumAttrCase<"Is", 6, "is">, I32EnumAttrCase<"IsNot", 7, "isnot">,
    I32EnumAttrCase<"In", 8, "in">, I32EnumAttrCase<"NotIn", 9, "notin">]>;
def Py_CompareOperatorAttr
    : EnumAttr<Py_Dialect, Py_CompareOperatorEnum, "compare_operator">;

def Py_LogicalOperatorEnum : Py_I32Enum<"LogicalOperator", "short-circuit operator", [
    I32EnumAttrCase<"And", 0, "and">, I32EnumAttrCase<"Or", 1, "or">]>;
def Py_LogicalOperatorAttr
    : EnumAttr<Py_Dialect, Py_LogicalOperatorEnum, "logical_operator">;

def Py_TimeKindEnum : Py_I32Enum<"TimeKind", "what a time is", [
    I32EnumAttrCase<"Datetime", 0, "datetime">,
    I32EnumAttrCase<"Timedelta", 1, "timedelta">]>;

/// The finer the unit, the larger its number; no unit is finer than all.
def Py_TimeUnitEnum : Py_I32Enum<"TimeUnit", "unit of a time", [
    I32EnumAttrCase<"Year", 0, "Y">, I32EnumAttrCase<"Month", 1, "M">,
    I32EnumAttrCase<"Week", 2, "W">, I32EnumAttrCase<"Day", 3, "D">,
    I32EnumAttrCase<"Hour", 4, "h">, I32EnumAttrCase<"Minute", 5, "m">,
    I32EnumAttrCase<"Second", 6, "s">, I32EnumAttrCase<"Millisecond", 7, "ms">,
    I32EnumAttrCase<"Microsecond", 8, "us">, I32EnumAttrCase<"Nanosecond", 9, "ns">,
    I32EnumAttrCase<"Picosecond", 10, "ps">, I32EnumAttrCase<"Femtosecond", 11, "fs">,
    I32EnumAttrCase<"Attosecond", 12, "as">,
    I32EnumAttrCase<"Generic", 13, "generic">]>;

def Py_CharsKindEnum : Py_I32Enum<"CharsKind", "what text consists of", [
    I32EnumAttrCase<"Bytes", 0, "bytes">, I32EnumAttrCase<"Str", 1, "str">]>;

#endif // PYK_DIALECT_PY_IR_PYENUMS_TD
