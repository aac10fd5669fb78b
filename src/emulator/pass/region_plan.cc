#include "pass/region_plan.h"

#include <algorithm>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cuset_pass {

using namespace llvm;

RegionPlan::RegionPlan(Function& function, Uniformity& uniformity, const Cuts& cuts, BasicBlock& end)
    : function_(function), uniformity_(uniformity), cuts_(cuts), end_(end) {}

bool RegionPlan::make() {
  if (!classify()) return false;
  skeleton_.insert(&function_.getEntryBlock());
  skeleton_.insert(&end_);
  for (BasicBlock* stop : cuts_.stops) skeleton_.insert(stop);
  for (BasicBlock* block : alike_) split_branch(*block);
  for (const Choice& choice : differing_) mask(choice);
  return cut();
}

Blocks reachable(BasicBlock* from, const BasicBlock* join) {
  Blocks reached;
  std::vector<BasicBlock*> open{from};
  while (!open.empty()) {
    BasicBlock* block = open.back();
    open.pop_back();
    if (block == join || !reached.insert(block).second) continue;
    open.insert(open.end(), succ_begin(block), succ_end(block));
  }
  return reached;
}

// Finds the branches that decide whether a stop is reached.
bool RegionPlan::classify() {
  PostDominatorTree tree(function_);
  for (BasicBlock& block : function_) {
    const Instruction* branch = block.getTerminator();
    if (branch->getNumSuccessors() < 2) continue;
    const auto* above = tree.getNode(&block) != nullptr ? tree.getNode(&block)->getIDom() : nullptr;
    Choice choice{&block, above != nullptr ? above->getBlock() : nullptr, {}};
    bool decides = false;
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
      const Blocks reached = reachable(branch->getSuccessor(i), choice.join);
      decides |= any_of(
          reached, [&](BasicBlock* stop) { return cuts_.stops.count(stop) + cuts_.rounds.count(stop) != 0; });
      if (i < 2) choice.arms[i] = reached;
    }
    if (!decides) continue;
    const bool waits = any_of(cuts_.stops, [&](BasicBlock* stop) {
      return choice.arms[0].count(stop) + choice.arms[1].count(stop) != 0;
    });
    if (uniformity_.branches_alike(block)) {
      alike_.push_back(&block);
    } else if (waits) {
      return false;  // threads wait in a part that others leave out: coroutines
    } else if (make_loop(choice) || may_be_masked(choice)) {
      differing_.push_back(std::move(choice));
    } else {
      return false;
    }
  }
  // Inner ones first: what leads to an outer one's join is found by its blocks.
  llvm::stable_sort(differing_, [](const Choice& left, const Choice& right) {
    return left.arms[0].size() + left.arms[1].size() < right.arms[0].size() + right.arms[1].size();
  });
  return true;
}

bool RegionPlan::may_be_masked(const Choice& choice) const {
  const auto* branch = dyn_cast<BranchInst>(choice.block->getTerminator());
  if (branch == nullptr || choice.join == nullptr) return false;
  for (unsigned i = 0; i < 2; ++i) {
    const Blocks& arm = choice.arms[i];
    BasicBlock* first = branch->getSuccessor(i);
    if (arm.count(choice.block) != 0) return false;  // a loop that threads leave at different times
    if (!arm.empty() && first->getSinglePredecessor() != choice.block) return false;
    for (BasicBlock* block : arm) {
      if (choice.arms[1 - i].count(block) != 0) return false;
      for (BasicBlock* from : predecessors(block)) {
        if (from != choice.block && arm.count(from) == 0) return false;
      }
    }
  }
  return true;
}

// The branch in a block of its own, for the skeleton.
BasicBlock* RegionPlan::split_branch(BasicBlock& block) {
  if (is_skeleton(&block)) return &block;
  BasicBlock* branch = block.splitBasicBlock(block.getTerminator(), "branch");
  skeleton_.insert(branch);
  for (Choice& choice : differing_) {
    if (choice.join == &block) continue;
    for (auto& arm : choice.arms) {
      if (arm.count(&block) != 0) arm.insert(branch);
    }
  }
  return branch;
}

