#include "benchmarks/cudabench/cudabench_constants.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace cuset::benchmarks {
namespace {

constexpr int kDeepest = 50;

constexpr std::array<std::pair<std::string_view, tasks::NumberType>, 22> kTypes = {{
    {"float", tasks::NumberType::kFloat32},
    {"double", tasks::NumberType::kFloat64},
    {"int", tasks::NumberType::kInt32},
    {"unsigned", tasks::NumberType::kUint32},
    {"uint", tasks::NumberType::kUint32},
    {"uint32_t", tasks::NumberType::kUint32},
    {"int32_t", tasks::NumberType::kInt32},
    {"int64_t", tasks::NumberType::kInt64},
    {"uint64_t", tasks::NumberType::kUint64},
    {"uint8_t", tasks::NumberType::kUint8},
    {"int8_t", tasks::NumberType::kInt8},
    {"int16_t", tasks::NumberType::kInt16},
    {"uint16_t", tasks::NumberType::kUint16},
    {"size_t", tasks::NumberType::kUint64},
    {"long", tasks::NumberType::kInt64},
    {"bool", tasks::NumberType::kBool},
    {"half", tasks::NumberType::kFloat16},
    {"__half", tasks::NumberType::kFloat16},
    {"char", tasks::NumberType::kInt8},
    {"short", tasks::NumberType::kInt16},
    {"__nv_bfloat16", tasks::NumberType::kBfloat16},
    {"uchar", tasks::NumberType::kUint8},
}};

std::optional<tasks::NumberType> plain_type(std::string_view name) {
  for (const auto& [text, type] : kTypes)
    if (text == name) return type;
  return std::nullopt;
}

// "unsigned" alone, "unsigned char", "unsigned long long".
std::pair<tasks::NumberType, size_t> unsigned_type(std::span<const std::string> texts) {
  const std::string_view next = texts.size() > 1 ? std::string_view(texts[1]) : "";
  if (next == "char") return {tasks::NumberType::kUint8, 2};
  if (next == "short") return {tasks::NumberType::kUint16, 2};
  if (next == "int") return {tasks::NumberType::kUint32, 2};
  if (next == "long") return {tasks::NumberType::kUint64, texts.size() > 2 && texts[2] == "long" ? 3u : 2u};
  return {tasks::NumberType::kUint32, 1};
}

class WholeValue {
 public:
  WholeValue(std::span<const std::string> texts, const std::map<std::string, int64_t>& constants)
      : texts_(texts), constants_(constants) {}

  std::optional<int64_t> run() {
    const auto value = binary(1, 0);
    return at_ == texts_.size() ? value : std::nullopt;
  }

 private:
  bool accept(std::string_view text) {
    if (at_ >= texts_.size() || texts_[at_] != text) return false;
    ++at_;
    return true;
  }

  // ">>" comes as two tokens.
  std::pair<char, int> next_operator() const {
    if (at_ >= texts_.size()) return {0, 0};
    const std::string& text = texts_[at_];
    if (text == "*" || text == "/" || text == "%") return {text[0], 3};
    if (text == "+" || text == "-") return {text[0], 2};
    if (text == "<<") return {'<', 1};
    if (text == ">" && at_ + 1 < texts_.size() && texts_[at_ + 1] == ">") return {'>', 1};
    return {0, 0};
  }

  static std::optional<int64_t> apply(char operation, int64_t a, int64_t b) {
    int64_t result = 0;
    switch (operation) {
      case '+':
        return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
      case '-':
        return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
      case '*':
        return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
      case '<':
        return b < 0 || b > 40 || a < 0 || a > (1 << 20) ? std::nullopt : std::optional(a << b);
      case '>':
        return b < 0 || b > 62 || a < 0 ? std::nullopt : std::optional(a >> b);
      default:
        break;
    }
    if (b <= 0) return std::nullopt;
    return operation == '/' ? a / b : a % b;
  }

  std::optional<int64_t> binary(int lowest, int depth) {
    auto left = unary(depth);
    for (;;) {
      const auto [operation, precedence] = next_operator();
      if (!left || operation == 0 || precedence < lowest) return left;
      at_ += operation == '>' ? 2 : 1;
      const auto right = binary(precedence + 1, depth + 1);
      if (!right) return std::nullopt;
      left = apply(operation, *left, *right);
    }
  }

  std::optional<int64_t> unary(int depth) {
    if (depth > kDeepest || at_ >= texts_.size()) return std::nullopt;
    if (accept("-")) {
      const auto value = unary(depth + 1);
      return value ? apply('-', 0, *value) : std::nullopt;
    }
    if (accept("sizeof")) return size_of();
    if (accept("static_cast")) {
      while (at_ < texts_.size() && !accept(">")) ++at_;
      return unary(depth + 1);
    }
    if (accept("(")) {
      const auto [element, length] = element_at(texts_.subspan(at_));
      if (length > 0 && at_ + length < texts_.size() && texts_[at_ + length] == ")") {
        at_ += length + 1;
        return unary(depth + 1);
      }
      const auto value = binary(1, depth + 1);
      return accept(")") ? value : std::nullopt;
    }
    return atom();
  }

  std::optional<int64_t> size_of() {
    if (!accept("(")) return std::nullopt;
    const auto [element, length] = element_at(texts_.subspan(at_));
    at_ += length;
    if (length == 0 || !accept(")")) return std::nullopt;
    return static_cast<int64_t>(tasks::bytes_of(element.type)) * element.numbers;
  }

  std::optional<int64_t> atom() {
    const std::string& text = texts_[at_++];
    if (const auto known = constants_.find(text); known != constants_.end()) return known->second;
    const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char* const begin = text.data() + (hexadecimal ? 2 : 0);
    const char* const end = text.data() + text.size();
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
    const bool suffixed = std::all_of(
        stop, end, [](char c) { return std::string_view("uUlL").find(c) != std::string_view::npos; });
    return error == std::errc() && suffixed ? std::optional(value) : std::nullopt;
  }

  std::span<const std::string> texts_;
  const std::map<std::string, int64_t>& constants_;
  size_t at_ = 0;
};

}  // namespace

std::pair<Element, size_t> element_at(std::span<const std::string> texts) {
  if (texts.empty()) return {{}, 0};
  if (texts[0] == "unsigned") {
    const auto [type, length] = unsigned_type(texts);
    return {{type, 1}, length};
  }
  std::string_view name = texts[0];
  if (name == "long" && texts.size() > 1 && texts[1] == "long") return {{tasks::NumberType::kInt64, 1}, 2};
  if (const auto type = plain_type(name)) return {{*type, 1}, 1};
  if (name.size() < 2 || name.back() < '2' || name.back() > '4') return {{}, 0};
  const int64_t numbers = name.back() - '0';
  name.remove_suffix(1);
  if (const auto type = plain_type(name); type && name != "char" && name != "long")
    return {{*type, numbers}, 1};
  return {{}, 0};
}

std::optional<int64_t> whole_value(std::span<const std::string> texts,
                                   const std::map<std::string, int64_t>& constants) {
  return WholeValue(texts, constants).run();
}

}  // namespace cuset::benchmarks
