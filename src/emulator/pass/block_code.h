// Makes a loop over the threads of each region of a plan, and lets what a thread knows live from region to region: in
// arrays with an element for each thread, or, where it is the same for all threads, in one variable. What follows from a
// thread's indices by arithmetic is computed again, so that addresses stay ones that the vectorizer understands.
#pragma once

#include <optional>

#include "pass/region_plan.h"
#include "pass/suspension_points.h"
#include "pass/thread_nest.h"

namespace cuset_pass {

class BlockCode {
 public:
  // `own`: the variables that the kernel had before it was planned.
  BlockCode(const ThreadBody& body, const RegionPlan& plan, Uniformity& uniformity,
            const SuspensionPoints& suspensions, const std::set<const llvm::Value*>& own);

  // False where threads would need too much memory.
  bool make();

 private:
  using Block = llvm::BasicBlock;
  using Value = llvm::Value;
  using Instruction = llvm::Instruction;

  // Values
  void number_regions();
  void resolve_operands();
  Value* resolved(size_t region, Value* value);
  Value* from_elsewhere(size_t region, Instruction* value);
  bool is_repeatable(const Value* value, unsigned& budget) const;
  Value* repeated(size_t region, Instruction* value);
  Value* loaded(size_t region, Instruction* value);
  llvm::AllocaInst* variable_for(Instruction* value);
  void load_for_branches();

  // Variables
  bool place_variables();
  bool needs_element(llvm::AllocaInst* variable) const;
  Value* array_of(llvm::AllocaInst* variable);
  void use_elements(llvm::AllocaInst* variable);
  void hoist(size_t region);
  void sink_stores(size_t region);
  bool is_known_before(const Value* value, size_t region) const;
  bool is_always_passed(const Block* block, size_t region) const;

  // Control
  void connect();
  void guard();
  void ask_masks();
  void serve_suspensions();
  void store_indices(size_t region);
  void declare();

  size_t region_of(const Block* block) const;
  Value* threads();

  const ThreadBody& body_;
  llvm::Function& function_;
  const RegionPlan& plan_;
  Uniformity& uniformity_;
  const SuspensionPoints& suspensions_;
  const std::set<const llvm::Value*>& own_;
  std::vector<ThreadNest> nests_;
  std::map<const Block*, size_t> region_of_;
  std::map<std::pair<size_t, Value*>, Value*> known_;
  std::map<Instruction*, llvm::AllocaInst*> variables_;
  std::map<llvm::AllocaInst*, Value*> arrays_;
  Value* threads_ = nullptr;
  uint64_t bytes_of_a_thread_ = 0;
};

}  // namespace cuset_pass
