// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches within launches are a tree. What a block launches on one stream is a
// chain: each runs when the one before has ended, with its subtree. All that
// need not wait runs together, so that many small grids keep all OS threads
// busy; between such waves one thread looks at what they have launched. Nothing
// calls itself, however deep the tree is.

#include "ChildLaunches.h"

#include "BlockScheduler.h"
#include "Launch.h"

#include <algorithm>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

// Compiled code looks these up by name.
#pragma GCC visibility push(default)
extern "C" void pyk_rt_launch(pyk_rt_block *block, const pyk_rt_kernel *kernel,
                              int64_t grid_x, int64_t grid_y, int64_t grid_z,
                              int64_t block_x, int64_t block_y, int64_t block_z,
                              int64_t stream, int64_t dynamic_shared_bytes,
                              void *const *arguments);
extern "C" int64_t pyk_rt_new_stream(pyk_rt_block *block);
#pragma GCC visibility pop

using namespace pyk::runtime;

ChildLaunch::ChildLaunch(const pyk_rt_kernel &kernel, const LaunchShape &shape,
                         void *const *arguments, uint64_t block, int64_t stream)
    : kernel(&kernel), shape(shape), block(block), stream(stream) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < kernel.parameter_count; ++i)
    bytes += kernel.parameter_bytes[i];
  values.reserve(bytes);
  addresses.reserve(kernel.parameter_count);
  for (uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const char *value = static_cast<const char *>(arguments[i]);
    addresses.push_back(values.data() + values.size());
    values.insert(values.end(), value, value + kernel.parameter_bytes[i]);
  }
}

