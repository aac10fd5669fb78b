#include "benchmarks/compute_eval/compute_eval_command.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "benchmarks/compute_eval/shell_trace.h"

namespace cuset::benchmarks {
namespace {

constexpr std::string_view kShellCharacters = ";&|<>$`(){}~#!?[\n\r";

bool in(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class WordSplitter {
 public:
  explicit WordSplitter(std::string_view command) : rest_(command) {}

  ShellWords split() {
    while (!rest_.empty() && result_.fault.empty()) take(next());
    if (result_.fault.empty() && quote_ != 0) result_.fault = "a quote is not closed";
    finish();
    return std::move(result_);
  }

 private:
  char next() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void take(char c) {
    if (quote_ == '\'') {
      if (c == quote_)
        quote_ = 0;
      else
        append(c);
    } else if (c == '\\' && !rest_.empty()) {
      append(next());
    } else if (c == quote_) {
      quote_ = 0;
    } else if (quote_ == 0 && (c == '"' || c == '\'')) {
      quote_ = c;
      begun_ = true;
    } else if (quote_ == 0 && (c == ' ' || c == '\t')) {
      finish();
    } else if (quote_ == 0 ? kShellCharacters.find(c) != kShellCharacters.npos : c == '$' || c == '`') {
      result_.fault = fmt::format("it needs a shell ({})", base::in_quotes(std::string_view(&c, 1)));
    } else {
      append(c);
    }
  }

  void append(char c) {
    word_ += c;
    begun_ = true;
  }

  void finish() {
    if (begun_) result_.words.push_back(std::move(word_));
    word_.clear();
    begun_ = false;
  }

  std::string_view rest_;
  ShellWords result_;
  std::string word_;
  bool begun_ = false;
  char quote_ = 0;
};

bool is_source(std::string_view word) {
  const size_t dot = word.rfind('.');
  return dot != word.npos && in(word.substr(dot), {".cu", ".cpp", ".cc", ".cxx", ".c"});
}

// Between the calls of one build.
bool is_object(std::string_view word) {
  return word[0] != '-' && (word.ends_with(".o") || word.ends_with(".a"));
}

// Options that take a value and that do not matter here.
constexpr std::array<std::string_view, 14> kIgnoredWithValue{"-arch",           "--gpu-architecture",
                                                             "-gencode",        "--generate-code",
                                                             "-code",           "--gpu-code",
                                                             "-Xptxas",         "-ptxas-options",
                                                             "--ptxas-options", "-t",
                                                             "--threads",       "-diag-suppress",
                                                             "--diag-suppress", "-L"};
constexpr std::array<std::string_view, 23> kIgnored{"-w",
                                                    "-c",
                                                    "-dc",
                                                    "-dlink",
                                                    "--compile",
                                                    "--device-c",
                                                    "-g",
                                                    "-G",
                                                    "--debug",
                                                    "-lineinfo",
                                                    "--generate-line-info",
                                                    "-m64",
                                                    "--verbose",
                                                    "-v",
                                                    "-res-usage",
                                                    "--resource-usage",
                                                    "-O",
                                                    "-O0",
                                                    "-O1",
                                                    "-O2",
                                                    "-O3",
                                                    "-pg",
                                                    "-Wall"};
constexpr std::array<std::string_view, 10> kLanguageFlags{"--extended-lambda",
                                                          "-extended-lambda",
                                                          "--expt-extended-lambda",
                                                          "-expt-extended-lambda",
                                                          "--expt-relaxed-constexpr",
                                                          "-expt-relaxed-constexpr",
                                                          "--use_fast_math",
                                                          "-use_fast_math",
                                                          "-rdc=true",
                                                          "--relocatable-device-code=true"};

template <size_t n>
bool listed(const std::array<std::string_view, n>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr const char* kNoSource = "it compiles no source";

// The words after `nvcc`.
class NvccParser {
 public:
  explicit NvccParser(std::vector<std::string> words) : words_(std::move(words)) {}

  NvccCommand parse() {
    while (at_ < words_.size() && command_.fault.empty()) take(words_[at_++]);
    if (command_.fault.empty() && command_.sources.empty()) command_.fault = kNoSource;
    return std::move(command_);
  }

 private:
  void take(const std::string& word) {
    if (is_source(word) && word[0] != '-') {
      command_.sources.push_back(word);
    } else if (listed(kIgnored, word) || word.starts_with("-Wno-") || is_object(word)) {
    } else if (listed(kLanguageFlags, word)) {
      command_.language_flags.push_back(word);
    } else if (take_listed(word) || take_host_flags(word) || take_ignored(word)) {
    } else {
      command_.fault = fmt::format("its option {} is not understood", base::in_quotes(word));
    }
  }

  // Options that become a part of the command.
  bool take_listed(const std::string& word) {
    if (const auto folder = value(word, {"-isystem", "--system-include", "--include-path", "-I"})) {
      command_.include_folders.push_back(*folder);
    } else if (const auto define = value(word, {"--define-macro", "-D"})) {
      command_.defines.push_back(*define);
    } else if (const auto library = value(word, {"--library", "-l"}); library && !is_option_with_l(word)) {
      command_.libraries.push_back(*library);
    } else if (const auto standard = value(word, {"--std", "-std"})) {
      command_.standard = *standard;
    } else if (const auto program = value(word, {"--output-file", "-o"});
               program && !word.starts_with("-op")) {
      command_.program = *program;
    } else {
      return false;
    }
    return true;
  }

  static bool is_option_with_l(std::string_view word) {
    return word.starts_with("-li") && word.find('=') != word.npos;
  }

  bool take_host_flags(const std::string& word) {
    const auto flags = value(word, {"--compiler-options", "-Xcompiler"});
    if (!flags) return false;
    std::string_view rest = *flags;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find_first_of(", "), rest.size());
      take_host_flag(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return true;
  }

  void take_host_flag(std::string_view flag) {
    if (flag == "-fopenmp") {
      command_.language_flags.emplace_back("-Xcompiler=-fopenmp");
    } else if (!flag.empty() && !flag.starts_with("-W") && !flag.starts_with("-O") &&
               !flag.starts_with("-std=") && !in(flag, {"-g", "-fPIC", "-march=native", "-pthread"})) {
      command_.fault = fmt::format("its host compiler's option {} is not understood", base::in_quotes(flag));
    }
  }

  bool take_ignored(const std::string& word) {
    for (const std::string_view option : kIgnoredWithValue) {
      if (value(word, {option})) return true;
    }
    return false;
  }

  // The value of `word` if it is one of `options`: "-I x", "-Ix" (two-character options) or "--option=x".
  std::optional<std::string> value(std::string_view word, std::initializer_list<std::string_view> options) {
    for (const std::string_view option : options) {
      if (!word.starts_with(option)) continue;
      std::string_view rest = word.substr(option.size());
      if (rest.empty()) return at_ < words_.size() ? std::optional(words_[at_++]) : std::nullopt;
      if (rest[0] == '=') return std::string(rest.substr(1));
      if (option.size() == 2) return std::string(rest);
    }
    return std::nullopt;
  }

  std::vector<std::string> words_;
  size_t at_ = 0;
  NvccCommand command_;
};

// One more call of nvcc for the same program.
void join(NvccCommand call, NvccCommand& whole) {
  const auto append = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    for (const std::string& one : from) {
      if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
    }
  };
  append(whole.sources, call.sources);
  append(whole.include_folders, call.include_folders);
  append(whole.defines, call.defines);
  append(whole.libraries, call.libraries);
  append(whole.language_flags, call.language_flags);
  if (call.standard != NvccCommand().standard) whole.standard = call.standard;
  whole.program = call.program;
  if (whole.fault.empty() && call.fault != kNoSource) whole.fault = call.fault;
}

NvccCommand not_understood(std::string reason) {
  NvccCommand command;
  command.fault = std::move(reason);
  return command;
}

}  // namespace

std::string plain_path(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

ShellWords shell_words(std::string_view command) { return WordSplitter(command).split(); }

NvccCommand parse_nvcc_command(std::string_view command, const std::map<std::string, std::string>& files) {
  const ShellWords split = shell_words(command);
  if (split.fault.empty() && split.words.empty()) return not_understood("it is empty");
  if (split.fault.empty() && split.words[0] == "nvcc")
    return NvccParser({split.words.begin() + 1, split.words.end()}).parse();
  const ShellTrace trace = trace_command({std::string(command), files, "nvcc", 0});
  if (!trace.fault.empty()) return not_understood(trace.fault);
  if (trace.calls.empty()) return not_understood("it does not call nvcc");
  NvccCommand whole;
  for (const std::vector<std::string>& call : trace.calls) join(NvccParser(call).parse(), whole);
  if (whole.fault.empty() && whole.sources.empty()) whole.fault = kNoSource;
  return whole;
}

TestCommand parse_test_command(const std::string& command, const std::string& program) {
  const ShellWords split = shell_words(command);
  if (split.fault.empty() && !split.words.empty() && plain_path(split.words[0]) == plain_path(program))
    return {{split.words.begin() + 1, split.words.end()}, ""};
  const ShellTrace passed = trace_command({command, {}, program, 0});
  if (!passed.fault.empty())
    return {{}, fmt::format("its test command cannot be followed: {}", passed.fault)};
  if (passed.calls.size() != 1)
    return {{}, "its test command does not start the program that was built, once"};
  if (trace_command({command, {}, program, 1}).status == 0)
    return {{}, "its test command succeeds where the program fails"};
  return {passed.calls[0], ""};
}

}  // namespace cuset::benchmarks
