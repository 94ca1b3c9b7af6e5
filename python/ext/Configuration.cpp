// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only ints and tuples of them are usual: anything else could run code.

#include "Configuration.h"

#include <climits>

using namespace pyk::python;

/// Reads an int of `least` to INT32_MAX; returns false for anything else.
static bool readInt(PyObject *object, int64_t least, int64_t &value) {
  if (!PyLong_CheckExact(object))
    return false;
  int overflow = 0;
  value = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow == 0 && value >= least && value <= INT32_MAX;
}

bool pyk::python::readExtents(PyObject *object, int64_t (&extents)[3]) {
  extents[1] = extents[2] = 1;
  if (!PyTuple_CheckExact(object))
    return readInt(object, 1, extents[0]);
  Py_ssize_t count = PyTuple_GET_SIZE(object);
  if (count < 1 || count > 3)
    return false;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!readInt(PyTuple_GET_ITEM(object, i), 1, extents[i]))
      return false;
  return true;
}

bool pyk::python::readConfiguration(PyObject *key, pyk_rt_launch_config &config,
                                    PyObject *&stream) {
  if (!PyTuple_CheckExact(key))
    return false;
  Py_ssize_t count = PyTuple_GET_SIZE(key);
  if (count < 2 || count > 4 ||
      !readExtents(PyTuple_GET_ITEM(key, 0), config.grid) ||
      !readExtents(PyTuple_GET_ITEM(key, 1), config.block))
    return false;
  // Kernels of narrow typing refuse so many threads.
  for (int i = 0; i < 3; ++i)
    if (config.grid[i] * config.block[i] >= PYK_RT_NARROW_LIMIT)
      return false;
  config.struct_bytes = sizeof(config);
  config.dynamic_shared_bytes = 0;
  config.cooperative = 0;
  stream = nullptr;
  if (count > 2) {
    PyObject *given = PyTuple_GET_ITEM(key, 2);
    if (!PyLong_CheckExact(given) || PyObject_IsTrue(given))
      stream = given;
  }
  return count < 4 ||
         readInt(PyTuple_GET_ITEM(key, 3), 0, config.dynamic_shared_bytes);
}
