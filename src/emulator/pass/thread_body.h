// run_thread as a function of its thread: what it reads of the worker's context (indices, sizes, the base of shared memory)
// arrives as parameters, so that a loop over the threads of a block can be made around it.
#pragma once

#include <map>
#include <optional>

#include "pass/device_module.h"

namespace cuset_pass {

struct ThreadBody {
  llvm::Function* function = nullptr;          // void (ptr slots, fields ...)
  std::map<unsigned, llvm::Argument*> fields;  // by their offset in the context
  bool reads_context = false;                  // in ways that are not followed: indices must be stored there

  llvm::Argument* index(unsigned axis) const { return fields.at(context::kThreadIndex + 4 * axis); }
  llvm::Argument* size(unsigned axis) const { return fields.at(context::kBlockDim + 4 * axis); }
  llvm::Argument* linear() const { return fields.at(context::kLinearThread); }
  llvm::Argument* lane() const { return fields.at(context::kLane); }
};

// The parameters of a body in which the threads of a block differ.
bool is_of_a_thread(unsigned field);

// Nothing where the context is read in a way that cannot be taken apart.
std::optional<ThreadBody> make_thread_body(llvm::Function& run_thread);

// An address as the object it points into and the bytes from there.
using Place = std::pair<llvm::Value*, uint64_t>;
Place place_of(llvm::Value* address, uint64_t further, const llvm::DataLayout& layout);

// Whether this is the address of the worker's context.
bool is_context(const llvm::Value* base);

}  // namespace cuset_pass
