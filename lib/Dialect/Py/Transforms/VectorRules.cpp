// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: rules for members of CUDA's vectors.

#include "AttributeTyping.h"
#include "IntrinsicTyping.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;

static FailureOr<Fact> inferComponent(AttributeRead &read) {
  auto vector = cast<ShortVectorType>(read.object.type);
  if (read.getNumber("component") < vector.getLength())
    return makeTyped(vector.getBase());
  return emitUnknownAttribute(read.op, vector);
}

void py::addVectorRules(TypingRules &rules) {
  rules.add(intrinsics::TypingRule::VectorComponent, inferComponent);
}
