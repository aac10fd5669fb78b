#include "pass/block_code.h"

#include "cuset_emulator/abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cuset_pass {

using namespace llvm;

namespace {

constexpr size_t kNoRegion = SIZE_MAX;
constexpr uint64_t kMostBytesOfAThread = 4096;  // of stack, times the threads of a block
constexpr unsigned kMostRepeated = 24;          // instructions that are computed again instead of kept

std::vector<AllocaInst*> variables_of(Function& function) {
  std::vector<AllocaInst*> found;
  for (Instruction& instruction : instructions(function)) {
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) found.push_back(variable);
  }
  return found;
}

// Uses of a variable's address, and of addresses made from it; `escapes` where it is kept somewhere.
void follow_address(Instruction* address, std::vector<Instruction*>& uses, bool& escapes) {
  for (User* user : address->users()) {
    auto* instruction = cast<Instruction>(user);
    if (is_contained(uses, instruction)) continue;
    uses.push_back(instruction);
    if (isa<GetElementPtrInst>(instruction) || isa<PHINode>(instruction) || isa<SelectInst>(instruction)) {
      follow_address(instruction, uses, escapes);
    } else if (auto* store = dyn_cast<StoreInst>(instruction)) {
      escapes |= store->getValueOperand() == address;
    } else if (!isa<LoadInst>(instruction) && !isa<MemIntrinsic>(instruction) &&
               !instruction->isLifetimeStartOrEnd()) {
      escapes = true;
    }
  }
}

// i1 (ptr bytes, i32 count): whether one of them, or all of them, are 1. Others are 0.
Function* question(Module& module, const char* name, bool asks_all) {
  if (Function* known = module.getFunction(name)) return known;
  IRBuilder<> builder(module.getContext());
  auto* type = FunctionType::get(builder.getInt1Ty(), {builder.getPtrTy(), builder.getInt32Ty()}, false);
  auto* any = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  any->addFnAttr(Attribute::AlwaysInline);
  auto* entry = BasicBlock::Create(module.getContext(), "", any);
  auto* body = BasicBlock::Create(module.getContext(), "body", any);
  auto* done = BasicBlock::Create(module.getContext(), "done", any);
  builder.SetInsertPoint(entry);
  builder.CreateBr(body);
  builder.SetInsertPoint(body);
  PHINode* index = builder.CreatePHI(builder.getInt32Ty(), 2);
  PHINode* all = builder.CreatePHI(builder.getInt8Ty(), 2);
  Value* byte = builder.CreateLoad(
      builder.getInt8Ty(), builder.CreateInBoundsGEP(builder.getInt8Ty(), any->getArg(0),
                                                     builder.CreateZExt(index, builder.getInt64Ty())));
  Value* joined = asks_all ? builder.CreateAnd(all, byte) : builder.CreateOr(all, byte);
  Value* next = builder.CreateNUWAdd(index, builder.getInt32(1));
  index->addIncoming(builder.getInt32(0), entry);
  index->addIncoming(next, body);
  all->addIncoming(builder.getInt8(asks_all ? 1 : 0), entry);
  all->addIncoming(joined, body);
  builder.CreateCondBr(builder.CreateICmpULT(next, any->getArg(1)), body, done);
  builder.SetInsertPoint(done);
  builder.CreateRet(builder.CreateICmpNE(joined, builder.getInt8(0)));
  return any;
}

}  // namespace

BlockCode::BlockCode(const ThreadBody& body, const RegionPlan& plan, Uniformity& uniformity,
                     const SuspensionPoints& suspensions, const std::set<const Value*>& own)
    : body_(body),
      function_(*body.function),
      plan_(plan),
      uniformity_(uniformity),
      suspensions_(suspensions),
      own_(own) {}

bool BlockCode::make() {
  for (size_t i = 0; i < plan_.regions().size(); ++i) nests_.push_back(make_thread_nest(body_));
  number_regions();
  resolve_operands();
  load_for_branches();
  if (!place_variables()) return false;
  for (size_t i = 0; i < nests_.size(); ++i) {
    hoist(i);
    sink_stores(i);
  }
  guard();
  connect();
  ask_masks();
  serve_suspensions();
  declare();
  return true;
}

