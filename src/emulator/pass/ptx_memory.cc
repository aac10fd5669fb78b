// PTX instructions on memory. Caching hints mean nothing here. Strong loads and stores (.relaxed, .acquire, .release) of up
// to eight bytes are one atomic access, also of vectors: a flag and the value that it belongs to arrive together. Wider
// ones are one access of a vector register, which CPUs with AVX do at once.
#include "llvm/IR/Intrinsics.h"
#include "pass/ptx_translator.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Of what the words say; .relaxed where they say nothing.
AtomicOrdering ordering_of(const PtxStatement& statement) {
  if (statement.has("acq_rel")) return AtomicOrdering::AcquireRelease;
  if (statement.has("acquire")) return AtomicOrdering::Acquire;
  if (statement.has("release")) return AtomicOrdering::Release;
  return AtomicOrdering::Monotonic;
}

bool is_strong(const PtxStatement& statement) {
  return statement.has("relaxed") || statement.has("acquire") || statement.has("release");
}

// Scopes, spaces and hints that change nothing, and those that are looked at elsewhere.
bool is_known_word(StringRef word) {
  constexpr StringRef kWords[] = {"weak", "volatile", "relaxed", "acquire", "release", "acq_rel",
                                  "cta",  "gpu",      "sys",     "global",  "shared",  "ca",
                                  "cg",   "cs",       "lu",      "cv",      "nc",      "wb",
                                  "wt",   "v2",       "v4",      "cluster"};
  return is_contained(kWords, word) || word.starts_with("L1::") || word.starts_with("L2::") ||
         word == "shared::cta" || word == "shared::cluster";
}

bool knows_words(const PtxStatement& statement) {
  return all_of(ArrayRef(statement.words).drop_front().drop_back(),
                [](const std::string& word) { return is_known_word(word); });
}

void mark_strong(LoadInst& load) { load.setMetadata(kStrongMetadata, MDNode::get(load.getContext(), {})); }

bool is_shared(const PtxStatement& statement) {
  return statement.has("shared") || statement.has("shared::cta") || statement.has("shared::cluster");
}

bool is_of_cluster(const PtxStatement& statement) { return statement.has("shared::cluster"); }

// An address in the shared memory of a cluster has the rank of the block in its high byte, plus one: without, it is an
// address in the block's own.
constexpr unsigned kRankShift = 24;
constexpr uint64_t kOffsetMask = (1u << kRankShift) - 1;

}  // namespace

bool PtxMemory::translate(const PtxStatement& statement) {
  const StringRef name = statement.words[0];
  if (name == "ld") return load(statement);
  if (name == "st") return store(statement);
  if (name == "atom" || name == "red") return update(statement);
  if (name == "cp") return copy_to_shared(statement);
  if (name == "mapa") return map_to_block(statement);
  if (name == "getctarank") return block_of_address(statement);
  if (name == "fence" || name == "membar") {
    if (statement.has("proxy") || statement.has("mbarrier_init")) return false;
    builder_.CreateFence(AtomicOrdering::SequentiallyConsistent,
                         statement.has("cta") ? SyncScope::SingleThread : SyncScope::System);
    return true;
  }
  return name == "prefetch" || name == "prefetchu";
}

Value* PtxMemory::shared_of_block(Value* rank) {
  Value* const table = builder_.CreateLoad(
      builder_.getPtrTy(), context_field(builder_, of_.module_, context::kClusterShared), "cluster");
  return builder_.CreateLoad(builder_.getPtrTy(), builder_.CreateGEP(builder_.getPtrTy(), table, rank));
}

Value* PtxMemory::in_cluster(Value* address) {
  Value* const block = builder_.CreateLShr(address, kRankShift);
  Value* const own = builder_.CreateZExt(
      builder_.CreateLoad(builder_.getInt32Ty(), context_field(builder_, of_.module_, context::kClusterRank)),
      builder_.getInt64Ty());
  Value* const rank = builder_.CreateSelect(builder_.CreateIsNull(block), own,
                                            builder_.CreateSub(block, builder_.getInt64(1)));
  return builder_.CreateGEP(builder_.getInt8Ty(), shared_of_block(rank),
                            builder_.CreateAnd(address, kOffsetMask));
}

// mapa.shared::cluster.u32 d, a, rank; mapa.u64 of a generic address.
bool PtxMemory::map_to_block(const PtxStatement& statement) {
  Type* const type = of_.type_of(statement);
  if (type == nullptr || statement.operands.size() != 3) return false;
  Value* const address = of_.read(statement, 1, builder_.getInt64Ty());
  Value* const rank = of_.read(statement, 2, builder_.getInt64Ty());
  if (address == nullptr || rank == nullptr) return false;
  Value* mapped = nullptr;
  if (statement.has("shared::cluster")) {
    Value* const block = builder_.CreateShl(builder_.CreateAdd(rank, builder_.getInt64(1)), kRankShift);
    mapped = builder_.CreateOr(block, builder_.CreateAnd(address, kOffsetMask));
  } else {
    Value* const own =
        builder_.CreateLoad(builder_.getInt64Ty(), context_field(builder_, of_.module_, context::kShared));
    mapped =
        builder_.CreateGEP(builder_.getInt8Ty(), shared_of_block(rank), builder_.CreateSub(address, own));
  }
  of_.write(statement.operands[0].names[0], of_.as_type(mapped, type));
  return true;
}

