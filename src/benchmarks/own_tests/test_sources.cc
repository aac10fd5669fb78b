#include "benchmarks/own_tests/test_sources.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "base/lines.h"
#include "base/stats/random.h"
#include "benchmarks/own_tests/host_functions.h"
#include "benchmarks/own_tests/test_start.h"
#include "cuda_source/lexer.h"
#include "execute/build/companion_sources.h"

namespace cuset::benchmarks {
namespace {

using Files = std::map<std::string, std::string>;

constexpr std::array<std::string_view, 9> kSourceEndings{".cu", ".cuh", ".cpp", ".cc", ".cxx",
                                                         ".c",  ".h",   ".hpp", ".inl"};

bool has_ending(std::string_view path, const auto& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The path of a line `// file: path`; empty for other lines.
std::string file_mark(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("//")) return "";
  line = trimmed(line.substr(2));
  if (!line.starts_with("file:") && !line.starts_with("File:")) return "";
  line = trimmed(line.substr(5));
  if (line.size() >= 2 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  std::string path(line);
  while (path.starts_with("./")) path.erase(0, 2);
  return execute::is_path_below(path) ? path : "";
}

std::vector<cuda_source::Token> code_tokens(std::string_view text) {
  std::vector<cuda_source::Token> tokens = cuda_source::lex(text);
  std::erase_if(
      tokens, [](const cuda_source::Token& token) { return token.kind == cuda_source::TokenKind::kComment; });
  return tokens;
}

std::vector<std::string> spellings(std::string_view text) {
  std::vector<std::string> all;
  for (const cuda_source::Token& token : code_tokens(text)) all.push_back(cuda_source::spelling(text, token));
  return all;
}

bool names(const std::vector<std::string>& code, const std::string& wanted) {
  const std::vector<std::string> sequence = spellings(wanted);
  return std::search(code.begin(), code.end(), sequence.begin(), sequence.end()) != code.end();
}

// Identifiers that are followed by `(`.
std::set<std::string> called_names(std::string_view text) {
  std::set<std::string> called;
  const std::vector<cuda_source::Token> tokens = code_tokens(text);
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is_identifier() && tokens[i + 1].is('('))
      called.insert(cuda_source::spelling(text, tokens[i]));
  }
  return called;
}

std::set<std::string> identifiers(std::string_view text) {
  std::set<std::string> found;
  for (const cuda_source::Token& token : cuda_source::lex(text)) {
    if (token.is_identifier()) found.insert(cuda_source::spelling(text, token));
  }
  return found;
}

// Replaces spans of a text, given in order.
class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : text_(text) {}
  void replace(size_t begin, size_t end, std::string_view by) {
    result_.append(text_.substr(done_, begin - done_)).append(by);
    done_ = end;
  }
  bool changed() const { return done_ > 0; }
  std::string finish() { return std::move(result_.append(text_.substr(done_))); }

 private:
  std::string_view text_;
  std::string result_;
  size_t done_ = 0;
};

// Calls of exit with success become calls of `success`. `std::` before them is left out.
std::string with_own_exit(const std::string& text, const std::string& success) {
  const std::vector<cuda_source::Token> tokens = code_tokens(text);
  Rewriter rewriter(text);
  for (size_t i = 0; i + 3 < tokens.size(); ++i) {
    const std::string name = tokens[i].is_identifier() ? cuda_source::spelling(text, tokens[i]) : "";
    if (name != "exit" && name != "_exit" && name != "_Exit" && name != "quick_exit") continue;
    const std::string status = cuda_source::spelling(text, tokens[i + 2]);
    if (!tokens[i + 1].is('(') || (status != "0" && status != "EXIT_SUCCESS") || !tokens[i + 3].is(')'))
      continue;
    size_t first = i;
    if (first > 0 && tokens[first - 1].is(cuda_source::kScope)) --first;
    if (first > 0 && first < i && tokens[first - 1].is_identifier()) --first;
    rewriter.replace(tokens[first].begin, tokens[i + 3].end, success + "()");
  }
  if (!rewriter.changed()) return text;
  return fmt::format("extern \"C\" __attribute__((noreturn)) void {}();\n#line 1\n{}", success,
                     rewriter.finish());
}

// The macros that a text defines or removes.
std::set<std::string> changed_macros(std::string_view text) {
  std::set<std::string> macros;
  const std::vector<cuda_source::Token> tokens = code_tokens(text);
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].kind != cuda_source::TokenKind::kHash) continue;
    const std::string directive = cuda_source::spelling(text, tokens[i + 1]);
    if ((directive == "define" || directive == "undef") && tokens[i + 2].is_identifier())
      macros.insert(cuda_source::spelling(text, tokens[i + 2]));
  }
  return macros;
}

std::string with_macros_of_its_own(const std::string& text) {
  std::string before, after;
  for (const std::string& macro : changed_macros(text)) {
    before += fmt::format("#pragma push_macro(\"{}\")\n", macro);
    after += fmt::format("#pragma pop_macro(\"{}\")\n", macro);
  }
  return before.empty() ? text : fmt::format("{}#line 1\n{}\n{}", before, text, after);
}

