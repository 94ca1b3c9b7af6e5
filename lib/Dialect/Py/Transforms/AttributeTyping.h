// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of attributes.

#ifndef PYK_LIB_DIALECT_PY_TRANSFORMS_ATTRIBUTETYPING_H
#define PYK_LIB_DIALECT_PY_TRANSFORMS_ATTRIBUTETYPING_H

#include "FunctionInference.h"

namespace pyk::py {

/// Says that `type` has no such attribute, and what may be meant.
mlir::InFlightDiagnostic emitUnknownAttribute(AttributeOp op, mlir::Type type);

/// Types attributes: of named tuples, members of enumerations and records, and
/// those of the table.
class AttributeTyping : public InferencePart {
public:
  explicit AttributeTyping(FunctionInference &inference)
      : InferencePart(inference) {}

  mlir::FailureOr<Fact> evaluate(AttributeOp op);
};

} // namespace pyk::py

#endif // PYK_LIB_DIALECT_PY_TRANSFORMS_ATTRIBUTETYPING_H
