#include "cli/commands/verify/verify_show.h"

#include <algorithm>

#include "base/console.h"
#include "base/error.h"
#include "base/human_readable.h"
#include "base/json/jsonl.h"
#include "base/lines.h"
#include "base/nearest_name.h"
#include "cli/commands/verify/verify_table.h"
#include "execute/run/run_report.h"

namespace cuset::cli {
namespace {

constexpr size_t kPromptColumns = 100;

// "softmax#2" apart; without a number, every sample is meant.
struct WantedAnswer {
  std::string task;
  std::optional<uint32_t> sample;
};

WantedAnswer wanted_from(const std::string& name) {
  const size_t mark = name.rfind('#');
  const std::string number = mark == std::string::npos ? "" : name.substr(mark + 1);
  const bool is_number =
      !number.empty() && number.size() <= 6 && number.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) return {name, std::nullopt};
  return {name.substr(0, mark), static_cast<uint32_t>(std::stoul(number))};
}

std::string prompt_line(const ShowOptions& options) {
  if (options.task == nullptr || options.task->prompts.empty()) return "";
  const std::vector<tasks::Prompt>& prompts = options.task->prompts;
  const auto wanted = std::find_if(prompts.begin(), prompts.end(), [&](const tasks::Prompt& prompt) {
    return prompt.level == options.level;
  });
  const tasks::Prompt& prompt = wanted == prompts.end() ? prompts[0] : *wanted;
  for (const std::string_view line : base::lines_of(prompt.text)) {
    if (line.find_first_not_of(" \t\r#*") == std::string_view::npos) continue;
    const std::string text = base::printable(line);
    const std::string_view shown = base::first_columns(text, kPromptColumns);
    return fmt::format("asked (level {}): {}{}\n", base::printable(prompt.level), shown,
                       shown.size() < text.size() ? " ..." : "");
  }
  return "";
}

std::string render_circumstances(const judge::Verdict& verdict) {
  std::string line = fmt::format("executor {}, seed {}", verdict.executor, verdict.seed);
  if (!verdict.compiler.empty()) line += fmt::format(", {}", base::printable(verdict.compiler));
  line += fmt::format("; {} in all", base::human_duration(verdict.seconds));
  if (verdict.build_seconds > 0)
    line += fmt::format(", {} of it compiling", base::human_duration(verdict.build_seconds));
  if (verdict.tokens >= 0) line += fmt::format("; {} tokens", verdict.tokens);
  line += "\n";
  if (!verdict.kernels.empty())
    line += base::printable(fmt::format("kernels that ran: {}", fmt::join(verdict.kernels, ", "))) + "\n";
  return line;
}

// Whole numbers are right or wrong: no tolerance.
bool is_exact(const judge::OutputComparison& output) {
  return !output.first.empty() && output.first[0].is_whole();
}

std::string render_errors(const judge::OutputComparison& output) {
  if (is_exact(output))
    return fmt::format("largest error at [{}]; whole numbers must be equal", output.worst);
  return fmt::format(
      "largest error {:.3g} ({:.3g} relative), worst at [{}]; right is within {:g} + {:g} x |wanted|",
      output.largest_absolute, output.largest_relative, output.worst, output.tolerance.absolute,
      output.tolerance.relative);
}

std::string render_output(const judge::OutputComparison& output) {
  if (output.wrong == 0) return "";
  std::string out = fmt::format("    {}: {} of {} wrong; {}\n", base::printable(output.output), output.wrong,
                                output.elements, render_errors(output));
  for (const judge::Difference& difference : output.first) {
    out += fmt::format("      [{}] is {}, wanted {}", difference.index, difference.got_text(),
                       difference.wanted_text());
    if (!difference.inputs.empty()) out += "    " + base::printable(difference.inputs);
    out += "\n";
  }
  return out;
}

// Each trial on a line, and below the first that failed what is wrong there: the others fail alike as a rule.
std::string render_trials(const judge::Verdict& verdict) {
  if (verdict.trials.empty()) return "";
  std::string out = "trials:\n";
  bool has_failed = false;
  for (const judge::Trial& trial : verdict.trials) {
    const std::string line = fmt::format("  {:<16} {:<14} {:>6.2f} % right  {}",
                                         tasks::name_of(trial.variation), judge::name_of(trial.outcome),
                                         trial.fraction_right * 100, base::printable(trial.explanation));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    if (trial.outcome == judge::Outcome::kCorrect || has_failed) continue;
    has_failed = true;
    for (const judge::OutputComparison& output : trial.outputs) out += render_output(output);
  }
  return out;
}

std::string render_findings(const judge::Verdict& verdict) {
  std::string out;
  for (const execute::RunFinding& finding : verdict.findings) {
    out += fmt::format("  line {}: {}: {}", finding.line, base::printable(finding.kind),
                       base::printable(finding.text));
    if (!finding.kernel.empty()) out += fmt::format("; kernel {}", base::printable(finding.kernel));
    if (finding.count > 1) out += fmt::format(" (x {} more)", finding.count - 1);
    out += "\n";
  }
  return out.empty() ? "" : "found by the emulator:\n" + out;
}

// Not what passed through memory: that takes performance counters.
std::string render_footprint(const execute::KernelProfile& profile) {
  if (profile.kernel.footprint_bytes == 0) return "";
  std::string text =
      fmt::format(", footprint {} of memory", base::human_bytes(profile.kernel.footprint_bytes));
  if (profile.footprint.gigabytes_per_second > 0)
    text += fmt::format(": {:.0f} GB/s if it passes once", profile.footprint.gigabytes_per_second);
  if (profile.footprint.share > 0)
    text += fmt::format(", {:.0f} % of the memory's peak", profile.footprint.share * 100);
  return text;
}

std::string render_kernel(const execute::KernelProfile& profile) {
  const execute::KernelLaunches& kernel = profile.kernel;
  const auto sizes = [](const uint32_t(&size)[3]) {
    return fmt::format("({},{},{})", size[0], size[1], size[2]);
  };
  return fmt::format(
      "  {:.0f} % {}: {:.2f} us in {} launch{}, grid {}, block {}, {} registers, {} + {} bytes of shared memory, {} bytes "
      "of local memory, occupancy {:.0f} % (limited by {}){}\n",
      profile.share * 100, base::printable(kernel.name), kernel.total_ms * 1000, kernel.launches,
      kernel.launches == 1 ? "" : "es", sizes(kernel.grid), sizes(kernel.block), kernel.registers,
      kernel.static_shared_bytes, kernel.dynamic_shared_bytes(), kernel.local_bytes,
      profile.occupancy.share * 100, profile.occupancy.limit, render_footprint(profile));
}

std::string render_timing(const judge::Verdict& verdict) {
  if (!verdict.timing) return "";
  const judge::Timing& timing = *verdict.timing;
  std::string line = fmt::format(
      "time: {:.2f} us ({:.2f} to {:.2f}) over {} runs; reference {:.2f} us, speedup {:.2f}",
      timing.median_us, timing.low_us, timing.high_us, timing.runs, timing.reference_us, timing.speedup);
  if (timing.compiled_us > 0)
    line += fmt::format("; {:.2f} us under torch.compile, speedup {:.2f}", timing.compiled_us,
                        timing.compiled_us / timing.median_us);
  if (timing.roofline_share > 0)
    line += fmt::format("; {:.0f} % of the roofline", timing.roofline_share * 100);
  line += "\n";
  for (const execute::KernelProfile& profile : timing.kernels) line += render_kernel(profile);
  return line;
}

std::string render_reward(const judge::RewardParts& reward) {
  return fmt::format("reward: compiled {:g}, launched {:g}, right {:.4f}, speedup {:.2f}\n", reward.compiled,
                     reward.launched, reward.fraction_right, reward.speedup);
}

}  // namespace

