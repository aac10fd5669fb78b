// The host side of a program. Stubs of kernels hand their arguments over one by one (cudaSetupArgument with a
// constant size); the sizes are registered, so that cudaLaunchKernel can copy arguments it gets as bare
// addresses. Managed variables are one object for both sides: the host's own copy becomes a reference to the
// device's.
#include <map>

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

using Sizes =
    std::map<Function*, std::vector<std::pair<uint64_t, uint32_t>>>;  // (offset, size) of each argument

Sizes argument_sizes(Module& module) {
  Sizes sizes;
  for (Function& function : module) {
    if (function.getName().contains("__device_stub__")) sizes[&function];
  }
  Function* setup = module.getFunction("cudaSetupArgument");
  if (setup == nullptr) return sizes;
  for (User* user : setup->users()) {
    auto* call = dyn_cast<CallBase>(user);
    if (call == nullptr || call->getCalledFunction() != setup) continue;
    auto* size = dyn_cast<ConstantInt>(call->getArgOperand(1));
    auto* offset = dyn_cast<ConstantInt>(call->getArgOperand(2));
    auto stub = sizes.find(call->getFunction());
    if (size == nullptr || offset == nullptr || stub == sizes.end()) continue;
    stub->second.push_back({offset->getZExtValue(), static_cast<uint32_t>(size->getZExtValue())});
  }
  return sizes;
}

Constant* size_table(Module& module, std::vector<std::pair<uint64_t, uint32_t>> arguments) {
  std::sort(arguments.begin(), arguments.end());
  std::vector<uint32_t> sizes;
  for (const auto& [offset, size] : arguments) sizes.push_back(size);
  Constant* table = ConstantDataArray::get(module.getContext(), sizes);
  return new GlobalVariable(module, table->getType(), true, GlobalValue::PrivateLinkage, table,
                            "cuset.sizes");
}

void register_arguments(Module& module) {
  LLVMContext& llvm_context = module.getContext();
  const Sizes stubs = argument_sizes(module);
  if (stubs.empty()) return;
  auto* start = Function::Create(FunctionType::get(Type::getVoidTy(llvm_context), false),
                                 GlobalValue::InternalLinkage, "cuset.register_arguments", module);
  IRBuilder<> builder(BasicBlock::Create(llvm_context, "", start));
  FunctionCallee target = runtime_function(module, "cuset_register_arguments", builder.getVoidTy(),
                                           {builder.getPtrTy(), builder.getInt32Ty(), builder.getPtrTy()});
  for (const auto& [stub, arguments] : stubs) {
    if (stub->isDeclaration()) continue;
    builder.CreateCall(target, {stub, builder.getInt32(static_cast<uint32_t>(arguments.size())),
                                size_table(module, arguments)});
  }
  builder.CreateRetVoid();
  appendToGlobalCtors(module, start, 1001);
}

void share_managed_variables(Module& module) {
  for (GlobalVariable* variable : take_annotations(module).managed) {
    variable->setInitializer(nullptr);
    variable->setLinkage(GlobalValue::ExternalLinkage);
    variable->setDSOLocal(false);
    variable->setName("cuset_managed." + variable->getName());
  }
}

}  // namespace

void prepare_host_module(Module& module) {
  share_managed_variables(module);
  register_arguments(module);
}

}  // namespace cuset_pass
