#include "benchmarks/own_tests/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "benchmarks/own_tests/host_functions.h"
#include "cuda_source/lexer.h"

namespace cuset::benchmarks {
namespace {

struct OpenFunction {
  std::string name;  // empty: there is none
  size_t begin = 0;  // of its comment, or of its declaration
};

// The function whose `{` ends the prompt.
OpenFunction open_function(std::string_view prompt) {
  const std::vector<cuda_source::Token> all = cuda_source::lex(prompt);
  std::vector<size_t> tokens;  // without comments
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind != cuda_source::TokenKind::kComment) tokens.push_back(i);
  }
  if (tokens.size() < 4 || !all[tokens.back()].is('{') || !all[tokens[tokens.size() - 2]].is(')')) return {};
  size_t depth = 0, at = tokens.size() - 1;
  do {
    --at;
    if (all[tokens[at]].is(')')) ++depth;
    if (all[tokens[at]].is('(')) --depth;
  } while (depth > 0 && at > 0);
  if (at == 0 || !all[tokens[at - 1]].is_identifier()) return {};
  OpenFunction function{cuda_source::spelling(prompt, all[tokens[at - 1]]), 0};
  // Back to what ended the declaration before it, then over the comments between.
  while (at > 0 && !all[tokens[at - 1]].is(';') && !all[tokens[at - 1]].is('}') &&
         !all[tokens[at - 1]].has(cuda_source::kInDirective))
    --at;
  function.begin = at == 0 ? 0 : all[tokens[at - 1]].end;
  return function;
}

// Types and functions that a text defines.
std::set<std::string> defined_names(std::string_view text) {
  std::set<std::string> names;
  for (const DefinedFunction& function : find_definitions(text).functions) names.insert(function.name);
  const std::vector<cuda_source::Token> tokens = cuda_source::lex(text);
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    const std::string word = tokens[i].is_identifier() ? cuda_source::spelling(text, tokens[i]) : "";
    if ((word == "struct" || word == "class" || word == "enum") && tokens[i + 1].is_identifier() &&
        tokens[i + 2].is('{'))
      names.insert(cuda_source::spelling(text, tokens[i + 1]));
  }
  return names;
}

// Where the function that is open at the beginning of `body` is closed; npos: nowhere.
size_t end_of_body(std::string_view body) {
  size_t depth = 1;
  for (const cuda_source::Token& token : cuda_source::lex(body)) {
    if (token.is('{')) ++depth;
    if (token.is('}') && --depth == 0) return token.end;
  }
  return std::string_view::npos;
}

}  // namespace

std::string complete_answer(std::string_view prompt, const std::string& code) {
  const OpenFunction function = open_function(prompt);
  if (function.name.empty()) return code;
  const std::set<std::string> own = defined_names(code);
  if (!own.contains(function.name))
    return fmt::format("{}\n{}\n", prompt, std::string_view(code).substr(0, end_of_body(code)));
  const std::string before(prompt.substr(0, function.begin));
  const std::set<std::string> given = defined_names(before);
  const bool repeated =
      std::any_of(given.begin(), given.end(), [&](const auto& name) { return own.contains(name); });
  return repeated ? code : before + "\n" + code;
}

std::optional<std::string> continued_prompt(std::string_view prompt, std::string_view answer) {
  if (kernel_declaration(prompt).empty() || answer.find("```") != answer.npos) return std::nullopt;
  if (const size_t reasoned = answer.rfind("</think>"); reasoned != answer.npos)
    answer.remove_prefix(reasoned + 8);
  if (const size_t repeated = answer.find(prompt); repeated != answer.npos)
    answer.remove_prefix(repeated + prompt.size());
  const std::string code(answer);
  if (end_of_body(answer) == answer.npos || defined_names(code).contains(open_function(prompt).name))
    return std::nullopt;
  return complete_answer(prompt, code);
}

std::string kernel_declaration(std::string_view prompt) {
  const OpenFunction function = open_function(prompt);
  if (function.name.empty()) return "";
  if (prompt.substr(function.begin).find("__global__") == prompt.npos) return "";
  return std::string(prompt.substr(0, prompt.rfind('{'))) + ";\n";
}

}  // namespace cuset::benchmarks
