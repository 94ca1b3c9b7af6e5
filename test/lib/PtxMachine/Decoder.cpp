// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks names up and chooses the handler of each instruction, before anything
// runs.

#include "Decoder.h"

#include "Memory.h"

#include <algorithm>

using namespace ptxmachine;

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

Modifiers::Modifiers(const Instruction &instruction)
    : instruction(instruction) {
  std::string_view left = instruction.opcode;
  size_t dot = left.find('.');
  name = left.substr(0, dot);
  while (dot != std::string_view::npos) {
    left.remove_prefix(dot + 1);
    // Scopes and the like of two words have colons, which are words of their
    // own.
    dot = left.find('.');
    parts.emplace_back(left.substr(0, dot));
  }
}

bool Modifiers::has(std::string_view modifier) const {
  return std::find(parts.begin(), parts.end(), modifier) != parts.end();
}

bool Modifiers::wasTaken(std::string_view modifier) const {
  return std::find(taken.begin(), taken.end(), modifier) != taken.end();
}

bool Modifiers::isOfFloats() const {
  for (const std::string &part : parts)
    if (Type type = parseType(part); type != Type::None)
      return isFloat(type);
  return false;
}

bool Modifiers::take(std::string_view modifier) {
  auto found = std::find(parts.begin(), parts.end(), modifier);
  if (found == parts.end())
    return false;
  taken.push_back(*found);
  parts.erase(found);
  return true;
}

int Modifiers::takeOneOf(std::initializer_list<std::string_view> modifiers) {
  int index = 0;
  for (std::string_view modifier : modifiers) {
    if (take(modifier))
      return index;
    ++index;
  }
  return -1;
}

Type Modifiers::takeTypeIfAny() {
  for (auto part = parts.begin(); part != parts.end(); ++part)
    if (Type type = parseType(*part); type != Type::None) {
      parts.erase(part);
      return type;
    }
  return Type::None;
}

Type Modifiers::takeType() {
  Type type = takeTypeIfAny();
  if (type == Type::None)
    fail();
  return type;
}

void Modifiers::finish() const {
  if (!parts.empty())
    fail();
}