// The values of its phis travel through memory.
void RegionPlan::demote_phis(BasicBlock& join) {
  std::vector<PHINode*> phis;
  for (PHINode& phi : join.phis()) phis.push_back(&phi);
  IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  for (PHINode* phi : phis) {
    AllocaInst* variable = entry.CreateAlloca(phi->getType(), nullptr, phi->getName() + ".in");
    const bool is_uniform = uniformity_.is_uniform(phi);
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      BasicBlock* from = phi->getIncomingBlock(i);
      while (is_skeleton(from) && from->getSinglePredecessor() != nullptr &&
             from != &function_.getEntryBlock() && from->size() == 1)
        from = from->getSinglePredecessor();
      IRBuilder<>(from->getTerminator()).CreateStore(phi->getIncomingValue(i), variable);
    }
    IRBuilder<> builder(&join, join.getFirstNonPHIIt());
    LoadInst* value = builder.CreateLoad(phi->getType(), variable, phi->getName());
    if (is_uniform) {
      uniformity_.add(value);
      uniformity_.add(variable);
    }
    uniformity_.forget(phi);
    phi->replaceAllUsesWith(value);
    phi->eraseFromParent();
  }
}

// A loop whose only way out is at its end.
bool RegionPlan::make_loop(Choice& choice) const {
  const auto* branch = dyn_cast<BranchInst>(choice.block->getTerminator());
  for (unsigned i = 0; branch != nullptr && i < 2; ++i) {
    BasicBlock* head = branch->getSuccessor(i);
    if (branch->getSuccessor(1 - i) != choice.join || cuts_.rounds.count(head) == 0 ||
        !head->hasNPredecessors(2))
      continue;
    Blocks loop = reachable(head, choice.join);
    if (loop.count(choice.block) == 0) continue;
    for (BasicBlock* from : predecessors(head)) {
      if (from != choice.block) choice.before = from;
    }
    const bool is_closed = all_of(loop, [&](BasicBlock* block) {
      return block == head ||
             all_of(predecessors(block), [&](BasicBlock* from) { return loop.count(from) != 0; });
    });
    if (!is_closed || loop.count(choice.before) != 0 ||
        choice.before->getTerminator()->getNumSuccessors() != 1)
      return false;
    choice.arms[0] = std::move(loop);
    choice.arms[1].clear();
    return true;
  }
  return false;
}

int RegionPlan::add_part(const Blocks& blocks, BasicBlock& decider) {
  IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  const int number = static_cast<int>(masked_.size());
  Masked part;
  part.mask = entry.CreateAlloca(entry.getInt8Ty(), nullptr, "mask");
  part.decider = &decider;
  masked_.push_back(part);
  for (BasicBlock* block : blocks) {
    if (full_.count(block) != 0) continue;
    // Inner parts were numbered before; the outermost of them lies in this one.
    auto [place, is_new] = part_.insert({block, number});
    int inner = place->second;
    while (inner != number && masked_[static_cast<size_t>(inner)].around >= 0)
      inner = masked_[static_cast<size_t>(inner)].around;
    if (inner != number) masked_[static_cast<size_t>(inner)].around = number;
  }
  return number;
}

void RegionPlan::tell(int part, Value* takes_part, BasicBlock& block) {
  IRBuilder<> builder(block.getTerminator());
  builder.CreateStore(builder.CreateZExt(takes_part, builder.getInt8Ty()),
                      masked_[static_cast<size_t>(part)].mask);
}

// A block of the skeleton behind that of a choice, for the question whether any thread takes part.
BasicBlock* RegionPlan::add_check(const Choice& choice) {
  auto* check = BasicBlock::Create(function_.getContext(), "any", &function_);
  skeleton_.insert(check);
  for (Choice& other : differing_) {
    if (&other == &choice) continue;
    for (Blocks& arm : other.arms) {
      if (arm.count(choice.block) != 0) arm.insert(check);
    }
  }
  return check;
}

// if (c) A else B, where threads differ in c: all pass through A, then through B.
void RegionPlan::mask(const Choice& choice) {
  if (choice.before != nullptr) return mask_loop(choice);
  demote_phis(*choice.join);
  auto* branch = cast<BranchInst>(choice.block->getTerminator());
  Value* condition = branch->getCondition();
  BasicBlock* first[2] = {branch->getSuccessor(0), branch->getSuccessor(1)};
  BasicBlock* next = choice.join;
  IRBuilder<> builder(branch);
  Value* conditions[2] = {condition, builder.CreateNot(condition)};
  for (unsigned arm : {1u, 0u}) {
    if (choice.arms[arm].empty()) continue;
    const int part = add_part(choice.arms[arm], *choice.block);
    tell(part, conditions[arm], *choice.block);
    BasicBlock* check = add_check(choice);
    for (BasicBlock* block : choice.arms[arm])
      block->getTerminator()->replaceSuccessorWith(choice.join, next);
    enter(part, *first[arm], *next, choice.arms[arm], *check);
    next = check;
  }
  BranchInst::Create(next, choice.block);
  branch->eraseFromParent();
}

