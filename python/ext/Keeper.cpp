// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Keeper, which holds what owns memory that is not the runtime's, as
// a buffer holds memory that is: what it held goes when all work has ended that
// was queued when it went. That may be on a thread of the runtime or of the
// driver, where no Python code can run; such owners are collected, and the
// interpreter's main thread lets them go as soon as it runs Python code.

#include "Core.h"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;
using namespace pyk::python;

namespace {

/// Owners whose work has ended.
struct Ended {
  std::mutex mutex;
  std::vector<PyObject *> owners;
  /// Whether the interpreter will call `collect`.
  bool isScheduled = false;
};

/// Never destroyed: work may end while the process does.
Ended &ended() {
  static auto *all = new Ended;
  return *all;
}

std::atomic<bool> interpreterEnds{false};

/// Lets owners go whose work has ended; the GIL must be held.
int collect(void *) {
  std::vector<PyObject *> owners;
  {
    std::lock_guard<std::mutex> lock(ended().mutex);
    ended().isScheduled = false;
    owners.swap(ended().owners);
  }
  // Last: that may run any code.
  for (PyObject *owner : owners)
    Py_DECREF(owner);
  return 0;
}

/// Called on any thread, with and without the GIL.
void workHasEnded(void *owner) {
  std::lock_guard<std::mutex> lock(ended().mutex);
  // Without an interpreter there is nothing to free.
  if (interpreterEnds)
    return;
  ended().owners.push_back(static_cast<PyObject *>(owner));
  // If the interpreter's list is full, a later call comes.
  if (!ended().isScheduled)
    ended().isScheduled = Py_AddPendingCall(collect, nullptr) == 0;
}

/// An owner, and the device whose work uses its memory.
struct Keeper {
  nb::object owner;
  nb::object device;

  Keeper(nb::object owner, nb::object device)
      : owner(std::move(owner)), device(std::move(device)) {}
  Keeper(const Keeper &) = delete;
  Keeper &operator=(const Keeper &) = delete;
  ~Keeper() { letGo(); }

  void letGo() {
    if (!owner.is_valid())
      return;
    nb::object keptDevice = std::move(device);
    pyk_rt_device_hold_until_done(nb::inst_ptr<Device>(keptDevice)->get(),
                                  owner.release().ptr(), workHasEnded);
    collect(nullptr);
  }
};

int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self))
    return 0;
  auto *keeper = nb::inst_ptr<Keeper>(self);
  Py_VISIT(keeper->owner.ptr());
  Py_VISIT(keeper->device.ptr());
  return 0;
}

int clear(PyObject *self) {
  nb::inst_ptr<Keeper>(self)->letGo();
  return 0;
}

PyType_Slot slots[] = {
    {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(clear)},
    {0, nullptr},
};

} // namespace

void pyk::python::forgetKept() { interpreterEnds = true; }

void pyk::python::bindKeeper(nb::module_ &module) {
  nb::class_<Keeper>(module, "Keeper", nb::type_slots(slots))
      .def(
          "__init__",
          [](Keeper *self, nb::object owner, nb::object device) {
            if (!nb::isinstance<Device>(device))
              throw nb::type_error("Keeper expects a Device");
            new (self) Keeper(std::move(owner), std::move(device));
          },
          "owner"_a, "device"_a)
      .def_prop_ro("owner", [](const Keeper &self) { return self.owner; });
}
