// Counts what host code does (host_work.h), once the optimizer is done: a loop that it vectorized counts for each of its
// elements, a call that it inlined like code written in place.
//
// Of an answer's code, every basic block adds what it reads, writes and does to the counters when it is entered. Templates and inline functions
// become the answer's own, so that the linker cannot take those of the tests, which are not counted, in their place.
// Functions of the C library that read memory add the bytes that they are told to read. What cannot be counted is refused: assembly.
// Of the tests, memory that they ask for and calls of functions that only an answer can bring are counted.
#include "host_work.h"

#include <dlfcn.h>

#include <cstdlib>
#include <optional>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Local variables of up to this size hold arguments of launches and the like. What an answer's own code puts there, it has
// read or computed before, and that was counted.
constexpr uint64_t kSmallVariable = 128;
// Of those that a library may write to (handles, flags, a result), up to this size.
constexpr uint64_t kSmallResult = 8;
// What a long copy moves has to be read before it can be computed with; a short one may be the way to read it.
constexpr uint64_t kShortCopy = 128;
constexpr uint64_t kOperationsOfCall = 16;

constexpr unsigned kSegmentOfCounters = 256;  // gs, as LLVM numbers address spaces of x86

enum class Side { kAnswer, kTests };

// Nothing: this compilation is not counted.
std::optional<Side> counted_side() {
  const char* text = std::getenv(CUSET_HOST_WORK_VARIABLE);
  if (text == nullptr) return std::nullopt;
  if (StringRef(text) == "answer") return Side::kAnswer;
  if (StringRef(text) != "tests")
    report_fatal_error("the variable " CUSET_HOST_WORK_VARIABLE " makes no sense");
  return Side::kTests;
}

// Several threads of an answer may count at once.
void add(IRBuilder<>& builder, size_t field, Value* amount) {
  Value* counter = builder.CreateIntToPtr(builder.getInt64(field),
                                          PointerType::get(builder.getContext(), kSegmentOfCounters));
  builder.CreateAtomicRMW(AtomicRMWInst::Add, counter, amount, Align(8), AtomicOrdering::Monotonic);
}

void add(IRBuilder<>& builder, size_t field, uint64_t amount) {
  if (amount != 0) add(builder, field, builder.getInt64(amount));
}

uint64_t bytes_of(const Instruction& instruction, Type* type) {
  if (type->isVoidTy() || !type->isSized()) return 0;
  return instruction.getModule()->getDataLayout().getTypeStoreSize(type).getKnownMinValue();
}

uint64_t size_of(const AllocaInst& variable) {
  const std::optional<TypeSize> size = variable.getAllocationSize(variable.getModule()->getDataLayout());
  return size ? size->getKnownMinValue() : ~uint64_t{0};
}

// Functions of the runtime that read their arguments in order to launch a kernel, and keep none of them.
bool is_launch(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return false;
  return StringSwitch<bool>(callee->getName())
      .Cases("cudaSetupArgument", "cudaLaunch", "cudaLaunchKernel", "cudaLaunchKernelExC", true)
      .Cases("cudaLaunchCooperativeKernel", "cudaConfigureCall", true)
      .Cases("__cudaPushCallConfiguration", "__cudaPopCallConfiguration", true)
      .Default(false);
}

// Whether other code may write to a variable. Attributes are the source's to choose (noescape), so they say nothing.
bool escapes(const Value& address) {
  return any_of(address.uses(), [](const Use& use) {
    const User* user = use.getUser();
    if (isa<LoadInst>(user)) return false;
    if (const auto* store = dyn_cast<StoreInst>(user)) return store->getValueOperand() == use.get();
    if (isa<GetElementPtrInst>(user)) return escapes(*user);
    const auto* call = dyn_cast<CallBase>(user);
    return call == nullptr || !(is_launch(*call) || isa<MemIntrinsic>(call) ||
                                call->getIntrinsicID() == Intrinsic::lifetime_start ||
                                call->getIntrinsicID() == Intrinsic::lifetime_end);
  });
}

