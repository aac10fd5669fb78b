// A subcommand of cuset: what it is called, what --help says, which settings it takes, what it does.
#pragma once

#include <string_view>

#include "cli/settings.h"

namespace cuset {

class Command {
 public:
  virtual ~Command() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;   // one line
  virtual std::string_view examples() const = 0;  // lines that work when pasted

  // Declares the settings; their targets are members.
  virtual void declare(Settings& settings) = 0;

  // Does the work after the settings are filled in. Returns the exit status: 0 done, 1 failed.
  virtual int run() = 0;
};

}  // namespace cuset
