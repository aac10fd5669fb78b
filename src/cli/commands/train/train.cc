// cuset train: a model folder and kernel data -> an adapter or a model. docs/train.md.
#include "cli/commands/commands.h"

#include "cli/commands/train/train_settings.h"
#include "cli/framework/version.h"
#include "train/training_run.h"

namespace cuset::cli {
namespace {

class TrainCommand : public Command {
 public:
  std::string_view name() const override { return "train"; }
  std::string_view summary() const override {
    return "Train a LoRA adapter or a whole model with CuSeT or one of six other objectives";
  }
  std::string_view examples() const override {
    return "  cuset train --model M --data train.jsonl --output runs/cuset   # M: a Hugging Face model "
           "folder\n"
           "  cuset train --config train.yaml --objective sft --output runs/sft\n"
           "  cuset train --config train.yaml --output runs/cuset --resume\n"
           "  torchrun --no-python --nproc-per-node 8 cuset train --config train.yaml";
  }

  void declare(Settings& settings) override {
    keys_.declare(settings);
    settings_ = &settings;
  }

  int run() override {
    const train::TrainingSettings run = keys_.resolve(*settings_);
    return train::run_training(run, {{"command", "train"},
                                     {"version", program_version()},
                                     {"revision", git_revision()},
                                     {"settings", settings_->to_json()}});
  }

 private:
  TrainKeys keys_;
  const Settings* settings_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_train_command() { return std::make_unique<TrainCommand>(); }

}  // namespace cuset::cli
