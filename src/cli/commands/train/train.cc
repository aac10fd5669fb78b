// cuset train: a model folder and kernel data -> an adapter or a model. docs/train.md.
#include "cli/commands/commands.h"

#include "cli/commands/train/reinforce_keys.h"
#include "cli/commands/train/train_settings.h"
#include "cli/framework/command_record.h"
#include "reinforce/reinforce_run.h"
#include "train/training_run.h"

namespace cuset::cli {
namespace {

class TrainCommand : public Command {
 public:
  std::string_view name() const override { return "train"; }
  std::string_view summary() const override {
    return "Train a LoRA adapter or a whole model with CuSeT, one of six other objectives, or GRPO";
  }
  std::string_view examples() const override {
    return "  cuset train --model M --data train.jsonl --output runs/cuset   # M: a Hugging Face model "
           "folder\n"
           "  cuset train train.yaml --objective sft --output runs/sft\n"
           "  cuset train llama_factory_sft.yaml --model M learning_rate=2e-4   # docs/llama-factory.md\n"
           "  cuset train --config train.yaml --output runs/cuset --resume\n"
           "  cuset train --stage grpo --model M --adapter runs/cuset --tasks tasks.jsonl --output runs/grpo\n"
           "  torchrun --no-python --nproc-per-node 8 cuset train --config train.yaml";
  }

  void declare(Settings& settings) override {
    keys_.declare(settings);
    reinforce_keys_.declare(settings);
    settings_ = &settings;
  }

  int run() override {
    const base::Json about = command_record("train", *settings_);
    if (!keys_.is_reinforcement()) {
      reinforce_keys_.refuse_given(*settings_);
      return train::run_training(keys_.resolve(*settings_), about);
    }
    const reinforce::ReinforceSettings run =
        reinforce_keys_.resolve(*settings_, keys_.resolve_shared(*settings_));
    const execute::ChosenExecutor chosen = reinforce_keys_.judging().choose();
    return reinforce::run_reinforcement(run, *chosen.executor, about);
  }

 private:
  ReinforceKeys reinforce_keys_;
  TrainKeys keys_;
  const Settings* settings_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_train_command() { return std::make_unique<TrainCommand>(); }

}  // namespace cuset::cli