// do A while (c): all go round as long as any thread does.
void RegionPlan::mask_loop(const Choice& choice) {
  BasicBlock* head = choice.before->getSingleSuccessor();
  demote_phis(*head);
  demote_phis(*choice.join);
  auto* branch = cast<BranchInst>(choice.block->getTerminator());
  IRBuilder<> builder(branch);
  Value* again =
      branch->getSuccessor(0) == head ? branch->getCondition() : builder.CreateNot(branch->getCondition());
  const int part = add_part(choice.arms[0], *choice.before);
  tell(part, builder.getTrue(), *choice.before);
  tell(part, again, *choice.block);
  BasicBlock* check = add_check(choice);
  BranchInst::Create(check, choice.block);
  branch->eraseFromParent();
  keep_outside(choice.arms[0]);
  enter(part, *head, *choice.join, choice.arms[0], *check);
}

// if (all take part) a copy of the part without a mask; else if (any takes part) the part.
void RegionPlan::enter(int part, BasicBlock& first, BasicBlock& otherwise, const Blocks& blocks,
                       BasicBlock& check) {
  Masked& masked = masked_[static_cast<size_t>(part)];
  Value* open = PoisonValue::get(Type::getInt1Ty(function_.getContext()));
  BasicBlock* some = &check;
  if (may_be_copied(blocks)) {
    some = BasicBlock::Create(function_.getContext(), "some", &function_);
    skeleton_.insert(some);
    for (Choice& choice : differing_) {
      for (Blocks& arm : choice.arms) {
        if (arm.count(&check) != 0) arm.insert(some);
      }
    }
    masked.full = BranchInst::Create(copied(blocks, first), some, open, &check);
  }
  masked.entry = BranchInst::Create(&first, &otherwise, open, some);
}

// Where nobody waits: loads of one address for a row of threads stay such without a mask.
bool RegionPlan::may_be_copied(const Blocks& blocks) const {
  constexpr size_t kMostInstructions = 300;
  size_t instructions = 0;
  for (const BasicBlock* block : blocks) {
    instructions += block->size();
    const int part = part_of(block);
    if (part != static_cast<int>(masked_.size()) - 1) return false;  // a part in the part
  }
  return instructions <= kMostInstructions;
}

BasicBlock* RegionPlan::copied(const Blocks& blocks, BasicBlock& first) {
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*, 16> made;
  for (BasicBlock* block : blocks) {
    BasicBlock* copy = CloneBasicBlock(block, copies, ".full", &function_);
    copies[block] = copy;
    made.push_back(copy);
    full_.insert(copy);
    uniformity_.add_copy(block, copy);
    if (is_skeleton(block)) skeleton_.insert(copy);
    for (Choice& choice : differing_) {
      for (Blocks& arm : choice.arms) {
        if (&arm != &blocks && arm.count(block) != 0) arm.insert(copy);
      }
    }
    for (auto original = block->begin(), own = copy->begin(); own != copy->end(); ++original, ++own)
      uniformity_.add_copy(&*original, &*own);
  }
  remapInstructionsInBlocks(made, copies);
  return cast<BasicBlock>(copies[&first]);
}

// What is used behind a loop that there will be two of goes there through memory.
void RegionPlan::keep_outside(const Blocks& blocks) {
  if (!may_be_copied(blocks)) return;
  IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  for (BasicBlock* block : blocks) {
    for (Instruction& value : *block) {
      std::vector<Use*> uses;
      for (Use& use : value.uses()) {
        const auto* phi = dyn_cast<PHINode>(use.getUser());
        BasicBlock* user =
            phi != nullptr ? phi->getIncomingBlock(use) : cast<Instruction>(use.getUser())->getParent();
        if (blocks.count(user) == 0) uses.push_back(&use);
      }
      if (uses.empty()) continue;
      AllocaInst* variable = entry.CreateAlloca(value.getType(), nullptr, value.getName() + ".left");
      for (Use* use : uses) {
        auto* phi = dyn_cast<PHINode>(use->getUser());
        IRBuilder<> builder(phi != nullptr ? phi->getIncomingBlock(*use)->getTerminator()
                                           : cast<Instruction>(use->getUser()));
        use->set(builder.CreateLoad(value.getType(), variable));
      }
      IRBuilder<> behind(block,
                         isa<PHINode>(value) ? block->getFirstNonPHIIt() : std::next(value.getIterator()));
      behind.CreateStore(&value, variable);
    }
  }
}

