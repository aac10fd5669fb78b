// How the runtime enters a kernel. Arguments lie in slots of 8 bytes (abi.h), which the entry loads.
//
// A kernel that never waits gets run_thread: one CUDA thread from start to end.
// A kernel that waits becomes an LLVM coroutine: start_thread runs to the first suspension and returns a handle, the
// frame that it was given holds whatever lives across suspensions, and resuming goes on behind the last one. Waiting
// threads need no stack of their own. Called without a frame, start_thread answers the frame's size.
// For this, device functions that wait are inlined into their kernels; where that cannot be (recursion, calls through
// pointers), waiting ends the program as `unsupported`.
#include <map>
#include <set>

#include "cuset_emulator/abi.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

constexpr unsigned kFrameAlignment = 64;

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
      if (callee != nullptr && waiting.count(callee) != 0 && seen.insert(callee).second) open.push_back(callee);
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
void inline_waiting_calls(Function& kernel, const std::set<Function*>& waiting, const std::set<Function*>& recursive) {
  for (bool again = true; again;) {
    again = false;
    for (CallBase* call : calls_of(kernel)) {
      Function* callee = call->getCalledFunction();
      if (callee == nullptr || callee->isDeclaration() || waiting.count(callee) == 0 || recursive.count(callee) != 0) continue;
      InlineFunctionInfo info;
      if (InlineFunction(*call, info).isSuccess()) again = true;
    }
  }
}

bool suspends(Function& function) {
  for (CallBase* call : calls_of(function)) {
    if (call->getCalledFunction() && call->getCalledFunction()->getName() == kSuspendName) return true;
  }
  return false;
}

// void (ptr slots, ...) with the kernel's arguments loaded from the slots, and a call of the kernel, still to be inlined.
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
  entry->addFnAttrs(AttrBuilder(kernel.getContext(), kernel.getAttributes().getFnAttrs()));
  entry->removeFnAttr(Attribute::AlwaysInline);
  entry->addFnAttr(Attribute::NoInline);
  entry->removeFnAttr(Attribute::NoRecurse);
  entry->setSubprogram(nullptr);
  return entry;
}

void inline_kernel(CallInst* call) {
  InlineFunctionInfo info;
  const InlineResult result = InlineFunction(*call, info);
  if (!result.isSuccess()) report_fatal_error(Twine("cannot inline a kernel: ") + result.getFailureReason());
}

