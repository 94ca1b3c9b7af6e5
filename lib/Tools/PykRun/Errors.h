// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two kinds of error, because they have different exit statuses: a command line
// that cannot be, and everything else.

#ifndef PYK_LIB_TOOLS_PYKRUN_ERRORS_H
#define PYK_LIB_TOOLS_PYKRUN_ERRORS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace pyk::run {

/// A command line that cannot be: exit status 2.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  explicit UsageError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  static char ID;

private:
  std::string message;
};

/// An error of the command line.
inline llvm::Error usageError(const llvm::Twine &message) {
  return llvm::make_error<UsageError>(message.str());
}

/// An error of the program or its data.
inline llvm::Error programError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

} // namespace pyk::run

#endif // PYK_LIB_TOOLS_PYKRUN_ERRORS_H