// getctarank.shared::cluster.u32 d, a.
bool PtxMemory::block_of_address(const PtxStatement& statement) {
  if (statement.operands.size() != 2 || !statement.has("shared::cluster")) return false;
  Value* const address = of_.read(statement, 1, builder_.getInt32Ty());
  if (address == nullptr) return false;
  Value* const own =
      builder_.CreateLoad(builder_.getInt32Ty(), context_field(builder_, of_.module_, context::kClusterRank));
  Value* const block = builder_.CreateLShr(address, kRankShift);
  of_.write(statement.operands[0].names[0],
            builder_.CreateSelect(builder_.CreateIsNull(block), own,
                                  builder_.CreateSub(block, builder_.getInt32(1))));
  return true;
}

// Addresses in the shared window start at 0.
Value* PtxMemory::address_of(const PtxOperand& operand, bool in_shared, bool of_cluster) {
  if (!operand.is_address) return nullptr;
  Type* const type = in_shared ? static_cast<Type*>(builder_.getInt64Ty()) : builder_.getPtrTy();
  Value* address = of_.read(operand.names[0], type);
  if (address == nullptr) return nullptr;
  if (of_cluster) {
    address = in_cluster(address);
  } else if (in_shared) {
    // A 32-bit register holds all of it.
    Value* const window = builder_.CreateLoad(
        builder_.getPtrTy(), context_field(builder_, of_.module_, context::kShared), "shared");
    address = builder_.CreateGEP(builder_.getInt8Ty(), window, address);
  }
  if (operand.offset == 0) return address;
  return builder_.CreateGEP(builder_.getInt8Ty(), address,
                            builder_.getInt64(static_cast<uint64_t>(operand.offset)));
}

Value* PtxMemory::strong_load(const PtxStatement& statement, Value* address, unsigned bits) {
  const Align alignment(bits / 8);
  if (bits > 64) {
    Type* const vector = FixedVectorType::get(builder_.getInt64Ty(), bits / 64);
    LoadInst* const value = builder_.CreateAlignedLoad(vector, address, alignment, true);
    mark_strong(*value);
    return builder_.CreateBitCast(value, builder_.getIntNTy(bits));
  }
  LoadInst* const value = builder_.CreateAlignedLoad(builder_.getIntNTy(bits), address, alignment);
  value->setAtomic(ordering_of(statement));
  mark_strong(*value);
  return value;
}

bool PtxMemory::load(const PtxStatement& statement) {
  Type* const type = of_.type_of(statement);
  if (type == nullptr || !knows_words(statement) || statement.operands.size() != 2) return false;
  const PtxOperand& to = statement.operands[0];
  Value* const address = address_of(statement.operands[1], is_shared(statement), is_of_cluster(statement));
  if (address == nullptr || to.is_address || to.names.size() > 4) return false;
  const unsigned bits = type->getPrimitiveSizeInBits(), all_bits = bits * to.names.size();
  Type* const whole = builder_.getIntNTy(all_bits);
  Value* const value = is_strong(statement) ? strong_load(statement, address, all_bits)
                                            : builder_.CreateAlignedLoad(whole, address, Align(all_bits / 8),
                                                                         statement.has("volatile"));
  for (size_t i = 0; i < to.names.size(); ++i) {
    Value* element = builder_.CreateTrunc(builder_.CreateLShr(value, i * bits), builder_.getIntNTy(bits));
    // A register may be wider than what is loaded into it.
    if (StringRef(statement.words.back()).starts_with("s") && bits < 64)
      element = builder_.CreateSExt(element, builder_.getInt64Ty());
    of_.write(to.names[i], element);
  }
  return true;
}

