#include "pass/uniformity.h"

#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "pass/thread_body.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Memory in which every thread finds something else: its variables, and the worker's context.
bool is_of_the_thread(const Value* address) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(address, objects, nullptr, 0);
  return any_of(objects, [](const Value* object) {
    return isa<AllocaInst>(object) || is_context(object) || object->getName() == kContextName;
  });
}

bool is_source(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return !load->isSimple() || is_of_the_thread(load->getPointerOperand());
  if (const auto* call = dyn_cast<CallBase>(&instruction))
    return !call->getType()->isVoidTy() && !(isa<IntrinsicInst>(call) && call->doesNotAccessMemory());
  return isa<AllocaInst>(instruction) || instruction.isAtomic() || isa<VAArgInst>(instruction);
}

// What LLVM's analysis asks of a target.
class BlockTarget : public TargetTransformInfoImplCRTPBase<BlockTarget> {
  using Base = TargetTransformInfoImplCRTPBase<BlockTarget>;

 public:
  BlockTarget(const DataLayout& layout, const std::set<const Value*>& of_a_thread)
      : Base(layout), of_a_thread_(&of_a_thread) {}

  bool hasBranchDivergence(const Function* = nullptr) const { return true; }
  bool isSourceOfDivergence(const Value* value) const {
    const auto* instruction = dyn_cast<Instruction>(value);
    return instruction != nullptr ? is_source(*instruction) : of_a_thread_->count(value) != 0;
  }

 private:
  const std::set<const Value*>* of_a_thread_;
};

}  // namespace

Uniformity::Uniformity(Function& function, const std::set<const Value*>& of_a_thread) {
  const DominatorTree tree(function);
  CycleInfo cycles;
  cycles.compute(function);
  const TargetTransformInfo target(BlockTarget(function.getParent()->getDataLayout(), of_a_thread));
  UniformityInfo info(tree, cycles, &target);
  info.compute();
  for (const Argument& argument : function.args()) {
    if (of_a_thread.count(&argument) == 0) uniform_.insert(&argument);
  }
  for (const Instruction& instruction : instructions(function)) {
    const bool is_used_alike =
        none_of(instruction.uses(), [&](const Use& use) { return info.isDivergentUse(use); });
    if (info.isUniform(&instruction) && is_used_alike) uniform_.insert(&instruction);
  }
  for (const BasicBlock& block : function) {
    if (info.hasDivergentTerminator(block)) differing_.insert(&block);
  }
}

bool Uniformity::is_uniform(const Value* value) const {
  return isa<Constant>(value) || uniform_.count(value) != 0;
}

}  // namespace cuset_pass
