#include "cli/commands/verify/verify_audit.h"

#include <map>

#include "base/console.h"
#include "base/error.h"

namespace cuset::cli {
namespace {

struct MutantCounts {
  size_t made = 0;
  size_t caught = 0;
  size_t equivalent = 0;  // changed no output on any trial
  size_t survived = 0;
  size_t unjudged = 0;

  // Of those that comparing outputs could catch.
  double caught_share() const {
    const size_t catchable = caught + survived;
    return catchable == 0 ? 1 : static_cast<double>(caught) / static_cast<double>(catchable);
  }

  void add(const base::Json& answer) {
    const std::string word = answer.value("word", "");
    ++made;
    if (word == "unsupported" || word == "faulty_task") {
      ++unjudged;
    } else if (word != "correct") {
      ++caught;
    } else if (answer.value("same_as_reference", false)) {
      ++equivalent;
    } else {
      ++survived;
    }
  }
};

struct AuditTotals {
  std::map<std::string, size_t> marks;
  std::map<std::string, MutantCounts> kinds;
  MutantCounts all;
};

AuditTotals totals_of(const std::vector<base::Json>& audits) {
  AuditTotals totals;
  for (const base::Json& audit : audits) {
    ++totals.marks[audit.value("mark", "")];
    for (const base::Json& answer : audit.value("answers", base::Json::array())) {
      if (!answer.contains("description")) continue;  // the reference and the controls
      totals.kinds[answer.value("name", "")].add(answer);
      totals.all.add(answer);
    }
  }
  return totals;
}

std::string render_row(const std::string& name, const MutantCounts& counts) {
  return fmt::format("{:<26} {:>6} {:>7} {:>9} {:>11} {:>9}\n", base::printable(name), counts.made,
                     counts.caught, counts.survived, counts.equivalent, counts.unjudged);
}

std::string render_mutants(const AuditTotals& totals) {
  if (totals.all.made == 0) return "";
  std::string out = fmt::format("\n{:<26} {:>6} {:>7} {:>9} {:>11} {:>9}\n", "mutants of the reference",
                                "made", "caught", "survived", "equivalent", "unjudged");
  for (const auto& [kind, counts] : totals.kinds) out += render_row(kind, counts);
  return out + render_row("all", totals.all) +
         fmt::format("caught of those that change an output: {:.1f} %\n", totals.all.caught_share() * 100);
}

std::string names_in(const base::Json& audit, const char* key) {
  std::vector<std::string> names;
  for (const base::Json& name : audit.value(key, base::Json::array()))
    names.push_back(name.get<std::string>());
  return fmt::format("{}", fmt::join(names, "; "));
}

// Why a task has its mark.
std::string reason_of(const base::Json& audit) {
  const std::string mark = audit.value("mark", "");
  if (mark == "vacuous") return "passed: " + names_in(audit, "passed_controls");
  if (mark == "lax") return "survived: " + names_in(audit, "survivors");
  const base::Json answers = audit.value("answers", base::Json::array());
  if (answers.empty()) return "no reference and no controls to judge";
  const base::Json& last = answers.back();
  return fmt::format("{}: {}: {}", last.value("name", ""), last.value("word", ""),
                     last.value("explanation", ""));
}

}  // namespace

std::string render_audits(const std::vector<base::Json>& audits) {
  const AuditTotals totals = totals_of(audits);
  std::vector<std::string> marks;
  for (const auto& [mark, count] : totals.marks) marks.push_back(fmt::format("{} {}", count, mark));
  std::string out =
      fmt::format("{} task{}: {}\n", audits.size(), audits.size() == 1 ? "" : "s", fmt::join(marks, ", "));
  out += render_mutants(totals);
  std::string others;
  for (const base::Json& audit : audits) {
    if (audit.value("mark", "") == "good") continue;
    others += fmt::format("{:<9} {}: {}\n", audit.value("mark", ""), base::printable(audit.value("task", "")),
                          base::printable(reason_of(audit)));
  }
  return others.empty() ? out : out + "\n" + others;
}

base::Json summary_of_audits(const std::vector<base::Json>& audits) {
  const AuditTotals totals = totals_of(audits);
  base::Json marks = base::Json::object();
  for (const auto& [mark, count] : totals.marks) marks[mark] = count;
  return {{"tasks", audits.size()},          {"marks", std::move(marks)},
          {"mutants", totals.all.made},      {"caught", totals.all.caught},
          {"survived", totals.all.survived}, {"equivalent", totals.all.equivalent},
          {"unjudged", totals.all.unjudged}, {"caught_share", totals.all.caught_share()}};
}

}  // namespace cuset::cli
