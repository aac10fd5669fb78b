// The steps of the compiler pass, in the order they run. Each is one file.
#pragma once

#include <vector>

#include "pass/device_module.h"

namespace cuset_pass {

// Fails the compilation of what no answer needs: assembler directives, system calls, code around `main`. Runs first,
// before the pass adds constructors of its own.
void refuse_what_no_answer_needs(llvm::Module& module, bool is_host);

// Tells whoever compiles which file defines each kernel (kernel_files.h).
void write_kernel_files(llvm::Module& module, const std::vector<Kernel>& kernels);

// printf, malloc, free and assert of device code go to the runtime.
void redirect_library_calls(llvm::Module& module);

// An error for every other function that device code declares and calls, but does not define.
void refuse_foreign_functions(llvm::Module& module);

// Inline PTX: the few instructions that are plain on a CPU are translated, the rest ends as `unsupported`
// when reached.
void translate_inline_assembly(llvm::Module& module);

// The value of a video instruction of PTX ("vabsdiff4.u32.u32.u32.add") on these operands; null where it is none.
llvm::Value* video_instruction(llvm::IRBuilder<>& builder, llvm::StringRef operation,
                               llvm::ArrayRef<llvm::Value*> inputs);

// No access relies on more than the 16 bytes of alignment that a GPU looks at.
void limit_alignment(llvm::Module& module);

// Conversions and divisions behave as on a GPU: saturating, never trapping.
void adopt_gpu_arithmetic(llvm::Module& module);

// Bounds, alignment, initialization and race checks around every access; barriers carry their place.
// Runs before place_shared_memory, while shared variables still have names and sizes.
void add_checks(llvm::Module& module);

// Shared variables become offsets into the block's shared memory. Each kernel learns the bytes of the variables it uses, and
// where its dynamic part begins.
void place_shared_memory(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& shared,
                         std::vector<Kernel>& kernels);

// Marks the loads of loops that end when another thread has written something.
constexpr const char* kWatchMetadata = "cuset.watch";

// Marks loads that PTX calls strong: what they see depends on how far other blocks are.
constexpr const char* kStrongMetadata = "cuset.strong";

// Loops that wait for memory to change let others run in between.
void yield_in_spin_loops(llvm::Module& module);

// Lanes of a warp wait for each other around volatile stores to shared memory. Before place_shared_memory; not in checked
// programs.
void keep_lanes_in_step(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& shared,
                        const std::vector<Kernel>& kernels);

// Checked kernels let other threads run around atomic operations, where the runtime says so.
void preempt_at_atomics(const std::vector<Kernel>& kernels);

// Atomics whose result depends on their order wait for the blocks before theirs; kernels that do so are
// marked.
void order_atomics(llvm::Module& module, std::vector<Kernel>& kernels);

// Names of the functions that are declared first and defined when run_thread is simplified: its name and one
// of these.
constexpr const char* kLoopSuffix = ".loop";            // run_block
constexpr const char* kCoroutineSuffix = ".coroutine";  // start_thread
constexpr const char* kResumeSuffix = ".resume_threads";

// Makes run_thread of each kernel and declares what is made of it later.
void make_entries(llvm::Module& module, std::vector<Kernel>& kernels);

// Defines run_block, declared by make_entries: the loop over a block's threads, for kernels that never
// suspend. Runs after the optimizer's simplifications. Without `wanted` (checked programs) they become null.
void make_thread_loops(llvm::Module& module, bool wanted);

// Makes start_thread of kernels that wait out of their run_thread: a coroutine, to be split by LLVM's own
// pass.
void make_coroutines(llvm::Module& module);

// Defines resume_threads of the coroutines that LLVM has split.
void make_resume_loops(llvm::Module& module);

// Emits the tables of kernels and variables and the constructor that registers them; everything else becomes
// internal.
void emit_tables(llvm::Module& module, const std::vector<Kernel>& kernels,
                 const std::vector<llvm::GlobalVariable*>& managed);

// The host pass: sizes of kernel arguments, managed variables shared with the device side.
void prepare_host_module(llvm::Module& module);

// Where an answer's host work is counted (host_work.h): its inline functions and templates become its own, and assembly is refused.
void own_inline_functions(llvm::Module& module);

// Adds the counting, behind all optimization.
void count_host_work(llvm::Module& module);

}  // namespace cuset_pass
