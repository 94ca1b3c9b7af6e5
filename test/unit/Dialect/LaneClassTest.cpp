// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That each op of pyk has the part among lanes that somebody decided on, not
// one that a default happens to give. The ops are those of the tests of their
// syntax.

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "pyk/Dialect/Pyk/IR/PykLanes.h"
#include "pyk/InitAll.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pyk;

/// Written by hand: what each op is to be.
static const std::pair<llvm::StringLiteral, LaneClass> kExpected[] = {
    {"active_mask", LaneClass::Collective},
    {"address", LaneClass::Memory},
    {"alloc", LaneClass::Memory},
    {"atomic", LaneClass::Memory},
    {"atomic_cas", LaneClass::Memory},
    {"ballot", LaneClass::Collective},
    {"barrier", LaneClass::Collective},
    {"block_dim", LaneClass::Uniform},
    {"block_id", LaneClass::Position},
    {"break", LaneClass::Control},
    {"breakpoint", LaneClass::Serial},
    {"call", LaneClass::Control},
    {"cast", LaneClass::Elementwise},
    {"check", LaneClass::Control},
    {"clock", LaneClass::Serial},
    {"complex.acos", LaneClass::Elementwise},
    {"complex.acosh", LaneClass::Elementwise},
    {"complex.asin", LaneClass::Elementwise},
    {"complex.asinh", LaneClass::Elementwise},
    {"complex.atan", LaneClass::Elementwise},
    {"complex.atanh", LaneClass::Elementwise},
    {"complex.cos", LaneClass::Elementwise},
    {"complex.cosh", LaneClass::Elementwise},
    {"complex.div", LaneClass::Elementwise},
    {"complex.exp", LaneClass::Elementwise},
    {"complex.log", LaneClass::Elementwise},
    {"complex.log10", LaneClass::Elementwise},
    {"complex.pow", LaneClass::Elementwise},
    {"complex.rect", LaneClass::Elementwise},
    {"complex.sin", LaneClass::Elementwise},
    {"complex.sinh", LaneClass::Elementwise},
    {"complex.sqrt", LaneClass::Elementwise},
    {"complex.tan", LaneClass::Elementwise},
    {"complex.tanh", LaneClass::Elementwise},
    {"constant_array", LaneClass::Uniform},
    {"continue", LaneClass::Control},
    {"copy_record", LaneClass::Memory},
    {"debug_value", LaneClass::Serial},
    {"device_array", LaneClass::Uniform},
    {"dim", LaneClass::Elementwise},
    {"distance", LaneClass::Serial},
    {"dot4", LaneClass::Elementwise},
    {"dynamic_shared", LaneClass::Memory},
    {"element", LaneClass::Elementwise},
    {"extend_float8", LaneClass::Elementwise},
    {"fence", LaneClass::Serial},
    {"field", LaneClass::Elementwise},
    {"float_to_int", LaneClass::Elementwise},
    {"floor_div", LaneClass::Elementwise},
    {"floor_mod", LaneClass::Elementwise},
    {"for", LaneClass::Control},
    {"foreign_call", LaneClass::Serial},
    {"from_pointer", LaneClass::Elementwise},
    {"to_pointer", LaneClass::Elementwise},
    {"func", LaneClass::Control},
    {"grid", LaneClass::Position},
    {"grid_barrier", LaneClass::Collective},
    {"grid_dim", LaneClass::Uniform},
    {"grid_group", LaneClass::Uniform},
    {"grid_size", LaneClass::Uniform},
    {"if", LaneClass::Control},
    {"lane_id", LaneClass::Position},
    {"lane_mask", LaneClass::Position},
    {"launch", LaneClass::Control},
    {"launch_shared", LaneClass::Memory},
    {"libdevice", LaneClass::Elementwise},
    {"load", LaneClass::Memory},
    {"loop", LaneClass::Control},
    {"match_all", LaneClass::Collective},
    {"match_any", LaneClass::Collective},
    {"overlaps", LaneClass::Serial},
    {"power", LaneClass::Elementwise},
    {"outside", LaneClass::Serial},
    {"outside_lanes", LaneClass::Serial},
    {"print", LaneClass::Serial},
    {"reinterpret", LaneClass::Elementwise},
    {"reshape", LaneClass::Elementwise},
    {"return", LaneClass::Control},
    {"round_to_float8", LaneClass::Elementwise},
    {"scope", LaneClass::Control},
    {"shift_left", LaneClass::Elementwise},
    {"shift_right", LaneClass::Elementwise},
    {"shuffle", LaneClass::Collective},
    {"slice_bounds", LaneClass::Elementwise},
    {"spin_hint", LaneClass::Serial},
    {"store", LaneClass::Memory},
    {"stream", LaneClass::Control},
    {"stride", LaneClass::Elementwise},
    {"thread_id", LaneClass::Position},
    {"transpose", LaneClass::Elementwise},
    {"view", LaneClass::Elementwise},
    {"vote", LaneClass::Collective},
    {"warp_barrier", LaneClass::Collective},
    {"wrap_index", LaneClass::Elementwise},
    {"yield", LaneClass::Control},
};

