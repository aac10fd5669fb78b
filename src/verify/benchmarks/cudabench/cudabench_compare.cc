#include "verify/benchmarks/cudabench/cudabench_compare.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "verify/tasks/script/call.h"
#include "verify/tasks/script/evaluator.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/parser.h"
#include "verify/tasks/script/slice.h"

namespace cuset {
namespace {

constexpr double kReference = 1024;
constexpr double kSmallest = -14, kLargest = 8;  // powers of ten between which tolerances are sought
constexpr int kHalvings = 50;
constexpr script::Budget::Limits kLimits{
    .seconds = 2, .bytes = uint64_t{1} << 28, .items = 1 << 20, .depth = 400};

std::string stem_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string file = path.substr(slash == std::string::npos ? 0 : slash + 1);
  return file.substr(0, file.rfind('.'));
}

// All files hold `reference` everywhere, but one.
class ConstantFiles : public script::Surroundings {
 public:
  ConstantFiles(const std::map<std::string, int64_t>& counts, std::vector<ComparedFile>& files)
      : counts_(counts), files_(files) {}

  void write(const std::string&, const script::Numbers&, bool) override {}

  script::Numbers read(const std::string& path, NumberType type, int64_t count) override {
    const std::string name = stem_of(path);
    const auto known = std::find_if(files_.begin(), files_.end(),
                                    [&](const ComparedFile& file) { return file.name == name; });
    if (known == files_.end())
      files_.push_back({.name = name, .type = type, .count = count, .tolerance = {}});
    if (const auto size = counts_.find(name); size != counts_.end()) last_count_ = size->second;
    const double number = name == changed ? reference + difference : reference;
    return script::constant_numbers({count < 0 ? last_count_ : count}, {budget, NumberType::kFloat64, false},
                                    number);
  }

  void print(const std::string& text) override { printed += text + "\n"; }

  double reference = 0, difference = 0;
  std::string changed;
  std::string printed;
  std::shared_ptr<script::Budget> budget;

 private:
  const std::map<std::string, int64_t>& counts_;
  std::vector<ComparedFile>& files_;
  int64_t last_count_ = 1;  // references are as long as the outputs read before them
};

class Trials {
 public:
  Trials(const std::string& text, const std::map<std::string, int64_t>& counts)
      : program_(script::parse_program(text)), counts_(counts) {
    script::mark_all(program_);
  }

  // CUDABench's own rule: no F in what is printed. Throws Failure where the script is not understood.
  bool passes(const std::string& changed, double reference, double difference) {
    ConstantFiles around(counts_, files_);
    around.reference = reference;
    around.difference = difference;
    around.changed = changed;
    script::Machine machine(kLimits, script::Draws(RandomStream(0, "compare"), Variation::kPlain), around);
    around.budget = machine.budget;
    try {
      script::Evaluator(program_, machine).run();
    } catch (const script::ScriptExit&) {
      // Some scripts end themselves after their word.
    }
    if (around.printed.find('T') == std::string::npos && around.printed.find('F') == std::string::npos)
      throw script::Failure("neither T nor F");
    return around.printed.find('F') == std::string::npos;
  }

  // The largest difference that passes; nothing where that is none or all.
  std::optional<double> limit(const std::string& changed, double reference) {
    if (passes(changed, reference, std::pow(10, kLargest))) return std::nullopt;
    if (!passes(changed, reference, std::pow(10, kSmallest))) return 0;
    double low = kSmallest, high = kLargest;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (passes(changed, reference, std::pow(10, middle)) ? low : high) = middle;
    }
    return std::pow(10, low);
  }

  std::vector<ComparedFile>& files() { return files_; }

 private:
  script::Program program_;
  const std::map<std::string, int64_t>& counts_;
  std::vector<ComparedFile> files_;
};

// Three digits: what a person writes down.
double tidy(double number) { return number > 0 ? std::stod(fmt::format("{:.3g}", number)) : 0; }

std::optional<Tolerance> tolerance_of(Trials& trials, const std::string& name) {
  const auto at_zero = trials.limit(name, 0);
  const auto far = trials.limit(name, kReference);
  if (!at_zero || !far) return std::nullopt;
  const double relative = std::max(0.0, (*far - *at_zero) / kReference);
  // A difference of rounding at 1024 is no relative tolerance.
  return Tolerance{.absolute = tidy(*at_zero), .relative = relative < 1e-7 ? 0 : tidy(relative)};
}

}  // namespace

std::vector<ComparedFile> files_compared(const std::string& text,
                                         const std::map<std::string, int64_t>& counts) try {
  Trials trials(text, counts);
  if (!trials.passes("", 0, 0)) return {};
  for (size_t i = 0; i < trials.files().size(); ++i) {
    const ComparedFile file = trials.files()[i];
    if (is_floating(file.type) && counts.count(file.name) > 0)
      trials.files()[i].tolerance = tolerance_of(trials, file.name);
  }
  return trials.files();
} catch (const script::Failure&) {
  return {};
}

}  // namespace cuset
