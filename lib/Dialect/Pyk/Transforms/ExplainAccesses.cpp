// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports accesses that are slow for a warp: how many sectors of global memory
// it touches, and how many lanes conflict for a bank of shared memory. Both
// follow from the positions of the lanes in the block and the strides of the
// offset along each axis.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "pyk/Dialect/Pyk/Analysis/AccessPatterns.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Support/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

namespace pyk {
#define GEN_PASS_DEF_EXPLAINACCESSESPASS
#include "pyk/Dialect/Pyk/Transforms/Passes.h.inc"
} // namespace pyk

using namespace mlir;
using namespace pyk;

/// The lanes of a warp, the bytes of a sector of global memory, the banks of
/// shared memory and the bytes of one, of all GPUs that run PTX.
static constexpr int64_t kLanes = 32, kSectorBytes = 32, kBanks = 32,
                         kBankBytes = 4;

namespace {

/// The elements that the lanes of one warp access.
class WarpAccess {
public:
  /// `shape` is that of the offset, in units of `unit` bytes.
  WarpAccess(int64_t bytes, const LaneShape &shape, int64_t unit,
             std::array<int32_t, 3> block)
      : bytes(bytes) {
    int64_t threads = int64_t(block[0]) * block[1] * block[2];
    for (int64_t lane = 0; lane < std::min(kLanes, threads); ++lane) {
      std::array<int64_t, LaneShape::kAxes> position = {
          lane % block[0], lane / block[0] % block[1],
          lane / block[0] / block[1]};
      Place &place = places.emplace_back();
      for (unsigned axis = 0; axis < LaneShape::kAxes; ++axis) {
        const LaneStride &stride = shape.getStride(axis);
        if (stride.kind == LaneStride::Constant)
          place.offset += position[axis] * stride.value * unit;
        else
          place.group = place.group * kLanes + position[axis];
      }
      groups.insert(place.group);
    }
    // The element at the lowest address is aligned.
    for (int64_t group : groups) {
      auto isOfGroup = [&](const Place &place) { return place.group == group; };
      auto members = llvm::make_filter_range(places, isOfGroup);
      int64_t lowest = (*members.begin()).offset;
      for (const Place &place : members)
        lowest = std::min(lowest, place.offset);
      for (Place &place : members)
        place.offset -= lowest;
    }
  }

  int64_t countLanes() const { return static_cast<int64_t>(places.size()); }

  /// True if the distances between all lanes are known.
  bool isKnown() const { return groups.size() == 1; }

  /// The number of sectors that the warp touches, at most.
  int64_t countSectors() const {
    llvm::SmallSet<std::pair<int64_t, int64_t>, kLanes> sectors;
    for (const Place &place : places)
      for (int64_t byte = 0; byte < bytes; ++byte)
        sectors.insert({place.group, (place.offset + byte) / kSectorBytes});
    return static_cast<int64_t>(sectors.size());
  }

  /// The number of words that one bank delivers for one request, at least. A
  /// request is made by as many lanes as all banks together can serve; all
  /// lanes that ask for one word get it at once.
  int64_t countConflicts() const {
    int64_t lanes = std::clamp<int64_t>(kBanks * kBankBytes / bytes, 1, kLanes);
    int64_t most = 1;
    for (int64_t group : groups) {
      std::array<llvm::SmallSet<int64_t, kLanes>, kBanks> words;
      for (const Place &place :
           ArrayRef(places).take_front(std::min(lanes, countLanes())))
        for (int64_t byte = 0; place.group == group && byte < bytes; ++byte) {
          int64_t word = (place.offset + byte) / kBankBytes;
          words[word % kBanks].insert(word);
        }
      for (const auto &bank : words)
        most = std::max(most, static_cast<int64_t>(bank.size()));
    }
    return most;
  }

private:
  /// Offsets of one group differ from each other as `offset` does; the distance
  /// between groups is not known.
  struct Place {
    int64_t group = 0, offset = 0;
  };

  int64_t bytes;
  SmallVector<Place, kLanes> places;
  llvm::SetVector<int64_t> groups;
};

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
};

} // namespace

/// The access of a warp of `function`. Lanes are taken to follow each other
/// along x if the shape of the blocks is not known.
static WarpAccess getWarpAccess(FunctionOpInterface function,
                                AccessOpInterface access,
                                const AccessPattern &pattern,
                                const LaneShapeAnalysis &shapes) {
  ElementOp element = findElement(access.getArray());
  LaneShape shape =
      element ? shapes.getShape(element.getOffset()) : LaneShape();
  ArrayType type = pattern.array.getType();
  int64_t unit = type.getLayout() == Layout::Any ? 1 : type.getElementBytes();
  std::array<int32_t, 3> block = {kLanes, 1, 1};
  if (auto known = kBlockShape.get(function))
    llvm::copy(known.asArrayRef(), block.begin());
  return WarpAccess(pattern.bytes, shape, unit, block);
}

/// What `access` costs; empty if no pattern would be better.
static std::string explainAccess(AccessOpInterface access,
                                 const AccessPattern &pattern,
                                 const WarpAccess &warp) {
  using Kind = AccessPattern::Kind;
  Space space = access.getArray().getType().getSpace();
  if (space == Space::Constant)
    return pattern.kind == Kind::Same
               ? ""
               : "constant memory gives a warp one element at a time";
  if (space == Space::Shared) {
    int64_t conflicts = warp.countConflicts();
    return conflicts == 1
               ? ""
               : "bank conflict (" + std::to_string(conflicts) + "-way)";
  }
  if (space != Space::Global)
    return "";
  bool isUpdate = !isa<LoadOp, StoreOp>(access.getOperation());
  if (isUpdate && pattern.kind == Kind::Same)
    return "they do so one after the other";
  int64_t sectors = warp.countSectors();
  int64_t least =
      llvm::divideCeil(warp.countLanes() * pattern.bytes, kSectorBytes);
  if (sectors <= least)
    return "";
  return "a warp touches " + std::string(warp.isKnown() ? "" : "up to ") +
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
    // Arrays of a thread are in registers or in local memory, which the
    // compiler of PTX decides.
    if (access.getArray().getType().getSpace() == Space::Local)
      return;
    std::optional<AccessPattern> pattern = getAccessPattern(access, shapes);
    if (!pattern || isForOverlap(access))
      return;
    ++accesses;
    std::string cost = explainAccess(
        access, *pattern, getWarpAccess(function, access, *pattern, shapes));
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
