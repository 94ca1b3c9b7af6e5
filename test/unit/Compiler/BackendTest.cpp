// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree of stages, and a back end that is registered from outside. It parts
// at stage gpu and has a stage of MLIR and one of text.

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "pyk/Compiler/Compiler.h"
#include "pyk/InitAll.h"
#include "pyk/runtime/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace pyk;
using llvm::StringRef;

static constexpr Stage kToy = {"toy", "MLIR of a toy", &Stage::GPU, "mlir"};
static constexpr Stage kToyText = {"toytext", "text of a toy", &kToy, "txt"};

namespace {

struct NameModulePass
    : mlir::PassWrapper<NameModulePass, mlir::OperationPass<mlir::ModuleOp>> {
  void runOnOperation() override { getOperation().setSymName("toy"); }
};

class ToyBackend : public TargetBackend {
public:
  StringRef getName() const override { return "toy"; }
  llvm::ArrayRef<const Stage *> getStages() const override {
    static const Stage *const stages[] = {&kToy, &kToyText};
    return stages;
  }
  llvm::SmallVector<const Stage *>
  getInputs(const CompileOptions &options) const override {
    return {&kToy};
  }
  StringRef getFormat() const override { return "word"; }
  bool launchesOnHost() const override { return false; }

  void buildPipeline(const Stage &stage, mlir::OpPassManager &pm,
                     const CompileOptions &options) const override {
    EXPECT_EQ(&stage, &kToy);
    pm.addPass(std::make_unique<NameModulePass>());
  }

  std::string getReproduceFlag(const CompileOptions &options,
                               const Stage &input) const override {
    return "--toy-print";
  }

  llvm::Expected<std::string>
  print(const Stage &stage, LoweredModule module,
        const CompileOptions &options) const override {
    EXPECT_EQ(&stage, &kToyText);
    EXPECT_FALSE(module.llvmModule);
    return (module.module->getSymName()->str() + " of " +
            module.kernels.front());
  }

  llvm::Expected<DeviceCode>
  emit(LoweredModule module, const CompileOptions &options) const override {
    if (options.chip == "broken")
      return llvm::createStringError("the toy is broken");
    DeviceCode code;
    code.bytes = "play " + module.kernels.front();
    code.properties["pieces"] = 3;
    return code;
  }
};

class BackendTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    registerAllBackends();
    registerBackend(std::make_unique<ToyBackend>());
  }

  static std::unique_ptr<CompiledModule> compile(const CompileOptions &options,
                                                 RenderedError &error) {
    return pyk::compile("pyk.func @store(%a: !pyk.array<?xf32, c>, %x: f32) "
                        "attributes {kernel} {\n"
                        "  %i = pyk.grid x : i64\n"
                        "  pyk.store %x, %a[%i] : !pyk.array<?xf32, c>\n"
                        "  pyk.return\n"
                        "}\n",
                        "store.mlir", options, error);
  }

  static std::unique_ptr<CompiledModule>
  compile(const CompileOptions &options) {
    RenderedError error;
    auto kernel = compile(options, error);
    EXPECT_TRUE(kernel) << error.text;
    return kernel;
  }
};

} // namespace

static std::vector<StringRef> namesOf(llvm::ArrayRef<const Stage *> stages) {
  std::vector<StringRef> names;
  for (const Stage *stage : stages)
    names.push_back(stage->name);
  return names;
}

