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

// Does leaving the loop depend on what was watched? Follows the exit conditions back a few steps inside the
// loop.
bool depends_on_watched(const Value* value, const Loop& loop, unsigned depth) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || !loop.contains(instruction)) return false;
  if (watches_memory(*instruction, loop)) return true;
  if (depth == 0) return false;
  if (const auto* load = dyn_cast<LoadInst>(instruction)) {
    // Through a variable in memory that SROA left: what is stored to it in the loop.
    for (const User* user : load->getPointerOperand()->users()) {
      const auto* store = dyn_cast<StoreInst>(user);
      if (store && loop.contains(store) && depends_on_watched(store->getValueOperand(), loop, depth - 1))
        return true;
    }
    return false;
  }
  for (const Use& operand : instruction->operands()) {
    if (depends_on_watched(operand.get(), loop, depth - 1)) return true;
  }
  return false;
}

bool exit_depends_on_watched(const Loop& loop) {
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock* block : exiting) {
    const Instruction* branch = block->getTerminator();
    if (const auto* conditional = dyn_cast<BranchInst>(branch); conditional && conditional->isConditional()) {
      if (depends_on_watched(conditional->getCondition(), loop, 8)) return true;
    } else if (const auto* choice = dyn_cast<SwitchInst>(branch)) {
      if (depends_on_watched(choice->getCondition(), loop, 8)) return true;
    }
  }
  return false;
}

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

void collect_spins(Loop& loop, std::vector<BasicBlock*>& latches) {
  const bool waits = exit_depends_on_watched(loop);
  if (waits) mark_watching_loads(loop);
  if (waits && !suspends(loop)) {
    SmallVector<BasicBlock*, 4> ends;
    loop.getLoopLatches(ends);
    latches.insert(latches.end(), ends.begin(), ends.end());
  }
  for (Loop* inner : loop) collect_spins(*inner, latches);
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
      collect_spins(*loop, latches);
      for (BasicBlock* latch : latches) edges.push_back({latch, loops.getLoopFor(latch)->getHeader()});
    }
    for (auto& [latch, header] : edges) yield_at(*latch, *header);
  }
}

}  // namespace cuset_pass
