#include "cuda_source/kernel_slices.h"

#include <algorithm>
#include <map>
#include <set>

#include "cuda_source/lexer.h"

namespace cuset::cuda_source {
namespace {

constexpr size_t kLongestScopeHead = 64;  // tokens of `namespace a::b {`

using NameSet = std::set<std::string, std::less<>>;

enum class ItemKind : uint8_t { kDirective, kInclude, kDeclaration, kHostFunction, kDeviceFunction, kKernel };

// A piece of the file at namespace level.
struct Item {
  ItemKind kind = ItemKind::kDeclaration;
  size_t begin = 0;    // with the comment above it
  size_t comment = 0;  // end of that comment; begin where there is none
  size_t first = 0;    // of its own first token
  size_t end = 0;
  std::vector<std::string> scopes;  // "namespace a {", from outside to inside
  NameSet defines;
  NameSet uses;
  std::string name;  // of a function
  base::ByteSpan signature;
};

// Takes a file apart.
class ItemReader {
 public:
  explicit ItemReader(std::string_view source) : source_(source), tokens_(lex(source)) {}

  std::vector<Item> read() {
    find_include_guard();
    while (at_ < tokens_.size()) read_item();
    return std::move(items_);
  }

 private:
  std::string_view text(size_t i) const {
    return source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  bool is_name(size_t i) const {
    return i < tokens_.size() && tokens_[i].is_identifier() && tokens_[i].word == Keyword::kNone;
  }
  // The word after the # of a directive.
  std::string_view directive_word(size_t hash) const {
    return hash + 1 < tokens_.size() && tokens_[hash + 1].has(kInDirective) ? text(hash + 1) : "";
  }
  static bool opens_group(std::string_view word) {
    return word == "if" || word == "ifdef" || word == "ifndef";
  }

  // The index after the directive that starts at `hash`.
  size_t directive_end(size_t hash) const {
    size_t i = hash + 1;
    while (i < tokens_.size() && tokens_[i].has(kInDirective) && tokens_[i].kind != TokenKind::kHash) ++i;
    return i;
  }

  // The # of the #endif that closes the group opened at `hash`; the number of tokens where there is none.
  size_t group_end(size_t hash) const {
    int depth = 0;
    for (size_t i = hash; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != TokenKind::kHash) continue;
      const std::string_view word = directive_word(i);
      if (opens_group(word)) ++depth;
      if (word == "endif" && --depth == 0) return i;
    }
    return tokens_.size();
  }

  // `#ifndef X`, `#define X` first and its #endif last: these three lines are no part of any item.
  void find_include_guard() {
    size_t first = 0;
    while (first < tokens_.size() && tokens_[first].kind == TokenKind::kComment) ++first;
    if (first >= tokens_.size() || tokens_[first].kind != TokenKind::kHash ||
        directive_word(first) != "ifndef")
      return;
    const size_t define = directive_end(first);
    if (define >= tokens_.size() || directive_word(define) != "define") return;
    const size_t end = group_end(first);
    size_t after = end < tokens_.size() ? directive_end(end) : end;
    while (after < tokens_.size() && tokens_[after].kind == TokenKind::kComment) ++after;
    if (end == tokens_.size() || after < tokens_.size()) return;
    at_ = directive_end(define);
    tokens_.resize(end);
  }

  void read_item() {
    const size_t first = at_;
    // Of several comments the last one belongs to the item, if no empty line follows it.
    size_t comment = tokens_.size();
    while (at_ < tokens_.size() && tokens_[at_].kind == TokenKind::kComment) {
      if (comment == tokens_.size() || !is_adjacent(at_ - 1)) comment = at_;
      ++at_;
    }
    if (at_ >= tokens_.size()) return;
    Item item;
    item.begin = item.comment = item.first = tokens_[at_].begin;
    if (at_ > first && is_adjacent(at_ - 1)) {
      item.begin = tokens_[comment].begin;
      item.comment = tokens_[at_ - 1].end;
    }
    item.scopes = scopes_;
    if (tokens_[at_].kind == TokenKind::kHash) return read_directive(std::move(item));
    if (tokens_[at_].is('}')) {
      if (!scopes_.empty()) scopes_.pop_back();
      ++at_;
      return;
    }
    if (enters_scope()) return;
    read_declaration(std::move(item));
  }