void Modifiers::fail() const {
  throw TextError(instruction.line,
                  "error   : the PTX machine does not know '" +
                      instruction.opcode + "'");
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

Builder ptxmachine::findBuilder(const std::string &name) {
  static const Table table = [] {
    Table table;
    addIntegers(table);
    addBits(table);
    addFloats(table);
    addApproximations(table);
    addComparisons(table);
    addConversions(table);
    addMoves(table);
    addMemory(table);
    addAtomics(table);
    addWarps(table);
    addControl(table);
    return table;
  }();
  auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

//===----------------------------------------------------------------------===//
// Decoder
//===----------------------------------------------------------------------===//

Source Decoder::constant(uint64_t value) {
  auto [found, isNew] = program.constantRows.try_emplace(
      value, uint32_t(program.constants.size() / kLanes));
  if (isNew)
    program.constants.insert(program.constants.end(), kLanes, value);
  Source source;
  source.kind = Source::Kind::Constant;
  source.index = found->second;
  return source;
}

/// The address of a variable or function of a text. Records which shared
/// variables the function uses.
uint64_t Decoder::addressOf(const Operand &operand) {
  if (auto found = program.sharedByName.find(operand.name);
      found != program.sharedByName.end()) {
    code.sharedOffsets.insert(found->second);
    return found->second;
  }
  if (auto found = program.addresses.find(operand.name);
      found != program.addresses.end())
    return found->second;
  throw TextError(now->line,
                  "error   : Undefined reference to '" + operand.name + "'");
}

void Decoder::decodeOperand(const Operand &operand, Step &step) {
  Source source;
  source.isNegated = operand.isNegated;
  switch (operand.kind) {
  case Operand::Kind::Register:
    source.kind = Source::Kind::Register;
    source.index = uint32_t(operand.index);
    break;
  case Operand::Kind::Sink:
    source.kind = Source::Kind::Register;
    source.index = code.registers;
    break;
  case Operand::Kind::Special:
    source.kind = Source::Kind::Special;
    source.index = parseSpecial(operand.name, now->line);
    break;
  case Operand::Kind::Number:
    source = constant(operand.number);
    break;
  case Operand::Kind::Symbol:
    source = constant(addressOf(operand) + operand.number);
    break;
  case Operand::Kind::Variable: {
    uint64_t offset = code.offsets[operand.index] + operand.number;
    if (code.text->variables[operand.index].space == Space::Shared) {
      source = constant(offset);
      break;
    }
    source.kind = Source::Kind::Frame;
    source.offset = offset;
    break;
  }
  case Operand::Kind::Address:
    step.offset = operand.number;
    decodeOperand(operand.parts[0], step);
    return;
  case Operand::Kind::Vector:
  case Operand::Kind::List:
    for (const Operand &part : operand.parts)
      decodeOperand(part, step);
    return;
  }
  step.operands.push_back(source);
}

/// Where a parameter of a call is in the frame, and its bytes.
std::pair<uint64_t, uint64_t> Decoder::passedIn(const Operand &operand) const {
  if (operand.kind != Operand::Kind::Variable)
    throw TextError(now->line,
                    "error   : the PTX machine passes only variables "
                    "of .param to functions, not '" +
                        operand.name + "'");
  return {code.offsets[operand.index],
          code.text->variables[operand.index].bytes};
}

/// `call (result), function, (arguments), prototype`, of which all but the
/// function may be missing.
void Decoder::decodeCall(Step &step) {
  CallSite site;
  const Operand *function = nullptr;
  for (const Operand &operand : now->operands) {
    bool isList = operand.kind == Operand::Kind::List;
    if (!isList && !function)
      function = &operand;
    else if (isList)
      for (const Operand &part : operand.parts)
        (function ? site.arguments : site.results).push_back(passedIn(part));
  }
  if (!function)
    throw TextError(now->line, "error   : a call without a function");
  if (function->kind == Operand::Kind::Symbol) {
    site.callee = program.find(function->name);
    site.system = site.callee ? nullptr : findSystemFunction(function->name);
    if (!site.callee && !site.system)
      throw TextError(now->line, "error   : Undefined reference to '" +
                                     function->name + "'");
  } else {
    decodeOperand(*function, step);
  }
  step.callee = site.callee;
  step.extra = uint32_t(program.calls.size());
  program.calls.push_back(std::move(site));
}

/// The labels that an instruction goes to.
void Decoder::decodeTargets(Step &step) {
  auto find = [&](const std::string &name) {
    auto found = code.text->labels.find(name);
    if (found == code.text->labels.end())
      throw TextError(now->line, "error   : no label '" + name + "'");
    return uint32_t(found->second);
  };
  for (const Operand &operand : now->operands) {
    auto table = code.text->branchTables.find(operand.name);
    if (operand.kind != Operand::Kind::Symbol)
      decodeOperand(operand, step);
    else if (table == code.text->branchTables.end())
      step.targets.push_back(find(operand.name));
    else
      for (const std::string &target : table->second)
        step.targets.push_back(find(target));
  }
}

void Decoder::decode() {
  const Function &function = *code.text;
  code.steps.resize(function.body.size());
  for (size_t i = 0; i < function.body.size(); ++i) {
    now = &function.body[i];
    Step &step = code.steps[i];
    step.text = now;
    step.guard = now->guard;
    step.isGuardNegated = now->isGuardNegated;
    Modifiers modifiers(*now);
    const std::string &name = modifiers.getName();
    Builder builder = findBuilder(name);
    if (!builder)
      modifiers.fail();
    if (name == "call")
      decodeCall(step);
    else if (name == "bra" || name == "brx")
      decodeTargets(step);
    else
      for (const Operand &operand : now->operands)
        decodeOperand(operand, step);
    builder(modifiers, step);
    modifiers.finish();
  }
  // Behind the last instruction a function returns.
  static const Instruction end = {0, "ret", -1, false, {}};
  Step last;
  last.text = &end;
  Modifiers modifiers(end);
  findBuilder("ret")(modifiers, last);
  code.steps.push_back(last);
  for (const auto &[name, target] : function.labels)
    code.steps[target].isLeader = true;
  for (size_t i = 0; i + 1 < code.steps.size(); ++i)
    if (code.steps[i].isControl)
      code.steps[i + 1].isLeader = true;
}
