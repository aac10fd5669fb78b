#include "verify/judge/verdict.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "verify/judge/verdict_fields.h"

namespace cuset {
namespace {

constexpr std::array<std::string_view, kOutcomes> kNames = {
    "no_code",   "rejected", "compile_error", "link_error",   "launch_error",
    "crash",     "timeout",  "out_of_memory", "wrong_output", "wrong_shape",
    "no_kernel", "hack",     "correct",       "unsupported",  "faulty_task"};

Json json_of(const Difference& difference) {
  Json record = {
      {"index", difference.index}, {"got", number(difference.got)}, {"wanted", number(difference.wanted)}};
  if (!difference.inputs.empty()) record["inputs"] = difference.inputs;
  return record;
}

Json json_of(const OutputComparison& output) {
  Json record = {{"name", output.output},
                 {"elements", output.elements},
                 {"wrong", output.wrong},
                 {"largest_absolute", number(output.largest_absolute)},
                 {"largest_relative", number(output.largest_relative)},
                 {"worst", output.worst},
                 {"absolute_tolerance", output.tolerance.absolute},
                 {"relative_tolerance", output.tolerance.relative}};
  if (!output.first.empty()) {
    record["first"] = Json::array();
    for (const Difference& difference : output.first) record["first"].push_back(json_of(difference));
  }
  return record;
}

Json json_of(const Trial& trial) {
  Json record = {{"variation", name_of(trial.variation)},
                 {"word", name_of(trial.outcome)},
                 {"fraction_right", trial.fraction_right},
                 {"seconds", trial.seconds}};
  if (!trial.explanation.empty()) record["explanation"] = trial.explanation;
  record["outputs"] = Json::array();
  for (const OutputComparison& output : trial.outputs) record["outputs"].push_back(json_of(output));
  return record;
}

Json json_of(const RunFinding& finding) {
  return {{"kind", finding.kind},
          {"kernel", finding.kernel},
          {"line", finding.line},
          {"text", finding.text},
          {"count", finding.count}};
}

Json json_of(const Timing& timing) {
  return {{"median_us", timing.median_us},
          {"low_us", timing.low_us},
          {"high_us", timing.high_us},
          {"reference_us", timing.reference_us},
          {"speedup", timing.speedup},
          {"roofline_share", timing.roofline_share},
          {"runs", timing.runs}};
}

Difference difference_from(const RecordFields& fields) {
  return {.index = fields.count("index"),
          .got = fields.real("got"),
          .wanted = fields.real("wanted"),
          .inputs = fields.text("inputs", "")};
}

OutputComparison output_from(const RecordFields& fields) {
  OutputComparison output;
  output.output = fields.text("name");
  output.elements = fields.count("elements");
  output.wrong = fields.count("wrong");
  output.largest_absolute = fields.real("largest_absolute");
  output.largest_relative = fields.real("largest_relative");
  output.worst = fields.count("worst");
  output.tolerance = {fields.real("absolute_tolerance"), fields.real("relative_tolerance")};
  output.first = fields.list("first", difference_from);
  return output;
}

Trial trial_from(const RecordFields& fields) {
  Trial trial;
  trial.variation = fields.named("variation", variation_named);
  trial.outcome = fields.named("word", outcome_named);
  trial.fraction_right = fields.real("fraction_right");
  trial.seconds = fields.real("seconds");
  trial.explanation = fields.text("explanation", "");
  trial.outputs = fields.list("outputs", output_from);
  return trial;
}

RunFinding finding_from(const RecordFields& fields) {
  RunFinding finding{};
  finding.kind = fields.text("kind");
  finding.kernel = fields.text("kernel");
  finding.line = static_cast<uint32_t>(fields.count("line"));
  finding.text = fields.text("text");
  finding.count = fields.count("count");
  return finding;
}

Timing timing_from(const RecordFields& fields) {
  return {.median_us = fields.real("median_us"),
          .low_us = fields.real("low_us"),
          .high_us = fields.real("high_us"),
          .reference_us = fields.real("reference_us"),
          .speedup = fields.real("speedup"),
          .roofline_share = fields.real("roofline_share"),
          .runs = fields.count("runs")};
}

RewardParts reward_from(const RecordFields& fields) {
  return {.compiled = fields.real("compiled"),
          .launched = fields.real("launched"),
          .fraction_right = fields.real("fraction_right"),
          .speedup = fields.real("speedup")};
}

}  // namespace

std::string_view name_of(Outcome outcome) { return kNames[static_cast<size_t>(outcome)]; }

std::optional<Outcome> outcome_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Outcome>(found - kNames.begin());
}

