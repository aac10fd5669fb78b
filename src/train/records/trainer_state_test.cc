#include "train/records/trainer_state.h"

#include <gtest/gtest.h>

#include "base/files/file.h"

namespace cuset::train {
namespace {

// testdata/train/make_reference.py wrote both files with Hugging Face's TrainerState.save_to_json.
TEST(TrainerState, EqualsHuggingFacesFileByteForByte) {
  EXPECT_EQ(trainer_state_text({.logging_steps = 500, .eval_steps = 500, .save_steps = 500}),
            base::read_file("testdata/train/trainer_state_new.json"));
  const TrainerState state = {
      .global_step = 20,
      .max_steps = 300,
      .epoch = 0.2,
      .num_train_epochs = 3,
      .logging_steps = 10,
      .eval_steps = 20,
      .save_steps = 20,
      .train_batch_size = 4,
      .num_input_tokens_seen = 81920,
      .total_flos = 1.5e12,
      .log_history = {{{"loss", 1.25}, {"learning_rate", 9.8e-05}, {"epoch", 0.1}, {"step", 10}},
                      {{"eval_loss", 1.125}, {"epoch", 0.2}, {"step", 20}}},
      .best_metric = 1.125,
      .best_global_step = 20,
      .best_model_checkpoint = "runs/a/checkpoint-20",
      .early_stopping = EarlyStoppingReport{.patience = 3, .threshold = 0.01, .patience_counter = 1},
  };
  EXPECT_EQ(trainer_state_text(state), base::read_file("testdata/train/trainer_state_run.json"));
}

}  // namespace
}  // namespace cuset::train
