// Runs on several cores give the same bits every time: an atomic operation whose outcome depends on the order
// of blocks (floating-point sums, exchanges, compare-and-swap, anything whose old value is used) first waits
// until all blocks before its own are done. Blocks start in order, so the first unfinished one never waits.
// So does a strong load of inline PTX, with which a block looks how far those before it are (CUB's scans).
// Sums of integers, minima and the like whose old value nobody reads commute and need no order; neither does
// the block's own shared memory.
#include "cuset_emulator/abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

bool commutes(AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::UMin:
      return true;
    default:
      return false;
  }
}

// The base of shared memory is loaded from the context.
bool is_shared_memory(const Value* address) {
  const Value* object = getUnderlyingObject(address, 0);
  return object->getName().starts_with("shared");
}

bool needs_order(const Instruction& instruction) {
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    return !(commutes(update->getOperation()) && update->use_empty()) &&
           !is_shared_memory(update->getPointerOperand());
  }
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    return !is_shared_memory(exchange->getPointerOperand());
  }
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->getMetadata(kStrongMetadata) != nullptr && !is_shared_memory(load->getPointerOperand());
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    const Function* callee = call->getCalledFunction();
    return callee != nullptr &&
           (callee->getName() == "cuset_device_printf" || callee->getName() == "cuset_device_vprintf" ||
            callee->getName() == "cuset_device_malloc");
  }
  return false;
}

void wait_before(Instruction& instruction) {
  Module& module = *instruction.getModule();
  IRBuilder<> builder(&instruction);
  Value* ordered =
      builder.CreateLoad(builder.getInt32Ty(), context_field(builder, module, context::kOrdered));
  Instruction* rare =
      SplitBlockAndInsertIfThen(builder.CreateIsNull(ordered), instruction.getIterator(), false,
                                MDBuilder(module.getContext()).createBranchWeights(1, 1000));
  builder.SetInsertPoint(rare);
  builder.CreateCall(runtime_function(module, "cuset_wait_for_order", builder.getVoidTy(), {}));
}

}  // namespace

void order_atomics(Module& module, std::vector<Kernel>& kernels) {
  std::vector<Instruction*> ordered;
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      if (needs_order(instruction)) ordered.push_back(&instruction);
    }
  }
  std::set<Function*> waiting;
  for (Instruction* instruction : ordered) {
    waiting.insert(instruction->getFunction());
    wait_before(*instruction);
  }
  for (Kernel& kernel : kernels) {
    for (Function* function : reachable_from(*kernel.function)) {
      if (waiting.count(function) != 0) kernel.flags |= CUSET_KERNEL_ORDERED;
    }
  }
}

}  // namespace cuset_pass
