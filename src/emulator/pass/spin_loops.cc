// A loop that waits for another thread (a lock, a flag, a ticket) would run forever where threads take turns:
// each time round, it lets the others run. Such a loop reads memory atomically or as volatile and does not
// suspend by itself. Only going round again suspends, so a compare-and-swap that succeeds at once costs
// nothing.
#include "cuset_emulator/abi.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Reads what others write: a volatile or atomic load, an exchange, an update that changes nothing
// (atomicAdd(p, 0), atomicOr(p, 0): the usual way to read), or a compare-and-swap that always expects the
// same (a lock). One that expects what it read last is an update tried again, which needs nobody else.
bool watches_memory(const Instruction& instruction, const Loop& loop) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->isVolatile() || load->isAtomic();
  if (const auto* swap = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return loop.isLoopInvariant(swap->getCompareOperand());
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    if (update->getOperation() == AtomicRMWInst::Xchg) return true;
    const auto* operand = dyn_cast<Constant>(update->getValOperand());
    return operand != nullptr && operand->isNullValue();
  }
  return false;
}

// Does leaving a loop depend on what was watched in it? Follows its exit conditions back inside the loop: through
// operands, through the branches that choose among the values of a phi, and through the exits of inner loops.
class WatchedExits {
 public:
  WatchedExits(const Loop& loop, const LoopInfo& loops, const DominatorTree& tree)
      : loop_(loop), loops_(loops), tree_(tree) {}

  bool any() { return exits_depend(loop_); }

 private:
  bool exits_depend(const Loop& loop) {
    SmallVector<BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    return any_of(exiting, [&](const BasicBlock* block) { return branch_depends(*block->getTerminator()); });
  }

  bool branch_depends(const Instruction& branch) {
    if (const auto* conditional = dyn_cast<BranchInst>(&branch))
      return conditional->isConditional() && depends(conditional->getCondition());
    const auto* choice = dyn_cast<SwitchInst>(&branch);
    return choice != nullptr && depends(choice->getCondition());
  }

  bool depends(const Value* value) {
    const auto* instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr || !loop_.contains(instruction)) return false;
    if (!seen_.insert(instruction).second || seen_.size() > kMostSteps) return false;
    if (watches_memory(*instruction, loop_)) return true;
    if (const auto* load = dyn_cast<LoadInst>(instruction)) return stored_depends(*load);
    if (const auto* phi = dyn_cast<PHINode>(instruction); phi && choice_depends(*phi)) return true;
    return any_of(instruction->operands(), [&](const Use& operand) { return depends(operand.get()); });
  }

  // Through a variable in memory that SROA left: what is stored to it in the loop.
  bool stored_depends(const LoadInst& load) {
    return any_of(load.getPointerOperand()->users(), [&](const User* user) {
      const auto* store = dyn_cast<StoreInst>(user);
      return store != nullptr && loop_.contains(store) && depends(store->getValueOperand());
    });
  }

  // At the head of a loop a phi tells the first turn from the others; what an inner loop leaves behind is chosen by its
  // exits.
  bool choice_depends(const PHINode& phi) {
    const BasicBlock* block = phi.getParent();
    const Loop* around = loops_.getLoopFor(block);
    if (around != nullptr && around->getHeader() == block) return around != &loop_ && exits_depend(*around);
    const DomTreeNode* above = tree_.getNode(block)->getIDom();
    const BasicBlock* chooser = above != nullptr ? above->getBlock() : nullptr;
    return chooser != nullptr && loop_.contains(chooser) && branch_depends(*chooser->getTerminator());
  }

  static constexpr size_t kMostSteps = 500;

  const Loop& loop_;
  const LoopInfo& loops_;
  const DominatorTree& tree_;
  SmallPtrSet<const Instruction*, 32> seen_;
};

bool suspends(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (is_suspension(instruction)) return true;
    }
  }
  return false;
}

// For the checks, which take such a load for the end of a message between threads.
void mark_watching_loads(const Loop& loop) {
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block) {
      if (isa<LoadInst>(instruction) && watches_memory(instruction, loop))
        instruction.setMetadata(kWatchMetadata, MDNode::get(instruction.getContext(), {}));
    }
  }
}

void collect_spins(Loop& loop, const LoopInfo& loops, const DominatorTree& tree,
                   std::vector<BasicBlock*>& latches) {
  const bool waits = WatchedExits(loop, loops, tree).any();
  if (waits) mark_watching_loads(loop);
  if (waits && !suspends(loop)) {
    SmallVector<BasicBlock*, 4> ends;
    loop.getLoopLatches(ends);
    latches.insert(latches.end(), ends.begin(), ends.end());
  }
  for (Loop* inner : loop) collect_spins(*inner, loops, tree, latches);
}

// On the way back to the loop's head.
void yield_at(BasicBlock& latch, BasicBlock& header) {
  BasicBlock* edge = SplitEdge(&latch, &header);
  IRBuilder<> builder(edge->getTerminator());
  Module& module = *latch.getModule();
  builder.CreateStore(builder.getInt32(CUSET_YIELD), context_field(builder, module, context::kOperation));
  builder.CreateCall(runtime_function(module, kSuspendName, builder.getVoidTy(), {}));
}

}  // namespace

void yield_in_spin_loops(Module& module) {
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    DominatorTree tree(function);
    LoopInfo loops(tree);
    std::vector<std::pair<BasicBlock*, BasicBlock*>> edges;
    for (Loop* loop : loops) {
      std::vector<BasicBlock*> latches;
      collect_spins(*loop, loops, tree, latches);
      for (BasicBlock* latch : latches) edges.push_back({latch, loops.getLoopFor(latch)->getHeader()});
    }
    for (auto& [latch, header] : edges) yield_at(*latch, *header);
  }
}

}  // namespace cuset_pass
