// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA C++ needs to run on the CPU, slowly: each thread of a block is one
// of the system, and blocks run one after the other. Shared memory is what
// functions keep, `static`, so there is one kernel at a time. All threads of a
// block have to take part in a shuffle.

#ifndef PYK_TEST_PYTHON_REPOSITORY_CUDA_THREADS_H
#define PYK_TEST_PYTHON_REPOSITORY_CUDA_THREADS_H

#include <atomic>
#include <barrier>
#include <cmath>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __shared__ static

struct Place {
  unsigned x, y, z;
};

inline thread_local Place threadIdx, blockIdx;
inline Place blockDim, gridDim;
inline std::barrier<> *barrier;

inline void __syncthreads() { barrier->arrive_and_wait(); }

template <typename T>
void atomicAdd(T *address, T value) {
  std::atomic_ref<T>(*address).fetch_add(value);
}

inline float __shfl_down_sync(unsigned, float value, unsigned distance) {
  static float values[1024];
  values[threadIdx.x] = value;
  __syncthreads();
  bool within = threadIdx.x % 32 + distance < 32;
  float found = values[threadIdx.x + (within ? distance : 0)];
  __syncthreads();
  return found;
}

/// Calls `visit` with each place of a grid or of a block.
template <typename Visitor>
void forEach(Place size, Visitor visit) {
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x)
        visit(Place{x, y, z});
}

template <typename... Arguments>
void launch(void (*kernel)(Arguments...), Place grid, Place block,
            Arguments... arguments) {
  gridDim = grid;
  blockDim = block;
  forEach(grid, [=](Place ofBlock) {
    std::barrier<> shared(block.x * block.y * block.z);
    barrier = &shared;
    std::vector<std::thread> threads;
    forEach(block, [&](Place ofThread) {
      threads.emplace_back([=] {
        blockIdx = ofBlock;
        threadIdx = ofThread;
        kernel(arguments...);
      });
    });
    for (std::thread &thread : threads)
      thread.join();
  });
}

#endif // PYK_TEST_PYTHON_REPOSITORY_CUDA_THREADS_H
