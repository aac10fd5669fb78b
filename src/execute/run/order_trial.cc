#include "execute/run/order_trial.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/files/copy_folder.h"
#include "base/files/temporary_folder.h"
#include "execute/run/order_check.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

RunTrace trace_of(const Run& run, const fs::path& folder) {
  const bool exited = run.outcome == Run::Outcome::kDone || run.outcome == Run::Outcome::kFailed;
  return {.ending = exited ? fmt::format("exit status {}", run.process.exit_status) : run.explanation,
          .output = run.process.output,
          .folder = folder};
}

// One more run, in a copy of the untouched files that lives as long as this.
struct Repetition {
  Repetition(const OrderTrial& trial, uint64_t order) {
    base::copy_folder(trial.untouched, folder.path());
    run = trial.run(order, folder.path());
    trace = trace_of(run, folder.path());
  }

  base::TemporaryFolder folder;
  Run run;
  RunTrace trace;
};

// Findings of the same kind and place count together.
void add_findings(const std::vector<RunFinding>& more, std::vector<RunFinding>& findings) {
  for (const RunFinding& finding : more) {
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const RunFinding& known) {
      return known.kind == finding.kind && known.file == finding.file && known.line == finding.line;
    });
    if (same == findings.end()) {
      findings.push_back(finding);
    } else {
      same->count += finding.count;
    }
  }
}

RunFinding order_finding(uint64_t order, const std::string& difference) {
  RunFinding finding{};
  finding.kind = "order_dependent";
  finding.text = fmt::format("with the threads in order {}, {}", order, difference);
  finding.count = 1;
  return finding;
}

}  // namespace

void try_orders(const OrderTrial& trial, Run& usual) {
  const RunTrace usual_trace = trace_of(usual, trial.left);
  std::optional<Differences> unsteady;  // between two runs in the usual order
  for (int i = 1; i <= trial.orders && usual.outcome != Run::Outcome::kInterrupted; ++i) {
    const uint64_t order = trial.seed + static_cast<uint64_t>(i);
    const Repetition other(trial, order);
    add_findings(other.run.findings, usual.findings);
    if (other.run.outcome == Run::Outcome::kInterrupted) usual.outcome = Run::Outcome::kInterrupted;
    Differences differences = differences_between(usual_trace, other.trace);
    if (differences.empty() || usual.outcome == Run::Outcome::kInterrupted) continue;
    if (!unsteady) unsteady = differences_between(usual_trace, Repetition(trial, 0).trace);
    differences = differences.without(*unsteady);
    if (differences.empty()) continue;
    differences = differences.without(differences_between(other.trace, Repetition(trial, order).trace));
    if (differences.empty()) continue;
    add_findings({order_finding(order, first_difference(usual_trace, other.trace, differences))},
                 usual.findings);
  }
}

}  // namespace cuset::execute
