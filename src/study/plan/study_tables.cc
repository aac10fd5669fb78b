#include "study/plan/study_tables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/files/remove_folder.h"
#include "base/table_text.h"
#include "study/plan/study_page.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostMissingNamed = 5;

struct CusetSwitches {
  bool confidence_mask = true;
  bool cuda_mask = true;
  bool sample_weight = true;
};

bool is_turned_off(const PlanSettings& settings, std::string_view key) {
  const std::optional<std::string> value = setting_of(settings, key);
  return value &&
         (*value == "false" || *value == "False" || *value == "no" || *value == "off" || *value == "0");
}

// Which of CuSeT's parts a method has; nothing for objectives that are not built of them.
std::optional<CusetSwitches> switches_of(const PlanSettings& settings) {
  const std::string objective =
      setting_of(settings, "objective").value_or(setting_of(settings, "method").value_or(""));
  if (objective == "sft") return CusetSwitches{false, false, false};
  if (objective == "profit") return CusetSwitches{true, false, false};
  if (objective != "cuset") return std::nullopt;
  return CusetSwitches{!is_turned_off(settings, "confidence_mask"), !is_turned_off(settings, "cuda_mask"),
                       !is_turned_off(settings, "sample_weight")};
}

std::string joined(const std::vector<int64_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

std::string seconds_text(const MethodResult& method) {
  return method.train_seconds > 0 ? fmt::format("{:.1f}", method.train_seconds) : "-";
}

std::string p_text(double p) { return p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p); }

// Makes the tables of one decoding.
class TableMaker {
 public:
  TableMaker(const StudyPlan& plan, const StudyResults& results, const DecodingResult& decoding,
             const StudyOrigin& origin)
      : plan_(plan), results_(results), decoding_(decoding), origin_(origin) {}

  std::vector<StudyTable> make() const {
    std::vector<StudyTable> tables;
    if (decoding_.methods.empty()) return tables;
    tables.push_back(methods_table());
    if (results_.parts.size() > 1) tables.push_back(parts_table());
    if (!decoding_.pairs.empty()) tables.push_back(pairs_table());
    if (bases().size() > 1) tables.push_back(bases_table());
    if (has_switches()) tables.push_back(switches_table());
    for (const StudyCurve& curve : curves_of(plan_, decoding_)) tables.push_back(curve_table(curve));
    tables.push_back(outcomes_table());
    return tables;
  }

 private:
  StudyTable table(const std::string& name, const std::string& title,
                   std::vector<std::string> columns) const {
    StudyTable made;
    made.name = name + "-" + decoding_.name;
    made.title = fmt::format("{}, {}", title, decoding_.name);
    made.columns = std::move(columns);
    made.notes = notes();
    return made;
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> parts;
    for (size_t i = 0; i < results_.parts.size(); ++i)
      parts.push_back(fmt::format("{} {}", results_.parts[i], decoding_.tasks_of_part[i]));
    std::vector<std::string> notes = {
        fmt::format("{} ({}), {} to each; seeds {}. Percent of tasks, means over seeds, with 95 % intervals "
                    "from drawing tasks and seeds anew.",
                    base::counted(decoding_.tasks, "task"), fmt::join(parts, ", "),
                    base::counted(decoding_.samples, "answer"), joined(plan_.seeds)),
        fmt::format("{}; last job done {}; {}; cuset {}.", origin_.command, results_.finished,
                    fmt::join(results_.machines, "; "), origin_.version)};
    if (const std::string missing = missing_note(); !missing.empty()) notes.push_back(missing);
    return notes;
  }

  std::string missing_note() const {
    const std::vector<std::string>& all = results_.missing;
    if (all.empty()) return "";
    const std::vector<std::string> named(
        all.begin(), all.begin() + static_cast<ptrdiff_t>(std::min(all.size(), kMostMissingNamed)));
    return fmt::format("Incomplete: {} without verdicts ({}{}).", base::counted(all.size(), "set"),
                       fmt::join(named, ", "), all.size() > named.size() ? ", ..." : "");
  }

  std::string cost_note() const {
    size_t side_by_side = 1;
    for (const MethodResult& method : decoding_.methods)
      side_by_side = std::max(side_by_side, method.side_by_side);
    return fmt::format("train s: seconds of one training run, {}.",
                       side_by_side == 1 ? "one at a time" : fmt::format("{} at a time", side_by_side));
  }

  std::vector<std::string> bases() const {
    std::vector<std::string> names;
    for (const MethodResult& method : decoding_.methods)
      if (std::find(names.begin(), names.end(), method.base) == names.end()) names.push_back(method.base);
    return names;
  }

