// The compiler pass of the CPU executor, a plugin of clang (-fpass-plugin). It turns the device side of a
// CUDA program, compiled for the CPU, into functions that the emulator's runtime can run: see the steps in
// steps.h. The same plugin serves the host side (host_module.cc).
#include "cuset_emulator/abi.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

bool is_device_module(const Module& module) {
  return module.getNamedGlobal("cuset_device_module") != nullptr;
}

void prepare_device_module(Module& module) {
  Annotations found = take_annotations(module);
  std::vector<Kernel> kernels;
  for (Function* function : found.kernels) {
    if (function->isDeclaration()) continue;
    kernels.push_back({.function = function, .name = function->getName().str()});
    kernels.back().most_threads = found.launch_bounds[function];
    kernels.back().cluster = found.clusters[function];
  }
  const bool checked = is_checked(module);
  write_kernel_files(module, kernels);
  redirect_library_calls(module);
  refuse_foreign_functions(module);
  translate_inline_assembly(module);
  limit_alignment(module);
  adopt_gpu_arithmetic(module);
  yield_in_spin_loops(module);
  if (!checked) keep_lanes_in_step(module, found.shared, kernels);
  if (checked) preempt_at_atomics(kernels);
  if (checked) add_checks(module);
  place_shared_memory(module, found.shared, kernels);
  order_atomics(module, kernels);
  make_entries(module, kernels);
  if (checked) {
    for (Kernel& kernel : kernels) kernel.flags |= CUSET_KERNEL_CHECKED;
  }
  emit_tables(module, kernels, found.managed);
}

// Variables in memory become values. Checked programs keep structs whole: split ones would read their
// padding.
struct Simplify : PassInfoMixin<Simplify> {
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    if (is_checked(*function.getParent())) return PromotePass().run(function, analyses);
    return SROAPass(SROAOptions::PreserveCFG).run(function, analyses);
  }
  static bool isRequired() { return true; }
};

// In checked programs all device functions are inlined where possible: then more addresses are known to
// belong to a variable, and can be held to its bounds.
struct InlineChecked : PassInfoMixin<InlineChecked> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    if (!is_device_module(module) || !is_checked(module)) return PreservedAnalyses::all();
    for (Function& function : module) {
      if (function.isDeclaration()) continue;
      function.removeFnAttr(Attribute::NoInline);
      function.addFnAttr(Attribute::AlwaysInline);
    }
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct PrepareModule : PassInfoMixin<PrepareModule> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    refuse_what_no_answer_needs(module, !is_device_module(module));
    if (is_device_module(module)) {
      prepare_device_module(module);
    } else {
      own_inline_functions(module);
      prepare_host_module(module);
    }
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct MakeLateEntries : PassInfoMixin<MakeLateEntries> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    if (!is_device_module(module)) return PreservedAnalyses::all();
    make_thread_loops(module, !is_checked(module));
    make_coroutines(module);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

// What the vectorizer wants of loops over threads: variables of the block as values, what is the same for all threads before
// the loops. Pairs such as float2 come as LLVM vectors out of inlined functions, which would keep the loops from being
// vectorized themselves.
struct TidyThreadLoops : PassInfoMixin<TidyThreadLoops> {
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    if (!function.getName().ends_with(kLoopSuffix)) return PreservedAnalyses::all();
    FunctionPassManager passes;
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    ScalarizerPassOptions options;
    options.ScalarizeLoadStore = true;
    passes.addPass(ScalarizerPass(options));
    passes.addPass(EarlyCSEPass(true));
    passes.addPass(SimplifyCFGPass());
    passes.addPass(InstCombinePass());
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
    return passes.run(function, analyses);
  }
  static bool isRequired() { return true; }
};

struct MakeResumeLoops : PassInfoMixin<MakeResumeLoops> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    if (!is_device_module(module)) return PreservedAnalyses::all();
    make_resume_loops(module);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct CountHostWork : PassInfoMixin<CountHostWork> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    if (is_device_module(module)) return PreservedAnalyses::all();
    count_host_work(module);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

// What is computed again behind a suspension instead of kept. LLVM's own choice repeats whole chains of
// arithmetic, whose operands then have to be kept instead.
bool is_cheap_to_repeat(Instruction& instruction) {
  const auto* address = dyn_cast<GetElementPtrInst>(&instruction);
  return address != nullptr && address->hasAllConstantIndices();
}

void add_steps(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(InlineChecked());
    passes.addPass(AlwaysInlinerPass());
    passes.addPass(createModuleToFunctionPassAdaptor(Simplify()));
    passes.addPass(PrepareModule());
  });
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(MakeLateEntries());
    // Coroutines are split now and not with clang's own: before, the optimizer would move work across
    // suspensions, where its operands have to be kept.
    passes.addPass(CoroEarlyPass());
    passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(CoroSplitPass(is_cheap_to_repeat, true)));
    passes.addPass(MakeResumeLoops());
    passes.addPass(CoroCleanupPass());
    FunctionPassManager tidy;
    tidy.addPass(TidyThreadLoops());
    tidy.addPass(SimplifyCFGPass());
    tidy.addPass(EarlyCSEPass(true));
    tidy.addPass(SimplifyCFGPass());
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(tidy)));
  });
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(CountHostWork()); });
}

}  // namespace
}  // namespace cuset_pass

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "cuset", "1", cuset_pass::add_steps};
}
