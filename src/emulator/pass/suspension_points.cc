#include "pass/suspension_points.h"

#include "cuset_emulator/abi.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cuset_pass {

using namespace llvm;

namespace {

bool is_served(uint32_t operation) {
  return operation != CUSET_FINISHED && operation != CUSET_GRID_BARRIER && operation != CUSET_YIELD &&
         operation != CUSET_NUMBERED_BARRIER && operation != CUSET_PREEMPTED &&
         operation != CUSET_CLUSTER_BARRIER;
}

// What requests and answers are made of.
const std::map<unsigned, unsigned> kBitsOfFields = {{context::kOperation, 32},
                                                    {context::kMask, 32},
                                                    {context::kArgument, 32},
                                                    {context::kValue, 64},
                                                    {context::kResult, 64}};

// The field of a request or answer that an access is to.
std::optional<unsigned> field_of(Instruction& access, const DataLayout& layout) {
  Value* address = getLoadStorePointerOperand(&access);
  if (address == nullptr) return std::nullopt;
  const Place place = place_of(address, 0, layout);
  if (!is_context(place.first) || place.second < context::kOperation) return std::nullopt;
  return static_cast<unsigned>(place.second);
}

// The optimizer joins stores of zeros: the fields that one of these clears.
void separate_zeros(Function& body) {
  const DataLayout& layout = body.getParent()->getDataLayout();
  std::vector<std::pair<MemSetInst*, uint64_t>> fills;
  for (Instruction& instruction : instructions(body)) {
    auto* fill = dyn_cast<MemSetInst>(&instruction);
    if (fill == nullptr || !isa<ConstantInt>(fill->getLength()) || !isa<ConstantInt>(fill->getValue()))
      continue;
    const Place place = place_of(fill->getDest(), 0, layout);
    if (is_context(place.first) && cast<ConstantInt>(fill->getValue())->isZero())
      fills.push_back({fill, place.second});
  }
  for (auto& [fill, start] : fills) {
    const uint64_t end = start + cast<ConstantInt>(fill->getLength())->getZExtValue();
    IRBuilder<> builder(fill);
    for (const auto& [field, bits] : kBitsOfFields) {
      if (field >= start && field + bits / 8 <= end)
        builder.CreateStore(builder.getIntN(bits, 0), context_field(builder, *body.getParent(), field));
    }
    fill->eraseFromParent();
  }
}

// The stores before a call that make its request, in the same block.
std::vector<StoreInst*> request_of(CallBase& call) {
  const DataLayout& layout = call.getModule()->getDataLayout();
  std::vector<StoreInst*> stores;
  for (Instruction* before = call.getPrevNode(); before != nullptr && !is_suspension(*before);
       before = before->getPrevNode()) {
    auto* store = dyn_cast<StoreInst>(before);
    if (store != nullptr && field_of(*store, layout)) stores.push_back(store);
  }
  return stores;
}

std::optional<uint32_t> operation_of(const std::vector<StoreInst*>& request, const DataLayout& layout) {
  for (StoreInst* store : request) {
    if (field_of(*store, layout) != context::kOperation) continue;
    const auto* value = dyn_cast<ConstantInt>(store->getValueOperand());
    if (value == nullptr) return std::nullopt;
    return static_cast<uint32_t>(value->getZExtValue());
  }
  return std::nullopt;
}

bool needs_request(uint32_t operation) {
  return operation != CUSET_BARRIER && operation != CUSET_WARP_SYNC && operation != CUSET_ACTIVE_MASK;
}

// The accesses that are left, to variables of the thread.
bool redirect(Function& body, SuspensionPoints& found) {
  const DataLayout& layout = body.getParent()->getDataLayout();
  IRBuilder<> entry(&body.getEntryBlock(), body.getEntryBlock().begin());
  std::vector<std::pair<Instruction*, unsigned>> accesses;
  for (Instruction& instruction : instructions(body)) {
    if (const auto field = field_of(instruction, layout)) accesses.push_back({&instruction, *field});
  }
  for (auto& [access, field] : accesses) {
    const auto bits = kBitsOfFields.find(field);
    const uint64_t accessed = layout.getTypeStoreSizeInBits(getLoadStoreType(access));
    // A store of less would leave the rest of the field as another request left it.
    if (bits == kBitsOfFields.end() || accessed > bits->second ||
        (isa<StoreInst>(access) && accessed != bits->second))
      return false;
    AllocaInst*& variable = found.variables[field];
    if (variable == nullptr) variable = entry.CreateAlloca(entry.getIntNTy(bits->second), nullptr, "request");
    access->setOperand(isa<StoreInst>(access) ? 1 : 0, variable);
  }
  return true;
}

}  // namespace

std::optional<SuspensionPoints> separate_suspensions(Function& body) {
  SuspensionPoints found;
  const DataLayout& layout = body.getParent()->getDataLayout();
  separate_zeros(body);
  for (Instruction& instruction : instructions(body)) {
    if (!is_suspension(instruction)) continue;
    auto* call = cast<CallBase>(&instruction);
    const auto operation = operation_of(request_of(*call), layout);
    if (!operation || !is_served(*operation)) return std::nullopt;
    found.points.push_back({nullptr, call, *operation});
  }
  for (SuspensionPoint& point : found.points) {
    for (StoreInst* store : request_of(*point.call)) {
      if (!needs_request(point.operation) || field_of(*store, layout) == context::kOperation)
        store->eraseFromParent();
    }
  }
  if (!redirect(body, found)) return std::nullopt;
  for (SuspensionPoint& point : found.points) {
    point.block = point.call->getParent()->splitBasicBlock(point.call, "stop");
    point.block->splitBasicBlock(point.call->getNextNode(), "resume");
  }
  return found;
}

}  // namespace cuset_pass
