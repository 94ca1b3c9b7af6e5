// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads Python objects: exact classes only, so that a subclass that changes
// what they mean is not misread.

#include "NumPy.h"

#include "Arguments.h"

#include "pyk/Support/ElementTypes.h"

#include <numpy/arrayscalars.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

namespace nb = nanobind;
using namespace pyk::python;

namespace {

// The lowest byte of a code; what else there is stands above it.
constexpr uint64_t codeBool = 1, codeInt = 2, codeUnsigned = 3, codeFloat = 4,
                   codeNone = 5, codeScalar = 6, codeArray = 7, codeRecords = 8,
                   codeComplex = 9, codeTuple = 10, codeMember = 11;

/// The kind in codes of numbers of a class of ml_dtypes, which are none to
/// NumPy: above NumPy's letters, the place in the table of element types.
constexpr uint8_t kindOther = 0x80;

/// The position of `bfloat16` there.
constexpr auto bfloatPosition =
    size_t(pyk::findElementType("bfloat16") - std::begin(pyk::ElementTypes));

/// A class of NumPy scalars.
struct ScalarClass {
  PyTypeObject *type;
  uint64_t code;
};

std::array<ScalarClass, 16> scalarClasses;
PyTypeObject *deviceArrayClass = nullptr, *recordArrayClass = nullptr;
PyTypeObject *enumClass = nullptr;
PyObject *arrayAttribute = nullptr, *deviceAttribute = nullptr,
         *fieldsAttribute = nullptr, *valueAttribute = nullptr,
         *baseAttribute = nullptr, *identify = nullptr;
thread_local PyObject *deviceOfArrays = nullptr;

/// The kind of numbers of the class `type` of ml_dtypes; 0 of others. Nobody
/// has one where that package is not imported.
uint8_t otherKind(PyTypeObject *type) {
  static std::array<PyObject *, std::size(pyk::ElementTypes)> found = {};
  static bool isImported = false;
  if (!isImported) {
    auto name = nb::steal(PyUnicode_InternFromString("ml_dtypes"));
    auto package = nb::steal(PyImport_GetModule(name.ptr()));
    for (size_t i = 0; package.is_valid() && i < found.size(); ++i) {
      std::string inPackage(pyk::ElementTypes[i].inMlDtypes);
      // Old packages lack some.
      if (!inPackage.empty())
        found[i] = PyObject_GetAttrString(package.ptr(), inPackage.c_str());
      PyErr_Clear();
    }
    // Else another thread may be importing it.
    isImported = found[bfloatPosition] != nullptr;
  }
  for (size_t i = 0; i < found.size(); ++i)
    if (reinterpret_cast<PyObject *>(type) == found[i])
      return uint8_t(kindOther + i);
  return 0;
}

/// By NumPy's letter, the sizes in bytes of elements that have a code, a bit
/// for each.
constexpr std::array<uint32_t, kindOther> knownSizes = [] {
  std::array<uint32_t, kindOther> sizes = {};
  for (const pyk::ElementType &element : pyk::ElementTypes)
    sizes[uint8_t(element.getLetter())] |= 1u << element.bytes;
  sizes['V'] = 0;
  sizes['m'] = sizes['M'] = 1u << 8;
  return sizes;
}();

/// Kind and width of an element; 0 for one without a code.
uint64_t elementCode(uint8_t kind, size_t bytes) {
  bool isKnown =
      kind >= kindOther || (bytes < 32 && (knownSizes[kind] >> bytes & 1) != 0);
  return isKnown ? uint64_t(kind) << 8 | uint64_t(bytes) << 16 : 0;
}

/// Code of the unit of a time; 0 for one that has a factor.
uint64_t unitCode(const PyArray_DatetimeMetaData &unit) {
  return unit.num == 1 ? uint64_t(unit.base) + 1 : 0;
}

/// The same of the elements of `dtype`, which are times.
uint64_t unitCode(PyArray_Descr *dtype) {
  return unitCode(reinterpret_cast<PyArray_DatetimeDTypeMetaData *>(
                      PyDataType_C_METADATA(dtype))
                      ->meta);
}

/// Numbers of objects that types depend on, dtypes or classes, from 1. Objects
/// whose identities are equal have the same one; those that were met stay
/// alive.
class Numbers {
public:
  /// The number of `object`, whose identity is what `identify` makes of it, or
  /// itself if that is null; 0 after an error.
  uint64_t of(PyObject *object, PyObject *identify);

private:
  /// As many objects are remembered to be equal to others that were met.
  static constexpr size_t mostKnown = 4096;

