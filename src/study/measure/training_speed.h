// Speed of training steps beside transformers with PEFT on the same model, batch and machine, in one run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "study/measure/step_speed.h"

namespace cuset::study {

struct TrainBenchOptions {
  StepSpeedOptions step;
  std::string name;                     // of the model, for the table
  std::vector<std::string> objectives;  // measured one after another
  std::string python;                   // with transformers and PEFT; empty: no comparison
  bool compiled = false;                // the comparison also runs through torch.compile
};

struct TrainBenchRow {
  std::string who;  // "cuset, SFT", "transformers + PEFT, CuSeT"
  StepSpeed speed;
};

struct TrainBenchResult {
  std::vector<TrainBenchRow> rows;
  std::string missing;  // why there is no comparison; empty where there is
};

// A model's config.json by its short name ("qwen2.5-7b"). Throws UsageError naming the nearest.
base::Json shape_named(const std::string& name);
std::vector<std::string> shape_names();

TrainBenchResult measure_training(const TrainBenchOptions& options);

std::string render_training(const TrainBenchOptions& options, const TrainBenchResult& result);
base::Json to_json(const TrainBenchOptions& options, const TrainBenchResult& result);

}  // namespace cuset::study
