#include "pass/ptx_translator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cuset_pass {

using namespace llvm;

PtxTranslator::PtxTranslator(CallInst& call) : call_(call), module_(*call.getModule()), builder_(&call) {}

bool PtxTranslator::translate(Value*& result) {
  const auto& assembly = *cast<InlineAsm>(call_.getCalledOperand());
  const auto statements = parse_ptx(assembly.getAsmString());
  if (!statements || !take_operands()) return false;
  // An empty statement keeps the compiler from moving accesses across it.
  if (statements->empty())
    builder_.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
  for (const PtxStatement& statement : *statements)
    if (!translate_statement(statement)) return false;
  return collect_results(result);
}

// Outputs are numbered first; "+r" is an output with an input tied to it, which is its value before.
bool PtxTranslator::take_operands() {
  unsigned number = 0, argument = 0;
  for (const InlineAsm::ConstraintInfo& constraint :
       cast<InlineAsm>(call_.getCalledOperand())->ParseConstraints()) {
    if (constraint.Type == InlineAsm::isClobber) continue;
    if (constraint.isIndirect || constraint.Type == InlineAsm::isLabel) return false;
    if (constraint.Type == InlineAsm::isOutput) {
      ++outputs_;
      ++number;
      continue;
    }
    Value* value = call_.getArgOperand(argument++);
    unsigned tied = 0;
    const bool is_tied = !constraint.Codes.empty() && !StringRef(constraint.Codes[0]).getAsInteger(10, tied);
    values_["$" + std::to_string(is_tied ? tied : number)] = value;
    ++number;
  }
  return true;
}

bool PtxTranslator::translate_statement(const PtxStatement& statement) {
  return statement.guard.empty() ? translate_unguarded(statement) : translate_guarded(statement);
}

bool PtxTranslator::translate_unguarded(const PtxStatement& statement) {
  return PtxArithmetic(*this).translate(statement) || PtxMemory(*this).translate(statement) ||
         PtxThreads(*this).translate(statement) || PtxMatrix(*this).translate(statement);
}

bool PtxTranslator::has_effects(const PtxStatement& statement) const {
  constexpr StringRef kEffects[] = {"ld",   "st",     "atom",  "red",      "bar",   "barrier",  "shfl",
                                    "vote", "cp",     "fence", "exit",     "match", "redux",    "nanosleep",
                                    "trap", "membar", "div",   "prefetch", "mma",   "ldmatrix", "stmatrix"};
  return is_contained(kEffects, StringRef(statement.words[0]));
}

// What only computes is computed anyway and selected; the rest gets a branch of its own.
bool PtxTranslator::translate_guarded(const PtxStatement& statement) {
  Value* guard = read(statement.guard, builder_.getInt1Ty());
  if (guard == nullptr) return false;
  if (statement.guard_is_negated) guard = builder_.CreateNot(guard);
  const StringMap<Value*> before = values_;
  BasicBlock* const start = call_.getParent();
  Instruction* branch_end = nullptr;
  if (has_effects(statement)) {
    branch_end = SplitBlockAndInsertIfThen(guard, call_.getIterator(), false);
    builder_.SetInsertPoint(branch_end);
  }
  if (!translate_unguarded(statement)) return false;
  BasicBlock* const end = builder_.GetInsertBlock();
  builder_.SetInsertPoint(branch_end != nullptr ? start->getTerminator() : &call_);
  for (auto& entry : values_) {
    Value* old = before.lookup(entry.getKey());
    if (old == entry.second) continue;
    old = old == nullptr ? PoisonValue::get(entry.second->getType()) : as_type(old, entry.second->getType());
    if (old == nullptr) return false;
    if (branch_end == nullptr) {
      entry.second = builder_.CreateSelect(guard, entry.second, old);
      continue;
    }
    PHINode* joined = PHINode::Create(old->getType(), 2, "", call_.getParent()->begin());
    joined->addIncoming(entry.second, end);
    joined->addIncoming(old, start);
    entry.second = joined;
  }
  builder_.SetInsertPoint(&call_);
  return true;
}

