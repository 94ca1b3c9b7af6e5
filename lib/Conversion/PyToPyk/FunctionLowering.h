// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds a pyk.func from a typed py.func: what all parts share, and the parts.
//
// Variables have a *binding* at each point: the SSA values of their parts. A
// scalar or an array is one value, a tuple the values of its items, and what
// exists at compile time only has none. Statements are walked in order with the
// bindings at hand, so SSA form falls out; where control meets, the types that
// inference wrote down say what a binding becomes.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_FUNCTIONLOWERING_H
#define PYK_LIB_CONVERSION_PYTOPYK_FUNCTIONLOWERING_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Intrinsics/Intrinsics.h"

namespace pyk::py {

/// A value of a py type as values of pyk.
struct Binding {
  /// Type in the py dialect.
  mlir::Type type;
  /// The values; none for what exists at compile time only.
  mlir::SmallVector<mlir::Value, 1> parts;
};

/// Appends the pyk types of the parts of a value of `type`.
void appendPartTypes(mlir::Type type, mlir::SmallVectorImpl<mlir::Type> &parts);

/// The types of the values that stand for values of `types`.
llvm::SmallVector<mlir::Type> getPartTypes(mlir::ArrayRef<mlir::Type> types);

/// What a lowered function does beyond what it says.
struct LoweringOptions {
#define PYK_LOWERING_OPTION(type, member, flag, value, words, help)            \
  type member = value;
#include "pyk/Pipelines/CompileOptions.inc"
#include <memory>
};

// The parts, each in a header of its own.
class ArrayLowering;
class CallLowering;
class Checks;
class ComplexLowering;
class ExpressionLowering;
class IteratorLowering;
class LoopLowering;
class NdRangeLowering;
class OperatorLowering;
class RangeLowering;
class RecordLowering;
class StatementLowering;
class TextLowering;
class TimeLowering;
class TupleLowering;
class Variables;
class VectorLowering;
class WrapperLowering;

/// Lowers one function. It owns what all parts share, and the parts, which
/// reach each other through it. Nothing here fails on a function that inference
/// has accepted; what cannot be lowered has been refused there.
class FunctionLowering {
public:
  FunctionLowering(FuncOp source, mlir::OpBuilder &builder,
                   const LoweringOptions &options);
  ~FunctionLowering();

  /// Builds the function at the builder's insertion point.
  void run();

  mlir::OpBuilder &getBuilder() { return builder; }
  const LoweringOptions &getOptions() const { return options; }
  Typing getTyping() const { return typing; }
  /// Flags of float arithmetic: `contract` unless it is off.
  mlir::arith::FastMathFlags getFlags() const { return flags; }
  /// Whether float32 may be approximate.
  bool isApproximate();
  /// What divisions and functions that yield `type` may do.
  mlir::arith::FastMathFlags getApproximation(mlir::Type type);
  /// The function that is lowered, and what it becomes.
  FuncOp getSource() const { return source; }
  mlir::FunctionOpInterface getFunction() const { return function; }

  /// What an expression has yielded.
  const Binding &get(mlir::Value value) { return values[value]; }
  void set(mlir::Value value, Binding binding) {
    values[value] = std::move(binding);
  }

  // Between types, each of which has its part (Conversions.cpp).

  /// `value`, a scalar of type `from`, as one of `to`.
  mlir::Value convert(mlir::Value value, mlir::Type from, mlir::Type to,
                      mlir::Location loc);
  /// `binding` as a value of `to`.
  Binding convert(const Binding &binding, mlir::Type to, mlir::Location loc);
  /// Whether `binding` counts as true, an i1.
  mlir::Value getTruth(const Binding &binding, mlir::Location loc);

  // The parts.
  ArrayLowering &arrays();
  CallLowering &calls();
  Checks &checks();
  ComplexLowering &complexNumbers();
  ExpressionLowering &expressions();
  IteratorLowering &iterators();
  LoopLowering &loops();
  NdRangeLowering &ndRanges();
  OperatorLowering &operators();
  RangeLowering &ranges();
  RecordLowering &records();
  StatementLowering &statements();
  TextLowering &texts();
  TimeLowering &times();
  TupleLowering &tuples();
  Variables &variables();
  VectorLowering &vectors();
  WrapperLowering &wrappers();

private:
  struct Parts;

  FuncOp source;
  Typing typing;
  mlir::OpBuilder &builder;
  LoweringOptions options;
  mlir::arith::FastMathFlags flags;
  mlir::FunctionOpInterface function;
  llvm::DenseMap<mlir::Value, Binding> values;
  std::unique_ptr<Parts> parts;
};

/// A part of the lowering of one function: what lowers one kind of values or
/// statements.
class LoweringPart {
public:
  explicit LoweringPart(FunctionLowering &lowering)
      : lowering(lowering), builder(lowering.getBuilder()),
        context(builder.getContext()) {}

protected:
  FunctionLowering &lowering;
  mlir::OpBuilder &builder;
  mlir::MLIRContext *context;
};

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_FUNCTIONLOWERING_H
