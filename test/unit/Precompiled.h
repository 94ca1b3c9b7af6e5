// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers that most tests of the compiler include. Precompiling them cuts the
// time of a typical source to a fifth; no source relies on it.

#include "../../lib/Precompiled.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpBase.h"
#include "pyk/InitAll.h"
#include "llvm/IR/IRBuilder.h"
#include "gtest/gtest.h"
