#include "execute/build/nvcc_dialect.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "cuda_source/code.h"
#include "cuda_source/functions.h"
#include "cuda_source/launches.h"
#include "cuda_source/lexer.h"

namespace cuset::execute {
namespace {

using cuda_source::Code;
using cuda_source::Function;
using cuda_source::Launch;
using cuda_source::Token;
using cuda_source::TokenKind;

struct Edit {
  size_t begin;
  size_t end;
  std::string text;
};

std::string_view raw(std::string_view text, const Token& token) {
  return text.substr(token.begin, token.end - token.begin);
}

// Behind these, clang takes alignas for an attribute at a wrong place.
bool stands_before_alignas(std::string_view word) {
  static constexpr std::array<std::string_view, 9> kWords = {"__shared__",  "__device__", "__constant__",
                                                             "__managed__", "static",     "extern",
                                                             "const",       "volatile",   "inline"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

void rewrite_alignas(std::string_view text, const std::vector<Token>& tokens, std::vector<Edit>& edits) {
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (raw(text, tokens[i]) == "alignas" && stands_before_alignas(raw(text, tokens[i - 1])))
      edits.push_back({tokens[i].begin, tokens[i].end, "_Alignas"});
  }
}

bool begins_special_register(std::string_view text) {
  static constexpr std::array<std::string_view, 16> kNames = {
      "tid.",     "ntid.",      "laneid",      "warpid",
      "nwarpid",  "ctaid.",     "nctaid.",     "smid",
      "nsmid",    "gridid",     "globaltimer", "lanemask_",
      "cluster_", "clusterid.", "nclusterid.", "is_explicit_cluster"};
  if (text.starts_with("clock")) return true;
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return text.starts_with(name); });
}

// A second % before registers that have one.
void double_percents(std::string_view text, const Token& token, std::vector<Edit>& edits) {
  const std::string_view literal = raw(text, token);
  for (size_t at = literal.find('%'); at != literal.npos; at = literal.find('%', at + 1)) {
    if (at + 1 < literal.size() && literal[at + 1] == '%') {
      ++at;
    } else if (begins_special_register(literal.substr(at + 1))) {
      edits.push_back({token.begin + at, token.begin + at, "%"});
    }
  }
}

bool is_asm(std::string_view word) { return word == "asm" || word == "__asm__" || word == "__asm"; }

void rewrite_assembly(std::string_view text, const std::vector<Token>& tokens, std::vector<Edit>& edits) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is_asm(raw(text, tokens[i]))) continue;
    while (i + 1 < tokens.size() && tokens[i + 1].is_identifier()) ++i;  // volatile
    if (i + 1 >= tokens.size() || !tokens[i + 1].is('(')) continue;
    for (i += 2; i < tokens.size() && tokens[i].kind == TokenKind::kString; ++i)
      double_percents(text, tokens[i], edits);
  }
}

// The first token of `ns::kernel<int>` that ends before `open`; nothing where it is another expression.
std::optional<size_t> kernel_start(const Code& code, size_t open) {
  size_t at = open;
  while (at > 0) {
    --at;
    if (code[at].is('>')) {
      int depth = 1;
      while (depth > 0 && at > 0) {
        --at;
        depth += code[at].is('>') ? 1 : code[at].is('<') ? -1 : 0;
      }
      if (at == 0) return std::nullopt;
      --at;
    }
    if (!code[at].is_identifier()) return std::nullopt;
    if (at == 0 || !code[at - 1].is(cuda_source::kScope)) return at;
    --at;
    if (at == 0 || !code[at - 1].is_identifier()) return at;  // ::kernel
  }
  return std::nullopt;
}

bool is_on_host_too(const Code& code, const Function& function) {
  const size_t first = function.qualifier > 2 ? function.qualifier - 2 : 0;
  for (size_t i = first; i < function.name_first; ++i)
    if (code.raw(i) == "__host__") return true;
  return false;
}

bool is_in_device_code(const Code& code, const std::vector<Function>& functions, size_t token) {
  return std::any_of(functions.begin(), functions.end(), [&](const Function& function) {
    return function.body != Code::kNone && function.body < token && token < function.end &&
           !is_on_host_too(code, function);
  });
}

