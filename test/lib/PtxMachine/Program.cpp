// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places what functions declare in frames and in shared memory.

#include "Program.h"

#include "Decoder.h"
#include "Memory.h"

#include <algorithm>
#include <cstring>
#include <sstream>

using namespace ptxmachine;

/// Shared memory begins behind what the driver keeps for itself, so that an
/// address of 0 is none.
static constexpr uint64_t kSharedBegin = 1024;
/// Between shared variables, so that running over the end of one is found.
static constexpr uint64_t kSharedGap = 32;
/// What ptxas lets a kernel have of static shared memory, and a module of
/// constant memory.
static constexpr uint64_t kMaxSharedBytes = 48 * 1024;
static constexpr uint64_t kMaxConstBytes = 64 * 1024;
/// Between the addresses of functions.
static constexpr uint64_t kFunctionBytes = 16;

static uint64_t roundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::unique_ptr<Program> Program::link(const std::vector<std::string> &texts) {
  auto program = std::make_unique<Program>();
  for (const std::string &text : texts)
    program->texts.push_back(std::make_unique<Text>(parseText(text)));
  for (const std::unique_ptr<Text> &text : program->texts)
    for (const Function &function : text->functions) {
      if (!function.isDefined)
        continue;
      auto code = std::make_unique<Code>();
      code->text = &function;
      program->byName[function.name] = code.get();
      program->codes.push_back(std::move(code));
    }
  program->layOut();
  return program;
}

uint64_t Program::addShared(const Variable &variable) {
  uint64_t offset =
      roundUp(sharedBytes + kSharedGap, std::max<uint64_t>(variable.align, 16));
  sharedVariables[offset] = {variable.bytes, variable.align};
  sharedBytes = offset + variable.bytes;
  return offset;
}

void Program::layOutFunction(Code &code) {
  uint64_t &bytes = code.frameBytes;
  for (const Variable &variable : code.text->variables) {
    if (variable.space == Space::Shared) {
      code.offsets.push_back(addShared(variable));
      code.sharedOffsets.insert(code.offsets.back());
      continue;
    }
    bytes = roundUp(bytes, std::max<uint64_t>(variable.align, 8));
    code.offsets.push_back(bytes);
    bytes += roundUp(variable.bytes, 8);
  }
  bytes = roundUp(bytes, 16);
  code.registers = uint32_t(code.text->registers.size());
}

void Program::layOut() {
  sharedBytes = kSharedBegin;
  for (const std::unique_ptr<Text> &text : texts)
    for (const Variable &variable : text->variables) {
      if (variable.space == Space::Shared) {
        // One that is external is the dynamic shared memory.
        if (!variable.isExternal && !sharedByName.count(variable.name))
          sharedByName[variable.name] = addShared(variable);
      } else if (!variable.isExternal) {
        variables.push_back(&variable);
      }
    }
  for (const std::unique_ptr<Code> &code : codes)
    layOutFunction(*code);
  uint64_t align = 1024;
  for (const std::unique_ptr<Text> &text : texts)
    for (const Variable &variable : text->variables)
      if (variable.space == Space::Shared && variable.isExternal)
        align = std::max<uint64_t>(align, variable.align);
  sharedBytes = roundUp(sharedBytes + kSharedGap, align);
  for (const std::unique_ptr<Text> &text : texts)
    for (const Variable &variable : text->variables)
      if (variable.space == Space::Shared && variable.isExternal &&
          !sharedByName.count(variable.name))
        sharedByName[variable.name] = sharedBytes;
}

bool Program::isShared(uint64_t offset, uint64_t bytes,
                       uint64_t dynamic) const {
  if (offset >= sharedBytes)
    return offset - sharedBytes + bytes <= roundUp(dynamic, 4);
  auto above = sharedVariables.upper_bound(offset);
  if (above == sharedVariables.begin())
    return false;
  --above;
  return offset - above->first + bytes <= roundUp(above->second.bytes, 4);
}

void Program::place(const std::string &variable, uint64_t address) {
  addresses[variable] = address;
}