  // Data that methods of this base have, in their order.
  std::vector<std::string> data_of(const std::string& base) const {
    std::vector<std::string> names;
    for (const MethodResult& method : decoding_.methods) {
      const bool is_known = std::find(names.begin(), names.end(), method.data) != names.end();
      if (method.base == base && !method.data.empty() && !is_known) names.push_back(method.data);
    }
    return names;
  }

  std::vector<const MethodResult*> methods_of(const std::string& base, const std::string& data) const {
    std::vector<const MethodResult*> found;
    for (const MethodResult& method : decoding_.methods)
      if (method.base == base && method.data == data) found.push_back(&method);
    return found;
  }

  // compile and correct, pass@1 and, where there are several answers, pass@k
  std::vector<std::string> rate_columns() const {
    std::vector<std::string> columns = {"compiles@1", "correct@1"};
    if (decoding_.k > 1) {
      columns.push_back(fmt::format("compiles@{}", decoding_.k));
      columns.push_back(fmt::format("correct@{}", decoding_.k));
    }
    return columns;
  }

  void add_rates(const MethodResult& method, std::vector<TableCell>& row) const {
    row.push_back(TableCell::of_rate(method.rates[kCompilePass1]));
    row.push_back(TableCell::of_rate(method.rates[kCorrectPass1]));
    if (decoding_.k == 1) return;
    row.push_back(TableCell::of_rate(method.rates[kCompilePassK]));
    row.push_back(TableCell::of_rate(method.rates[kCorrectPassK]));
  }

  static std::vector<std::string> with_columns(std::vector<std::string> first,
                                               const std::vector<std::string>& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
  }

  StudyTable methods_table() const {
    StudyTable made = table("methods", "Methods", with_columns({"base", "data", "method"}, rate_columns()));
    const size_t first_rate = 3;
    for (const char* column : {"correct@1 of each seed", "tokens", "train s"}) made.columns.push_back(column);
    for (const std::string& base : bases()) {
      for (const std::string& data : with_columns({""}, data_of(base))) {
        made.rules.push_back(made.rows.size());
        std::vector<size_t> rows;
        for (const MethodResult* method : methods_of(base, data)) {
          rows.push_back(made.rows.size());
          made.rows.push_back(method_row(*method));
        }
        for (size_t i = 0; i < rate_columns().size(); ++i) rank_column(made, first_rate + i, rows);
      }
    }
    made.notes.push_back(cost_note());
    return made;
  }

  std::vector<TableCell> method_row(const MethodResult& method) const {
    std::vector<TableCell> row = names_of(method);
    add_rates(method, row);
    std::vector<std::string> each;
    for (const double rate : method.correct_of_seed) each.push_back(fmt::format("{:.1f}", 100 * rate));
    row.push_back(TableCell::of_text(fmt::format("{}", fmt::join(each, ", "))));
    row.push_back(TableCell::of_text(fmt::format("{:.0f}", method.mean_tokens)));
    row.push_back(TableCell::of_text(seconds_text(method)));
    return row;
  }

  static std::vector<TableCell> names_of(const MethodResult& method) {
    return {TableCell::of_text(method.base), TableCell::of_text(method.data.empty() ? "-" : method.data),
            TableCell::of_text(method.method)};
  }

  StudyTable parts_table() const {
    StudyTable made = table("tasks", "Correct pass@1 by part of the tasks",
                            with_columns({"base", "data", "method", "all"}, results_.parts));
    for (const MethodResult& method : decoding_.methods) {
      std::vector<TableCell> row = names_of(method);
      row.push_back(TableCell::of_rate(method.rates[kCorrectPass1]));
      for (const base::Estimate& estimate : method.correct_of_part)
        row.push_back(TableCell::of_rate(estimate));
      made.rows.push_back(std::move(row));
    }
    return made;
  }

