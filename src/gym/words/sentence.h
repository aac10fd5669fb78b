// Sentences of parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gym/words/spelling.h"

namespace cuset::gym {

// `lead` and the spelled `text` with a full stop, and a capital letter in front unless a `$name` stands
// there.
std::string sentence(std::string_view lead, std::string_view text, const Spelling& words);

// "a", "a and b", "a, b and c".
std::string joined(const std::vector<std::string>& parts);

// "it" -> "It".
std::string with_capital(std::string_view text);

}  // namespace cuset::gym
