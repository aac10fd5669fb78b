#include <fmt/format.h>

#include "cli/framework/command_table.h"

namespace cuset::cli {
namespace {

// The last word of "bench train" where `before` is "bench"; empty for other commands.
std::string word_below(const std::string& name, const std::string& before) {
  const std::string start = before.empty() ? "" : before + " ";
  if (!name.starts_with(start)) return "";
  const std::string word = name.substr(start.size());
  return word.find(' ') == word.npos ? word : "";
}

std::vector<std::string> words_below(const std::string& name, const CommandTable& table) {
  std::vector<std::string> words;
  for (const CommandHelp& command : table)
    if (const std::string word = word_below(command.name, name); !word.empty()) words.push_back(word);
  return words;
}

std::vector<std::string> flags_of(const CommandHelp& command) {
  std::vector<std::string> flags;
  for (const FlagHelp& flag : command.flags) flags.insert(flags.end(), flag.names.begin(), flag.names.end());
  return flags;
}

}  // namespace

std::string bash_completion(const CommandTable& table) {
  std::string names;
  std::string choices;
  for (const CommandHelp& command : table) {
    if (!command.name.empty()) names += fmt::format("{}'{}'", names.empty() ? "" : " | ", command.name);
    choices +=
        fmt::format("    '{}') words='{}' flags='{}' ;;\n", command.name,
                    fmt::join(words_below(command.name, table), " "), fmt::join(flags_of(command), " "));
  }
  // Nothing fits: bash completes names of files.
  return fmt::format(
      "# Completion of cuset for bash, printed by `cuset completion bash`.\n"
      "_cuset() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} command= next i words= flags=\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    next=\"${{command:+$command }}${{COMP_WORDS[i]}}\"\n"
      "    case $next in\n"
      "    {}) command=$next ;;\n"
      "    esac\n"
      "  done\n"
      "  case $command in\n"
      "{}"
      "  esac\n"
      "  [[ $current != -* ]] || words=$flags\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}}\n"
      "complete -o default -F _cuset cuset\n",
      names, choices);
}

}  // namespace cuset::cli
