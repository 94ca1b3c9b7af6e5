// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of other languages that a program declares.

#include "Importer.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;
namespace json = llvm::json;

FailureOr<Attribute> Importer::importForeign(const json::Object &function) {
  const json::Object *foreign = objectOf(function, "foreign");
  if (!foreign)
    return failure();
  std::optional<Convention> convention =
      symbolizeConvention(foreign->getString("abi").value_or(""));
  StringRef name = foreign->getString("name").value_or("");
  const json::Array *pointees = arrayOf(*foreign, "pointees");
  if (!convention || name.empty() || !pointees)
    return malformed("expects 'c' or 'numba' as 'abi' of 'foreign', a 'name' "
                     "and 'pointees'");
  const json::Array *parameters = function.getArray("parameters");
  if (!function.get("returns") || !parameters ||
      parameters->size() != pointees->size())
    return malformed("expects 'returns', and 'pointees' for all parameters, of "
                     "what is 'foreign'");
  SmallVector<Type> types;
  for (const json::Value &pointee : *pointees) {
    TypeAttr type = importType(pointee, "pointee");
    if (!type)
      return failure();
    types.push_back(type.getValue());
  }
  uint64_t address = 0;
  // As text, since JSON's numbers are floats to many.
  if (StringRef text = foreign->getString("address").value_or("0");
      text.getAsInteger(10, address))
    return malformed("expects a number as 'address' of 'foreign'");
  return Attribute(
      ForeignAttr::get(builder.getContext(), *convention, name, types,
                       static_cast<int64_t>(address),
                       foreign->getBoolean("cooperative").value_or(false)));
}
