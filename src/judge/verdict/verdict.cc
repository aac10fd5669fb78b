#include "judge/verdict/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json/json_cursor.h"

namespace cuset::judge {
namespace {

constexpr std::array<std::string_view, kOutcomes> kNames = {
    "no_code",   "rejected",      "compile_error", "link_error",  "launch_error",       "crash",
    "timeout",   "out_of_memory", "wrong_output",  "wrong_shape", "undefined_behavior", "no_kernel",
    "host_work", "hack",          "correct",       "unsupported", "faulty_task"};

// JSON has no numbers for these; they are written as "nan", "inf" and "-inf".
base::Json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double real(const base::JsonCursor& field) {
  if (field.value() == "nan") return std::nan("");
  if (field.value() == "inf") return HUGE_VAL;
  if (field.value() == "-inf") return -HUGE_VAL;
  return field.number();
}

// What `lookup` makes of the name.
template <typename Lookup>
auto named(const base::JsonCursor& field, std::string_view wanted, const Lookup& lookup) {
  const auto found = lookup(field.string());
  if (!found) field.refuse_type(wanted);
  return *found;
}

// One `make` for each element; none where the list is absent.
template <typename Make>
auto all_of_list(const base::JsonCursor& list, const Make& make) {
  std::vector<decltype(make(list))> all;
  for (const base::JsonCursor& element : list.elements_or_none()) all.push_back(make(element));
  return all;
}

// Without the sign of NaN, which means nothing.
std::string shown_real(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.9g}", value); }

base::Json json_of(const Difference& difference) {
  const auto value = [&](double real, const std::string& digits) {
    return difference.is_whole() ? base::parse_json(digits, "a whole number") : number(real);
  };
  base::Json record = {{"index", difference.index},
                       {"got", value(difference.got, difference.got_digits)},
                       {"wanted", value(difference.wanted, difference.wanted_digits)}};
  if (!difference.inputs.empty()) record["inputs"] = difference.inputs;
  return record;
}

base::Json json_of(const OutputComparison& output) {
  base::Json record = {{"name", output.output},
                       {"elements", output.elements},
                       {"wrong", output.wrong},
                       {"largest_absolute", number(output.largest_absolute)},
                       {"largest_relative", number(output.largest_relative)},
                       {"worst", output.worst},
                       {"absolute_tolerance", output.tolerance.absolute},
                       {"relative_tolerance", output.tolerance.relative}};
  if (!output.first.empty()) {
    record["first"] = base::Json::array();
    for (const Difference& difference : output.first) record["first"].push_back(json_of(difference));
  }
  return record;
}

base::Json json_of(const Trial& trial) {
  base::Json record = {{"variation", tasks::name_of(trial.variation)},
                       {"word", name_of(trial.outcome)},
                       {"fraction_right", trial.fraction_right},
                       {"seconds", trial.seconds}};
  if (!trial.explanation.empty()) record["explanation"] = trial.explanation;
  record["outputs"] = base::Json::array();
  for (const OutputComparison& output : trial.outputs) record["outputs"].push_back(json_of(output));
  return record;
}

base::Json json_of(const execute::RunFinding& finding) {
  return {{"kind", finding.kind},
          {"kernel", finding.kernel},
          {"line", finding.line},
          {"text", finding.text},
          {"count", finding.count}};
}

base::Json json_of(const execute::KernelProfile& profile) {
  const execute::KernelLaunches& kernel = profile.kernel;
  base::Json json = {{"name", kernel.name},
                     {"share", profile.share},
                     {"us", kernel.total_ms * 1000},
                     {"launches", kernel.launches},
                     {"grid", kernel.grid},
                     {"block", kernel.block},
                     {"registers", kernel.registers},
                     {"static_shared_bytes", kernel.static_shared_bytes},
                     {"dynamic_shared_bytes", kernel.dynamic_shared_bytes()},
                     {"local_bytes", kernel.local_bytes},
                     {"occupancy", profile.occupancy.share},
                     {"blocks", profile.occupancy.blocks},
                     {"limit", profile.occupancy.limit}};
  if (kernel.footprint_bytes > 0) {
    json["footprint_bytes"] = kernel.footprint_bytes;
    json["footprint_gb_per_s"] = profile.footprint.gigabytes_per_second;
    json["footprint_share"] = profile.footprint.share;
  }
  return json;
}

base::Json json_of(const Timing& timing) {
  base::Json json = {{"median_us", timing.median_us},
                     {"low_us", timing.low_us},
                     {"high_us", timing.high_us},
                     {"reference_us", timing.reference_us},
                     {"speedup", timing.speedup},
                     {"roofline_share", timing.roofline_share},
                     {"runs", timing.runs}};
  if (timing.compiled_us > 0) json["compiled_us"] = timing.compiled_us;
  if (timing.data_bytes > 0) json["data_bytes"] = timing.data_bytes;
  if (timing.least_us > 0) json["least_us"] = timing.least_us;
  if (!timing.kernels.empty()) json["kernels"] = base::Json::array();
  for (const execute::KernelProfile& profile : timing.kernels) json["kernels"].push_back(json_of(profile));
  return json;
}

Difference difference_from(const base::JsonCursor& fields) {
  const base::Json &got = fields.at("got").value(), &wanted = fields.at("wanted").value();
  const bool is_whole = got.is_number_integer() && wanted.is_number_integer();
  return {.index = fields.at("index").unsigned_integer(),
          .got = real(fields.at("got")),
          .wanted = real(fields.at("wanted")),
          .inputs = fields.get("inputs").string_or(""),
          .got_digits = is_whole ? got.dump() : "",
          .wanted_digits = is_whole ? wanted.dump() : ""};
}

OutputComparison output_from(const base::JsonCursor& fields) {
  OutputComparison output;
  output.output = fields.at("name").string();
  output.elements = fields.at("elements").unsigned_integer();
  output.wrong = fields.at("wrong").unsigned_integer();
  output.largest_absolute = real(fields.at("largest_absolute"));
  output.largest_relative = real(fields.at("largest_relative"));
  output.worst = fields.at("worst").unsigned_integer();
  output.tolerance = {real(fields.at("absolute_tolerance")), real(fields.at("relative_tolerance"))};
  output.first = all_of_list(fields.get("first"), difference_from);
  return output;
}

Trial trial_from(const base::JsonCursor& fields) {
  Trial trial;
  trial.variation = named(fields.at("variation"), "a variation of the inputs", tasks::variation_named);
  trial.outcome = named(fields.at("word"), "the outcome of a verdict", outcome_named);
  trial.fraction_right = real(fields.at("fraction_right"));
  trial.seconds = real(fields.at("seconds"));
  trial.explanation = fields.get("explanation").string_or("");
  trial.outputs = all_of_list(fields.get("outputs"), output_from);
  return trial;
}

execute::RunFinding finding_from(const base::JsonCursor& fields) {
  execute::RunFinding finding{};
  finding.kind = fields.at("kind").string();
  finding.kernel = fields.at("kernel").string();
  finding.line = static_cast<uint32_t>(fields.at("line").unsigned_integer());
  finding.text = fields.at("text").string();
  finding.count = fields.at("count").unsigned_integer();
  return finding;
}

void take_sizes(const base::JsonCursor& list, uint32_t (&sizes)[3]) {
  const std::vector<base::JsonCursor> elements = list.elements();
  if (elements.size() != std::size(sizes)) list.refuse_type("three numbers");
  for (size_t i = 0; i < elements.size(); ++i)
    sizes[i] = static_cast<uint32_t>(elements[i].unsigned_integer());
}

execute::KernelProfile profile_from(const base::JsonCursor& fields) {
  execute::KernelProfile profile;
  execute::KernelLaunches& kernel = profile.kernel;
  kernel.name = fields.at("name").string();
  profile.share = real(fields.at("share"));
  kernel.total_ms = real(fields.at("us")) / 1000;
  kernel.launches = fields.at("launches").unsigned_integer();
  take_sizes(fields.at("grid"), kernel.grid);
  take_sizes(fields.at("block"), kernel.block);
  kernel.registers = static_cast<uint32_t>(fields.at("registers").unsigned_integer());
  kernel.static_shared_bytes = fields.at("static_shared_bytes").unsigned_integer();
  kernel.shared_bytes = kernel.static_shared_bytes + fields.at("dynamic_shared_bytes").unsigned_integer();
  kernel.local_bytes = static_cast<uint32_t>(fields.at("local_bytes").unsigned_integer());
  profile.occupancy.share = real(fields.at("occupancy"));
  profile.occupancy.blocks = static_cast<uint32_t>(fields.at("blocks").unsigned_integer());
  profile.occupancy.limit = execute::occupancy_limit_named(fields.at("limit").string());
  if (!fields.get("footprint_bytes").is_absent()) {
    kernel.footprint_bytes = fields.at("footprint_bytes").unsigned_integer();
    profile.footprint.gigabytes_per_second = real(fields.at("footprint_gb_per_s"));
    profile.footprint.share = real(fields.at("footprint_share"));
  }
  return profile;
}

Timing timing_from(const base::JsonCursor& fields) {
  return {.median_us = real(fields.at("median_us")),
          .low_us = real(fields.at("low_us")),
          .high_us = real(fields.at("high_us")),
          .reference_us = real(fields.at("reference_us")),
          .speedup = real(fields.at("speedup")),
          .roofline_share = real(fields.at("roofline_share")),
          .runs = fields.at("runs").unsigned_integer(),
          .compiled_us = fields.get("compiled_us").number_or(0),
          .data_bytes = fields.get("data_bytes").is_absent() ? 0 : fields.at("data_bytes").unsigned_integer(),
          .least_us = fields.get("least_us").number_or(0),
          .kernels = all_of_list(fields.get("kernels"), profile_from)};
}

RewardParts reward_from(const base::JsonCursor& fields) {
  return {.compiled = real(fields.at("compiled")),
          .launched = real(fields.at("launched")),
          .fraction_right = real(fields.at("fraction_right")),
          .speedup = real(fields.at("speedup"))};
}

}  // namespace

std::string Difference::got_text() const { return is_whole() ? got_digits : shown_real(got); }
std::string Difference::wanted_text() const { return is_whole() ? wanted_digits : shown_real(wanted); }

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

Outcome outcome_of(execute::Build::Outcome outcome) {
  switch (outcome) {
    case execute::Build::Outcome::kDone:
      return Outcome::kCorrect;
    case execute::Build::Outcome::kLinkError:
      return Outcome::kLinkError;
    case execute::Build::Outcome::kUnsupported:
      return Outcome::kUnsupported;
    case execute::Build::Outcome::kRejected:
      return Outcome::kRejected;
    case execute::Build::Outcome::kHack:
      return Outcome::kHack;
    default:
      return Outcome::kCompileError;
  }
}

base::Json json_of(const Verdict& verdict) {
  base::Json record = {{"task", verdict.task},
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
                       {"step_seconds", verdict.step_seconds},
                       {"reward",
                        {{"compiled", verdict.reward.compiled},
                         {"launched", verdict.reward.launched},
                         {"fraction_right", verdict.reward.fraction_right},
                         {"speedup", verdict.reward.speedup}}},
                       {"kernels", verdict.kernels}};
  if (!verdict.compiler_messages.empty()) record["compiler_messages"] = verdict.compiler_messages;
  record["trials"] = base::Json::array();
  for (const Trial& trial : verdict.trials) record["trials"].push_back(json_of(trial));
  if (!verdict.findings.empty()) {
    record["findings"] = base::Json::array();
    for (const execute::RunFinding& finding : verdict.findings)
      record["findings"].push_back(json_of(finding));
  }
  if (!verdict.unchecked.empty()) record["unchecked"] = verdict.unchecked;
  if (verdict.timing) record["timing"] = json_of(*verdict.timing);
  return record;
}

Verdict verdict_from_json(const base::Json& record, const std::string& place) {
  const base::JsonCursor fields(record, place);
  Verdict verdict;
  verdict.task = fields.at("task").string();
  verdict.family = fields.at("family").string();
  verdict.sample = static_cast<uint32_t>(fields.at("sample").unsigned_integer());
  verdict.outcome = named(fields.at("word"), "the outcome of a verdict", outcome_named);
  verdict.explanation = fields.at("explanation").string();
  verdict.executor = fields.at("executor").string();
  verdict.compiler = fields.at("compiler").string();
  verdict.seed = fields.at("seed").unsigned_integer();
  verdict.code_hash = fields.at("code_hash").string();
  verdict.tokens = fields.at("tokens").integer();
  verdict.build_seconds = real(fields.at("build_seconds"));
  verdict.seconds = real(fields.at("seconds"));
  if (const base::JsonCursor steps = fields.get("step_seconds"); !steps.is_absent())
    for (const auto& [step, seconds] : steps.members())
      verdict.step_seconds[std::string(step)] = real(seconds);
  verdict.reward = reward_from(fields.at("reward"));
  verdict.kernels = fields.at("kernels").strings();
  verdict.compiler_messages = fields.get("compiler_messages").string_or("");
  verdict.trials = all_of_list(fields.get("trials"), trial_from);
  verdict.findings = all_of_list(fields.get("findings"), finding_from);
  verdict.unchecked = fields.get("unchecked").string_or("");
  if (!fields.get("timing").is_absent()) verdict.timing = timing_from(fields.at("timing"));
  return verdict;
}

}  // namespace cuset::judge
