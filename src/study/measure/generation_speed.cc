#include "study/measure/generation_speed.h"

#include <fmt/format.h>

#include "ops/device/cpu_threads.h"
#include "study/measure/generation_speed_reference.h"
#include "study/measure/python_reference.h"

namespace cuset::study {
namespace {

// As generation_speed_reference.py reads it.
base::Json job_of(const GenerateBenchOptions& options) {
  const InferenceSpeedOptions& speed = options.speed;
  return {{"config", speed.config},
          {"model", speed.model.string()},
          {"batches", options.batches},
          {"prompt", speed.prompt},
          {"new_tokens", speed.new_tokens},
          {"device", speed.placement.device},
          {"bfloat16", speed.placement.is_bfloat16()}};
}

double tokens_per_second(const GenerateBenchOptions& options, int64_t batch, const InferenceSpeed& speed) {
  return static_cast<double>(batch * options.speed.new_tokens) / speed.seconds;
}

double step_milliseconds(const GenerateBenchOptions& options, const InferenceSpeed& speed) {
  if (options.speed.new_tokens < 2) return 0;
  return 1e3 * (speed.seconds - speed.prompt_seconds) / static_cast<double>(options.speed.new_tokens - 1);
}

void measure_reference(const GenerateBenchOptions& options, GenerateBenchResult& result) {
  const BenchReference reference =
      run_bench_reference(kBenchGenerateReference, job_of(options), options.python);
  result.missing = reference.missing;
  for (const base::Json& answer : reference.answers) {
    for (GenerateBenchRow& row : result.rows) {
      if (row.batch != answer.at("batch").get<int64_t>()) continue;
      row.transformers = InferenceSpeed{.seconds = answer.at("seconds"),
                                        .prompt_seconds = answer.at("prompt_seconds"),
                                        .peak_bytes = answer.at("peak")};
    }
  }
}

std::string table_line(const GenerateBenchOptions& options, const char* who, int64_t batch,
                       const InferenceSpeed& speed) {
  return fmt::format("{:<14} {:>6} {:>10.0f} {:>10.2f} {:>10.3f} {:>9.2f} {:>9.1f}", who, batch,
                     tokens_per_second(options, batch, speed), speed.seconds, speed.prompt_seconds,
                     step_milliseconds(options, speed), static_cast<double>(speed.peak_bytes) / (1 << 30));
}

base::Json figures(const GenerateBenchOptions& options, int64_t batch, const InferenceSpeed& speed) {
  return {{"seconds", speed.seconds},
          {"prompt_seconds", speed.prompt_seconds},
          {"step_milliseconds", step_milliseconds(options, speed)},
          {"tokens_per_second", tokens_per_second(options, batch, speed)},
          {"peak_bytes", speed.peak_bytes}};
}

}  // namespace

GenerateBenchResult measure_generation(const GenerateBenchOptions& options) {
  ops::use_cpu_threads(0);
  GenerateBenchResult result;
  for (const int64_t batch : options.batches)
    result.rows.push_back({batch, measure_inference(options.speed, batch), {}});
  if (!options.python.empty()) measure_reference(options, result);
  return result;
}

std::string render_generation(const GenerateBenchOptions& options, const GenerateBenchResult& result) {
  const InferenceSpeedOptions& speed = options.speed;
  std::string out = fmt::format(
      "{}: prompts of {} tokens, {} new ones, greedy, {}, {}\n{:<14} {:>6} {:>10} {:>10} {:>10} {:>9} "
      "{:>9}\n",
      options.name, speed.prompt, speed.new_tokens, speed.placement.dtype, speed.placement.device, "",
      "batch", "tokens/s", "seconds", "prompts s", "ms/step", "peak GiB");
  for (const GenerateBenchRow& row : result.rows) {
    out += table_line(options, "cuset", row.batch, row.ours) + "\n";
    if (!row.transformers) continue;
    out += fmt::format("{}  cuset is {:.1f} times as fast\n",
                       table_line(options, "transformers", row.batch, *row.transformers),
                       row.transformers->seconds / row.ours.seconds);
  }
  return out;
}

base::Json to_json(const GenerateBenchOptions& options, const GenerateBenchResult& result) {
  base::Json rows = base::Json::array();
  for (const GenerateBenchRow& row : result.rows) {
    base::Json made = {{"batch", row.batch}, {"cuset", figures(options, row.batch, row.ours)}};
    if (row.transformers) {
      made["transformers"] = figures(options, row.batch, *row.transformers);
      made["ratio"] = row.transformers->seconds / row.ours.seconds;
    }
    rows.push_back(std::move(made));
  }
  return {{"model", options.name}, {"job", job_of(options)}, {"rows", std::move(rows)}};
}

}  // namespace cuset::study
