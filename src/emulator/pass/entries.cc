// How the runtime enters a kernel: a function that takes one thread of it from start to end, with the
// arguments loaded from slots of 8 bytes (abi.h). A kernel that never waits is entered there; of one that
// waits, coroutines.cc makes a coroutine when the optimizer has simplified it. For this, device functions
// that wait are inlined into their kernels; where that cannot be (recursion, calls through pointers), waiting
// ends the program as `unsupported`.
#include <map>
#include <set>

#include "cuset_emulator/abi.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

std::vector<CallBase*> calls_of(Function& function) {
  std::vector<CallBase*> calls;
  for (Instruction& instruction : instructions(function)) {
    if (auto* call = dyn_cast<CallBase>(&instruction)) calls.push_back(call);
  }
  return calls;
}

// Functions that wait, directly or through others.
std::set<Function*> waiting_functions(Module& module) {
  std::set<Function*> waiting;
  if (Function* suspend = module.getFunction(kSuspendName)) waiting.insert(suspend);
  for (bool grew = true; grew;) {
    grew = false;
    for (Function& function : module) {
      if (waiting.count(&function) != 0) continue;
      for (CallBase* call : calls_of(function)) {
        if (waiting.count(call->getCalledFunction()) == 0) continue;
        waiting.insert(&function);
        grew = true;
        break;
      }
    }
  }
  return waiting;
}

bool calls_itself(Function& function, const std::set<Function*>& waiting) {
  std::set<Function*> seen;
  std::vector<Function*> open{&function};
  while (!open.empty()) {
    Function* next = open.back();
    open.pop_back();
    for (CallBase* call : calls_of(*next)) {
      Function* callee = call->getCalledFunction();
      if (callee == &function) return true;
      if (callee != nullptr && waiting.count(callee) != 0 && seen.insert(callee).second)
        open.push_back(callee);
    }
  }
  return false;
}

void end_as_unsupported(CallBase& call, const char* construct) {
  Module& module = *call.getModule();
  IRBuilder<> builder(&call);
  FunctionCallee unsupported =
      runtime_function(module, "cuset_unsupported", builder.getVoidTy(), {builder.getPtrTy()});
  builder.CreateCall(unsupported, {string_constant(module, construct)});
  call.eraseFromParent();
}

// Inlines waiting functions into `kernel` until only its own calls of cuset_suspend are left.
void inline_waiting_calls(Function& kernel, const std::set<Function*>& waiting,
                          const std::set<Function*>& recursive) {
  for (bool again = true; again;) {
    again = false;
    for (CallBase* call : calls_of(kernel)) {
      Function* callee = call->getCalledFunction();
      if (callee == nullptr || callee->isDeclaration() || waiting.count(callee) == 0 ||
          recursive.count(callee) != 0)
        continue;
      InlineFunctionInfo info;
      if (InlineFunction(*call, info).isSuccess()) again = true;
    }
  }
}

bool suspends(Function& function) { return any_of(instructions(function), is_suspension); }

// void (ptr slots, ...) with the kernel's arguments loaded from the slots, and a call of the kernel, still to
// be inlined.
CallInst* call_with_slots(IRBuilder<>& builder, Function& kernel, Value* slots) {
  std::vector<Value*> arguments;
  for (Argument& parameter : kernel.args()) {
    Value* slot = builder.CreateConstInBoundsGEP1_32(builder.getInt64Ty(), slots, parameter.getArgNo());
    arguments.push_back(builder.CreateLoad(parameter.getType(), slot, parameter.getName()));
  }
  CallInst* call = builder.CreateCall(&kernel, arguments);
  call->setCallingConv(kernel.getCallingConv());
  return call;
}

Function* new_entry(Function& kernel, const char* suffix, Type* result, ArrayRef<Type*> parameters) {
  Module& module = *kernel.getParent();
  auto* entry = Function::Create(FunctionType::get(result, parameters, false), GlobalValue::InternalLinkage,
                                 kernel.getName() + suffix, module);
  adopt_target(*entry, kernel);
  entry->addFnAttr(Attribute::NoInline);
  entry->setSubprogram(nullptr);
  return entry;
}

void inline_kernel(CallInst* call) {
  InlineFunctionInfo info;
  const InlineResult result = InlineFunction(*call, info);
  if (!result.isSuccess()) report_fatal_error(Twine("cannot inline a kernel: ") + result.getFailureReason());
}

