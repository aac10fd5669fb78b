// cuset gym: kernel tasks, prompt-response samples and documents from a seed, and the check that two files do
// not overlap. docs/gym.md.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/error.h"
#include "base/files/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "cli/commands/commands.h"
#include "cli/framework/setting_limits.h"
#include "curate/text/overlap.h"
#include "gym/corpus.h"
#include "gym/family.h"
#include "gym/records.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBaselineHelp =
    "Give every task the plainest solution of its family as baseline, so that verify --timing tells a speedup";

std::vector<std::string> styles_of(const gym::GymFamily& family) {
  base::RandomStream stream(0, family.name);
  std::vector<std::string> styles;
  for (const gym::GymSolution& solution : family.draw(stream).solutions) styles.push_back(solution.style);
  return styles;
}

// One line per family: group, name, styles, and whether it is held out.
std::string families_table() {
  size_t group_width = 5, name_width = 6;
  for (const gym::GymFamily& family : gym::gym_families()) {
    group_width = std::max(group_width, family.group.size());
    name_width = std::max(name_width, family.name.size());
  }
  std::string text = fmt::format("{:{}}  {:{}}  styles\n", "group", group_width, "family", name_width);
  size_t held_out = 0;
  for (const gym::GymFamily& family : gym::gym_families()) {
    text += fmt::format("{:{}}  {:{}}  {}{}\n", family.group, group_width, family.name, name_width,
                        fmt::join(styles_of(family), ", "), family.held_out ? "  (held out)" : "");
    if (family.held_out) ++held_out;
  }
  return text + fmt::format("{} families, {} of them held out\n", gym::gym_families().size(), held_out);
}

// [{"name", "group", "held_out", "styles"}, ...]
base::Json families_json() {
  base::Json list = base::Json::array();
  for (const gym::GymFamily& family : gym::gym_families())
    list.push_back({{"name", family.name},
                    {"group", family.group},
                    {"held_out", family.held_out},
                    {"styles", styles_of(family)}});
  return list;
}

std::string overlap_table(const curate::Overlap& overlap, double threshold) {
  const base::Json all = curate::json_of(overlap, threshold);
  std::string text =
      fmt::format("{:9} {:>9} {:>9} {:>9}   runs of {} tokens: {:>6} {:>6} {:>6} {:>7} {:>8}\n", "",
                  "training", "held out", "repeated", curate::kRunTokens, "median", "p90", "p99", "largest",
                  fmt::format(">= {:g}", threshold));
  for (const auto& [kind, texts] : all.items()) {
    text += fmt::format("{:9} {:9} {:9} {:9}", kind, texts["training"].get<size_t>(),
                        texts["held_out"].get<size_t>(), texts["repeated"].get<size_t>());
    if (texts["held_out"] == 0) {
      text += fmt::format("   the held-out file has no {}\n", kind);
      continue;
    }
    text += fmt::format("   {:18} {:6.3f} {:6.3f} {:6.3f} {:7.3f} {:8}\n", "", texts["median"].get<double>(),
                        texts["p90"].get<double>(), texts["p99"].get<double>(),
                        texts["largest"].get<double>(), texts["above"].get<size_t>());
  }
  for (const curate::OverlapOfTexts* texts : {&overlap.prompts, &overlap.programs})
    if (!texts->example.empty()) text += "repeated: " + texts->example.substr(0, 100) + "\n";
  return text;
}

class GymListCommand : public Command {
 public:
  std::string_view name() const override { return "list"; }
  std::string_view summary() const override {
    return "List the task families and the styles of their programs";
  }
  std::string_view examples() const override {
    return "  cuset gym list\n"
           "  cuset gym list --json";
  }

  void declare(Settings& settings) override { settings.add("json", json_, "Print JSON instead of a table"); }

  int run() override {
    std::cout << (json_ ? families_json().dump(2) + "\n" : families_table());
    return 0;
  }

 private:
  bool json_ = false;
};

// What the subcommands that write a file share.
struct GymOutput {
  fs::path output;
  int64_t count = 1000;
  int64_t seed = 0;
  std::vector<std::string> families;
  int64_t threads = 0;

  void declare(Settings& settings) {
    settings.add("output", output, "JSONL file to write");
    settings.require("output");
    settings.add("count", count, "Number of records to write");
    settings.add("seed", seed, "Random seed; the same seed gives the same bytes on every machine");
    settings.add("families", families,
                 "Task families to use (none: all of the split); cuset gym list names them");
    settings.add("threads", threads, "Number of CPU threads (0: one per core)");
    settings.add_alias("workers", "threads");
  }

  void check() const {
    at_least("count", count, 1);
    at_least("seed", seed, 0);
    within("threads", threads, 0, 1024);
  }

