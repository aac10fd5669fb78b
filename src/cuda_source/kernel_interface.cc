#include "cuda_source/kernel_interface.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "cuda_source/code.h"
#include "cuda_source/functions.h"
#include "cuda_source/launches.h"

namespace cuset::cuda_source {
namespace {

using Constants = std::unordered_map<std::string, int64_t>;
using TokenRange = std::pair<size_t, size_t>;  // [first, last)

constexpr int64_t kLargestConstant = 1 << 20;

std::optional<int64_t> whole_number(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  const std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
  const bool is_whole = rest.find_first_not_of("uUlL") == std::string_view::npos;
  if (failed != std::errc() || !is_whole || value < 0 || value > kLargestConstant) return std::nullopt;
  return value;
}

// `#define NAME 16` and `NAME = 16;`. The first of several counts.
Constants constants_of(std::string_view text) {
  const std::vector<Token> tokens = lex(text);
  Constants constants;
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool is_define = tokens[i].is_identifier() && i > 0 && tokens[i - 1].kind == TokenKind::kHash &&
                           spelling(text, tokens[i]) == "define";
    const bool is_set = tokens[i].is_identifier() && tokens[i + 1].is('=');
    if (!is_define && !is_set) continue;
    const size_t name = is_define ? i + 1 : i;
    if (!tokens[name].is_identifier() || tokens[i + 2].kind != TokenKind::kNumber) continue;
    const size_t after = i + 3;
    const bool ends =
        after >= tokens.size() || tokens[after].is(';') || tokens[after].is(',') ||
        (is_define && (!tokens[after].has(kInDirective) || tokens[after].kind == TokenKind::kHash));
    if (!ends) continue;
    if (const auto value = whole_number(spelling(text, tokens[i + 2])))
      constants.emplace(spelling(text, tokens[name]), *value);
  }
  return constants;
}

class InterfaceReader {
 public:
  explicit InterfaceReader(std::string_view text)
      : text_(text), source_(read_source(text)), code_(source_.code), constants_(constants_of(text)) {}

  std::vector<KernelInterface> read() {
    const std::vector<Launch> launches = find_launches(code_);
    std::vector<KernelInterface> found;
    const std::vector<Function> functions = find_functions(code_, source_.aliases);
    const bool others_ask_for_block = ask_for_block(functions);
    for (const Function& function : functions) {
      if (!function.kernel || function.body == Code::kNone) continue;
      KernelInterface made;
      made.name = function.name;
      made.qualified = scope_of(function.qualifier) + function.name;
      for (const TokenRange& range : list_items(function.parameters))
        if (auto parameter = parameter_of(range)) made.parameters.push_back(std::move(*parameter));
      made.template_parameters = template_parameters_of(function.qualifier);
      for (const Launch& launch : launches)
        if (launch.kernel == made.name) take_launch(launch, made);
      read_body(function, made);
      made.has_several_blocks = made.has_several_blocks || others_ask_for_block;
      found.push_back(std::move(made));
    }
    return found;
  }

 private:
  static bool is_block_word(std::string_view word) {
    return word == "blockIdx" || word == "gridDim" || word == "this_grid";
  }

  // Whether device functions or macros do, which any kernel may use.
  bool ask_for_block(const std::vector<Function>& functions) const {
    for (const Token& token : lex(text_)) {
      if (!token.is_identifier() || !is_block_word(spelling(text_, token))) continue;
      const auto holds = [&](const Function& function) {
        return function.kernel && function.body_bytes.begin <= token.begin &&
               token.end <= function.body_bytes.end;
      };
      if (std::none_of(functions.begin(), functions.end(), holds)) return true;
    }
    return false;
  }

  // The items between the bracket at `open` and its partner, cut at commas outside of brackets and angles.
  std::vector<TokenRange> list_items(size_t open) const {
    return items_in({open + 1, std::min<size_t>(code_.match(open), code_.size())});
  }
  std::vector<TokenRange> items_in(TokenRange range) const {
    auto [first, end] = range;
    std::vector<TokenRange> items;
    int depth = 0;
    for (size_t i = first; i < end; ++i) {
      const Token& token = code_[i];
      if (token.is('(') || token.is('[') || token.is('{') || token.is('<')) ++depth;
      if (token.is(')') || token.is(']') || token.is('}') || token.is('>')) --depth;
      if (!token.is(',') || depth > 0) continue;
      items.emplace_back(first, i);
      first = i + 1;
    }
    if (first < end) items.emplace_back(first, end);
    return items;
  }