bool is_small(const AllocaInst& variable) {
  if (size_of(variable) > kSmallVariable) return false;
  return size_of(variable) <= kSmallResult || !escapes(variable);
}

// Whether `bytes` there can be data of the tests: they are not a known part of a small variable or of a constant. A
// place that is computed may be anywhere, whatever it starts from.
bool holds_data(const Value* address, uint64_t bytes, const Instruction& access) {
  const DataLayout& layout = access.getModule()->getDataLayout();
  APInt offset(64, 0);
  const Value* object = address->stripAndAccumulateConstantOffsets(layout, offset, true);
  uint64_t size = 0;
  if (const auto* variable = dyn_cast<AllocaInst>(object)) {
    size = is_small(*variable) ? size_of(*variable) : 0;
  } else if (const auto* global = dyn_cast<GlobalVariable>(object);
             global != nullptr && global->isConstant()) {
    size = layout.getTypeAllocSize(global->getValueType());
  }
  return offset.isNegative() || bytes > size || offset.getZExtValue() > size - bytes;
}

uint64_t data_bytes(const Instruction& access, const Value* address, Type* type) {
  const uint64_t bytes = bytes_of(access, type);
  return holds_data(address, bytes, access) ? bytes : 0;
}

uint64_t lanes_of(const Instruction& instruction) {
  const auto lanes = [](const Type* type) -> uint64_t {
    const auto* vector = dyn_cast<FixedVectorType>(type);
    return vector != nullptr ? vector->getNumElements() : 1;
  };
  uint64_t most = lanes(instruction.getType());
  for (const Value* operand : instruction.operands()) most = std::max(most, lanes(operand->getType()));
  return most;
}

// Functions of the C library that read what they are pointed to, and how much of it.
enum class Reads { kNothing, kLength, kElements, kCopy, kTexts, kShortTexts, kString };

constexpr const char* kStringFunction = "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";

Reads reads_of(StringRef name) {
  if (name.starts_with(kStringFunction)) return Reads::kString;
  return StringSwitch<Reads>(name)
      .Case("_ZSt11_Hash_bytesPKvmm", Reads::kLength)
      .Cases("qsort", "qsort_r", Reads::kElements)
      .Cases("memcmp", "bcmp", "memchr", Reads::kLength)
      .Cases("memcpy", "memmove", "mempcpy", "__memcpy_chk", "__memmove_chk", Reads::kCopy)
      .Cases("strlen", "strcmp", "strcpy", "strcat", "strchr", "strrchr", "strstr", "strtok", "strspn",
             "strcspn", Reads::kTexts)
      .Cases("strpbrk", "strdup", "strcasecmp", "stpcpy", "strtok_r", "rawmemchr", Reads::kTexts)
      .Cases("__strcpy_chk", "__strcat_chk", Reads::kTexts)
      .Cases("strnlen", "strncmp", "strncpy", "strncat", "strndup", "strncasecmp", Reads::kShortTexts)
      .Default(Reads::kNothing);
}

// The instructions of one function of the answer.
class AnswerFunction {
 public:
  explicit AnswerFunction(Function& function) : function_(function), module_(*function.getParent()) {}

