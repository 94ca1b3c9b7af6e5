// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code of a kernel depends on beside its source, each once. Made from
// it are the members of CompileOptions, the options of passes and pipelines,
// what the C interface and Python take, the command of `--reproduce` and the
// hash.

#ifndef PYK_PIPELINES_COMPILEOPTIONS_TD
#define PYK_PIPELINES_COMPILEOPTIONS_TD

include "mlir/Pass/PassBase.td"

/// What a row has beside what options of passes have.
class CompileOption<string type> {
  /// All values that there are; empty if the option takes any word.
  list<string> words = !if(!eq(type, "bool"), ["true", "false"], []);
  /// What joins words where it may have several; "|" where it has one.
  string separator = "|";
}

/// An option that counts on the way from stage py to stage pyk; `debug-info`
/// counts behind it, too.
class LoweringOption<string member, string flag, string type, string value,
                     string help>
    : Option<member, flag, type, value, help>, CompileOption<type>;

/// An option that counts at the end of stage pyk.
class LaunchOption<string member, string flag, string type, string value,
                   string help>
    : Option<member, flag, type, value, help>, CompileOption<type>;

/// An option that counts where a back end makes code.
class BackendOption<string member, string flag, string type, string value,
                    string help>
    : Option<member, flag, type, value, help>, CompileOption<type>;

def AssumeOption : LaunchOption<"assume", "assume", "std::string",
  "\"none\"",
  "What kernels take for granted of arguments, for launches to check: none, "
  "launch for all, or kinds joined by commas"> {
  let words = ["none", "launch", "scalars", "sizes", "disjoint", "aligned", "strides",
               "inside"];
  let separator = ",";
}

def BlockOption : LaunchOption<"block", "block", "std::string", "\"any\"",
  "The shape of all blocks, as 16x16x1, for vectors of the CPU and for launches "
  "to check; any if nothing is known of it">;

def CheckMemoryOption : LaunchOption<
  "checkMemory", "check-memory", "bool", "false",
  "Keep accesses of the CPU within the memory of their arrays">;

def FmaOption : LoweringOption<"fma", "fma", "bool", "true",
  "Allow a * b + c to be contracted, as CUDA does">;

def CheckBoundsOption : LoweringOption<
  "checkBounds", "check-bounds", "bool", "false",
  "Let an index that is out of bounds end the thread with an error">;

def DebugInfoOption : LoweringOption<
  "debugInfo", "debug-info", "std::string", "\"none\"",
  "What machine code for GPUs says of the program: none, its lines, or in full "
  "for debuggers its functions and variables, too"> {
  let words = ["none", "lines", "full"];
}

def ReportErrorsOption : LoweringOption<
  "reportErrors", "report-errors", "bool", "false",
  "Tell the host what is raised, and of divisions by zero">;

def ReproducibleOption : LoweringOption<
  "reproducible", "reproducible", "bool", "false",
  "Compute the same bits on all targets, or say what cannot be the same">;

def ChipOption : BackendOption<"chip", "chip", "std::string", "\"sm_80\"",
  "Compute capability; the default is the oldest that has all that kernels "
  "use">;

def CpuOption : BackendOption<"cpu", "cpu", "std::string", "\"auto\"",
  "How kernels run on the CPU: auto takes the fastest way that they allow, "
  "reference runs one thread of a block after the other, reversed does so from "
  "the last to the first, simd runs blocks as vectors wherever that can be"> {
  let words = ["auto", "reference", "reversed", "simd"];
}

def CpuLevelOption : BackendOption<"cpuLevel", "cpu-level", "std::string",
  "\"native\"",
  "The least processor that code for the CPU is for: native is this one, others "
  "are those of a level of an architecture"> {
  let words = ["native", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4",
               "armv8-a"];
}

def TileOption : BackendOption<"tile", "tile", "std::string", "\"any\"",
  "Rows and strips of the tiles that blocks run as vectors in, as 2x4, for "
  "kernels whose blocks may have such; any leaves them to the plan">;

def OptimizationOption : BackendOption<"opt", "opt", "unsigned", "3",
  "How much to optimize"> {
  let words = ["0", "1", "2", "3"];
}

#endif // PYK_PIPELINES_COMPILEOPTIONS_TD
