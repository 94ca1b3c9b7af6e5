// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the sources of the extension share: owners of the C interfaces' handles,
// one binding function for each source, called once by the module, and the way
// from a C error to a Python exception.

#ifndef PYK_PYTHON_EXT_CORE_H
#define PYK_PYTHON_EXT_CORE_H

#include "pyk-c/PyK.h"
#include "pyk/runtime/Runtime.h"

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

namespace pyk::python {

/// Owns a handle of a C interface, which `destroy` gives back.
template <typename T, void (*destroy)(T *)>
class Handle {
public:
  explicit Handle(T *handle = nullptr) : handle(handle) {}
  T *get() const { return handle.get(); }

private:
  struct Destroy {
    void operator()(T *handle) const { destroy(handle); }
  };
  std::unique_ptr<T, Destroy> handle;
};

/// A compiled kernel; shared, because what is loaded from it needs it. The last
/// to need it may be a thread of the runtime that cannot wait for the GIL:
/// owners must not be Python objects, which nanobind would make of them
/// otherwise.
struct CompiledModule : Handle<PykModule, pyk_module_destroy>,
                        std::enable_shared_from_this<CompiledModule> {
  using Handle::Handle;
};
using Module = std::shared_ptr<CompiledModule>;

using Device = Handle<pyk_rt_device, pyk_rt_device_release>;
using Buffer = Handle<pyk_rt_buffer, pyk_rt_buffer_release>;
using Event = Handle<pyk_rt_event, pyk_rt_event_release>;

/// A stream, and of which device it is.
struct Stream {
  Handle<pyk_rt_stream, pyk_rt_stream_release> handle;
  int32_t backend, device;
};

/// A kernel that is loaded on a device.
struct Function {
  /// Owns what `signature` refers to.
  Module compiled;
  pyk_rt_signature signature;
  Handle<pyk_rt_module, pyk_rt_module_release> module;
  Handle<pyk_rt_function, pyk_rt_function_release> handle;
  /// Whether its threads may print.
  bool prints;
  /// Whether its blocks have to run at a time.
  bool isCooperative;
  /// Whether its threads may fail, and what makes an exception of a failure:
  /// called with the record, a Failure.
  bool checks;
  nanobind::object describe;
  int32_t backend, device;
};

/// Raises the Python exception for `error`, which is destroyed. The GIL must
/// be held.
[[noreturn]] void throwError(PykError *error);

/// Raises `exception`.
[[noreturn]] void raise(const nanobind::object &exception);

/// Raises the Python exception for `status`, which is freed, unless it is null.
/// An exception that is set already, as one of a signal's handler, goes first.
/// The GIL must be held.
void throwIfFailed(pyk_rt_status *status);

/// Gets the GIL back, unless the interpreter ends, which unwinds a thread that
/// asks for it: neither our destructors nor nanobind survive that. Such a
/// thread stays here for the rest of the process.
void restoreThread(PyThreadState *state);

/// Whether the interpreter has begun to end, so that nothing of PyK's calls
/// Python any more.
bool isInterpreterEnding();

/// From now on it is so, and threads other than this one do not ask for the
/// GIL. It must not be held: those that wait for it still get it.
void setInterpreterEnding();

/// As nanobind's gil_scoped_acquire, for a thread that may outlive the
/// interpreter: false if it does, and then has no GIL.
class WithGil {
public:
  WithGil();
  ~WithGil();
  WithGil(const WithGil &) = delete;
  WithGil &operator=(const WithGil &) = delete;
  explicit operator bool() const { return isHeld; }

private:
  bool isHeld;
  PyGILState_STATE state = PyGILState_UNLOCKED;
};

/// As nanobind's gil_scoped_release, for a thread that may outlive the
/// interpreter.
class WithoutGil {
public:
  WithoutGil() : state(PyEval_SaveThread()) {}
  ~WithoutGil() { restoreThread(state); }
  WithoutGil(const WithoutGil &) = delete;
  WithoutGil &operator=(const WithoutGil &) = delete;

private:
  PyThreadState *state;
};

/// Says where the kernel that is launched next prints: what `sys.stdout` is
/// now. The GIL must be held.
void prepareToPrint();

/// Whether what kernels on the CPU print and warn of is dropped.
void hideOutput(bool on);
bool hidesOutput();

/// Writes to `sys.stdout` what launches have printed that have ended. Throws
/// what that raises. The GIL must be held.
void passPrinted();

/// passPrinted, then throwIfFailed.
void printAndThrow(pyk_rt_status *status);

/// Gives Python the warnings of launches that have ended. Throws if Python
/// makes an error of one. The GIL must be held.
void passWarnings();

/// Calls `call` without the GIL and raises what it fails with. `call` does not
/// throw.
template <typename Call>
void run(Call call) {
  PyThreadState *state = PyEval_SaveThread();
  pyk_rt_status *status = call();
  restoreThread(state);
  printAndThrow(status);
}

/// The same of work on a device or a wait for it, of which there may be
/// warnings. It must own nothing that an exception would lose.
template <typename Call>
void runAndWarn(Call call) {
  run(call);
  passWarnings();
}

/// Launches a kernel whose threads may fail, waits for its end, and returns the
/// exception of the first that has failed; null if none has. `record` is the
/// value of the parameter that tells where threads record it; `values` has its
/// address.
nanobind::object launchChecked(const Function &function, const Stream &stream,
                               const pyk_rt_launch_config &config,
                               void **values, uint64_t &record);

/// Removes PyK's own frames from the exception that is set; `trim` is
/// pyk._errors.trim, or None to leave them.
void trimCurrentException(PyObject *trim);

/// Binds the class Boundary.
void bindBoundary(nanobind::module_ &module);

/// Binds the class Failure.
void bindChecked(nanobind::module_ &module);

/// Binds the function listen_to_compile.
void bindCompilations(nanobind::module_ &module);

/// Binds the classes Device and Buffer.
void bindDevice(nanobind::module_ &module);

/// Binds the class Keeper; Device must be bound before.
void bindKeeper(nanobind::module_ &module);

/// From now on what a Keeper held stays where it is: the interpreter ends.
void forgetKept();

/// Binds the classes Stream and Event; Device must be bound before.
void bindStream(nanobind::module_ &module);

/// Binds the function compile and the classes Module and Function; Device must
/// be bound before.
void bindCompile(nanobind::module_ &module);

/// Binds the classes Dispatcher and Launcher; Function and Stream must be bound
/// before.
void bindLaunch(nanobind::module_ &module);

/// Binds the functions failing and unwritten; Function must be bound before.
void bindFacts(nanobind::module_ &module);

/// Binds what the command-line tools do.
void bindTools(nanobind::module_ &module);

} // namespace pyk::python

#endif // PYK_PYTHON_EXT_CORE_H
