// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader of images. Every number that comes from the image is compared with
// the size of what it indexes before it is used, those of the module's own
// table among them, which are read once the memory is laid out.

#include "pyk/runtime/CpuImage.h"

#include "pyk/runtime/CpuFeatures.h"
#include "pyk/runtime/HostSymbols.h"

#include <sys/mman.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace pyk::runtime;

namespace {

constexpr std::string_view loading = "loading code for the CPU";
constexpr std::string_view compileAgain =
    "compile the kernel again with this version of PyK";

/// More than any kernel has; bounds what a damaged image can ask for.
constexpr uint64_t mostMemoryBytes = uint64_t(1) << 31;

Status broken(std::string_view problem) {
  return Status::failure(StatusCode::InvalidImage, loading, problem,
                         compileAgain);
}

/// Whether [begin, begin + bytes) lies in the first `limit`.
bool fits(uint64_t begin, uint64_t bytes, uint64_t limit) {
  return begin <= limit && bytes <= limit - begin;
}

/// Address space, given back at the end.
class Mapping {
public:
  explicit Mapping(size_t bytes)
      : bytes(bytes), memory(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() {
    if (isMapped())
      munmap(memory, bytes);
  }

  bool isMapped() const { return memory != MAP_FAILED; }
  char *base() const { return static_cast<char *>(memory); }

  /// Whether `count` values of type T lie at `pointer`, aligned.
  template <typename T>
  bool holds(const T *pointer, uint64_t count) const {
    uint64_t offset = reinterpret_cast<uintptr_t>(pointer) -
                      reinterpret_cast<uintptr_t>(base());
    return offset % alignof(T) == 0 && count <= bytes / sizeof(T) &&
           fits(offset, count * sizeof(T), bytes);
  }

  /// Whether a text that ends lies at `pointer`.
  bool holdsText(const char *pointer) const {
    return holds(pointer, 1) &&
           std::memchr(pointer, 0, size_t(base() + bytes - pointer));
  }

  /// Whether code may lie at the address.
  template <typename R, typename... P>
  bool holdsCode(R (*function)(P...)) const {
    return holds(reinterpret_cast<const char *>(function), 1);
  }

private:
  const size_t bytes;
  void *const memory;
};

/// One image on its way into the process.
class Loader {
public:
  explicit Loader(std::string_view bytes) : bytes(bytes) {}

  Result<HostImage> load();

private:
  Status readHeader();
  Status layOut();
  Status findSymbols();
  Status relocate();
  Status protect();
  Status readModule(HostImage &image) const;

  /// The `index`-th T of a table that begins at `offset`, all of which is in
  /// the image.
  template <typename T>
  T read(uint64_t offset, uint64_t index = 0) const {
    T value;
    std::memcpy(&value, bytes.data() + offset + index * sizeof(T), sizeof(T));
    return value;
  }