bool is_verdict(Outcome outcome) {
  return outcome != Outcome::kUnsupported && outcome != Outcome::kFaultyTask;
}

bool compiled(Outcome outcome) { return outcome > Outcome::kLinkError && is_verdict(outcome); }

Outcome outcome_of(Build::Outcome outcome) {
  switch (outcome) {
    case Build::Outcome::kDone:
      return Outcome::kCorrect;
    case Build::Outcome::kLinkError:
      return Outcome::kLinkError;
    case Build::Outcome::kUnsupported:
      return Outcome::kUnsupported;
    default:
      return Outcome::kCompileError;
  }
}

Json json_of(const Verdict& verdict) {
  Json record = {{"task", verdict.task},
                 {"family", verdict.family},
                 {"sample", verdict.sample},
                 {"word", name_of(verdict.outcome)},
                 {"explanation", verdict.explanation},
                 {"executor", verdict.executor},
                 {"compiler", verdict.compiler},
                 {"seed", verdict.seed},
                 {"code_hash", verdict.code_hash},
                 {"tokens", verdict.tokens},
                 {"build_seconds", verdict.build_seconds},
                 {"seconds", verdict.seconds},
                 {"reward",
                  {{"compiled", verdict.reward.compiled},
                   {"launched", verdict.reward.launched},
                   {"fraction_right", verdict.reward.fraction_right},
                   {"speedup", verdict.reward.speedup}}},
                 {"kernels", verdict.kernels}};
  if (!verdict.compiler_messages.empty()) record["compiler_messages"] = verdict.compiler_messages;
  record["trials"] = Json::array();
  for (const Trial& trial : verdict.trials) record["trials"].push_back(json_of(trial));
  if (!verdict.findings.empty()) {
    record["findings"] = Json::array();
    for (const RunFinding& finding : verdict.findings) record["findings"].push_back(json_of(finding));
  }
  if (verdict.timing) record["timing"] = json_of(*verdict.timing);
  return record;
}

Verdict verdict_from_json(const Json& record, const std::string& place) {
  const RecordFields fields(record, place);
  Verdict verdict;
  verdict.task = fields.text("task");
  verdict.family = fields.text("family");
  verdict.sample = static_cast<uint32_t>(fields.count("sample"));
  verdict.outcome = fields.named("word", outcome_named);
  verdict.explanation = fields.text("explanation");
  verdict.executor = fields.text("executor");
  verdict.compiler = fields.text("compiler");
  verdict.seed = fields.count("seed");
  verdict.code_hash = fields.text("code_hash");
  verdict.tokens = static_cast<int64_t>(fields.real("tokens"));
  verdict.build_seconds = fields.real("build_seconds");
  verdict.seconds = fields.real("seconds");
  verdict.reward = reward_from(fields.object("reward"));
  verdict.kernels = fields.texts("kernels");
  verdict.compiler_messages = fields.text("compiler_messages", "");
  verdict.trials = fields.list("trials", trial_from);
  verdict.findings = fields.list("findings", finding_from);
  if (fields.has("timing")) verdict.timing = timing_from(fields.object("timing"));
  return verdict;
}

}  // namespace cuset
