#include "gym/words/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "gym/words/choice.h"
#include "gym/words/name_pools.h"

namespace cuset::gym {
namespace {

// Forms of a file's name for which there is no pool; a key of two words says enough.
std::string around(std::string_view key, bool is_output, base::RandomStream& stream) {
  std::string name(key);
  if (stream.below(2) == 0 || name.find('_') != std::string::npos) return name;
  if (is_output)
    return one_of<std::string>(stream, {name + "_out", "out_" + name, name + "_result", "new_" + name});
  return one_of<std::string>(stream, {name + "_in", "in_" + name, name + "_data", name + "_arr"});
}

}  // namespace

bool NameScope::is_free(std::string_view name) const {
  return !taken_.contains(name) && !is_reserved_word(name);
}

std::string NameScope::take(std::string wanted) {
  std::string name = wanted;
  for (int number = 2; !is_free(name); ++number) name = fmt::format("{}{}", wanted, number);
  taken_.insert(name);
  return name;
}

std::string NameScope::draw(const NamePool& pool, base::RandomStream& stream) {
  NamePool free;
  std::copy_if(pool.begin(), pool.end(), std::back_inserter(free),
               [this](std::string_view name) { return is_free(name); });
  const NamePool& from = free.empty() ? pool : free;
  return take(std::string(from[stream.below(from.size())]));
}

std::string NameScope::draw_local(std::string_view key, base::RandomStream& stream) {
  const NamePool* pool = local_pool(key);
  return pool != nullptr ? draw(*pool, stream) : take(std::string(key));
}

std::string NameScope::draw_file(std::string_view key, bool is_output, base::RandomStream& stream) {
  const NamePool* pool = is_output ? output_pool(key) : input_pool(key);
  return pool != nullptr ? draw(*pool, stream) : take(around(key, is_output, stream));
}

std::string camel(std::string_view snake) {
  std::string result;
  for (size_t i = 0; i < snake.size(); ++i) {
    const bool raised = i > 0 && snake[i - 1] == '_' && snake[i] >= 'a' && snake[i] <= 'z';
    if (snake[i] != '_') result += raised ? static_cast<char>(snake[i] - 'a' + 'A') : snake[i];
  }
  return result;
}

std::string capitalized(std::string_view snake) {
  std::string result = camel(snake);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
    result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result;
}

std::string upper(std::string_view snake) {
  std::string result(snake);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

}  // namespace cuset::gym