  const std::string_view bytes;
  CpuImageHeader header = {};
  /// Where the tables begin in the image.
  uint64_t segments = 0, relocations = 0, names = 0;
  std::shared_ptr<Mapping> mapping;
  /// The base, then the symbols.
  std::vector<uint64_t> addresses;
};

} // namespace

/// The features of an image's header as a message has them.
static std::string namesOf(uint64_t features) {
  const std::vector<std::string_view> &known = getHostArchitecture().features;
  std::string names;
  for (size_t i = 0; i < 64; ++i) {
    if ((features >> i & 1) == 0)
      continue;
    names += names.empty() ? "" : ", ";
    names += i < known.size() ? std::string(known[i])
                              : "feature " + std::to_string(i);
  }
  return names;
}

Status Loader::readHeader() {
  if (bytes.size() < sizeof(header) || !isCpuImage(bytes))
    return broken("these bytes are no code that PyK compiled for the CPU");
  header = read<CpuImageHeader>(0);
  if (header.abiVersion != PYK_RT_ABI_VERSION)
    return broken("it was compiled for version " +
                  std::to_string(header.abiVersion) +
                  " of the runtime's ABI, and this is version " +
                  std::to_string(PYK_RT_ABI_VERSION));
  if (header.architecture != getHostArchitecture().number)
    return Status::failure(
        StatusCode::Unsupported, loading,
        "it was compiled for architecture " +
            std::to_string(header.architecture) +
            " as ELF counts them, and this machine is number " +
            std::to_string(getHostArchitecture().number),
        "compile the kernel on a machine of this kind, or for one with option "
        "cpu-level");
  if (std::string lacks = namesOf(header.features & ~getHostCpuFeatures());
      !lacks.empty())
    return Status::failure(
        StatusCode::Unsupported, loading,
        "it was compiled for a processor that has " + lacks +
            ", which this one does not",
        "compile the kernel on a machine that has no more than this one, or "
        "for less with option cpu-level");
  if (header.fileBytes != bytes.size())
    return broken("it has " + std::to_string(bytes.size()) +
                  " bytes instead of " + std::to_string(header.fileBytes));
  segments = sizeof(header);
  relocations = segments + header.segments * sizeof(CpuImageSegment);
  names = relocations + header.relocations * sizeof(CpuImageRelocation);
  if (names > bytes.size() || !fits(names, header.nameBytes, bytes.size()))
    return broken("its tables end behind it");
  if (header.memoryBytes == 0 || header.memoryBytes > mostMemoryBytes ||
      header.memoryBytes % getHostArchitecture().pageBytes != 0)
    return broken("it asks for " + std::to_string(header.memoryBytes) +
                  " bytes of memory");
  return Status();
}

Status Loader::layOut() {
  mapping = std::make_shared<Mapping>(header.memoryBytes);
  if (!mapping->isMapped())
    return Status::failure(StatusCode::OutOfMemory, loading,
                           "the system gave no memory for it", "free memory");
  for (uint32_t i = 0; i < header.segments; ++i) {
    auto segment = read<CpuImageSegment>(segments, i);
    if (segment.memory % getHostArchitecture().pageBytes != 0 ||
        segment.fileBytes > segment.memoryBytes ||
        segment.use > CpuImageSegment::Execute ||
        !fits(segment.memory, segment.memoryBytes, header.memoryBytes) ||
        !fits(segment.file, segment.fileBytes, bytes.size()))
      return broken("segment " + std::to_string(i) + " does not fit");
    std::memcpy(mapping->base() + segment.memory, bytes.data() + segment.file,
                segment.fileBytes);
  }
  return Status();
}

Status Loader::findSymbols() {
  addresses.push_back(reinterpret_cast<uintptr_t>(mapping->base()));
  std::string_view rest = bytes.substr(names, header.nameBytes);
  for (uint32_t i = 0; i < header.symbols; ++i) {
    size_t end = rest.find('\0');
    if (end == std::string_view::npos)
      return broken("its names of symbols end too early");
    std::string_view name = rest.substr(0, end);
    const void *address = findHostSymbol(name);
    if (!address)
      return Status::failure(StatusCode::Unsupported, loading,
                             "it calls '" + std::string(name) +
                                 "', which this runtime does not have",
                             compileAgain);
    addresses.push_back(reinterpret_cast<uintptr_t>(address));
    rest.remove_prefix(end + 1);
  }
  return Status();
}

Status Loader::relocate() {
  for (uint32_t i = 0; i < header.relocations; ++i) {
    auto place = read<CpuImageRelocation>(relocations, i);
    if (place.symbol >= addresses.size() ||
        !fits(place.memory, sizeof(uint64_t), header.memoryBytes))
      return broken("relocation " + std::to_string(i) + " does not fit");
    uint64_t value = addresses[place.symbol] + uint64_t(place.addend);
    std::memcpy(mapping->base() + place.memory, &value, sizeof(value));
  }
  return Status();
}

Status Loader::protect() {
  const uint64_t page = getHostArchitecture().pageBytes;
  for (uint32_t i = 0; i < header.segments; ++i) {
    auto segment = read<CpuImageSegment>(segments, i);
    if (segment.use == CpuImageSegment::Write || segment.memoryBytes == 0)
      continue;
    char *begin = mapping->base() + segment.memory;
    uint64_t length = (segment.memoryBytes + page - 1) / page * page;
    bool isCode = segment.use == CpuImageSegment::Execute;
    if (isCode)
      __builtin___clear_cache(begin, begin + length);
    if (mprotect(begin, length, isCode ? PROT_READ | PROT_EXEC : PROT_READ) !=
        0)
      // No test: it needs a system that forbids executable memory.
      return Status::failure(StatusCode::Unavailable, loading,
                             "the system lets no memory be executed",
                             "allow it to this program");
  }
  return Status();
}

Status Loader::readModule(HostImage &image) const {
  auto *module = reinterpret_cast<const pyk_rt_kernel_table *>(mapping->base() +
                                                               header.module);
  if (!fits(header.module, sizeof(pyk_rt_kernel_table), header.memoryBytes) ||
      !mapping->holds(module, 1) ||
      !mapping->holds(module->kernels, module->kernel_count))
    return broken("its list of kernels lies outside of it");
  for (uint32_t i = 0; i < module->kernel_count; ++i) {
    const pyk_rt_kernel &kernel = module->kernels[i];
    if (!mapping->holdsText(kernel.name) ||
        (!kernel.thread && !kernel.blocks) ||
        (kernel.thread && !mapping->holdsCode(kernel.thread)) ||
        (kernel.blocks && !mapping->holdsCode(kernel.blocks)) ||
        (kernel.parameter_count != 0 &&
         !mapping->holds(kernel.parameter_bytes, kernel.parameter_count)))
      return broken("kernel " + std::to_string(i) + " lies outside of it");
    image.kernels.push_back(
        {kernel.name, &kernel,
         std::vector<uint32_t>(kernel.parameter_bytes,
                               kernel.parameter_bytes +
                                   kernel.parameter_count)});
  }
  return Status();
}

Result<HostImage> Loader::load() {
  for (Status (Loader::*step)() :
       {&Loader::readHeader, &Loader::layOut, &Loader::findSymbols,
        &Loader::relocate, &Loader::protect})
    if (Status status = (this->*step)(); !status.ok())
      return status;
  HostImage image;
  if (Status status = readModule(image); !status.ok())
    return status;
  image.owner = std::move(mapping);
  return image;
}

bool pyk::runtime::isCpuImage(std::string_view bytes) {
  constexpr uint64_t number = CpuImageHeader::number;
  return bytes.size() >= sizeof(number) &&
         std::memcmp(bytes.data(), &number, sizeof(number)) == 0;
}

Result<HostImage> pyk::runtime::loadCpuImage(std::string_view bytes) {
  return Loader(bytes).load();
}
