// Places where a checked thread may be interrupted: before every atomic operation that writes, and behind every one
// whose old value is used. A GPU may let any other thread run there. A thread that looks at a number and then updates it
// in a second step (`if (v > *m) atomicExch(m, v)`, one compare-and-swap without a loop around it) meets what others wrote
// in between, and the outputs show it.
//
// The runtime decides at each place (cuset_preempts), so that loops around a compare-and-swap come to an end. Only kernels
// themselves are interrupted: in checked programs all functions are part of them but those that recurse or are called
// through pointers.
#include "cuset_emulator/abi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

struct Place {
  Instruction* instruction;
  bool before;
  bool behind;
};

// Code of CCCL, which has tests of its own; an atomic function of our headers belongs to who calls it.
bool is_of_a_library(const Instruction& instruction) {
  const DILocation* location = instruction.getDebugLoc().get();
  while (location != nullptr && location->getFilename().contains("cuset_emulator/"))
    location = location->getInlinedAt();
  return location != nullptr && location->getFilename().contains("/cccl/");
}

std::optional<Place> place_at(Instruction& instruction) {
  const bool is_used = !instruction.use_empty();
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction))
    return Place{&instruction, true, is_used};
  if (auto* store = dyn_cast<StoreInst>(&instruction); store && store->isAtomic())
    return Place{store, true, false};
  if (auto* load = dyn_cast<LoadInst>(&instruction); load && load->isAtomic())
    return Place{load, false, is_used};
  return std::nullopt;
}

void preempt_before(Instruction& instruction) {
  Module& module = *instruction.getModule();
  IRBuilder<> builder(&instruction);
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  Value* wanted = builder.CreateCall(runtime_function(module, "cuset_preempts", builder.getInt32Ty(), {}));
  Instruction* then =
      SplitBlockAndInsertIfThen(builder.CreateIsNotNull(wanted), instruction.getIterator(), false);
  builder.SetInsertPoint(then);
  builder.CreateStore(builder.getInt32(CUSET_PREEMPTED), context_field(builder, module, context::kOperation));
  builder.CreateCall(runtime_function(module, kSuspendName, builder.getVoidTy(), {}));
}

}  // namespace

void preempt_at_atomics(const std::vector<Kernel>& kernels) {
  std::vector<Place> places;
  for (const Kernel& kernel : kernels) {
    for (Instruction& instruction : instructions(*kernel.function)) {
      if (is_of_a_library(instruction)) continue;
      if (auto place = place_at(instruction)) places.push_back(*place);
    }
  }
  for (const Place& place : places) {
    if (place.behind) preempt_before(*place.instruction->getNextNode());
    if (place.before) preempt_before(*place.instruction);
  }
}

}  // namespace cuset_pass
