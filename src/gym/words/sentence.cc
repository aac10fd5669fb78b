#include "gym/words/sentence.h"

namespace cuset::gym {

std::string with_capital(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
    result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result;
}

std::string sentence(std::string_view lead, std::string_view text, const Spelling& words) {
  std::string result = std::string(lead) + words.apply(text);
  if (!lead.empty() || !text.starts_with('$')) result = with_capital(result);
  if (!result.ends_with('.')) result += '.';
  return result;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

}  // namespace cuset::gym