bool PtxMemory::store(const PtxStatement& statement) {
  Type* const type = of_.type_of(statement);
  if (type == nullptr || !knows_words(statement) || statement.operands.size() != 2) return false;
  const PtxOperand& from = statement.operands[1];
  Value* const address = address_of(statement.operands[0], is_shared(statement), is_of_cluster(statement));
  if (address == nullptr || from.is_address || from.names.size() > 4) return false;
  const unsigned bits = type->getPrimitiveSizeInBits(), all_bits = bits * from.names.size();
  Type* const whole = builder_.getIntNTy(all_bits);
  Value* value = Constant::getNullValue(whole);
  for (size_t i = 0; i < from.names.size(); ++i) {
    Value* element = of_.read(from.names[i], builder_.getIntNTy(bits));
    if (element == nullptr) return false;
    value = builder_.CreateOr(value, builder_.CreateShl(builder_.CreateZExt(element, whole), i * bits));
  }
  const bool strong = is_strong(statement);
  if (all_bits > 64)
    value = builder_.CreateBitCast(value, FixedVectorType::get(builder_.getInt64Ty(), all_bits / 64));
  StoreInst* const stored = builder_.CreateAlignedStore(
      value, address, Align(all_bits / 8), statement.has("volatile") || (strong && all_bits > 64));
  if (strong && all_bits <= 64) stored->setAtomic(ordering_of(statement));
  return true;
}

// atom.add.relaxed.gpu.global.u32 old, [address], value; red without the old one.
bool PtxMemory::update(const PtxStatement& statement) {
  Type* const type = of_.type_of(statement);
  const size_t first = statement.words[0] == "atom" ? 1 : 0;  // operand of the address
  if (type == nullptr || statement.operands.size() < first + 2) return false;
  StringRef operation;
  for (const std::string& word : ArrayRef(statement.words).drop_front().drop_back()) {
    if (is_known_word(word)) continue;
    if (!operation.empty()) return false;
    operation = word;
  }
  Value* const address =
      address_of(statement.operands[first], is_shared(statement), is_of_cluster(statement));
  Value* const value = of_.read(statement, first + 1, type);
  if (address == nullptr || value == nullptr) return false;
  const Align alignment(type->getPrimitiveSizeInBits() / 8);
  Value* old = nullptr;
  if (operation == "cas") {
    Value* const next = of_.read(statement, first + 2, type);
    if (next == nullptr) return false;
    const AtomicOrdering ordering = ordering_of(statement);
    old = builder_.CreateExtractValue(
        builder_.CreateAtomicCmpXchg(address, value, next, alignment, ordering,
                                     AtomicCmpXchgInst::getStrongestFailureOrdering(ordering)),
        0);
  } else {
    const bool is_signed = StringRef(statement.words.back()).starts_with("s");
    const std::pair<StringRef, AtomicRMWInst::BinOp> operations[] = {
        {"add", type->isFloatingPointTy() ? AtomicRMWInst::FAdd : AtomicRMWInst::Add},
        {"min", is_signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin},
        {"max", is_signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax},
        {"and", AtomicRMWInst::And},
        {"or", AtomicRMWInst::Or},
        {"xor", AtomicRMWInst::Xor},
        {"exch", AtomicRMWInst::Xchg},
        {"inc", AtomicRMWInst::UIncWrap},
        {"dec", AtomicRMWInst::UDecWrap}};
    for (const auto& [name, binary] : operations)
      if (name == operation)
        old = builder_.CreateAtomicRMW(binary, address, value, alignment, ordering_of(statement));
  }
  if (old == nullptr) return false;
  if (first == 1) of_.write(statement.operands[0].names[0], old);
  return true;
}

// cp.async.ca.shared.global [to], [from], bytes, bytes to read; copied at once, so that groups need no waiting. What is
// not read becomes zeros.
bool PtxMemory::copy_to_shared(const PtxStatement& statement) {
  if (!statement.has("async") || statement.has("bulk") || statement.has("mbarrier")) return false;
  if (statement.has("commit_group") || statement.has("wait_group") || statement.has("wait_all")) return true;
  if (statement.operands.size() < 3 || statement.operands.size() > 4) return false;
  Value* const to = address_of(statement.operands[0], true);
  Value* const from = address_of(statement.operands[1], false);
  const auto* const bytes = dyn_cast_or_null<ConstantInt>(of_.read(statement, 2, builder_.getInt32Ty()));
  if (to == nullptr || from == nullptr || bytes == nullptr || !isPowerOf2_64(bytes->getZExtValue()))
    return false;
  Type* const whole = builder_.getIntNTy(8 * bytes->getZExtValue());
  const Align alignment(bytes->getZExtValue());
  if (statement.operands.size() == 4) {
    Value* const wanted = of_.read(statement, 3, builder_.getInt32Ty());
    if (wanted == nullptr) return false;
    builder_.CreateAlignedStore(Constant::getNullValue(whole), to, alignment);
    Value* const read =
        builder_.CreateBinaryIntrinsic(Intrinsic::umin, wanted, builder_.getInt32(bytes->getZExtValue()));
    builder_.CreateMemCpy(to, alignment, from, Align(1), builder_.CreateZExt(read, builder_.getInt64Ty()));
    return true;
  }
  builder_.CreateAlignedStore(builder_.CreateAlignedLoad(whole, from, alignment), to, alignment);
  return true;
}

}  // namespace cuset_pass
