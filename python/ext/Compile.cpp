// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function compile and what comes of it: a Module has compiled kernels, a
// Function is a kernel that a device has loaded.

#include "CompileThread.h"
#include "Core.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

namespace nb = nanobind;
using namespace nb::literals;
using namespace pyk::python;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The bytes of a bytes or str object, which must outlive the result.
static PykStringRef bytesOf(nb::handle source) {
  if (PyBytes_Check(source.ptr()))
    return {PyBytes_AS_STRING(source.ptr()),
            static_cast<size_t>(PyBytes_GET_SIZE(source.ptr()))};
  if (!PyUnicode_Check(source.ptr()))
    throw nb::type_error("compile expects bytes or str for source");
  Py_ssize_t size = 0;
  const char *data = PyUnicode_AsUTF8AndSize(source.ptr(), &size);
  if (!data)
    throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

/// What C takes for the value of an option: a bool, or a str.
static std::string textOf(nb::handle value) {
  if (PyBool_Check(value.ptr()))
    return value.is(Py_True) ? "true" : "false";
  return nb::cast<std::string>(nb::str(value));
}

static Module compile(nb::object source, const Text &sourceName,
                      const Text &target, const Text &emit,
                      const Text &dumpStages, bool explain,
                      const nb::dict &options) {
  PykStringRef bytes = bytesOf(source);
  CompileInput input = {{bytes.data, bytes.size},
                        sourceName,
                        target,
                        emit,
                        dumpStages,
                        explain,
                        {}};
  for (auto [name, value] : options) {
    if (!PyUnicode_Check(name.ptr()))
      throw nb::type_error("compile expects str for the names of options");
    input.options.emplace_back(nb::cast<std::string>(name), textOf(value));
  }
  CompileOutput output = compileInterruptibly(std::move(input));
  if (!output.module && !output.error) {
    PyErr_SetString(PyExc_MemoryError,
                    "the compiler ran out of memory; the first kernel of a "
                    "process takes some 64 MiB, and long kernels take more");
    throw nb::python_error();
  }
  if (!output.module)
    throwError(output.error);
  return std::make_shared<CompiledModule>(output.module);
}

static std::string inferResult(nb::object source, const Text &sourceName) {
  PykStringRef text = bytesOf(source);
  const char *name = sourceName ? sourceName->c_str() : nullptr;
  std::string type;
  PykError *error = nullptr;
  {
    WithoutGil without;
    error = pyk_infer_result(
        text, name,
        [](void *user, PykStringRef found) {
          static_cast<std::string *>(user)->assign(found.data, found.size);
        },
        &type);
  }
  if (error)
    throwError(error);
  return type;
}

static void checkChip(const char *chip) {
  if (PykError *error = pyk_check_chip(chip))
    throwError(error);
}

static std::vector<std::pair<std::string, std::string>> getCompileOptions() {
  std::vector<std::pair<std::string, std::string>> options;
  const char *words, *help;
  for (size_t i = 0; const char *name = pyk_compile_option(i, &words, &help);
       ++i)
    options.emplace_back(name, words);
  return options;
}

static std::vector<std::string> getTargets() {
  std::vector<std::string> targets;
  for (size_t i = 0; const char *name = pyk_target(i); ++i)
    targets.emplace_back(name);
  return targets;
}

static std::vector<std::pair<std::string, Text>> getStages() {
  std::vector<std::pair<std::string, Text>> stages;
  const char *target;
  for (size_t i = 0; const char *name = pyk_stage(i, &target); ++i)
    stages.emplace_back(name, target ? Text(target) : Text());
  return stages;
}

static std::vector<std::pair<std::string, std::string>> getLibdevice() {
  std::vector<std::pair<std::string, std::string>> functions;
  const char *type;
  for (size_t i = 0; const char *name = pyk_libdevice_function(i, &type); ++i)
    functions.emplace_back(name, type);
  return functions;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// The kernel with the entry `name`; without a name, the only one.
static const PykKernel *find(const Module &module, const Text &name) {
  std::string names;
  const PykKernel *found = nullptr;
  size_t count = 0;
  for (; const PykKernel *kernel = pyk_module_kernel(module->get(), count);
       ++count) {
    const char *other = pyk_kernel_name(kernel);
    if (!name || *name == other)
      found = kernel;
    names += (count ? ", '" : "'") + std::string(other) + "'";
  }
  if (!found || (!name && count != 1)) {
    std::string wanted = name ? "a kernel '" + *name + "'" : "one kernel";
    throw nb::value_error(
        ("load expects " + wanted + " but got " + (count ? names : "none"))
            .c_str());
  }
  return found;
}

/// Loads host code, which `owner` owns. Of code for other processors the
/// runtime says which these are.
static pyk_rt_status *loadHostCode(const Module &owner, const PykKernel *kernel,
                                   pyk_rt_device *device,
                                   const pyk_rt_signature &signature,
                                   pyk_rt_module **module) {
  const pyk_rt_kernel *row = pyk_kernel_entry(kernel);
  PykStringRef code = pyk_module_artifact(owner->get());
  if (!row && code.size && !pyk_module_ptx(owner->get()).size)
    return pyk_rt_module_load_image(device, pyk_kernel_name(kernel), code.data,
                                    code.size, nullptr, module);
  std::vector<uint32_t> bytes;
  bytes.reserve(signature.parameter_count);
  for (size_t i = 0; i < signature.parameter_count; ++i)
    bytes.push_back(signature.parameters[i].bytes);
  pyk_rt_host_kernel entry = {pyk_kernel_name(kernel), row, bytes.data(),
                              bytes.size()};
  return pyk_rt_module_load_host(
      device, &entry, 1, new Module(owner),
      [](void *owner) { delete static_cast<Module *>(owner); }, module);
}

static Function load(const Module &compiled, const Device &device,
                     int32_t maxRegisters, nb::object describe,
                     const Text &kernelName, int32_t opt, bool lineInfo,
                     bool debugInfo, const std::vector<std::string> &link) {
  const PykKernel *kernel = find(compiled, kernelName);
  Function function;
  function.compiled = compiled;
  function.signature = pyk_kernel_signature(kernel);
  size_t count = function.signature.parameter_count;
  function.checks = count && function.signature.parameters[count - 1].kind ==
                                 PYK_RT_PARAMETER_FAILURE;
  function.describe = std::move(describe);
  function.prints = pyk_kernel_prints(kernel) != 0;
  function.isCooperative = pyk_kernel_is_cooperative(kernel) != 0;
  function.backend = pyk_rt_device_backend(device.get());
  function.device = pyk_rt_device_index(device.get());
  std::vector<const char *> links;
  links.reserve(link.size());
  for (const std::string &path : link)
    links.push_back(path.c_str());
  const char *name = pyk_kernel_name(kernel);
  PykStringRef ptx = pyk_module_ptx(compiled->get());
  run([&]() -> pyk_rt_status * {
    pyk_rt_module *module = nullptr;
    pyk_rt_status *status;
    if (function.backend == PYK_RT_BACKEND_CPU) {
      status = loadHostCode(compiled, kernel, device.get(), function.signature,
                            &module);
    } else {
      pyk_rt_image_options options = {
          sizeof(options), maxRegisters, opt,         lineInfo,
          debugInfo,       links.data(), links.size()};
      status = pyk_rt_module_load_image(device.get(), name, ptx.data, ptx.size,
                                        &options, &module);
    }
    if (status)
      return status;
    function.module = Handle<pyk_rt_module, pyk_rt_module_release>(module);
    pyk_rt_function *handle = nullptr;
    status = pyk_rt_module_function(module, name, &handle);
    if (!status)
      function.handle =
          Handle<pyk_rt_function, pyk_rt_function_release>(handle);
    return status;
  });
  return function;
}

/// What the kernel needs of its device, by name; 0 where nobody knows.
static nb::dict info(const Function &function) {
  pyk_rt_function_info info = {};
  info.struct_bytes = sizeof(info);
  run([&] { return pyk_rt_function_get_info(function.handle.get(), &info); });
  nb::dict found;
  found["registers_per_thread"] = info.registers_per_thread;
  found["max_threads_per_block"] = info.max_threads_per_block;
  found["static_shared_bytes"] = info.static_shared_bytes;
  found["local_bytes_per_thread"] = info.local_bytes_per_thread;
  found["constant_bytes"] = info.constant_bytes;
  return found;
}

/// How many blocks run at a time on one multiprocessor.
static int32_t getActiveBlocks(const Function &function, int32_t threads,
                               size_t sharedBytes) {
  int32_t blocks = 0;
  run([&] {
    return pyk_rt_function_active_blocks(function.handle.get(), threads,
                                         sharedBytes, &blocks);
  });
  return blocks;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

/// Binds a property that is a string of the C interface.
template <PykStringRef (*get)(const PykModule *)>
static void bindText(nb::class_<CompiledModule> &module, const char *name) {
  module.def_prop_ro(name, [](const CompiledModule &self) {
    PykStringRef text = get(self.get());
    return nb::str(text.data ? text.data : "", text.size);
  });
}

/// The entries, in the order of the module.
static std::vector<std::string> getKernels(const CompiledModule &self) {
  std::vector<std::string> names;
  for (size_t i = 0; auto *kernel = pyk_module_kernel(self.get(), i); ++i)
    names.emplace_back(pyk_kernel_name(kernel));
  return names;
}

static std::vector<std::string> getRemarks(const CompiledModule &self) {
  std::vector<std::string> remarks;
  for (size_t i = 0;; ++i) {
    PykStringRef remark = pyk_module_remark(self.get(), i);
    if (!remark.data)
      return remarks;
    remarks.emplace_back(remark.data, remark.size);
  }
}

void pyk::python::bindCompile(nb::module_ &module) {
  nb::class_<Function>(module, "Function")
      .def("info", &info)
      .def("active_blocks", &getActiveBlocks, "threads"_a, "shared_bytes"_a)
      .def_ro("is_cooperative", &Function::isCooperative);

  nb::class_<CompiledModule> compiled(module, "Module", nb::dynamic_attr());
  bindText<pyk_module_emitted>(compiled, "emitted");
  bindText<pyk_module_manifest>(compiled, "manifest");
  bindText<pyk_module_ptx>(compiled, "ptx");
  bindText<pyk_module_reproduce>(compiled, "reproduce");
  bindText<pyk_module_times>(compiled, "times");
  compiled.def_prop_ro("artifact", [](const CompiledModule &self) {
    PykStringRef bytes = pyk_module_artifact(self.get());
    return nb::bytes(bytes.data, bytes.size);
  });
  compiled.def_prop_ro("kernels", &getKernels);
  compiled.def_prop_ro("remarks", &getRemarks);
  compiled.def_prop_ro("has_block_shape", [](const CompiledModule &self) {
    const PykKernel *kernel = pyk_module_kernel(self.get(), 0);
    return kernel && pyk_kernel_signature(kernel).block[0] != 0;
  });
  compiled.def("load", &load, "device"_a, "max_registers"_a = 0,
               "describe"_a = nb::none(), "kernel"_a = nb::none(), "opt"_a = -1,
               "line_info"_a = false, "debug_info"_a = false,
               "link"_a = std::vector<std::string>());

  module.def("check_chip", &checkChip, "chip"_a);
  module.def("infer_result", &inferResult, nb::kw_only(), "source"_a,
             "source_name"_a = nb::none());
  module.def("libdevice_functions", &getLibdevice);
  module.def("targets", &getTargets);
  module.def("stages", &getStages);
  module.def("compile", &compile, nb::kw_only(), "source"_a,
             "source_name"_a = nb::none(), "target"_a = nb::none(),
             "emit"_a = nb::none(), "dump_stages"_a = nb::none(),
             "explain"_a = false, "options"_a = nb::dict());
  module.def("compile_options", &getCompileOptions);
}