std::vector<judge::Verdict> find_verdicts(const std::filesystem::path& folder, const std::string& name) {
  const WantedAnswer wanted = wanted_from(name);
  base::JsonlReader reader(folder / "verdicts.jsonl", {.torn_line = base::TornLine::kIgnore});
  std::vector<judge::Verdict> found;
  std::vector<std::string> names;
  while (const std::optional<base::Json> line = reader.next()) {
    judge::Verdict verdict = judge::verdict_from_json(*line, reader.place());
    names.push_back(wanted.sample ? fmt::format("{}#{}", verdict.task, verdict.sample) : verdict.task);
    const bool is_wanted = verdict.task == name || (verdict.task == wanted.task &&
                                                    wanted.sample.value_or(verdict.sample) == verdict.sample);
    if (is_wanted) found.push_back(std::move(verdict));
  }
  if (found.empty())
    throw base::Error("{}: no verdict on {}{}", folder.string(), base::in_quotes(name),
                      base::did_you_mean(name, names))
        .with_remedy("verdicts.jsonl there lists the tasks; name one as TASK or TASK#SAMPLE");
  std::sort(found.begin(), found.end(),
            [](const judge::Verdict& a, const judge::Verdict& b) { return a.sample < b.sample; });
  return found;
}

std::string render_verdict(const judge::Verdict& verdict, const ShowOptions& options) {
  std::string out = fmt::format("{}: {}", answer_name(verdict), judge::name_of(verdict.outcome));
  if (!verdict.explanation.empty()) out += fmt::format(": {}", base::printable(verdict.explanation));
  out += "\n" + prompt_line(options) + render_circumstances(verdict);
  if (verdict.outcome == judge::Outcome::kUnsupported && verdict.executor == "cpu")
    out += "no verdict: the CPU executor does not have this; judge it on a GPU (--executor gpu)\n";
  if (!verdict.compiler_messages.empty())
    out += "the compiler says:\n" + execute::render_messages(verdict.compiler_messages, options.color);
  return out + render_trials(verdict) + render_findings(verdict) + render_timing(verdict) +
         render_reward(verdict.reward);
}

}  // namespace cuset::cli