  std::unordered_map<PyObject *, uint64_t> known;
  std::vector<PyObject *> identities;
};

uint64_t Numbers::of(PyObject *object, PyObject *identify) {
  auto entry = known.find(object);
  if (entry != known.end())
    return entry->second;
  auto identity = nb::steal(identify ? PyObject_CallOneArg(identify, object)
                                     : Py_NewRef(object));
  if (!identity.is_valid()) {
    PyErr_Clear();
    return 0;
  }
  uint64_t number = 1;
  for (PyObject *other : identities) {
    int isEqual = PyObject_RichCompareBool(identity.ptr(), other, Py_EQ);
    if (isEqual < 0) {
      PyErr_Clear();
      return 0;
    }
    if (isEqual)
      break;
    ++number;
  }
  if (number > identities.size())
    identities.push_back(Py_NewRef(identity.ptr()));
  else if (known.size() >= mostKnown)
    return number;
  known.emplace(Py_NewRef(object), number);
  return number;
}

Numbers recordNumbers, classNumbers;

/// Code of an alignment: 1 for one byte, 4 for 8 bytes or more.
uint64_t alignmentCode(uintptr_t places) {
  uint64_t code = 1;
  for (places |= 8; !(places & 1); places >>= 1)
    ++code;
  return code;
}

/// The same of an array, of what each of its elements has.
uint64_t alignmentCode(PyArrayObject *array) {
  auto places = reinterpret_cast<uintptr_t>(PyArray_DATA(array));
  for (int i = 0; i < PyArray_NDIM(array); ++i)
    if (PyArray_DIM(array, i) > 1)
      places |= uintptr_t(PyArray_STRIDE(array, i));
  return alignmentCode(places);
}

/// Code of an array of records or text; 0 for a dtype without a code.
uint64_t recordsCode(PyArray_Descr *dtype, int dimensions, uint64_t alignment,
                     int layout) {
  uint64_t number =
      recordNumbers.of(reinterpret_cast<PyObject *>(dtype), nullptr);
  uint64_t contiguity =
      layout & (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS);
  uint64_t isWriteable = (layout & NPY_ARRAY_WRITEABLE) != 0;
  return number ? codeRecords | uint64_t(dimensions) << 8 | alignment << 16 |
                      contiguity << 20 | isWriteable << 24 | number << 32
                : 0;
}

} // namespace

void pyk::python::initializeArguments(nb::handle deviceArray) {
  if (_import_array() < 0)
    throw nb::python_error();
  constexpr int numbers[] = {
      NPY_BOOL,  NPY_BYTE,   NPY_UBYTE,  NPY_SHORT,    NPY_USHORT,    NPY_INT,
      NPY_UINT,  NPY_LONG,   NPY_ULONG,  NPY_LONGLONG, NPY_ULONGLONG, NPY_HALF,
      NPY_FLOAT, NPY_DOUBLE, NPY_CFLOAT, NPY_CDOUBLE};
  static_assert(std::size(numbers) ==
                std::tuple_size_v<decltype(scalarClasses)>);
  for (size_t i = 0; i < std::size(numbers); ++i) {
    PyArray_Descr *descriptor = PyArray_DescrFromType(numbers[i]);
    if (!descriptor)
      throw nb::python_error();
    scalarClasses[i] = {descriptor->typeobj,
                        codeScalar |
                            elementCode(uint8_t(descriptor->kind),
                                        size_t(PyDataType_ELSIZE(descriptor)))};
    // The class outlives its descriptor: NumPy has one of each for ever.
    Py_DECREF(descriptor);
  }
  deviceArrayClass = reinterpret_cast<PyTypeObject *>(
      nb::object(nb::borrow(deviceArray)).release().ptr());
  nb::object recordArray = nb::module_::import_("numpy").attr("recarray");
  recordArrayClass =
      reinterpret_cast<PyTypeObject *>(recordArray.release().ptr());
  nb::object enumeration = nb::module_::import_("enum").attr("Enum");
  enumClass = reinterpret_cast<PyTypeObject *>(enumeration.release().ptr());
  identify =
      nb::object(
          nb::module_::import_("pyk._argument_types").attr("identity_of_class"))
          .release()
          .ptr();
  arrayAttribute = PyUnicode_InternFromString("_array");
  baseAttribute = PyUnicode_InternFromString("base");
  fieldsAttribute = PyUnicode_InternFromString("_fields");
  valueAttribute = PyUnicode_InternFromString("_value_");
  deviceAttribute = PyUnicode_InternFromString("_device");
}