// The token that closes a launch's configuration; the number of tokens where none does.
size_t launch_close(const Code& code, size_t open) {
  size_t at = open + 1;
  while (at < code.size() && code[at].kind != TokenKind::kLaunchClose) ++at;
  return at;
}

// Tokens without what stands between them, so that they can be written more than once.
std::string in_one_line(const Code& code, size_t first, size_t last) {
  std::string text;
  for (size_t at = first; at <= last; ++at) text.append(text.empty() ? "" : " ").append(code.raw(at));
  std::replace(text.begin(), text.end(), '\n', ' ');  // of raw strings and continued lines
  return text;
}

// Replaces the tokens, and keeps the ends of lines among them.
Edit edit_of(const Code& code, size_t first, size_t last, std::string text) {
  const std::string_view old = code.text().substr(code[first].begin, code[last].end - code[first].begin);
  return {code[first].begin, code[last].end,
          std::move(text) + std::string(std::count(old.begin(), old.end(), '\n'), '\n')};
}

void rewrite_launch(const Code& code, const Launch& launch, std::vector<Edit>& edits) {
  const size_t open = launch.token;
  const size_t close = launch_close(code, open);
  const std::optional<size_t> start = kernel_start(code, open);
  if (!start || close + 1 >= code.size() || !code[close + 1].is('(')) return;
  const std::string kernel = in_one_line(code, *start, open - 1);
  const std::string address =
      "cuset_emulator::ChildKernel<decltype(&" + kernel + "), &" + kernel + ">::address";
  edits.push_back(edit_of(code, *start, open, "cuset_emulator::child_grid(" + address + ", "));
  edits.push_back(edit_of(code, close, close, ").launch"));
}

void rewrite_launches(const std::string& text, std::vector<Edit>& edits) {
  const cuda_source::Source source = cuda_source::read_source(text);
  const std::vector<Function> functions = cuda_source::find_functions(source.code, source.aliases);
  for (const Launch& launch : cuda_source::find_launches(source.code)) {
    if (launch.bracketed && is_in_device_code(source.code, functions, launch.token))
      rewrite_launch(source.code, launch, edits);
  }
}

// Behind `__global__`: a name in front of `(` that is none of these is the kernel's.
bool is_attribute_of_kernel(std::string_view word) {
  return word == "__launch_bounds__" || word == "__maxnreg__" || word == "__cluster_dims__" ||
         word == "__attribute__" || word == "__align__";
}

// The `>` of the template arguments that open at `open`; `open` where these are none.
size_t close_of_angles(const Code& code, size_t open) {
  int depth = 0;
  for (size_t at = open; at < code.size(); ++at) {
    if (code[at].is(';') || code[at].is('{')) break;
    if (code[at].is('(') || code[at].is('[')) at = code.match(at);
    if (at >= code.size()) break;
    depth += code[at].is('<') ? 1 : code[at].is('>') ? -1 : 0;
    if (depth == 0) return at;
  }
  return open;
}

bool begins_operand(const Code& code, size_t at) {
  if (at == 0) return false;
  const Token& before = code[at - 1];
  if (before.is_identifier()) return code.raw(at - 1) == "return";
  static constexpr std::string_view kBefore = "(,={?:[)";
  return before.kind == TokenKind::kPunctuation && before.punctuation < 128 &&
         kBefore.find(static_cast<char>(before.punctuation)) != kBefore.npos;
}

// `ns::k<4>` or `&ns::k<4>` around the name at `name`, where it stands for a value.
std::optional<Edit> kernel_value(const Code& code, size_t name) {
  size_t first = name;
  while (first >= 2 && code[first - 1].is(cuda_source::kScope) && code[first - 2].is_identifier()) first -= 2;
  size_t last = name;
  if (last + 1 < code.size() && code[last + 1].is('<')) {
    last = close_of_angles(code, last + 1);
    if (last == name + 1) return std::nullopt;
  }
  if (last + 1 >= code.size()) return std::nullopt;
  const Token& behind = code[last + 1];
  if (!behind.is(')') && !behind.is(',') && !behind.is(';') && !behind.is('}') && !behind.is(':'))
    return std::nullopt;
  const std::string kernel = in_one_line(code, first, last);
  if (first > 0 && code[first - 1].is('&')) --first;
  if (!begins_operand(code, first)) return std::nullopt;
  return edit_of(code, first, last, "CUSET_KERNEL_VALUE(" + kernel + ")");
}

