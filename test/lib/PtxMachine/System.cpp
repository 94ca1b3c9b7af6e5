// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the device brings: text, memory, failed assertions, and the
// device runtime's launches.

#include "Decoder.h"
#include "Machine.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace ptxmachine;

namespace {

/// The value of an argument of at most 8 bytes.
uint64_t readArgument(Warp &warp, const CallSite &site, size_t index,
                      unsigned lane) {
  if (index >= site.arguments.size())
    throw Fault(FaultKind::IllegalInstruction, "expects more arguments");
  auto [offset, bytes] = site.arguments[index];
  uint64_t value = 0;
  std::memcpy(&value, warp.local(warp.frame->memory + offset, lane),
              std::min<uint64_t>(bytes, 8));
  return value;
}

void writeResult(Warp &warp, const CallSite &site, unsigned lane,
                 uint64_t value) {
  if (site.results.empty())
    return;
  auto [offset, bytes] = site.results[0];
  std::memcpy(warp.local(warp.frame->memory + offset, lane), &value,
              std::min<uint64_t>(bytes, 8));
}

template <typename T>
T readMemory(Warp &warp, uint64_t address, unsigned lane) {
  T value;
  std::memcpy(&value,
              warp.access(Space::Generic, address, lane, sizeof(T), false),
              sizeof(T));
  return value;
}

std::string readText(Warp &warp, uint64_t address, unsigned lane) {
  std::string text;
  while (char c = readMemory<char>(warp, address++, lane))
    text += c;
  return text;
}

//===----------------------------------------------------------------------===//
// vprintf
//===----------------------------------------------------------------------===//

/// The values behind a format, one after the other, each aligned to its size.
class Values {
public:
  Values(Warp &warp, uint64_t address, unsigned lane)
      : warp(warp), address(address), lane(lane) {}

  template <typename T>
  T take() {
    address = (address + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value = readMemory<T>(warp, address, lane);
    address += sizeof(T);
    return value;
  }

private:
  Warp &warp;
  uint64_t address;
  unsigned lane;
};

/// A conversion such as "%-8.3lld", from the host's printf.
template <typename T>
std::string format(const std::string &conversion, T value) {
  char text[512];
  int length = std::snprintf(text, sizeof(text), conversion.c_str(), value);
  return std::string(text, size_t(std::min(length, int(sizeof(text)) - 1)));
}

std::string formatOne(Warp &warp, unsigned lane, const std::string &conversion,
                      Values &values) {
  bool isLong = conversion.find('l') != std::string::npos ||
                conversion.find('z') != std::string::npos;
  std::string plain;
  for (char c : conversion)
    if (!std::strchr("hlzjt", c))
      plain += c;
  char kind = plain.back();
  switch (kind) {
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    if (!isLong)
      return format(plain, values.take<int32_t>());
    plain.insert(plain.size() - 1, "ll");
    return format(plain, static_cast<long long>(values.take<int64_t>()));
  case 'c':
    return format(plain, values.take<int32_t>());
  case 's':
    return format(plain, readText(warp, values.take<uint64_t>(), lane).c_str());
  case 'p':
    return format(plain, reinterpret_cast<void *>(values.take<uint64_t>()));
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return format(plain, values.take<double>());
  default:
    return conversion;
  }
}

void print(Warp &warp, const CallSite &site) {
  forEachLane(warp.mask, [&](unsigned lane) {
    std::string text = readText(warp, readArgument(warp, site, 0, lane), lane);
    Values values(warp, readArgument(warp, site, 1, lane), lane);
    std::string printed;
    int count = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '%') {
        printed += text[i];
        continue;
      }
      size_t end = text.find_first_not_of("-+ #0123456789.*hlzjt", i + 1);
      if (end == std::string::npos)
        break;
      std::string conversion = text.substr(i, end + 1 - i);
      for (size_t star; (star = conversion.find('*')) != std::string::npos;)
        conversion.replace(star, 1, std::to_string(values.take<int32_t>()));
      if (text[end] == '%') {
        printed += '%';
      } else {
        printed += formatOne(warp, lane, conversion, values);
        ++count;
      }
      i = end;
    }
    if (!warp.block.machine.settings.isSilent) {
      std::fwrite(printed.data(), 1, printed.size(), stdout);
      std::fflush(stdout);
    }
    writeResult(warp, site, lane, uint64_t(count));
  });
}

//===----------------------------------------------------------------------===//
// Memory and assertions
//===----------------------------------------------------------------------===//

void allocate(Warp &warp, const CallSite &site) {
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t bytes = readArgument(warp, site, 0, lane);
    writeResult(warp, site, lane, warp.block.machine.memory.allocate(bytes));
  });
}

void release(Warp &warp, const CallSite &site) {
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t address = readArgument(warp, site, 0, lane);
    if (address != 0 && !warp.block.machine.memory.release(address))
      throw Fault(FaultKind::IllegalAddress, "free of memory that malloc did "
                                             "not give");
  });
}

