// for z, for y, for x over the threads of a block, around a region of its code.
#pragma once

#include "pass/thread_body.h"

namespace cuset_pass {

struct ThreadNest {
  llvm::BasicBlock* before = nullptr;  // once, before the loops; ends in a branch to them
  llvm::BasicBlock* thread = nullptr;  // begins a thread; ends in a branch that is to lead to its code
  llvm::BasicBlock* next = nullptr;    // where its code is to lead
  llvm::BasicBlock* done = nullptr;    // once, behind the loops; has no terminator yet
  llvm::BranchInst* inner_latch = nullptr;
  llvm::Value* index[3] = {};
  llvm::Value* linear = nullptr;
  llvm::Value* lane = nullptr;

  // What a parameter of the body that differs among threads is in these loops.
  llvm::Value* value_of(const ThreadBody& body, const llvm::Argument* parameter) const;
};

ThreadNest make_thread_nest(const ThreadBody& body);

// Declares that no thread's accesses depend on another's, so that the innermost loop may be vectorized.
void declare_parallel(const ThreadNest& nest, llvm::ArrayRef<llvm::Instruction*> accesses);

}  // namespace cuset_pass
