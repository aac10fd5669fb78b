// cuset merge: base model + adapter -> a model folder, with a check that both answer alike. docs/model-folders.md.
#include "cli/commands/commands.h"

#include <iostream>

#include "base/error.h"
#include "cli/framework/model_path.h"
#include "model/merge.h"

namespace cuset::cli {
namespace {

class MergeCommand : public Command {
 public:
  std::string_view name() const override { return "merge"; }
  std::string_view summary() const override {
    return "Merge an adapter into its base model, write a model folder, and check it against the two";
  }
  std::string_view examples() const override {
    return "  cuset merge --model M --adapter runs/cuset --output merged\n"
           "  cuset merge --model M --adapter A --output merged --dtype float32";
  }

  void declare(Settings& settings) override {
    settings.add("model", request_.model, "Folder of the base model");
    settings.require("model");
    settings.add("adapter", request_.adapter, "Adapter folder, written by cuset train or PEFT");
    settings.require("adapter");
    settings.add("output", request_.output, "Model folder to write; must be new or empty");
    settings.add_alias("output_dir", "output");
    settings.require("output");
    settings.add_choice("dtype", dtype_, {"auto", "bfloat16", "float32"},
                        "Type of the merged weights; auto: float32 where the base model is, else bfloat16");
  }

  int run() override {
    require_model_folder(request_.model, {"config.json"});
    require_adapter_folder(request_.adapter);
    request_.type = dtype_ == "auto" ? "" : dtype_;
    const model::MergeCheck check = model::merge_adapter(request_);
    std::cout << fmt::format(
        "{}: written and read back\n"
        "  merged against base and adapter   {:.2g} of the logits' range (at most {:.2g})\n"
        "  base and adapter against base     {:.2g}\n",
        request_.output.string(), check.merged_difference, check.limit, check.adapter_difference);
    return 0;
  }

 private:
  model::MergeRequest request_;
  std::string dtype_ = "auto";
};

}  // namespace

std::unique_ptr<Command> make_merge_command() { return std::make_unique<MergeCommand>(); }

}  // namespace cuset::cli
