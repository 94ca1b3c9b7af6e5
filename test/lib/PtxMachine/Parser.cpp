// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads PTX. Names of registers, of variables of functions and of labels are
// looked up here, in the braces that they stand in; others when texts are
// linked.

#include "Lexer.h"
#include "Text.h"

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <ranges>
#include <set>

using namespace ptxmachine;

namespace {

const std::map<std::string, Space> spaces = {
    {".global", Space::Global}, {".const", Space::Const},
    {".shared", Space::Shared}, {".local", Space::Local},
    {".param", Space::Param},
};

bool isNumber(const std::string &word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0]));
}

/// Declared sizes and counts of registers, at most.
constexpr uint64_t kMostBytes = uint64_t(1) << 31;
constexpr uint64_t kMostRegisters = 1 << 20;
/// Braces in braces, at most.
constexpr size_t kMostScopes = 1000;

bool isFloatBits(const std::string &word) {
  return word.size() > 2 && word[0] == '0' && std::strchr("fFdD", word[1]);
}

class Parser {
public:
  explicit Parser(const std::string &text) : words(text) {}

  Text parse();

private:
  // Declarations.
  Variable parseVariable(Space space);
  void parseInitial(Variable &variable);
  void parseInitialElement(Variable &variable);
  std::vector<Variable> parseParameters();
  void parseFunction(bool isKernel);
  void parseFunctionDirectives(Function &function);
  void skipDebugDirective(const std::string &directive);
  uint64_t takeNumber();

  // Bodies.
  void parseBody();
  void parseBodyDirective(const std::string &directive);
  void parseRegisters();
  void parseInstruction();
  Operand parseOperand();
  Operand parseSimpleOperand();
  uint64_t parseOffset();
  Operand parseVector(const char *end, Operand::Kind kind);
  Operand parseName(const std::string &name);
  int findRegister(const std::string &name) const;

  struct Scope {
    std::map<std::string, size_t> registers, variables;
    /// Labels and tables of them: names that no others of the function have.
    std::map<std::string, std::string> labels;
    size_t firstInstruction = 0;
  };
  std::string addLabel(const std::string &name);
  void resolveLabels();

  Lexer words;
  Text result;
  Function *function = nullptr;
  size_t labels = 0;
  std::vector<Scope> scopes;
};

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// The bits of a number as PTX writes it: an integer, or the bits of a float.
uint64_t Parser::takeNumber() {
  std::string word = words.now();
  if (!isNumber(word))
    words.fail();
  bool isBinary = word.size() > 2 && word[0] == '0' && word[1] == 'b';
  const char *digits = word.c_str() + (isBinary || isFloatBits(word) ? 2 : 0);
  char *end;
  uint64_t bits = std::strtoull(digits, &end,
                                isBinary            ? 2
                                : isFloatBits(word) ? 16
                                                    : 0);
  if (*end == 'U')
    ++end;
  if (*end != '\0')
    words.fail();
  words.take();
  return bits;
}

/// What follows a space: up to, and without, `,`, `)` or `;`.
Variable Parser::parseVariable(Space space) {
  Variable variable;
  variable.space = space;
  size_t elements = 1, align = 0, count = 1;
  bool hasBrackets = false;
  while (!words.isDone() && words.now() != "," && words.now() != ")" &&
         words.now() != ";") {
    std::string word = words.take();
    if (word == ".align") {
      align = takeNumber();
    } else if (word == ".ptr") {
      // Says what a parameter points to: a space, and an alignment.
      if (spaces.count(words.now()))
        words.take();
      if (words.takeIf(".align"))
        words.take();
    } else if (word == ".attribute") {
      words.expect("(");
      for (int depth = 1; depth > 0 && !words.isDone();) {
        std::string part = words.take();
        depth += part == "(" ? 1 : part == ")" ? -1 : 0;
      }
    } else if (word == "[") {
      hasBrackets = true;
      if (words.now() != "]") {
        uint64_t count = takeNumber();
        if (count > kMostBytes || elements * count > kMostBytes)
          words.fail();
        elements *= count;
      } else
        elements = 0;
      words.expect("]");
    } else if (word == "=") {
      variable.bytes = bytesOf(variable.type) * count * elements;
      parseInitial(variable);
    } else if (word == ".v2" || word == ".v4") {
      count = size_t(word[2] - '0');
    } else if (word[0] == '.') {
      variable.type = parseType(word.substr(1));
      if (variable.type == Type::None)
        words.fail();
    } else {
      variable.name = word;
    }
  }
  size_t bytes = bytesOf(variable.type) * count;
  variable.align = align ? align : std::max<size_t>(bytes, 1);
  variable.bytes = hasBrackets ? bytes * elements : bytes;
  if (variable.bytes < variable.initial.size())
    variable.bytes = variable.initial.size();
  return variable;
}

