// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the rules that Intrinsics.td names lower a call. Each rule is a function;
// a file registers those of its family.

#ifndef PYK_LIB_CONVERSION_PYTOPYK_INTRINSICLOWERING_H
#define PYK_LIB_CONVERSION_PYTOPYK_INTRINSICLOWERING_H

#include "FunctionLowering.h"

namespace pyk::py {

/// A call of an intrinsic that inference has accepted.
struct LoweredCall {
  FunctionLowering &lowering;
  CallOp op;
  const Intrinsic &row;
  mlir::ArrayRef<Binding> arguments;
  mlir::OpBuilder &builder;
  mlir::MLIRContext *context;
  mlir::Location loc;
  /// The type of the call.
  mlir::Type type;

  LoweredCall(FunctionLowering &lowering, CallOp op, const Intrinsic &row,
              mlir::ArrayRef<Binding> arguments);

  /// What inference has chosen: the types that arguments are converted to, and
  /// those of the results.
  mlir::FunctionType getSignature();

  /// The arguments in the types of the signature.
  llvm::SmallVector<mlir::Value> getOperands();

  /// The argument at `position` as a number of type `to`.
  mlir::Value convert(size_t position, mlir::Type to);

  /// The row's op with its settings, on `operands`.
  mlir::Operation *makeOp(mlir::ValueRange operands, mlir::TypeRange results);

  /// `values` as the signature's result, in the type of the call.
  Binding yield(mlir::ValueRange values);
};

/// A reading of an attribute that the table lists.
struct LoweredAttribute {
  FunctionLowering &lowering;
  const Intrinsic &row;
  const Binding &object;
  mlir::OpBuilder &builder;
  mlir::MLIRContext *context;
  mlir::Location loc;
  /// The type of the reading.
  mlir::Type type;

  /// The setting of that name, a number.
  int64_t getNumber(llvm::StringRef setting) const {
    return row.getSetting<mlir::IntegerAttr>(setting, context).getInt();
  }
};

/// The functions by rule: of calls, and of attributes.
class LoweringRules {
public:
  using Function = Binding (*)(LoweredCall &call);
  using AttributeFunction = Binding (*)(LoweredAttribute &read);

  /// All rules of all families.
  static const LoweringRules &get();

  void add(intrinsics::LoweringRule rule, Function function) {
    functions[static_cast<size_t>(rule)] = function;
  }
  void add(intrinsics::LoweringRule rule, AttributeFunction function) {
    attributeFunctions[static_cast<size_t>(rule)] = function;
  }

  Function operator[](intrinsics::LoweringRule rule) const {
    return functions[static_cast<size_t>(rule)];
  }
  AttributeFunction ofAttribute(intrinsics::LoweringRule rule) const {
    return attributeFunctions[static_cast<size_t>(rule)];
  }

private:
  std::array<Function, intrinsics::kLoweringRules> functions{};
  std::array<AttributeFunction, intrinsics::kLoweringRules>
      attributeFunctions{};
};

/// The numbers of the element that `index` selects of the first argument.
llvm::SmallVector<mlir::Value> getElementIndices(LoweredCall &call,
                                                 Binding index);

/// Lowers the call `op` of the intrinsic `row`.
Binding evaluateIntrinsic(FunctionLowering &lowering, CallOp op,
                          const Intrinsic &row,
                          llvm::ArrayRef<Binding> arguments);

/// Lowers the reading `op` of an attribute of `object`.
Binding evaluateAttribute(FunctionLowering &lowering, AttributeOp op,
                          const Intrinsic &row, const Binding &object);

/// The number that an intrinsic is without a call, such as a warp's lane.
mlir::Value makeIndexValue(mlir::OpBuilder &builder, const Intrinsic &row,
                           mlir::Location loc);

// The families.
void addNumberLowering(LoweringRules &rules);
void addComplexLowering(LoweringRules &rules);
void addIterationLowering(LoweringRules &rules);
void addAccessLowering(LoweringRules &rules);
void addAtomicLowering(LoweringRules &rules);
void addPrintLowering(LoweringRules &rules);
void addArrayLowering(LoweringRules &rules);
void addMemberLowering(LoweringRules &rules);
void addVectorLowering(LoweringRules &rules);

} // namespace pyk::py

#endif // PYK_LIB_CONVERSION_PYTOPYK_INTRINSICLOWERING_H