  static bool is_restrict(std::string_view word) {
    return word == "__restrict__" || word == "__restrict" || word == "restrict" ||
           word == "__grid_constant__";
  }

  std::optional<KernelParameter> parameter_of(TokenRange range) const {
    KernelParameter parameter;
    bool is_array = false;
    for (size_t i = range.first; i < range.second; ++i) {
      if (code_[i].is('=')) range.second = i;
      if (i < range.second && code_[i].is('[')) {
        is_array = true;
        range.second = i;
      }
    }
    std::vector<std::string> words;
    for (size_t i = range.first; i < range.second; ++i)
      if (std::string word = code_.spelled(i); !is_restrict(word)) words.push_back(std::move(word));
    if (words.empty() || (words.size() == 1 && words[0] == "void")) return std::nullopt;
    const Token& last = code_[range.second - 1];
    if (words.size() > 1 && last.is_identifier() && last.word == Keyword::kNone &&
        !is_restrict(words.back())) {
      parameter.name = words.back();
      words.pop_back();
    }
    describe_type(words, is_array, parameter);
    return parameter;
  }

  static void describe_type(const std::vector<std::string>& words, bool is_array,
                            KernelParameter& parameter) {
    for (const std::string& word : words) parameter.type += (parameter.type.empty() ? "" : " ") + word;
    const auto star = std::find(words.begin(), words.end(), "*");
    parameter.is_pointer = is_array || star != words.end();
    parameter.is_const = std::find(words.begin(), star, "const") != star;
    if (is_array) parameter.type += " *";
    if (parameter.is_pointer) return;
    for (const std::string& word : words)
      for (const char* part : {"int", "long", "short", "unsigned", "size_t", "char", "bool", "index"})
        parameter.is_integer = parameter.is_integer || word.find(part) != std::string::npos;
  }

  // "a::b::" of the namespaces around a token.
  std::string scope_of(size_t token) const {
    std::string scope;
    for (uint32_t brace = code_.brace_around(token); brace != Code::kNone;
         brace = code_.brace_around(brace)) {
      std::string name;
      size_t at = brace;
      while (at > 0 && (code_[at - 1].is(kScope) ||
                        (code_[at - 1].is_identifier() && !code_[at - 1].is(Keyword::kNamespace))))
        name = code_.spelled(--at) + name;
      if (at > 0 && code_[at - 1].is(Keyword::kNamespace) && !name.empty()) scope = name + "::" + scope;
    }
    return scope;
  }

  // Of `template <typename T, int N>` before the kernel's qualifier.
  std::vector<TemplateParameter> template_parameters_of(size_t qualifier) const {
    size_t at = qualifier;
    while (at > 0 && !code_[at].is(Keyword::kTemplate)) {
      if (code_[at - 1].is(';') || code_[at - 1].is('}') || code_[at - 1].is('{')) return {};
      --at;
    }
    if (!code_[at].is(Keyword::kTemplate) || at + 1 >= code_.size() || !code_[at + 1].is('<')) return {};
    std::vector<TemplateParameter> found;
    int depth = 0;
    size_t first = at + 2;
    for (size_t i = at + 1; i < qualifier; ++i) {
      if (code_[i].is('<')) ++depth;
      const bool closes = code_[i].is('>') && --depth == 0;
      if (!closes && !(code_[i].is(',') && depth == 1)) continue;
      if (first < i) found.push_back(template_parameter_of({first, i}));
      first = i + 1;
      if (closes) break;
    }
    return found;
  }

  TemplateParameter template_parameter_of(TokenRange range) const {
    TemplateParameter parameter;
    const std::string head = code_.spelled(range.first);
    parameter.is_type = head == "typename" || head == "class";
    for (size_t i = range.first; i < range.second && !code_[i].is('='); ++i)
      if (code_[i].is_identifier()) parameter.name = code_.spelled(i);
    return parameter;
  }