static std::pair<void *, uint64_t> getExtent(PyArrayObject *array);

/// The array that `base`, the base of `view`, is or stands for; null if there
/// is none. NumPy's `as_strided` puts an object between a view and its array
/// that has the array as its attribute `base`. Objects of other libraries may
/// have an unrelated array there, in which the view does not begin.
static nb::object getArrayBehind(PyArrayObject *view, PyObject *base) {
  if (PyArray_Check(base))
    return nb::borrow(base);
  // NumPy itself keeps views within a buffer, and a capsule, as of DLPack, has
  // no attributes.
  if (PyObject_CheckBuffer(base) || PyCapsule_CheckExact(base))
    return {};
  auto behind = nb::steal(PyObject_GetAttr(base, baseAttribute));
  if (!behind.is_valid()) {
    PyErr_Clear();
    return {};
  }
  if (!PyArray_Check(behind.ptr()))
    return {};
  auto [data, bytes] =
      getExtent(reinterpret_cast<PyArrayObject *>(behind.ptr()));
  const char *begin = static_cast<char *>(data), *first = PyArray_BYTES(view);
  return begin <= first && first <= begin + bytes ? behind : nb::object();
}

/// The memory from the first to the last byte of the elements of `array`.
static std::pair<void *, uint64_t> getExtent(PyArrayObject *array) {
  if (PyArray_IS_C_CONTIGUOUS(array) || PyArray_IS_F_CONTIGUOUS(array) ||
      PyArray_SIZE(array) == 0)
    return {PyArray_DATA(array), uint64_t(PyArray_NBYTES(array))};
  char *begin = PyArray_BYTES(array);
  auto bytes = uint64_t(PyArray_ITEMSIZE(array));
  for (int i = 0; i < PyArray_NDIM(array); ++i) {
    npy_intp reach = (PyArray_DIM(array, i) - 1) * PyArray_STRIDE(array, i);
    begin += std::min<npy_intp>(reach, 0);
    bytes += uint64_t(std::abs(reach));
  }
  return {begin, bytes};
}

/// The memory that `array` may touch: that of its owner, the array at the end
/// of the chain of bases.
static std::pair<void *, uint64_t> getMemory(PyArrayObject *array) {
  nb::object owner;
  // A chain is short; one that a program has closed to a ring ends, too.
  for (int left = 64; left != 0 && PyArray_BASE(array); --left) {
    nb::object behind = getArrayBehind(array, PyArray_BASE(array));
    if (!behind.is_valid())
      break;
    owner = std::move(behind);
    array = reinterpret_cast<PyArrayObject *>(owner.ptr());
  }
  return getExtent(array);
}

void pyk::python::setDeviceOfArrays(PyObject *device) {
  deviceOfArrays = device;
}

/// Whether kernels on the current device may be given `deviceArray`.
static bool isOnDevice(PyObject *deviceArray) {
  if (!deviceOfArrays)
    return true;
  PyObject *device = PyObject_GetAttr(deviceArray, deviceAttribute);
  if (!device)
    PyErr_Clear();
  Py_XDECREF(device);
  return device == deviceOfArrays;
}

Arguments::Arguments(size_t count)
    : allCodes(inlineCodes.data()), values(inlineValues.data()), promised(0) {
  reserve(count);
}