// Defined by make_thread_loops once run_thread is simplified.
Function* declare_thread_loop(Function& run_thread) {
  return Function::Create(run_thread.getFunctionType(), GlobalValue::ExternalLinkage, run_thread.getName() + kLoopSuffix,
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

// The coroutine's frame around a body: blocks that suspend leave through `leave`.
struct Coroutine {
  Value* handle = nullptr;
  Value* id = nullptr;
  BasicBlock* leave = nullptr;
  BasicBlock* destroy = nullptr;
};

Coroutine begin_coroutine(IRBuilder<>& builder, Function& entry) {
  LLVMContext& llvm_context = entry.getContext();
  auto* null = ConstantPointerNull::get(builder.getPtrTy());
  Coroutine coroutine;
  coroutine.id = builder.CreateIntrinsic(Type::getTokenTy(llvm_context), Intrinsic::coro_id,
                                         {builder.getInt32(kFrameAlignment), null, null, null});
  auto* ask_size = BasicBlock::Create(llvm_context, "size", &entry);
  auto* begin = BasicBlock::Create(llvm_context, "begin", &entry);
  builder.CreateCondBr(builder.CreateIsNull(entry.getArg(1)), ask_size, begin);
  builder.SetInsertPoint(ask_size);
  Value* size = builder.CreateIntrinsic(Intrinsic::coro_size, {builder.getInt64Ty()}, {});
  builder.CreateRet(builder.CreateIntToPtr(size, builder.getPtrTy()));
  builder.SetInsertPoint(begin);
  coroutine.handle =
      builder.CreateIntrinsic(builder.getPtrTy(), Intrinsic::coro_begin, {coroutine.id, entry.getArg(1)});
  return coroutine;
}

void end_coroutine(Coroutine& coroutine, Function& entry, BasicBlock* finished) {
  LLVMContext& llvm_context = entry.getContext();
  coroutine.leave = BasicBlock::Create(llvm_context, "leave", &entry);
  coroutine.destroy = BasicBlock::Create(llvm_context, "destroy", &entry);
  IRBuilder<> builder(finished);
  builder.CreateStore(builder.getInt32(CUSET_FINISHED), context_field(builder, *entry.getParent(), context::kOperation));
  builder.CreateBr(coroutine.destroy);
  builder.SetInsertPoint(coroutine.destroy);
  builder.CreateIntrinsic(builder.getPtrTy(), Intrinsic::coro_free, {coroutine.id, coroutine.handle});
  builder.CreateBr(coroutine.leave);
  builder.SetInsertPoint(coroutine.leave);
  builder.CreateIntrinsic(builder.getInt1Ty(), Intrinsic::coro_end,
                          {coroutine.handle, builder.getFalse(), ConstantTokenNone::get(llvm_context)});
  builder.CreateRet(coroutine.handle);
}

void suspend_at(CallBase& call, const Coroutine& coroutine) {
  BasicBlock* before = call.getParent();
  BasicBlock* after = before->splitBasicBlock(&call, "resume");
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  Value* state = builder.CreateIntrinsic(builder.getInt8Ty(), Intrinsic::coro_suspend,
                                         {ConstantTokenNone::get(call.getContext()), builder.getFalse()});
  SwitchInst* next = builder.CreateSwitch(state, coroutine.leave, 2);
  next->addCase(builder.getInt8(0), after);
  next->addCase(builder.getInt8(1), coroutine.destroy);
  call.eraseFromParent();
}

// Tells the runtime where a thread waits: a place in the source, or at least one that no other wait shares.
void note_site(CallBase& call) {
  Module& module = *call.getModule();
  IRBuilder<> builder(&call);
  Constant* site = is_checked(module) ? site_of(call) : nullptr;
  if (site == nullptr || site->isNullValue()) {
    site = new GlobalVariable(module, builder.getInt8Ty(), true, GlobalValue::PrivateLinkage, builder.getInt8(0), "cuset.wait");
  }
  builder.CreateStore(site, context_field(builder, module, context::kSite));
}

Function* make_start_thread(Function& kernel) {
  LLVMContext& llvm_context = kernel.getContext();
  auto* pointer = PointerType::getUnqual(llvm_context);
  Function* entry = new_entry(kernel, ".start", pointer, {pointer, pointer});
  IRBuilder<> builder(BasicBlock::Create(llvm_context, "", entry));
  Coroutine coroutine = begin_coroutine(builder, *entry);
  CallInst* call = call_with_slots(builder, kernel, entry->getArg(0));
  auto* finished = BasicBlock::Create(llvm_context, "finished", entry);
  builder.CreateBr(finished);
  end_coroutine(coroutine, *entry, finished);
  inline_kernel(call);
  for (CallBase* inner : calls_of(*entry)) {
    Function* callee = inner->getCalledFunction();
    if (callee == nullptr || callee->getName() != kSuspendName) continue;
    note_site(*inner);
    suspend_at(*inner, coroutine);
  }
  entry->setPresplitCoroutine();
  return entry;
}

// What is left outside of kernels can only be reached through recursion or a pointer.
void refuse_remaining(Module& module) {
  Function* suspend = module.getFunction(kSuspendName);
  if (suspend == nullptr) return;
  std::vector<CallBase*> calls;
  for (User* user : suspend->users()) {
    if (auto* call = dyn_cast<CallBase>(user)) calls.push_back(call);
  }
  for (CallBase* call : calls) {
    end_as_unsupported(*call, "a barrier or warp operation in a recursive function or one called through a pointer");
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
  if (const auto* address = dyn_cast<CallBase>(base); address && address->getIntrinsicID() == Intrinsic::threadlocal_address) {
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
  const std::set<Function*> waiting = waiting_functions(module);
  std::set<Function*> recursive;
  for (Function* function : waiting) {
    if (!function->isDeclaration() && calls_itself(*function, waiting)) recursive.insert(function);
  }
  for (Kernel& kernel : kernels) {
    inline_waiting_calls(*kernel.function, waiting, recursive);
    if (suspends(*kernel.function)) {
      if (requests(*kernel.function, CUSET_YIELD)) kernel.flags |= CUSET_KERNEL_ONE_WORKER;
      if (requests(*kernel.function, CUSET_GRID_BARRIER)) kernel.flags |= CUSET_KERNEL_ONE_WORKER | CUSET_KERNEL_GRID_BARRIER;
      kernel.start_thread = make_start_thread(*kernel.function);
      kernel.flags |= CUSET_KERNEL_SUSPENDS;
    } else {
      kernel.run_thread = make_run_thread(*kernel.function);
      kernel.run_block = declare_thread_loop(*kernel.run_thread);
    }
  }
  refuse_remaining(module);
}

}  // namespace cuset_pass
