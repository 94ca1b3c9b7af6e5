// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One ORC session for the process, with a library of its own for each kernel,
// linked by JITLink on the calling thread. LLJIT would add layers for compiling
// IR and for static constructors; kernels come compiled and have none. The
// session is never destroyed: kernels held by static objects outlive any order
// of destruction that could be chosen here.

#include "Jit.h"
#include "pyk/runtime/HostSymbols.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Object/ObjectFile.h"

#include <atomic>

using namespace llvm;
using namespace llvm::orc;
using namespace pyk;

namespace {

/// What all kernels share.
struct Session {
  explicit Session(std::unique_ptr<ExecutorProcessControl> process)
      : execution(std::move(process)),
        linker(execution, execution.getExecutorProcessControl().getMemMgr()) {}

  ExecutionSession execution;
  ObjectLinkingLayer linker;
  /// Kernels so far; makes the names of their libraries.
  std::atomic<uint64_t> count{0};
};

} // namespace

/// Errors of the session that belong to the link under way on this thread.
static thread_local std::string sessionErrors;

static Expected<Session *> createSession() {
  auto process = SelfExecutorProcessControl::Create(
      nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!process)
    return process.takeError();
  auto session = std::make_unique<Session>(std::move(*process));
  session->execution.setErrorReporter(
      [](Error error) { sessionErrors += toString(std::move(error)) + "\n"; });
  return session.release();
}

static Expected<Session *> getSession() {
  static std::string failure;
  static Session *const session = []() -> Session * {
    Expected<Session *> created = createSession();
    if (created)
      return *created;
    failure = toString(created.takeError());
    return nullptr;
  }();
  if (!session)
    // No test: it needs a system that forbids executable memory.
    return createStringError("requires memory that can be made executable: " +
                             failure);
  return session;
}

/// The functions of the host that `object` calls. Asked before linking, because
/// the linker's own message would name its data structures and not the cause.
static Expected<SymbolMap> findHostSymbols(ExecutionSession &session,
                                           const MemoryBuffer &object) {
  auto file = object::ObjectFile::createObjectFile(object.getMemBufferRef());
  if (!file)
    return file.takeError();
  SymbolMap found;
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (!(*flags & object::SymbolRef::SF_Undefined))
      continue;
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (name->empty())
      continue;
    const void *address = runtime::findHostSymbol(*name);
    if (!address)
      return createStringError("cannot run code that calls '" + *name +
                               "' on the CPU: it is not in PyK's host library");
    found[session.intern(*name)] = {ExecutorAddr::fromPtr(address),
                                    JITSymbolFlags::Exported |
                                        JITSymbolFlags::Callable};
  }
  return found;
}

Expected<LinkedCode> LinkedCode::link(std::unique_ptr<MemoryBuffer> object,
                                      ArrayRef<StringRef> symbols) {
  Expected<Session *> session = getSession();
  if (!session)
    return session.takeError();
  ExecutionSession &execution = (*session)->execution;
  Expected<SymbolMap> host = findHostSymbols(execution, *object);
  if (!host)
    return host.takeError();
  LinkedCode code;
  code.library = &execution.createBareJITDylib(
      "kernel" + std::to_string((*session)->count++));
  cantFail(code.library->define(absoluteSymbols(std::move(*host))));
  sessionErrors.clear();
  if (Error error = (*session)->linker.add(*code.library, std::move(object)))
    return error;
  SymbolLookupSet wanted;
  for (StringRef symbol : symbols)
    wanted.add(execution.intern(symbol));
  auto found =
      execution.lookup(makeJITDylibSearchOrder({code.library.get()}), wanted);
  if (!found)
    // No test: unknown symbols are refused before, memory may still run out.
    return createStringError(
        "requires code that can be linked: " + toString(found.takeError()) +
        "\n" + sessionErrors);
  for (StringRef symbol : symbols)
    code.addresses.push_back(
        (*found)[execution.intern(symbol)].getAddress().toPtr<void *>());
  return code;
}

LinkedCode::~LinkedCode() {
  if (library)
    cantFail(library->getExecutionSession().removeJITDylib(*library));
}
