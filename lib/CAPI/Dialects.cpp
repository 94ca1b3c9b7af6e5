// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handles of the dialects.

#include "pyk-c/Dialects.h"
#include "mlir/CAPI/Registration.h"
#include "pyk/Dialect/Py/IR/PyDialect.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Py, py, pyk::py::PyDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Pyk, pyk, pyk::PykDialect)
