// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of one launch: of each a code for its type, and its value. A
// type that has no code is the business of Python code.

#ifndef PYK_PYTHON_EXT_ARGUMENTS_H
#define PYK_PYTHON_EXT_ARGUMENTS_H

#include "Core.h"

#include <Python.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace pyk::python {

/// Loads NumPy's C interface and what else arguments are told by: `deviceArray`
/// is the class of device arrays, whose `_array` is a NumPy array at their
/// address. Throws a Python exception.
void initializeArguments(nanobind::handle deviceArray);

/// From now on device arrays, on this OS thread, have a code only if their
/// `_device` is `device`, which is not held; null: whatever it is.
void setDeviceOfArrays(PyObject *device);

/// Arguments of one launch: the items of tuples one by one, of members of
/// enumerations their values. Few of them cost no allocation.
class Arguments {
public:
  explicit Arguments(size_t count);
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  /// Appends `object`, which must outlive this. Returns false for an object
  /// whose type has no code. Throws nothing and leaves no exception set.
  bool append(PyObject *object);

  /// Appends `count` objects. Returns false if one of them has no code.
  bool appendAll(PyObject *const *objects, size_t count) {
    return std::all_of(objects, objects + count,
                       [&](PyObject *object) { return append(object); });
  }

  /// The codes of all arguments: the key of a specialization. Arguments of the
  /// same codes have the same types in the sense of pyk._argument_types. A
  /// tuple's own code, which says how many items follow, is in front of theirs.
  const uint64_t *codes() const { return allCodes; }
  size_t codeCount() const { return codesUsed; }

  /// What a launch needs of each argument. Refers to the arguments.
  const pyk_rt_argument *data() const { return values; }
  size_t count() const { return valuesUsed; }

  /// Whether one of them is an array in host memory.
  bool hasHostArray() const { return hostArray; }

private:
  bool appendArray(PyObject *array);
  bool appendScalar(PyObject *scalar);
  bool appendRecord(PyObject *record);
  bool appendTime(PyObject *time);
  bool appendTuple(PyObject *tuple);
  bool appendMember(PyObject *member);
  void reserve(size_t more);
  bool add(uint64_t code, const pyk_rt_argument &value) {
    allCodes[codesUsed++] = code;
    values[valuesUsed++] = value;
    return true;
  }

  static constexpr size_t inlineCount = 16;
  std::array<uint64_t, inlineCount> inlineCodes;
  std::array<pyk_rt_argument, inlineCount> inlineValues;
  std::vector<uint64_t> heapCodes;
  std::vector<pyk_rt_argument> heapValues;
  uint64_t *allCodes;
  pyk_rt_argument *values;
  /// How many there is room for, and how many there will be of what is known.
  size_t capacity = inlineCount, promised;
  size_t codesUsed = 0, valuesUsed = 0;
  bool hostArray = false;
};

} // namespace pyk::python

#endif // PYK_PYTHON_EXT_ARGUMENTS_H
