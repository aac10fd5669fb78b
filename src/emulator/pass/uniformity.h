// Which values are the same in all threads of a block, and which branches all threads take the same way. LLVM's analysis
// for GPUs does the work (UniformityAnalysis); here is what it asks a target: where threads begin to differ.
//
// What is read from one address is taken to be the same for all who read it: in a program without races it is. Volatile and
// atomic reads, and those of a thread's own variables, are not.
#pragma once

#include <set>

#include "llvm/IR/Function.h"

namespace cuset_pass {

class Uniformity {
 public:
  // `of_a_thread`: the parameters of `function` in which threads differ.
  Uniformity(llvm::Function& function, const std::set<const llvm::Value*>& of_a_thread);

  // The same for all threads, wherever it is used: not where threads leave a loop at different times.
  bool is_uniform(const llvm::Value* value) const;
  bool branches_alike(const llvm::BasicBlock& block) const { return differing_.count(&block) == 0; }

  // As instructions are made and erased.
  void add(const llvm::Value* value) { uniform_.insert(value); }
  void forget(const llvm::Value* value) { uniform_.erase(value); }
  void add_copy(const llvm::Value* value, const llvm::Value* copy) {
    if (uniform_.count(value) != 0) uniform_.insert(copy);
  }
  void add_copy(const llvm::BasicBlock* block, const llvm::BasicBlock* copy) {
    if (differing_.count(block) != 0) differing_.insert(copy);
  }

 private:
  std::set<const llvm::Value*> uniform_;  // parameters and instructions
  std::set<const llvm::BasicBlock*> differing_;
};

}  // namespace cuset_pass