/// __assertfail(message, file, line, function, bytes of a character)
void failAssertion(Warp &warp, const CallSite &site) {
  unsigned lane = unsigned(__builtin_ctz(warp.mask));
  auto text = [&](size_t index) {
    return readText(warp, readArgument(warp, site, index, lane), lane);
  };
  throw Fault(FaultKind::Assert,
              text(1) + ":" +
                  std::to_string(uint32_t(readArgument(warp, site, 2, lane))) +
                  ": " + text(3) + ": Assertion `" + text(0) + "' failed.");
}

//===----------------------------------------------------------------------===//
// Launches by kernels
//===----------------------------------------------------------------------===//

uint64_t roundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// (kernel, dim3 grid, dim3 block, shared bytes): memory for its parameters, in
/// front of which the machine keeps what it is to launch.
struct BufferHead {
  uint64_t kernel;
  uint32_t grid[3], block[3];
  uint32_t sharedBytes, parameterBytes;
};

void getParameterBuffer(Warp &warp, const CallSite &site) {
  forEachLane(warp.mask, [&](unsigned lane) {
    BufferHead head = {};
    head.sharedBytes = uint32_t(readArgument(warp, site, 3, lane));
    head.kernel = readArgument(warp, site, 0, lane);
    const Code *kernel = warp.getProgram().findByAddress(head.kernel);
    if (!kernel)
      throw Fault(FaultKind::IllegalAddress, "a launch of no kernel");
    for (unsigned i = 0; i < 3; ++i) {
      uint64_t from = warp.frame->memory + i * 4;
      std::memcpy(&head.grid[i],
                  warp.local(from + site.arguments[1].first, lane), 4);
      std::memcpy(&head.block[i],
                  warp.local(from + site.arguments[2].first, lane), 4);
    }
    for (const Variable &parameter : kernel->text->parameters)
      head.parameterBytes = uint32_t(
          roundUp(head.parameterBytes, parameter.align) + parameter.bytes);
    Memory &memory = warp.block.machine.memory;
    uint64_t address = memory.allocate(sizeof(head) + head.parameterBytes + 16);
    if (address) {
      std::memcpy(memory.find(address, sizeof(head), true), &head,
                  sizeof(head));
      address += sizeof(head);
    }
    writeResult(warp, site, lane, address);
  });
}

void launchDevice(Warp &warp, const CallSite &site) {
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t buffer = readArgument(warp, site, 0, lane) - sizeof(BufferHead);
    Memory &memory = warp.block.machine.memory;
    BufferHead head;
    const char *from = memory.find(buffer, sizeof(head), false);
    if (!from)
      throw Fault(FaultKind::IllegalAddress, "a launch without parameters");
    std::memcpy(&head, from, sizeof(head));
    from += sizeof(head);
    Launch launch;
    launch.program = &warp.getProgram();
    launch.kernel = warp.getProgram().findByAddress(head.kernel);
    if (!launch.kernel)
      throw Fault(FaultKind::IllegalAddress, "a launch of no kernel");
    for (unsigned i = 0; i < 3; ++i) {
      launch.grid[i] = head.grid[i];
      launch.block[i] = head.block[i];
    }
    launch.dynamicShared = head.sharedBytes;
    uint64_t offset = 0;
    for (const Variable &parameter : launch.kernel->text->parameters) {
      offset = roundUp(offset, parameter.align);
      launch.addParameter(from + offset, parameter);
      offset += parameter.bytes;
    }
    memory.release(buffer);
    uint64_t threads = uint64_t(head.block[0]) * head.block[1] * head.block[2];
    bool isEmpty = threads == 0 || threads > 1024 || head.grid[0] == 0 ||
                   head.grid[1] == 0 || head.grid[2] == 0;
    if (!isEmpty)
      warp.block.machine.launches.push_back(std::move(launch));
    // cudaErrorInvalidConfiguration
    writeResult(warp, site, lane, isEmpty ? 9 : 0);
  });
}

/// (address of a stream, flags); all streams are one here.
void createStream(Warp &warp, const CallSite &site) {
  forEachLane(warp.mask, [&](unsigned lane) {
    uint64_t stream = 1;
    std::memcpy(warp.access(Space::Generic, readArgument(warp, site, 0, lane),
                            lane, 8, true),
                &stream, 8);
    writeResult(warp, site, lane, 0);
  });
}

} // namespace

SystemFunction ptxmachine::findSystemFunction(const std::string &name) {
  static const std::map<std::string, SystemFunction> functions = {
      {"vprintf", print},
      {"malloc", allocate},
      {"free", release},
      {"__assertfail", failAssertion},
      {"__cudaCDP2GetParameterBufferV2", getParameterBuffer},
      {"__cudaCDP2LaunchDeviceV2", launchDevice},
      {"__cudaCDP2StreamCreateWithFlags", createStream},
  };
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

void Launch::addParameter(const char *value, const Variable &parameter) {
  uint64_t align = std::max<uint64_t>(parameter.align, 8);
  parameters.resize(roundUp(parameters.size(), align) +
                    roundUp(parameter.bytes, 8));
  std::memcpy(parameters.data() + parameters.size() -
                  roundUp(parameter.bytes, 8),
              value, parameter.bytes);
}
