// Calls of the runtime's checks (runtime/launch/checks.h) around what device code reads and writes, for --check.
//
// Every load, store and atomic operation asks cuset_check_access for the address to use: its own, or a
// harmless one where the access is wrong, so that the program continues and later faults are found too. Fences are told
// to cuset_check_fence. Where
// the compiler knows which variable an address belongs to (local arrays, shared and device variables),
// cuset_check_object also holds it to that variable.
#include <set>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "pass/steps.h"
#include "pass/thread_body.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// As in runtime/launch/checks.h.
enum Kind : uint32_t {
  kRead = 0,
  kWrite = 1,
  kAtomic = 2,
  kExchange = 3,
  kCopySource = 4,
  kCopyTarget = 5,
  kFetch = 6,
  kWatch = 7,
  kAtomicStore = 8,
  kWriteUniform = 9
};

constexpr uint32_t kReleases = 1 << 8;

constexpr uint64_t kLargestStruct = 128;  // copies up to here are checked as one access

struct Access {
  Instruction* instruction;
  unsigned operand;  // the address
  uint64_t bytes;
  uint64_t alignment;
  Kind kind;
  bool releases = false;
};

// Whether all threads of the launch compute the same: constants, the kernel's arguments (kernels have a calling
// convention of their own) and what is made of these alone.
bool is_uniform(const Value* value, unsigned depth) {
  if (isa<Constant>(value)) return true;
  if (const auto* argument = dyn_cast<Argument>(value))
    return argument->getParent()->getCallingConv() == CallingConv::Win64;
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || depth == 0) return false;
  if (!isa<BinaryOperator>(instruction) && !isa<CastInst>(instruction)) return false;
  return all_of(instruction->operands(),
                [&](const Use& operand) { return is_uniform(operand.get(), depth - 1); });
}

Kind kind_of(const LoadInst& load) {
  return load.isAtomic() || load.hasMetadata(kWatchMetadata) ? kWatch : kRead;
}

Kind kind_of(const StoreInst& store) {
  if (store.isAtomic()) return kAtomicStore;
  return is_uniform(store.getValueOperand(), 4) ? kWriteUniform : kWrite;
}

Kind kind_of(const AtomicRMWInst& update) {
  if (update.getOperation() == AtomicRMWInst::Xchg) return kExchange;
  return update.use_empty() ? kAtomic : kFetch;
}

std::optional<Access> access_of(Instruction& instruction, const DataLayout& layout) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    return Access{load, LoadInst::getPointerOperandIndex(), layout.getTypeStoreSize(load->getType()),
                  load->getAlign().value(), kind_of(*load)};
  }
  if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    return Access{store,
                  StoreInst::getPointerOperandIndex(),
                  layout.getTypeStoreSize(store->getValueOperand()->getType()),
                  store->getAlign().value(),
                  kind_of(*store),
                  isReleaseOrStronger(store->getOrdering())};
  }
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    return Access{update,
                  AtomicRMWInst::getPointerOperandIndex(),
                  layout.getTypeStoreSize(update->getType()),
                  update->getAlign().value(),
                  kind_of(*update),
                  isReleaseOrStronger(update->getOrdering())};
  }
  if (auto* swap = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    return Access{swap,
                  AtomicCmpXchgInst::getPointerOperandIndex(),
                  layout.getTypeStoreSize(swap->getNewValOperand()->getType()),
                  swap->getAlign().value(),
                  kExchange,
                  isReleaseOrStronger(swap->getSuccessOrdering())};
  }
  return std::nullopt;
}

// What is known about an address: the variable it points into, its size and its name.
struct Object {
  Value* value = nullptr;
  uint64_t bytes = 0;
  std::string name;
  bool local = false;
  bool trusted =
      false;  // the worker's context, constants of the compiler, tables of the runtime: nothing to check
};

// "s" of "_ZZ6kernelPfE1s": the last length-prefixed name; other names as they are.
std::string plain_name(StringRef mangled) {
  for (size_t start = mangled.size(); start-- > 0;) {
    if (!isdigit(static_cast<unsigned char>(mangled[start]))) continue;
    size_t digits = start;
    while (digits > 0 && isdigit(static_cast<unsigned char>(mangled[digits - 1]))) --digits;
    unsigned length = 0;
    if (!mangled.substr(digits, start + 1 - digits).getAsInteger(10, length) &&
        start + 1 + length <= mangled.size() && length > 0) {
      return mangled.substr(start + 1, length).str();
    }
  }
  return mangled.str();
}

