// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of PTX, linked and ready to run.

#ifndef PYK_TEST_LIB_PTXMACHINE_PROGRAM_H
#define PYK_TEST_LIB_PTXMACHINE_PROGRAM_H

#include "Step.h"

#include <functional>
#include <map>
#include <set>
#include <string>

namespace ptxmachine {

/// A function that the device's system has, such as vprintf.
using SystemFunction = void (*)(Warp &, const struct CallSite &);

/// A call in a function.
struct CallSite {
  /// One of these is there; neither if the function is in a register.
  const Code *callee = nullptr;
  SystemFunction system = nullptr;
  /// Where arguments and results are in the frame of the caller.
  std::vector<std::pair<uint64_t, uint64_t>> arguments, results;
};

class Program {
public:
  /// Links texts. Throws TextError for what no text defines, and for
  /// instructions that the machine does not know.
  static std::unique_ptr<Program> link(const std::vector<std::string> &texts);

  /// The variables in global and constant memory.
  const std::vector<const Variable *> &getVariables() const {
    return variables;
  }

  /// Tells the program where a variable is. To be called for each of them,
  /// before `prepare`.
  void place(const std::string &variable, uint64_t address);

  /// Writes a variable's initial value to its memory.
  void initialize(const Variable &variable, char *memory) const;

  /// Makes what needs addresses. Throws TextError, also for more constant or
  /// shared memory than ptxas accepts.
  void prepare();

  /// The function of that name; null if there is none.
  const Code *find(const std::string &name) const;
  /// The function at that address; null if there is none.
  const Code *findByAddress(uint64_t address) const;
  std::vector<const Code *> getKernels() const;

  const uint64_t *getConstant(uint32_t index) const {
    return constants.data() + size_t(index) * kLanes;
  }
  const CallSite &getCallSite(uint32_t index) const { return calls[index]; }

  /// The names of instructions, for the list of those that tests emit.
  std::set<std::string> getOpcodes() const;

  /// Bytes of static shared memory; dynamic shared memory follows them.
  uint64_t getSharedBytes() const { return sharedBytes; }
  /// Whether these bytes of shared memory lie in one variable, or in the
  /// `dynamic` bytes behind all of them.
  bool isShared(uint64_t offset, uint64_t bytes, uint64_t dynamic) const;

private:
  friend class Decoder;

  std::vector<std::unique_ptr<Text>> texts;
  std::vector<std::unique_ptr<Code>> codes;
  std::map<std::string, Code *> byName;
  std::vector<const Variable *> variables;
  std::map<std::string, uint64_t> addresses;
  struct Shared {
    uint64_t bytes, align;
  };
  /// By their offsets, which are in the order of declarations.
  std::map<uint64_t, Shared> sharedVariables;
  std::map<std::string, uint64_t> sharedByName;
  uint64_t sharedBytes = 0;
  std::vector<uint64_t> constants;
  std::map<uint64_t, uint32_t> constantRows;
  std::vector<CallSite> calls;

  void layOut();
  void layOutFunction(Code &code);
  std::set<const Code *> reach(const Code &from) const;
  void countShared();
  void checkSizes() const;
  uint64_t addShared(const Variable &variable);
};

} // namespace ptxmachine

#endif // PYK_TEST_LIB_PTXMACHINE_PROGRAM_H
