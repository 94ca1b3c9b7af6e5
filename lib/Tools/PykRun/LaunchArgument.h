// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a launch: made from `--arg`, compared with what the kernel
// takes, printed and saved.

#ifndef PYK_LIB_TOOLS_PYKRUN_LAUNCHARGUMENT_H
#define PYK_LIB_TOOLS_PYKRUN_LAUNCHARGUMENT_H

#include "Element.h"
#include "pyk/Compiler/Compiler.h"
#include <cstdlib>

namespace pyk::run {

/// One argument. Owns its memory.
class LaunchArgument {
public:
  /// Makes the argument that `spec`, the value of `--arg`, describes.
  static llvm::Expected<LaunchArgument> parse(llvm::StringRef spec);

  /// True if the kernel takes it where it wants `type`.
  bool matches(const ArgumentType &type) const;

  /// Its type as `spec` has it, such as `f32[3x4]`.
  std::string getTypeName() const;

  /// Orders the elements in memory as `layout` says; at first they are in C
  /// order, which is also what printing and saving expect.
  llvm::Error setLayout(Layout layout);

  /// What `CompiledKernel::launch` takes; refers to this object.
  KernelArgument get() const {
    return {memory.get(), shape.data(), strides.data()};
  }

  /// Prints type and value; of a long array the beginning and the end, unless
  /// `all`.
  void print(llvm::raw_ostream &os, bool all) const;

  /// Saves it as a .npy file.
  llvm::Error save(llvm::StringRef path) const;

private:
  struct Free {
    void operator()(char *pointer) const { std::free(pointer); }
  };
  using Memory = std::unique_ptr<char, Free>;

  /// Gets zeroed memory for the elements.
  llvm::Error allocate();
  /// Sets `strides` for elements in the order that `layout` says.
  void setStrides();
  llvm::Error parseArray(llvm::StringRef text);
  llvm::Error setShape(llvm::StringRef text);
  llvm::Error fill(llvm::StringRef how);
  llvm::Error fillRandomly(llvm::StringRef seed);
  llvm::Error fillFromList(llvm::StringRef list);
  char *getElement(size_t index) const {
    return memory.get() + index * element->bytes;
  }
  llvm::MutableArrayRef<char> getBytes() const {
    return {memory.get(), count * element->bytes};
  }
  void printFrom(llvm::raw_ostream &os, unsigned dimension, const char *first,
                 bool abbreviate) const;

  /// Null for None.
  const Element *element = nullptr;
  bool isArray = false;
  llvm::SmallVector<int64_t, 4> shape, strides;
  Layout layout = Layout::C;
  /// Number of elements.
  size_t count = 1;
  Memory memory;
};

/// `type` as `--arg` would have it.
std::string describe(const ArgumentType &type);

} // namespace pyk::run

#endif // PYK_LIB_TOOLS_PYKRUN_LAUNCHARGUMENT_H
