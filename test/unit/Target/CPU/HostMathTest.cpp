// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls every function of Libdevice.td through a compiled kernel, with the type
// that the table declares, and directly: the binding must pass each value
// through. What the functions compute is HostMathFunctionsTest's business;
// intrinsics have their expectations here.

#include "Support.h"
#include "pyk/Libdevice/Libdevice.h"
#include "pyk/runtime/ABI.h"
#include "pyk/runtime/HostSymbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

using namespace pyk;
using namespace pyk::test;
using llvm::StringRef;

using HostLongLong = long long;
static constexpr double hostInfinity = std::numeric_limits<double>::infinity();
static constexpr double hostNaN = std::numeric_limits<double>::quiet_NaN();

namespace {

/// Eight bytes that a parameter or a result occupies.
union Slot {
  int16_t h;
  int32_t i;
  int64_t l;
  float f;
  double d;
};

} // namespace

static std::string irType(char letter) {
  switch (letter) {
  case 'h':
    return "i16";
  case 'i':
    return "i32";
  case 'l':
    return "i64";
  case 'f':
    return "float";
  case 'd':
    return "double";
  case 'p':
    return "ptr";
  default:
    return "void";
  }
}

/// The type of a function, with `p` for each pointer.
static std::string getSignature(const LibdeviceOverload &math) {
  std::string signature = math.type.str();
  for (char &letter : signature)
    if (llvm::isUpper(letter))
      letter = 'p';
  return signature;
}

/// A kernel that calls `math` on 8-byte slots. The result goes to slot 0 and
/// what is behind the k-th pointer parameter to slot 1 + k.
static std::string makeKernel(const LibdeviceOverload &math) {
  std::string signature = getSignature(math);
  StringRef parameters = StringRef(signature).drop_front();
  std::string types, arguments, body;
  llvm::raw_string_ostream loads(body);
  for (auto [k, letter] : llvm::enumerate(parameters)) {
    std::string type = irType(letter);
    if (letter == 'p')
      loads << "%a" << k << " = getelementptr i64, ptr %out, i32 " << 1 + k
            << "\n";
    else
      loads << "%p" << k << " = getelementptr i64, ptr %in, i32 " << k << "\n%a"
            << k << " = load " << type << ", ptr %p" << k << "\n";
    const char *comma = k ? ", " : "";
    llvm::raw_string_ostream(types) << comma << type;
    llvm::raw_string_ostream(arguments) << comma << type << " %a" << k;
  }
  std::string result = irType(signature.front()), text;
  llvm::raw_string_ostream kernel(text);
  kernel << "declare " << result << " @__nv_" << math.symbol << "(" << types
         << ")\ndefine ptx_kernel void @k(ptr %in, ptr %out) {\n"
         << body << (result == "void" ? "" : "%r = ") << "call " << result
         << " @__nv_" << math.symbol << "(" << arguments << ")\n";
  if (result != "void")
    kernel << "store " << result << " %r, ptr %out\n";
  kernel << "ret void\n}\n";
  return text;
}

/// Values for one parameter: corner cases and ordinary ones.
static std::vector<Slot> samples(char letter) {
  std::vector<Slot> slots;
  auto add = [&](auto set) {
    Slot slot;
    slot.l = 0;
    set(slot);
    slots.push_back(slot);
  };
  if (letter == 'h')
    for (int x : {0, 1, 0x3c00, 0x7bff, 0x7c00, 0x7e00, 0x8001, 0xfc00})
      add([&](Slot &slot) { slot.h = int16_t(x); });
  if (letter == 'i')
    for (int32_t x : {0, 1, -1, 3, 24, 0x7fffffff, -0x7fffffff - 1, 0x12345678})
      add([&](Slot &slot) { slot.i = x; });
  if (letter == 'l')
    for (int64_t x : {int64_t(0), int64_t(1), int64_t(-1), INT64_MAX, INT64_MIN,
                      int64_t(0x123456789abcdef)})
      add([&](Slot &slot) { slot.l = x; });
  for (double x : {0.0, -0.0, 0.3, -0.3, 0.5, 1.0, -1.0, 2.5, -2.5, 7.75, 1e-5,
                   3e9, -3e9, hostInfinity, -hostInfinity, hostNaN}) {
    if (letter == 'f')
      add([&](Slot &slot) { slot.f = float(x); });
    if (letter == 'd')
      add([&](Slot &slot) { slot.d = x; });
  }
  return slots;
}