  gym::TaskSource source(const std::string& split) const {
    return gym::TaskSource({static_cast<uint64_t>(seed), gym::split_named(split), families});
  }

  base::OrderedWork work(std::string_view title) const {
    return {static_cast<uint64_t>(count), static_cast<int>(threads), std::string(title)};
  }

  // Writes what `record` makes of each number. Returns the exit status.
  int write(std::string_view title, const std::function<base::Json(uint64_t)>& record) const {
    const base::InterruptGuard guard("interrupted: nothing is written");
    base::AtomicFile file(output);
    const bool done = base::make_in_order<std::string>(
        work(title), [&](uint64_t number) { return base::to_json_line(record(number)) + "\n"; },
        [&](uint64_t, std::string& line) { file.write(line); });
    if (!done) return 128 + guard.signal_number();
    file.commit();
    base::log_info("{}: {} records", output.string(), count);
    return 0;
  }
};

void declare_split(Settings& settings, std::string& split) {
  settings.add_choice("split", split, {"train", "validation", "held_out"},
                      "Split to draw from: tasks for training, for choosing settings, or for measuring");
}

class GymTasksCommand : public Command {
 public:
  std::string_view name() const override { return "tasks"; }
  std::string_view summary() const override {
    return "Write kernel tasks with inputs, oracle and references";
  }
  std::string_view examples() const override {
    return "  cuset gym tasks --output tasks.jsonl --count 200 --split held_out --answers references.jsonl\n"
           "  cuset gym tasks --output saxpy.jsonl --count 10 --families saxpy";
  }

  void declare(Settings& settings) override {
    output_.declare(settings);
    declare_split(settings, split_);
    settings.add("answers", answers_, "JSONL file for all reference programs, in the form of answers");
    settings.add("baseline", baseline_, kBaselineHelp);
  }

  int run() override {
    output_.check();
    const base::InterruptGuard guard("interrupted: nothing is written");
    const gym::TaskWriteResult result = gym::write_task_files(output_.source(split_), output_.work(name()),
                                                              {output_.output, answers_, baseline_});
    if (!result.done) return 128 + guard.signal_number();
    base::log_info("{}: {} tasks", output_.output.string(), output_.count);
    if (result.repeated > 0)
      base::log_warning("{} tasks repeat another task under other names: these families have no more tasks",
                        result.repeated);
    return 0;
  }

 private:
  GymOutput output_;
  std::string split_ = "train";
  fs::path answers_;
  bool baseline_ = false;
};

class GymDataCommand : public Command {
 public:
  std::string_view name() const override { return "data"; }
  std::string_view summary() const override { return "Write prompt-response samples to train on"; }
  std::string_view examples() const override {
    return "  cuset gym data --output train.jsonl --count 3000 --seed 1 --noise 0.3\n"
           "  cuset gym data --output train.jsonl --count 3000 --noise 1 --noise-kinds around\n"
           "  cuset gym data --output reasoned.jsonl --count 500 --levels 1,2 --reasoning mixed";
  }

  void declare(Settings& settings) override {
    output_.declare(settings);
    declare_split(settings, split_);
    settings.add("levels", levels_, "Levels of the prompts, 1 with most detail");
    settings.add_choice("reasoning", reasoning_, {"none", "short", "medium", "long", "mixed"},
                        "Length of the reasoning before the program");
    settings.add(
        "noise", noise_,
        "Share of noisy answers, as in scraped data: wrong, verbose, in an odd style, or with clutter around");
    settings.add(
        "noise_kinds", noise_kinds_,
        "Kinds of noise and their parts: wrong, verbose, odd_style (all right, but hard to read), around (kernels and "
        "launches untouched)");
    settings.add("tasks", tasks_, "JSONL file for the tasks of the samples, to verify them (cuset curate)");
    settings.add("baseline", baseline_, kBaselineHelp);
  }

  int run() override {
    output_.check();
    within("noise", noise_, 0, 1);
    gym::SampleOptions options;
    options.levels = levels_;
    for (const std::string& level : levels_)
      if (level != "1" && level != "2" && level != "3")
        throw base::UsageError("--levels: {} is not 1, 2 or 3", base::in_quotes(level));
    if (levels_.empty()) throw base::UsageError("--levels: none given");
    options.noise = noise_;
    options.noise_mix = gym::noise_mix(noise_kinds_);
    options.reasoning = gym::reasoning_lengths(reasoning_);
    const gym::TaskSource tasks = output_.source(split_);
    if (const int status = write_tasks(tasks); status != 0) return status;
    return output_.write(name(), [&](uint64_t number) {
      return gym::sample_record(tasks, number, static_cast<uint64_t>(output_.seed), options);
    });
  }

