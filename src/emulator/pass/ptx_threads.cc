// PTX instructions that threads execute together. Each becomes a request to the runtime (abi.h). Which lane a shuffle reads
// is computed as the PTX manual describes it for shfl.sync.
#include "cuset_emulator/abi.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/device_module.h"
#include "pass/ptx_translator.h"

namespace cuset_pass {

using namespace llvm;

bool PtxThreads::translate(const PtxStatement& statement) {
  const StringRef name = statement.words[0];
  if (name == "shfl") return shuffle(statement);
  if (name == "vote") return vote(statement);
  if (name == "match") return match(statement);
  if (name == "redux") return reduce(statement);
  if (statement.has("cluster") && name == "barrier") return cluster_barrier(statement);
  if (name == "bar" || name == "barrier") return barrier(statement);
  if (name == "exit") return exit();
  Value* const zero = builder_.getInt32(0);
  if (name == "activemask" && statement.operands.size() == 1) {
    of_.write(statement.operands[0].names[0], request(CUSET_ACTIVE_MASK, zero, zero, zero));
    return true;
  }
  if (name == "nanosleep") return request(CUSET_YIELD, zero, zero, zero) != nullptr;
  if (name != "trap") return false;
  builder_.CreateCall(runtime_function(of_.module_, "cuset_trap", builder_.getVoidTy(), {}));
  return true;
}

// Returns the result, 64 bits wide.
Value* PtxThreads::request(uint32_t operation, Value* mask, Value* value, Value* argument) {
  const auto put = [&](unsigned field, Value* content) {
    builder_.CreateStore(content, context_field(builder_, of_.module_, field));
  };
  put(context::kOperation, builder_.getInt32(operation));
  put(context::kMask, mask);
  put(context::kArgument, argument);
  put(context::kValue, of_.as_type(value, builder_.getInt64Ty()));
  builder_.CreateCall(runtime_function(of_.module_, kSuspendName, builder_.getVoidTy(), {}));
  return builder_.CreateLoad(builder_.getInt64Ty(), context_field(builder_, of_.module_, context::kResult));
}

// shfl.sync.up.b32 d|p, a, b, c, mask.
bool PtxThreads::shuffle(const PtxStatement& statement) {
  if (statement.operands.size() != 5 || statement.words.size() != 4 || !statement.has("sync")) return false;
  Type* const word = builder_.getInt32Ty();
  Value* in[4];
  for (size_t i = 0; i < 4; ++i)
    if (in[i] = of_.read(statement, i + 1, word); in[i] == nullptr) return false;
  Value* const lane = builder_.CreateLoad(word, context_field(builder_, of_.module_, context::kLane));
  Value* const by = builder_.CreateAnd(in[1], 31);
  Value* const segment = builder_.CreateAnd(builder_.CreateLShr(in[2], 8), 31);
  Value* const inside = builder_.CreateXor(segment, builder_.getInt32(31));
  Value* const first = builder_.CreateAnd(lane, segment);
  Value* const limit = builder_.CreateOr(first, builder_.CreateAnd(builder_.CreateAnd(in[2], 31), inside));
  const StringRef how = statement.words[2];
  Value* source = nullptr;
  if (how == "up") source = builder_.CreateSub(lane, by);
  if (how == "down") source = builder_.CreateAdd(lane, by);
  if (how == "bfly") source = builder_.CreateXor(lane, by);
  if (how == "idx") source = builder_.CreateOr(first, builder_.CreateAnd(by, inside));
  if (source == nullptr) return false;
  Value* const is_valid =
      how == "up" ? builder_.CreateICmpSGE(source, limit) : builder_.CreateICmpSLE(source, limit);
  Value* const result = request(CUSET_SHUFFLE, in[3], in[0], builder_.CreateSelect(is_valid, source, lane));
  of_.write(statement.operands[0].names[0], builder_.CreateTrunc(result, word));
  if (!statement.operands[0].second.empty()) of_.write(statement.operands[0].second, is_valid);
  return true;
}

// vote.sync.ballot.b32 d, p, mask; any, all and uni give a predicate.
bool PtxThreads::vote(const PtxStatement& statement) {
  if (statement.operands.size() != 3 || !statement.has("sync")) return false;
  const PtxOperand& given = statement.operands[1];
  StringRef name = given.names[0];
  const bool is_negated = name.consume_front("!");
  Value* predicate = of_.read(name, builder_.getInt1Ty());
  Value* const mask = of_.read(statement, 2, builder_.getInt32Ty());
  if (predicate == nullptr || mask == nullptr) return false;
  if (is_negated) predicate = builder_.CreateNot(predicate);
  Value* const result =
      builder_.CreateTrunc(request(CUSET_BALLOT, mask, builder_.CreateZExt(predicate, builder_.getInt32Ty()),
                                   builder_.getInt32(0)),
                           builder_.getInt32Ty());
  Value* const is_none = builder_.CreateIsNull(result);
  Value* const is_all = builder_.CreateICmpEQ(result, mask);
  Value* answer = nullptr;
  if (statement.has("ballot")) answer = result;
  if (statement.has("any")) answer = builder_.CreateNot(is_none);
  if (statement.has("all")) answer = is_all;
  if (statement.has("uni")) answer = builder_.CreateOr(is_none, is_all);
  if (answer == nullptr) return false;
  of_.write(statement.operands[0].names[0], answer);
  return true;
}

// match.any.sync.b32 d, a, mask; match.all.sync.b32 d|p, a, mask.
bool PtxThreads::match(const PtxStatement& statement) {
  Type* const type = of_.type_of(statement);
  if (type == nullptr || statement.operands.size() != 3 || !statement.has("sync")) return false;
  Value* const value = of_.read(statement, 1, type);
  Value* const mask = of_.read(statement, 2, builder_.getInt32Ty());
  if (value == nullptr || mask == nullptr || statement.has("any") == statement.has("all")) return false;
  Value* const result = builder_.CreateTrunc(
      request(statement.has("any") ? CUSET_MATCH_ANY : CUSET_MATCH_ALL, mask, value, builder_.getInt32(0)),
      builder_.getInt32Ty());
  of_.write(statement.operands[0].names[0], result);
  if (!statement.operands[0].second.empty())
    of_.write(statement.operands[0].second, builder_.CreateIsNotNull(result));
  return true;
}

// redux.sync.add.s32 d, a, mask.
bool PtxThreads::reduce(const PtxStatement& statement) {
  if (statement.operands.size() != 3 || statement.words.size() != 4 || !statement.has("sync")) return false;
  const bool is_signed = statement.words[3] == "s32";
  const std::pair<StringRef, uint32_t> operations[] = {
      {"add", CUSET_REDUCE_ADD},
      {"min", is_signed ? CUSET_REDUCE_MIN_SIGNED : CUSET_REDUCE_MIN},
      {"max", is_signed ? CUSET_REDUCE_MAX_SIGNED : CUSET_REDUCE_MAX},
      {"and", CUSET_REDUCE_AND},
      {"or", CUSET_REDUCE_OR},
      {"xor", CUSET_REDUCE_XOR}};
  Value* const value = of_.read(statement, 1, builder_.getInt32Ty());
  Value* const mask = of_.read(statement, 2, builder_.getInt32Ty());
  if (value == nullptr || mask == nullptr) return false;
  for (const auto& [name, operation] : operations) {
    if (name != statement.words[2]) continue;
    Value* const result = request(operation, mask, value, builder_.getInt32(0));
    of_.write(statement.operands[0].names[0], builder_.CreateTrunc(result, builder_.getInt32Ty()));
    return true;
  }
  return false;
}

// bar.sync number[, threads]; bar.warp.sync mask.
bool PtxThreads::barrier(const PtxStatement& statement) {
  if (!statement.has("sync") || statement.operands.empty() || statement.has("cluster")) return false;
  Value* const zero = builder_.getInt32(0);
  Value* const first = of_.read(statement, 0, builder_.getInt32Ty());
  if (first == nullptr || statement.operands.size() > 2) return false;
  if (statement.has("warp")) return request(CUSET_WARP_SYNC, first, zero, zero) != nullptr;
  Value* const threads =
      statement.operands.size() == 2 ? of_.read(statement, 1, builder_.getInt32Ty()) : zero;
  if (threads == nullptr) return false;
  const auto* const number = dyn_cast<ConstantInt>(first);
  if (number != nullptr && number->isZero() && statement.operands.size() == 1) {
    request(CUSET_BARRIER, zero, zero, zero);
  } else {
    request(CUSET_NUMBERED_BARRIER, zero, threads, first);
  }
  return true;
}

// barrier.cluster.arrive, barrier.cluster.wait. Who arrives has to wait, so that waiting for all of them is enough; what
// it wrote before it arrived is there for the others.
bool PtxThreads::cluster_barrier(const PtxStatement& statement) {
  if (!statement.operands.empty()) return false;
  if (statement.has("arrive")) {
    if (!statement.has("relaxed")) builder_.CreateFence(AtomicOrdering::SequentiallyConsistent);
    return true;
  }
  Value* const zero = builder_.getInt32(0);
  return statement.has("wait") && request(CUSET_CLUSTER_BARRIER, zero, zero, zero) != nullptr;
}

// Ends the thread: of a kernel itself; functions that were not inlined into it cannot.
bool PtxThreads::exit() {
  Function& function = *of_.call_.getFunction();
  if (function.getCallingConv() != CallingConv::Win64 || !function.getReturnType()->isVoidTy()) return false;
  Instruction* const end = SplitBlockAndInsertIfThen(builder_.getTrue(), builder_.GetInsertPoint(), true);
  ReturnInst::Create(end->getContext(), nullptr, end->getIterator());
  end->eraseFromParent();
  builder_.SetInsertPoint(&of_.call_);
  return true;
}

}  // namespace cuset_pass
