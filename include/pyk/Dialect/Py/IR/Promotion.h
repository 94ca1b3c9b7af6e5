// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba's rules for the types of operators, comparisons and joins, as measured
// on numba-cuda 0.30.4. Types are those of the py dialect: `i1` is bool, other
// integers are signed or unsigned.

#ifndef PYK_DIALECT_PY_IR_PROMOTION_H
#define PYK_DIALECT_PY_IR_PROMOTION_H

#include "mlir/IR/BuiltinTypes.h"
#include "pyk/Dialect/Py/IR/PyAttributes.h"
#include <optional>
#include <string>

namespace pyk::py {

/// True for bool, integers, floats and complex numbers.
bool isScalar(mlir::Type type);

/// True for bool, integers and floats.
bool isReal(mlir::Type type);

/// True for complex numbers.
bool isComplex(mlir::Type type);

/// The type of the real and the imaginary part of a number: that of a real
/// number is its own.
mlir::Type getPartType(mlir::Type type);

/// True for bool.
bool isBool(mlir::Type type);

/// True for integers other than bool.
bool isInteger(mlir::Type type);

/// True for the type of `()`; false for none.
bool isEmptyTuple(mlir::Type type);

/// True for the types that a value may have once it is inferred.
bool isPythonType(mlir::Type type);

/// Whose rules operators follow: Numba's, or those that keep to 32 bits.
enum class Typing { Numba, Narrow };

/// The type of `kind` applied to `lhs` and `rhs`; null if the operator does
/// not take them.
mlir::Type getBinaryType(BinaryOperator kind, mlir::Type lhs, mlir::Type rhs,
                         Typing typing);

/// The type of `kind` applied to `operand`; null if the operator does not
/// take it.
mlir::Type getUnaryType(UnaryOperator kind, mlir::Type operand, Typing typing);

/// The type that `operand`, which has type `own`, has as an operand beside one
/// of type `other`. A constant is weak where typing is narrow: it takes the
/// type of the other operand if that holds it.
mlir::Type getOperandType(mlir::Value operand, mlir::Type own, mlir::Type other,
                          Typing typing);

/// The type in which scalars are compared; null if they cannot be. Signed
/// against unsigned 64-bit integers, which have no common type, yield `ui64`:
/// the caller compares the sign first.
mlir::Type getCompareType(mlir::Type lhs, mlir::Type rhs, Typing typing);

/// The type in which NumPy's loops compute on scalars of `types`, by Numba's
/// reckoning: beside a float, integers count for nothing, and half floats are
/// none. With `isReal` it is a float in any case.
mlir::Type getLoopType(mlir::ArrayRef<mlir::Type> types, bool isReal);

/// The type in which `a op= x` computes on elements of type `element` and
/// numbers of type `number`; null if NumPy would not put the result into the
/// array.
mlir::Type getInplaceType(BinaryOperator kind, mlir::Type element,
                          mlir::Type number, Typing typing);

/// Whether `kind` asks for the identity of numbers, times, members of enums,
/// arrays or tuples of two types, which are never one.
bool areOthers(CompareOperator kind, mlir::Type lhs, mlir::Type rhs);

/// Whether Python's isinstance holds for a value of `type` and `classes`, the
/// type of a class or of a tuple of them; nothing if one is no class that
/// kernels have. An optional is asked of the value that it may have. The
/// classes of Python are those of 64 bits, which literals have, and with narrow
/// typing of 32 as well.
std::optional<bool> isInstance(mlir::Type type, mlir::Type classes,
                               Typing typing);

/// Whether the comparison `kind` holds for a dtype and another one, the name of
/// one or a class of numbers; nothing if neither of the types is a dtype's.
std::optional<bool> compareDtypes(CompareOperator kind, mlir::Type lhs,
                                  mlir::Type rhs, Typing typing);

/// The type of a variable that holds an `a` or a `b`; null if there is none.
mlir::Type unify(mlir::Type a, mlir::Type b);

/// The type that the items of `tuple` have in common where an index that is not
/// known selects one: they are of one type, but arrays may have other extents
/// and lie in other memory, and texts may differ. Null if they differ in more.
mlir::Type getCommonItem(mlir::TupleType tuple);

/// Positions of `types` with narrow scalars first and everything else before
/// them, which is the order in which several types are unified.
mlir::SmallVector<unsigned> sortByWidth(mlir::ArrayRef<mlir::Type> types);

/// The position of the overload that takes `arguments`, all scalars, with the
/// fewest unsafe, then safe, then promoting conversions; the first of equals.
/// Null if none has as many arguments, or real ones for complex numbers.
std::optional<unsigned>
selectOverload(mlir::ArrayRef<mlir::SmallVector<mlir::Type, 3>> overloads,
               mlir::TypeRange arguments);

/// The type as Python's users know it: `int64`, `array(float32, 2d, C)`.
std::string describe(mlir::Type type);

} // namespace pyk::py

#endif // PYK_DIALECT_PY_IR_PROMOTION_H