// The runtime's table of the shared memory of a cluster's blocks.
bool is_cluster_table(LoadInst& load, const DataLayout& layout) {
  const Place place = place_of(load.getPointerOperand(), 0, layout);
  return is_context(place.first) && place.second == context::kClusterShared;
}

Object object_of(Value* address, const DataLayout& layout) {
  Value* base = getUnderlyingObject(address, 0);
  Object object;
  if (auto* local = dyn_cast<AllocaInst>(base)) {
    const auto size = local->getAllocationSize(layout);
    object = {local, size ? size->getFixedValue() : 0, "a local array", true, false};
  } else if (auto* variable = dyn_cast<GlobalVariable>(base)) {
    object = {variable, layout.getTypeAllocSize(variable->getValueType()), plain_name(variable->getName()),
              false, false};
    object.trusted = variable->isThreadLocal() || variable->hasPrivateLinkage() ||
                     variable->getName().starts_with("cuset");
  } else if (auto* call = dyn_cast<IntrinsicInst>(base)) {
    object.trusted = call->getIntrinsicID() == Intrinsic::threadlocal_address;
  } else if (auto* load = dyn_cast<LoadInst>(base)) {
    object.trusted = is_cluster_table(*load, layout);
  }
  return object;
}

bool stays_inside(const Access& access, const Object& object, const DataLayout& layout) {
  APInt offset(64, 0);
  const Value* base =
      access.instruction->getOperand(access.operand)->stripAndAccumulateConstantOffsets(layout, offset, true);
  return base == object.value && !offset.isNegative() && offset.getZExtValue() + access.bytes <= object.bytes;
}

class Instrumenter {
 public:
  explicit Instrumenter(Module& module) : module_(module), builder_(module.getContext()) {}

  void instrument(const Access& access) {
    const DataLayout& layout = module_.getDataLayout();
    Value* address = access.instruction->getOperand(access.operand);
    const Object object = object_of(address, layout);
    if (object.trusted) return;
    const bool inside = object.value != nullptr && object.bytes > 0 && stays_inside(access, object, layout);
    if (object.local && inside) return;
    builder_.SetInsertPoint(access.instruction);
    Constant* site = site_of(*access.instruction);
    if (object.value != nullptr && object.bytes > 0 && !inside)
      address = check_object(address, access, object, site);
    if (!object.local) address = check_access(address, access, site);
    access.instruction->setOperand(access.operand, address);
  }

  // Small copies of known size are structs: both ends are accesses like others. The rest is checked as a
  // range.
  void instrument(MemIntrinsic& copy) {
    const auto* length = dyn_cast<ConstantInt>(copy.getLength());
    if (length == nullptr || length->getZExtValue() > kLargestStruct) return check_range(copy);
    const uint64_t bytes = length->getZExtValue();
    if (auto* transfer = dyn_cast<MemTransferInst>(&copy)) {
      instrument(Access{&copy, 1, bytes, transfer->getSourceAlign().valueOrOne().value(), kCopySource});
    }
    instrument(Access{&copy, 0, bytes, copy.getDestAlign().valueOrOne().value(), kCopyTarget});
  }

  // One for the block alone tells other blocks nothing.
  void instrument(FenceInst& fence) {
    if (fence.getSyncScopeID() == SyncScope::SingleThread || !isReleaseOrStronger(fence.getOrdering()))
      return;
    builder_.SetInsertPoint(&fence);
    builder_.CreateCall(runtime_function(module_, "cuset_check_fence", builder_.getVoidTy(), {}));
  }

  // The runtime tells a wrong free at this place.
  void instrument_free(CallBase& call) {
    builder_.SetInsertPoint(&call);
    builder_.CreateStore(site_of(call), context_field(builder_, module_, context::kSite));
  }