std::vector<ChildLaunch> ChildLaunches::take() {
  // By the block, and of one block as they came.
  std::vector<std::pair<uint64_t, size_t>> order;
  order.reserve(children.size());
  for (size_t i = 0; i < children.size(); ++i)
    order.emplace_back(children[i].getBlock(), i);
  std::sort(order.begin(), order.end());
  std::vector<ChildLaunch> taken;
  taken.reserve(order.size());
  for (auto [block, position] : order)
    taken.push_back(std::move(children[position]));
  children.clear();
  return taken;
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

namespace {

struct Node {
  Node(ChildLaunch request, Node *parent)
      : request(std::move(request)), parent(parent),
        depth(parent ? parent->depth + 1 : 1) {}

  ChildLaunch request;
  /// Null if the root has launched it.
  Node *parent;
  int64_t depth;
  /// What waits for its end; null if nothing does.
  Node *next = nullptr;
  /// Chains below it that have not ended.
  size_t chains = 0;
  /// Where it is in the list of all.
  std::list<Node>::iterator place;
};

class LaunchTree {
public:
  explicit LaunchTree(Launch &root) : root(root) {}

  Status run();

private:
  void expand(std::vector<ChildLaunch> requests, Node *parent);
  void end(Node *node);
  Status runReady();

  Launch &root;
  /// All that have not ended.
  std::list<Node> nodes;
  /// Those that wait for nothing.
  std::vector<Node *> ready;
};

} // namespace

/// Adds what `parent` has launched.
void LaunchTree::expand(std::vector<ChildLaunch> requests, Node *parent) {
  // The last of each stream; the requests of a block follow each other.
  std::unordered_map<int64_t, Node *> ends;
  uint64_t block = 0;
  for (ChildLaunch &request : requests) {
    Node &node = nodes.emplace_back(std::move(request), parent);
    node.place = std::prev(nodes.end());
    if (node.request.getBlock() != block)
      ends.clear();
    block = node.request.getBlock();
    Node *&end = ends[node.request.getStream()];
    Node *before = end;
    end = &node;
    if (before) {
      before->next = &node;
      continue;
    }
    ready.push_back(&node);
    if (parent)
      ++parent->chains;
  }
}

/// `node` has ended, with its subtree.
void LaunchTree::end(Node *node) {
  while (node) {
    Node *parent = node->parent;
    Node *next = node->next;
    nodes.erase(node->place);
    if (next) {
      ready.push_back(next);
      return;
    }
    if (!parent || --parent->chains != 0)
      return;
    node = parent;
  }
}

Status LaunchTree::runReady() {
  std::vector<Node *> wave;
  std::swap(wave, ready);
  std::list<Launch> launches;
  std::vector<Launch *> together;
  for (Node *node : wave) {
    Launch &launch = launches.emplace_back();
    launch.stop = root.stop;
    launch.children.follow(root.children, node->depth);
    launch.children.begin();
    if (Status status =
            prepareLaunch(launch, "launching a kernel from a kernel",
                          node->request.getKernel(), node->request.getShape(),
                          node->request.getArguments());
        !status.ok())
      return status;
    together.push_back(&launch);
  }
  if (Status status = runTogether(together.data(), together.size());
      !status.ok())
    return status;
  Status failure;
  for (Launch *launch : together)
    if (Status status = launch->finish(); failure.ok() && !status.ok())
      failure = status;
  if (!failure.ok())
    return failure;
  for (size_t i = 0; i < wave.size(); ++i)
    if (together[i]->children.empty())
      end(wave[i]);
    else
      expand(together[i]->children.take(), wave[i]);
  return Status();
}

Status LaunchTree::run() {
  expand(root.children.take(), nullptr);
  while (!ready.empty()) {
    if (Status status = runReady(); !status.ok())
      return status;
    // Each of them may be too short to ask.
    root.pollInterrupt();
    // What it has printed is out: this tells only why it ends.
    if (root.isToEnd())
      return root.finish();
  }
  return Status();
}

Status pyk::runtime::runChildren(Launch &root) {
  return LaunchTree(root).run();
}

//===----------------------------------------------------------------------===//
// What threads call
//===----------------------------------------------------------------------===//

static std::string describeLaunch(const Launch &launch,
                                  const pyk_rt_kernel &kernel) {
  return std::string("launching kernel '") + kernel.name + "' from kernel '" +
         launch.kernel->name + "'";
}

/// Why `launch` cannot launch one more grid of `kernel`, if so. One that it can
/// is counted.
static Status checkChild(Launch &launch, const pyk_rt_kernel &kernel,
                         const LaunchShape &shape) {
  if (Status status = checkCpuLaunch(launchingOnCpu, kernel, shape);
      !status.ok())
    // Only failures pay for their words.
    return checkCpuLaunch(describeLaunch(launch, kernel), kernel, shape);
  int64_t depth = launch.children.getDepth();
  if (depth > LaunchLimits::nestedLaunches)
    return Status::failure(
        StatusCode::LaunchFailed, describeLaunch(launch, kernel),
        "the grid would be " + std::to_string(depth) +
            " levels deep, and CUDA lets them be " +
            std::to_string(LaunchLimits::nestedLaunches) +
            " (cudaErrorLaunchMaxDepthExceeded)",
        "let kernels that launch themselves count their depth, and end");
  if (!launch.children.reserve())
    return Status::failure(
        StatusCode::LaunchFailed, describeLaunch(launch, kernel),
        std::to_string(LaunchLimits::waitingLaunches) +
            " grids wait to begin, and CUDA lets no more wait "
            "(cudaErrorLaunchPendingCountExceeded)",
        "launch fewer and larger grids");
  return Status();
}

void BlockScheduler::launchChild(OpenBlock &block, const pyk_rt_kernel &kernel,
                                 const LaunchShape &shape,
                                 void *const *arguments, int64_t stream) {
  // Memory is allocated, and a list locked.
  block.scheduler->leaveKernel();
  Launch &launch = *block.launch;
  if (Status status = checkChild(launch, kernel, shape); status.ok())
    launch.children.add(ChildLaunch(kernel, shape, arguments,
                                    launch.getNumber(block.abi.block_id),
                                    stream));
  else
    launch.fail(std::move(status));
  block.scheduler->enterKernel();
}

int64_t BlockScheduler::makeStream(OpenBlock &block) {
  block.scheduler->leaveKernel();
  int64_t stream = block.launch->children.makeStream();
  block.scheduler->enterKernel();
  return stream;
}

void pyk_rt_launch(pyk_rt_block *block, const pyk_rt_kernel *kernel,
                   int64_t grid_x, int64_t grid_y, int64_t grid_z,
                   int64_t block_x, int64_t block_y, int64_t block_z,
                   int64_t stream, int64_t dynamic_shared_bytes,
                   void *const *arguments) {
  LaunchShape shape;
  shape.grid[0] = grid_x;
  shape.grid[1] = grid_y;
  shape.grid[2] = grid_z;
  shape.block[0] = block_x;
  shape.block[1] = block_y;
  shape.block[2] = block_z;
  shape.dynamicSharedBytes = dynamic_shared_bytes;
  BlockScheduler::launchChild(*reinterpret_cast<OpenBlock *>(block), *kernel,
                              shape, arguments, stream);
}

int64_t pyk_rt_new_stream(pyk_rt_block *block) {
  return BlockScheduler::makeStream(*reinterpret_cast<OpenBlock *>(block));
}
