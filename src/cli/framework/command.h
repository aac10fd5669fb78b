// A command of cuset: what it is called, what --help says, which settings it takes, what it does.
//
// A command with several subjects is a CommandGroup: each of its subcommands is a command with its own
// settings, examples and help, as `cuset bench train`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/framework/settings.h"

namespace cuset::cli {

class Command {
 public:
  virtual ~Command() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;   // one line
  virtual std::string_view examples() const = 0;  // lines that work when pasted

  // New subcommands; none for most commands.
  virtual std::vector<std::unique_ptr<Command>> subcommands() const { return {}; }

  // Declares the settings; their targets are members.
  virtual void declare(Settings& settings) = 0;

  // Gets the words typed behind the command's name, without what follows "--", before they are parsed. A command that
  // takes another program's spelling returns them in its own.
  virtual std::vector<std::string> translate(const std::vector<std::string>& words) const { return words; }

  // Does the work after the settings are filled in. Returns the exit status: 0 done, 1 failed.
  virtual int run() = 0;
};

// Has subcommands() instead of settings and work.
class CommandGroup : public Command {
 public:
  void declare(Settings&) final {}

  // Reached where no subcommand is named: throws UsageError that lists them.
  int run() final {
    std::vector<std::string> names;
    for (const auto& command : subcommands())
      names.push_back(fmt::format("cuset {} {}", name(), command->name()));
    throw base::UsageError("{}: the subcommand is missing", name())
        .with_remedy("write one of: {}", fmt::join(names, ", "));
  }
};

}  // namespace cuset::cli
