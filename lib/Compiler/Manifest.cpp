// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the manifest in an order that does not change.

#include "Manifest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace pyk;
using llvm::StringRef;
namespace json = llvm::json;

/// `text` as JSON can have it: what is not UTF-8 is replaced.
static std::string asUTF8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

static void writeFailure(json::OStream &json, const KernelFailure &failure) {
  json.object([&] {
    json.attribute("error", asUTF8(failure.error));
    json.attribute("message", asUTF8(failure.message));
    json.attribute("function", asUTF8(failure.function));
    json.attribute("file", asUTF8(failure.file));
    json.attribute("line", int64_t(failure.line));
    json.attribute("exception", failure.exception);
  });
}

/// Adds what a back end says, in the order of the keys.
static void writeProperties(json::OStream &json,
                            const json::Object &properties) {
  llvm::SmallVector<const json::Object::value_type *> sorted;
  for (const auto &property : properties)
    sorted.push_back(&property);
  llvm::sort(sorted, [](auto *left, auto *right) {
    return StringRef(left->first) < StringRef(right->first);
  });
  for (const auto *property : sorted)
    json.attribute(property->first, property->second);
}

static void writeParameter(json::OStream &json,
                           const pyk_rt_parameter &parameter) {
  json.object([&] {
    json.attribute("kind",
                   stringifyParameterKind(ParameterKind(parameter.kind)));
    json.attribute("argument", int64_t(parameter.argument));
    json.attribute("dimension", int64_t(parameter.dimension));
    json.attribute("bytes", int64_t(parameter.bytes));
    json.attribute("alignment", int64_t(parameter.alignment));
  });
}

static void writeTerm(json::OStream &json, const pyk_rt_size_term &term) {
  json.object([&] {
    json.attribute("kind", stringifySizeTermKind(SizeTermKind(term.kind)));
    switch (SizeTermKind(term.kind)) {
    case SizeTermKind::Signed:
    case SizeTermKind::Unsigned:
      json.attribute("argument", int64_t(term.argument));
      json.attribute("bytes", term.value);
      break;
    case SizeTermKind::Extent:
      json.attribute("argument", int64_t(term.argument));
      json.attribute("dimension", int64_t(term.dimension));
      break;
    case SizeTermKind::Block:
      json.attribute("dimension", int64_t(term.dimension));
      break;
    case SizeTermKind::Constant:
      json.attribute("value", term.value);
      break;
    case SizeTermKind::Place:
      json.attribute("alignment", term.value);
      json.attribute("line", int64_t(term.line));
      break;
    default:
      break;
    }
  });
}

static void writeBound(json::OStream &json, const pyk_rt_bound_term &term) {
  json.object([&] {
    json.attribute("kind", stringifyBoundTermKind(BoundTermKind(term.kind)));
    for (auto [name, number] : {std::pair("first", int64_t(term.first)),
                                {"second", int64_t(term.second)},
                                {"third", int64_t(term.third)},
                                {"value", term.value}})
      if (number != 0)
        json.attribute(name, number);
  });
}

static bool hasFacts(const pyk_rt_formal &formal) { return formal.facts != 0; }

/// Adds what is taken for granted of argument `index`.
static void writeFacts(json::OStream &json, size_t index,
                       const pyk_rt_formal &formal) {
  json.object([&] {
    json.attribute("argument", int64_t(index));
    json.attributeArray("facts", [&] {
      for (uint32_t bit = 1; bit <= formal.facts; bit <<= 1)
        if (formal.facts & bit)
          json.value(stringifyLaunchFact(LaunchFact(bit)));
    });
  });
}

static void writeKernel(json::OStream &json, const KernelInterface &kernel,
                        const json::Object *properties) {
  json.object([&] {
    json.attribute("entry", kernel.name);
    json.attribute("arguments", int64_t(kernel.argumentTypes.size()));
    json.attributeArray("parameters", [&] {
      for (const pyk_rt_parameter &parameter : kernel.parameters)
        writeParameter(json, parameter);
    });
    if (kernel.hasSmallGrid)
      json.attribute("grid_limit", PYK_RT_SMALL_GRID_LIMIT);
    if (kernel.block[0] != 0)
      json.attributeArray("block", [&] {
        for (int32_t extent : kernel.block)
          json.value(extent);
      });
    if (llvm::any_of(kernel.formals, hasFacts))
      json.attributeArray("assumes", [&] {
        for (auto [index, formal] : llvm::enumerate(kernel.formals))
          if (hasFacts(formal))
            writeFacts(json, index, formal);
      });
    if (!kernel.launchBounds.empty())
      json.attributeArray("launch_bounds", [&] {
        for (int32_t bound : kernel.launchBounds)
          json.value(bound);
      });
    json.attribute("prints", kernel.prints);
    if (kernel.isCooperative)
      json.attribute("cooperative", true);
    json.attribute("uses_dynamic_shared", kernel.usesDynamicShared);
    if (!kernel.sharedSizes.empty())
      json.attributeArray("shared_sizes", [&] {
        for (const pyk_rt_size_term &term : kernel.sharedSizes)
          writeTerm(json, term);
      });
    if (!kernel.bounds.empty())
      json.attributeArray("bounds", [&] {
        for (const pyk_rt_bound_term &term : kernel.bounds)
          writeBound(json, term);
      });
    if (properties)
      writeProperties(json, *properties);
  });
}

std::string pyk::writeManifest(const ModuleInterface &interface,
                               StringRef target, const DeviceCode &code) {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream json(os);
  json.object([&] {
    json.attribute("version", 2);
    json.attribute("target", target);
    writeProperties(json, code.properties);
    json.attributeArray("kernels", [&] {
      for (auto [index, kernel] : llvm::enumerate(interface.kernels))
        writeKernel(json, kernel,
                    code.kernels.empty() ? nullptr
                                         : &code.kernels[index].properties);
    });
    json.attributeArray("exports", [&] {
      for (StringRef name : interface.exports)
        json.value(name);
    });
    json.attributeArray("failures", [&] {
      for (const KernelFailure &failure : interface.failures)
        writeFailure(json, failure);
    });
  });
  return text;
}
