// A kernel that never waits runs a whole block as one loop over its threads, which the compiler can
// vectorize: threads of a block have no order among themselves, so no access of one depends on another's
// (declared by access groups). The indices that the kernel reads from the worker's context become loop
// variables and constants of the block.
#include <map>
#include <set>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Fields of the context below this offset do not change while a thread runs.
constexpr unsigned kFixedFields = context::kOrdered;

// An address as the object it points into and the bytes from there.
using Place = std::pair<Value*, uint64_t>;

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
    return place.second < kFixedFields;
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
    if (is_context(place.first) && place.second >= kFixedFields) continue;
    SmallVector<const Value*, 4> objects;
    getUnderlyingObjects(load->getPointerOperand(), objects, nullptr, 0);
    if (any_of(objects,
               [](const Value* object) { return is_context(object) || object->getName() == kContextName; }))
      return true;
  }
  return false;
}

bool calls_functions(Function& function) {
  for (Instruction& instruction : instructions(function)) {
    if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)) return true;
  }
  return false;
}

// One thread of the block: values of the context's fixed fields where the loop calls its body.
class FieldValues {
 public:
  FieldValues(Module& module, IRBuilder<>& before) : module_(module), before_(before) {}

  void set(unsigned offset, Value* value) { values_[offset] = value; }

  // Loaded once before the loop unless it is a loop variable.
  Value* get(unsigned offset, Type* type) {
    Value*& value = values_[offset];
    if (value == nullptr) value = before_.CreateLoad(type, context_field(before_, module_, offset));
    return value;
  }

 private:
  Module& module_;
  IRBuilder<>& before_;
  std::map<unsigned, Value*> values_;
};

// for z, for y, for x: blocks of the loop nest and its variables.
struct Nest {
  BasicBlock* entry;
  BasicBlock* body;
  BranchInst* inner_latch;
  Value* index[3];
  Value* linear;
};

Nest build_nest(Function& loop, IRBuilder<>& before, FieldValues& fields) {
  LLVMContext& llvm_context = loop.getContext();
  Type* word = before.getInt32Ty();
  Value* limits[3];
  for (unsigned axis = 0; axis < 3; ++axis) limits[axis] = fields.get(context::kBlockDim + 4 * axis, word);
  Nest nest{};
  nest.entry = before.GetInsertBlock();
  BasicBlock* heads[3];
  BasicBlock* ends[3];
  for (int axis = 2; axis >= 0; --axis) heads[axis] = BasicBlock::Create(llvm_context, "head", &loop);
  for (unsigned axis = 0; axis < 3; ++axis) ends[axis] = BasicBlock::Create(llvm_context, "end", &loop);
  BasicBlock* done = BasicBlock::Create(llvm_context, "done", &loop);
  before.CreateBr(heads[2]);

  IRBuilder<> builder(llvm_context);
  PHINode* index[3];
  for (int axis = 2; axis >= 0; --axis) {
    builder.SetInsertPoint(heads[axis]);
    index[axis] = builder.CreatePHI(word, 2);
    index[axis]->addIncoming(builder.getInt32(0), axis == 2 ? nest.entry : heads[axis + 1]);
    nest.index[axis] = index[axis];
    if (axis > 0) builder.CreateBr(heads[axis - 1]);
  }
  builder.SetInsertPoint(heads[0]);
  Value* rows = builder.CreateNUWAdd(builder.CreateNUWMul(nest.index[2], limits[1]), nest.index[1]);
  nest.linear = builder.CreateNUWAdd(builder.CreateNUWMul(rows, limits[0]), nest.index[0]);
  builder.CreateBr(ends[0]);
  nest.body = heads[0];
  for (unsigned axis = 0; axis < 3; ++axis) {
    builder.SetInsertPoint(ends[axis]);
    Value* next = builder.CreateAdd(index[axis], builder.getInt32(1), "", true, true);
    auto* branch = builder.CreateCondBr(builder.CreateICmpULT(next, limits[axis]), heads[axis],
                                        axis == 2 ? done : ends[axis + 1]);
    index[axis]->addIncoming(next, ends[axis]);
    if (axis == 0) nest.inner_latch = branch;
  }
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return nest;
}

// run_thread with further parameters in place of the context's fields it reads.
struct Body {
  Function* function = nullptr;
  std::vector<std::pair<unsigned, Type*>> fields;
};

// What a load of fixed fields gives: the parameter, or where the address is chosen by a phi or a select, the
// same choice among parameters.
class LoadedFields {
 public:
  explicit LoadedFields(const Body& body)
      : body_(body), layout_(body.function->getParent()->getDataLayout()) {}

  Value* value_at(Value* address, Type* type) { return value_at(place_of(address, 0, layout_), type); }

