// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack of idle contexts under a lock: as many as were in use at a time.

#include "Contexts.h"
#include "mlir/IR/Dialect.h"
#include "pyk/InitAll.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Memory.h"

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

/// What it takes to load all dialects and to make a back end ready.
static constexpr size_t kContextBytes = size_t(48) << 20;

/// Reports that memory has run out unless the process may map as much as a new
/// context takes. While MLIR loads dialects, it does not look at what malloc
/// gives.
static void checkMemory() {
  using llvm::sys::Memory;
  std::error_code error;
  llvm::sys::MemoryBlock block = Memory::allocateMappedMemory(
      kContextBytes, nullptr, Memory::MF_READ | Memory::MF_WRITE, error);
  if (!error)
    error = Memory::releaseMappedMemory(block);
  if (!error)
    return;
  // No test: Python raises a MemoryError with a text of its own.
  llvm::report_bad_alloc_error("a context of the compiler takes 48 MiB");
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
    checkMemory();
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