/// Calls `in` -> `out` for every combination of samples (the same value for
/// the third parameter as for the first).
template <typename F>
static void forEachInput(StringRef parameters, F call) {
  std::vector<Slot> first = samples(parameters.empty() ? 'v' : parameters[0]);
  std::vector<Slot> second =
      parameters.size() > 1 ? samples(parameters[1]) : std::vector<Slot>();
  if (second.empty())
    second.resize(1);
  std::vector<Slot> third =
      parameters.size() > 2 ? samples(parameters[2]) : std::vector<Slot>();
  if (third.empty())
    third.resize(1);
  for (Slot a : first)
    for (Slot b : second)
      for (Slot c : third) {
        Slot in[3] = {a, b, c};
        call(in);
      }
}

using Direct = void (*)(void *function, const Slot *in, Slot *out);

template <typename T>
static T get(const Slot &slot) {
  T value;
  std::memcpy(&value, &slot, sizeof(T));
  return value;
}

template <typename T>
static void put(Slot &slot, T value) {
  std::memcpy(&slot, &value, sizeof(T));
}

template <typename T>
static T argument(const Slot *in, Slot *out, size_t k) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(&out[1 + k]);
  else
    return get<T>(in[k]);
}

template <typename R, typename... Args, size_t... K>
static void callDirectly(void *function, const Slot *in, Slot *out,
                         std::index_sequence<K...>) {
  auto typed = reinterpret_cast<R (*)(Args...)>(function);
  if constexpr (std::is_void_v<R>)
    typed(argument<Args>(in, out, K)...);
  else
    put<R>(out[0], typed(argument<Args>(in, out, K)...));
}

template <typename R, typename... Args>
static void callAs(void *function, const Slot *in, Slot *out) {
  callDirectly<R, Args...>(function, in, out,
                           std::index_sequence_for<Args...>());
}

/// How to call a function of each signature directly.
static Direct findDirect(StringRef signature) {
  static const std::map<StringRef, Direct> directCalls = {
      {"dd", callAs<double, double>},
      {"ff", callAs<float, float>},
      {"ddd", callAs<double, double, double>},
      {"fff", callAs<float, float, float>},
      {"dddd", callAs<double, double, double, double>},
      {"ffff", callAs<float, float, float, float>},
      {"hf", callAs<short, float>},
      {"fh", callAs<float, short>},
      {"ddp", callAs<double, double, void *>},
      {"ffp", callAs<float, float, void *>},
      {"dddp", callAs<double, double, double, void *>},
      {"fffp", callAs<float, float, float, void *>},
      {"vdpp", callAs<void, double, void *, void *>},
      {"vfpp", callAs<void, float, void *, void *>},
      {"id", callAs<int, double>},
      {"if", callAs<int, float>},
      {"ld", callAs<long long, double>},
      {"lf", callAs<long long, float>},
      {"di", callAs<double, int>},
      {"fi", callAs<float, int>},
      {"dl", callAs<double, long long>},
      {"fl", callAs<float, long long>},
      {"fd", callAs<float, double>},
      {"ddi", callAs<double, double, int>},
      {"ffi", callAs<float, float, int>},
      {"did", callAs<double, int, double>},
      {"fif", callAs<float, int, float>},
      {"dii", callAs<double, int, int>},
      {"ii", callAs<int, int>},
      {"il", callAs<int, long long>},
      {"ll", callAs<long long, long long>},
      {"iii", callAs<int, int, int>},
      {"lll", callAs<long long, long long, long long>},
      {"iiii", callAs<int, int, int, int>},
  };
  auto found = directCalls.find(signature);
  return found == directCalls.end() ? nullptr : found->second;
}

/// Equal bits, or both NaN.
static bool same(char letter, Slot a, Slot b) {
  if (letter == 'f' && std::isnan(a.f) && std::isnan(b.f))
    return true;
  if (letter == 'd' && std::isnan(a.d) && std::isnan(b.d))
    return true;
  return a.l == b.l;
}

/// The place of a number among those of its type.
template <typename Real, typename Bits>
static int64_t getPlace(Real number) {
  Bits bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits < 0 ? std::numeric_limits<Bits>::min() - bits : bits;
}

