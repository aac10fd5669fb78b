#include "cli/commands/commands.h"

#include <filesystem>
#include <iostream>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "cli/commands/gym/gym_table.h"
#include "cli/setting_limits.h"
#include "gym/corpus.h"
#include "gym/overlap.h"
#include "gym/records.h"
#include "gym/task_writer.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

class GymCommand : public Command {
 public:
  std::string_view name() const override { return "gym"; }
  std::string_view summary() const override {
    return "Write kernel tasks, prompt-response samples and documents, without end, from a seed";
  }
  std::string_view examples() const override {
    return "  cuset gym list\n"
           "  cuset gym tasks --output tasks.jsonl --count 200 --split held_out --answers references.jsonl\n"
           "  cuset gym data --output train.jsonl --count 3000 --seed 1 --noise 0.3\n"
           "  cuset gym data --output reasoned.jsonl --count 500 --levels 1,2 --reasoning mixed\n"
           "  cuset gym corpus --output corpus.jsonl --count 100000\n"
           "  cuset gym check --train train.jsonl --held-out tasks.jsonl";
  }

  void declare(Settings& settings) override {
    settings.add_positional("subject", subjects_, "What to do: list, tasks, data, corpus or check");
    settings.add("output", output_, "tasks, data, corpus: the JSONL file to write");
    settings.add("answers", answers_, "tasks: also write every reference program, as answers");
    settings.add("count", count_, "tasks, data, corpus: how many records");
    settings.add("seed", seed_, "The same seed gives the same bytes on every machine");
    settings.add_choice("split", split_, {"train", "held_out"}, "tasks, data: for training or for measuring");
    settings.add("families", families_, "Families to take; none: all of the split");
    settings.add("levels", levels_, "data: levels of the prompts, 1 with most detail");
    settings.add_choice("reasoning", reasoning_, {"none", "short", "medium", "long", "mixed"},
                        "data: what is thought before the program");
    settings.add("noise", noise_, "data: share of answers that are wrong (3 of 5), verbose or of odd style");
    settings.add("instructions", corpus_.instructions, "corpus: share of documents with an instruction");
    settings.add("matching", corpus_.matching, "corpus: share of these whose program is what is asked");
    settings.add("fragments", corpus_.fragments, "corpus: share of documents that are kernels alone");
    settings.add("exclude_held_out", corpus_.exclude_held_out,
                 "corpus: also without the programs of families that are held out");
    settings.add("train", train_, "check: the file that is learnt from");
    settings.add("held_out", held_out_, "check: the file that is measured on");
    settings.add("threshold", threshold_, "check: count the texts whose overlap is at least this");
    settings.add("workers", workers_, "Threads; 0: one per core");
    settings.add("json", json_, "list, check: print JSON instead of a table");
  }

  int run() override {
    check_numbers();
    const std::string subject = subjects_.size() == 1 ? subjects_[0] : "";
    if (subject == "list") return list();
    if (subject == "check") return check();
    const InterruptGuard guard("interrupted: nothing is written");
    bool done = false;
    if (subject == "tasks")
      done = write_tasks();
    else if (subject == "data")
      done = write_samples();
    else if (subject == "corpus")
      done = write_corpus();
    else
      refuse(subject);
    return done ? 0 : 128 + guard.signal_number();
  }

 private:
  [[noreturn]] static void refuse(const std::string& subject) {
    const std::vector<std::string> known = {"list", "tasks", "data", "corpus", "check"};
    throw UsageError("gym: {}{}",
                     subject.empty() ? "what to do is missing" : in_quotes(subject) + " is unknown",
                     did_you_mean(subject, known))
        .with_remedy("write: cuset gym list, tasks, data, corpus or check");
  }

  void check_numbers() const {
    at_least("count", count_, 1);
    at_least("seed", seed_, 0);
    within("workers", workers_, 0, 1024);
    within("noise", noise_, 0, 1);
    within("instructions", corpus_.instructions, 0, 1);
    within("matching", corpus_.matching, 0, 1);
    within("fragments", corpus_.fragments, 0, 1);
    within("threshold", threshold_, 0, 1);
  }

  int list() const {
    std::cout << (json_ ? families_json().dump(2) + "\n" : families_table());
    return 0;
  }

  int check() const {
    if (train_.empty() || held_out_.empty())
      throw UsageError("--train and --held-out name the files to compare");
    const Overlap overlap = measure_overlap(train_, held_out_);
    std::cout << (json_ ? json_of(overlap, threshold_).dump(2) + "\n" : overlap_table(overlap, threshold_));
    return overlap.prompts.repeated + overlap.programs.repeated == 0 ? 0 : 1;
  }

  TaskSource source() const {
    const GymSplit split = split_ == "train" ? GymSplit::kTrain : GymSplit::kHeldOut;
    return TaskSource({static_cast<uint64_t>(seed_), split, families_});
  }

  OrderedWork work() const {
    if (output_.empty()) throw UsageError("--output is missing: the file to write");
    return {static_cast<uint64_t>(count_), static_cast<int>(workers_), subjects_[0]};
  }

  bool write_tasks() const {
    const TaskWriteResult result = write_task_files(source(), work(), {output_, answers_});
    if (!result.done) return false;
    log_info("{}: {} tasks", output_.string(), count_);
    if (result.repeated > 0)
      log_warning("{} tasks repeat another one under other names: these families have no more",
                  result.repeated);
    return true;
  }

  // Writes what `record` makes of each number.
  bool write_records(const std::function<Json(uint64_t)>& record) const {
    const OrderedWork ordered = work();
    AtomicFile file(output_);
    const bool done = make_in_order<std::string>(
        ordered, [&](uint64_t number) { return to_json_line(record(number)) + "\n"; },
        [&](uint64_t, std::string& line) { file.write(line); });
    if (!done) return false;
    file.commit();
    log_info("{}: {} records", output_.string(), count_);
    return true;
  }

  bool write_samples() const {
    SampleOptions options;
    options.levels = levels_;
    for (const std::string& level : levels_)
      if (level != "1" && level != "2" && level != "3")
        throw UsageError("--levels: {} is not 1, 2 or 3", in_quotes(level));
    if (levels_.empty()) throw UsageError("--levels: none given");
    options.noise = noise_;
    options.reasoning = reasoning_lengths(reasoning_);
    const TaskSource tasks = source();
    return write_records(
        [&](uint64_t number) { return sample_record(tasks, number, static_cast<uint64_t>(seed_), options); });
  }

  bool write_corpus() const {
    CorpusOptions options = corpus_;
    options.seed = static_cast<uint64_t>(seed_);
    options.families = families_;
    const Corpus corpus(options);
    return write_records([&](uint64_t number) { return corpus.document(number); });
  }

  std::vector<std::string> subjects_;
  fs::path output_;
  fs::path answers_;
  int64_t count_ = 1000;
  int64_t seed_ = 0;
  std::string split_ = "train";
  std::vector<std::string> families_;
  std::vector<std::string> levels_ = {"1", "2", "3"};
  std::string reasoning_ = "none";
  double noise_ = 0;
  CorpusOptions corpus_;
  fs::path train_;
  fs::path held_out_;
  double threshold_ = 0.8;
  int64_t workers_ = 0;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_gym_command() { return std::make_unique<GymCommand>(); }

}  // namespace cuset