/// Makes room for `more` codes and values than were known of.
void Arguments::reserve(size_t more) {
  promised += more;
  if (promised <= capacity)
    return;
  bool wasInline = heapCodes.empty();
  capacity = std::max(promised, 2 * capacity);
  heapCodes.resize(capacity);
  heapValues.resize(capacity);
  if (wasInline) {
    std::copy_n(inlineCodes.begin(), codesUsed, heapCodes.begin());
    std::copy_n(inlineValues.begin(), valuesUsed, heapValues.begin());
  }
  allCodes = heapCodes.data();
  values = heapValues.data();
}

bool Arguments::append(PyObject *object) {
  if (PyArray_CheckExact(object) || Py_TYPE(object) == recordArrayClass) {
    hostArray = true;
    return appendArray(object);
  }
  if (Py_TYPE(object) == deviceArrayClass) {
    // Held by the device array, which the caller holds.
    PyObject *array = PyObject_GetAttr(object, arrayAttribute);
    if (!array) {
      PyErr_Clear();
      return false;
    }
    // Of an array whose memory is gone there is none.
    bool isKnown =
        PyArray_CheckExact(array) && isOnDevice(object) && appendArray(array);
    Py_DECREF(array);
    return isKnown;
  }
  if (appendScalar(object))
    return true;
  if (PyTuple_Check(object))
    return appendTuple(object);
  return PyObject_TypeCheck(object, enumClass) && appendMember(object);
}

bool Arguments::appendTuple(PyObject *tuple) {
  auto *type = reinterpret_cast<PyObject *>(Py_TYPE(tuple));
  uint64_t number = 0;
  if (!PyTuple_CheckExact(tuple)) {
    // Only the class of a namedtuple says what its items are called.
    if (!PyObject_HasAttr(type, fieldsAttribute))
      return false;
    number = classNumbers.of(type, identify);
    if (!number)
      return false;
  }
  auto count = size_t(PyTuple_GET_SIZE(tuple));
  if (count > UINT16_MAX)
    return false;
  // Python's limit keeps our own stack safe.
  if (Py_EnterRecursiveCall(" in an argument") != 0) {
    PyErr_Clear();
    return false;
  }
  reserve(count);
  allCodes[codesUsed++] = codeTuple | uint64_t(count) << 8 | number << 32;
  size_t i = 0;
  while (i < count && append(PyTuple_GET_ITEM(tuple, Py_ssize_t(i))))
    ++i;
  Py_LeaveRecursiveCall();
  return i == count;
}

bool Arguments::appendMember(PyObject *member) {
  uint64_t number =
      classNumbers.of(reinterpret_cast<PyObject *>(Py_TYPE(member)), identify);
  // Held by the member, which the caller holds.
  PyObject *value = number ? PyObject_GetAttr(member, valueAttribute) : nullptr;
  if (!value) {
    PyErr_Clear();
    return false;
  }
  reserve(1);
  allCodes[codesUsed++] = codeMember | number << 32;
  bool isKnown = append(value);
  Py_DECREF(value);
  return isKnown;
}

bool Arguments::appendArray(PyObject *object) {
  auto *array = reinterpret_cast<PyArrayObject *>(object);
  PyArray_Descr *descriptor = PyArray_DESCR(array);
  int flags = PyArray_FLAGS(array);
  constexpr int kept =
      NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_WRITEABLE;
  // Contiguous in both orders is C.
  int layout =
      flags & NPY_ARRAY_C_CONTIGUOUS ? flags & ~NPY_ARRAY_F_CONTIGUOUS : flags;
  uint64_t code = 0;
  bool isText = descriptor->kind == 'S' || descriptor->kind == 'U';
  if (PyDataType_HASFIELDS(descriptor) || isText) {
    code = recordsCode(descriptor, PyArray_NDIM(array), alignmentCode(array),
                       layout);
    if (!code)
      return false;
  } else {
    // To NumPy, some are floats.
    bool isOther = PyTypeNum_ISUSERDEF(descriptor->type_num);
    uint8_t other = isOther ? otherKind(descriptor->typeobj) : 0;
    uint64_t element = elementCode(other ? other : uint8_t(descriptor->kind),
                                   size_t(PyArray_ITEMSIZE(array)));
    if (!element || !PyArray_ISNOTSWAPPED(array))
      return false;
    code = codeArray | element | uint64_t(PyArray_NDIM(array)) << 24 |
           uint64_t(layout & kept) << 32;
    if (PyTypeNum_ISDATETIME(descriptor->type_num)) {
      uint64_t unit = unitCode(descriptor);
      if (!unit)
        return false;
      code |= unit << 56;
    }
    if (!(flags & NPY_ARRAY_ALIGNED))
      code |= alignmentCode(array) << 48;
  }
  auto [memory, bytes] = getMemory(array);
  return add(code, {PyArray_DATA(array),
                    PyArray_DIMS(array),
                    PyArray_STRIDES(array),
                    {},
                    memory,
                    bytes});
}