// Renames identifiers that are not members of something.
std::string renamed(const std::string& text, const std::set<std::string>& names_to_hide,
                    const std::string& suffix) {
  const std::vector<cuda_source::Token> tokens = code_tokens(text);
  Rewriter rewriter(text);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is_identifier() || tokens[i].has(cuda_source::kSpliced)) continue;
    const std::string name = cuda_source::spelling(text, tokens[i]);
    const bool member = i > 0 && (tokens[i - 1].is('.') || tokens[i - 1].is(cuda_source::kArrow) ||
                                  tokens[i - 1].is(cuda_source::kScope));
    if (!member && names_to_hide.contains(name))
      rewriter.replace(tokens[i].begin, tokens[i].end, name + suffix);
  }
  return rewriter.finish();
}

class TestProgramMaker {
 public:
  TestProgramMaker(const tasks::Task& task, const std::string& code, uint64_t seed)
      : task_(task), tests_(task.tests), answer_(files_of_answer(code, task.tests.answer_file)) {
    base::RandomStream stream(seed, task.id + " names of tests");
    suffix_ = fmt::format("_{:016x}", stream.next_u64());
    for (const auto& [path, text] : answer_) answer_text_ += text + "\n";
  }

  TestProgram make() {
    check_references();
    check_definitions();
    take_tests();
    take_answer();
    program_.companions.sources = tests_.sources;
    program_.companions.include_folders = tests_.include_folders;
    program_.companions.wrap_main = true;
    program_.start = fmt::format(fmt::runtime(kTestStart), fmt::arg("token", kToken),
                                 fmt::arg("passed", kPassed), fmt::arg("success", success()));
    return std::move(program_);
  }

 private:
  std::string success() const { return "cuset_success" + suffix_; }

  bool is_tests_own(const std::string& path) const {
    return path != tests_.answer_file && tests_.files.contains(path);
  }

  bool is_included() const {
    return std::find(tests_.sources.begin(), tests_.sources.end(), tests_.answer_file) ==
           tests_.sources.end();
  }

  void check_references() {
    const std::vector<std::string> code = spellings(answer_text_);
    for (const std::string& wanted : tests_.needs_all) {
      if (!names(code, wanted))
        program_.lacks = fmt::format("the task asks for {}, which it does not use", wanted);
    }
    const auto& any = tests_.needs_any;
    if (!any.empty() &&
        std::none_of(any.begin(), any.end(), [&](const auto& one) { return names(code, one); }))
      program_.lacks = fmt::format("the task asks for one of {}, and it uses none", fmt::join(any, ", "));
  }

  // A function of a library that the tests call, defined by the answer: the linker would prefer it.
  void check_definitions() {
    std::set<std::string> called, known = identifiers(prompt_text());
    for (const auto& [path, text] : tests_.files) {
      if (!is_tests_own(path)) continue;
      called.merge(called_names(text));
      known.merge(find_definitions(text).declared);
    }
    for (const DefinedFunction& function : find_definitions(answer_text_).functions) {
      const bool foreign = !known.contains(function.name) || function.name.starts_with("cuda");
      if (!function.internal && !function.device && !function.qualified && foreign &&
          called.contains(function.name))
        program_.hack = fmt::format("it defines {}, which the tests take from a library", function.name);
    }
  }

  std::string prompt_text() const {
    std::string text;
    for (const tasks::Prompt& prompt : task_.prompts) text += prompt.text + "\n";
    return text;
  }

  void take_tests() {
    const std::set<std::string> hidden = is_included() ? names_to_hide() : std::set<std::string>();
    for (const auto& [path, text] : tests_.files) {
      if (!is_tests_own(path)) continue;
      if (!has_ending(path, kSourceEndings)) {
        program_.data[path] = text;
        continue;
      }
      const std::string own = with_own_exit(text, success());
      program_.companions.files[path] = hidden.empty() ? own : renamed(own, hidden, suffix_);
    }
  }

  // Host functions of the tests that the answer's author was not told of.
  std::set<std::string> names_to_hide() const {
    const std::set<std::string> told = identifiers(prompt_text());
    std::set<std::string> hidden;
    for (const auto& [path, text] : tests_.files) {
      if (!is_tests_own(path)) continue;
      for (const DefinedFunction& function : find_definitions(text).functions) {
        if (!function.device && !function.qualified && function.name != "main" &&
            !told.contains(function.name))
          hidden.insert(function.name);
      }
    }
    return hidden;
  }

  void take_answer() {
    for (const auto& [path, text] : answer_) {
      if (is_tests_own(path)) continue;
      program_.companions.files[path] = is_included() ? with_macros_of_its_own(text) : text;
    }
    program_.companions.files.try_emplace(tests_.answer_file);
  }

  const tasks::Task& task_;
  const tasks::TestBuild& tests_;
  Files answer_;
  std::string answer_text_;
  std::string suffix_;
  TestProgram program_;
};

}  // namespace

Files files_of_answer(std::string_view code, const std::string& answer_file) {
  Files files;
  std::string path = answer_file;
  size_t marks = 0;
  for (const std::string_view line : base::lines_of(code)) {
    if (std::string marked = file_mark(line); !marked.empty()) {
      path = std::move(marked);
      ++marks;
    }
    files[path].append(line).append("\n");
  }
  // A single file under another name can only be the one that is asked for.
  if (marks == 1 && files.size() == 1 && path != answer_file) {
    std::string text = std::move(files.begin()->second);
    files.clear();
    files[answer_file] = std::move(text);
  }
  return files;
}

TestProgram make_test_program(const tasks::Task& task, const std::string& code, uint64_t seed) {
  return TestProgramMaker(task, code, seed).make();
}

}  // namespace cuset::benchmarks
