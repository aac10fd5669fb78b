// What the objects of an untrusted source may hold, where they are linked with code of ours (a harness, a
// benchmark's tests). The compiler's results are checked, not the text: macros, asm labels, aliases and
// sections all end up in the object.
//
// In every case an answer must not
// - define a name that our code or the CUDA runtime takes from a library: the program would call the answer
//   instead. Which names these are is found out from the linked program: exactly those that the linker hands
//   to the dynamic linker;
// - replace a function that our code defines as a weak one (inline, template);
// - run code before all other code (.preinit_array, .init), or choose functions while the program is loaded
//   (ifunc);
// - call functions of the host from device code, which the CPU executor runs as code of the processor.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "execute/executor.h"
#include "execute/objects/object_file.h"

namespace cuset::execute {

// Builds are kept with what the rules said: raise it with every change of a rule.
inline constexpr std::string_view kRulesVersion = "4";

struct ObjectFault {
  Build::Outcome outcome = Build::Outcome::kDone;  // kHack or kRejected where there is a fault
  std::string text;                                // "it defines chdir, ..."
  bool found() const { return outcome != Build::Outcome::kDone; }
};

// Ends `build` with the fault, if there is one.
void take_fault(const ObjectFault& fault, Build& build);

// Of an object that calls the system by an instruction of its own.
ObjectFault system_call_fault();

class ObjectRules {
 public:
  explicit ObjectRules(Isolation isolation) : isolation_(isolation) {}

  // Objects that the compiler made, in any order.
  void add_answer(const std::filesystem::path& object);
  void add_device_code(const std::filesystem::path& object);  // of the answer, for the CPU executor
  void add_ours(const std::filesystem::path& object);
  void add_our_device_code(const std::filesystem::path& object);
  void add_library(const std::filesystem::path& library);  // whose calls must reach their targets, too
  // Under kTested: functions of the tests must not work for the answer, because theirs is not counted (emulator/host_work.h).
  void refuse_help_of_tests() { helps_itself_ = true; }

  ObjectFault check_objects() const;
  ObjectFault check_program(const std::filesystem::path& program) const;

 private:
  ObjectFault check_definitions() const;
  ObjectFault check_startup() const;
  ObjectFault check_startup_of_program() const;
  ObjectFault check_entries() const;
  ObjectFault check_imports() const;
  ObjectFault check_device_imports() const;
  bool is_defined_here(const std::string& name) const;
  bool is_function_of_tests(const std::string& name) const;

  Isolation isolation_;
  std::vector<ObjectFile> answer_, device_, ours_, our_device_, libraries_;
  bool helps_itself_ = false;
  std::string unreadable_;  // the first file that could not be read
};

// Whether host code of an answer to tests may take this name from a library: memory, strings, mathematics,
// printing, threads and clocks, the C++ library without its files, and CUDA's libraries. No files, processes,
// signals, mappings, jumps, symbols by name or system calls.
bool is_harmless_import(const std::string& name);

// Whether device code may, beside the emulator's services: mathematics and what compilers make of loops.
bool is_device_import(const std::string& name);

}  // namespace cuset::execute
