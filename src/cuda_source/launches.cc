#include "cuda_source/launches.h"

#include <algorithm>

#include "cuda_source/functions.h"

namespace cuset::cuda_source {
namespace {

// The name before `<<<`, going back over template arguments, subscripts and parentheses.
std::string launched_name(const Code& code, size_t open, size_t not_before) {
  size_t i = open;
  int angles = 0;
  while (i-- > not_before) {
    const Token& token = code[i];
    if (token.is('>')) ++angles;
    if (token.is('<')) --angles;
    const bool closer = token.is(')') || token.is(']') || token.is('}');
    if (closer && code.match(i) != Code::kNone && code.match(i) >= not_before) {
      const size_t group = code.match(i);
      // (kernel)<<<...>>>: the name is in the parentheses unless a name stands before them, as in
      // pick(1)<<<...>>>.
      const bool alone = token.is(')') && (group == 0 || !code[group - 1].is_identifier());
      if (angles == 0 && alone) {
        while (--i > group && !code[i].is_identifier()) continue;
        return i > group ? code.spelled(i) : "";
      }
      i = group;
      continue;
    }
    if (angles == 0 && token.is_identifier()) return code.spelled(i);
    if (closer || token.is(';') || token.is('{') || token.kind == TokenKind::kLaunchClose) return "";
  }
  return "";
}

Launch bracketed_launch(const Code& code, size_t open, size_t not_before) {
  Launch launch;
  launch.bracketed = true;
  launch.token = static_cast<uint32_t>(open);
  launch.kernel = launched_name(code, open, not_before);
  size_t i = open + 1;
  while (i < code.size() && code[i].kind != TokenKind::kLaunchClose &&
         code[i].kind != TokenKind::kLaunchOpen) {
    const Token& token = code[i];
    if (token.is(';') || token.is('}') || token.is(')') || token.is(']')) break;
    const bool group = token.is('(') || token.is('[') || token.is('{');
    i = group ? std::min<size_t>(code.match(i) + 1, code.size()) : i + 1;
  }
  launch.arguments.emplace_back(open + 1, i);
  const bool closed = i < code.size() && code[i].kind == TokenKind::kLaunchClose;
  const size_t end = closed ? code[i].end : i < code.size() ? code[i - 1].end : code.end_offset();
  launch.configuration.push_back({code[open].begin, end});
  return launch;
}

// The arguments of a call as token ranges; commas inside groups and template arguments do not count.
std::vector<std::pair<uint32_t, uint32_t>> split_arguments(const Code& code, size_t open) {
  std::vector<std::pair<uint32_t, uint32_t>> arguments;
  const size_t last = std::min<size_t>(code.match(open), code.size());
  const auto angles = match_angles(code, open + 1, last);
  auto angle = angles.begin();
  size_t first = open + 1;
  for (size_t i = open + 1; i < last; ++i) {
    while (angle != angles.end() && angle->first < i) ++angle;
    const Token& token = code[i];
    if (token.is('(') || token.is('[') || token.is('{')) {
      i = std::min<size_t>(code.match(i), last);
    } else if (angle != angles.end() && angle->first == i) {
      i = angle->second;
    } else if (token.is(',')) {
      arguments.emplace_back(first, i);
      first = i + 1;
    }
  }
  arguments.emplace_back(first, last);
  return arguments;
}

// The kernel in an argument such as (void*)scale<float> or reinterpret_cast<const void*>(&ns::scale): the
// first name with template arguments, else the last name outside of subscripts.
std::string kernel_argument(const Code& code, std::pair<uint32_t, uint32_t> argument) {
  constexpr uint32_t kLongest = 64;  // tokens; bounds the work on nested calls
  const uint32_t last = std::min(argument.second, argument.first + kLongest);
  std::string name;
  for (uint32_t i = argument.first; i < last; ++i) {
    if (code[i].is('[')) {
      i = std::min(code.match(i), last);
    } else if (code[i].is_identifier() && code[i].is(Keyword::kNone)) {
      name = code.spelled(i);
      if (i + 1 < last && code[i + 1].is('<')) break;
    }
  }
  return name;
}

struct ArgumentOrder {
  size_t kernel;
  std::vector<std::pair<size_t, size_t>> configuration;  // first and last argument of each stretch
};

ArgumentOrder order_of(Keyword word) {
  if (word == Keyword::kLaunchRuntime) return {0, {{1, 2}, {4, 5}}};
  if (word == Keyword::kLaunchDriver) return {0, {{1, 8}}};
  return {1, {{0, 0}}};
}

Launch called_launch(const Code& code, size_t name, size_t open) {
  Launch launch;
  launch.token = static_cast<uint32_t>(name);
  const auto arguments = split_arguments(code, open);
  const ArgumentOrder order = order_of(code[name].word);
  if (order.kernel < arguments.size()) launch.kernel = kernel_argument(code, arguments[order.kernel]);
  for (const auto& [from, to] : order.configuration) {
    if (from >= arguments.size()) break;
    const uint32_t first = arguments[from].first;
    const uint32_t last = arguments[std::min(to, arguments.size() - 1)].second;
    if (first >= last) continue;
    launch.arguments.emplace_back(first, last);
    launch.configuration.push_back(
        {code[first].begin, last < code.size() ? code[last - 1].end : code.end_offset()});
  }
  return launch;
}

// Whether token i names a launch function that is called here; after a type it is being declared.
bool calls_launch_function(const Code& code, size_t i) {
  const Token& token = code[i];
  if (!token.is(Keyword::kLaunchRuntime) && !token.is(Keyword::kLaunchDriver) &&
      !token.is(Keyword::kLaunchConfig))
    return false;
  if (i + 1 >= code.size() || !code[i + 1].is('(')) return false;
  const bool after_word = i > 0 && code[i - 1].is_identifier();
  return !after_word || code[i - 1].is(Keyword::kStatement) || code[i - 1].is(Keyword::kElse) ||
         code[i - 1].is(Keyword::kDo);
}

}  // namespace

std::vector<Launch> find_launches(const Code& code) {
  std::vector<Launch> launches;
  size_t not_before = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i].kind == TokenKind::kLaunchOpen) {
      launches.push_back(bracketed_launch(code, i, not_before));
      not_before = i + 1;
    } else if (calls_launch_function(code, i)) {
      launches.push_back(called_launch(code, i, i + 1));
    }
  }
  return launches;
}

}  // namespace cuset::cuda_source
