#include "pass/thread_body.h"

#include <set>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cuset_pass {

using namespace llvm;

Place place_of(Value* address, uint64_t further, const DataLayout& layout) {
  APInt offset(64, further);
  Value* base = address->stripAndAccumulateConstantOffsets(layout, offset, true);
  return {base, offset.getZExtValue()};
}

bool is_context(const Value* base) {
  auto* address = dyn_cast<IntrinsicInst>(base);
  return address != nullptr && address->getIntrinsicID() == Intrinsic::threadlocal_address &&
         address->getArgOperand(0)->getName() == kContextName;
}

namespace {

// What a phi or a select chooses from: the optimizer joins addresses of the context from several branches.
std::vector<Value*> choices(Value* base) {
  if (auto* phi = dyn_cast<PHINode>(base))
    return {phi->incoming_values().begin(), phi->incoming_values().end()};
  if (auto* select = dyn_cast<SelectInst>(base)) return {select->getTrueValue(), select->getFalseValue()};
  return {};
}

// Adds the fixed fields that `place` may be. False where it may be something else: an address that a loop moves on has no
// end of places.
bool add_fields(Place place, const DataLayout& layout, std::set<Place>& seen, std::set<unsigned>& fields) {
  constexpr size_t kMostPlaces = 64;
  if (!seen.insert(place).second) return true;
  if (seen.size() > kMostPlaces) return false;
  if (is_context(place.first)) {
    fields.insert(static_cast<unsigned>(place.second));
    return context::is_fixed(static_cast<unsigned>(place.second));
  }
  const std::vector<Value*> sources = choices(place.first);
  return !sources.empty() && all_of(sources, [&](Value* source) {
    return add_fields(place_of(source, place.second, layout), layout, seen, fields);
  });
}

// Loads of fixed fields, with the offsets of those they may be; others (requests, the order of atomics) stay
// what they are.
std::vector<std::pair<LoadInst*, std::set<unsigned>>> fixed_loads(Function& function) {
  std::vector<std::pair<LoadInst*, std::set<unsigned>>> found;
  const DataLayout& layout = function.getParent()->getDataLayout();
  for (Instruction& instruction : instructions(function)) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    if (load == nullptr) continue;
    std::set<Place> seen;
    std::set<unsigned> fields;
    if (add_fields(place_of(load->getPointerOperand(), 0, layout), layout, seen, fields))
      found.push_back({load, std::move(fields)});
  }
  return found;
}

// Whether a load may read a fixed field in a way that fixed_loads does not follow.
bool reads_context_otherwise(Function& function) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  for (Instruction& instruction : instructions(function)) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    if (load == nullptr) continue;
    const Place place = place_of(load->getPointerOperand(), 0, layout);
    if (is_context(place.first) && !context::is_fixed(static_cast<unsigned>(place.second))) continue;
    SmallVector<const Value*, 4> objects;
    getUnderlyingObjects(load->getPointerOperand(), objects, nullptr, 0);
    if (any_of(objects,
               [](const Value* object) { return is_context(object) || object->getName() == kContextName; }))
      return true;
  }
  return false;
}

// What a load of fixed fields gives: the parameter, or where the address is chosen by a phi or a select, the
// same choice among parameters.
class LoadedFields {
 public:
  explicit LoadedFields(const ThreadBody& body)
      : body_(body), layout_(body.function->getParent()->getDataLayout()) {}

  Value* value_at(Value* address, Type* type) { return value_at(place_of(address, 0, layout_), type); }

 private:
  Value* value_at(Place place, Type* type) {
    if (is_context(place.first)) return body_.fields.at(static_cast<unsigned>(place.second));
    if (Value* known = chosen_.lookup(place)) return known;
    if (auto* select = dyn_cast<SelectInst>(place.first)) {
      IRBuilder<> builder(select);
      return chosen_[place] =
                 builder.CreateSelect(select->getCondition(), source(place, select->getTrueValue(), type),
                                      source(place, select->getFalseValue(), type));
    }
    auto* phi = cast<PHINode>(place.first);
    IRBuilder<> builder(phi);
    PHINode* value = builder.CreatePHI(type, phi->getNumIncomingValues());
    chosen_[place] = value;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      value->addIncoming(source(place, phi->getIncomingValue(i), type), phi->getIncomingBlock(i));
    return value;
  }

  Value* source(Place place, Value* address, Type* type) {
    return value_at(place_of(address, place.second, layout_), type);
  }

  const ThreadBody& body_;
  const DataLayout& layout_;
  DenseMap<Place, Value*> chosen_;
};

// The optimizer joins reads of neighboring indices and sizes, which are words of 32 bits: reads each by itself.
void separate_words(Function& run_thread) {
  for (auto& [load, fields] : fixed_loads(run_thread)) {
    if (!context::is_index_word(*fields.begin()) || !load->getType()->isIntegerTy(64)) continue;
    IRBuilder<> builder(load);
    Value* address = load->getPointerOperand();
    Value* low = builder.CreateLoad(builder.getInt32Ty(), address);
    Value* high = builder.CreateLoad(builder.getInt32Ty(),
                                     builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address, 4));
    Value* both = builder.CreateOr(builder.CreateZExt(low, load->getType()),
                                   builder.CreateShl(builder.CreateZExt(high, load->getType()), 32));
    load->replaceAllUsesWith(both);
    load->eraseFromParent();
  }
}

// Loops over threads need these whether the kernel reads them or not.
std::map<unsigned, Type*> parameters_of(Function& run_thread) {
  std::map<unsigned, Type*> types;
  Type* word = Type::getInt32Ty(run_thread.getContext());
  for (unsigned axis = 0; axis < 3; ++axis) {
    types[context::kThreadIndex + 4 * axis] = word;
    types[context::kBlockDim + 4 * axis] = word;
  }
  types[context::kLinearThread] = types[context::kLane] = word;
  for (auto& [load, fields] : fixed_loads(run_thread))
    for (const unsigned field : fields) types[field] = load->getType();
  return types;
}

}  // namespace

bool is_of_a_thread(unsigned field) {
  return field < context::kBlockIndex || field == context::kLinearThread || field == context::kLane;
}

std::optional<ThreadBody> make_thread_body(Function& run_thread) {
  separate_words(run_thread);
  const std::map<unsigned, Type*> types = parameters_of(run_thread);
  std::vector<Type*> parameters{run_thread.getArg(0)->getType()};
  for (auto& [offset, type] : types) {
    if (context::is_index_word(offset) && !type->isIntegerTy(32)) return std::nullopt;
    parameters.push_back(type);
  }
  auto* type = FunctionType::get(run_thread.getReturnType(), parameters, false);
  ThreadBody body;
  body.function = Function::Create(type, GlobalValue::InternalLinkage, run_thread.getName() + ".body",
                                   run_thread.getParent());
  unsigned position = 1;
  for (auto& [offset, unused] : types) body.fields[offset] = body.function->getArg(position++);
  ValueToValueMapTy values;
  values[run_thread.getArg(0)] = body.function->getArg(0);
  SmallVector<ReturnInst*, 8> returns;
  CloneFunctionInto(body.function, &run_thread, values, CloneFunctionChangeType::LocalChangesOnly, returns);
  body.function->removeFnAttr(Attribute::NoInline);
  LoadedFields loaded(body);
  for (auto& [load, fields] : fixed_loads(*body.function)) {
    load->replaceAllUsesWith(loaded.value_at(load->getPointerOperand(), load->getType()));
    load->eraseFromParent();
  }
  body.reads_context = reads_context_otherwise(*body.function);
  return body;
}

}  // namespace cuset_pass
