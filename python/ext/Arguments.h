// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of one launch: of each a code for its type, and its value. A
// type that has no code is the business of Python code.

#ifndef PYK_PYTHON_EXT_ARGUMENTS_H
#define PYK_PYTHON_EXT_ARGUMENTS_H

#include "Core.h"

#include <Python.h>

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

/// What a launch needs of one argument's value. Refers to the argument.
struct ArgumentValue {
  /// Array: the address of its first element.
  void *data;
  /// Array: extents, in elements, and strides, in bytes.
  const intptr_t *shape, *strides;
  /// Scalar: its value, which may be complex.
  uint64_t bits[2];
};

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

  /// The codes of all arguments: the key of a specialization. Arguments of the
  /// same codes have the same types in the sense of pyk._argument_types. A
  /// tuple's own code, which says how many items follow, is in front of theirs.
  const uint64_t *codes() const { return allCodes; }
  size_t codeCount() const { return codesUsed; }

  const ArgumentValue &operator[](size_t index) const { return values[index]; }
  size_t count() const { return valuesUsed; }

  /// An extent of the array at `index`. Throws a ValueError if it is longer
  /// than kernels take.
  uint64_t extent(size_t index, size_t dimension) const {
    auto extent = uint64_t(values[index].shape[dimension]);
    if (extent >= uint64_t(PYK_RT_EXTENT_LIMIT))
      raiseTooLong(index, dimension);
    return extent;
  }

  /// Whether one of them is an array in host memory.
  bool hasHostArray() const { return hostArray; }

private:
  [[noreturn]] void raiseTooLong(size_t index, size_t dimension) const;
  bool appendArray(PyObject *array);
  bool appendScalar(PyObject *scalar);
  bool appendRecord(PyObject *record);
  bool appendTime(PyObject *time);
  bool appendTuple(PyObject *tuple);
  bool appendMember(PyObject *member);
  void reserve(size_t more);
  bool add(uint64_t code, const ArgumentValue &value) {
    allCodes[codesUsed++] = code;
    values[valuesUsed++] = value;
    return true;
  }

  static constexpr size_t inlineCount = 16;
  std::array<uint64_t, inlineCount> inlineCodes;
  std::array<ArgumentValue, inlineCount> inlineValues;
  std::vector<uint64_t> heapCodes;
  std::vector<ArgumentValue> heapValues;
  uint64_t *allCodes;
  ArgumentValue *values;
  /// How many there is room for, and how many there will be of what is known.
  size_t capacity = inlineCount, promised;
  size_t codesUsed = 0, valuesUsed = 0;
  bool hostArray = false;
};

} // namespace pyk::python

#endif // PYK_PYTHON_EXT_ARGUMENTS_H