/// No further apart than a formula and libm may be from the true result.
static bool near(char letter, Slot a, Slot b) {
  constexpr int64_t most = 3;
  if (same(letter, a, b))
    return true;
  double one = letter == 'f' ? a.f : a.d, other = letter == 'f' ? b.f : b.d;
  if (!std::isfinite(one) || !std::isfinite(other) ||
      std::signbit(one) != std::signbit(other))
    return false;
  return std::abs(letter == 'f' ? getPlace<float, int32_t>(a.f) -
                                      getPlace<float, int32_t>(b.f)
                                : getPlace<double, int64_t>(a.d) -
                                      getPlace<double, int64_t>(b.d)) <= most;
}

TEST(HostMathTest, EveryFunctionIsCalledWithItsArguments) {
  int rows = 0;
  for (const LibdeviceOverload *math : getLibdeviceOverloads()) {
    if (math->host.function.empty())
      continue;
    SCOPED_TRACE(math->symbol.str());
    void *function =
        const_cast<void *>(runtime::findHostSymbol(math->host.function));
    ASSERT_TRUE(function);
    std::string signature = getSignature(*math);
    Direct direct = findDirect(signature);
    ASSERT_TRUE(direct) << signature;
    CpuOptions options;
    options.optimizationLevel = 1;
    auto kernel = compile(makeKernel(*math), options);
    ASSERT_TRUE(kernel);
    ++rows;
    // Bessel functions take a time proportional to their order.
    bool hasOrder = signature == "did" || signature == "fif";
    forEachInput(StringRef(signature).drop_front(), [&](const Slot *in) {
      if (hasOrder && std::abs(double(in[0].i)) > 100)
        return;
      Slot expected[5], got[5];
      std::memset(expected, 0, sizeof(expected));
      std::memset(got, 0, sizeof(got));
      direct(function, in, expected);
      const Slot *pi = in;
      Slot *po = got;
      runThread(*kernel, 1, 0, pi, po);
      EXPECT_TRUE(math->host.hasFormula
                      ? near(signature[0], got[0], expected[0])
                      : same(signature[0], got[0], expected[0]))
          << get<double>(in[0]) << " or " << get<float>(in[0]);
      for (int k = 1; k < 5; ++k)
        EXPECT_TRUE(same(StringRef(signature).contains('d') ? 'd' : 'f', got[k],
                         expected[k]));
    });
  }
  EXPECT_GT(rows, 150);
}

