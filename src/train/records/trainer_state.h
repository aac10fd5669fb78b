// trainer_state.json, field by field as Hugging Face's trainer writes it (TrainerState, keys in alphabetical
// order), so that its tools, plots and scripts read our runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/json/json.h"

namespace cuset::train {

// As EarlyStoppingCallback reports itself.
struct EarlyStoppingReport {
  int64_t patience = 0;
  double threshold = 0;
  int64_t patience_counter = 0;
};

struct TrainerState {
  int64_t global_step = 0;  // optimizer steps done
  int64_t max_steps = 0;
  double epoch = 0;
  int64_t num_train_epochs = 0;
  int64_t logging_steps = 0;
  int64_t eval_steps = 0;
  int64_t save_steps = 0;
  int64_t train_batch_size = 1;
  int64_t num_input_tokens_seen = 0;
  double total_flos = 0;
  base::Json log_history = base::Json::array();  // MetricsLog::history()
  std::optional<double> best_metric = std::nullopt;
  std::optional<int64_t> best_global_step = std::nullopt;
  std::optional<std::string> best_model_checkpoint = std::nullopt;
  std::optional<EarlyStoppingReport> early_stopping = std::nullopt;
  bool should_training_stop = false;
};

// The file's text: two spaces of indentation, keys sorted, a closing newline.
std::string trainer_state_text(const TrainerState& state);

}  // namespace cuset::train
