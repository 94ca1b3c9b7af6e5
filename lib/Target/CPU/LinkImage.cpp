// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JITLink knows what the relocations of each architecture mean. It links the
// object as if it were to run at an address that no other code is near to: what
// is relative is then done for good, calls to the runtime go through the table
// that it makes, and the places that hold an address are those that depend on
// where the image will be. They are all that the loader has to know.

#include "LinkImage.h"
#include "pyk/runtime/CpuImage.h"
#include "pyk/runtime/HostSymbols.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/JITLink/aarch64.h"
#include "llvm/ExecutionEngine/JITLink/x86_64.h"

using namespace llvm;
using namespace llvm::jitlink;
using namespace pyk;
using namespace pyk::runtime;

namespace {

/// Where the image is linked, and the functions that it calls: too far from
/// each other, and from 0, for anything but a whole address.
constexpr uint64_t imageBase = uint64_t(1) << 46;
constexpr uint64_t symbolBase = uint64_t(1) << 60;
constexpr uint64_t symbolDistance = 16;

/// An image while it is made.
struct Image {
  explicit Image(const CpuTarget &target) : target(target) {}

  const CpuTarget target;
  std::vector<CpuImageSegment> segments;
  std::vector<CpuImageRelocation> relocations;
  SmallVector<std::string> symbols;
  /// All of the memory.
  std::string memory;
  uint64_t module = 0;

  std::string write() const;
};

/// Keeps the memory where `write` finds it.
class ImageMemory : public JITLinkMemoryManager {
public:
  explicit ImageMemory(Image &image) : image(image) {}

  void allocate(const JITLinkDylib *library, LinkGraph &graph,
                OnAllocatedFunction onAllocated) override;
  void deallocate(std::vector<FinalizedAlloc> allocations,
                  OnDeallocatedFunction onDeallocated) override {
    for (FinalizedAlloc &allocation : allocations)
      allocation.release();
    onDeallocated(Error::success());
  }

private:
  struct Allocation : InFlightAlloc {
    void abandon(OnAbandonedFunction onAbandoned) override {
      onAbandoned(Error::success());
    }
    void finalize(OnFinalizedFunction onFinalized) override {
      onFinalized(FinalizedAlloc(orc::ExecutorAddr(imageBase)));
    }
  };

  Image &image;
};

/// One link. JITLink owns and destroys it; `image` and `failure` are the
/// caller's.
class ImageLink : public JITLinkContext {
public:
  ImageLink(Image &image, Error &failure, StringRef module)
      : JITLinkContext(nullptr), image(image), failure(failure), module(module),
        memory(image) {}

  JITLinkMemoryManager &getMemoryManager() override { return memory; }
  void notifyFailed(Error error) override {
    failure = joinErrors(std::move(failure), std::move(error));
  }
  void lookup(const LookupMap &symbols,
              std::unique_ptr<JITLinkAsyncLookupContinuation> next) override;
  Error notifyResolved(LinkGraph &graph) override;
  void
  notifyFinalized(JITLinkMemoryManager::FinalizedAlloc allocation) override {
    allocation.release();
  }
  Error modifyPassConfig(LinkGraph &graph, PassConfiguration &passes) override {
    passes.PostFixupPasses.push_back(
        [this](LinkGraph &fixed) { return collectRelocations(fixed); });
    return Error::success();
  }

private:
  Error collectRelocations(LinkGraph &graph);

  Image &image;
  Error &failure;
  const StringRef module;
  ImageMemory memory;
};

} // namespace

static CpuImageSegment::Use getUse(orc::MemProt protection) {
  if ((protection & orc::MemProt::Exec) != orc::MemProt::None)
    return CpuImageSegment::Execute;
  return (protection & orc::MemProt::Write) != orc::MemProt::None
             ? CpuImageSegment::Write
             : CpuImageSegment::Read;
}

void ImageMemory::allocate(const JITLinkDylib *, LinkGraph &graph,
                           OnAllocatedFunction onAllocated) {
  BasicLayout layout(graph);
  uint64_t end = 0;
  for (auto &[group, segment] : layout.segments()) {
    if (segment.Alignment > image.target.architecture->pageBytes)
      return onAllocated(createStringError(
          "expects code whose data is aligned to a page at most but got " +
          Twine(segment.Alignment.value()) + " bytes"));
    uint64_t bytes = segment.ContentSize + segment.ZeroFillSize;
    segment.Addr = orc::ExecutorAddr(imageBase + end);
    image.segments.push_back(
        {end, bytes, 0, segment.ContentSize, getUse(group.getMemProt()), 0});
    end += alignTo(bytes, image.target.architecture->pageBytes);
  }
  image.memory.resize(end);
  for (auto &[group, segment] : layout.segments())
    segment.WorkingMem =
        image.memory.data() + (segment.Addr.getValue() - imageBase);
  if (Error error = layout.apply())
    return onAllocated(std::move(error));
  onAllocated(std::make_unique<Allocation>());
}

