// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// py-infer-types, by the inference of the program as a whole.

#include "ProgramInference.h"
#include "pyk/Dialect/Py/Transforms/Passes.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"

namespace pyk::py {
#define GEN_PASS_DEF_INFERTYPESPASS
#include "pyk/Dialect/Py/Transforms/Passes.h.inc"
} // namespace pyk::py

using namespace pyk::py;

namespace {
struct InferTypesPass : pyk::py::impl::InferTypesPassBase<InferTypesPass> {
  using InferTypesPassBase::InferTypesPassBase;

  void runOnOperation() override {
    if (failed(ProgramInference(getOperation(), allowResult).run()))
      signalPassFailure();
  }
};
} // namespace