 private:
  GymOutput output_;
  // Task by task as the samples have them, so that every sample's id is a task's.
  int write_tasks(const gym::TaskSource& source) const {
    if (tasks_.empty()) return 0;
    GymOutput tasks = output_;
    tasks.output = tasks_;
    return tasks.write("tasks", [&](uint64_t number) {
      gym::GymTask task = source.task(number);
      if (baseline_) gym::add_baseline(task);
      return tasks::json_of(task.task);
    });
  }

  bool baseline_ = false;

  std::string split_ = "train";
  fs::path tasks_;
  std::vector<std::string> levels_ = {"1", "2", "3"};
  std::string reasoning_ = "none";
  double noise_ = 0;
  std::vector<std::string> noise_kinds_ = {"wrong:3", "verbose", "odd_style"};
};

class GymCorpusCommand : public Command {
 public:
  std::string_view name() const override { return "corpus"; }
  std::string_view summary() const override { return "Write documents to train a base model on"; }
  std::string_view examples() const override {
    return "  cuset gym corpus --output corpus.jsonl --count 100000";
  }

  void declare(Settings& settings) override {
    output_.declare(settings);
    settings.add("instructions", corpus_.instructions, "Share of documents that begin with an instruction");
    settings.add("matching", corpus_.matching, "Share of these whose program does what the instruction asks");
    settings.add("fragments", corpus_.fragments, "Share of documents that are a kernel alone");
    settings.add("messy", corpus_.messy,
                 "Share of programs that are right, but verbose, in an odd style or cluttered");
    settings.add("exclude_held_out", corpus_.exclude_held_out, "Leave out the programs of held-out families");
  }

  int run() override {
    output_.check();
    within("instructions", corpus_.instructions, 0, 1);
    within("matching", corpus_.matching, 0, 1);
    within("fragments", corpus_.fragments, 0, 1);
    within("messy", corpus_.messy, 0, 1);
    gym::CorpusOptions options = corpus_;
    options.seed = static_cast<uint64_t>(output_.seed);
    options.families = output_.families;
    const gym::Corpus corpus(options);
    return output_.write(name(), [&](uint64_t number) { return corpus.document(number); });
  }

 private:
  GymOutput output_;
  gym::CorpusOptions corpus_;
};

class GymCheckCommand : public Command {
 public:
  std::string_view name() const override { return "check"; }
  std::string_view summary() const override {
    return "Check that no prompt and no program of the held-out file occurs in the training file";
  }
  std::string_view examples() const override {
    return "  cuset gym check --train train.jsonl --held-out tasks.jsonl";
  }

  void declare(Settings& settings) override {
    settings.add("train", train_, "File to train on");
    settings.require("train");
    settings.add("held_out", held_out_, "File to measure on");
    settings.require("held_out");
    settings.add("threshold", threshold_, "Count the texts whose overlap is at least this");
    settings.add("json", json_, "Print JSON instead of a table");
  }

  int run() override {
    within("threshold", threshold_, 0, 1);
    const curate::Overlap overlap = curate::measure_overlap(train_, held_out_);
    std::cout << (json_ ? curate::json_of(overlap, threshold_).dump(2) + "\n"
                        : overlap_table(overlap, threshold_));
    return overlap.prompts.repeated + overlap.programs.repeated == 0 ? 0 : 1;
  }

 private:
  fs::path train_;
  fs::path held_out_;
  double threshold_ = 0.8;
  bool json_ = false;
};

class GymCommand : public CommandGroup {
 public:
  std::string_view name() const override { return "gym"; }
  std::string_view summary() const override {
    return "Generate kernel tasks, prompt-response samples and documents from a seed, without limit";
  }
  std::string_view examples() const override {
    return "  cuset gym list\n"
           "  cuset gym tasks --output tasks.jsonl --count 200 --split held_out --answers references.jsonl\n"
           "  cuset gym data --output train.jsonl --count 3000 --seed 1 --noise 0.3\n"
           "  cuset gym corpus --output corpus.jsonl --count 100000\n"
           "  cuset gym check --train train.jsonl --held-out tasks.jsonl";
  }

  std::vector<std::unique_ptr<Command>> subcommands() const override {
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(std::make_unique<GymListCommand>());
    commands.push_back(std::make_unique<GymTasksCommand>());
    commands.push_back(std::make_unique<GymDataCommand>());
    commands.push_back(std::make_unique<GymCorpusCommand>());
    commands.push_back(std::make_unique<GymCheckCommand>());
    return commands;
  }
};

}  // namespace

std::unique_ptr<Command> make_gym_command() { return std::make_unique<GymCommand>(); }

}  // namespace cuset::cli
