#include "benchmarks/own_tests/test_sources.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/lines.h"
#include "benchmarks/own_tests/completion.h"
#include "benchmarks/own_tests/test_start.h"
#include "cuda_source/lexer.h"
#include "execute/build/companion_sources.h"
#include "judge/run/harness.h"
#include "judge/run/raw_calls.h"

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

constexpr const char* kAnswerRoot = "cuset_answer";
constexpr const char* kKernelFile = "cuset_kernel.cu";

std::string in_answer_root(const std::string& path) { return fmt::format("{}/{}", kAnswerRoot, path); }

// The directives `#include <...>` of a text and of those of `files` that it includes by name, each once.
void add_system_headers(const Files& files, const std::string& path, std::set<std::string>& seen,
                        std::string& lines) {
  if (!files.contains(path) || !seen.insert(path).second) return;
  for (const std::string_view line : base::lines_of(files.at(path))) {
    const std::string_view directive = trimmed(line);
    if (!directive.starts_with('#') || directive.find("include") == directive.npos) continue;
    const size_t open = directive.find_first_of("<\"");
    const size_t close = directive.find_first_of(">\"", open + 1);
    if (open == directive.npos || close == directive.npos) continue;
    const std::string name(directive.substr(open + 1, close - open - 1));
    if (directive[open] == '"') {
      add_system_headers(files, name, seen, lines);
    } else if (seen.insert("<" + name).second) {
      lines += fmt::format("#include <{}>\n", name);
    }
  }
}

class TestProgramMaker {
 public:
  TestProgramMaker(const tasks::Task& task, const std::string& code, bool counted)
      : task_(task),
        tests_(task.tests),
        counted_(counted && !includes_answer(task.tests)),
        answer_(files_of_answer(code, task.tests.answer_file)) {
    for (const auto& [path, text] : answer_) answer_text_ += text + "\n";
  }

  TestProgram make() {
    check_references();
    execute::CompanionSources& companions = program_.companions;
    companions.include_folders = tests_.include_folders;
    companions.wrap_main = true;
    companions.only_companions = true;
    companions.counts_host_work = counted_;
    companions.plain_sources = {
        {"cuset_start.cc", std::string(judge::kRawCalls) + (counted_ ? kCountingStart : "") + kTestStart}};
    companions.answer_root = kAnswerRoot;
    for (const char* end : {"exit", "_exit", "_Exit", "quick_exit"})
      companions.redirected[end] = fmt::format("cuset_test_{}", end);
    take_tests();
    if (includes_answer(tests_))
      take_kernels();
    else
      take_sources();
    return std::move(program_);
  }

 private:
  bool is_tests_own(const std::string& path) const {
    return path != tests_.answer_file && tests_.files.contains(path);
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

  bool is_compiled(const std::string& path) const {
    return std::find(tests_.sources.begin(), tests_.sources.end(), path) != tests_.sources.end();
  }

  // The tests as they are, and once more what of them an answer may include.
  void take_tests() {
    for (const auto& [path, text] : tests_.files) {
      if (!is_tests_own(path)) continue;
      if (!has_ending(path, kSourceEndings)) {
        program_.data[path] = text;
        continue;
      }
      program_.companions.files[path] = text;
      if (!is_compiled(path)) program_.companions.files[in_answer_root(path)] = text;
    }
  }

  void take_answer_files() {
    for (const auto& [path, text] : answer_) {
      if (!is_tests_own(path)) program_.companions.files[in_answer_root(path)] = text;
    }
    program_.companions.files.try_emplace(in_answer_root(tests_.answer_file));
  }

  // The answer is compiled beside the tests.
  void take_sources() {
    take_answer_files();
    for (const std::string& source : tests_.sources) {
      const bool own = is_tests_own(source);
      program_.companions.sources.push_back(own ? source : in_answer_root(source));
      if (!own) program_.companions.answers.push_back(in_answer_root(source));
    }
    program_.companions.isolation = execute::Isolation::kTested;
  }

  // The tests include the head of the kernel, as the prompt gives it; the answer is compiled by itself, behind
  // the standard headers that the tests would have included before it.
  void take_kernels() {
    const std::string prompt = task_.prompts.empty() ? "" : task_.prompts[0].text;
    program_.companions.files[tests_.answer_file] = kernel_declaration(prompt);
    take_answer_files();
    std::set<std::string> seen;
    std::string headers;
    for (const std::string& source : tests_.sources) add_system_headers(tests_.files, source, seen, headers);
    const std::string all = headers + answer_text_;
    const bool streams = all.find("iostream") != all.npos || all.find("stdc++") != all.npos;
    program_.companions.files[in_answer_root(kKernelFile)] =
        fmt::format("{}{}#include \"{}\"\n", streams ? judge::kStreams : "", headers, tests_.answer_file);
    program_.companions.sources = tests_.sources;
    program_.companions.sources.push_back(in_answer_root(kKernelFile));
    program_.companions.answers = {in_answer_root(kKernelFile)};
    program_.companions.isolation = execute::Isolation::kKernels;
  }

  const tasks::Task& task_;
  const tasks::TestBuild& tests_;
  const bool counted_;
  Files answer_;
  std::string answer_text_;
  TestProgram program_;
};

// The file of the tree that a line `#include "name"` of `path` names; empty: none.
std::string included_file(const tasks::TestBuild& tests, const Files& own, const std::string& path,
                          std::string_view line) {
  const std::string_view directive = trimmed(line);
  if (!directive.starts_with('#') || !trimmed(directive.substr(1)).starts_with("include")) return "";
  const size_t open = directive.find('"'), close = directive.find('"', open + 1);
  if (open == directive.npos || close != directive.size() - 1) return "";
  const std::string name(directive.substr(open + 1, close - open - 1));
  std::vector<std::filesystem::path> folders{std::filesystem::path(path).parent_path()};
  folders.insert(folders.end(), tests.include_folders.begin(), tests.include_folders.end());
  for (const std::filesystem::path& folder : folders) {
    const std::string found = (folder / name).lexically_normal().string();
    if (execute::is_path_below(found) && (tests.files.contains(found) || own.contains(found))) return found;
  }
  return "";
}

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

std::string with_plain_includes(const tasks::Task& task, const std::string& code) {
  const Files own = files_of_answer(code, task.tests.answer_file);
  std::string path = task.tests.answer_file, result;
  for (const std::string_view line : base::lines_of(code)) {
    if (std::string marked = file_mark(line); !marked.empty()) path = std::move(marked);
    const std::string file = included_file(task.tests, own, path, line);
    if (file.empty())
      result.append(line).append("\n");
    else
      result += fmt::format("#include \"{}\"\n", std::filesystem::path(file).filename().string());
  }
  return result;
}

bool includes_answer(const tasks::TestBuild& tests) {
  return std::find(tests.sources.begin(), tests.sources.end(), tests.answer_file) == tests.sources.end();
}

TestProgram make_test_program(const tasks::Task& task, const std::string& code, bool counted) {
  return TestProgramMaker(task, code, counted).make();
}

}  // namespace cuset::benchmarks