// Of edits inside of one another the outer one counts.
std::string with_edits(const std::string& source, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string result;
  size_t done = 0;
  for (const Edit& edit : edits) {
    if (edit.begin < done) continue;
    result.append(source, done, edit.begin - done).append(edit.text);
    done = edit.end;
  }
  return result.append(source, done);
}

bool consists_of(std::string_view text, char c) {
  return text.find_first_not_of(c) == text.npos && !text.empty();
}

// The end of the three characters `c` that begin with token `at` on one line, with blanks between them; 0: not exactly three.
uint32_t end_of_three(std::string_view text, const std::vector<Token>& tokens, size_t at, char c) {
  const size_t first = tokens[at].begin;
  size_t count = 0;
  uint32_t end = 0;
  for (; at < tokens.size() && consists_of(raw(text, tokens[at]), c); ++at) {
    count += tokens[at].end - tokens[at].begin;
    end = tokens[at].end;
  }
  const bool on_one_line = text.substr(first, end - first).find_first_not_of(" \t<>") == text.npos;
  return count == 3 && on_one_line ? end : 0;
}

// `kernel << < grid, block >> > (x)`, as formatters write it, with whole brackets; every other character keeps its place.
std::string with_whole_brackets(std::string source) {
  if (source.find("<< <") == source.npos) return source;
  std::vector<Token> tokens = cuda_source::lex(source);
  std::erase_if(tokens, [](const Token& token) { return token.kind == TokenKind::kComment; });
  const auto join = [&](size_t token, uint32_t end, char c) {
    const size_t begin = tokens[token].begin;
    const size_t length = end - begin;
    source.replace(begin, length, std::string(3, c) + std::string(length - 3, ' '));
  };
  bool is_open = false;  // a launch configuration, `depth` brackets deep
  int depth = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const uint32_t end = end_of_three(source, tokens, i, is_open ? '>' : '<');
    if (!is_open && end > tokens[i].begin + 3) {
      join(i, end, '<');
      is_open = true;
      depth = 0;
    } else if (is_open && depth == 0 && end != 0) {
      join(i, end, '>');
      is_open = false;
    } else if (is_open) {
      depth += tokens[i].is('(') || tokens[i].is('[') || tokens[i].is('{');
      depth -= tokens[i].is(')') || tokens[i].is(']') || tokens[i].is('}');
      is_open = !tokens[i].is(';');
    }
  }
  return source;
}

}  // namespace

std::string in_words_of_clang(const std::string& given, bool launches_in_device_code) {
  const std::string source = with_whole_brackets(given);
  std::vector<Token> tokens = cuda_source::lex(source);
  std::erase_if(tokens, [](const Token& token) { return token.kind == TokenKind::kComment; });
  std::vector<Edit> edits;
  rewrite_alignas(source, tokens, edits);
  rewrite_assembly(source, tokens, edits);
  if (launches_in_device_code && source.find("<<<") != source.npos) rewrite_launches(source, edits);
  return with_edits(source, std::move(edits));
}

void add_kernel_names(const std::string& source, std::set<std::string>& kernels) {
  const cuda_source::Source read = cuda_source::read_source(source);
  const Code& code = read.code;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code.raw(i) != "__global__") continue;
    for (++i; i + 1 < code.size() && !code[i].is(';') && !code[i].is('{'); ++i) {
      if (!code[i].is_identifier() || !code[i + 1].is('(')) continue;
      if (!is_attribute_of_kernel(code.raw(i))) {
        kernels.insert(std::string(code.raw(i)));
        break;
      }
      i = code.match(i + 1);
    }
  }
}

std::string with_kernel_values(const std::string& source, const std::set<std::string>& kernels) {
  const cuda_source::Source read = cuda_source::read_source(source);
  const std::vector<Function> functions = cuda_source::find_functions(read.code, read.aliases);
  std::vector<Edit> edits;
  for (size_t i = 0; i < read.code.size(); ++i) {
    if (!read.code[i].is_identifier() || !kernels.contains(std::string(read.code.raw(i)))) continue;
    if (is_in_device_code(read.code, functions, i)) continue;
    if (std::optional<Edit> edit = kernel_value(read.code, i)) edits.push_back(*std::move(edit));
  }
  return with_edits(source, std::move(edits));
}

}  // namespace cuset::execute
