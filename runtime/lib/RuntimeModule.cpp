// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: modules and the functions in them.

#include "RuntimeHandles.h"
#include "pyk/runtime/Artifact.h"

#include <cstddef>

using namespace pyk::runtime;

pyk_rt_status *pyk_rt_module_load_image(pyk_rt_device *device, const char *name,
                                        const void *image, size_t image_bytes,
                                        const pyk_rt_image_options *options,
                                        pyk_rt_module **module) {
  return guarded([&] {
    DeviceImage described;
    described.name = name;
    described.code = {static_cast<const char *>(image), image_bytes};
    if (options) {
      if (Status status = checkSize("loading a module", options->struct_bytes,
                                    offsetof(pyk_rt_image_options, debug_info));
          !status.ok())
        return status;
      described.maxRegisters = options->max_registers;
      described.optimizationLevel = options->optimization_level;
      described.lineInfo = options->line_info != 0;
      // Newer than the others.
      if (options->struct_bytes >= offsetof(pyk_rt_image_options, links))
        described.debugInfo = options->debug_info != 0;
      if (options->struct_bytes >= sizeof(pyk_rt_image_options))
        described.links.assign(options->links,
                               options->links + options->link_count);
    }
    return give(device->device->loadImage(described), module);
  });
}

pyk_rt_status *pyk_rt_artifact_manifest(const void *artifact,
                                        size_t artifact_bytes,
                                        const char **manifest,
                                        size_t *manifest_bytes) {
  return guarded([&] {
    Result<Artifact> read =
        readArtifact({static_cast<const char *>(artifact), artifact_bytes});
    if (read.ok()) {
      *manifest = read.value().manifest.data();
      *manifest_bytes = read.value().manifest.size();
    }
    return read.status();
  });
}

pyk_rt_status *pyk_rt_module_load_host(pyk_rt_device *device,
                                       const pyk_rt_host_kernel *kernels,
                                       size_t count, void *owner,
                                       void (*release_owner)(void *owner),
                                       pyk_rt_module **module) {
  return guarded([&] {
    HostImage image;
    // First of all, so that the owner is released whatever comes.
    if (release_owner)
      image.owner = std::shared_ptr<void>(owner, release_owner);
    for (size_t i = 0; i < count; ++i)
      image.kernels.push_back(
          {kernels[i].name,
           kernels[i].kernel,
           {kernels[i].parameter_bytes,
            kernels[i].parameter_bytes + kernels[i].parameter_count}});
    return give(device->device->loadHost(std::move(image)), module);
  });
}

void pyk_rt_module_release(pyk_rt_module *module) { delete module; }

pyk_rt_status *pyk_rt_module_function(pyk_rt_module *module, const char *name,
                                      pyk_rt_function **function) {
  return guarded([&] { return give(module->module->kernel(name), function); });
}

pyk_rt_status *pyk_rt_module_symbol(pyk_rt_module *module, const char *name,
                                    uint64_t *address, size_t *bytes) {
  return guarded([&] {
    Result<ModuleSymbol> symbol = module->module->symbol(name);
    if (symbol.ok()) {
      *address = symbol.value().address;
      *bytes = symbol.value().bytes;
    }
    return symbol.status();
  });
}

void pyk_rt_function_release(pyk_rt_function *function) { delete function; }

pyk_rt_status *pyk_rt_function_get_info(pyk_rt_function *function,
                                        pyk_rt_function_info *info) {
  return guarded([&] {
    if (Status status =
            checkSize("asking what a kernel needs", info->struct_bytes,
                      sizeof(pyk_rt_function_info));
        !status.ok())
      return status;
    Result<KernelInfo> found = function->kernel->info();
    if (!found.ok())
      return found.status();
    const KernelInfo &needs = found.value();
    *info = {info->struct_bytes,         needs.registersPerThread,
             needs.maxThreadsPerBlock,   needs.staticSharedBytes,
             needs.localBytesPerThread,  needs.constantBytes,
             needs.maxDynamicSharedBytes};
    return Status();
  });
}

pyk_rt_status *pyk_rt_function_set_max_dynamic_shared(pyk_rt_function *function,
                                                      int64_t bytes) {
  return guarded([&] { return function->kernel->setMaxDynamicShared(bytes); });
}

pyk_rt_status *pyk_rt_function_set_carveout(pyk_rt_function *function,
                                            int32_t percent) {
  return guarded([&] { return function->kernel->setCarveout(percent); });
}

pyk_rt_status *pyk_rt_function_set_cache(pyk_rt_function *function,
                                         int32_t preference) {
  return guarded([&] {
    if (preference < PYK_RT_CACHE_DEFAULT || preference > PYK_RT_CACHE_EQUAL)
      return invalid("setting a kernel's cache preference", "its number",
                     preference, "pass a value of pyk_rt_cache");
    return function->kernel->setCache(CachePreference(preference));
  });
}

pyk_rt_status *pyk_rt_function_active_blocks(pyk_rt_function *function,
                                             int32_t block_threads,
                                             size_t dynamic_shared_bytes,
                                             int32_t *blocks) {
  return guarded([&] {
    return set(
        function->kernel->activeBlocks(block_threads, dynamic_shared_bytes),
        blocks);
  });
}

pyk_rt_status *pyk_rt_function_best_block(pyk_rt_function *function,
                                          size_t dynamic_shared_bytes,
                                          int32_t limit, int32_t *min_grid,
                                          int32_t *block_threads) {
  return guarded([&] {
    Result<BestBlock> best =
        function->kernel->bestBlock(dynamic_shared_bytes, limit);
    if (best.ok()) {
      *min_grid = best.value().minGrid;
      *block_threads = best.value().blockThreads;
    }
    return best.status();
  });
}
