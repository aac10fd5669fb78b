// What no answer needs, seen where macros and pasted names are long resolved: in the module that is about to be
// compiled. Assembly outside functions, directives of the assembler (.incbin reads a file of the host), system calls past
// the library, and code that runs before or after `main`. The compilation fails with a message that the judge knows
// (execute/build/emulator_messages.h).
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

bool is_made_by_compiler(StringRef constructor) {
  return constructor.starts_with("_GLOBAL__") || constructor.starts_with("__cxx_global_var_init") ||
         constructor.starts_with("__cuda_") || constructor.starts_with("cuset");
}

// Attributes `constructor` and `destructor`.
void check_start_and_end(Module& module) {
  for (const char* list : {"llvm.global_ctors", "llvm.global_dtors"}) {
    const GlobalVariable* variable = module.getNamedGlobal(list);
    if (variable == nullptr || !variable->hasInitializer()) continue;
    const auto* entries = dyn_cast<ConstantArray>(variable->getInitializer());
    if (entries == nullptr) continue;
    for (const Use& use : entries->operands()) {
      const auto* function =
          dyn_cast<Function>(cast<ConstantStruct>(use)->getOperand(1)->stripPointerCasts());
      if (function != nullptr && !is_made_by_compiler(function->getName()))
        return refuse(module, "hack", Twine("`") + function->getName() + "` runs before or after `main`");
    }
  }
}

void check_sections(Module& module) {
  for (const GlobalObject& object : module.global_objects()) {
    const StringRef section = object.getSection();
    for (const char* prefix : {".init", ".fini", ".preinit", ".ctors", ".dtors"})
      if (section.starts_with(prefix))
        return refuse(module, "hack",
                      Twine("the section `") + section + "` runs code before or after `main`");
  }
  if (!module.ifunc_empty())
    refuse(module, "hack", Twine("`") + module.ifunc_begin()->getName() + "` is chosen before `main`");
}

}  // namespace

void refuse_what_no_answer_needs(Module& module, bool is_host) {
  check_module_assembly(module);
  check_start_and_end(module);
  check_sections(module);
  if (is_host) check_inline_assembly(module);
}

}  // namespace cuset_pass
