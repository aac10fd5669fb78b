// Inline PTX in device code. Instructions that have a plain meaning on a CPU are translated (ptx_translator.h); an asm
// statement with any other ends the program as `unsupported`, naming it, when a thread reaches it.
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "pass/ptx_translator.h"
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

void translate(CallInst& call) {
  Module& module = *call.getModule();
  Value* value = nullptr;
  if (!PtxTranslator(call).translate(value)) {
    IRBuilder<> builder(&call);
    const std::string text =
        "inline PTX \"" + squeezed(cast<InlineAsm>(call.getCalledOperand())->getAsmString()) + "\"";
    FunctionCallee unsupported =
        runtime_function(module, "cuset_unsupported", builder.getVoidTy(), {builder.getPtrTy()});
    builder.CreateCall(unsupported, {string_constant(module, text)});
    value = nullptr;
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