void BlockCode::number_regions() {
  for (size_t i = 0; i < plan_.regions().size(); ++i) {
    for (const Block* block : plan_.regions()[i].blocks) region_of_[block] = i;
    region_of_[nests_[i].thread] = i;
  }
}

size_t BlockCode::region_of(const Block* block) const {
  const auto region = region_of_.find(block);
  return region != region_of_.end() ? region->second : kNoRegion;
}

Value* BlockCode::threads() {
  if (threads_ == nullptr) {
    IRBuilder<> builder(function_.getEntryBlock().getTerminator());
    threads_ = builder.CreateNUWMul(builder.CreateNUWMul(body_.size(0), body_.size(1)), body_.size(2));
  }
  return threads_;
}

// What a region uses and does not define itself. Nothing is replaced before all is known, since values are repeated from the
// code as it was.
void BlockCode::resolve_operands() {
  std::vector<std::pair<size_t, Instruction*>> all;
  for (size_t i = 0; i < plan_.regions().size(); ++i) {
    for (Block* block : plan_.regions()[i].blocks) {
      for (Instruction& instruction : *block) all.push_back({i, &instruction});
    }
  }
  std::vector<std::pair<Use*, Value*>> replacements;
  for (auto& [region, instruction] : all) {
    for (Use& operand : instruction->operands()) {
      Value* value = resolved(region, operand.get());
      if (value != operand.get()) replacements.push_back({&operand, value});
    }
  }
  for (auto& [operand, value] : replacements) operand->set(value);
}

Value* BlockCode::resolved(size_t region, Value* value) {
  if (auto* parameter = dyn_cast<Argument>(value)) {
    Value* own = nests_[region].value_of(body_, parameter);
    return own != nullptr ? own : value;
  }
  auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || instruction->getParent() == &function_.getEntryBlock()) return value;
  const size_t home = region_of(instruction->getParent());
  return home == region || home == kNoRegion ? value : from_elsewhere(region, instruction);
}

Value* BlockCode::from_elsewhere(size_t region, Instruction* value) {
  if (const auto known = known_.find({region, value}); known != known_.end()) return known->second;
  unsigned budget = kMostRepeated;
  Value* made = !uniformity_.is_uniform(value) && is_repeatable(value, budget) ? repeated(region, value)
                                                                               : loaded(region, value);
  return known_[{region, value}] = made;
}

// Follows from parameters and values that are the same for all threads by arithmetic alone.
bool BlockCode::is_repeatable(const Value* value, unsigned& budget) const {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || uniformity_.is_uniform(value) ||
      instruction->getParent() == &function_.getEntryBlock())
    return true;
  if (budget == 0) return false;
  --budget;
  const bool is_arithmetic = isa<CastInst>(instruction) || isa<GetElementPtrInst>(instruction) ||
                             isa<CmpInst>(instruction) || isa<SelectInst>(instruction) ||
                             (isa<BinaryOperator>(instruction) && isSafeToSpeculativelyExecute(instruction) &&
                              !instruction->getType()->isFPOrFPVectorTy());
  return is_arithmetic && all_of(instruction->operands(),
                                 [&](const Use& operand) { return is_repeatable(operand.get(), budget); });
}

Value* BlockCode::repeated(size_t region, Instruction* value) {
  Instruction* copy = value->clone();
  for (Use& operand : copy->operands()) operand.set(resolved(region, operand.get()));
  copy->setName(value->getName());
  copy->insertBefore(nests_[region].thread->getTerminator());
  return copy;
}

Value* BlockCode::loaded(size_t region, Instruction* value) {
  AllocaInst* variable = variable_for(value);
  const bool is_uniform = uniformity_.is_uniform(value);
  Block* place = is_uniform ? nests_[region].before : nests_[region].thread;
  IRBuilder<> builder(place->getTerminator());
  LoadInst* load = builder.CreateLoad(value->getType(), variable, value->getName());
  if (is_uniform) uniformity_.add(load);
  return load;
}

