// cuset generate: a model's answers to tasks or prompts. docs/generate.md.
#include "cli/commands/commands.h"

#include <algorithm>
#include <iostream>

#include "base/error.h"
#include "base/interrupt.h"
#include "cli/framework/command_record.h"
#include "cli/framework/generation_options.h"

namespace cuset::cli {
namespace {

class GenerateCommand : public Command {
 public:
  std::string_view name() const override { return "generate"; }
  std::string_view summary() const override {
    return "Generate answers to kernel tasks or other prompts, with and without adapters";
  }
  std::string_view examples() const override {
    return "  cuset generate --model assets/model --tasks examples/verify/tasks.jsonl --output answers\n"
           "  cuset generate --model M --adapter runs/sft --adapter runs/cuset --base --tasks T --output "
           "answers\n"
           "  cuset generate --model M --tasks T --output answers --samples 5 --temperature 0.8 --top-p "
           "0.95\n"
           "  cuset generate --model M --prompts prompts.jsonl --output answers.jsonl --stop '\\n\\n'";
  }

  void declare(Settings& settings) override {
    options_.declare(settings, /*with_prompt_files=*/true);
    settings.add("output", options_.plan.output,
                 "Folder of the answers, or a .jsonl file; a run that is there resumes");
    settings.require("output");
    settings.add("turns", turns_,
                 "Number of answers of a conversation; only cuset evaluate takes more than 1");
    settings.hide("turns");
    settings_ = &settings;
  }

  int run() override {
    options_.check();
    if (turns_ != 1) {
      throw base::UsageError(
          "turns is {}, but further turns need verdicts, and cuset generate does not judge", turns_)
          .with_remedy("cuset evaluate --turns {} generates and judges", std::max<int64_t>(turns_, 2));
    }
    options_.plan.about = command_record("generate", *settings_);
    options_.read_prompts();
    const base::InterruptGuard guard("interrupted: the same command resumes later");
    const generate::GenerationResult result = generate::run_generation(options_.plan);
    for (const generate::AnswerSet& set : result.sets)
      std::cout << fmt::format("answers: {}\n", set.file.string());
    return result.is_complete ? 0 : 128 + guard.signal_number();
  }

 private:
  GenerationOptions options_;
  int64_t turns_ = 1;
  const Settings* settings_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_generate_command() { return std::make_unique<GenerateCommand>(); }

}  // namespace cuset::cli
