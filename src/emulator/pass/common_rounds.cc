#include "pass/common_rounds.h"

#include <optional>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "pass/region_plan.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// How a value grows from a thread to its neighbor in x: a number of bytes for addresses. Nothing where that is not constant.
class Strides {
 public:
  Strides(const ThreadBody& body, const Uniformity& uniformity)
      : body_(body), uniformity_(uniformity), layout_(body.function->getParent()->getDataLayout()) {}

  std::optional<int64_t> of(const Value* value, unsigned depth = 0) {
    if (uniformity_.is_uniform(value)) return 0;
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    if (depth > kMostSteps) return std::nullopt;
    std::optional<int64_t> stride;
    if (isa<Argument>(value)) {
      stride = value == body_.index(1) || value == body_.index(2) ? 0 : 1;
    } else if (const auto* phi = dyn_cast<PHINode>(value)) {
      return of_phi(*phi, depth);
    } else if (const auto* address = dyn_cast<GEPOperator>(value)) {
      stride = of_address(*address, depth);
    } else if (const auto* instruction = dyn_cast<Instruction>(value)) {
      stride = of_instruction(*instruction, depth);
    }
    known_[value] = stride;
    return stride;
  }

 private:
  // Of a phi: what all that enters it has, where it is taken to have that itself.
  std::optional<int64_t> of_phi(const PHINode& phi, unsigned depth) {
    known_[&phi] = std::nullopt;
    std::optional<int64_t> stride;
    for (const Value* value : phi.incoming_values()) {
      stride = of(value, depth + 1);
      if (stride) break;
    }
    known_[&phi] = stride;
    for (const Value* value : phi.incoming_values()) {
      if (value == &phi || !stride) continue;
      if (of_again(value, depth + 1) != stride) return known_[&phi] = std::nullopt;
    }
    return stride;
  }

  std::optional<int64_t> of_again(const Value* value, unsigned depth) {
    if (!uniformity_.is_uniform(value) && !isa<PHINode>(value)) known_.erase(value);
    return of(value, depth);
  }

  std::optional<int64_t> of_address(const GEPOperator& address, unsigned depth) {
    std::optional<int64_t> stride = of(address.getPointerOperand(), depth + 1);
    for (auto index = gep_type_begin(address); stride && index != gep_type_end(address); ++index) {
      if (index.isStruct()) continue;
      const auto step = of(index.getOperand(), depth + 1);
      if (!step) return std::nullopt;
      *stride += *step * static_cast<int64_t>(index.getSequentialElementStride(layout_).getFixedValue());
    }
    return stride;
  }

  std::optional<int64_t> of_instruction(const Instruction& instruction, unsigned depth) {
    const auto operand = [&](unsigned i) { return of(instruction.getOperand(i), depth + 1); };
    switch (instruction.getOpcode()) {
      case Instruction::Add:
      case Instruction::Or:
      case Instruction::Sub: {
        if (instruction.getOpcode() == Instruction::Or &&
            !cast<PossiblyDisjointInst>(instruction).isDisjoint())
          return std::nullopt;
        const auto left = operand(0), right = operand(1);
        if (!left || !right) return std::nullopt;
        return instruction.getOpcode() == Instruction::Sub ? *left - *right : *left + *right;
      }
      case Instruction::Mul:
      case Instruction::Shl:
        return of_product(instruction, depth);
      case Instruction::SExt:
      case Instruction::ZExt:
      case Instruction::Trunc:
        return operand(0);
      case Instruction::Select: {
        const auto left = operand(1);
        return left == operand(2) ? left : std::nullopt;
      }
      default:
        return std::nullopt;
    }
  }

  std::optional<int64_t> of_product(const Instruction& product, unsigned depth) {
    const auto left = of(product.getOperand(0), depth + 1), right = of(product.getOperand(1), depth + 1);
    if (!left || !right) return std::nullopt;
    if (*left == 0 && *right == 0) return 0;
    const auto* factor = dyn_cast<ConstantInt>(product.getOperand(1));
    if (factor == nullptr || factor->getBitWidth() > 64) return std::nullopt;
    const int64_t by = product.getOpcode() == Instruction::Shl ? int64_t{1} << (factor->getZExtValue() & 31)
                                                               : factor->getSExtValue();
    return *left * by;
  }

  static constexpr unsigned kMostSteps = 40;

  const ThreadBody& body_;
  const Uniformity& uniformity_;
  const DataLayout& layout_;
  std::map<const Value*, std::optional<int64_t>> known_;
};

// Of a struct. Beyond, a row of threads would use little of each cache line that it touches.
constexpr int64_t kMostMembers = 4;