  void count() {
    std::vector<CallBase*> calls;
    for (BasicBlock& block : function_) {
      uint64_t bytes = 0, operations = 0;
      for (Instruction& instruction : block) {
        if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction)) continue;
        operations += operations_of(instruction);
        bytes += static_bytes(instruction);
        if (auto* call = dyn_cast<CallBase>(&instruction)) calls.push_back(call);
      }
      const auto place = block.getFirstInsertionPt();
      if (place == block.end()) continue;
      IRBuilder<> builder(&block, place);
      add(builder, offsetof(CusetHostWork, data_bytes), bytes);
      add(builder, offsetof(CusetHostWork, operations), operations);
    }
    for (CallBase* call : calls) count_call(*call);
  }

 private:
  static uint64_t operations_of(const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    const bool is_far = call != nullptr && !isa<IntrinsicInst>(call) &&
                        (call->getCalledFunction() == nullptr || call->getCalledFunction()->isDeclaration());
    return is_far ? kOperationsOfCall : lanes_of(instruction);
  }

  static uint64_t static_bytes(const Instruction& instruction) {
    if (const auto* load = dyn_cast<LoadInst>(&instruction))
      return data_bytes(*load, load->getPointerOperand(), load->getType());
    if (const auto* store = dyn_cast<StoreInst>(&instruction))
      return data_bytes(*store, store->getPointerOperand(), store->getValueOperand()->getType());
    if (const auto* change = dyn_cast<AtomicRMWInst>(&instruction))
      return data_bytes(*change, change->getPointerOperand(), change->getType());
    if (const auto* change = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return data_bytes(*change, change->getPointerOperand(), change->getNewValOperand()->getType());
    const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (intrinsic == nullptr || isa<MemIntrinsic>(intrinsic) || intrinsic->doesNotAccessMemory()) return 0;
    return bytes_of_vectors(*intrinsic);
  }

  // Masked and gathered accesses: what they return, and vectors of numbers that they are given.
  static uint64_t bytes_of_vectors(const IntrinsicInst& intrinsic) {
    uint64_t bytes = intrinsic.getType()->isVectorTy() ? bytes_of(intrinsic, intrinsic.getType()) : 0;
    if (!intrinsic.getType()->isVoidTy()) return bytes;
    for (const Value* argument : intrinsic.args()) {
      const auto* vector = dyn_cast<FixedVectorType>(argument->getType());
      if (vector != nullptr && vector->getScalarSizeInBits() > 1)
        bytes += bytes_of(intrinsic, argument->getType());
    }
    return bytes;
  }

  void count_call(CallBase& call) {
    if (const auto* copy = dyn_cast<MemTransferInst>(&call))
      return count_copy(call, copy->getRawDest(), copy->getRawSource(), copy->getLength());
    const Function* callee = call.getCalledFunction();
    if (isa<IntrinsicInst>(call) || (callee != nullptr && !callee->isDeclaration())) return;
    IRBuilder<> builder(&call);
    add_bytes(builder, builder.getInt64(bytes_of_arguments(call)));
    if (callee == nullptr) return;
    switch (reads_of(callee->getName())) {
      case Reads::kNothing:
        return;
      case Reads::kLength:
        return add_bytes(builder, call.getArgOperand(callee->getName().starts_with("_Z") ? 1 : 2));
      case Reads::kElements:
        return add_bytes(builder, builder.CreateMul(call.getArgOperand(1), call.getArgOperand(2)));
      case Reads::kString:
        return count_string(call);
      case Reads::kCopy:
        return count_copy(call, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
      case Reads::kTexts:
        return count_texts(call, builder.getInt64(1 << 20));
      case Reads::kShortTexts:
        return count_texts(call, call.getArgOperand(call.arg_size() - 1));
    }
  }

  void add_bytes(IRBuilder<>& builder, Value* bytes) {
    if (const auto* constant = dyn_cast<ConstantInt>(bytes); constant != nullptr && constant->isZero())
      return;
    add(builder, offsetof(CusetHostWork, data_bytes), builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty()));
  }

  // What a function elsewhere may write to a small variable is as good as read; and it may return what it has read at
  // an address that it is given (erand48).
  static uint64_t bytes_of_arguments(const CallBase& call) {
    uint64_t bytes = 0;
    if (is_launch(call)) return bytes;
    const Function* callee = call.getCalledFunction();
    const bool is_cuda = callee != nullptr && callee->getName().starts_with("cuda");
    for (const Value* argument : call.args()) {
      if (!argument->getType()->isPointerTy()) continue;
      const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(argument));
      if (variable != nullptr && size_of(*variable) <= kSmallResult) {
        bytes += size_of(*variable);
      } else if (!is_cuda && holds_data(argument, 1, call)) {
        bytes += kSmallResult;
      }
    }
    return bytes;
  }

  void count_copy(CallBase& call, const Value* to, const Value* from, Value* length) {
    IRBuilder<> builder(&call);
    const auto* constant = dyn_cast<ConstantInt>(length);
    const uint64_t most = constant != nullptr ? constant->getZExtValue() : ~uint64_t{0};
    const uint64_t sides = (holds_data(to, most, call) ? 1 : 0) + (holds_data(from, most, call) ? 1 : 0);
    if (sides == 0) return;
    Value* bytes = builder.CreateZExtOrTrunc(length, builder.getInt64Ty());
    Value* is_short = builder.CreateICmpULT(bytes, builder.getInt64(kShortCopy));
    add_bytes(builder, builder.CreateMul(builder.CreateSelect(is_short, bytes, builder.getInt64(kShortCopy)),
                                         builder.getInt64(sides)));
  }

  // The length stands behind the address of the text.
  void count_string(CallBase& call) {
    IRBuilder<> builder(&call);
    Value* string = call.getArgOperand(call.hasStructRetAttr() ? 1 : 0);
    Value* place = builder.CreateConstInBoundsGEP1_32(builder.getInt64Ty(), string, 1);
    add_bytes(builder, builder.CreateLoad(builder.getInt64Ty(), place));
  }

  // Its first two arguments, but for a destination.
  void count_texts(CallBase& call, Value* most) {
    IRBuilder<> builder(&call);
    auto* size = builder.getInt64Ty();
    FunctionCallee length = runtime_function(module_, "strnlen", size, {builder.getPtrTy(), size});
    const StringRef name = call.getCalledFunction()->getName();
    const bool writes_first = name.contains("cpy") || name.contains("cat");
    for (unsigned i = writes_first ? 1 : 0; i < std::min<size_t>(call.arg_size(), 2); ++i) {
      Value* text = call.getArgOperand(i);
      if (!text->getType()->isPointerTy() || isa<ConstantPointerNull>(text) || !holds_data(text, 1, call))
        continue;
      // strtok continues where it was.
      text = builder.CreateSelect(builder.CreateIsNull(text), string_constant(module_, ""), text);
      add_bytes(builder, builder.CreateCall(length, {text, builder.CreateZExtOrTrunc(most, size)}));
    }
  }

  Function& function_;
  Module& module_;
};