void Parser::parseInitial(Variable &variable) {
  if (!words.takeIf("{")) {
    parseInitialElement(variable);
    return;
  }
  while (!words.isDone() && !words.takeIf("}")) {
    if (words.now() == "{")
      parseInitial(variable);
    else
      parseInitialElement(variable);
    words.takeIf(",");
  }
}

void Parser::parseInitialElement(Variable &variable) {
  unsigned bytes = bytesOf(variable.type);
  size_t offset = variable.initial.size();
  variable.initial.resize(offset + bytes);
  bool isNegative = words.takeIf("-");
  Relocation relocation = {offset, bytes, "", 0, 0, false};
  if (isNumber(words.now())) {
    uint64_t bits = takeNumber();
    if (words.takeIf("(")) {
      // A byte of an address: 0xFF00(symbol).
      relocation.shift = unsigned(bits ? __builtin_ctzll(bits) : 0);
    } else {
      bits = isNegative ? -bits : bits;
      std::memcpy(variable.initial.data() + offset, &bits, bytes);
      return;
    }
  }
  if (words.now() == "generic" || words.now() == "mask") {
    words.take();
    words.expect("(");
    relocation.isGeneric = true;
  }
  bool isWrapped = relocation.isGeneric || relocation.shift != 0;
  relocation.symbol = words.take();
  if (relocation.symbol == "generic") {
    words.expect("(");
    relocation.symbol = words.take();
    words.expect(")");
  }
  if (words.takeIf("+"))
    relocation.addend = int64_t(takeNumber());
  else if (words.takeIf("-"))
    relocation.addend = -int64_t(takeNumber());
  if (isWrapped || words.now() == ")")
    words.expect(")");
  if (words.takeIf("+"))
    relocation.addend += int64_t(takeNumber());
  variable.relocations.push_back(std::move(relocation));
}

/// Behind an opening parenthesis, up to the closing one.
std::vector<Variable> Parser::parseParameters() {
  std::vector<Variable> parameters;
  while (!words.isDone() && !words.takeIf(")")) {
    if (!words.takeIf(".param"))
      words.expect(".reg");
    parameters.push_back(parseVariable(Space::Param));
    words.takeIf(",");
  }
  return parameters;
}

void Parser::parseFunctionDirectives(Function &made) {
  while (!words.isDone() && words.now() != "{" && words.now() != ";") {
    std::string directive = words.take();
    std::vector<unsigned> numbers;
    while (isNumber(words.now())) {
      numbers.push_back(unsigned(takeNumber()));
      words.takeIf(",");
    }
    if (directive != ".maxntid" && directive != ".reqntid")
      continue;
    numbers.resize(3, 1);
    made.maxThreads = int(numbers[0] * numbers[1] * numbers[2]);
    if (directive == ".reqntid")
      made.requiredThreads = {numbers[0], numbers[1], numbers[2]};
  }
}

void Parser::parseFunction(bool isKernel) {
  Function made;
  made.isKernel = isKernel;
  if (words.takeIf("("))
    made.results = parseParameters();
  made.name = words.take();
  if (words.takeIf("("))
    made.parameters = parseParameters();
  parseFunctionDirectives(made);
  function = &made;
  if (!words.takeIf(";")) {
    made.isDefined = true;
    scopes.assign(1, {});
    // They are variables of the function: first results, then parameters.
    for (const std::vector<Variable> *list : {&made.results, &made.parameters})
      for (const Variable &variable : *list) {
        scopes[0].variables[variable.name] = made.variables.size();
        made.variables.push_back(variable);
      }
    parseBody();
  }
  function = nullptr;
  result.functions.push_back(std::move(made));
}

/// .file, .loc and .section, which end without a semicolon.
void Parser::skipDebugDirective(const std::string &directive) {
  if (directive == ".section") {
    words.take();
    words.skipBraces();
    return;
  }
  while (isNumber(words.now()) || words.now()[0] == '"')
    words.take();
  while (words.takeIf(",")) {
    // function_name LABEL [+ N], inlined_at FILE LINE COLUMN; a time; a size.
    if (words.now() == "function_name") {
      words.take();
      words.take();
      if (words.takeIf("+"))
        words.take();
    } else if (words.now() == "inlined_at") {
      words.take();
    }
    while (isNumber(words.now()))
      words.take();
  }
}