// Kept as soon as it is known.
AllocaInst* BlockCode::variable_for(Instruction* value) {
  AllocaInst*& variable = variables_[value];
  if (variable != nullptr) return variable;
  IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  variable = entry.CreateAlloca(value->getType(), nullptr, value->getName() + ".kept");
  if (uniformity_.is_uniform(value)) uniformity_.add(variable);
  Block* home = value->getParent();
  IRBuilder<> builder(home, isa<PHINode>(value) ? home->getFirstNonPHIIt() : std::next(value->getIterator()));
  builder.CreateStore(value, variable);
  return variable;
}

// The branches of the skeleton read their conditions.
void BlockCode::load_for_branches() {
  for (Block& block : function_) {
    if (!plan_.is_skeleton(&block)) continue;
    Instruction* branch = block.getTerminator();
    for (Use& operand : branch->operands()) {
      auto* value = dyn_cast<Instruction>(operand.get());
      if (value == nullptr || region_of(value->getParent()) == kNoRegion) continue;
      IRBuilder<> builder(branch);
      operand.set(builder.CreateLoad(value->getType(), variable_for(value)));
    }
  }
}

bool BlockCode::place_variables() {
  for (AllocaInst* variable : variables_of(function_)) {
    if (variable->getParent() != &function_.getEntryBlock() || !isa<ConstantInt>(variable->getArraySize()))
      return false;
    if (uniformity_.is_uniform(variable)) {
      for (User* user : variable->users()) {
        auto* load = dyn_cast<LoadInst>(user);
        const size_t region = load != nullptr ? region_of(load->getParent()) : kNoRegion;
        if (region != kNoRegion) load->moveBefore(nests_[region].before->getTerminator());
      }
    } else if (needs_element(variable)) {
      use_elements(variable);
    }
  }
  return bytes_of_a_thread_ <= kMostBytesOfAThread;
}

// A variable of the kernel that one region alone uses can be the same for every thread, one after the other.
bool BlockCode::needs_element(AllocaInst* variable) const {
  if (own_.count(variable) == 0) return true;
  std::vector<Instruction*> uses;
  bool escapes = false;
  follow_address(variable, uses, escapes);
  if (escapes) return true;
  std::set<size_t> regions;
  for (const Instruction* use : uses) regions.insert(region_of(use->getParent()));
  return regions.size() > 1 || regions.count(kNoRegion) != 0;
}

Value* BlockCode::array_of(AllocaInst* variable) {
  Value*& array = arrays_[variable];
  if (array != nullptr) return array;
  const DataLayout& layout = function_.getParent()->getDataLayout();
  Type* type = variable->getAllocatedType();
  const uint64_t count = cast<ConstantInt>(variable->getArraySize())->getZExtValue();
  if (count != 1) type = ArrayType::get(type, count);
  // Each element has the variable's alignment, not only the first: five pointers, 40 bytes, are aligned to 16.
  const uint64_t bytes = layout.getTypeAllocSize(type);
  if (const uint64_t padding = offsetToAlignment(bytes, variable->getAlign()); padding != 0)
    type = StructType::get(type, ArrayType::get(Type::getInt8Ty(type->getContext()), padding));
  bytes_of_a_thread_ += layout.getTypeAllocSize(type);
  IRBuilder<> builder(function_.getEntryBlock().getTerminator());
  auto* made = new AllocaInst(type, 0, threads(), std::max(variable->getAlign(), Align(64)),
                              variable->getName() + ".all");
  builder.Insert(made);
  return array = made;
}

void BlockCode::use_elements(AllocaInst* variable) {
  Value* array = array_of(variable);
  std::map<size_t, Value*> elements;
  std::vector<Instruction*> users;
  for (User* user : variable->users()) users.push_back(cast<Instruction>(user));
  for (Instruction* user : users) {
    if (user->isLifetimeStartOrEnd()) {
      user->eraseFromParent();
      continue;
    }
    const size_t region = region_of(user->getParent());
    if (region == kNoRegion) continue;
    Value*& element = elements[region];
    if (element == nullptr) {
      // First of all in the thread: what was put there uses it.
      IRBuilder<> builder(cast<Instruction>(nests_[region].lane)->getNextNode());
      element = builder.CreateInBoundsGEP(cast<AllocaInst>(array)->getAllocatedType(), array,
                                          builder.CreateZExt(nests_[region].linear, builder.getInt64Ty()));
    }
    user->replaceUsesOfWith(variable, element);
  }
}