 private:
  void check_range(MemIntrinsic& copy) {
    builder_.SetInsertPoint(&copy);
    Value* source = ConstantPointerNull::get(builder_.getPtrTy());
    if (auto* transfer = dyn_cast<MemTransferInst>(&copy)) {
      const bool trusted = object_of(transfer->getRawSource(), module_.getDataLayout()).trusted;
      if (!trusted) source = transfer->getRawSource();
    }
    FunctionCallee check = runtime_function(
        module_, "cuset_check_copy", builder_.getVoidTy(),
        {builder_.getPtrTy(), builder_.getPtrTy(), builder_.getInt64Ty(), builder_.getPtrTy()});
    Value* bytes = builder_.CreateZExtOrTrunc(copy.getLength(), builder_.getInt64Ty());
    builder_.CreateCall(check, {copy.getRawDest(), source, bytes, site_of(copy)});
  }

  Value* check_object(Value* address, const Access& access, const Object& object, Constant* site) {
    FunctionCallee check = runtime_function(
        module_, "cuset_check_object", builder_.getPtrTy(),
        {builder_.getPtrTy(), builder_.getInt32Ty(), builder_.getInt32Ty(), builder_.getPtrTy(),
         builder_.getInt64Ty(), builder_.getPtrTy(), builder_.getPtrTy()});
    return builder_.CreateCall(
        check, {address, word(access.bytes), word(access.kind), object.value, builder_.getInt64(object.bytes),
                string_constant(module_, object.name), site});
  }

  Value* check_access(Value* address, const Access& access, Constant* site) {
    FunctionCallee check =
        runtime_function(module_, "cuset_check_access", builder_.getPtrTy(),
                         {builder_.getPtrTy(), builder_.getInt32Ty(), builder_.getInt32Ty(),
                          builder_.getInt32Ty(), builder_.getPtrTy()});
    return builder_.CreateCall(check, {address, word(access.bytes), word(access.alignment),
                                       word(access.kind | (access.releases ? kReleases : 0)), site});
  }

  Value* word(uint64_t value) { return builder_.getInt32(static_cast<uint32_t>(value)); }

  Module& module_;
  IRBuilder<> builder_;
};

// The C library's copies and fills as LLVM's own, which are checked: clang leaves those of device code as calls.
void use_intrinsics(CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || call.arg_size() != 3) return;
  IRBuilder<> builder(&call);
  Value *to = call.getArgOperand(0), *from = call.getArgOperand(1), *bytes = call.getArgOperand(2);
  const StringRef name = callee->getName();
  if (name == "memcpy") {
    builder.CreateMemCpy(to, MaybeAlign(), from, MaybeAlign(), bytes);
  } else if (name == "memmove") {
    builder.CreateMemMove(to, MaybeAlign(), from, MaybeAlign(), bytes);
  } else if (name == "memset") {
    builder.CreateMemSet(to, builder.CreateTrunc(from, builder.getInt8Ty()), bytes, MaybeAlign());
  } else {
    return;
  }
  call.replaceAllUsesWith(to);
  call.eraseFromParent();
}

}  // namespace

void add_checks(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function)))
      if (auto* call = dyn_cast<CallInst>(&instruction)) use_intrinsics(*call);
  std::vector<Access> accesses;
  std::vector<MemIntrinsic*> copies;
  std::vector<CallBase*> frees;
  std::vector<FenceInst*> fences;
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      if (auto access = access_of(instruction, module.getDataLayout())) accesses.push_back(*access);
      if (auto* copy = dyn_cast<MemIntrinsic>(&instruction)) copies.push_back(copy);
      if (auto* fence = dyn_cast<FenceInst>(&instruction)) fences.push_back(fence);
      auto* call = dyn_cast<CallBase>(&instruction);
      if (call && call->getCalledFunction() &&
          call->getCalledFunction()->getName().starts_with("cuset_device_free")) {
        frees.push_back(call);
      }
    }
  }
  Instrumenter instrumenter(module);
  for (const Access& access : accesses) instrumenter.instrument(access);
  for (MemIntrinsic* copy : copies) instrumenter.instrument(*copy);
  for (CallBase* call : frees) instrumenter.instrument_free(*call);
  for (FenceInst* fence : fences) instrumenter.instrument(*fence);
}

}  // namespace cuset_pass