/// The class of each op in the files of `folder` that have a name with
/// `ending`.
static llvm::StringMap<LaneClass> getClasses(MLIRContext &context,
                                             llvm::StringRef folder,
                                             llvm::StringRef ending) {
  llvm::StringMap<LaneClass> classes;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end;
       file != end && !error; file.increment(error)) {
    if (!llvm::StringRef(file->path()).ends_with(ending))
      continue;
    auto text = llvm::MemoryBuffer::getFile(file->path());
    EXPECT_TRUE(text) << file->path();
    llvm::SmallVector<llvm::StringRef> parts;
    (*text)->getBuffer().split(parts, "// -----");
    for (llvm::StringRef part : parts) {
      auto module = parseSourceString<ModuleOp>(part, &context);
      EXPECT_TRUE(module) << file->path();
      if (module)
        module->walk([&](Operation *op) {
          classes[op->getName().getStringRef()] = getLaneClass(op);
        });
    }
  }
  EXPECT_FALSE(error) << folder.str();
  return classes;
}

TEST(LaneClassTest, EachOpIsWhatItWasDecidedToBe) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  llvm::StringMap<LaneClass> classes =
      getClasses(context, PYK_OPS_TESTS, "-ops.mlir");
  llvm::StringMap<LaneClass> expected;
  for (auto [name, value] : kExpected)
    expected[("pyk." + name).str()] = value;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "pyk")
      continue;
    llvm::StringRef op = name.getStringRef();
    ASSERT_TRUE(expected.contains(op)) << op.str() << " has no row above";
    ASSERT_TRUE(classes.contains(op)) << op.str() << " is in no -ops.mlir";
    EXPECT_EQ(stringifyLaneClass(classes[op]), stringifyLaneClass(expected[op]))
        << op.str();
    expected.erase(op);
  }
  EXPECT_TRUE(expected.empty()) << "rows of ops that there are not";
}

TEST(LaneClassTest, OpsOfOtherDialectsAreElementwiseOnlyIfSafe) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto module = parseSourceString<ModuleOp>(R"mlir(
    func.func @ops(%i: i32, %x: f32, %z: complex<f32>, %flag: i1) {
      %constant = arith.constant 1 : i32
      %quotient = arith.divsi %i, %constant : i32
      %root = math.sqrt %x : f32
      %real = complex.re %z : complex<f32>
      %thread = gpu.thread_id x
      %extent = gpu.block_dim x
      %count = gpu.num_subgroups : index
      scf.if %flag {
        scf.yield
      }
      gpu.barrier
      %other, %valid = gpu.rotate %i, 1, 32 : i32
      %first = gpu.subgroup_broadcast %i, first_active_lane : i32
      return
    })mlir",
                                            &context);
  ASSERT_TRUE(module);
  std::string found;
  module->getBody()->front().walk([&](Operation *op) {
    found += (op->getName().getStringRef() + " " +
              stringifyLaneClass(getLaneClass(op)) + "\n")
                 .str();
  });
  EXPECT_EQ(found, "arith.constant elementwise\n"
                   "arith.divsi elementwise\n"
                   "math.sqrt elementwise\n"
                   "complex.re elementwise\n"
                   "gpu.thread_id position\n"
                   "gpu.block_dim uniform\n"
                   "gpu.num_subgroups serial\n"
                   "scf.yield control\n"
                   "scf.if control\n"
                   "gpu.barrier collective\n"
                   "gpu.rotate collective\n"
                   "gpu.subgroup_broadcast collective\n"
                   "func.return control\n"
                   "func.func control\n");
}
