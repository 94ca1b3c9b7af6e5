// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a text of PTX says, before names of other texts are known.

#ifndef PYK_TEST_LIB_PTXMACHINE_TEXT_H
#define PYK_TEST_LIB_PTXMACHINE_TEXT_H

#include "Types.h"

#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptxmachine {

/// What is wrong with a text, in the words of ptxas.
struct TextError : std::runtime_error {
  TextError(int line, const std::string &what)
      : std::runtime_error("ptxas application ptx input, line " +
                           std::to_string(line) + "; " + what) {}
};

enum class Space : uint8_t { Generic, Global, Const, Shared, Local, Param };

/// Where the address of a symbol is part of a variable's initial value.
struct Relocation {
  size_t offset;
  unsigned bytes;
  std::string symbol;
  int64_t addend = 0;
  /// The first bit of the address that is stored.
  unsigned shift = 0;
  /// Whether it is a generic address.
  bool isGeneric = false;
};

struct Variable {
  std::string name;
  Space space = Space::Generic;
  Type type = Type::None;
  size_t align = 1;
  size_t bytes = 0;
  /// Declared here, defined in another text, or the dynamic shared memory.
  bool isExternal = false;
  std::vector<char> initial;
  std::vector<Relocation> relocations;
};

struct Operand {
  enum class Kind {
    /// A register of the function, by its number.
    Register,
    /// %tid.x and its like.
    Special,
    Number,
    /// A variable of the function, by its number.
    Variable,
    /// A variable or function of a text, or a label.
    Symbol,
    /// `_`
    Sink,
    /// {a, b}, or a|b.
    Vector,
    /// [base + offset]; the base is the only part.
    Address,
    /// (a, b) of a call.
    List,
  };
  Kind kind = Kind::Sink;
  std::string name;
  size_t index = 0;
  /// The bits of a number, or an offset.
  uint64_t number = 0;
  /// `!` before a predicate.
  bool isNegated = false;
  std::vector<Operand> parts;
};

struct Instruction {
  int line = 0;
  /// With all that follows it by dots: "add.rn.f32".
  std::string opcode;
  /// The register that decides whether it is executed; -1: always.
  int guard = -1;
  bool isGuardNegated = false;
  std::vector<Operand> operands;
};

struct Function {
  std::string name;
  bool isKernel = false;
  bool isDefined = false;
  std::vector<Variable> results, parameters;
  /// Types of registers.
  std::vector<Type> registers;
  /// What is declared within: in local, shared and parameter memory.
  std::vector<Variable> variables;
  std::vector<Instruction> body;
  /// Labels: the instruction behind them.
  std::map<std::string, size_t> labels;
  /// Lists of labels, for brx.idx.
  std::map<std::string, std::vector<std::string>> branchTables;
  /// The threads of a block at most, and exactly (0: any).
  int maxThreads = 1024;
  std::array<unsigned, 3> requiredThreads = {0, 0, 0};
};

struct Text {
  std::vector<Function> functions;
  std::vector<Variable> variables;
};

/// Reads a text; throws TextError.
Text parseText(const std::string &text);

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_TEXT_H