// Memory that a call of the tests asks for; null: it asks for none.
Value* asked_bytes(IRBuilder<>& builder, CallBase& call, StringRef name) {
  const auto number = [&](unsigned i) -> Value* {
    if (i >= call.arg_size() || !call.getArgOperand(i)->getType()->isIntegerTy()) return nullptr;
    return builder.CreateZExtOrTrunc(call.getArgOperand(i), builder.getInt64Ty());
  };
  const auto product = [&](unsigned i, unsigned j) -> Value* {
    Value *a = number(i), *b = number(j);
    return a != nullptr && b != nullptr ? builder.CreateMul(a, b) : nullptr;
  };
  if (name.starts_with("_Znwm") || name.starts_with("_Znam") || name == "malloc") return number(0);
  if (name == "calloc") return product(0, 1);
  if (name == "cudaMallocPitch") return product(2, 3);
  for (const char* of_second : {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc",
                                "cudaMallocAsync", "aligned_alloc"})
    if (name == of_second) return number(1);
  return nullptr;
}

// clang itself is a program with the libraries of C and C++ in it.
bool is_in_a_library(StringRef name) {
  return name.starts_with("cuda") || name.starts_with("__cuda") || name.starts_with("cuset_") ||
         dlsym(RTLD_DEFAULT, name.str().c_str()) != nullptr;
}