  StudyTable pairs_table() const {
    const bool has_parts = results_.parts.size() > 1;
    StudyTable made = table("pairs", "Paired differences of correct pass@1, in points",
                            {"base", "data", "difference", "all tasks"});
    if (has_parts) made.columns = with_columns(made.columns, results_.parts);
    made.columns = with_columns(made.columns, {"p", "p (Holm)"});
    size_t tests = 0;
    for (const DecodingResult& decoding : results_.decodings) tests += decoding.pairs.size();
    for (const PairResult& pair : decoding_.pairs) {
      std::vector<TableCell> row = {
          TableCell::of_text(pair.base), TableCell::of_text(pair.data.empty() ? "-" : pair.data),
          TableCell::of_text(pair.left + " - " + pair.right), TableCell::of_difference(pair.difference)};
      if (has_parts)
        for (const base::Estimate& estimate : pair.difference_of_part)
          row.push_back(TableCell::of_difference(estimate));
      row.push_back(TableCell::of_text(p_text(pair.p)));
      row.push_back(TableCell::of_text(p_text(pair.p_holm)));
      made.rows.push_back(std::move(row));
    }
    made.notes.push_back(fmt::format(
        "The same tasks, seeds and draws on both sides. p: sign-flip permutation test over all tasks, two-sided; "
        "Holm: corrected for the {} of the study.",
        base::counted(tests, "test")));
    return made;
  }

  StudyTable bases_table() const {
    StudyTable made =
        table("bases", "Bases and what methods add", with_columns({"method", "data"}, rate_columns()));
    for (const std::string& base : bases()) {
      made.rules.push_back(made.rows.size());
      for (const std::string& data : with_columns({""}, data_of(base))) {
        for (const MethodResult* method : methods_of(base, data)) {
          const bool is_base = method->method == kNoMethod;
          std::vector<TableCell> row = {TableCell::of_text(is_base ? base : "+ " + method->method),
                                        TableCell::of_text(is_base ? "-" : data)};
          add_rates(*method, row);
          made.rows.push_back(std::move(row));
        }
      }
    }
    return made;
  }

  std::optional<CusetSwitches> switches_of_result(const MethodResult& method) const {
    if (method.method == kNoMethod) return std::nullopt;
    return switches_of(training_settings_of(plan_, method.method));
  }

  // Some method is CuSeT without one of its parts.
  bool has_switches() const {
    return std::any_of(plan_.methods.begin(), plan_.methods.end(), [&](const PlannedSettings& method) {
      const PlanSettings settings = training_settings_of(plan_, method.name);
      return is_turned_off(settings, "confidence_mask") || is_turned_off(settings, "cuda_mask") ||
             is_turned_off(settings, "sample_weight");
    });
  }

  StudyTable switches_table() const {
    StudyTable made = table("switches", "Parts of CuSeT",
                            {"base", "data", "method", "confidence mask", "CUDA mask", "sample weight"});
    const size_t first_rate = made.columns.size();
    made.columns = with_columns(made.columns, rate_columns());
    for (const std::string& base : bases()) {
      for (const std::string& data : data_of(base)) {
        made.rules.push_back(made.rows.size());
        std::vector<size_t> rows;
        for (const MethodResult* method : methods_of(base, data)) {
          const std::optional<CusetSwitches> switches = switches_of_result(*method);
          if (!switches) continue;
          std::vector<TableCell> row = names_of(*method);
          for (const bool is_on : {switches->confidence_mask, switches->cuda_mask, switches->sample_weight})
            row.push_back(TableCell::of_switch(is_on));
          add_rates(*method, row);
          rows.push_back(made.rows.size());
          made.rows.push_back(std::move(row));
        }
        for (size_t i = 0; i < rate_columns().size(); ++i) rank_column(made, first_rate + i, rows);
      }
    }
    return made;
  }

  StudyTable curve_table(const StudyCurve& curve) const {
    StudyTable made = table("curve", curve.title, with_columns({curve.setting}, rate_columns()));
    made.name = curve.name;
    std::vector<size_t> rows;
    for (const StudyCurve::Point& point : curve.points) {
      std::vector<TableCell> row = {TableCell::of_text(fmt::format("{}", point.x))};
      add_rates(*point.method, row);
      rows.push_back(made.rows.size());
      made.rows.push_back(std::move(row));
    }
    for (size_t i = 0; i < rate_columns().size(); ++i) rank_column(made, 1 + i, rows);
    return made;
  }

  StudyTable outcomes_table() const {
    std::set<std::string> outcomes;
    for (const MethodResult& method : decoding_.methods)
      for (const auto& [outcome, count] : method.outcomes) outcomes.insert(outcome);
    StudyTable made = table("outcomes", "Outcomes, numbers of answers",
                            with_columns({"base", "data", "method"}, {outcomes.begin(), outcomes.end()}));
    for (const MethodResult& method : decoding_.methods) {
      std::vector<TableCell> row = names_of(method);
      for (const std::string& outcome : outcomes) {
        const auto count = method.outcomes.find(outcome);
        row.push_back(TableCell::of_text(std::to_string(count == method.outcomes.end() ? 0 : count->second)));
      }
      made.rows.push_back(std::move(row));
    }
    return made;
  }

