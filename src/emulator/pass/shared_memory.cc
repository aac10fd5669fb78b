// Shared variables become offsets into the memory of the running block, whose start the worker's context
// holds. A variable lies behind all others of the kernels that use it, so that kernels without common variables share
// offsets, and a block has little more memory than its kernel uses; `extern __shared__` arrays begin where the kernel's
// variables end.
#include <algorithm>
#include <map>
#include <set>

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/Alignment.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Replaces every use inside functions by an address computed at the start of that function.
void replace_uses(GlobalVariable& variable, function_ref<Value*(IRBuilder<>&)> address) {
  convertUsersOfConstantsToInstructions({&variable});
  std::map<Function*, Value*> known;
  std::vector<Use*> uses;
  for (Use& use : variable.uses()) {
    if (isa<Instruction>(use.getUser())) uses.push_back(&use);
  }
  for (Use* use : uses) {
    Function* function = cast<Instruction>(use->getUser())->getFunction();
    Value*& value = known[function];
    if (value == nullptr) {
      IRBuilder<> builder(&*function->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      value = address(builder);
    }
    use->set(value);
  }
}

Value* shared_base(IRBuilder<>& builder, Module& module) {
  return builder.CreateLoad(builder.getPtrTy(), context_field(builder, module, context::kShared), "shared");
}

void place(Module& module, GlobalVariable& variable, uint32_t offset) {
  replace_uses(variable, [&](IRBuilder<>& builder) {
    return builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), shared_base(builder, module), offset);
  });
}

void place_dynamic(Module& module, GlobalVariable& variable) {
  replace_uses(variable, [&](IRBuilder<>& builder) {
    Value* base = shared_base(builder, module);
    Value* field = context_field(builder, module, context::kDynamicSharedOffset);
    return builder.CreateGEP(builder.getInt8Ty(), base, builder.CreateLoad(builder.getInt32Ty(), field));
  });
}

bool is_used_in(GlobalVariable& variable, const std::set<Function*>& functions) {
  for (User* user : variable.users()) {
    auto* instruction = dyn_cast<Instruction>(user);
    if (instruction != nullptr && functions.count(instruction->getFunction()) != 0) return true;
  }
  return false;
}

Align alignment_of(const GlobalVariable& variable) {
  const DataLayout& layout = variable.getParent()->getDataLayout();
  return std::max(variable.getAlign().valueOrOne(), layout.getPrefTypeAlign(variable.getValueType()));
}

uint64_t bytes_of(const GlobalVariable& variable) {
  return variable.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType());
}

using Users = std::map<GlobalVariable*, std::vector<size_t>>;  // variable -> numbers of kernels

Users find_users(const std::vector<GlobalVariable*>& shared, std::vector<Kernel>& kernels) {
  Users users;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const std::set<Function*> functions = reachable_from(*kernels[i].function);
    uint64_t end = 0;
    for (GlobalVariable* variable : shared) {
      if (!is_used_in(*variable, functions)) continue;
      users[variable].push_back(i);
      end = alignTo(end, alignment_of(*variable)) + bytes_of(*variable);
    }
    kernels[i].static_shared_bytes = static_cast<uint32_t>(end);
  }
  return users;
}

void place_variables(Module& module, const std::vector<GlobalVariable*>& shared, const Users& users,
                     std::vector<Kernel>& kernels) {
  std::vector<uint64_t> ends(kernels.size(), 0);
  for (GlobalVariable* variable : shared) {
    const auto known = users.find(variable);
    uint64_t offset = 0;
    if (known != users.end())
      for (const size_t kernel : known->second) offset = std::max(offset, ends[kernel]);
    offset = alignTo(offset, alignment_of(*variable));
    if (known != users.end())
      for (const size_t kernel : known->second) ends[kernel] = offset + bytes_of(*variable);
    place(module, *variable, static_cast<uint32_t>(offset));
    if (variable->use_empty()) variable->eraseFromParent();
  }
  for (size_t i = 0; i < kernels.size(); ++i)
    kernels[i].dynamic_shared_start = static_cast<uint32_t>(alignTo(ends[i], Align(16)));
}

// More than any GPU gives to variables of fixed size; the words are ptxas's.
void refuse_too_much(Module& module, const Kernel& kernel) {
  constexpr uint32_t kMost = 48 << 10;
  if (kernel.static_shared_bytes <= kMost) return;
  module.getContext().emitError("ptxas: Entry function '" + kernel.name + "' uses too much shared data (0x" +
                                utohexstr(kernel.static_shared_bytes, true) + " bytes, 0x" +
                                utohexstr(kMost, true) + " max)");
}

}  // namespace

void place_shared_memory(Module& module, const std::vector<GlobalVariable*>& shared,
                         std::vector<Kernel>& kernels) {
  std::vector<GlobalVariable*> defined;
  for (GlobalVariable* variable : shared) {
    if (variable->isDeclaration()) continue;
    convertUsersOfConstantsToInstructions({variable});
    defined.push_back(variable);
  }
  const Users users = find_users(defined, kernels);
  for (const Kernel& kernel : kernels) refuse_too_much(module, kernel);
  place_variables(module, defined, users, kernels);
  std::vector<GlobalVariable*> dynamic;
  for (GlobalVariable& variable : module.globals()) {
    if (is_dynamic_shared_array(variable)) dynamic.push_back(&variable);
  }
  for (GlobalVariable* variable : dynamic) place_dynamic(module, *variable);
}

}  // namespace cuset_pass
