// Inline PTX in device code. A handful of instructions that people write (lane and warp numbers, masks,
// fences, timers, cached loads, bit operations) have a plain meaning on a CPU and are translated; any other
// ends the program as `unsupported`, naming the instruction, when a thread reaches it.
#include <optional>

#include "cuset_emulator/abi.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// "mov.u32 %0, %%laneid;" with spaces squeezed, without the final semicolon.
std::string squeezed(StringRef text) {
  std::string out;
  for (char letter : text) {
    const bool space = letter == ' ' || letter == '\t' || letter == '\n';
    if (space && (out.empty() || out.back() == ' ' || out.back() == ',')) continue;
    out += space ? ' ' : letter;
  }
  while (!out.empty() && (out.back() == ';' || out.back() == ' ')) out.pop_back();
  return out;
}

Value* load_field(IRBuilder<>& builder, Module& module, unsigned offset) {
  return builder.CreateLoad(builder.getInt32Ty(), context_field(builder, module, offset));
}

// The value of a special register, or null.
Value* special_register(IRBuilder<>& builder, Module& module, StringRef name) {
  const std::pair<const char*, unsigned> fields[] = {
      {"laneid", context::kLane},
      {"tid.x", context::kThreadIndex},
      {"tid.y", context::kThreadIndex + 4},
      {"tid.z", context::kThreadIndex + 8},
      {"ctaid.x", context::kBlockIndex},
      {"ctaid.y", context::kBlockIndex + 4},
      {"ctaid.z", context::kBlockIndex + 8},
      {"ntid.x", context::kBlockDim},
      {"ntid.y", context::kBlockDim + 4},
      {"ntid.z", context::kBlockDim + 8},
      {"nctaid.x", context::kGridDim},
      {"nctaid.y", context::kGridDim + 4},
      {"nctaid.z", context::kGridDim + 8},
  };
  for (const auto& [field, offset] : fields) {
    if (name == field) return load_field(builder, module, offset);
  }
  Value* lane = nullptr;
  if (name.starts_with("lanemask_")) lane = load_field(builder, module, context::kLane);
  Value* one = builder.getInt32(1);
  if (name == "warpid") return builder.CreateLShr(load_field(builder, module, context::kLinearThread), 5);
  if (name == "lanemask_eq") return builder.CreateShl(one, lane);
  if (name == "lanemask_lt") return builder.CreateSub(builder.CreateShl(one, lane), one);
  if (name == "lanemask_le") return builder.CreateSub(builder.CreateShl(builder.getInt32(2), lane), one);
  if (name == "lanemask_ge") return builder.CreateShl(builder.getInt32(-1), lane);
  if (name == "lanemask_gt") return builder.CreateShl(builder.getInt32(-2), lane);
  const bool timer = name == "globaltimer" || name == "clock64" || name == "clock";
  if (timer) {
    const char* source = name == "globaltimer" ? "cuset_device_global_timer" : "cuset_device_clock";
    return builder.CreateCall(runtime_function(module, source, builder.getInt64Ty(), {}));
  }
  return nullptr;
}

Value* fitted(IRBuilder<>& builder, Value* value, Type* type) {
  if (value->getType() == type) return value;
  if (value->getType()->isIntegerTy() && type->isIntegerTy()) return builder.CreateZExtOrTrunc(value, type);
  return nullptr;
}

// Instructions of the form "op $0, $1[, $2[, $3]]" on values.
Value* value_instruction(IRBuilder<>& builder, StringRef operation, ArrayRef<Value*> inputs, Type* result) {
  const auto is = [&](StringRef name, size_t count) { return operation == name && inputs.size() == count; };
  if (is("popc.b32", 1)) return builder.CreateUnaryIntrinsic(Intrinsic::ctpop, inputs[0]);
  if (is("brev.b32", 1)) return builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, inputs[0]);
  if (is("mov.b32", 1) || is("mov.u32", 1) || is("mov.b64", 1) || is("mov.u64", 1)) return inputs[0];
  if (is("fma.rn.f32", 3) || is("fma.rn.f64", 3)) {
    return builder.CreateIntrinsic(Intrinsic::fma, {result}, {inputs[0], inputs[1], inputs[2]});
  }
  if (is("add.u32", 2) || is("add.s32", 2)) return builder.CreateAdd(inputs[0], inputs[1]);
  return video_instruction(builder, operation, inputs);
}

// "ld.global.nc.f32 $0, [$1]" and its kin: a plain load.
Value* load_instruction(IRBuilder<>& builder, StringRef text, ArrayRef<Value*> inputs, Type* result) {
  if (!text.starts_with("ld.global") || !text.ends_with("[$1]") || inputs.size() != 1 || result->isStructTy())
    return nullptr;
  if (!result->isIntegerTy() && !result->isFloatingPointTy()) return nullptr;
  Value* address = inputs[0];
  if (address->getType()->isIntegerTy(64)) address = builder.CreateIntToPtr(address, builder.getPtrTy());
  return address->getType()->isPointerTy() ? builder.CreateLoad(result, address) : nullptr;
}

bool is_fence_or_hint(StringRef text) {
  return text.empty() || text.starts_with("membar") || text.starts_with("fence") ||
         text.starts_with("prefetch") || text.starts_with("//");
}

// The value of the whole statement; a fence yields itself through `done` without one.
Value* translation(IRBuilder<>& builder, Module& module, CallInst& call, bool& done) {
  const auto& assembly = *cast<InlineAsm>(call.getCalledOperand());
  const std::string text = squeezed(assembly.getAsmString());
  done = is_fence_or_hint(text);
  if (done) {
    builder.CreateFence(AtomicOrdering::SequentiallyConsistent);
    return nullptr;
  }
  StringRef rest = text;
  auto [operation, operands] = rest.split(' ');
  Type* result = call.getType();
  if (result->isVoidTy()) return nullptr;
  if (operation.starts_with("mov.") && operands.starts_with("$0,%")) {
    Value* value = special_register(builder, module, operands.drop_front(4));
    return value != nullptr ? fitted(builder, value, result) : nullptr;
  }
  const std::vector<Value*> inputs(call.arg_begin(), call.arg_end());
  if (Value* loaded = load_instruction(builder, rest, inputs, result)) return loaded;
  // Operands must be the outputs and inputs in their order, nothing else.
  std::string expected = "$0";
  for (size_t i = 1; i <= inputs.size(); ++i) expected += ",$" + std::to_string(i);
  if (operands != expected) return nullptr;
  Value* value = value_instruction(builder, operation, inputs, result);
  return value != nullptr && value->getType() == result ? value : nullptr;
}

void translate(CallInst& call) {
  Module& module = *call.getModule();
  IRBuilder<> builder(&call);
  bool done = false;
  Value* value = translation(builder, module, call, done);
  if (value == nullptr && !done) {
    const std::string text =
        "inline PTX \"" + squeezed(cast<InlineAsm>(call.getCalledOperand())->getAsmString()) + "\"";
    FunctionCallee unsupported =
        runtime_function(module, "cuset_unsupported", builder.getVoidTy(), {builder.getPtrTy()});
    builder.CreateCall(unsupported, {string_constant(module, text)});
  }
  if (!call.getType()->isVoidTy()) {
    call.replaceAllUsesWith(value != nullptr ? value : PoisonValue::get(call.getType()));
  }
  call.eraseFromParent();
}

}  // namespace

void translate_inline_assembly(Module& module) {
  std::vector<CallInst*> statements;
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call != nullptr && call->isInlineAsm()) statements.push_back(call);
    }
  }
  for (CallInst* call : statements) translate(*call);
}

}  // namespace cuset_pass
