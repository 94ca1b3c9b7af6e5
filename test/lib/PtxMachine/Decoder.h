// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the instructions of a text to steps.

#ifndef PYK_TEST_LIB_PTXMACHINE_DECODER_H
#define PYK_TEST_LIB_PTXMACHINE_DECODER_H

#include "Program.h"

#include <string_view>

namespace ptxmachine {

/// The parts of an opcode behind its name, each taken once. What is left at the
/// end is not known.
class Modifiers {
public:
  Modifiers(const Instruction &instruction);

  /// The name, such as "add".
  const std::string &getName() const { return name; }
  /// Takes `modifier` if it is there.
  bool take(std::string_view modifier);
  bool has(std::string_view modifier) const;
  bool wasTaken(std::string_view modifier) const;
  /// Whether the type that decides is one of floats.
  bool isOfFloats() const;
  /// Takes the first of these that is there; its index, or -1.
  int takeOneOf(std::initializer_list<std::string_view> modifiers);
  /// Takes the first type that is left; fails if there is none.
  Type takeType();
  /// Takes the first type that is left; None if there is none.
  Type takeTypeIfAny();
  void finish() const;
  [[noreturn]] void fail() const;

private:
  const Instruction &instruction;
  std::string name;
  std::vector<std::string> parts, taken;
};

/// Makes the step of an instruction: sets its handler, and takes modifiers.
/// Operands are there already.
using Builder = void (*)(Modifiers &modifiers, Step &step);

/// The builder of instructions of that name; null if there is none.
Builder findBuilder(const std::string &name);

/// What each family of instructions adds to the table of builders.
using Table = std::map<std::string, Builder>;
void addIntegers(Table &table);
void addBits(Table &table);
void addFloats(Table &table);
void addApproximations(Table &table);
void addComparisons(Table &table);
void addConversions(Table &table);
void addMoves(Table &table);
void addMemory(Table &table);
void addAtomics(Table &table);
void addWarps(Table &table);
void addControl(Table &table);

/// The instructions of integers whose names those of floats have, too.
Handler makeIntegerAdd(Modifiers &modifiers);
Handler makeIntegerSubtract(Modifiers &modifiers);
Handler makeIntegerMultiply(Modifiers &modifiers);
Handler makeIntegerDivide(Modifiers &modifiers);
Handler makeIntegerAbsolute(Modifiers &modifiers);
Handler makeIntegerNegate(Modifiers &modifiers);
Handler makeIntegerMinimum(Modifiers &modifiers);
Handler makeIntegerMaximum(Modifiers &modifiers);

/// The halves of such instructions, and what is not rounded as IEEE 754 says.
void buildHalfAdd(Modifiers &modifiers, Step &step);
void buildHalfSubtract(Modifiers &modifiers, Step &step);
void buildHalfMultiply(Modifiers &modifiers, Step &step);
void buildHalfFma(Modifiers &modifiers, Step &step);
void buildHalfMinimum(Modifiers &modifiers, Step &step);
void buildHalfMaximum(Modifiers &modifiers, Step &step);
void buildHalfAbsolute(Modifiers &modifiers, Step &step);
void buildHalfNegate(Modifiers &modifiers, Step &step);
void buildFloatMad(Modifiers &modifiers, Step &step);
void buildApproximateDivide(Modifiers &modifiers, Step &step);
void buildApproximateReciprocal(Modifiers &modifiers, Step &step);
void buildApproximateRoot(Modifiers &modifiers, Step &step);

/// The system function of that name; null if there is none.
SystemFunction findSystemFunction(const std::string &name);

class Decoder {
public:
  Decoder(Program &program, Code &code) : program(program), code(code) {}

  void decode();

private:
  void decodeOperand(const Operand &operand, Step &step);
  void decodeCall(Step &step);
  void decodeTargets(Step &step);
  std::pair<uint64_t, uint64_t> passedIn(const Operand &operand) const;
  uint64_t addressOf(const Operand &operand);
  Source constant(uint64_t value);

  Program &program;
  Code &code;
  const Instruction *now = nullptr;
};

/// The number of a special register; throws TextError if there is none.
uint32_t parseSpecial(const std::string &name, int line);

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_DECODER_H
