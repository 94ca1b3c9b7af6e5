// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: its version, statuses, and how the other parts make them;
// warnings.

#include "RuntimeHandles.h"
#include "cpu/PrintLog.h"
#include "pyk/runtime/Warning.h"

using namespace pyk::runtime;

static_assert(int(StatusCode::DriverFailed) == PYK_RT_DRIVER_FAILED &&
              int(StatusCode::Cancelled) == PYK_RT_CANCELLED &&
              int(StatusCode::OutOfMemory) == PYK_RT_OUT_OF_MEMORY);

pyk_rt_status *pyk::runtime::noMemory() {
  static auto *status = new pyk_rt_status{
      Status::failure(StatusCode::OutOfMemory, "calling the runtime",
                      "the system gave no memory", "free memory")};
  return status;
}

pyk_rt_status *pyk::runtime::handOut(Status status) {
  if (status.ok())
    return nullptr;
  auto *made = new (std::nothrow) pyk_rt_status{std::move(status)};
  return made ? made : noMemory();
}

Status pyk::runtime::invalid(std::string_view doing, std::string_view what,
                             int64_t value, std::string_view remedy) {
  return Status::failure(StatusCode::InvalidArgument, doing,
                         std::string(what) + " is " + std::to_string(value),
                         remedy);
}

Status pyk::runtime::checkSize(std::string_view doing, size_t given,
                               size_t first) {
  if (given >= first)
    return Status();
  return Status::failure(StatusCode::InvalidArgument, doing,
                         "struct_bytes is " + std::to_string(given) +
                             ", less than " + std::to_string(first),
                         "set it to the structure's size");
}

int32_t pyk_rt_interface_version() { return PYK_RT_INTERFACE_VERSION; }

int32_t pyk_rt_status_code(const pyk_rt_status *status) {
  return status ? int32_t(status->status.code()) : int32_t(PYK_RT_OK);
}

const char *pyk_rt_status_message(const pyk_rt_status *status) {
  return status ? status->status.message().c_str() : "";
}

const char *pyk_rt_status_native_call(const pyk_rt_status *status) {
  return status && status->status.native()
             ? status->status.native()->call.c_str()
             : "";
}

int32_t pyk_rt_status_native_code(const pyk_rt_status *status) {
  return status && status->status.native() ? status->status.native()->code : 0;
}

const char *pyk_rt_status_native_name(const pyk_rt_status *status) {
  return status && status->status.native()
             ? status->status.native()->name.c_str()
             : "";
}

void pyk_rt_status_free(pyk_rt_status *status) {
  if (status != noMemory())
    delete status;
}

struct pyk_rt_warning {
  Warning warning;
};

pyk_rt_warning *pyk_rt_take_warning() {
  std::optional<Warning> taken = takeWarning();
  return taken ? new (std::nothrow) pyk_rt_warning{std::move(*taken)} : nullptr;
}

const char *pyk_rt_warning_message(const pyk_rt_warning *warning) {
  return warning->warning.message.c_str();
}

const char *pyk_rt_warning_file(const pyk_rt_warning *warning) {
  return warning->warning.file.c_str();
}

int32_t pyk_rt_warning_line(const pyk_rt_warning *warning) {
  return warning->warning.line;
}

void pyk_rt_warning_free(pyk_rt_warning *warning) { delete warning; }

struct pyk_rt_printed {
  std::string text;
};

void pyk_rt_keep_printed(int32_t kept) { keepPrinted(kept != 0); }

pyk_rt_printed *pyk_rt_take_printed() {
  std::string text = takePrinted();
  return text.empty() ? nullptr
                      : new (std::nothrow) pyk_rt_printed{std::move(text)};
}

const char *pyk_rt_printed_text(const pyk_rt_printed *printed, size_t *bytes) {
  *bytes = printed->text.size();
  return printed->text.data();
}

void pyk_rt_printed_free(pyk_rt_printed *printed) { delete printed; }
