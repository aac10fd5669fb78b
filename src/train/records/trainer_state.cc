#include "train/records/trainer_state.h"

namespace cuset::train {
namespace {

// Sorts its keys, as Python's json.dumps(..., sort_keys=True).
using SortedJson = nlohmann::json;

template <typename T>
SortedJson or_null(const std::optional<T>& value) {
  return value ? SortedJson(*value) : SortedJson();
}

SortedJson callbacks_of(const TrainerState& state) {
  SortedJson callbacks = {{"TrainerControl",
                           {{"args",
                             {{"should_epoch_stop", false},
                              {"should_evaluate", false},
                              {"should_log", false},
                              {"should_save", true},
                              {"should_training_stop", state.should_training_stop}}},
                            {"attributes", SortedJson::object()}}}};
  if (const auto& early = state.early_stopping) {
    callbacks["EarlyStoppingCallback"] = {
        {"args",
         {{"early_stopping_patience", early->patience}, {"early_stopping_threshold", early->threshold}}},
        {"attributes", {{"early_stopping_patience_counter", early->patience_counter}}}};
  }
  return callbacks;
}

}  // namespace

std::string trainer_state_text(const TrainerState& state) {
  const SortedJson json = {{"best_global_step", or_null(state.best_global_step)},
                           {"best_metric", or_null(state.best_metric)},
                           {"best_model_checkpoint", or_null(state.best_model_checkpoint)},
                           {"epoch", state.epoch},
                           {"eval_steps", state.eval_steps},
                           {"global_step", state.global_step},
                           {"is_hyper_param_search", false},
                           {"is_local_process_zero", true},
                           {"is_world_process_zero", true},
                           {"log_history", SortedJson(state.log_history)},
                           {"logging_steps", state.logging_steps},
                           {"max_steps", state.max_steps},
                           {"num_input_tokens_seen", state.num_input_tokens_seen},
                           {"num_train_epochs", state.num_train_epochs},
                           {"save_steps", state.save_steps},
                           {"stateful_callbacks", callbacks_of(state)},
                           {"total_flos", state.total_flos},
                           {"train_batch_size", state.train_batch_size},
                           {"trial_name", nullptr},
                           {"trial_params", nullptr}};
  return json.dump(2, ' ', /*ensure_ascii=*/true, SortedJson::error_handler_t::replace) + "\n";
}

}  // namespace cuset::train
