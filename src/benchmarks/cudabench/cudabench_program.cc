#include "benchmarks/cudabench/cudabench_program.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <span>

#include "benchmarks/cudabench/cudabench_constants.h"
#include "cuda_source/lexer.h"

namespace cuset::benchmarks {
namespace {

using Texts = std::span<const std::string>;

constexpr size_t kLongestValue = 100;  // tokens of a constant's expression

bool is_name(const std::string& text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_');
}

// For each opening bracket the place of its closing one, or the end of the text; 0 for other tokens.
std::vector<size_t> closing_places(Texts texts) {
  std::vector<size_t> places(texts.size(), 0);
  std::vector<size_t> open;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i] == "(" || texts[i] == "[" || texts[i] == "{") {
      places[i] = texts.size();
      open.push_back(i);
    } else if ((texts[i] == ")" || texts[i] == "]" || texts[i] == "}") && !open.empty()) {
      places[open.back()] = i;
      open.pop_back();
    }
  }
  return places;
}

class ProgramReader {
 public:
  explicit ProgramReader(const std::string& source) {
    for (const cuda_source::Token& token : cuda_source::lex(source)) {
      if (token.kind == cuda_source::TokenKind::kComment) continue;
      const bool define = texts_.size() > 1 && texts_.back() == "define" && texts_[texts_.size() - 2] == "#";
      if (token.has(cuda_source::kInDirective) && token.kind == cuda_source::TokenKind::kHash)
        end_directive();
      if (define) defined_at_ = texts_.size();
      if (!token.has(cuda_source::kInDirective)) end_directive();
      texts_.push_back(cuda_source::spelling(source, token));
    }
  }

  std::vector<WrittenFile> run() {
    closing_ = closing_places(texts_);
    for (at_ = 0; at_ < texts_.size(); ++at_) {
      read_declaration();
      read_value();
      if (at_ + 1 < texts_.size() && is_name(texts_[at_]) && texts_[at_ + 1] == "(") read_call();
    }
    return std::move(files_);
  }

 private:
  // #define NAME expression: the constant is known once its line is over.
  void end_directive() {
    if (defined_at_ == 0) return;
    const Texts rest = Texts(texts_).subspan(defined_at_);
    if (rest.size() > 1)
      if (const auto value = whole_value(rest.subspan(1), constants_)) constants_[rest[0]] = *value;
    defined_at_ = 0;
  }

  // The parts between commas of the bracket that opens at `open`.
  std::vector<Texts> arguments(size_t open) const {
    std::vector<Texts> parts;
    const size_t end = closing_[open];
    size_t begin = open + 1;
    for (size_t i = open + 1; begin <= end && end < texts_.size(); ++i) {
      if (i < end && closing_[i] != 0) i = closing_[i];
      if (i < end && texts_[i] != ",") continue;
      parts.push_back(Texts(texts_).subspan(begin, std::min(i, end) - begin));
      begin = i + 1;
    }
    return parts;
  }

  // "float* x", "const unsigned int x", "std::vector<float> x".
  void read_declaration() {
    const auto [element, length] = element_at(Texts(texts_).subspan(at_));
    const bool inside = at_ > 0 && (texts_[at_ - 1] == "unsigned" || texts_[at_ - 1] == "long");
    if (length == 0 || inside) return;
    size_t next = at_ + length;
    while (next < texts_.size() && (texts_[next] == "*" || texts_[next] == "&" || texts_[next] == ">" ||
                                    texts_[next] == "const" || texts_[next] == "__restrict__"))
      ++next;
    if (next < texts_.size() && is_name(texts_[next])) elements_[texts_[next]] = element;
  }

