#include <fmt/format.h>

#include "cli/framework/command_table.h"

namespace cuset::cli {
namespace {

// Text as roff takes it literally.
std::string literal(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool starts_line = out.empty() || out.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string flag_lines(const FlagHelp& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.names) names.push_back("\\fB" + literal(name) + "\\fR");
  const std::string value = flag.value.empty() ? "" : " \\fI" + literal(flag.value) + "\\fR";
  return fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "), value, literal(flag.help));
}

std::string command_section(const CommandHelp& command) {
  std::string text = fmt::format(".SS cuset {}\n{}.\n", literal(command.name), literal(command.summary));
  for (const FlagHelp& flag : command.flags) text += flag_lines(flag);
  if (!command.examples.empty())
    text += fmt::format(".PP\nExamples:\n.PP\n.nf\n{}\n.fi\n", literal(command.examples));
  return text;
}

}  // namespace

std::string manual_page(const CommandTable& table, const std::string& version) {
  std::string commands;
  std::string options;
  std::string summary;
  for (const CommandHelp& command : table) {
    if (!command.name.empty()) {
      commands += command_section(command);
      continue;
    }
    summary = literal(command.summary);
    for (const FlagHelp& flag : command.flags) options += flag_lines(flag);
  }
  return fmt::format(
      ".TH CUSET 1 \"\" \"cuset {}\" \"User Commands\"\n"
      ".SH NAME\ncuset \\- teach language models to write CUDA kernels\n"
      ".SH SYNOPSIS\n\\fBcuset\\fR \\fICOMMAND\\fR [\\fIFLAGS\\fR]\n"
      ".SH DESCRIPTION\n{}\n"
      ".SH OPTIONS\n{}"
      ".SH COMMANDS\n{}"
      ".SH EXIT STATUS\n0: done; 1: failed; 2: wrong usage.\n",
      literal(version), summary, options, commands);
}

}  // namespace cuset::cli
