// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand or a result lies in a page between two that nobody may touch: at
// its end, and in a second run at its beginning, so that an access beyond the
// active lanes ends the run. Within the page, every byte that no active lane
// stores has to keep its value.

#include "BackEndRunner.h"
#include "BindToHost.h"
#include "LinkImage.h"
#include "pyk/runtime/CpuImage.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <gtest/gtest.h>

#include <csetjmp>
#include <csignal>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace pyk;
using namespace pyk::test;

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Compiles `module` to an object by LLVM's passes alone.
static std::unique_ptr<MemoryBuffer> emitByLLVM(Module &module,
                                                TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  MCContext *context = nullptr;
  EXPECT_FALSE(machine.addPassesToEmitMC(passes, context, stream));
  passes.run(module);
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(bytes), /*RequiresNullTerminator=*/false);
}

LoadedCode test::compileForTest(Module &module, ArrayRef<std::string> names,
                                const CpuMachine &machine, bool onlyLLVM) {
  constexpr unsigned level = 3;
  TargetMachine &codeMaker = getTargetMachine(machine, level);
  module.setTargetTriple(machine.triple);
  module.setDataLayout(codeMaker.createDataLayout());
  std::string problems;
  raw_string_ostream stream(problems);
  EXPECT_FALSE(verifyModule(module, &stream)) << problems;
  std::vector<BoundKernel> kernels;
  for (const std::string &name : names) {
    BoundKernel &kernel = kernels.emplace_back();
    kernel.name = name;
    kernel.isOfBlock = true;
    kernel.thread = module.getFunction(name);
  }
  if (!onlyLLVM)
    optimizeForCpu(module, machine, level, /*hasVectors=*/machine.lanes != 0);
  addKernelTable(module, kernels);
  std::unique_ptr<MemoryBuffer> object =
      onlyLLVM ? emitByLLVM(module, codeMaker)
               : cantFail(emitObject(module, codeMaker));
  std::string image = cantFail(linkImage(*object, tableName, machine.target));
  auto loaded = runtime::loadCpuImage(image);
  EXPECT_TRUE(loaded.ok()) << loaded.status().message();
  return {std::move(loaded.value())};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {

constexpr uint8_t kUntouched = 0xa5;

/// A page between two that nobody may touch.
class GuardedPage {
public:
  GuardedPage()
      : size(sysconf(_SC_PAGESIZE)),
        all(static_cast<char *>(mmap(nullptr, 3 * size, PROT_NONE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(all + size, size, PROT_READ | PROT_WRITE);
  }
  ~GuardedPage() { munmap(all, 3 * size); }
  GuardedPage(const GuardedPage &) = delete;
  GuardedPage &operator=(const GuardedPage &) = delete;

  MutableArrayRef<uint8_t> get() const {
    return {reinterpret_cast<uint8_t *>(all + size), size};
  }
  void clear() const { memset(all + size, kUntouched, size); }
  /// The address whose bytes from `begin` to before `end` are the last of the
  /// page, or the first.
  uint8_t *place(int64_t begin, int64_t end, bool atEnd) const {
    uint8_t *first = get().begin();
    return atEnd ? first + (static_cast<int64_t>(size) - end) : first - begin;
  }

private:
  size_t size;
  char *all;
};

/// Where the lanes of an access are, in elements, and which are active.
struct Places {
  SmallVector<bool, 32> active;
  SmallVector<int64_t, 32> offsets;

  std::pair<int64_t, int64_t> getBytes(unsigned elementBytes) const;
};

/// The arguments of one run, except for addresses of operands.
struct Inputs {
  Places load, store;
  std::array<uint8_t, 32> loadMask, storeMask;
  int64_t loadCount = 0, storeCount = 0;
  SmallVector<Lanes, 3> operands;
  /// What the operation gives.
  Lanes expected;
};

/// Runs cases.
class CaseRunner {
public:
  /// What is wrong; empty if nothing is.
  std::string run(const Case &test, pyk_rt_thread_fn function);

private:
  Inputs makeInputs(const Case &test, unsigned number);
  std::string runOnce(const Case &test, pyk_rt_thread_fn function,
                      Inputs &inputs, bool atEnd);
  std::string compare(const Case &test, const Inputs &inputs, uint8_t *base);

  std::mt19937_64 random;
  GuardedPage result;
  std::array<GuardedPage, 3> operands;
};

/// The offset of inactive lanes of gathers and scatters: no memory is there.
constexpr int64_t kNowhere = int64_t(1) << 44;

} // namespace

std::pair<int64_t, int64_t> Places::getBytes(unsigned elementBytes) const {
  int64_t least = INT64_MAX, most = INT64_MIN;
  for (auto [isActive, offset] : zip(active, offsets))
    if (isActive) {
      least = std::min(least, offset);
      most = std::max(most, offset + 1);
    }
  if (least > most)
    return {0, 0};
  return {least * int64_t(elementBytes), most * int64_t(elementBytes)};
}

/// Which lanes of `lanes` a `mask` makes active in a run: those of `bits`,
/// where the code leaves it open.
static SmallVector<bool, 32> getActive(const Mask &mask, unsigned lanes,
                                       uint32_t bits, int64_t count) {
  SmallVector<bool, 32> active;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    bool isConstant = mask.bits >> lane & 1, isSet = bits >> lane & 1;
    switch (mask.kind) {
    case Mask::All:
      active.push_back(true);
      break;
    case Mask::Constant:
      active.push_back(isConstant);
      break;
    case Mask::Prefix:
      active.push_back(lane < count);
      break;
    case Mask::Variable:
      active.push_back(isSet);
      break;
    case Mask::Some:
      active.push_back(isSet && isConstant);
      break;
    }
  }
  return active;
}

/// Runs of a case, each with other masks and values.
static unsigned countRuns(const Case &test) {
  bool isOpen = any_of(ArrayRef{test.load.mask.kind, test.store.mask.kind},
                       [](Mask::Kind kind) { return kind > Mask::Constant; });
  return isOpen ? test.lanes + 6 : 3;
}

Inputs CaseRunner::makeInputs(const Case &test, unsigned number) {
  // First the prefixes, which single lanes go with, then any masks.
  auto bits = static_cast<uint32_t>(
      number <= test.lanes ? uint64_t(1) << number % test.lanes : random());
  Inputs inputs;
  inputs.loadCount = inputs.storeCount =
      number <= test.lanes ? number : test.lanes + number;
  auto make = [&](const MaskedAccess &access, std::array<uint8_t, 32> &bytes) {
    for (unsigned lane = 0; lane < bytes.size(); ++lane)
      bytes[lane] = bits >> lane & 1;
    Places places;
    places.active = getActive(access.mask, test.lanes, bits, inputs.loadCount);
    SmallVector<int64_t, 32> free;
    for (unsigned place = 0; place < 2 * test.lanes; ++place)
      free.push_back(place);
    std::shuffle(free.begin(), free.end(), random);
    for (unsigned lane = 0; lane < test.lanes; ++lane)
      places.offsets.push_back(access.access == Access::Adjacent ? lane
                               : places.active[lane]             ? free[lane]
                                                                 : kNowhere);
    return places;
  };
  inputs.load = make(test.load, inputs.loadMask);
  inputs.store = make(test.store, inputs.storeMask);
  for (unsigned operand = 0; operand < test.operation->operands; ++operand) {
    Lanes &lanes = inputs.operands.emplace_back();
    for (bool isActive : inputs.load.active)
      lanes.push_back(isActive ? makeValue(test.operation->from, random()) : 0);
  }
  inputs.expected = test.operation->evaluate(inputs.operands);
  // A result of another length is stored as a whole.
  if (test.countResults() != test.lanes) {
    inputs.store.active.assign(test.countResults(), true);
    inputs.store.offsets.resize(test.countResults());
  }
  return inputs;
}

static sigjmp_buf faulted;
static volatile sig_atomic_t signalOfFault;

static void onFault(int number) {
  signalOfFault = number;
  siglongjmp(faulted, 1);
}

/// Calls `function`; false if that ends by a signal.
static bool call(pyk_rt_thread_fn function, void *const *arguments) {
  if (sigsetjmp(faulted, 0) != 0)
    return false;
  function(nullptr, 0, 0, 0, arguments);
  return true;
}

std::string CaseRunner::compare(const Case &test, const Inputs &inputs,
                                uint8_t *base) {
  const Operation &operation = *test.operation;
  const unsigned bytes = getBytes(operation.to);
  MutableArrayRef<uint8_t> memory = result.get();
  for (auto [lane, isActive] : enumerate(inputs.store.active)) {
    if (!isActive)
      continue;
    uint8_t *place = base + inputs.store.offsets[lane] * int64_t(bytes);
    uint64_t found = 0;
    memcpy(&found, place, bytes);
    memset(place, kUntouched, bytes);
    if (operation.accepts(inputs.expected[lane], found))
      continue;
    std::string text = "lane " + std::to_string(lane) + ": expected 0x" +
                       utohexstr(inputs.expected[lane]) + " but found 0x" +
                       utohexstr(found) + " for";
    for (const Lanes &operand : inputs.operands)
      text += " 0x" + utohexstr(operand[lane % operand.size()]);
    return text;
  }
  // Whether each byte is as the one before it.
  if (memory.front() == kUntouched &&
      memcmp(&memory[0], &memory[1], memory.size() - 1) == 0)
    return "";
  for (uint8_t &byte : memory)
    if (byte != kUntouched)
      return "stores to byte " + std::to_string(&byte - base) +
             ", where no active lane does";
  return "";
}

std::string CaseRunner::runOnce(const Case &test, pyk_rt_thread_fn function,
                                Inputs &inputs, bool atEnd) {
  const unsigned bytes = getBytes(test.operation->to);
  const unsigned operandBytes = getBytes(test.operation->from);
  auto [begin, end] = inputs.store.getBytes(bytes);
  auto [operandBegin, operandEnd] = inputs.load.getBytes(operandBytes);
  void *arguments[CaseArgumentCount] = {};
  result.clear();
  uint8_t *base = result.place(begin, end, atEnd);
  arguments[ResultArgument] = base;
  for (auto [operand, lanes] : enumerate(inputs.operands)) {
    GuardedPage &page = operands[operand];
    page.clear();
    uint8_t *from = page.place(operandBegin, operandEnd, atEnd);
    for (auto [lane, value] : enumerate(lanes))
      if (inputs.load.active[lane])
        memcpy(from + inputs.load.offsets[lane] * int64_t(operandBytes), &value,
               operandBytes);
    arguments[FirstOperandArgument + operand] = from;
  }
  auto getMask = [](const Mask &mask, auto &bytes, int64_t &count) -> void * {
    return mask.kind == Mask::Prefix ? static_cast<void *>(&count)
                                     : bytes.data();
  };
  arguments[LoadMaskArgument] =
      getMask(test.load.mask, inputs.loadMask, inputs.loadCount);
  arguments[StoreMaskArgument] =
      getMask(test.store.mask, inputs.storeMask, inputs.storeCount);
  arguments[LoadOffsetsArgument] = inputs.load.offsets.data();
  arguments[StoreOffsetsArgument] = inputs.store.offsets.data();
  if (!call(function, arguments))
    return "ends by signal " + std::to_string(signalOfFault) +
           ": memory of no active lane";
  return compare(test, inputs, base);
}

std::string CaseRunner::run(const Case &test, pyk_rt_thread_fn function) {
  random.seed(test.lanes);
  for (unsigned number = 0; number < countRuns(test); ++number) {
    Inputs inputs = makeInputs(test, number);
    for (bool atEnd : {true, false})
      if (std::string text = runOnce(test, function, inputs, atEnd);
          !text.empty())
        return text;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

namespace {

/// Turns signals of this thread into results of `call`.
class FaultHandlers {
public:
  FaultHandlers() {
    struct sigaction action = {};
    action.sa_handler = onFault;
    action.sa_flags = SA_NODEFER;
    for (auto [index, number] : enumerate(kSignals))
      sigaction(number, &action, &before[index]);
  }
  ~FaultHandlers() {
    for (auto [index, number] : enumerate(kSignals))
      sigaction(number, &before[index], nullptr);
  }
  FaultHandlers(const FaultHandlers &) = delete;
  FaultHandlers &operator=(const FaultHandlers &) = delete;

private:
  static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  struct sigaction before[std::size(kSignals)];
};

} // namespace

std::vector<Fault> test::findFaults(ArrayRef<Case> cases,
                                    const CpuMachine &machine) {
  constexpr size_t batch = 512;
  std::vector<Fault> faults;
  CaseRunner runner;
  while (!cases.empty()) {
    ArrayRef<Case> own = cases.take_front(batch);
    cases = cases.drop_front(own.size());
    LLVMContext context;
    Module module("cases", context);
    std::vector<std::string> names;
    for (auto [index, test] : enumerate(own)) {
      names.push_back("case." + std::to_string(index));
      emitCase(module, test, names.back());
    }
    LoadedCode code =
        compileForTest(module, names, machine, /*onlyLLVM=*/false);
    FaultHandlers handlers;
    for (auto [index, test] : enumerate(own))
      if (std::string text = runner.run(test, code.getFunction(index));
          !text.empty())
        faults.push_back({test, std::move(text)});
  }
  return faults;
}