Text Parser::parse() {
  if (words.now() != ".version")
    throw TextError(1,
                    "fatal   : Missing .version directive at start of file '" +
                        words.now() + "'");
  bool isExternal = false;
  while (!words.isDone()) {
    std::string word = words.take();
    auto space = spaces.find(word);
    if (word == ".extern") {
      isExternal = true;
      continue;
    }
    if (word == ".visible" || word == ".weak" || word == ".common")
      continue;
    if (word == ".entry" || word == ".func") {
      parseFunction(word == ".entry");
    } else if (space != spaces.end()) {
      do {
        Variable variable = parseVariable(space->second);
        variable.isExternal = isExternal;
        result.variables.push_back(std::move(variable));
      } while (words.takeIf(","));
      words.expect(";");
    } else if (word == ".file" || word == ".section" || word == ".loc") {
      skipDebugDirective(word);
    } else if (word == ".version" || word == ".address_size") {
      words.take();
    } else if (word == ".target") {
      do
        words.take();
      while (words.takeIf(","));
    } else if (word == ".pragma" || word == ".alias") {
      words.skipStatement();
    } else {
      throw TextError(words.lastLine(), "fatal   : Parsing error near '" +
                                            word + "': syntax error");
    }
    isExternal = false;
  }
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void Parser::parseRegisters() {
  while (words.now() == ".v2" || words.now() == ".v4")
    words.fail();
  std::string word = words.take();
  Type type = parseType(word.empty() ? word : word.substr(1));
  if (type == Type::None)
    words.fail();
  do {
    std::string name = words.take();
    if (!words.takeIf("<")) {
      scopes.back().registers[name] = function->registers.size();
      function->registers.push_back(type);
      continue;
    }
    size_t count = takeNumber();
    words.expect(">");
    if (function->registers.size() + count > kMostRegisters)
      words.fail();
    for (size_t i = 0; i < count; ++i) {
      scopes.back().registers[name + std::to_string(i)] =
          function->registers.size();
      function->registers.push_back(type);
    }
  } while (words.takeIf(","));
  words.expect(";");
}

void Parser::parseBodyDirective(const std::string &directive) {
  auto space = spaces.find(directive);
  if (directive == ".reg") {
    parseRegisters();
  } else if (space != spaces.end()) {
    do {
      Variable variable = parseVariable(space->second);
      scopes.back().variables[variable.name] = function->variables.size();
      function->variables.push_back(std::move(variable));
    } while (words.takeIf(","));
    words.expect(";");
  } else if (directive == ".loc" || directive == ".file") {
    skipDebugDirective(directive);
  } else if (directive == ".pragma") {
    words.skipStatement();
  } else {
    words.fail();
  }
}

void Parser::parseBody() {
  words.expect("{");
  for (;;) {
    if (words.isDone())
      words.fail();
    if (words.takeIf("{")) {
      if (scopes.size() > kMostScopes)
        words.fail();
      scopes.emplace_back();
      scopes.back().firstInstruction = function->body.size();
    } else if (words.takeIf("}")) {
      resolveLabels();
      scopes.pop_back();
      if (scopes.empty())
        return;
    } else if (words.now()[0] == '.') {
      parseBodyDirective(words.take());
    } else if (!words.takeIf(";")) {
      parseInstruction();
    }
  }
}

/// The name, in the function, of a label of the innermost braces.
std::string Parser::addLabel(const std::string &name) {
  std::string unique = name + "@" + std::to_string(labels++);
  if (!scopes.back().labels.emplace(name, unique).second)
    throw TextError(words.lastLine(),
                    "error   : Duplicate definition of label '" + name + "'");
  return unique;
}

/// At the end of braces: what their instructions call the labels in them.
void Parser::resolveLabels() {
  const Scope &scope = scopes.back();
  auto resolve = [&](std::string &name) {
    if (auto found = scope.labels.find(name); found != scope.labels.end())
      name = found->second;
  };
  for (size_t i = scope.firstInstruction; i < function->body.size(); ++i)
    for (Operand &operand : function->body[i].operands)
      if (operand.kind == Operand::Kind::Symbol)
        resolve(operand.name);
  for (auto &[table, targets] : function->branchTables)
    for (std::string &target : targets)
      resolve(target);
}

void Parser::parseInstruction() {
  Instruction made;
  made.line = words.line();
  if (words.takeIf("@")) {
    made.isGuardNegated = words.takeIf("!");
    made.guard = findRegister(words.now());
    if (made.guard < 0)
      words.fail();
    words.take();
  }
  made.opcode = words.take();
  if (words.takeIf(":")) {
    if (words.takeIf(".branchtargets")) {
      std::vector<std::string> &targets =
          function->branchTables[addLabel(made.opcode)];
      do
        targets.push_back(words.take());
      while (words.takeIf(","));
      words.expect(";");
    } else if (words.now() == ".callprototype" ||
               words.now() == ".calltargets") {
      words.skipStatement();
    } else {
      function->labels[addLabel(made.opcode)] = function->body.size();
    }
    return;
  }
  // What cannot be an instruction, such as a stray word before a semicolon.
  static const std::set<std::string> alone = {
      "ret", "exit", "trap", "brkpt", "fence", "membar", "ret.uni"};
  std::string stem = made.opcode.substr(0, made.opcode.find('.'));
  if (!std::isalpha(static_cast<unsigned char>(made.opcode[0])) ||
      (words.now() == ";" && !alone.count(stem)))
    throw TextError(made.line, "fatal   : Parsing error near '" + made.opcode +
                                   "': syntax error");
  while (!words.isDone() && !words.takeIf(";")) {
    made.operands.push_back(parseOperand());
    if (words.now() != ";" && words.now() != ",")
      words.fail();
    words.takeIf(",");
  }
  function->body.push_back(std::move(made));
}

int Parser::findRegister(const std::string &name) const {
  for (const Scope &scope : std::views::reverse(scopes))
    if (auto found = scope.registers.find(name); found != scope.registers.end())
      return int(found->second);
  return -1;
}

Operand Parser::parseName(const std::string &name) {
  Operand operand;
  operand.name = name;
  if (int found = findRegister(name); found >= 0) {
    operand.kind = Operand::Kind::Register;
    operand.index = size_t(found);
    return operand;
  }
  for (const Scope &scope : std::views::reverse(scopes))
    if (auto found = scope.variables.find(name);
        found != scope.variables.end()) {
      operand.kind = Operand::Kind::Variable;
      operand.index = found->second;
      return operand;
    }
  operand.kind = name[0] == '%' || name == "WARP_SZ" ? Operand::Kind::Special
                                                     : Operand::Kind::Symbol;
  return operand;
}

/// `+4`, `-4`, `+-4`, or nothing.
uint64_t Parser::parseOffset() {
  bool isAdded = words.takeIf("+");
  bool isNegative = words.takeIf("-");
  if (!isAdded && !isNegative)
    return 0;
  uint64_t offset = takeNumber();
  return isNegative ? -offset : offset;
}

Operand Parser::parseVector(const char *end, Operand::Kind kind) {
  Operand operand;
  operand.kind = kind;
  while (!words.isDone() && !words.takeIf(end)) {
    operand.parts.push_back(parseOperand());
    words.takeIf(",");
  }
  return operand;
}

Operand Parser::parseSimpleOperand() {
  Operand operand;
  if (words.takeIf("_"))
    return operand;
  if (words.takeIf("!")) {
    operand = parseName(words.take());
    operand.isNegated = true;
    return operand;
  }
  bool isNegative = words.takeIf("-");
  if (isNumber(words.now())) {
    operand.kind = Operand::Kind::Number;
    operand.name = words.now();
    operand.number = takeNumber();
    if (isNegative && isFloatBits(operand.name))
      operand.number ^= std::strchr("fF", operand.name[1]) ? uint64_t(1) << 31
                                                           : uint64_t(1) << 63;
    else if (isNegative)
      operand.number = -operand.number;
    return operand;
  }
  if (isNegative || words.now() == ";" || words.now() == ",")
    words.fail();
  operand = parseName(words.take());
  operand.number = parseOffset();
  return operand;
}

Operand Parser::parseOperand() {
  if (words.takeIf("{"))
    return parseVector("}", Operand::Kind::Vector);
  if (words.takeIf("("))
    return parseVector(")", Operand::Kind::List);
  if (words.takeIf("[")) {
    Operand address;
    address.kind = Operand::Kind::Address;
    address.parts.push_back(parseSimpleOperand());
    std::swap(address.number, address.parts[0].number);
    if (address.parts[0].kind == Operand::Kind::Number)
      std::swap(address.number, address.parts[0].number);
    address.number += parseOffset();
    words.expect("]");
    return address;
  }
  Operand operand = parseSimpleOperand();
  if (!words.takeIf("|"))
    return operand;
  Operand pair;
  pair.kind = Operand::Kind::Vector;
  pair.parts = {operand, parseSimpleOperand()};
  return pair;
}

} // namespace

Text ptxmachine::parseText(const std::string &text) {
  return Parser(text).parse();
}