void Program::initialize(const Variable &variable, char *memory) const {
  std::memset(memory, 0, variable.bytes);
  std::copy(variable.initial.begin(), variable.initial.end(), memory);
  for (const Relocation &relocation : variable.relocations) {
    uint64_t address = 0;
    if (auto found = addresses.find(relocation.symbol);
        found != addresses.end())
      address = found->second;
    else
      for (size_t i = 0; i < codes.size(); ++i)
        if (codes[i]->text->name == relocation.symbol)
          address = kFunctionWindow + i * kFunctionBytes;
    if (address == 0)
      throw TextError(0, "error   : Undefined reference to '" +
                             relocation.symbol + "'");
    address = (address + uint64_t(relocation.addend)) >> relocation.shift;
    std::memcpy(memory + relocation.offset, &address, relocation.bytes);
  }
}

void Program::prepare() {
  for (size_t i = 0; i < codes.size(); ++i)
    addresses[codes[i]->text->name] = kFunctionWindow + i * kFunctionBytes;
  for (const std::unique_ptr<Code> &code : codes)
    Decoder(*this, *code).decode();
  countShared();
  checkSizes();
}

static std::string inHex(uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

/// Throws, in the words of ptxas, if the constants of all texts or the static
/// shared memory of a kernel exceed what ptxas accepts.
void Program::checkSizes() const {
  auto check = [](const std::string &what, uint64_t bytes, uint64_t most) {
    if (bytes > most)
      throw TextError(0, "error   : " + what + " data (" + inHex(bytes) +
                             " bytes, " + inHex(most) + " max)");
  };
  uint64_t constants = 0;
  for (const Variable *variable : variables)
    if (variable->space == Space::Const)
      constants = roundUp(constants, variable->align) + variable->bytes;
  check("File uses too much global constant", constants, kMaxConstBytes);
  for (const Code *kernel : getKernels())
    check("Entry function '" + kernel->text->name + "' uses too much shared",
          kernel->sharedBytes, kMaxSharedBytes);
}

/// The function and all that it may call.
std::set<const Code *> Program::reach(const Code &from) const {
  std::set<const Code *> seen;
  std::vector<const Code *> left = {&from};
  while (!left.empty()) {
    const Code *next = left.back();
    left.pop_back();
    if (!seen.insert(next).second)
      continue;
    for (const Step &step : next->steps) {
      if (step.callee)
        left.push_back(step.callee);
      // Through a register, it may be any.
      else if (step.text->opcode.rfind("call", 0) == 0 &&
               !calls[step.extra].system)
        for (const std::unique_ptr<Code> &code : codes)
          if (!code->text->isKernel)
            left.push_back(code.get());
    }
  }
  return seen;
}

/// Counts the static shared memory of each function: of the variables that it
/// or a callee uses, in the order of their declarations.
void Program::countShared() {
  for (const std::unique_ptr<Code> &code : codes) {
    std::set<uint64_t> used;
    for (const Code *reached : reach(*code))
      used.insert(reached->sharedOffsets.begin(), reached->sharedOffsets.end());
    for (uint64_t offset : used) {
      // What is behind all variables is the dynamic shared memory.
      auto found = sharedVariables.find(offset);
      if (found != sharedVariables.end())
        code->sharedBytes = roundUp(code->sharedBytes, found->second.align) +
                            found->second.bytes;
    }
  }
}

const Code *Program::find(const std::string &name) const {
  auto found = byName.find(name);
  return found == byName.end() ? nullptr : found->second;
}

const Code *Program::findByAddress(uint64_t address) const {
  uint64_t index = (address - kFunctionWindow) / kFunctionBytes;
  bool isOne = address >= kFunctionWindow && index < codes.size() &&
               address % kFunctionBytes == 0;
  return isOne ? codes[index].get() : nullptr;
}

std::vector<const Code *> Program::getKernels() const {
  std::vector<const Code *> kernels;
  for (const std::unique_ptr<Code> &code : codes)
    if (code->text->isKernel)
      kernels.push_back(code.get());
  return kernels;
}

std::set<std::string> Program::getOpcodes() const {
  std::set<std::string> opcodes;
  for (const std::unique_ptr<Code> &code : codes)
    for (const Instruction &instruction : code->text->body)
      opcodes.insert(instruction.opcode);
  return opcodes;
}
