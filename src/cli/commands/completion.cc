// `cuset completion bash`: the completion of a shell, made from the table of commands.
#include <iostream>

#include "base/error.h"
#include "cli/commands/commands.h"

namespace cuset::cli {
namespace {

class CompletionCommand : public Command {
 public:
  explicit CompletionCommand(std::function<CommandTable()> table) : table_(std::move(table)) {}

  std::string_view name() const override { return "completion"; }
  std::string_view summary() const override {
    return "Print the completion of commands and flags for a shell";
  }
  std::string_view examples() const override {
    return "  eval \"$(cuset completion bash)\"      # in ~/.bashrc; zsh: autoload -U bashcompinit && bashcompinit first";
  }

  void declare(Settings& settings) override {
    settings.add_positional("shell", shells_, "Shell: bash");
    settings.require("shell");
  }

  int run() override {
    if (shells_ != std::vector<std::string>{"bash"}) {
      throw base::UsageError("completion: no completion for {}",
                             base::in_quotes(fmt::format("{}", fmt::join(shells_, " "))))
          .with_remedy("write `cuset completion bash`; zsh takes that too, after bashcompinit");
    }
    std::cout << bash_completion(table_());
    return 0;
  }

 private:
  std::function<CommandTable()> table_;
  std::vector<std::string> shells_;
};

}  // namespace

std::unique_ptr<Command> make_completion_command(std::function<CommandTable()> table) {
  return std::make_unique<CompletionCommand>(std::move(table));
}

}  // namespace cuset::cli