// Functions that are defined once run_thread is simplified.
Function* declare_later(Function& run_thread, const char* suffix, FunctionType* type) {
  return Function::Create(type, GlobalValue::ExternalLinkage, run_thread.getName() + suffix,
                          run_thread.getParent());
}

Function* make_run_thread(Function& kernel) {
  LLVMContext& llvm_context = kernel.getContext();
  auto* pointer = PointerType::getUnqual(llvm_context);
  Function* entry = new_entry(kernel, ".run", Type::getVoidTy(llvm_context), {pointer});
  IRBuilder<> builder(BasicBlock::Create(llvm_context, "", entry));
  CallInst* call = call_with_slots(builder, kernel, entry->getArg(0));
  builder.CreateRetVoid();
  inline_kernel(call);
  return entry;
}

// What is left outside of entries can only be reached through recursion or a pointer.
void refuse_remaining(Module& module, const std::set<Function*>& entries) {
  Function* suspend = module.getFunction(kSuspendName);
  if (suspend == nullptr) return;
  std::vector<CallBase*> calls;
  for (User* user : suspend->users()) {
    auto* call = dyn_cast<CallBase>(user);
    if (call != nullptr && entries.count(call->getFunction()) == 0) calls.push_back(call);
  }
  for (CallBase* call : calls) {
    end_as_unsupported(*call,
                       "a barrier or warp operation in a recursive function or one called through a pointer");
  }
}

// The request's operation is stored just before the suspension; headers pass constants.
bool stores_operation(const Instruction& instruction, uint32_t operation) {
  const auto* store = dyn_cast<StoreInst>(&instruction);
  if (store == nullptr) return false;
  const auto* value = dyn_cast<ConstantInt>(store->getValueOperand());
  if (value == nullptr || value->getBitWidth() != 32 || value->getZExtValue() != operation) return false;
  const DataLayout& layout = instruction.getModule()->getDataLayout();
  APInt offset(64, 0);
  const Value* base = store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (const auto* address = dyn_cast<CallBase>(base);
      address && address->getIntrinsicID() == Intrinsic::threadlocal_address) {
    base = address->getArgOperand(0);
  }
  return base->getName() == kContextName && offset == context::kOperation;
}

bool requests(Function& kernel, uint32_t operation) {
  for (const Instruction& instruction : instructions(kernel)) {
    if (stores_operation(instruction, operation)) return true;
  }
  return false;
}

}  // namespace

void make_entries(Module& module, std::vector<Kernel>& kernels) {
  auto* pointer = PointerType::getUnqual(module.getContext());
  auto* word = Type::getInt32Ty(module.getContext());
  const std::set<Function*> waiting = waiting_functions(module);
  std::set<Function*> recursive;
  for (Function* function : waiting) {
    if (!function->isDeclaration() && calls_itself(*function, waiting)) recursive.insert(function);
  }
  std::set<Function*> entries;
  for (Kernel& kernel : kernels) {
    inline_waiting_calls(*kernel.function, waiting, recursive);
    const bool waits = suspends(*kernel.function);
    if (requests(*kernel.function, CUSET_YIELD)) kernel.flags |= CUSET_KERNEL_ONE_WORKER;
    if (requests(*kernel.function, CUSET_PREEMPTED)) kernel.flags |= CUSET_KERNEL_PREEMPTED;
    if (requests(*kernel.function, CUSET_GRID_BARRIER))
      kernel.flags |= CUSET_KERNEL_ONE_WORKER | CUSET_KERNEL_GRID_BARRIER;
    Function* run_thread = make_run_thread(*kernel.function);
    if (waits) {
      entries.insert(run_thread);
      appendToUsed(module, {run_thread});  // until coroutines.cc takes it over
      kernel.flags |= CUSET_KERNEL_SUSPENDS;
      kernel.start_thread =
          declare_later(*run_thread, kCoroutineSuffix, FunctionType::get(pointer, {pointer, pointer}, false));
      kernel.resume_threads =
          declare_later(*run_thread, kResumeSuffix, FunctionType::get(word, {pointer, word, word}, false));
    } else {
      kernel.run_thread = run_thread;
    }
    kernel.run_block = declare_later(*run_thread, kLoopSuffix, run_thread->getFunctionType());
  }
  refuse_remaining(module, entries);
}

}  // namespace cuset_pass
