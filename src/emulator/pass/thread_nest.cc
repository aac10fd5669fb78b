#include "pass/thread_nest.h"

#include "cuset_emulator/abi.h"

namespace cuset_pass {

using namespace llvm;

Value* ThreadNest::value_of(const ThreadBody& body, const Argument* parameter) const {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (parameter == body.index(axis)) return index[axis];
  }
  if (parameter == body.linear()) return linear;
  return parameter == body.lane() ? lane : nullptr;
}

namespace {

MDNode* loop_property(LLVMContext& llvm_context, const char* name) {
  return MDNode::get(llvm_context, {MDString::get(llvm_context, name)});
}

// Properties of the loop that a branch closes.
void describe_loop(BranchInst& latch, ArrayRef<MDNode*> properties) {
  SmallVector<Metadata*, 4> parts{nullptr};
  parts.append(properties.begin(), properties.end());
  MDNode* identity = MDNode::getDistinct(latch.getContext(), parts);
  identity->replaceOperandWith(0, identity);
  latch.setMetadata(LLVMContext::MD_loop, identity);
}

}  // namespace

ThreadNest make_thread_nest(const ThreadBody& body) {
  LLVMContext& llvm_context = body.function->getContext();
  const auto block = [&](const char* name) { return BasicBlock::Create(llvm_context, name, body.function); };
  ThreadNest nest;
  nest.before = block("before");
  BasicBlock* heads[3];
  BasicBlock* ends[3];
  for (int axis = 2; axis >= 0; --axis) heads[axis] = block("head");
  for (auto& end : ends) end = block("end");
  nest.done = block("done");
  nest.thread = heads[0];
  nest.next = ends[0];

  IRBuilder<> builder(nest.before);
  builder.CreateBr(heads[2]);
  PHINode* index[3];
  for (int axis = 2; axis >= 0; --axis) {
    builder.SetInsertPoint(heads[axis]);
    nest.index[axis] = index[axis] = builder.CreatePHI(builder.getInt32Ty(), 2);
    index[axis]->addIncoming(builder.getInt32(0), axis == 2 ? nest.before : heads[axis + 1]);
    if (axis > 0) builder.CreateBr(heads[axis - 1]);
  }
  builder.SetInsertPoint(heads[0]);
  Value* rows = builder.CreateNUWAdd(builder.CreateNUWMul(index[2], body.size(1)), index[1]);
  nest.linear = builder.CreateNUWAdd(builder.CreateNUWMul(rows, body.size(0)), index[0]);
  nest.lane = builder.CreateAnd(nest.linear, CUSET_WARP_SIZE - 1);
  builder.CreateBr(ends[0]);
  for (unsigned axis = 0; axis < 3; ++axis) {
    builder.SetInsertPoint(ends[axis]);
    Value* next = builder.CreateAdd(index[axis], builder.getInt32(1), "", true, true);
    auto* branch = builder.CreateCondBr(builder.CreateICmpULT(next, body.size(axis)), heads[axis],
                                        axis == 2 ? nest.done : ends[axis + 1]);
    index[axis]->addIncoming(next, ends[axis]);
    if (axis == 0) {
      nest.inner_latch = branch;
    } else {
      // Unrolling these would only take the compiler time.
      describe_loop(*branch, {loop_property(llvm_context, "llvm.loop.unroll.disable")});
    }
  }
  return nest;
}

void declare_parallel(const ThreadNest& nest, ArrayRef<Instruction*> accesses) {
  LLVMContext& llvm_context = nest.thread->getContext();
  MDNode* group = MDNode::getDistinct(llvm_context, {});
  for (Instruction* access : accesses) access->setMetadata(LLVMContext::MD_access_group, group);
  auto* parallel =
      MDNode::get(llvm_context, {MDString::get(llvm_context, "llvm.loop.parallel_accesses"), group});
  describe_loop(*nest.inner_latch, {parallel, loop_property(llvm_context, "llvm.loop.mustprogress")});
}

}  // namespace cuset_pass
