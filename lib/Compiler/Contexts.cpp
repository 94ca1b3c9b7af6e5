// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack of idle contexts under a lock. It grows to as many as were ever in
// use at a time.

#include "Contexts.h"
#include "mlir/IR/Dialect.h"
#include "pyk/InitAll.h"
#include <mutex>

using namespace mlir;
using namespace pyk;

namespace {

/// Contexts that are not in use.
class ContextPool {
public:
  std::unique_ptr<MLIRContext> take() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!idle.empty())
        return idle.pop_back_val();
    }
    DialectRegistry registry;
    registerAllDialects(registry);
    auto context = std::make_unique<MLIRContext>(
        registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    // Messages are for users: what an op looks like belongs into none.
    context->printOpOnDiagnostic(false);
    return context;
  }

  void give(std::unique_ptr<MLIRContext> context) {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(context));
  }

private:
  std::mutex mutex;
  SmallVector<std::unique_ptr<MLIRContext>, 4> idle;
};

} // namespace

static ContextPool &getPool() {
  // Never destroyed: compiled kernels may outlive static objects.
  static auto *pool = new ContextPool;
  return *pool;
}

PooledContext::PooledContext() : context(getPool().take()) {}

PooledContext::~PooledContext() { getPool().give(std::move(context)); }