TEST_F(BackendTest, StagesAreATree) {
  EXPECT_TRUE(Stage::GPU.isAncestor(Stage::GPU));
  EXPECT_FALSE(Stage::GPU.isProperAncestor(Stage::GPU));
  EXPECT_TRUE(Stage::Py.isProperAncestor(kToyText));
  EXPECT_TRUE(Stage::GPU.isAncestor(Stage::NVVM));
  EXPECT_FALSE(Stage::NVVM.isAncestor(Stage::GPU));
  EXPECT_FALSE(Stage::NVVM.isAncestor(kToy));
  EXPECT_FALSE(kToy.isAncestor(Stage::NVVM));
  EXPECT_EQ(namesOf(kToyText.getPath()),
            (std::vector<StringRef>{"py", "pyk", "gpu", "toy", "toytext"}));
  auto reference = findStage("reference");
  ASSERT_TRUE(bool(reference));
  EXPECT_EQ(namesOf((*reference)->getPath()),
            (std::vector<StringRef>{"py", "pyk", "gpu", "checked", "threads",
                                    "reference"}));
}

TEST_F(BackendTest, RegistryKnowsStagesAndTargets) {
  EXPECT_EQ(namesOf(getStages()),
            (std::vector<StringRef>{"py", "pyk", "gpu", "nvvm", "llvm", "ptx",
                                    "checked", "simd", "host", "threads",
                                    "reference", "toy", "toytext"}));
  EXPECT_EQ(getTargets(), (std::vector<StringRef>{"cpu", "cuda", "toy"}));
  EXPECT_EQ(getOwner(Stage::LLVM), nullptr);
  EXPECT_EQ(getOwner(kToyText)->getName(), "toy");
  EXPECT_EQ(getOwner(**findStage("ptx"))->getName(), "cuda");
}

TEST_F(BackendTest, UnknownNamesAreToldTheKnownOnes) {
  auto backend = findBackend("tpu");
  ASSERT_FALSE(bool(backend));
  EXPECT_EQ(llvm::toString(backend.takeError()),
            "expects a target of cpu, cuda or toy but got 'tpu'");
  auto stage = findStage("sass");
  ASSERT_FALSE(bool(stage));
  EXPECT_EQ(llvm::toString(stage.takeError()),
            "expects a stage of py, pyk, gpu, nvvm, llvm, ptx, checked, simd, "
            "host, threads, reference, toy or toytext but got 'sass'");
  CompileOptions options;
  options.target = "tpu";
  RenderedError error;
  EXPECT_FALSE(compile(options, error));
  EXPECT_EQ(error.text,
            "error: expects a target of cpu, cuda or toy but got 'tpu'");
}

// Which of two would be meant, nobody could say.
TEST_F(BackendTest, NamesAreTakenOnce) {
  class OtherBackend : public ToyBackend {
  public:
    StringRef getName() const override { return "other"; }
  };
  EXPECT_DEATH(registerBackend(std::make_unique<ToyBackend>()),
               "expects a back end with a name of its own but got 'toy' again");
  EXPECT_DEATH(
      registerBackend(std::make_unique<OtherBackend>()),
      "expects stages with names of their own but back end 'other' has "
      "'toy' again");
}

TEST_F(BackendTest, OneFromOutsideIsCompiledFor) {
  CompileOptions options;
  options.target = "toy";
  auto kernel = compile(options);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->getCode(), "play store");
  EXPECT_EQ(kernel->getTarget()->getName(), "toy");
  EXPECT_EQ(kernel->getKernel().getHostEntry(), nullptr);
  EXPECT_EQ(llvm::join(kernel->getReproduceFlags(), " "),
            "--pyk-lower-to-gpu --pyk-lower-to-toy --toy-print");
  auto manifest = llvm::json::parse(kernel->getManifest());
  ASSERT_TRUE(bool(manifest));
  EXPECT_EQ(manifest->getAsObject()->getString("target"), "toy");
  EXPECT_EQ(manifest->getAsObject()->getInteger("pieces"), 3);
  const llvm::json::Array *kernels =
      manifest->getAsObject()->getArray("kernels");
  ASSERT_TRUE(kernels && kernels->size() == 1);
  EXPECT_EQ(kernels->front().getAsObject()->getInteger("arguments"), 2);
}

