#include "cli/framework/help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace cuset::cli {
namespace {

bool is_switch(const CLI::Option& option) { return !option.get_fnames().empty(); }

bool is_on(const CLI::Option& option) { return option.get_default_str() == "true"; }

}  // namespace

std::string HelpText::make_option_name(const CLI::Option* option, bool is_positional) const {
  if (is_positional || !is_switch(*option)) return CLI::Formatter::make_option_name(option, is_positional);
  const std::vector<std::string>& negations = option->get_fnames();
  std::vector<std::string> names;
  for (const std::string& letter : option->get_snames()) names.push_back("-" + letter);
  for (const std::string& name : option->get_lnames()) {
    const bool is_negation = std::find(negations.begin(), negations.end(), name) != negations.end();
    if (!is_negation || is_on(*option)) names.push_back("--" + name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

std::string HelpText::make_option_opts(const CLI::Option* option) const {
  return is_switch(*option) ? "" : CLI::Formatter::make_option_opts(option);
}

std::string HelpText::make_option_desc(const CLI::Option* option) const {
  const std::string text = CLI::Formatter::make_option_desc(option);
  return is_switch(*option) && is_on(*option) ? text + " (on by default)" : text;
}

}  // namespace cuset::cli
