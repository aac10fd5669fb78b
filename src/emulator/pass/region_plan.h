// Where a kernel's code is cut into regions, each of which all threads of a block run before any of them enters the next.
//
// A region ends where threads wait for each other, and wherever a branch decides whether they will ("skeleton": such
// branches are taken once for the block). All threads must take them alike (Uniformity), except
// around loops that threads go through together (common_rounds.h): a part with such a loop that some threads leave out
// becomes one that all pass through and that each thread enters only where its mask is set.
//
// A region has one entry and one exit. What cannot be cut like this keeps its coroutines (coroutines.cc).
#pragma once

#include <map>
#include <set>
#include <vector>

#include "llvm/IR/Dominators.h"
#include "pass/uniformity.h"

namespace cuset_pass {

// A part of the kernel that some threads leave out, or a loop that they leave at different times.
struct Masked {
  llvm::AllocaInst* mask = nullptr;     // of a thread, one byte: whether it takes part
  llvm::BasicBlock* decider = nullptr;  // where threads first say whether they do
  llvm::BranchInst* entry =
      nullptr;  // of the block: taken to the part if any thread takes part; its condition is still open
  llvm::BranchInst* full =
      nullptr;      // of the block, before that: taken to a copy without a mask if all threads take part
  int around = -1;  // the masked part that this one lies in
};

using Blocks = std::set<llvm::BasicBlock*>;

// All that is reached from a block without passing `join`.
Blocks reachable(llvm::BasicBlock* from, const llvm::BasicBlock* join);

struct Region {
  llvm::BasicBlock* head = nullptr;
  llvm::BasicBlock* exit = nullptr;  // behind it
  std::vector<llvm::BasicBlock*> blocks;
  int masked = -1;  // the part that it lies in
};

// What regions are cut for.
struct Cuts {
  std::set<llvm::BasicBlock*> stops;   // nobody passes these before all have arrived
  std::set<llvm::BasicBlock*> rounds;  // heads of loops that threads go through together
};

class RegionPlan {
 public:
  // `end`: the only block that returns.
  RegionPlan(llvm::Function& function, Uniformity& uniformity, const Cuts& cuts, llvm::BasicBlock& end);

  // Changes the function: false where it cannot be cut; it is of no use then.
  bool make();

  const std::vector<Region>& regions() const { return regions_; }
  const std::vector<Masked>& masked() const { return masked_; }
  // Runs once for the block: stops and the branches between regions.
  bool is_skeleton(const llvm::BasicBlock* block) const { return skeleton_.count(block) != 0; }
  // The masked part that a block lies in, -1: none.
  int part_of(const llvm::BasicBlock* block) const {
    const auto part = part_.find(block);
    return part != part_.end() ? part->second : -1;
  }

 private:
  struct Choice {
    llvm::BasicBlock* block;
    llvm::BasicBlock* join;
    Blocks arms[2];                      // of a loop: the loop, nothing
    llvm::BasicBlock* before = nullptr;  // of a loop: what leads to its head
  };

  bool classify();
  bool may_be_masked(const Choice& choice) const;
  llvm::BasicBlock* split_branch(llvm::BasicBlock& block);
  void demote_phis(llvm::BasicBlock& join);
  bool make_loop(Choice& choice) const;
  void mask(const Choice& choice);
  void mask_loop(const Choice& choice);
  int add_part(const Blocks& blocks, llvm::BasicBlock& decider);
  void tell(int part, llvm::Value* takes_part, llvm::BasicBlock& block);
  llvm::BasicBlock* add_check(const Choice& choice);
  void enter(int part, llvm::BasicBlock& first, llvm::BasicBlock& otherwise, const Blocks& blocks,
             llvm::BasicBlock& check);
  bool may_be_copied(const Blocks& blocks) const;
  llvm::BasicBlock* copied(const Blocks& blocks, llvm::BasicBlock& first);
  void keep_outside(const Blocks& blocks);
  bool cut();
  bool find_regions();
  bool split_exits(const Region& region, bool& changed);

  llvm::Function& function_;
  Uniformity& uniformity_;
  const Cuts& cuts_;
  llvm::BasicBlock& end_;
  std::vector<llvm::BasicBlock*> alike_;
  std::vector<Choice> differing_;
  std::set<const llvm::BasicBlock*> skeleton_;
  std::set<llvm::BasicBlock*> heads_;
  std::map<const llvm::BasicBlock*, int> part_;
  Blocks full_;  // copies for when all threads take part
  std::vector<Masked> masked_;
  std::vector<Region> regions_;
};

}  // namespace cuset_pass