bool Arguments::appendScalar(PyObject *object) {
  pyk_rt_argument read = {};
  uint64_t &bits = read.scalar[0];
  if (PyLong_CheckExact(object)) {
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    bits = static_cast<uint64_t>(value);
    if (overflow != 0)
      bits = PyLong_AsUnsignedLongLong(object);
    if (!PyErr_Occurred())
      return add(overflow == 0 ? codeInt : codeUnsigned, read);
    PyErr_Clear();
    return false;
  }
  if (PyFloat_CheckExact(object)) {
    double value = PyFloat_AS_DOUBLE(object);
    std::memcpy(&bits, &value, sizeof(value));
    return add(codeFloat, read);
  }
  if (PyComplex_CheckExact(object)) {
    Py_complex value = PyComplex_AsCComplex(object);
    static_assert(sizeof(value) == sizeof(read.scalar));
    std::memcpy(read.scalar, &value, sizeof(value));
    return add(codeComplex, read);
  }
  if (PyBool_Check(object)) {
    bits = object == Py_True;
    return add(codeBool, read);
  }
  if (object == Py_None)
    return add(codeNone, read);
  if (PyArray_IsScalar(object, Void))
    return appendRecord(object);
  for (const ScalarClass &known : scalarClasses)
    if (Py_TYPE(object) == known.type) {
      PyArray_ScalarAsCtype(object, read.scalar);
      return add(known.code, read);
    }
  if (PyArray_IsScalar(object, Datetime) || PyArray_IsScalar(object, Timedelta))
    return appendTime(object);
  if (otherKind(Py_TYPE(object)) == kindOther + bfloatPosition) {
    // The upper half of the float32 that it is.
    auto value = static_cast<float>(PyFloat_AsDouble(object));
    uint32_t wide;
    std::memcpy(&wide, &value, sizeof(wide));
    bits = wide >> 16;
    return add(codeScalar | elementCode(kindOther + bfloatPosition, 2), read);
  }
  return false;
}

bool Arguments::appendTime(PyObject *object) {
  auto *time = reinterpret_cast<PyDatetimeScalarObject *>(object);
  uint8_t kind = PyArray_IsScalar(object, Datetime) ? 'M' : 'm';
  uint64_t unit = unitCode(time->obmeta);
  return unit &&
         add(codeScalar | elementCode(kind, sizeof(time->obval)) | unit << 56,
             {nullptr,
              nullptr,
              nullptr,
              {uint64_t(time->obval), 0},
              nullptr,
              0});
}

bool Arguments::appendRecord(PyObject *object) {
  auto *record = reinterpret_cast<PyVoidScalarObject *>(object);
  auto *descriptor = reinterpret_cast<PyArray_Descr *>(record->descr);
  if (!PyDataType_HASFIELDS(descriptor))
    return false;
  uint64_t code = recordsCode(
      descriptor, 0, alignmentCode(reinterpret_cast<uintptr_t>(record->obval)),
      NPY_ARRAY_C_CONTIGUOUS | (record->flags & NPY_ARRAY_WRITEABLE));
  hostArray = true;
  return code != 0 &&
         add(code, {record->obval, nullptr, nullptr, {}, nullptr, 0});
}