void count_tests(Function& function) {
  uint64_t arrays = 0;
  std::vector<CallBase*> calls;
  for (Instruction& instruction : instructions(function)) {
    if (const auto* variable = dyn_cast<AllocaInst>(&instruction); variable && variable->isStaticAlloca())
      arrays += size_of(*variable) > kSmallVariable ? size_of(*variable) : 0;
    auto* call = dyn_cast<CallBase>(&instruction);
    const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee != nullptr && callee->isDeclaration() && !callee->isIntrinsic()) calls.push_back(call);
  }
  BasicBlock& first = function.getEntryBlock();
  IRBuilder<> at_entry(&first, first.getFirstNonPHIOrDbgOrAlloca());
  add(at_entry, offsetof(CusetHostWork, test_bytes), arrays);
  for (CallBase* call : calls) {
    IRBuilder<> builder(call);
    const StringRef name = call->getCalledFunction()->getName();
    if (Value* bytes = asked_bytes(builder, *call, name)) {
      add(builder, offsetof(CusetHostWork, test_bytes), bytes);
    } else if (!is_in_a_library(name)) {
      add(builder, offsetof(CusetHostWork, test_calls), 1);
    }
  }
}

uint64_t bytes_of_arrays(const Module& module) {
  uint64_t bytes = 0;
  for (const GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration() || variable.hasPrivateLinkage() || variable.hasLinkOnceLinkage()) continue;
    if (variable.getName().starts_with("llvm.") || variable.getName().starts_with("_ZT")) continue;
    const uint64_t size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    if (size > kSmallVariable) bytes += size;
  }
  return bytes;
}

// Adds once, before `main`, what does not depend on what is called.
void add_at_start(Module& module, size_t field, uint64_t amount) {
  if (amount == 0) return;
  LLVMContext& llvm_context = module.getContext();
  auto* start = Function::Create(FunctionType::get(Type::getVoidTy(llvm_context), false),
                                 GlobalValue::InternalLinkage, "cuset.count", module);
  IRBuilder<> builder(BasicBlock::Create(llvm_context, "", start));
  add(builder, field, amount);
  builder.CreateRetVoid();
  appendToGlobalCtors(module, start, 1000);
}

// `DoNotOptimize` and its relatives are empty; some wait or read the clock.
void refuse_assembly(Module& module) {
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      if (call == nullptr || !call->isInlineAsm()) continue;
      const StringRef text = StringRef(cast<InlineAsm>(call->getCalledOperand())->getAsmString()).trim();
      if (!text.empty() && text != "pause" && text != "nop" && text != "rdtsc" && text != "mfence")
        return module.getContext().emitError(
            "refused as rejected: inline assembly in host code, which cannot be counted");
    }
  }
}

bool is_of_std(StringRef name) {
  return name.starts_with("_ZSt") || name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") ||
         name.starts_with("_ZN9__gnu_cxx") || name.starts_with("_ZNK9__gnu_cxx");
}

}  // namespace

void own_inline_functions(Module& module) {
  if (counted_side() != Side::kAnswer) return;
  refuse_assembly(module);
  std::vector<Function*> shared;
  for (Function& function : module)
    if (function.hasLinkOnceLinkage() || function.hasAvailableExternallyLinkage())
      shared.push_back(&function);
  for (Function* function : shared) {
    Function* own = function;
    // The tests may ask for one that is not the C++ library's: it stays beside the answer's own.
    if (function->hasLinkOnceLinkage() && !is_of_std(function->getName())) {
      ValueToValueMapTy values;
      own = CloneFunction(function, values);
      function->replaceAllUsesWith(own);
      function->setLinkage(GlobalValue::WeakODRLinkage);
    }
    own->setLinkage(GlobalValue::InternalLinkage);
    own->setVisibility(GlobalValue::DefaultVisibility);
    own->setComdat(nullptr);
  }
}

void count_host_work(Module& module) {
  const std::optional<Side> side = counted_side();
  if (!side) return;
  for (Function& function : module) {
    if (function.isDeclaration() || function.hasAvailableExternallyLinkage()) continue;
    if (side == Side::kAnswer) {
      AnswerFunction(function).count();
    } else {
      count_tests(function);
    }
  }
  if (side == Side::kAnswer) {
    add_at_start(module, offsetof(CusetHostWork, answer_sources), 1);
  } else {
    add_at_start(module, offsetof(CusetHostWork, test_bytes), bytes_of_arrays(module));
  }
}

}  // namespace cuset_pass
