// `cuset man`: the manual page, made from the table of commands.
#include <iostream>

#include "cli/commands/commands.h"
#include "cli/framework/version.h"

namespace cuset::cli {
namespace {

class ManCommand : public Command {
 public:
  explicit ManCommand(std::function<CommandTable()> table) : table_(std::move(table)) {}

  std::string_view name() const override { return "man"; }
  std::string_view summary() const override { return "Print the manual page: every command and flag"; }
  std::string_view examples() const override { return "  cuset man | man -l -"; }

  void declare(Settings&) override {}

  int run() override {
    std::cout << manual_page(table_(), program_version());
    return 0;
  }

 private:
  std::function<CommandTable()> table_;
};

}  // namespace

std::unique_ptr<Command> make_man_command(std::function<CommandTable()> table) {
  return std::make_unique<ManCommand>(std::move(table));
}

}  // namespace cuset::cli
