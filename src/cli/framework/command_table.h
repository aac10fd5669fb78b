// The commands of cuset with their flags, as --help shows them, for what is made from them: the manual page and the
// completion of the shell.
#pragma once

#include <string>
#include <vector>

namespace cuset::cli {

struct FlagHelp {
  std::vector<std::string> names;  // "-q", "--quiet"
  std::string value;               // "NUMBER"; empty for a switch
  std::string help;
};

struct CommandHelp {
  std::string name;  // as it is typed: "bench train"; empty for cuset itself
  std::string summary;
  std::vector<FlagHelp> flags;
  std::string examples;
};

// cuset itself, then the commands in the order of --help, each before its subcommands.
using CommandTable = std::vector<CommandHelp>;

// A script for bash: names of commands, their flags, and files everywhere else.
std::string bash_completion(const CommandTable& table);

// The page of section 1, in roff.
std::string manual_page(const CommandTable& table, const std::string& version);

}  // namespace cuset::cli
