// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much shared memory the arrays take whose sizes a launch knows. The kernel
// computes the same from the same terms, so nothing may be left to wrap.

#include "RuntimeHandles.h"
#include "pyk/runtime/Arguments.h"
#include "pyk/runtime/CpuLaunch.h"
#include "pyk/runtime/LaunchCheck.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

using namespace pyk::runtime;

namespace {

/// What stops the computation of a size.
struct SizeError {
  std::string problem;
  const char *remedy;
};

using Checked = std::optional<SizeError>;

class SizeEvaluator {
public:
  SizeEvaluator(const int64_t *block, const pyk_rt_argument *arguments)
      : block(block), arguments(arguments) {}

  Checked evaluate(const pyk_rt_size_term &term);
  int64_t bytes() const { return total; }

private:
  static SizeError leaves() {
    return {" has a size that leaves 64 bits", "pass smaller numbers"};
  }
  Checked push(int64_t value) {
    stack.push_back(value);
    return std::nullopt;
  }
  Checked pushScalar(const pyk_rt_size_term &term, bool isSigned);
  Checked combine(pyk_rt_size_kind kind);
  Checked divide(pyk_rt_size_kind kind, int64_t a, int64_t b);
  Checked place(int64_t alignment);

  const int64_t *block;
  const pyk_rt_argument *arguments;
  std::vector<int64_t> stack;
  int64_t total = 0;
};

} // namespace

Checked SizeEvaluator::pushScalar(const pyk_rt_size_term &term, bool isSigned) {
  uint64_t bits = 0;
  std::memcpy(&bits, arguments[term.argument].scalar,
              size_t(std::clamp<int64_t>(term.value, 1, 8)));
  int unused = 64 - 8 * int(term.value);
  if (isSigned && unused > 0)
    return push(int64_t(bits << unused) >> unused);
  return push(int64_t(bits));
}

Checked SizeEvaluator::divide(pyk_rt_size_kind kind, int64_t a, int64_t b) {
  if (b == 0)
    return SizeError{" has a size that divides by 0",
                     "pass a divisor other than 0"};
  if (a == INT64_MIN && b == -1)
    return leaves();
  int64_t quotient = a / b, rest = a % b;
  if (rest != 0 && (rest < 0) != (b < 0)) {
    --quotient;
    rest += b;
  }
  return push(kind == PYK_RT_SIZE_FLOOR_DIV ? quotient : rest);
}

Checked SizeEvaluator::combine(pyk_rt_size_kind kind) {
  int64_t b = stack.back();
  stack.pop_back();
  int64_t a = stack.back(), result = 0;
  stack.pop_back();
  switch (kind) {
  case PYK_RT_SIZE_ADD:
    return __builtin_add_overflow(a, b, &result) ? leaves() : push(result);
  case PYK_RT_SIZE_SUB:
    return __builtin_sub_overflow(a, b, &result) ? leaves() : push(result);
  case PYK_RT_SIZE_MUL:
    return __builtin_mul_overflow(a, b, &result) ? leaves() : push(result);
  case PYK_RT_SIZE_MIN:
    return push(std::min(a, b));
  case PYK_RT_SIZE_MAX:
    return push(std::max(a, b));
  default:
    return divide(kind, a, b);
  }
}

Checked SizeEvaluator::place(int64_t alignment) {
  constexpr int64_t limit = LaunchLimits::sharedBytesPerBlock;
  int64_t begin = (total + alignment - 1) & -alignment, size = stack.back();
  stack.pop_back();
  if (size > limit - begin)
    return SizeError{
        " takes " + std::to_string(size) + " bytes of shared memory behind " +
            std::to_string(begin) + ", more than CUDA's limit of " +
            std::to_string(limit) + " bytes together",
        "use smaller shared arrays"};
  total = begin + size;
  return std::nullopt;
}

Checked SizeEvaluator::evaluate(const pyk_rt_size_term &term) {
  switch (auto kind = pyk_rt_size_kind(term.kind)) {
  case PYK_RT_SIZE_CONSTANT:
    return push(term.value);
  case PYK_RT_SIZE_SIGNED:
  case PYK_RT_SIZE_UNSIGNED:
    return pushScalar(term, kind == PYK_RT_SIZE_SIGNED);
  case PYK_RT_SIZE_EXTENT:
    return push(arguments[term.argument].shape[term.dimension]);
  case PYK_RT_SIZE_BLOCK:
    return push(block[term.dimension]);
  case PYK_RT_SIZE_LENGTH:
    if (stack.back() < 0)
      return SizeError{" has a negative extent, " +
                           std::to_string(stack.back()),
                       "pass numbers that give at least 0"};
    return std::nullopt;
  case PYK_RT_SIZE_PLACE:
    return place(term.value);
  default:
    return combine(kind);
  }
}

/// The line of the array that `term` belongs to.
static uint32_t getLine(const pyk_rt_size_term *term,
                        const pyk_rt_size_term *end) {
  while (term != end && term->kind != PYK_RT_SIZE_PLACE)
    ++term;
  return term == end ? 0 : term->line;
}

Status pyk::runtime::addSharedBytes(std::string_view doing,
                                    const pyk_rt_signature &signature,
                                    const int64_t *block,
                                    const pyk_rt_argument *arguments,
                                    int64_t &sharedBytes) {
  SizeEvaluator evaluator(block, arguments);
  const pyk_rt_size_term *terms = signature.shared_sizes,
                         *end = terms + signature.shared_size_count;
  for (const pyk_rt_size_term *term = terms; term != end; ++term)
    if (Checked error = evaluator.evaluate(*term))
      return Status::failure(StatusCode::InvalidArgument, doing,
                             "the shared array of line " +
                                 std::to_string(getLine(term, end)) +
                                 error->problem,
                             error->remedy);
  // What the caller asks for is judged with the whole, by the device; so is a
  // negative number, which a sum would hide.
  if (sharedBytes >= 0 &&
      __builtin_add_overflow(sharedBytes, evaluator.bytes(), &sharedBytes))
    sharedBytes = INT64_MAX;
  return {};
}

pyk_rt_status *pyk_rt_add_shared_bytes(const pyk_rt_signature *signature,
                                       const int64_t *block,
                                       const pyk_rt_argument *arguments,
                                       int64_t *shared_bytes) {
  return guarded([&] {
    return addSharedBytes("launching a kernel", *signature, block, arguments,
                          *shared_bytes);
  });
}