// Accesses from thread to thread: of one address, of neighbors, or of the same member of neighboring structs.
bool is_vectorizable(Instruction& instruction, Strides& strides, const DataLayout& layout) {
  if (auto* call = dyn_cast<CallBase>(&instruction))
    return isa<IntrinsicInst>(call) && call->doesNotAccessMemory();
  if (instruction.isAtomic() || instruction.isVolatile()) return false;
  const Value* address = getLoadStorePointerOperand(&instruction);
  if (address == nullptr) return !instruction.mayReadOrWriteMemory();
  const auto stride = strides.of(address);
  const auto bytes =
      static_cast<int64_t>(layout.getTypeStoreSize(getLoadStoreType(&instruction)).getFixedValue());
  if (!stride) return false;
  return *stride == 0 ? isa<LoadInst>(instruction) : *stride >= bytes && *stride <= kMostMembers * bytes;
}

// Threads count from places that are some constant apart to one end: `i < n`.
bool counts_to_common_end(const Value* condition, const Loop& loop, Strides& strides,
                          const Uniformity& uniformity) {
  const auto* compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr || compare->isEquality()) return false;
  for (unsigned side : {0u, 1u}) {
    const Value* end = compare->getOperand(1 - side);
    if (!uniformity.is_uniform(end) || !loop.isLoopInvariant(end)) continue;
    return strides.of(compare->getOperand(side)).has_value();
  }
  return false;
}

bool ends_for_all(const Loop& loop, Strides& strides, const Uniformity& uniformity) {
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.empty() || !loop.getLoopPreheader()) return false;
  for (const BasicBlock* block : exiting) {
    if (uniformity.branches_alike(*block)) continue;
    const auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (exiting.size() != 1 || block != loop.getLoopLatch() || branch == nullptr ||
        !counts_to_common_end(branch->getCondition(), loop, strides, uniformity))
      return false;
  }
  return true;
}

bool is_worth_it(const Loop& loop, Strides& strides, const Uniformity& uniformity, const DataLayout& layout) {
  if (!ends_for_all(loop, strides, uniformity)) return false;
  bool differs = false;
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block) {
      if (!is_vectorizable(instruction, strides, layout)) return false;
      differs |= !instruction.isTerminator() && !uniformity.is_uniform(&instruction);
    }
  }
  return differs;
}

// Whether many threads meet a condition: a range that is not fixed when the program is compiled, not `threadIdx.x == 0`.
bool is_wide(const Value* condition, const Uniformity& uniformity) {
  if (uniformity.is_uniform(condition)) return true;
  if (const auto* compare = dyn_cast<ICmpInst>(condition))
    return !compare->isEquality() && !isa<Constant>(compare->getOperand(0)) &&
           !isa<Constant>(compare->getOperand(1));
  const auto* instruction = dyn_cast<Instruction>(condition);
  if (instruction == nullptr || !instruction->getType()->isIntegerTy(1)) return false;
  if (!isa<SelectInst>(instruction) && !instruction->isBitwiseLogicOp()) return false;
  return all_of(instruction->operands(), [&](const Use& operand) {
    return isa<Constant>(operand.get()) || is_wide(operand.get(), uniformity);
  });
}

// Most threads of a block come to `head`, as far as branches tell.
bool is_reached_by_most(const Loop& loop, const PostDominatorTree& ends, const Uniformity& uniformity) {
  for (BasicBlock& block : *loop.getHeader()->getParent()) {
    if (uniformity.branches_alike(block) || loop.contains(&block)) continue;
    const auto* above = ends.getNode(&block) != nullptr ? ends.getNode(&block)->getIDom() : nullptr;
    const BasicBlock* join = above != nullptr ? above->getBlock() : nullptr;
    const bool leads_there = any_of(successors(&block), [&](BasicBlock* next) {
      return reachable(next, join).count(loop.getHeader()) != 0;
    });
    if (!leads_there) continue;
    const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch == nullptr || !is_wide(branch->getCondition(), uniformity)) return false;
  }
  return true;
}