  // No empty line between token i and the next.
  bool is_adjacent(size_t i) const {
    if (i + 1 >= tokens_.size()) return false;
    const std::string_view between = source_.substr(tokens_[i].end, tokens_[i + 1].begin - tokens_[i].end);
    return std::count(between.begin(), between.end(), '\n') <= 1;
  }

  void read_directive(Item item) {
    const std::string_view word = directive_word(at_);
    item.kind = word == "include" ? ItemKind::kInclude : ItemKind::kDirective;
    size_t end = directive_end(at_);
    if (opens_group(word)) {
      const size_t closing = group_end(at_);
      end = closing < tokens_.size() ? directive_end(closing) : closing;
    }
    for (size_t i = at_; i < end; ++i) {
      if (tokens_[i].kind == TokenKind::kHash && directive_word(i) == "define" && i + 2 < end)
        item.defines.emplace(text(i + 2));
      // What a conditional group defines beside macros: whatever looks like a function or variable.
      if (!tokens_[i].has(kInDirective) && is_name(i) && i + 1 < end &&
          (tokens_[i + 1].is('(') || tokens_[i + 1].is('=') || tokens_[i + 1].is(';') ||
           tokens_[i + 1].is('{')))
        item.defines.emplace(text(i));
    }
    finish(std::move(item), end);
  }

  // `namespace a {`, `extern "C" {`
  bool enters_scope() {
    size_t i = at_;
    if (tokens_[i].is(Keyword::kSpecifier) && text(i) == "inline") ++i;
    const bool is_namespace = i < tokens_.size() && tokens_[i].is(Keyword::kNamespace);
    const bool is_linkage = i + 1 < tokens_.size() && tokens_[i].is(Keyword::kExtern) &&
                            tokens_[i + 1].kind == TokenKind::kString;
    if (!is_namespace && !is_linkage) return false;
    for (size_t k = i + 1; k < std::min(tokens_.size(), i + kLongestScopeHead); ++k) {
      if (tokens_[k].is(';') || tokens_[k].is('=') || tokens_[k].is('(')) return false;
      if (is_linkage && k > i + 1 && !tokens_[k].is('{')) return false;  // extern "C" of one declaration
      if (!tokens_[k].is('{')) continue;
      scopes_.emplace_back(source_.substr(tokens_[at_].begin, tokens_[k].end - tokens_[at_].begin));
      at_ = k + 1;
      return true;
    }
    return false;
  }

  void read_declaration(Item item) {
    Shape shape;
    size_t i = at_;
    for (; i < tokens_.size(); ++i) {
      // A directive between tokens of a declaration: the file is cut or uses the preprocessor in ways that a slice
      // cannot follow; the item ends here.
      if (tokens_[i].is(';') && shape.depth == 0) break;
      if (tokens_[i].is('}') && shape.depth == 0) break;  // of the scope around
      if (step(i, shape)) break;
    }
    const bool is_closing =
        i < tokens_.size() && tokens_[i].is('}') && shape.depth == 0 && !shape.is_function;
    const size_t end = i < tokens_.size() && !is_closing ? i + 1 : i;
    name_declaration(shape, item, end);
    finish(std::move(item), std::max(end, at_ + 1));
  }

  // What is known about a declaration so far.
  struct Shape {
    int depth = 0;
    bool is_kernel = false, is_device = false, is_constant = false, is_type = false, is_function = false;
    bool has_arrow = false, has_assignment = false, is_alias = false;
    bool in_body = false;
    size_t name = SIZE_MAX;        // of a function: before its first group in parentheses
    size_t parameters = SIZE_MAX;  // its closing parenthesis
  };

