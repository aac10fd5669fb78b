// How --help shows flags. A switch has two, --packing and --no-packing; the second is shown where it is of
// use, beside a switch that is on by default.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace cuset::cli {

class HelpText : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace cuset::cli
