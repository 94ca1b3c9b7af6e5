// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a warp makes of each access, if its lanes follow each other along x: how
// many sectors of memory it touches, or how often it has to ask the banks of
// shared memory.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/Analysis/AccessPatterns.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Support/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace pyk {
#define GEN_PASS_DEF_EXPLAINACCESSESPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// Of all GPUs that run PTX: lanes of a warp, bytes that global memory gives at
/// least, banks of shared memory and the bytes of one.
static constexpr int64_t kLanes = 32, kSectorBytes = 32, kBanks = 32,
                         kBankBytes = 4;

/// How many sectors a warp touches whose lanes are `step` bytes apart and each
/// access `bytes`; the first is aligned.
static int64_t countSectors(int64_t step, int64_t bytes) {
  llvm::SmallSetVector<int64_t, 32> sectors;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    for (int64_t byte = 0; byte < bytes; ++byte)
      sectors.insert((lane * step + byte) / kSectorBytes);
  return static_cast<int64_t>(sectors.size());
}

/// How many words a bank has to give, at most, for what lanes of a warp, `step`
/// bytes apart, each access of `bytes`. Of elements that are wider than a bank,
/// as many lanes ask at a time as all banks together could serve; one word is
/// given to all that ask.
static int64_t countConflicts(int64_t step, int64_t bytes) {
  int64_t together =
      std::clamp<int64_t>(kBanks * kBankBytes / bytes, 1, kLanes);
  std::array<llvm::SmallSetVector<int64_t, 32>, kBanks> words;
  for (int64_t lane = 0; lane < together; ++lane)
    for (int64_t byte = 0; byte < bytes; ++byte) {
      int64_t word = (lane * step + byte) / kBankBytes;
      words[word % kBanks].insert(word);
    }
  size_t most = 0;
  for (const auto &bank : words)
    most = std::max<size_t>(most, bank.size());
  return static_cast<int64_t>(most);
}

namespace {

struct ExplainAccessesPass
    : pyk::impl::ExplainAccessesPassBase<ExplainAccessesPass> {
  void runOnOperation() override {
    if (!isExplained(&getContext()))
      return;
    LaneShapeAnalysis shapes(getOperation());
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      explain(function, shapes);
  }

private:
  void explain(FunctionOpInterface function, const LaneShapeAnalysis &shapes);
  std::string explainAccess(AccessOpInterface access,
                            const AccessPattern &pattern);
};

} // namespace

/// What `access` costs; empty if no pattern would be better.
std::string ExplainAccessesPass::explainAccess(AccessOpInterface access,
                                               const AccessPattern &pattern) {
  using Kind = AccessPattern::Kind;
  Space space = access.getArray().getType().getSpace();
  bool isKnown = pattern.kind == Kind::Steps || pattern.kind == Kind::Same;
  int64_t step = std::abs(pattern.step);
  if (space == Space::Constant)
    return pattern.kind == Kind::Same
               ? ""
               : "constant memory gives a warp one element at a time";
  if (space == Space::Shared) {
    int64_t turns = isKnown ? countConflicts(step, pattern.bytes) : 1;
    return turns == 1 ? ""
                      : "the banks of shared memory give them to a warp in " +
                            std::to_string(turns) + " turns instead of one";
  }
  if (space != Space::Global)
    return "";
  bool isUpdate = !isa<LoadOp, StoreOp>(access.getOperation());
  if (isUpdate && pattern.kind == Kind::Same)
    return "they do so one after the other";
  int64_t sectors = isKnown ? countSectors(step, pattern.bytes) : kLanes;
  int64_t least = llvm::divideCeil(kLanes * pattern.bytes, kSectorBytes);
  if (sectors <= least)
    return "";
  return "a warp touches " + std::string(isKnown ? "" : "up to ") +
         std::to_string(sectors) + " sectors of memory where " +
         std::to_string(least) + " would do";
}

/// What might help.
static std::string suggest(AccessOpInterface access,
                           const AccessPattern &pattern) {
  ArrayType type = pattern.array.getType();
  if (type.getSpace() == Space::Shared)
    return type.getRank() > 1 ? "make its rows one element longer" : "";
  if (pattern.kind == AccessPattern::Same)
    return "add up what the threads of a warp or block have first";
  return suggestPattern(pattern);
}

void ExplainAccessesPass::explain(FunctionOpInterface function,
                                  const LaneShapeAnalysis &shapes) {
  StringRef name = function.getName();
  unsigned accesses = 0, slow = 0;
  function.walk([&](AccessOpInterface access) {
    std::optional<AccessPattern> pattern = getAccessPattern(access, shapes);
    if (!pattern)
      return;
    ++accesses;
    std::string cost = explainAccess(access, *pattern);
    if (cost.empty())
      return;
    ++slow;
    auto remark =
        remark::missed(access->getLoc(), remarkOn(name, "access", kGpuRemarks));
    remark << describePattern(access, *pattern) << remark::reason("{0}", cost);
    if (std::string advice = suggest(access, *pattern); !advice.empty())
      remark << remark::suggest("{0}", advice);
  });
  auto kernel = dyn_cast<gpu::GPUFuncOp>(function.getOperation());
  bool isKernel = kernel && kernel.isKernel();
  if (isKernel || accesses != 0)
    remark::analysis(function.getLoc(), remarkOn(name, "accesses", kGpuRemarks))
        << remark::add("{0} '{1}': {2} of {3} accesses to memory are what a "
                       "warp does best",
                       isKernel ? "kernel" : "function", name, accesses - slow,
                       accesses);
}
