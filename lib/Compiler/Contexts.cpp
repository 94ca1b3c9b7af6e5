// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack of idle contexts under a lock: as many as were in use at a time.

#include "Contexts.h"
#include "mlir/IR/Dialect.h"
#include "pyk/InitAll.h"
#include <mutex>

using namespace mlir;
using namespace pyk;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

PooledContext::Pooled::Pooled()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  context.loadAllAvailableDialects();
  // Messages are for users, who never see an op.
  context.printOpOnDiagnostic(false);
}

namespace {

/// Contexts that are not in use.
class ContextPool {
public:
  using Pooled = PooledContext::Pooled;

  std::unique_ptr<Pooled> take() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!idle.empty())
        return idle.pop_back_val();
    }
    return std::make_unique<Pooled>();
  }

  void give(std::unique_ptr<Pooled> pooled) {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(pooled));
  }

private:
  std::mutex mutex;
  SmallVector<std::unique_ptr<Pooled>, 4> idle;
};

} // namespace

static ContextPool &getPool() {
  // Never destroyed: compiled kernels may outlive static objects.
  static auto *pool = new ContextPool;
  return *pool;
}

/// After so many compilations, or bytes of text, a context goes, with the
/// constants that they have left in it.
static constexpr size_t kMostUses = 256, kMostBytes = size_t(16) << 20;

PooledContext::PooledContext(size_t bytes) : pooled(getPool().take()) {
  ++pooled->uses;
  pooled->bytes += bytes;
}

PooledContext::~PooledContext() {
  if (pooled->uses < kMostUses && pooled->bytes < kMostBytes)
    getPool().give(std::move(pooled));
}
