#include "gym/words/spelling.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace cuset::gym {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The identifier at `begin`; empty where there is none.
std::string_view word_at(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && (is_letter(text[end]) || (end > begin && text[end] >= '0' && text[end] <= '9')))
    ++end;
  return text.substr(begin, end - begin);
}

}  // namespace

void Spelling::set_name(std::string_view key, std::string text) {
  names_[std::string(key)] = std::move(text);
}

void Spelling::set_value(std::string_view key, std::string text) {
  values_[std::string(key)] = std::move(text);
}

const std::string& Spelling::name_of(std::string_view key) const {
  const auto found = names_.find(key);
  CUSET_CHECK(found != names_.end(), "no name for the key {}", base::in_quotes(key));
  return found->second;
}

std::string Spelling::apply(std::string_view text) const {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const std::string_view key = word_at(text, i + 1);
    const size_t after = i + 1 + key.size();
    if (text[i] == '$') {
      CUSET_CHECK(names_.contains(key), "no name for ${} in {}", key, base::in_quotes(text, 200));
      result += name_of(key);
      i = after;
    } else if (text[i] == '{' && after < text.size() && text[after] == '}' && values_.contains(key)) {
      result += values_.find(key)->second;
      i = after + 1;
    } else {
      result += text[i++];
    }
  }
  return result;
}

std::vector<std::string> keys_in(std::string_view text) {
  std::vector<std::string> keys;
  for (size_t i = text.find('$'); i != std::string_view::npos; i = text.find('$', i + 1)) {
    std::string key(word_at(text, i + 1));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  }
  return keys;
}

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
