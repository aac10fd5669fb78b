// Functions of device code that the emulator has its own for. Exponentials, logarithms and tanh of float are inlined
// (cuset_emulator/math_inline.h). printf, malloc, free, operator new and assert are served by the runtime: output
// appears when the host synchronizes, memory comes from the device's heap, a failed assertion ends the launch
// and not the program.
#include <utility>

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

constexpr std::pair<const char*, const char*> kRedirected[] = {
    {"printf", "cuset_device_printf"},
    {"vprintf", "cuset_device_vprintf"},
    {"malloc", "cuset_device_malloc"},
    {"free", "cuset_device_free"},
    {"_Znwm", "cuset_device_malloc"},
    {"_Znam", "cuset_device_malloc"},
    {"_ZdlPv", "cuset_device_free"},
    {"_ZdaPv", "cuset_device_free"},
    {"__assert_fail", "cuset_device_assert_fail"},
};

// Sized deletes take a size that the runtime does not need.
constexpr const char* kSizedDeletes[] = {"_ZdlPvm", "_ZdaPvm"};

void redirect(Module& module, const char* from, const char* to) {
  Function* function = module.getFunction(from);
  if (function == nullptr || !function->isDeclaration()) return;
  FunctionCallee target = module.getOrInsertFunction(to, function->getFunctionType());
  function->replaceAllUsesWith(target.getCallee());
  function->eraseFromParent();
}

const char* inline_name(Intrinsic::ID called) {
  switch (called) {
    case Intrinsic::exp:
      return "cuset_inline_exp";
    case Intrinsic::exp2:
      return "cuset_inline_exp2";
    case Intrinsic::exp10:
      return "cuset_inline_exp10";
    case Intrinsic::log:
      return "cuset_inline_log";
    case Intrinsic::log2:
      return "cuset_inline_log2";
    case Intrinsic::log10:
      return "cuset_inline_log10";
    case Intrinsic::tanh:
      return "cuset_inline_tanh";
    default:
      return nullptr;
  }
}

void inline_mathematics(Module& module) {
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      auto* call = dyn_cast<IntrinsicInst>(&instruction);
      if (call == nullptr || !call->getType()->isFloatTy()) continue;
      const char* name = inline_name(call->getIntrinsicID());
      Function* target = name == nullptr ? nullptr : module.getFunction(name);
      if (target != nullptr) call->setCalledFunction(target);
    }
  }
}

}  // namespace

void redirect_library_calls(Module& module) {
  inline_mathematics(module);
  for (const auto& [from, to] : kRedirected) redirect(module, from, to);
  for (const char* name : kSizedDeletes) redirect(module, name, "cuset_device_free_sized");
}

}  // namespace cuset_pass
