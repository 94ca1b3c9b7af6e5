// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inference knows of values and variables.
//
// A *fact* is what is known of a value: its type and, where it is known while
// compiling, the value itself. A *definition* is one place that gives a
// variable a value: a parameter, an assignment, or a join, where several
// definitions meet. An *environment* maps variables to the definitions that
// reach a point. Facts only grow, by unification.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_DEFINITIONS_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_DEFINITIONS_H

#include "pyk/Dialect/Py/IR/PyOps.h"
#include "llvm/ADT/MapVector.h"

namespace pyk::py {

/// What is known of a value.
struct Fact {
  /// Null: nothing is known yet (a value on the way around a loop).
  mlir::Type type;
  /// The value, if it is known while compiling: an int, a bool, or a tuple of
  /// them, with units for the items that are not known. Else null.
  mlir::Attribute constant;
  /// True if Numba has a literal type for it: it specializes what is called
  /// with it. Results of arithmetic are known here, but are no literals.
  bool isLiteral = false;
  /// True for a default that a call left out.
  bool isOmitted = false;

  bool operator==(const Fact &other) const {
    return type == other.type && constant == other.constant &&
           isLiteral == other.isLiteral && isOmitted == other.isOmitted;
  }
};

/// The fact of a compile-time object.
Fact makeConstant(mlir::Attribute value);

/// A fact of which only the type is known.
inline Fact makeTyped(mlir::Type type) {
  Fact fact;
  fact.type = type;
  return fact;
}

/// The constant of a tuple with these items, units where they are not known;
/// null if none is.
mlir::Attribute makeTupleConstant(mlir::MLIRContext *context,
                                  mlir::ArrayRef<mlir::Attribute> items);

/// What is known of a tuple with these items, whose types are known.
Fact makeTuple(mlir::MLIRContext *context, mlir::ArrayRef<Fact> items);

/// What is known of an item of a tuple or a named tuple.
Fact getTupleItem(const Fact &tuple, unsigned position);

/// What is known of a value that is one or the other; no type if they have no
/// common one.
Fact unify(const Fact &a, const Fact &b);

/// The condition of `while` stands once in the text, but Numba asks it in two
/// places: before the loop and at the end of each iteration.
enum class Copy : uint8_t { Only, First, Again };

/// Where in a statement a variable gets a value.
enum class DefinitionKind : uint8_t {
  Assignment,
  Join,
  Head,
  Bottom,
  Exit,
  After
};

/// One place that gives a variable a value.
struct Definition {
  Definition(mlir::Operation *op, mlir::StringAttr name, DefinitionKind kind,
             Copy copy)
      : op(op), name(name), kind(kind), copy(copy) {}

  /// The assignment; the function for a parameter; the statement of a join.
  mlir::Operation *op;
  mlir::StringAttr name;
  DefinitionKind kind;
  Copy copy;
  /// All that it has held so far.
  Fact fact;
  /// Of a join: what meets there, without paths that bring no value.
  llvm::SmallVector<Definition *, 2> sources;
  /// True for an assignment that can run, as far as constants tell.
  bool isReached = false;
  /// True for a join that some path reaches without a value.
  bool isPartial = false;
  /// True for a join that something reads, so that its sources must agree.
  bool isWanted = false;
  /// Of a join within or after a loop: the one at its head, which carries
  /// the value there.
  Definition *head = nullptr;
  /// Assignments of two types without a common one, and those types.
  mlir::Operation *clashing[2] = {nullptr, nullptr};
  mlir::Type clash[2];

  bool isJoin() const { return kind != DefinitionKind::Assignment; }
};

/// The definition of each variable that has a value on some path to here.
using Environment = llvm::SmallMapVector<mlir::StringAttr, Definition *, 8>;

/// Where control may go after a statement, and what is known there. No
/// environment means that control does not go that way.
struct Flow {
  std::optional<Environment> next;
  llvm::SmallVector<Environment, 0> breaks, continues;
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_DEFINITIONS_H
