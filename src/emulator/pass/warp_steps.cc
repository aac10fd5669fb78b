// Code of the time before Volta lets the lanes of a warp go step by step together and tells the compiler with `volatile`
// that they exchange values through shared memory:
//
//   if (tid < 32) { volatile int* s = shared; s[tid] += s[tid + 32]; s[tid] += s[tid + 16]; ... }
//
// GPUs do in practice what it expects, though nothing promises it since. So around a volatile store to shared memory the
// lanes that are at that place wait for each other: before it, all have read what it overwrites; behind it, all read what was
// written. The request is that of __activemask, which is answered when no other lane of the warp can run, so that nobody waits
// for lanes that went another way. Checked programs have none of it: there, such code is a race.
#include "cuset_emulator/abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Calls of a function by its name; with its address taken there may be others.
std::vector<CallBase*> known_calls(const Function& function) {
  std::vector<CallBase*> calls;
  for (const Use& use : function.uses()) {
    auto* call = dyn_cast<CallBase>(use.getUser());
    if (call != nullptr && call->isCallee(&use)) calls.push_back(call);
  }
  return calls;
}

// The addresses that are known to lie in shared memory: made from shared variables, or from a parameter that gets such an
// address in every call.
class SharedAddresses {
 public:
  SharedAddresses(Module& module, const std::vector<GlobalVariable*>& variables)
      : variables_(variables.begin(), variables.end()) {
    for (GlobalVariable& variable : module.globals()) {
      if (is_dynamic_shared_array(variable)) variables_.insert(&variable);
    }
    for (Function& function : module) {
      if (function.isDeclaration() || function.hasAddressTaken() || known_calls(function).empty()) continue;
      for (Argument& parameter : function.args()) {
        if (parameter.getType()->isPointerTy()) parameters_.insert(&parameter);
      }
    }
    while (drop_parameters()) {
    }
  }

  bool contain(const Value* address) const {
    SmallVector<const Value*, 4> objects;
    getUnderlyingObjects(address, objects, nullptr, 0);
    return all_of(objects, [&](const Value* object) {
      return variables_.count(object) + parameters_.count(object) != 0;
    });
  }

 private:
  // Those that a call gives something else; false if there were none.
  bool drop_parameters() {
    return erase_if(parameters_, [&](const Value* value) {
             const auto* parameter = cast<Argument>(value);
             return any_of(known_calls(*parameter->getParent()), [&](const CallBase* call) {
               return !contain(call->getArgOperand(parameter->getArgNo()));
             });
           }) != 0;
  }

  std::set<const Value*> variables_;
  std::set<const Value*> parameters_;
};

// Functions that end up inlined in kernels where they wait (entries.cc): not those that are reached by recursion or through
// pointers.
class InlinedFunctions {
 public:
  explicit InlinedFunctions(const std::vector<Kernel>& kernels) {
    for (const Kernel& kernel : kernels) known_[kernel.function] = true;
  }

  bool contain(Function& function) {
    const auto [known, is_new] =
        known_.insert({&function, false});  // while its callers are asked: false if it is one
    if (!is_new || function.hasAddressTaken()) return known->second;
    const bool inlined =
        all_of(known_calls(function), [&](CallBase* call) { return contain(*call->getFunction()); });
    return known_[&function] = inlined;
  }

 private:
  std::map<Function*, bool> known_;
};

void wait_before(Instruction& instruction) {
  Module& module = *instruction.getModule();
  IRBuilder<> builder(&instruction);
  builder.CreateStore(builder.getInt32(CUSET_ACTIVE_MASK),
                      context_field(builder, module, context::kOperation));
  builder.CreateCall(runtime_function(module, kSuspendName, builder.getVoidTy(), {}));
}

// Stores that follow each other without a read in between need one wait between them.
void wait_around(BasicBlock& block, const std::set<Instruction*>& stores) {
  bool waited = false;
  for (Instruction& instruction : make_early_inc_range(block)) {
    if (stores.count(&instruction) == 0) {
      waited = waited && !instruction.mayReadOrWriteMemory();
      continue;
    }
    if (!waited) wait_before(instruction);
    wait_before(*instruction.getNextNode());
    waited = true;
  }
}

std::vector<StoreInst*> volatile_stores(Module& module) {
  std::vector<StoreInst*> stores;
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      auto* store = dyn_cast<StoreInst>(&instruction);
      if (store != nullptr && store->isVolatile() && !store->isAtomic()) stores.push_back(store);
    }
  }
  return stores;
}

}  // namespace

void keep_lanes_in_step(Module& module, const std::vector<GlobalVariable*>& shared,
                        const std::vector<Kernel>& kernels) {
  const std::vector<StoreInst*> candidates = volatile_stores(module);
  if (candidates.empty()) return;
  const SharedAddresses addresses(module, shared);
  InlinedFunctions inlined(kernels);
  std::set<Instruction*> stores;
  std::set<BasicBlock*> blocks;
  for (StoreInst* store : candidates) {
    if (!addresses.contain(store->getPointerOperand()) || !inlined.contain(*store->getFunction())) continue;
    stores.insert(store);
    blocks.insert(store->getParent());
  }
  for (BasicBlock* block : blocks) wait_around(*block, stores);
}

}  // namespace cuset_pass
