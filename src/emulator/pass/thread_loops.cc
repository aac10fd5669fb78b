// A kernel runs a whole block as loops over its threads, which the compiler can vectorize: threads of a block have no order
// among themselves, so no access of one depends on another's. One that never waits is one loop; one whose threads wait for
// each other is a loop for each region between the places where they do (region_plan.h, block_code.h). Kernels that
// cannot be cut into regions keep one function for a thread (entries.cc) or coroutines (coroutines.cc).
#include <set>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "pass/block_code.h"
#include "pass/common_rounds.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Of a kernel that is cut into regions. Each becomes a vectorized loop, which takes the compiler time.
constexpr size_t kMostStops = 48;
constexpr size_t kMostInstructions = 4000;

// What the entry block keeps is done once: variables, and the kernel's arguments, which do not change while a block
// runs. The optimizer does not know that kernels cannot write there.
void separate_entry(Function& function) {
  BasicBlock& entry = function.getEntryBlock();
  const DataLayout& layout = function.getParent()->getDataLayout();
  std::vector<AllocaInst*> variables;
  std::vector<LoadInst*> loads;
  for (Instruction& instruction : instructions(function)) {
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
      if (variable->getParent() == &entry && isa<ConstantInt>(variable->getArraySize()))
        variables.push_back(variable);
    } else if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      if (place_of(load->getPointerOperand(), 0, layout).first == function.getArg(0)) loads.push_back(load);
    }
  }
  entry.splitBasicBlock(entry.begin(), "start");
  Instruction* end = entry.getTerminator();
  for (AllocaInst* variable : variables) variable->moveBefore(end);
  IRBuilder<> builder(end);
  std::map<std::pair<uint64_t, Type*>, Value*> loaded;
  for (LoadInst* load : loads) {
    const uint64_t offset = place_of(load->getPointerOperand(), 0, layout).second;
    Value*& value = loaded[{offset, load->getType()}];
    if (value == nullptr)
      value = builder.CreateAlignedLoad(
          load->getType(),
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function.getArg(0), offset),
          load->getAlign(), load->getName());
    load->replaceAllUsesWith(value);
    load->eraseFromParent();
  }
}

// The only block that returns. What follows a function that never returns leads there as well.
BasicBlock& separate_end(Function& function) {
  auto* end = BasicBlock::Create(function.getContext(), "end", &function);
  for (BasicBlock& block : function) {
    Instruction* last = block.getTerminator();
    if (last == nullptr || !(isa<ReturnInst>(last) || isa<UnreachableInst>(last))) continue;
    BranchInst::Create(end, last->getIterator());
    last->eraseFromParent();
  }
  ReturnInst::Create(function.getContext(), end);
  return *end;
}

void simplify_loops(Function& function) {
  removeUnreachableBlocks(function);
  DominatorTree tree(function);
  LoopInfo loops(tree);
  for (Loop* loop : loops) simplifyLoop(loop, &tree, &loops, nullptr, nullptr, nullptr, false);
}

std::set<const Value*> parameters_of_a_thread(const ThreadBody& body) {
  std::set<const Value*> parameters;
  for (auto& [field, parameter] : body.fields) {
    if (is_of_a_thread(field)) parameters.insert(parameter);
  }
  return parameters;
}

Cuts cuts_of(const SuspensionPoints& suspensions) {
  Cuts cuts;
  for (const SuspensionPoint& point : suspensions.points) cuts.stops.insert(point.block);
  return cuts;
}

// Makes the function of a thread one of a block. False where that cannot be; the function is of no use then.
bool make_block_code(const ThreadBody& body, bool with_rounds, bool& has_rounds) {
  Function& function = *body.function;
  has_rounds = false;
  std::set<const Value*> own;
  for (Instruction& instruction : instructions(function)) {
    if (isa<AllocaInst>(instruction)) own.insert(&instruction);
  }
  separate_entry(function);
  BasicBlock& end = separate_end(function);
  if (reachable(&function.getEntryBlock(), nullptr).count(&end) == 0) return false;  // it never ends
  const auto suspensions = separate_suspensions(function);
  if (!suspensions || suspensions->points.size() > kMostStops) return false;
  const bool is_large = function.getInstructionCount() > kMostInstructions;
  if (is_large && !suspensions->points.empty()) return false;
  simplify_loops(function);
  expand_small_copies(function);
  separate_counts(function, Uniformity(function, parameters_of_a_thread(body)));
  Uniformity uniformity(function, parameters_of_a_thread(body));
  Cuts cuts = cuts_of(*suspensions);
  if (with_rounds && !is_large) cuts.rounds = common_rounds(body, uniformity);
  has_rounds = !cuts.rounds.empty();
  RegionPlan plan(function, uniformity, cuts, end);
  return plan.make() && BlockCode(body, plan, uniformity, *suspensions, own).make();
}

// Without loops that threads go through together where these cannot be cut.
std::optional<ThreadBody> make_block_code(Function& run_thread) {
  bool has_rounds = true;
  for (const bool with_rounds : {true, false}) {
    if (!has_rounds) break;
    const std::optional<ThreadBody> body = make_thread_body(run_thread);
    if (!body || make_block_code(*body, with_rounds, has_rounds)) return body;
    body->function->eraseFromParent();
  }
  return std::nullopt;
}

bool define_loop(Function& loop, Function& run_thread) {
  const std::optional<ThreadBody> body = make_block_code(run_thread);
  if (!body) return false;
  Module& module = *loop.getParent();
  adopt_target(loop, run_thread);
  IRBuilder<> builder(BasicBlock::Create(loop.getContext(), "", &loop));
  std::vector<Value*> arguments{loop.getArg(0)};
  for (auto& [field, parameter] : body->fields) {
    Type* type = parameter->getType();
    arguments.push_back(is_of_a_thread(field)
                            ? cast<Value>(PoisonValue::get(type))
                            : builder.CreateLoad(type, context_field(builder, module, field)));
  }
  CallInst* call = builder.CreateCall(body->function, arguments);
  builder.CreateRetVoid();
  InlineFunctionInfo info;
  if (!InlineFunction(*call, info).isSuccess()) report_fatal_error("cannot inline the code of a block");
  body->function->eraseFromParent();
  loop.setLinkage(GlobalValue::InternalLinkage);
  return true;
}

}  // namespace

void make_thread_loops(Module& module, bool wanted) {
  for (const auto& [loop, run_thread] : declared_for(module, kLoopSuffix)) {
    if (wanted && define_loop(*loop, *run_thread)) continue;
    loop->replaceAllUsesWith(ConstantPointerNull::get(PointerType::getUnqual(module.getContext())));
    loop->eraseFromParent();
  }
}

}  // namespace cuset_pass