  // True where token i ends the declaration.
  bool step(size_t i, Shape& shape) {
    const Token& token = tokens_[i];
    if (shape.depth == 0) look_at(i, shape);
    if (token.is('(') || token.is('[') || token.is('{')) {
      if (shape.depth == 0 && token.is('{')) shape.in_body = is_body(i, shape);
      ++shape.depth;
    } else if ((token.is(')') || token.is(']') || token.is('}')) && shape.depth > 0) {
      --shape.depth;
      if (shape.depth == 0 && token.is(')') && shape.parameters == SIZE_MAX && shape.name != SIZE_MAX)
        shape.parameters = i;
      if (shape.depth == 0 && token.is('}') && shape.in_body) {
        shape.is_function = true;
        return true;
      }
    }
    return false;
  }

  void look_at(size_t i, Shape& shape) const {
    const Token& token = tokens_[i];
    shape.is_kernel |= token.is(Keyword::kGlobal);
    shape.is_device |= token.is(Keyword::kDevice);
    shape.is_type |= token.is(Keyword::kClass);
    shape.has_arrow |= token.is(kArrow);
    shape.has_assignment |= token.is('=');
    if (token.is_identifier()) {
      const std::string_view word = text(i);
      shape.is_constant |= word == "constexpr";
      shape.is_alias |= word == "typedef" || word == "using";
    }
    if (shape.name == SIZE_MAX && is_name(i) && i + 1 < tokens_.size() && tokens_[i + 1].is('('))
      shape.name = i;
  }

  bool is_body(size_t brace, const Shape& shape) const {
    if (shape.has_assignment || shape.is_alias || shape.name == SIZE_MAX) return false;
    const Token& before = tokens_[brace - 1];
    return before.is(')') || before.is(Keyword::kSpecifier) || before.is(Keyword::kNoexcept) ||
           shape.has_arrow;
  }

  void name_declaration(const Shape& shape, Item& item, size_t end) const {
    const bool is_function =
        shape.is_function || (shape.parameters != SIZE_MAX && !shape.is_type && !shape.has_assignment);
    if (is_function && shape.name != SIZE_MAX) {
      item.name = text(shape.name);
      item.defines.insert(item.name);
      const bool reaches_device = shape.is_device || shape.is_constant;
      item.kind = shape.is_kernel  ? ItemKind::kKernel
                  : reaches_device ? ItemKind::kDeviceFunction
                                   : ItemKind::kHostFunction;
      // A variable with its initial value in parentheses looks like a prototype.
      if (!shape.is_function && !shape.is_kernel) item.kind = ItemKind::kDeclaration;
      if (!shape.is_function && shape.is_kernel) item.kind = ItemKind::kDeclaration;
      if (shape.parameters != SIZE_MAX)
        item.signature = {tokens_[shape.name].begin, tokens_[shape.parameters].end};
      return;
    }
    int depth = 0;
    for (size_t i = at_; i < end; ++i) {
      const Token& token = tokens_[i];
      if (token.is('(') || token.is('[') || token.is('{')) ++depth;
      if (token.is(')') || token.is(']') || token.is('}')) --depth;
      const bool names_type = is_name(i) && i > at_ && tokens_[i - 1].is(Keyword::kClass);
      const bool ends =
          i + 1 < end && (tokens_[i + 1].is(';') || tokens_[i + 1].is('=') || tokens_[i + 1].is('[') ||
                          tokens_[i + 1].is(',') || tokens_[i + 1].is('}'));
      // Within the braces of an enumeration stand names, too.
      if (is_name(i) && (names_type || (ends && (depth == 0 || (depth == 1 && shape.is_type)))))
        item.defines.emplace(text(i));
    }
  }

