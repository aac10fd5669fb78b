// The module of a device pass as the steps of the compiler pass see it: its kernels, the worker's context and
// the markers that the headers left (annotations "cuset_kernel", "cuset_shared", "cuset_managed").
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cuset_pass {

struct Kernel {
  llvm::Function* function = nullptr;  // as the front end made it, calling convention Win64
  llvm::Function* start_thread = nullptr;
  llvm::Function* resume_threads = nullptr;
  llvm::Function* run_thread = nullptr;
  llvm::Function* run_block = nullptr;
  uint32_t flags = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t dynamic_shared_start = 0;
  uint32_t most_threads = 0;           // __launch_bounds__; 0: none given
  std::vector<uint32_t> cluster = {};  // __cluster_dims__: three sizes; empty: none given
  std::string name;
};

struct Annotations {
  std::vector<llvm::Function*> kernels;
  std::map<llvm::Function*, uint32_t> launch_bounds;
  std::map<llvm::Function*, std::vector<uint32_t>> clusters;
  std::vector<llvm::GlobalVariable*> shared;
  std::vector<llvm::GlobalVariable*> managed;
};

// Takes the headers' annotations out of the module; others stay.
Annotations take_annotations(llvm::Module& module);

// True in programs compiled for --check: the headers define the marker.
bool is_checked(const llvm::Module& module);

// `extern __shared__`. The front end keeps no annotation on declarations: an undefined array without size is one.
bool is_dynamic_shared_array(const llvm::GlobalVariable& variable);

// The worker's context (cuset_emulator/abi.h): offsets of its fields in bytes.
namespace context {
constexpr unsigned kThreadIndex = 0;
constexpr unsigned kBlockIndex = 12;
constexpr unsigned kBlockDim = 24;
constexpr unsigned kGridDim = 36;
constexpr unsigned kLinearThread = 48;
constexpr unsigned kLane = 52;
constexpr unsigned kShared = 56;
constexpr unsigned kDynamicSharedOffset = 64;
constexpr unsigned kOrdered = 72;
constexpr unsigned kOperation = 76;
constexpr unsigned kMask = 80;
constexpr unsigned kArgument = 84;
constexpr unsigned kValue = 88;
constexpr unsigned kResult = 96;
constexpr unsigned kSite = 104;
constexpr unsigned kClusterDim = 112;
constexpr unsigned kClusterRank = 124;
constexpr unsigned kClusterShared = 128;
constexpr unsigned kBytes = 136;

// Fields that do not change while a thread runs: before the first of these, and from the second on.
constexpr bool is_fixed(unsigned offset) { return offset < kOrdered || offset >= kClusterDim; }
// Indices and sizes, of 32 bits each.
constexpr bool is_index_word(unsigned offset) {
  return offset < kShared || (offset >= kClusterDim && offset < kClusterShared);
}
}  // namespace context

constexpr const char* kContextName = "cuset_context";
constexpr const char* kSuspendName = "cuset_suspend";

// A call of cuset_suspend.
bool is_suspension(const llvm::Instruction& instruction);

// The address of a field of the context, at the builder's place.
llvm::Value* context_field(llvm::IRBuilder<>& builder, llvm::Module& module, unsigned offset);

// The runtime's function of this name, declared at first use.
llvm::FunctionCallee runtime_function(llvm::Module& module, const char* name, llvm::Type* result,
                                      llvm::ArrayRef<llvm::Type*> parameters);

// Gives a function of ours the target's features and the like of the function it is made from. What LLVM
// inferred about the original (that it never returns, say) need not hold for it.
void adopt_target(llvm::Function& function, const llvm::Function& original);

// Declarations whose name is that of a defined function with `suffix` behind it, each with that function.
std::vector<std::pair<llvm::Function*, llvm::Function*>> declared_for(llvm::Module& module,
                                                                      llvm::StringRef suffix);

// The functions a kernel may enter: those it calls, and, if it calls through pointers, all whose address is
// taken.
std::set<llvm::Function*> reachable_from(llvm::Function& kernel);

// A string constant of the module.
llvm::Constant* string_constant(llvm::Module& module, llvm::StringRef text);

// A CusetSite for an instruction's place in the user's source; null pointer where there is no debug
// information.
llvm::Constant* site_of(const llvm::Instruction& instruction);

}  // namespace cuset_pass