bool BlockCode::is_known_before(const Value* value, size_t region) const {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr) return true;
  return instruction->getParent() == &function_.getEntryBlock() ||
         instruction->getParent() == nests_[region].before;
}

// What is the same for all threads is computed once, before the loops.
void BlockCode::hoist(size_t region) {
  std::vector<Instruction*> candidates;
  for (Block* block : plan_.regions()[region].blocks) {
    for (Instruction& instruction : *block) {
      if (uniformity_.is_uniform(&instruction) && !isa<PHINode>(instruction) && !instruction.isTerminator() &&
          !instruction.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&instruction))
        candidates.push_back(&instruction);
    }
  }
  for (Instruction* instruction : candidates) {
    if (all_of(instruction->operands(),
               [&](const Use& operand) { return is_known_before(operand.get(), region); }))
      instruction->moveBefore(nests_[region].before->getTerminator());
  }
}

// Every thread passes a block that cannot be avoided on the way from head to exit.
bool BlockCode::is_always_passed(const Block* block, size_t region) const {
  const Region& code = plan_.regions()[region];
  if (block == code.head || block == nests_[region].thread) return true;
  std::set<const Block*> seen{block, code.head};
  std::vector<const Block*> open{code.head};
  while (!open.empty()) {
    const Block* from = open.back();
    open.pop_back();
    for (const Block* to : successors(from)) {
      if (to == code.exit) return false;
      if (seen.insert(to).second) open.push_back(to);
    }
  }
  return true;
}

void BlockCode::sink_stores(size_t region) {
  ThreadNest& nest = nests_[region];
  std::vector<StoreInst*> stores;
  for (Block* block : plan_.regions()[region].blocks) {
    for (Instruction& instruction : *block) {
      auto* store = dyn_cast<StoreInst>(&instruction);
      auto* variable = store != nullptr ? dyn_cast<AllocaInst>(store->getPointerOperand()) : nullptr;
      if (variable != nullptr && uniformity_.is_uniform(variable)) stores.push_back(store);
    }
  }
  for (StoreInst* store : stores) {
    if (!is_always_passed(store->getParent(), region)) continue;
    if (is_known_before(store->getValueOperand(), region) || plan_.regions()[region].masked < 0)
      store->moveBefore(*nest.done, nest.done->end());
  }
}

// Threads that a part leaves out pass its regions by.
void BlockCode::guard() {
  for (size_t i = 0; i < nests_.size(); ++i) {
    ThreadNest& nest = nests_[i];
    IRBuilder<> builder(nest.thread->getTerminator());
    const int part = plan_.regions()[i].masked;
    Block* head = plan_.regions()[i].head;
    if (part < 0) {
      builder.CreateBr(head);
    } else {
      auto* array = array_of(plan_.masked()[static_cast<size_t>(part)].mask);
      Value* address = builder.CreateInBoundsGEP(builder.getInt8Ty(), array,
                                                 builder.CreateZExt(nest.linear, builder.getInt64Ty()));
      Value* takes_part =
          builder.CreateICmpNE(builder.CreateLoad(builder.getInt8Ty(), address), builder.getInt8(0));
      builder.CreateCondBr(takes_part, head, nest.next);
    }
    nest.thread->getTerminator()->eraseFromParent();
    store_indices(i);
  }
}

