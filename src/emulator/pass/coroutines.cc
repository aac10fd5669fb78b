// A kernel that waits becomes an LLVM coroutine: start_thread runs a thread to its first suspension, its
// frame holds what lives across suspensions, resuming goes on behind the last one. Waiting threads need no
// stack of their own. Called without a frame, start_thread answers the frame's size.
//
// resume_threads is the loop that takes many threads to their next suspension: it calls the coroutine's
// resume function directly, so that going from thread to thread costs a few nanoseconds.
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

constexpr unsigned kFrameAlignment = 64;

// What a coroutine has beside its body: blocks that suspend leave through `leave`.
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
  builder.CreateStore(builder.getInt32(CUSET_FINISHED),
                      context_field(builder, *entry.getParent(), context::kOperation));
  builder.CreateBr(coroutine.destroy);
  builder.SetInsertPoint(coroutine.destroy);
  builder.CreateIntrinsic(builder.getPtrTy(), Intrinsic::coro_free, {coroutine.id, coroutine.handle});
  builder.CreateBr(coroutine.leave);
  builder.SetInsertPoint(coroutine.leave);
  builder.CreateIntrinsic(builder.getInt1Ty(), Intrinsic::coro_end,
                          {coroutine.handle, builder.getFalse(), ConstantTokenNone::get(llvm_context)});
  builder.CreateRet(coroutine.handle);
}

