// What no answer needs, seen where macros and pasted names are long resolved: in the module that is about to be
// compiled. Assembly outside functions, directives of the assembler (.incbin reads a file of the host) and system calls past
// the library. The compilation fails with a message that the judge knows (execute/build/emulator_messages.h). Code around
// `main` is seen in the object (execute/objects/object_rules.h), and only an answer's is refused.
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

void refuse(Module& module, const char* how, const Twine& what) {
  module.getContext().emitError(Twine("refused as ") + how + ": " + what);
}

// One statement of assembly without its labels.
StringRef without_labels(StringRef statement) {
  statement = statement.trim();
  while (true) {
    const size_t end =
        statement.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$%={}");
    if (end == StringRef::npos || statement[end] != ':') return statement;
    statement = statement.drop_front(end + 1).trim();
  }
}

// The word that makes the statement one that no answer needs; empty: none.
StringRef refused_word(StringRef statement) {
  const StringRef word = without_labels(statement).take_until([](char c) { return isSpace(c); });
  if (word.starts_with(".")) return word;
  for (const char* instruction : {"syscall", "sysenter", "int", "int3", "int1"})
    if (word.equals_insensitive(instruction)) return word;
  return "";
}

// Prefixes of instructions (`lock`, `rep`) stand before the word that counts, comments may hide one.
StringRef refused_in(StringRef assembly) {
  SmallVector<StringRef, 8> statements;
  SplitString(assembly, statements, "\n;|#");
  for (StringRef statement : statements) {
    if (StringRef word = refused_word(statement); !word.empty()) return word;
    SmallVector<StringRef, 4> words;
    SplitString(statement, words, " \t");
    for (StringRef word : words)
      if (word.equals_insensitive("syscall") || word.equals_insensitive("sysenter")) return word;
  }
  return "";
}

// libstdc++ has this one in <iostream>.
bool is_of_the_library(StringRef line) {
  line = line.trim();
  return line.empty() || line == ".globl _ZSt21ios_base_library_initv";
}

void check_module_assembly(Module& module) {
  SmallVector<StringRef, 8> lines;
  const std::string assembly = module.getModuleInlineAsm();
  StringRef(assembly).split(lines, '\n');
  if (all_of(lines, is_of_the_library)) return;
  module.setModuleInlineAsm("");  // nothing of it is assembled
  refuse(module, "rejected", "assembly outside of functions");
}

void check_inline_assembly(Module& module) {
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      if (call == nullptr || !call->isInlineAsm()) continue;
      const std::string text(cast<InlineAsm>(call->getCalledOperand())->getAsmString());
      if (const StringRef word = refused_in(text); !word.empty())
        return refuse(module, "rejected", Twine("`") + word + "` in inline assembly of the host");
    }
  }
}

// Where the judge counts (host_work.h).
bool is_segment(const Type* type) {
  const auto* pointer = dyn_cast<PointerType>(type->getScalarType());
  return pointer != nullptr && pointer->getAddressSpace() >= 256;
}

bool uses_segment(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  if (callee != nullptr &&
      (callee->getName().starts_with("llvm.x86.rd") || callee->getName().starts_with("llvm.x86.wr")) &&
      callee->getName().contains("sbase"))
    return true;
  return is_segment(instruction.getType()) ||
         any_of(instruction.operands(), [](const Use& operand) { return is_segment(operand->getType()); });
}

void check_segments(Module& module) {
  for (Function& function : module) {
    if (any_of(instructions(function), uses_segment) ||
        any_of(function.args(), [](const Argument& argument) { return is_segment(argument.getType()); }))
      return refuse(module, "hack", "memory addressed through a segment register");
  }
  for (const GlobalVariable& variable : module.globals())
    if (is_segment(variable.getType()))
      return refuse(module, "hack", "memory addressed through a segment register");
}

}  // namespace

void refuse_what_no_answer_needs(Module& module, bool is_host) {
  check_module_assembly(module);
  check_segments(module);
  if (is_host) check_inline_assembly(module);
}

}  // namespace cuset_pass
