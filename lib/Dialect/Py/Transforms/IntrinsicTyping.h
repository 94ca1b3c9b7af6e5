// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the rules that Intrinsics.td names type a call. Each rule is a function;
// a file registers those of its family.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_INTRINSICTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_INTRINSICTYPING_H

#include "Inference.h"

namespace pyk::py {

/// A call of an intrinsic with as many arguments as that takes.
struct IntrinsicCall {
  FunctionInference &inference;
  CallOp op;
  const Intrinsic &row;
  mlir::ArrayRef<Fact> arguments;
  llvm::SmallVector<mlir::Type> types;
  mlir::MLIRContext *context;
  /// The intrinsic as programs write it.
  llvm::StringRef name;

  IntrinsicCall(FunctionInference &inference, CallOp op, const Intrinsic &row,
                mlir::ArrayRef<Fact> arguments);

  mlir::Type getInteger(unsigned width) const {
    return mlir::IntegerType::get(context, width, mlir::IntegerType::Signed);
  }

  /// Where the argument at `position` stands; the items of one tuple stand
  /// where that does.
  mlir::Location locate(size_t position);

  /// Emit an error unless there are `least` to `most` arguments, unless all are
  /// numbers, and unless none of these is complex.
  mlir::LogicalResult expectCount(size_t least, size_t most);
  mlir::LogicalResult expectNumbers();
  mlir::LogicalResult expectReals();

  /// `error` at the argument at `position`: `'name' expects <wanted> but got
  /// <its type>`.
  mlir::InFlightDiagnostic refuse(size_t position, llvm::StringRef wanted);

  /// The result of a call for which arguments are converted to `computes`: of
  /// no type None, of several a tuple.
  Fact compute(mlir::ArrayRef<mlir::Type> computes,
               mlir::ArrayRef<mlir::Type> gives);
};

/// f32 if it holds a number of `type`, else f64.
mlir::Type getLeastReal(mlir::Type type);

/// The functions by rule.
class TypingRules {
public:
  using Function = mlir::FailureOr<Fact> (*)(IntrinsicCall &call);

  /// All rules of all families.
  static const TypingRules &get();

  void add(intrinsics::TypingRule rule, Function function) {
    functions[static_cast<size_t>(rule)] = function;
  }

  Function operator[](intrinsics::TypingRule rule) const {
    return functions[static_cast<size_t>(rule)];
  }

private:
  std::array<Function, intrinsics::kTypingRules> functions{};
};

/// The rule of print, which is none of text alone (InferPrint.cpp).
mlir::FailureOr<Fact> inferPrint(IntrinsicCall &call);

// The families.
void addNumberTyping(TypingRules &rules);
void addIterationTyping(TypingRules &rules);
void addAtomicTyping(TypingRules &rules);
void addArrayTyping(TypingRules &rules);
void addTextTyping(TypingRules &rules);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_INTRINSICTYPING_H
