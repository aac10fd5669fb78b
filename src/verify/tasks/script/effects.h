// What an expression does to names: which it uses, which its value may show, which it changes, what it
// writes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "verify/tasks/script/syntax.h"

namespace cuset::script {

using Names = std::set<Symbol>;

// What a call of a function of the script does.
struct FunctionEffects {
  const FunctionDefinition* definition = nullptr;
  bool known = false;         // false while its body is being looked at: it may do anything to its arguments
  std::set<size_t> returned;  // parameters, by number, that its value may show
  std::set<size_t> changed;   // parameters that it changes in place
  Names outer_changed;        // names of the module that it assigns or changes
  Names uses;                 // names of the module that its needed statements use
  bool writes_wanted = false;
  bool writes_unseen = false;  // a path that depends on the arguments
};

// What is known of the script's names before its statements are looked at.
struct NameTable {
  const std::vector<std::string>* texts = nullptr;
  std::set<std::string> wanted;                   // files, without folder and extension
  Names modules;                                  // bound by imports
  Names containers;                               // ever bound to a list or dict
  std::map<Symbol, FunctionEffects> functions;    // by name
  std::map<Symbol, const Expression*> constants;  // names that are assigned once in the whole script

  // "data/x.bin" for an expression whose text is to be seen: strings, their sums, os.path.join, names
  // assigned once, open(path). Nothing for others.
  std::optional<std::string> path_of(const Expression& expression, int depth = 0) const;
  bool is_wanted(const std::string& path) const;

  // Names that the value of `expression` may share its numbers with.
  Names shown_by(const Expression& expression) const;
  void add_uses(const Expression& expression, Names& uses) const;
  // Names that calls within `expression` change in place.
  void add_changed(const Expression& expression, Names& changed) const;
  // Whether it writes, or may write, a wanted file.
  enum class Write : uint8_t { kNo, kUnseen, kWanted };
  Write write_of(const Expression& expression) const;

 private:
  const FunctionEffects* function_called(const Expression& call) const;
  bool is_module(const Expression& expression) const;
  void add_shown_by_call(const Expression& call, Names& shown) const;
  void add_changed_by_call(const Expression& call, Names& changed) const;
  Write write_of_call(const Expression& call) const;
  const Expression* argument(const Expression& call, const FunctionDefinition& definition,
                             size_t parameter) const;
};

}  // namespace cuset::script