  std::optional<int64_t> constant_at(TokenRange range) const {
    if (range.second != range.first + 1) return std::nullopt;
    const std::string word = code_.spelled(range.first);
    if (code_[range.first].kind == TokenKind::kNumber) return whole_number(word);
    const auto found = constants_.find(word);
    return found == constants_.end() ? std::nullopt : std::optional(found->second);
  }

  // The sides in `(16, 16)`; zeros where one of them is not known.
  std::array<int64_t, 3> sides_in(size_t open) const {
    const std::vector<TokenRange> items = list_items(open);
    std::array<int64_t, 3> sides = {1, 1, 1};
    if (items.empty() || items.size() > 3) return {};
    for (size_t i = 0; i < items.size(); ++i) {
      const std::optional<int64_t> side = constant_at(items[i]);
      if (!side || *side == 0) return {};
      sides[i] = *side;
    }
    return sides;
  }

  std::array<int64_t, 3> block_of(TokenRange range) const {
    if (const auto side = constant_at(range)) return {*side, 1, 1};
    const std::string word = code_.spelled(range.first);
    if (word == "dim3" && range.second > range.first + 1) return sides_in(range.first + 1);
    if (range.second != range.first + 1) return {};
    for (size_t i = 0; i + 2 < range.first; ++i) {
      if (code_.spelled(i) != "dim3" || code_.spelled(i + 1) != word) continue;
      size_t open = i + 2;
      if (code_[open].is('=') && code_.spelled(open + 1) == "dim3") open += 2;
      if (open < code_.size() && (code_[open].is('(') || code_[open].is('{'))) return sides_in(open);
    }
    return {};
  }

  void take_launch(const Launch& launch, KernelInterface& made) const {
    if (made.block[0] == 0 && launch.bracketed && !launch.arguments.empty()) {
      const std::vector<TokenRange> sizes = items_in(launch.arguments[0]);
      if (sizes.size() > 1 && sizes[1].first < sizes[1].second) made.block = block_of(sizes[1]);
    }
    // name < arguments > <<<
    if (!launch.bracketed || !made.template_arguments.empty() || launch.token == 0 ||
        !code_[launch.token - 1].is('>'))
      return;
    size_t open = launch.token - 1;
    for (int depth = 0; open > 0; --open) {
      if (code_[open].is('>')) ++depth;
      if (code_[open].is('<') && --depth == 0) break;
    }
    made.template_arguments =
        std::string(text_.substr(code_[open].end, code_[launch.token - 1].begin - code_[open].end));
  }

  void read_body(const Function& function, KernelInterface& made) const {
    for (size_t i = function.body; i < function.end; ++i) {
      if (code_[i].is(Keyword::kThreadIndex) && i + 2 < function.end && code_[i + 1].is('.')) {
        const std::string side = code_.spelled(i + 2);
        made.dimensions = std::max(made.dimensions, side == "z" ? 3 : side == "y" ? 2 : 1);
      }
      if (code_[i].is_identifier() && is_block_word(code_.spelled(i))) made.has_several_blocks = true;
      if (code_[i].is(Keyword::kShared)) read_shared(i, function.end, made);
    }
  }

  void read_shared(size_t at, size_t end, KernelInterface& made) const {
    size_t open = at;
    while (open < end && !code_[open].is('[') && !code_[open].is(';')) ++open;
    if (open == end || code_[open].is(';')) return;
    if (code_[open + 1 < end ? open + 1 : open].is(']')) {
      made.has_dynamic_shared = true;
      return;
    }
    std::vector<int64_t> sides;
    while (open < end && code_[open].is('[') && code_.is_closed(open)) {
      const std::optional<int64_t> side = constant_at({open + 1, code_.match(open)});
      if (!side) return;
      sides.push_back(*side);
      open = code_.match(open) + 1;
    }
    if (made.shared_sides.empty()) made.shared_sides = std::move(sides);
  }

  std::string_view text_;
  Source source_;
  const Code& code_;
  Constants constants_;
};

}  // namespace

std::vector<KernelInterface> find_kernel_interfaces(std::string_view source) {
  return InterfaceReader(source).read();
}

}  // namespace cuset::cuda_source