// phi [start, before], [phi + step, end]   ->   start + phi [0, before], [phi + step, end]
void separate_count(PHINode& counter, Instruction& next, Value& start, Value& step, unsigned from_before) {
  IRBuilder<> builder(&counter);
  Type* type = counter.getType()->isPointerTy() ? step.getType() : counter.getType();
  PHINode* count = builder.CreatePHI(type, 2, "count");
  builder.SetInsertPoint(counter.getParent(), counter.getParent()->getFirstInsertionPt());
  Value* place = counter.getType()->isPointerTy()
                     ? builder.CreateGEP(cast<GetElementPtrInst>(next).getSourceElementType(), &start, count)
                     : builder.CreateAdd(&start, count);
  builder.SetInsertPoint(&next);
  Value* advanced = builder.CreateAdd(count, &step);
  Value* next_place =
      counter.getType()->isPointerTy()
          ? builder.CreateGEP(cast<GetElementPtrInst>(next).getSourceElementType(), &start, advanced)
          : builder.CreateAdd(&start, advanced);
  for (unsigned i = 0; i < 2; ++i)
    count->addIncoming(i == from_before ? Constant::getNullValue(type) : advanced,
                       counter.getIncomingBlock(i));
  next.replaceAllUsesWith(next_place);
  counter.replaceAllUsesWith(place);
  next.eraseFromParent();
  counter.eraseFromParent();
}

}  // namespace

std::set<BasicBlock*> common_rounds(const ThreadBody& body, const Uniformity& uniformity) {
  const DataLayout& layout = body.function->getParent()->getDataLayout();
  const DominatorTree tree(*body.function);
  LoopInfo loops(tree);
  const PostDominatorTree ends(*body.function);
  Strides strides(body, uniformity);
  std::set<BasicBlock*> heads;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (loop->isInnermost() && is_worth_it(*loop, strides, uniformity, layout) &&
        is_reached_by_most(*loop, ends, uniformity))
      heads.insert(loop->getHeader());
  }
  return heads;
}

void expand_small_copies(Function& body) {
  constexpr uint64_t kMostBytes = 64, kMostWords = 8;
  std::vector<MemCpyInst*> copies;
  for (Instruction& instruction : instructions(body)) {
    auto* copy = dyn_cast<MemCpyInst>(&instruction);
    const auto* length = copy != nullptr ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
    if (length == nullptr || copy->isVolatile() || length->getZExtValue() > kMostBytes) continue;
    // Words of a variable may be known in part only.
    if (isa<AllocaInst>(getUnderlyingObject(copy->getRawSource(), 0)) ||
        isa<AllocaInst>(getUnderlyingObject(copy->getRawDest(), 0)))
      continue;
    copies.push_back(copy);
  }
  for (MemCpyInst* copy : copies) {
    const uint64_t bytes = cast<ConstantInt>(copy->getLength())->getZExtValue();
    const uint64_t word = bytes == 0 ? 8 : std::min<uint64_t>(bytes & -bytes, 8);
    if (bytes / word > kMostWords) continue;
    IRBuilder<> builder(copy);
    Type* type = builder.getIntNTy(static_cast<unsigned>(8 * word));
    const auto place = [&](Value* base, uint64_t at) {
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, at);
    };
    std::vector<Value*> words;
    for (uint64_t at = 0; at < bytes; at += word)
      words.push_back(builder.CreateAlignedLoad(type, place(copy->getRawSource(), at),
                                                commonAlignment(copy->getSourceAlign().valueOrOne(), at)));
    for (uint64_t at = 0; at < bytes; at += word)
      builder.CreateAlignedStore(words[at / word], place(copy->getRawDest(), at),
                                 commonAlignment(copy->getDestAlign().valueOrOne(), at));
    copy->eraseFromParent();
  }
}

void separate_counts(Function& body, const Uniformity& uniformity) {
  const DominatorTree tree(body);
  LoopInfo loops(tree);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    std::vector<PHINode*> phis;
    for (PHINode& phi : loop->getHeader()->phis()) phis.push_back(&phi);
    for (PHINode* phi : phis) {
      if (uniformity.is_uniform(phi) || phi->getNumIncomingValues() != 2 || !loop->getLoopPreheader())
        continue;
      const unsigned from_before = phi->getIncomingBlock(0) == loop->getLoopPreheader() ? 0 : 1;
      auto* next = dyn_cast<Instruction>(phi->getIncomingValue(1 - from_before));
      const bool adds = next != nullptr && (next->getOpcode() == Instruction::Add ||
                                            (isa<GetElementPtrInst>(next) && next->getNumOperands() == 2));
      if (!adds || !loop->contains(next)) continue;
      const unsigned own = next->getOperand(0) == phi ? 0 : 1;
      Value* step = next->getOperand(1 - own);
      if (next->getOperand(own) != phi || !uniformity.is_uniform(step) || !loop->isLoopInvariant(step))
        continue;
      if (isa<GetElementPtrInst>(next) && own != 0) continue;
      separate_count(*phi, *next, *phi->getIncomingValue(from_before), *step, from_before);
    }
  }
}

}  // namespace cuset_pass