bool RegionPlan::cut() {
  for (bool changed = true; changed;) {
    changed = false;
    heads_.clear();
    for (BasicBlock& block : function_) {
      if (!is_skeleton(&block)) continue;
      for (BasicBlock* next : successors(&block)) {
        if (!is_skeleton(next)) heads_.insert(next);
      }
    }
    if (!find_regions()) return false;
    for (const Region& region : regions_) {
      if (!split_exits(region, changed)) return false;
      if (changed) break;
    }
  }
  for (BasicBlock* head : heads_) demote_phis(*head);
  for (BasicBlock& block : function_) {
    if (is_skeleton(&block)) demote_phis(block);
  }
  return true;
}

// Flows from every head to the next cuts; a block that two heads reach becomes one itself.
bool RegionPlan::find_regions() {
  const ReversePostOrderTraversal<Function*> order(&function_);
  for (bool changed = true; changed;) {
    changed = false;
    std::map<BasicBlock*, BasicBlock*> owner;
    for (BasicBlock* block : order) {
      if (is_skeleton(block)) continue;
      if (heads_.count(block) != 0) owner[block] = block;
      BasicBlock* mine = owner[block];
      if (mine == nullptr) return false;
      for (BasicBlock* next : successors(block)) {
        if (is_skeleton(next) || heads_.count(next) != 0) continue;
        BasicBlock*& known = owner[next];
        if (known != nullptr && known != mine) {
          heads_.insert(next);
          changed = true;
          break;
        }
        known = mine;
      }
      if (changed) break;
    }
    if (changed) continue;
    std::map<BasicBlock*, size_t> number;
    regions_.clear();
    for (BasicBlock* block : order) {
      if (is_skeleton(block)) continue;
      BasicBlock* head = owner[block];
      if (number.count(head) == 0) {
        number[head] = regions_.size();
        regions_.push_back({head, nullptr, {}, part_.count(head) != 0 ? part_[head] : -1});
      }
      regions_[number[head]].blocks.push_back(block);
    }
  }
  return true;
}

// A region that leads to two places is cut at the branch between them, which all threads must take alike.
bool RegionPlan::split_exits(const Region& region, bool& changed) {
  const std::set<BasicBlock*> inside(region.blocks.begin(), region.blocks.end());
  const auto leaves_to = [&](BasicBlock* from) {
    std::set<BasicBlock*> exits;
    std::set<BasicBlock*> seen;
    std::vector<BasicBlock*> open{from};
    while (!open.empty()) {
      BasicBlock* block = open.back();
      open.pop_back();
      if (!seen.insert(block).second) continue;
      if (inside.count(block) == 0 || (block == region.head && block != from)) {
        exits.insert(block);
        continue;
      }
      open.insert(open.end(), succ_begin(block), succ_end(block));
    }
    return exits;
  };
  std::set<BasicBlock*> exits;
  for (BasicBlock* block : region.blocks) {
    for (BasicBlock* next : successors(block)) {
      if (inside.count(next) == 0 || next == region.head) exits.insert(next);
    }
  }
  if (exits.empty()) return false;
  if (exits.size() == 1) {
    const_cast<Region&>(region).exit = *exits.begin();
    return true;
  }
  for (BasicBlock* block : region.blocks) {
    if (block->getTerminator()->getNumSuccessors() < 2) continue;
    std::set<std::set<BasicBlock*>> ways;
    for (BasicBlock* next : successors(block)) {
      ways.insert(inside.count(next) == 0 || next == region.head ? std::set<BasicBlock*>{next}
                                                                 : leaves_to(next));
    }
    if (ways.size() < 2) continue;
    if (!uniformity_.branches_alike(*block)) return false;
    BasicBlock* branch = split_branch(*block);
    if (auto part = part_.find(block); part != part_.end()) part_[branch] = part->second;
    changed = true;
    return true;
  }
  return false;
}

}  // namespace cuset_pass
