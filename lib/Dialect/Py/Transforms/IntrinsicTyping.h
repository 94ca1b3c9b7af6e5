// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the rules that Intrinsics.td names type a call. Each rule is a function;
// a file registers those of its family.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_INTRINSICTYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_INTRINSICTYPING_H

#include "FunctionInference.h"
#include "pyk/Dialect/Pyk/IR/PykTypes.h"
#include "pyk/Intrinsics/Intrinsics.h"
#include <array>

namespace pyk::py {

/// A call of an intrinsic with as many arguments as that takes. The object of a
/// method is the first of them.
struct IntrinsicCall {
  FunctionInference &inference;
  CallOp op;
  const Intrinsic &row;
  mlir::ArrayRef<Fact> arguments;
  llvm::SmallVector<mlir::Type> types;
  mlir::MLIRContext *context;
  /// The intrinsic as programs write it; a method's name alone.
  llvm::StringRef name;
  bool isMethod;
  /// What `arguments` refers to after orderArguments.
  llvm::SmallVector<Fact> ordered = {};

  IntrinsicCall(FunctionInference &inference, CallOp op, const Intrinsic &row,
                mlir::ArrayRef<Fact> arguments);

  mlir::Type getInteger(unsigned width) const {
    return mlir::IntegerType::get(context, width, mlir::IntegerType::Signed);
  }

  /// Where the argument at `position` stands; the items of one tuple stand
  /// where that does.
  mlir::Location locate(size_t position);

  /// Emit an error unless there are `least` to `most` arguments, a method's
  /// object not counted, unless all are numbers, and unless none of these is
  /// complex.
  mlir::LogicalResult expectCount(size_t least, size_t most);
  mlir::LogicalResult expectNumbers();
  mlir::LogicalResult expectReals();

  /// Puts the arguments, of which there are enough, in the order of the row's
  /// parameters, all of which have names; the call has no keywords then.
  mlir::LogicalResult orderArguments();

  /// `error` at the argument at `position`: `'name' expects <wanted> but got
  /// <its type>`.
  mlir::InFlightDiagnostic refuse(size_t position, llvm::StringRef wanted);

  /// The result of a call for which arguments are converted to `computes`: of
  /// no type None, of several a tuple.
  Fact compute(mlir::ArrayRef<mlir::Type> computes,
               mlir::ArrayRef<mlir::Type> gives);
};

/// A reading of an attribute that the table lists.
struct AttributeRead {
  FunctionInference &inference;
  AttributeOp op;
  const Intrinsic &row;
  /// What is known of the object.
  const Fact &object;
  mlir::MLIRContext *context;

  /// The setting of that name, a number.
  int64_t getNumber(llvm::StringRef setting) const {
    return row.getSetting<mlir::IntegerAttr>(setting, context).getInt();
  }
};

/// The intrinsic that `op` calls by its name; null if it calls something else.
const Intrinsic *getCalledIntrinsic(CallOp op);

/// What a call of `intrinsic` yields. The object of a method is the first of
/// `arguments`.
mlir::FailureOr<Fact> inferIntrinsic(FunctionInference &inference, CallOp op,
                                     const Intrinsic &intrinsic,
                                     mlir::ArrayRef<Fact> arguments);

/// What the attribute `row` of `object` is.
mlir::FailureOr<Fact> inferAttribute(FunctionInference &inference,
                                     AttributeOp op, const Intrinsic &row,
                                     const Fact &object);

/// The type of an intrinsic that is a number without a call; null of others.
mlir::Type getValueType(const Intrinsic &intrinsic, mlir::MLIRContext *context);

/// The type of a function on `arguments`, one of which is a time; null if it
/// takes no such arguments.
mlir::Type getTimeResult(intrinsics::TypingRule rule,
                         mlir::ArrayRef<mlir::Type> arguments);

/// The type of the extents and the number of elements of `object`, an array or
/// what else has a length: int64. With narrow typing it is int32, as launches
/// see to; where the number is known it has to fit, as a literal.
mlir::Type getSizeType(const FunctionInference &inference, mlir::Type object);

/// f32 if it holds a number of `type`, else f64.
mlir::Type getLeastReal(mlir::Type type);

/// The functions by rule: of calls, and of attributes.
class TypingRules {
public:
  using Function = mlir::FailureOr<Fact> (*)(IntrinsicCall &call);
  using AttributeFunction = mlir::FailureOr<Fact> (*)(AttributeRead &read);

  /// All rules of all families.
  static const TypingRules &get();

  void add(intrinsics::TypingRule rule, Function function) {
    functions[static_cast<size_t>(rule)] = function;
  }
  void add(intrinsics::TypingRule rule, AttributeFunction function) {
    attributeFunctions[static_cast<size_t>(rule)] = function;
  }

  Function operator[](intrinsics::TypingRule rule) const {
    return functions[static_cast<size_t>(rule)];
  }
  AttributeFunction ofAttribute(intrinsics::TypingRule rule) const {
    return attributeFunctions[static_cast<size_t>(rule)];
  }

private:
  std::array<Function, intrinsics::kTypingRules> functions{};
  std::array<AttributeFunction, intrinsics::kTypingRules> attributeFunctions{};
};

/// The array that a call accesses, its first argument.
mlir::FailureOr<ArrayType> expectArray(IntrinsicCall &call);

/// Checks that the second argument selects an element of `array`.
mlir::LogicalResult expectElement(IntrinsicCall &call, ArrayType array);

/// Checks the argument at `position`, a number for an element of `array`.
mlir::LogicalResult expectNumber(IntrinsicCall &call, size_t position,
                                 ArrayType array);

/// The rule of print, which is none of text alone (PrintRules.cpp).
mlir::FailureOr<Fact> inferPrint(IntrinsicCall &call);

// The families.
void addNumberRules(TypingRules &rules);
void addIterationRules(TypingRules &rules);
void addAccessRules(TypingRules &rules);
void addAtomicRules(TypingRules &rules);
void addWarpRules(TypingRules &rules);
void addAllocationRules(TypingRules &rules);
void addTextRules(TypingRules &rules);
void addVectorRules(TypingRules &rules);
void addArrayRules(TypingRules &rules);
void addMemberRules(TypingRules &rules);

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_INTRINSICTYPING_H
