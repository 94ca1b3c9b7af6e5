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

std::string pyk::writeManifest(const KernelInterface &interface,
                               StringRef target,
                               const json::Object &properties) {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream json(os);
  json.object([&] {
    json.attribute("entry", interface.name);
    json.attribute("target", target);
    llvm::SmallVector<const json::Object::value_type *> sorted;
    for (const auto &property : properties)
      sorted.push_back(&property);
    llvm::sort(sorted, [](auto *left, auto *right) {
      return StringRef(left->first) < StringRef(right->first);
    });
    for (const auto *property : sorted)
      json.attribute(property->first, property->second);
    json.attribute("arguments", int64_t(interface.argumentTypes.size()));
    json.attributeArray("parameters", [&] {
      for (const KernelParameter &parameter : interface.parameters)
        json.object([&] {
          json.attribute("kind", stringifyParameterKind(parameter.kind));
          json.attribute("argument", int64_t(parameter.argument));
          json.attribute("dimension", int64_t(parameter.dimension));
        });
    });
    json.attributeArray("failures", [&] {
      for (const KernelFailure &failure : interface.failures)
        writeFailure(json, failure);
    });
  });
  return text;
}