TEST_F(BackendTest, ItsErrorsAreTheCompilers) {
  CompileOptions options;
  options.target = "toy";
  options.chip = "broken";
  RenderedError error;
  EXPECT_FALSE(compile(options, error));
  EXPECT_NE(error.text.find("the toy is broken"), std::string::npos)
      << error.text;
}

TEST_F(BackendTest, TextOfAnotherBackendThanTheTargets) {
  CompileOptions options;
  options.target = "cpu";
  options.emit = &kToyText;
  auto kernel = compile(options);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->getEmitted(), "toy of store");
  EXPECT_NE(kernel->getKernel().getHostEntry(), nullptr);
  // The way to the text is not the target's.
  EXPECT_EQ(llvm::join(kernel->getReproduceFlags(), " "),
            "--pyk-lower-to-gpu --pyk-lower-to-checked "
            "--pyk-lower-to-threads");
  options.target = "toy";
  options.emit = &Stage::LLVM;
  kernel = compile(options);
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(kernel->getEmitted().contains("define ptx_kernel void @store"));
  EXPECT_EQ(kernel->getCode(), "play store");
}

TEST_F(BackendTest, WithoutTargetOnlyTextsAreMade) {
  CompileOptions options;
  options.target = "";
  options.emit = &kToy;
  auto kernel = compile(options);
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(kernel->getEmitted().contains("module @toy"));
  EXPECT_EQ(kernel->getTarget(), nullptr);
  EXPECT_EQ(kernel->getKernel().getHostEntry(), nullptr);
  EXPECT_EQ(kernel->getCode(), "");
  EXPECT_EQ(kernel->getManifest(), "");
  EXPECT_FALSE(kernel->getTimes().contains("nvvm"));
  runtime::Status status = kernel->getKernel().launch({}, {});
  EXPECT_EQ(status.message(),
            "launching 'store' on the CPU: it was compiled for no target; "
            "compile it for the CPU");
}

TEST_F(BackendTest, CodeForOtherProcessors) {
  // One of the levels is of another architecture than this machine.
  unsigned foreign = 0;
  for (StringRef level : {"x86-64", "armv8-a"}) {
    CompileOptions options;
    ASSERT_FALSE(bool(setCompileOption(options, "cpu-level", level)));
    auto kernel = compile(options);
    ASSERT_TRUE(kernel);
    EXPECT_TRUE(kernel->getManifest().contains("\"local_bytes\":0"));
    EXPECT_FALSE(kernel->getCode().empty());
    if (kernel->getKernel().getHostEntry())
      continue;
    ++foreign;
    EXPECT_EQ(kernel->getKernel().launch({}, {}).message(),
              "launching 'store' on the CPU: it was compiled for other "
              "processors than this one; compile it without option cpu-level");
    auto device =
        runtime::Registry::ofProcess().device(runtime::Backend::Cpu, 0);
    ASSERT_TRUE(device.ok());
    runtime::DeviceImage image;
    image.name = "store";
    image.code = kernel->getCode();
    EXPECT_EQ(device.value()->loadImage(image).status().code(),
              runtime::StatusCode::Unsupported);
  }
  EXPECT_EQ(foreign, 1u);
}

TEST_F(BackendTest, FilesOfAllStagesAreNumbered) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("pyk-stages", folder));
  CompileOptions options;
  options.target = "toy";
  options.dumpStages = folder.str();
  ASSERT_TRUE(compile(options));
  std::vector<std::string> names;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator file(folder, code), end;
       !code && file != end; file.increment(code))
    names.push_back(llvm::sys::path::filename(file->path()).str());
  llvm::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "10-threads.mlir", "11-reference.ll", "12-toy.mlir",
                       "13-toytext.txt", "2-pyk.mlir", "3-gpu.mlir",
                       "4-nvvm.mlir", "5-llvm.ll", "6-ptx.ptx",
                       "7-checked.mlir", "8-simd.mlir", "9-host.mlir"}));
  EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
}
