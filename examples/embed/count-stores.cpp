// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass of another project, as a plugin:
//
//   pyk-opt --load-pass-plugin=build/embed/libcount-stores.so
//     --pass-pipeline='builtin.module(pyk.func(count-stores))'
//     examples/embed/two-stores.mlir

#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "pyk/Dialect/Pyk/IR/PykFuncOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"

namespace {

/// Emits a remark on each kernel with the number of its stores.
class CountStoresPass
    : public mlir::PassWrapper<CountStoresPass,
                               mlir::OperationPass<pyk::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountStoresPass)

  llvm::StringRef getArgument() const override { return "count-stores"; }
  llvm::StringRef getDescription() const override {
    return "Counts the stores of each kernel";
  }

  void runOnOperation() override {
    int count = 0;
    getOperation().walk([&](pyk::StoreOp) { ++count; });
    getOperation().emitRemark() << "stores: " << count;
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "CountStores", "1",
          [] { mlir::PassRegistration<CountStoresPass>(); }};
}