void ImageLink::lookup(const LookupMap &symbols,
                       std::unique_ptr<JITLinkAsyncLookupContinuation> next) {
  // By name: the first of several that lack is the same each time.
  SmallVector<orc::SymbolStringPtr> wanted(make_first_range(symbols));
  llvm::sort(wanted, [](const auto &a, const auto &b) { return *a < *b; });
  AsyncLookupResult found;
  for (const orc::SymbolStringPtr &symbol : wanted) {
    std::string name = (*symbol).str();
    if (!findHostSymbol(name))
      return next->run(
          createStringError("cannot run code that calls '" + name +
                            "' on the CPU: it is not in PyK's host library"));
    found[symbol] = {
        orc::ExecutorAddr(symbolBase + symbolDistance * image.symbols.size()),
        JITSymbolFlags::Exported};
    image.symbols.push_back(std::move(name));
  }
  next->run(std::move(found));
}

Error ImageLink::notifyResolved(LinkGraph &graph) {
  for (Symbol *symbol : graph.defined_symbols())
    if (symbol->hasName() && *symbol->getName() == module)
      image.module = symbol->getAddress().getValue() - imageBase;
  return Error::success();
}

/// Anything shorter that depends on the image's place is refused by JITLink: it
/// reaches nothing from `imageBase`.
static bool holdsAddress(const LinkGraph &graph, const Edge &edge) {
  return graph.getTargetTriple().isAArch64()
             ? edge.getKind() == aarch64::Pointer64
             : edge.getKind() == x86_64::Pointer64;
}

Error ImageLink::collectRelocations(LinkGraph &graph) {
  for (Block *block : graph.blocks()) {
    if (block->getSection().getMemLifetime() == orc::MemLifetime::NoAlloc)
      continue;
    for (Edge &edge : block->edges()) {
      Symbol &target = edge.getTarget();
      if (!holdsAddress(graph, edge)) {
        if (edge.isRelocation() && !target.isDefined())
          return createStringError("expects the runtime's functions to be "
                                   "reached by their addresses "
                                   "but got a distance to '" +
                                   *target.getName() + "'");
        continue;
      }
      uint64_t address = target.getAddress().getValue();
      CpuImageRelocation place = {};
      place.memory = block->getFixupAddress(edge).getValue() - imageBase;
      place.addend = edge.getAddend();
      if (target.isExternal())
        place.symbol = uint32_t((address - symbolBase) / symbolDistance) + 1;
      else
        place.addend += int64_t(address - imageBase);
      image.relocations.push_back(place);
    }
  }
  llvm::sort(image.relocations,
             [](const auto &a, const auto &b) { return a.memory < b.memory; });
  // What the loader writes over.
  for (const CpuImageRelocation &place : image.relocations)
    std::fill_n(image.memory.begin() + ptrdiff_t(place.memory),
                sizeof(uint64_t), '\0');
  return Error::success();
}

template <typename T>
static void append(std::string &bytes, ArrayRef<T> values) {
  bytes.append(reinterpret_cast<const char *>(values.data()),
               values.size() * sizeof(T));
}

std::string Image::write() const {
  std::string names;
  for (const std::string &symbol : symbols)
    names.append(symbol.c_str(), symbol.size() + 1);
  CpuImageHeader header = {};
  header.magic = CpuImageHeader::number;
  header.abiVersion = PYK_RT_ABI_VERSION;
  header.architecture = target.architecture->number;
  header.features = target.features;
  header.memoryBytes = memory.size();
  header.module = module;
  header.segments = uint32_t(segments.size());
  header.relocations = uint32_t(relocations.size());
  header.symbols = uint32_t(symbols.size());
  header.nameBytes = uint32_t(names.size());
  header.fileBytes = sizeof(header) + segments.size() * sizeof(segments[0]) +
                     relocations.size() * sizeof(relocations[0]) + names.size();
  std::vector<CpuImageSegment> placed = segments;
  for (CpuImageSegment &segment : placed) {
    segment.file = header.fileBytes;
    header.fileBytes += segment.fileBytes;
  }
  std::string bytes;
  bytes.reserve(header.fileBytes);
  append<CpuImageHeader>(bytes, header);
  append<CpuImageSegment>(bytes, placed);
  append<CpuImageRelocation>(bytes, relocations);
  bytes += names;
  for (const CpuImageSegment &segment : placed)
    bytes.append(memory, segment.memory, segment.fileBytes);
  return bytes;
}

Expected<std::string> pyk::linkImage(const MemoryBuffer &object,
                                     StringRef module,
                                     const CpuTarget &target) {
  // Its strings are used until the link returns, when the graph is gone.
  auto strings = std::make_shared<orc::SymbolStringPool>();
  auto graph = createLinkGraphFromObject(object.getMemBufferRef(), strings);
  if (!graph)
    return graph.takeError();
  Image image(target);
  Error failure = Error::success();
  link(std::move(*graph), std::make_unique<ImageLink>(image, failure, module));
  if (failure)
    return std::move(failure);
  return image.write();
}
