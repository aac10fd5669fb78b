// What stands for the keys in a family's texts: `$key` is a name, `{key}` a value (gym/family.h); and the
// sentences that are made of such texts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::gym {

class Spelling {
 public:
  // A second name or value for a key takes the place of the first.
  void set_name(std::string_view key, std::string text);
  void set_value(std::string_view key, std::string text);

  bool has_name(std::string_view key) const { return names_.contains(key); }
  // A key without a name is our own bug.
  const std::string& name_of(std::string_view key) const;

  // `text` with every `$key` and every known `{key}` replaced; other braces stay. A `$key` without a name is
  // a bug of the family.
  std::string apply(std::string_view text) const;

 private:
  std::map<std::string, std::string, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> values_;
};

// The keys after `$` in `text`, each once, in order of appearance.
std::vector<std::string> keys_in(std::string_view text);

// `lead` and the spelled `text` with a full stop, and a capital letter in front unless a `$name` stands
// there.
std::string sentence(std::string_view lead, std::string_view text, const Spelling& words);

// "a", "a and b", "a, b and c".
std::string joined(const std::vector<std::string>& parts);

// "it" -> "It".
std::string with_capital(std::string_view text);

}  // namespace cuset::gym