// Tells the runtime where a thread waits: a place in the source, or at least one that no other wait shares.
void note_site(CallBase& call) {
  Module& module = *call.getModule();
  IRBuilder<> builder(&call);
  Constant* site = is_checked(module) ? site_of(call) : nullptr;
  if (site == nullptr || site->isNullValue()) {
    site = new GlobalVariable(module, builder.getInt8Ty(), true, GlobalValue::PrivateLinkage,
                              builder.getInt8(0), "cuset.wait");
  }
  builder.CreateStore(site, context_field(builder, module, context::kSite));
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

std::vector<CallBase*> suspensions(Function& function) {
  std::vector<CallBase*> calls;
  for (Instruction& instruction : instructions(function)) {
    if (is_suspension(instruction)) calls.push_back(cast<CallBase>(&instruction));
  }
  return calls;
}

void define_coroutine(Function& entry, Function& run_thread) {
  LLVMContext& llvm_context = entry.getContext();
  adopt_target(entry, run_thread);
  // Where whole blocks run as loops (thread_loops.cc), coroutines are for other orders of threads: not worth the compiler's time.
  if (entry.getParent()->getFunction((run_thread.getName() + kLoopSuffix).str()) != nullptr)
    entry.addFnAttr(Attribute::OptimizeForSize);
  IRBuilder<> builder(BasicBlock::Create(llvm_context, "", &entry));
  Coroutine coroutine = begin_coroutine(builder, entry);
  CallInst* call = builder.CreateCall(&run_thread, {entry.getArg(0)});
  auto* finished = BasicBlock::Create(llvm_context, "finished", &entry);
  builder.CreateBr(finished);
  end_coroutine(coroutine, entry, finished);
  run_thread.removeFnAttr(Attribute::NoInline);
  InlineFunctionInfo info;
  if (!InlineFunction(*call, info).isSuccess())
    report_fatal_error("cannot inline a kernel into its coroutine");
  for (CallBase* inner : suspensions(entry)) {
    note_site(*inner);
    suspend_at(*inner, coroutine);
  }
  entry.setPresplitCoroutine();
  entry.setLinkage(GlobalValue::InternalLinkage);
}

// The loop of resume_threads. Fields of CusetThreads, CusetRequest and CusetThreadIndex by their bytes.
class ResumeLoop {
 public:
  ResumeLoop(Function& loop, Function& resume)
      : loop_(loop), resume_(resume), module_(*loop.getParent()), builder_(loop.getContext()) {}

  void define() {
    LLVMContext& llvm_context = loop_.getContext();
    auto* entry = BasicBlock::Create(llvm_context, "", &loop_);
    auto* body = BasicBlock::Create(llvm_context, "body", &loop_);
    auto* done = BasicBlock::Create(llvm_context, "done", &loop_);
    builder_.SetInsertPoint(entry);
    frames_ = field(offsetof(CusetThreads, frames), builder_.getPtrTy());
    stride_ = field(offsetof(CusetThreads, frame_stride), builder_.getInt64Ty());
    indices_ = field(offsetof(CusetThreads, indices), builder_.getPtrTy());
    results_ = field(offsetof(CusetThreads, results), builder_.getPtrTy());
    requests_ = field(offsetof(CusetThreads, requests), builder_.getPtrTy());
    builder_.CreateBr(body);

    builder_.SetInsertPoint(body);
    PHINode* thread = builder_.CreatePHI(builder_.getInt32Ty(), 2);
    PHINode* expected = builder_.CreatePHI(builder_.getInt32Ty(), 2);
    thread->addIncoming(loop_.getArg(1), entry);
    expected->addIncoming(builder_.getInt32(UINT32_MAX), entry);
    Value* operation = resume_one(thread);
    Value* next = builder_.CreateNUWAdd(thread, builder_.getInt32(1));
    Value* first = builder_.CreateICmpEQ(thread, loop_.getArg(1));
    Value* same = builder_.CreateOr(first, builder_.CreateICmpEQ(operation, expected));
    Value* more = builder_.CreateICmpULT(next, loop_.getArg(2));
    builder_.CreateCondBr(builder_.CreateAnd(same, more), body, done);
    thread->addIncoming(next, body);
    expected->addIncoming(operation, body);
    builder_.SetInsertPoint(done);
    builder_.CreateRet(next);
    loop_.setLinkage(GlobalValue::InternalLinkage);
    adopt_target(loop_, resume_);
  }

 private:
  Value* field(size_t offset, Type* type) {
    Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), loop_.getArg(0), offset);
    return builder_.CreateLoad(type, address);
  }

  Value* at(Value* base, Value* thread, uint64_t size, size_t offset) {
    Value* wide = builder_.CreateZExt(thread, builder_.getInt64Ty());
    Value* distance =
        builder_.CreateAdd(builder_.CreateMul(wide, builder_.getInt64(size)), builder_.getInt64(offset));
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), base, distance);
  }

  void set_context(unsigned offset, Value* value) {
    builder_.CreateStore(value, context_field(builder_, module_, offset));
  }
  Value* get_context(unsigned offset, Type* type) {
    return builder_.CreateLoad(type, context_field(builder_, module_, offset));
  }

  // Runs one thread to its next suspension and files what it asks for; its operation.
  Value* resume_one(Value* thread) {
    const std::pair<unsigned, size_t> axes[] = {{context::kThreadIndex, offsetof(CusetThreadIndex, x)},
                                                {context::kThreadIndex + 4, offsetof(CusetThreadIndex, y)},
                                                {context::kThreadIndex + 8, offsetof(CusetThreadIndex, z)}};
    for (const auto& [target, offset] : axes) {
      Value* index =
          builder_.CreateLoad(builder_.getInt16Ty(), at(indices_, thread, sizeof(CusetThreadIndex), offset));
      set_context(target, builder_.CreateZExt(index, builder_.getInt32Ty()));
    }
    set_context(context::kLinearThread, thread);
    set_context(context::kLane, builder_.CreateAnd(thread, CUSET_WARP_SIZE - 1));
    set_context(context::kResult,
                builder_.CreateLoad(builder_.getInt64Ty(), at(results_, thread, sizeof(uint64_t), 0)));
    Value* wide = builder_.CreateZExt(thread, builder_.getInt64Ty());
    Value* frame =
        builder_.CreateInBoundsGEP(builder_.getInt8Ty(), frames_, builder_.CreateMul(wide, stride_));
    CallInst* call = builder_.CreateCall(&resume_, {frame});
    call->setCallingConv(resume_.getCallingConv());

    // Field by field, as they were written: wider loads would have to wait for the stores.
    Value* operation = get_context(context::kOperation, builder_.getInt32Ty());
    file(operation, thread, offsetof(CusetRequest, operation));
    file(get_context(context::kMask, builder_.getInt32Ty()), thread, offsetof(CusetRequest, mask));
    file(get_context(context::kArgument, builder_.getInt32Ty()), thread, offsetof(CusetRequest, argument));
    file(get_context(context::kValue, builder_.getInt64Ty()), thread, offsetof(CusetRequest, value));
    file(get_context(context::kSite, builder_.getPtrTy()), thread, offsetof(CusetRequest, site));
    return operation;
  }

  void file(Value* value, Value* thread, size_t offset) {
    builder_.CreateStore(value, at(requests_, thread, sizeof(CusetRequest), offset));
  }

  Function& loop_;
  Function& resume_;
  Module& module_;
  IRBuilder<> builder_;
  Value* frames_ = nullptr;
  Value* stride_ = nullptr;
  Value* indices_ = nullptr;
  Value* results_ = nullptr;
  Value* requests_ = nullptr;
};

// Of a kernel whose waits are never reached (it always ends or traps before): nobody resumes a thread of it.
void define_without_resumption(Function& loop) {
  IRBuilder<> builder(BasicBlock::Create(loop.getContext(), "", &loop));
  builder.CreateRet(loop.getArg(2));
  loop.setLinkage(GlobalValue::InternalLinkage);
}

}  // namespace

void make_coroutines(Module& module) {
  const auto pairs = declared_for(module, kCoroutineSuffix);
  for (const auto& [coroutine, run_thread] : pairs) define_coroutine(*coroutine, *run_thread);
  removeFromUsedLists(module, [&](Constant* value) {
    for (const auto& [coroutine, run_thread] : pairs) {
      if (value == run_thread) return true;
    }
    return false;
  });
}

void make_resume_loops(Module& module) {
  for (const auto& [loop, run_thread] : declared_for(module, kResumeSuffix)) {
    // LLVM names what it splits off after the coroutine.
    Function* resume = module.getFunction((run_thread->getName() + kCoroutineSuffix + ".resume").str());
    if (resume != nullptr) {
      ResumeLoop(*loop, *resume).define();
    } else {
      define_without_resumption(*loop);
    }
    run_thread->eraseFromParent();
  }
}

}  // namespace cuset_pass