bool PtxTranslator::collect_results(Value*& result) {
  result = nullptr;
  Type* const type = call_.getType();
  if (type->isVoidTy()) return true;
  auto* const many = dyn_cast<StructType>(type);
  if (many == nullptr) {
    result = read("$0", type);
    return result != nullptr;
  }
  result = PoisonValue::get(type);
  for (unsigned i = 0; i < outputs_; ++i) {
    Value* value = read("$" + std::to_string(i), many->getElementType(i));
    if (value == nullptr) return false;
    result = builder_.CreateInsertValue(result, value, i);
  }
  return true;
}

Type* PtxTranslator::type_named(StringRef name) {
  if (name == "pred") return builder_.getInt1Ty();
  if (name == "f32") return builder_.getFloatTy();
  if (name == "f64") return builder_.getDoubleTy();
  unsigned bits = 0;
  if (name.size() < 2 || !StringRef("bus").contains(name[0]) || name.drop_front().getAsInteger(10, bits))
    return nullptr;
  const bool is_known = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  return is_known ? builder_.getIntNTy(bits) : nullptr;
}

Value* PtxTranslator::as_type(Value* value, Type* type) {
  if (value->getType() == type) return value;
  if (value->getType()->isPointerTy()) value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
  if (type->isPointerTy()) {
    value = as_type(value, builder_.getInt64Ty());
    return value != nullptr ? builder_.CreateIntToPtr(value, type) : nullptr;
  }
  const unsigned from = value->getType()->getPrimitiveSizeInBits(), to = type->getPrimitiveSizeInBits();
  if (from == 0 || to == 0) return nullptr;
  if (!value->getType()->isIntegerTy()) value = builder_.CreateBitCast(value, builder_.getIntNTy(from));
  value = builder_.CreateZExtOrTrunc(value, builder_.getIntNTy(to));
  return builder_.CreateBitCast(value, type);
}

// 12, -1, 0x1f, 0f3f800000 (the bits of a float), 0d3ff0000000000000, 1.5.
Value* PtxTranslator::constant(StringRef text, Type* type) {
  uint64_t bits = 0;
  int64_t number = 0;
  if (text.starts_with_insensitive("0f") && !text.drop_front(2).getAsInteger(16, bits))
    return as_type(builder_.getInt32(static_cast<uint32_t>(bits)), type);
  if (text.starts_with_insensitive("0d") && !text.drop_front(2).getAsInteger(16, bits))
    return as_type(builder_.getInt64(bits), type);
  if (type->isIntegerTy()) {
    text.consume_back("U");
    if (!text.getAsInteger(0, number)) return ConstantInt::get(type, static_cast<uint64_t>(number), true);
    if (!text.getAsInteger(0, bits)) return ConstantInt::get(type, bits);
  }
  double real = 0;
  if (type->isFloatingPointTy() && !text.empty() && (isDigit(text[0]) || text[0] == '-') &&
      !text.getAsDouble(real))
    return ConstantFP::get(type, real);
  return nullptr;
}

Value* PtxTranslator::read(StringRef name, Type* type) {
  if (const auto found = values_.find(name); found != values_.end()) return as_type(found->second, type);
  if (name.starts_with("%")) {
    Value* value = special_register(builder_, module_, name.drop_front());
    return value != nullptr ? as_type(value, type) : nullptr;
  }
  return constant(name, type);
}

Value* PtxTranslator::read(const PtxStatement& statement, size_t operand, Type* type) {
  if (operand >= statement.operands.size()) return nullptr;
  const PtxOperand& wanted = statement.operands[operand];
  return wanted.is_address || wanted.is_vector || !wanted.second.empty() ? nullptr
                                                                         : read(wanted.names[0], type);
}

void PtxTranslator::write(StringRef name, Value* value) {
  if (name != "_") values_[name] = value;
}

}  // namespace cuset_pass