  // NAME = expression; or NAME("text").
  void read_value() {
    if (at_ + 2 >= texts_.size() || !is_name(texts_[at_])) return;
    const std::string& mark = texts_[at_ + 1];
    const std::string& first = texts_[at_ + 2];
    if ((mark == "=" || mark == "(" || mark == "{") && first[0] == '"') {
      paths_[texts_[at_]] = first;
      return;
    }
    if (mark != "=") return;
    const size_t last = std::min(texts_.size(), at_ + kLongestValue);
    size_t end = at_ + 2;
    while (end < last && texts_[end] != ";" && texts_[end] != "," && texts_[end] != "{")
      end = texts_[end] == "(" ? closing_[end] + 1 : end + 1;
    end = std::min(end, last);
    if (const auto value = whole_value(Texts(texts_).subspan(at_ + 2, end - at_ - 2), constants_))
      constants_[texts_[at_]] = *value;
    for (size_t i = at_ + 2; i + 2 < end; ++i)
      if (texts_[i] == "fopen") keep_path(texts_[at_], texts_[i + 2]);
  }

  void keep_path(const std::string& name, const std::string& given) {
    if (const std::string path = path_of(given); !path.empty()) paths_[name] = path;
  }

  // The string literal that a token is or names.
  std::string path_of(const std::string& text) const {
    if (!text.empty() && text[0] == '"') return text;
    const auto place = paths_.find(text);
    return place == paths_.end() ? "" : place->second;
  }

  void read_call() {
    const std::string& name = texts_[at_];
    const std::vector<Texts> given = arguments(at_ + 1);
    if (given.empty() || given[0].empty()) return;
    const bool member = at_ >= 2 && texts_[at_ - 1] == ".";
    if (member && name == "write" && given.size() == 2) {
      add(path_of(texts_[at_ - 2]), given[0], given[1], true);
    } else if (name == "fwrite" && given.size() == 4 && !given[3].empty()) {
      std::vector<std::string> bytes(given[1].begin(), given[1].end());
      bytes.push_back("*");
      bytes.insert(bytes.end(), given[2].begin(), given[2].end());
      add(path_of(given[3][0]), given[0], bytes, true);
    } else if (!member && given.size() >= 3 && name.find("read") == std::string::npos &&
               name.find("load") == std::string::npos) {
      if (const std::string path = path_of(given[0][0]); !path.empty())
        add(path, given[1], given[2], takes_bytes(name));
    } else if (at_ >= 1 && (texts_[at_ - 1] == "ofstream")) {
      keep_path(name, given[0][0]);
    }
  }

  // A function that is given void* counts in bytes.
  bool takes_bytes(const std::string& name) {
    if (const auto known = takes_bytes_.find(name); known != takes_bytes_.end()) return known->second;
    bool found = false;
    for (size_t i = 0; i + 1 < texts_.size(); ++i) {
      if (texts_[i] != name || texts_[i + 1] != "(") continue;
      const size_t end = closing_[i + 1];
      if (end + 1 >= texts_.size() || texts_[end + 1] != "{") continue;
      const Texts parameters = Texts(texts_).subspan(i, end - i);
      found = std::find(parameters.begin(), parameters.end(), "void") != parameters.end();
    }
    return takes_bytes_[name] = found;
  }

  void add(const std::string& path, Texts data, Texts size, bool bytes) {
    const size_t end = path.rfind(".bin");
    if (end == std::string::npos) return;
    const size_t slash = path.find_last_of("/\"", end);
    WrittenFile file{.name = path.substr(slash + 1, end - slash - 1), .type = {}, .count = {}};
    Element element;
    for (const std::string& text : data)
      if (const auto known = elements_.find(text); known != elements_.end() && element.numbers == 0)
        element = known->second;
    if (element.numbers > 0) {
      file.type = element.type;
      if (const auto value = whole_value(size, constants_)) {
        const auto each = static_cast<int64_t>(tasks::bytes_of(element.type));
        file.count = bytes ? *value / each : *value * element.numbers;
      }
    }
    files_.push_back(std::move(file));
  }

  std::vector<std::string> texts_;
  std::vector<size_t> closing_;
  std::map<std::string, bool> takes_bytes_;
  size_t at_ = 0;
  size_t defined_at_ = 0;
  std::map<std::string, int64_t> constants_;
  std::map<std::string, std::string> paths_;  // string literals, with their quotes
  std::map<std::string, Element> elements_;
  std::vector<WrittenFile> files_;
};

}  // namespace

std::vector<WrittenFile> files_written_by(const std::string& source) { return ProgramReader(source).run(); }

}  // namespace cuset::benchmarks