/// What the intrinsics that stand for libdevice compute.
static std::map<StringRef, void *> getIntrinsicOracles() {
  return {
#define ORACLE(DEVICE, TYPE, LAMBDA)                                           \
  {#DEVICE, reinterpret_cast<void *>(static_cast<TYPE>(LAMBDA))}
#define ORACLE_REAL(NAME)                                                      \
  ORACLE(__nv_##NAME, double (*)(double),                                      \
         [](double x) { return std::NAME(x); }),                               \
      ORACLE(__nv_##NAME##f, float (*)(float),                                 \
             [](float x) { return std::NAME(x); })
#define ORACLE_INT(NAME, TYPE, EXPRESSION)                                     \
  ORACLE(__nv_##NAME, TYPE (*)(TYPE, TYPE),                                    \
         [](TYPE x, TYPE y) -> TYPE { return EXPRESSION; })
      ORACLE_REAL(ceil),
      ORACLE_REAL(fabs),
      ORACLE_REAL(floor),
      ORACLE_REAL(nearbyint),
      ORACLE_REAL(rint),
      ORACLE_REAL(round),
      ORACLE_REAL(sqrt),
      ORACLE_REAL(trunc),
      ORACLE(__nv_copysign, double (*)(double, double),
             [](double x, double y) { return std::copysign(x, y); }),
      ORACLE(__nv_copysignf, float (*)(float, float),
             [](float x, float y) { return std::copysign(x, y); }),
      ORACLE(__nv_dsqrt_rn, double (*)(double),
             [](double x) { return std::sqrt(x); }),
      ORACLE(__nv_fsqrt_rn, float (*)(float),
             [](float x) { return std::sqrt(x); }),
      ORACLE(__nv_brev, int (*)(int),
             [](int x) {
               unsigned r = 0;
               for (int k = 0; k < 32; ++k)
                 r |= (unsigned(x) >> k & 1) << (31 - k);
               return int(r);
             }),
      ORACLE(__nv_popc, int (*)(int),
             [](int x) { return __builtin_popcount(unsigned(x)); }),
      ORACLE(__nv_finitef, int (*)(float),
             [](float x) { return int(std::isfinite(x)); }),
      ORACLE(__nv_isfinited, int (*)(double),
             [](double x) { return int(std::isfinite(x)); }),
      ORACLE(__nv_isinff, int (*)(float),
             [](float x) { return int(std::isinf(x)); }),
      ORACLE(__nv_isinfd, int (*)(double),
             [](double x) { return int(std::isinf(x)); }),
      ORACLE(__nv_isnanf, int (*)(float),
             [](float x) { return int(std::isnan(x)); }),
      ORACLE(__nv_isnand, int (*)(double),
             [](double x) { return int(std::isnan(x)); }),
      ORACLE_INT(max, int, x > y ? x : y),
      ORACLE_INT(min, int, x < y ? x : y),
      ORACLE_INT(umax, int, unsigned(x) > unsigned(y) ? x : y),
      ORACLE_INT(umin, int, unsigned(x) < unsigned(y) ? x : y),
      ORACLE_INT(llmax, HostLongLong, x > y ? x : y),
      ORACLE_INT(llmin, HostLongLong, x < y ? x : y),
      ORACLE_INT(ullmax, HostLongLong, uint64_t(x) > uint64_t(y) ? x : y),
      ORACLE_INT(ullmin, HostLongLong, uint64_t(x) < uint64_t(y) ? x : y),
  };
}

TEST(HostMathTest, IntrinsicsComputeWhatLibdeviceDoes) {
  for (const auto &entry : getIntrinsicOracles()) {
    SCOPED_TRACE(entry.first.str());
    const LibdeviceOverload *math =
        lookupLibdeviceSymbol(entry.first.drop_front(kLibdevicePrefix.size()));
    ASSERT_TRUE(math && math->host.function.empty());
    std::string signature = getSignature(*math);
    auto kernel = compile(makeKernel(*math));
    ASSERT_TRUE(kernel);
    forEachInput(StringRef(signature).drop_front(), [&](const Slot *in) {
      Slot expected[5] = {}, got[5] = {};
      findDirect(signature)(entry.second, in, expected);
      const Slot *pi = in;
      Slot *po = got;
      runThread(*kernel, 1, 0, pi, po);
      EXPECT_TRUE(same(signature[0], got[0], expected[0]));
    });
  }
}

TEST(HostMathTest, EveryIntrinsicCompiles) {
  for (const LibdeviceOverload *math : getLibdeviceOverloads())
    if (math->host.function.empty()) {
      SCOPED_TRACE(math->symbol.str());
      EXPECT_TRUE(compile(makeKernel(*math)));
    }
}

namespace {

template <typename T>
constexpr char letter = std::is_pointer_v<T> ? 'p' : '?';
template <>
constexpr char letter<short> = 'h';
template <>
constexpr char letter<int> = 'i';
template <>
constexpr char letter<long long> = 'l';
template <>
constexpr char letter<float> = 'f';
template <>
constexpr char letter<double> = 'd';
template <>
constexpr char letter<void> = 'v';

template <typename F>
struct Signature;
template <typename R, typename... Args>
struct Signature<R(Args...)> {
  static constexpr char text[] = {letter<R>, letter<Args>..., '\0'};
};

} // namespace

// The runtime's functions have the types that the table says.
TEST(HostMathTest, TheRuntimesFunctionsHaveTheTypesOfTheTable) {
  const std::map<StringRef, StringRef> types = {
#define HOST_SYMBOL(RESULT, NAME, PARAMETERS)                                  \
  {#NAME, Signature<RESULT PARAMETERS>::text},
#define HOST_MATH(RESULT, NAME, PARAMETERS)                                    \
  {"pyk_rt_math_" #NAME, Signature<RESULT PARAMETERS>::text},
#include "pyk/runtime/HostSymbols.def"
  };
  for (const LibdeviceOverload *math : getLibdeviceOverloads()) {
    StringRef function = math->host.function;
    if (function.empty())
      continue;
    auto found = types.find(function);
    ASSERT_TRUE(found != types.end()) << function.str();
    EXPECT_EQ(found->second, getSignature(*math)) << function.str();
  }
}