  const StudyPlan& plan_;
  const StudyResults& results_;
  const DecodingResult& decoding_;
  const StudyOrigin& origin_;
};

// The settings of a method but for one, as a text to compare.
std::string settings_without(const PlanSettings& settings, const std::string& key) {
  std::map<std::string, std::string> sorted;
  for (const base::ConfigEntry& entry : settings)
    if (entry.key != key) sorted[entry.key] = fmt::format("{}", fmt::join(entry.values, "\n"));
  std::string text;
  for (const auto& [name, value] : sorted) text += name + "\n" + value + "\n\n";
  return text;
}

// Removes tables of an earlier run, which had other methods or decodings.
void remove_old_tables(const fs::path& folder) {
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".txt" || extension == ".md" || extension == ".csv" || extension == ".tex")
      old.push_back(entry.path());
  }
  for (const fs::path& file : old) base::remove_folder(file);
}

void write_table(const StudyTable& table, const fs::path& folder) {
  base::write_file_atomic(folder / (table.name + ".txt"), as_text(table));
  base::write_file_atomic(folder / (table.name + ".md"), as_markdown(table));
  base::write_file_atomic(folder / (table.name + ".csv"), as_csv(table));
  base::write_file_atomic(folder / (table.name + ".tex"), as_latex(table));
}

// All tables of a decoding, then their notes, each once.
std::string terminal_text(const std::vector<StudyTable>& tables) {
  std::string text;
  std::vector<std::string> notes;
  for (const StudyTable& table : tables) {
    text += as_text_without_notes(table) + "\n";
    for (const std::string& note : table.notes)
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
  for (const std::string& note : notes) text += note + "\n";
  return notes.empty() ? text : text + "\n";
}

base::Json summary_of(const StudyPlan& plan, const StudyResults& results, const StudyOrigin& origin) {
  base::Json summary = {{"format", "cuset-study/1"}, {"plan", plan.name},
                        {"question", plan.question}, {"prediction", plan.prediction},
                        {"command", origin.command}, {"version", origin.version},
                        {"seeds", plan.seeds}};
  summary.update(json_of(results));
  return summary;
}

}  // namespace

std::vector<StudyCurve> curves_of(const StudyPlan& plan, const DecodingResult& decoding) {
  std::map<std::string, StudyCurve> curves;
  for (const MethodResult& method : decoding.methods) {
    if (method.method == kNoMethod) continue;
    const PlanSettings& settings = entry_named(plan.methods, method.method).settings;
    for (const base::ConfigEntry& entry : settings) {
      const std::optional<double> x = number_setting_of(settings, entry.key);
      if (!x) continue;
      const std::string same = fmt::format("{}\n{}\n{}\n{}", entry.key, method.base, method.data,
                                           settings_without(settings, entry.key));
      StudyCurve& curve = curves[same];
      curve.setting = entry.key;
      curve.title = fmt::format("{} on {}, {}", entry.key, method.base, method.data);
      curve.name = fmt::format("curve-{}-{}-{}-{}", entry.key, method.base, method.data, decoding.name);
      curve.points.push_back({*x, &method});
    }
  }
  std::vector<StudyCurve> found;
  std::map<std::string, size_t> used;
  for (auto& [same, curve] : curves) {
    if (curve.points.size() < 2) continue;
    std::sort(curve.points.begin(), curve.points.end(),
              [](const auto& a, const auto& b) { return a.x < b.x; });
    if (const size_t earlier = used[curve.name]++; earlier > 0) curve.name += fmt::format("-{}", earlier + 1);
    found.push_back(std::move(curve));
  }
  return found;
}

std::vector<StudyTable> tables_of(const StudyPlan& plan, const StudyResults& results,
                                  const DecodingResult& decoding, const StudyOrigin& origin) {
  return TableMaker(plan, results, decoding, origin).make();
}

std::string write_study_tables(const StudyPlan& plan, const StudyResults& results, const StudyOrigin& origin,
                               const fs::path& output) {
  const fs::path folder = output / "tables";
  base::make_folder(folder);
  remove_old_tables(folder);
  std::string text;
  for (const DecodingResult& decoding : results.decodings) {
    const std::vector<StudyTable> tables = tables_of(plan, results, decoding, origin);
    for (const StudyTable& table : tables) write_table(table, folder);
    text += terminal_text(tables);
  }
  base::write_json_file(folder / "summary.json", summary_of(plan, results, origin));
  base::write_file_atomic(folder / "study.html", study_page(plan, results, origin));
  return text;
}

}  // namespace cuset::study
