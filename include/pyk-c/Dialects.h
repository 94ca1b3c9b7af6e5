/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The dialects for users of MLIR's C API: what mlirDialectHandleInsertDialect
 * and mlirDialectHandleLoadDialect take. Unlike PyK.h, this needs MLIR.
 */
#ifndef PYK_C_DIALECTS_H
#define PYK_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* mlirGetDialectHandle__py__: Python as it is written, before types. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Py, py);

/* mlirGetDialectHandle__pyk__: kernels with types. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Pyk, pyk);

#ifdef __cplusplus
}
#endif

#endif /* PYK_C_DIALECTS_H */