void BlockCode::connect() {
  std::map<const Block*, size_t> by_head;
  for (size_t i = 0; i < nests_.size(); ++i) by_head[plan_.regions()[i].head] = i;
  const auto entrance = [&](Block* block) {
    const auto region = by_head.find(block);
    return region != by_head.end() ? nests_[region->second].before : block;
  };
  for (Block& block : function_) {
    if (!plan_.is_skeleton(&block)) continue;
    Instruction* branch = block.getTerminator();
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
      branch->setSuccessor(i, entrance(branch->getSuccessor(i)));
  }
  for (size_t i = 0; i < nests_.size(); ++i) {
    const Region& region = plan_.regions()[i];
    for (Block* block : region.blocks)
      block->getTerminator()->replaceSuccessorWith(region.exit, nests_[i].next);
    BranchInst::Create(entrance(region.exit), nests_[i].done);
  }
}

void BlockCode::ask_masks() {
  Module& module = *function_.getParent();
  for (const Masked& part : plan_.masked()) {
    Value* array = array_of(part.mask);
    IRBuilder<> builder(part.entry);
    part.entry->setCondition(builder.CreateCall(question(module, "cuset.any", false), {array, threads()}));
    if (part.full != nullptr) {
      builder.SetInsertPoint(part.full);
      part.full->setCondition(builder.CreateCall(question(module, "cuset.all", true), {array, threads()}));
    }
    if (part.around < 0) continue;
    // Threads that the part around leaves out never say so here.
    IRBuilder<> before(nests_[region_of(part.decider)].before->getTerminator());
    before.CreateMemSet(array, before.getInt8(0), before.CreateZExt(threads(), before.getInt64Ty()),
                        MaybeAlign(64));
  }
}

void BlockCode::serve_suspensions() {
  Module& module = *function_.getParent();
  for (const SuspensionPoint& point : suspensions_.points) {
    IRBuilder<> builder(point.call);
    auto* null = ConstantPointerNull::get(builder.getPtrTy());
    const auto array = [&](unsigned field) -> Value* {
      const auto variable = suspensions_.variables.find(field);
      return variable != suspensions_.variables.end() ? array_of(variable->second) : null;
    };
    if (point.operation != CUSET_BARRIER && point.operation != CUSET_WARP_SYNC) {
      Type* pointer = builder.getPtrTy();
      Type* word = builder.getInt32Ty();
      builder.CreateCall(runtime_function(module, "cuset_complete_operation", builder.getVoidTy(),
                                          {word, word, pointer, pointer, pointer, pointer}),
                         {builder.getInt32(point.operation), threads(), array(context::kMask),
                          array(context::kArgument), array(context::kValue), array(context::kResult)});
    }
    point.call->eraseFromParent();
  }
}

// Functions that are called, not inlined, read the thread's index from the context, as do loads that are not followed.
void BlockCode::store_indices(size_t region) {
  bool calls = body_.reads_context;
  for (const Block* block : plan_.regions()[region].blocks) {
    calls |= any_of(*block, [](const Instruction& instruction) {
      return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction);
    });
  }
  if (!calls) return;
  const ThreadNest& nest = nests_[region];
  Module& module = *function_.getParent();
  IRBuilder<> builder(nest.thread->getTerminator());
  for (unsigned axis = 0; axis < 3; ++axis)
    builder.CreateStore(nest.index[axis], context_field(builder, module, context::kThreadIndex + 4 * axis));
  builder.CreateStore(nest.linear, context_field(builder, module, context::kLinearThread));
  builder.CreateStore(nest.lane, context_field(builder, module, context::kLane));
}

void BlockCode::declare() {
  if (body_.reads_context)
    return;  // what goes through the context goes from one turn of the loop to the next
  for (size_t i = 0; i < nests_.size(); ++i) {
    std::vector<Block*> blocks = plan_.regions()[i].blocks;
    blocks.push_back(nests_[i].thread);
    std::vector<Instruction*> accesses;
    for (Block* block : blocks) {
      for (Instruction& instruction : *block) {
        const Value* address = getLoadStorePointerOperand(&instruction);
        if (address == nullptr) continue;
        const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(address, 0));
        // Variables of one thread at a time are not independent: all threads of the loop use the same memory.
        if (variable == nullptr || !isa<ConstantInt>(variable->getArraySize()))
          accesses.push_back(&instruction);
      }
    }
    declare_parallel(nests_[i], accesses);
  }
}

}  // namespace cuset_pass