 private:
  Value* value_at(Place place, Type* type) {
    if (is_context(place.first)) return parameter(static_cast<unsigned>(place.second));
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

  Value* parameter(unsigned field) const {
    unsigned position = 1;
    while (body_.fields[position - 1].first != field) ++position;
    return body_.function->getArg(position);
  }

  const Body& body_;
  const DataLayout& layout_;
  DenseMap<Place, Value*> chosen_;
};

Body make_body(Function& run_thread) {
  std::map<unsigned, Type*> types;
  for (auto& [load, fields] : fixed_loads(run_thread))
    for (const unsigned field : fields) types[field] = load->getType();
  Body body;
  std::vector<Type*> parameters{run_thread.getArg(0)->getType()};
  for (auto& [offset, type] : types) {
    body.fields.push_back({offset, type});
    parameters.push_back(type);
  }
  auto* type = FunctionType::get(run_thread.getReturnType(), parameters, false);
  body.function = Function::Create(type, GlobalValue::InternalLinkage, run_thread.getName() + ".body",
                                   run_thread.getParent());
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
  return body;
}

// Accesses of the threads' own local arrays are not independent: all threads of the loop use the same memory.
bool is_private(const Instruction& access) {
  const Value* address = isa<LoadInst>(access) ? cast<LoadInst>(access).getPointerOperand()
                                               : cast<StoreInst>(access).getPointerOperand();
  return isa<AllocaInst>(getUnderlyingObject(address, 0));
}

void declare_parallel(Function& body, BranchInst& latch) {
  LLVMContext& llvm_context = body.getContext();
  MDNode* group = MDNode::getDistinct(llvm_context, {});
  for (Instruction& instruction : instructions(body)) {
    if ((isa<LoadInst>(instruction) || isa<StoreInst>(instruction)) && !is_private(instruction)) {
      instruction.setMetadata(LLVMContext::MD_access_group, group);
    }
  }
  auto* accesses =
      MDNode::get(llvm_context, {MDString::get(llvm_context, "llvm.loop.parallel_accesses"), group});
  auto* progress = MDNode::get(llvm_context, {MDString::get(llvm_context, "llvm.loop.mustprogress")});
  MDNode* identity = MDNode::getDistinct(llvm_context, {nullptr, accesses, progress});
  identity->replaceOperandWith(0, identity);
  latch.setMetadata(LLVMContext::MD_loop, identity);
}

// Functions that are called, not inlined, read the thread's index from the context, as do loads that are not
// followed.
void store_indices(IRBuilder<>& builder, Module& module, const Nest& nest) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    builder.CreateStore(nest.index[axis], context_field(builder, module, context::kThreadIndex + 4 * axis));
  }
  builder.CreateStore(nest.linear, context_field(builder, module, context::kLinearThread));
  builder.CreateStore(builder.CreateAnd(nest.linear, 31), context_field(builder, module, context::kLane));
}

// Arguments do not change while a block runs: they are loaded from their slots once, before the loop. The optimizer does not
// know that kernels cannot write there.
void load_arguments_once(Function& loop, BasicBlock& before) {
  const DataLayout& layout = loop.getParent()->getDataLayout();
  std::map<std::pair<uint64_t, Type*>, Value*> loaded;
  std::vector<LoadInst*> loads;
  for (Instruction& instruction : instructions(loop)) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    if (load != nullptr && place_of(load->getPointerOperand(), 0, layout).first == loop.getArg(0))
      loads.push_back(load);
  }
  IRBuilder<> builder(before.getTerminator());
  for (LoadInst* load : loads) {
    const uint64_t offset = place_of(load->getPointerOperand(), 0, layout).second;
    Value*& value = loaded[{offset, load->getType()}];
    if (value == nullptr)
      value = builder.CreateAlignedLoad(
          load->getType(), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), loop.getArg(0), offset),
          load->getAlign());
    load->replaceAllUsesWith(value);
    load->eraseFromParent();
  }
}

void define_loop(Function& loop, Function& run_thread) {
  Module& module = *loop.getParent();
  Body body = make_body(run_thread);
  const bool reads_context = reads_context_otherwise(*body.function);
  adopt_target(loop, run_thread);
  IRBuilder<> before(BasicBlock::Create(loop.getContext(), "", &loop));
  FieldValues fields(module, before);
  for (auto& [offset, type] : body.fields) {
    const bool varies =
        offset < context::kBlockIndex || offset == context::kLinearThread || offset == context::kLane;
    if (!varies) fields.get(offset, type);
  }
  const Nest nest = build_nest(loop, before, fields);
  IRBuilder<> builder(nest.body->getTerminator());
  for (unsigned axis = 0; axis < 3; ++axis) fields.set(context::kThreadIndex + 4 * axis, nest.index[axis]);
  fields.set(context::kLinearThread, nest.linear);
  fields.set(context::kLane, builder.CreateAnd(nest.linear, 31));
  if (reads_context || calls_functions(run_thread)) store_indices(builder, module, nest);
  std::vector<Value*> arguments{loop.getArg(0)};
  for (auto& [offset, type] : body.fields) arguments.push_back(fields.get(offset, type));
  CallInst* call = builder.CreateCall(body.function, arguments);
  // What goes through the context goes from one turn of the loop to the next.
  if (!reads_context) declare_parallel(*body.function, *nest.inner_latch);
  InlineFunctionInfo info;
  if (!InlineFunction(*call, info).isSuccess()) report_fatal_error("cannot inline the body of a thread loop");
  body.function->eraseFromParent();
  load_arguments_once(loop, *nest.entry);
  loop.setLinkage(GlobalValue::InternalLinkage);
}

}  // namespace

void make_thread_loops(Module& module, bool wanted) {
  for (const auto& [loop, thread] : declared_for(module, kLoopSuffix)) {
    if (wanted) {
      define_loop(*loop, *thread);
    } else {
      loop->replaceAllUsesWith(ConstantPointerNull::get(PointerType::getUnqual(module.getContext())));
      loop->eraseFromParent();
    }
  }
}

}  // namespace cuset_pass
