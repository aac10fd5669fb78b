// Device code's printf, malloc, free, operator new and assert are served by the emulator's runtime: output
// appears when the host synchronizes, memory comes from the device's heap, a failed assertion ends the launch
// and not the program.
#include <utility>

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

}  // namespace

void redirect_library_calls(Module& module) {
  for (const auto& [from, to] : kRedirected) redirect(module, from, to);
  for (const char* name : kSizedDeletes) redirect(module, name, "cuset_device_free_sized");
}

}  // namespace cuset_pass
