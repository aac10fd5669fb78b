#include "execute/project/build_commands.h"

#include <algorithm>
#include <cctype>

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestWord = 100'000;

// Splits a text into words and operators; the latter are words of their own with `is_operator`.
struct ShellWord {
  std::string text;
  bool is_operator = false;
};

class ShellReader {
 public:
  explicit ShellReader(std::string_view text) : text_(text) {}

  std::vector<ShellWord> run() {
    while (at_ < text_.size()) read(text_[at_]);
    finish();
    return std::move(words_);
  }

 private:
  void read(char c) {
    if (c == '\\') return escape();
    if (c == '\'' || c == '"') return quote(c);
    if (c == '`') return substitution('`');
    if (c == '$' && at_ + 1 < text_.size() && text_[at_ + 1] == '(') return substitution(')');
    ++at_;
    if (c == ' ' || c == '\t' || c == '\r') return finish();
    if (c == '#' && !in_word_) return skip_comment();
    if (std::string_view("\n;|&()<>").find(c) != std::string_view::npos) return operate(c);
    put(c);
  }

  void put(char c) {
    in_word_ = true;
    if (word_.size() < kLongestWord) word_ += c;
  }

  // A backslash before a newline joins lines.
  void escape() {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\n';
    at_ += 2;
    if (next != '\n') put(next);
  }

  void quote(char mark) {
    in_word_ = true;
    for (++at_; at_ < text_.size() && text_[at_] != mark; ++at_) {
      const bool escapes = mark == '"' && text_[at_] == '\\' && at_ + 1 < text_.size() &&
                           std::string_view("\"\\$`\n").find(text_[at_ + 1]) != std::string_view::npos;
      if (escapes) ++at_;
      put(text_[at_]);
    }
    ++at_;
  }

  // Kept as it is, for nobody runs it.
  void substitution(char end) {
    do put(text_[at_++]);
    while (at_ < text_.size() && text_[at_] != end && text_[at_] != '\n');
    if (at_ < text_.size() && text_[at_] == end) put(text_[at_++]);
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void operate(char c) {
    // The number in 2>&1 is no word.
    const bool redirects = c == '<' || c == '>';
    if (redirects && word_.size() == 1 && std::isdigit(static_cast<unsigned char>(word_[0])) != 0)
      word_.clear();
    if (word_.empty()) in_word_ = false;
    finish();
    std::string mark(1, c);
    while (at_ < text_.size() && c != '\n' && (text_[at_] == c || (redirects && text_[at_] == '&')))
      mark += text_[at_++];
    words_.push_back({mark, true});
  }

  void finish() {
    if (in_word_) words_.push_back({word_, false});
    word_.clear();
    in_word_ = false;
  }

  std::string_view text_;
  std::vector<ShellWord> words_;
  std::string word_;
  bool in_word_ = false;
  size_t at_ = 0;
};

bool is_assignment(const std::string& word) {
  const size_t equals = word.find('=');
  return equals != std::string::npos && equals > 0 &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool is_wrapper(const std::string& word) {
  static constexpr std::string_view kWrappers[] = {"ccache", "time", "env", "exec", "nice", "then",
                                                   "do",     "else", "if",  "{",    "!",    "command"};
  const std::string name = fs::path(word).filename().string();
  return std::find(std::begin(kWrappers), std::end(kWrappers), name) != std::end(kWrappers);
}

// "make[1]: Entering directory '/x'" gives "/x".
std::string entered_folder(std::string_view line) {
  const size_t at = line.find(": Entering directory ");
  if (at == line.npos || !line.starts_with("make")) return "";
  const size_t open = line.find_first_of("'`", at);
  const size_t close = line.find_last_of('\'');
  return open != line.npos && close > open ? std::string(line.substr(open + 1, close - open - 1)) : "";
}

bool leaves_folder(std::string_view line) {
  return line.starts_with("make") && line.find(": Leaving directory ") != line.npos;
}

class OutputReader {
 public:
  explicit OutputReader(fs::path folder) { folders_.push_back(std::move(folder)); }

  std::vector<BuildCommand> run(std::string_view output) {
    while (!output.empty()) read_line(take_line(output));
    return std::move(commands_);
  }

 private:
  // With the lines that a backslash joins to it.
  static std::string_view take_line(std::string_view& rest) {
    size_t end = 0;
    do end = std::min(rest.find('\n', end), rest.size()) + 1;
    while (end < rest.size() && end >= 2 && rest[end - 2] == '\\');
    const std::string_view line = rest.substr(0, std::min(end, rest.size()));
    rest.remove_prefix(line.size());
    return line;
  }

  void read_line(std::string_view line) {
    if (std::string folder = entered_folder(line); !folder.empty()) return folders_.push_back(folder);
    if (leaves_folder(line)) {
      if (folders_.size() > 1) folders_.pop_back();
      return;
    }
    folder_ = folders_.back();
    std::vector<std::string> words;
    bool is_file = false;  // the word behind a redirection
    for (ShellWord& word : ShellReader(line).run()) {
      if (word.is_operator && (word.text[0] == '<' || word.text[0] == '>')) {
        is_file = true;
      } else if (word.is_operator) {
        add(std::move(words));
        words.clear();
      } else if (!std::exchange(is_file, false)) {
        words.push_back(std::move(word.text));
      }
    }
    add(std::move(words));
  }

  void add(std::vector<std::string> words) {
    const auto first = std::find_if_not(words.begin(), words.end(), [](const std::string& word) {
      return is_assignment(word) || is_wrapper(word);
    });
    words.erase(words.begin(), first);
    if (words.empty()) return;
    if (words[0] != "cd") return commands_.push_back({folder_, std::move(words)});
    if (words.size() > 1) folder_ = (folder_ / words[1]).lexically_normal();
  }

  std::vector<fs::path> folders_;
  fs::path folder_;
  std::vector<BuildCommand> commands_;
};

}  // namespace

std::string BuildCommand::tool() const { return fs::path(words[0]).filename().string(); }

std::vector<BuildCommand> read_build_output(std::string_view output, const fs::path& folder) {
  return OutputReader(folder).run(output);
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (ShellWord& word : ShellReader(text).run())
    if (!word.is_operator) words.push_back(std::move(word.text));
  return words;
}

}  // namespace cuset::execute