  void finish(Item item, size_t end) {
    for (size_t i = at_; i < end; ++i)
      if (is_name(i)) item.uses.emplace(text(i));
    item.end = tokens_[end - 1].end;
    items_.push_back(std::move(item));
    at_ = end;
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  std::vector<std::string> scopes_;
  std::vector<Item> items_;
  size_t at_ = 0;
};

// Joins items to one text, with the scopes around them.
class SliceWriter {
 public:
  explicit SliceWriter(std::string_view source) : source_(source) {}

  void add(const Item& item) {
    size_t shared = 0;
    while (shared < open_.size() && shared < item.scopes.size() && open_[shared] == item.scopes[shared])
      ++shared;
    close_to(shared);
    for (size_t i = shared; i < item.scopes.size(); ++i) {
      text_ += item.scopes[i] + "\n";
      open_.push_back(item.scopes[i]);
    }
    text_ += source_.substr(item.begin, item.end - item.begin);
    text_ += item.kind == ItemKind::kDirective || item.kind == ItemKind::kInclude ? "\n" : "\n\n";
  }

  std::string take() {
    close_to(0);
    while (text_.ends_with("\n\n")) text_.pop_back();
    return std::move(text_);
  }

 private:
  void close_to(size_t depth) {
    for (; open_.size() > depth; open_.pop_back()) text_ += "}\n";
  }

  std::string_view source_;
  std::string text_;
  std::vector<std::string> open_;
};

bool can_be_needed(const Item& item) {
  return item.kind != ItemKind::kHostFunction && item.kind != ItemKind::kInclude;
}

// Which items belong to the slice of the kernels named `kernel`.
std::vector<bool> needed_items(const std::vector<Item>& items, const std::string& kernel) {
  std::multimap<std::string_view, size_t> definitions;
  for (size_t i = 0; i < items.size(); ++i)
    if (can_be_needed(items[i]))
      for (const std::string& name : items[i].defines) definitions.emplace(name, i);
  std::vector<bool> needed(items.size());
  std::vector<size_t> open;
  const auto take = [&](size_t i) {
    if (needed[i]) return;
    needed[i] = true;
    open.push_back(i);
  };
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].kind == ItemKind::kKernel && items[i].name == kernel) take(i);
  while (!open.empty()) {
    const Item& item = items[open.back()];
    open.pop_back();
    for (const std::string& name : item.uses)
      for (auto [found, last] = definitions.equal_range(name); found != last; ++found) take(found->second);
  }
  return needed;
}

bool is_local_header(std::string_view source, const Item& item) {
  return source.substr(item.begin, item.end - item.begin).find('"') != std::string_view::npos;
}

KernelSlice slice_of(std::string_view source, const std::vector<Item>& items, const Item& kernel) {
  const std::vector<bool> needed = needed_items(items, kernel.name);
  KernelSlice slice;
  slice.kernel = kernel.name;
  slice.signature = source.substr(kernel.signature.begin, kernel.signature.end - kernel.signature.begin);
  slice.comment = source.substr(kernel.begin, kernel.comment - kernel.begin);
  slice.begin = kernel.first;
  SliceWriter writer(source);
  for (size_t i = 0; i < items.size(); ++i) {
    const bool is_include = items[i].kind == ItemKind::kInclude;
    if (is_include && is_local_header(source, items[i])) slice.has_local_header = true;
    if (is_include || needed[i]) writer.add(items[i]);
  }
  slice.text = writer.take();
  return slice;
}

}  // namespace

std::vector<KernelSlice> cut_kernels(std::string_view source) {
  const std::vector<Item> items = ItemReader(source).read();
  std::vector<KernelSlice> slices;
  std::set<std::string> seen;
  for (const Item& item : items)
    if (item.kind == ItemKind::kKernel && seen.insert(item.name).second)
      slices.push_back(slice_of(source, items, item));
  return slices;
}

}  // namespace cuset::cuda_source
