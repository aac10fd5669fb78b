#include "judge/results/audit_run.h"

#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "base/machine/worker_pool.h"
#include "judge/results/plan_record.h"

namespace cuset::judge {
namespace {

class AuditRun {
 public:
  AuditRun(const AuditPlan& plan, Judge& judge, base::ProgressSink& progress)
      : plan_(plan), progress_(progress), judge_(judge), file_(plan.folder / "audit.jsonl") {
    const std::unordered_set<std::string> chosen(plan.chosen.begin(), plan.chosen.end());
    for (const tasks::Task& task : plan.tasks) {
      if (chosen.contains(task.id)) tasks_.push_back(&task);
    }
    audits_.resize(tasks_.size());
    take_earlier();
    for (size_t i = 0; i < audits_.size(); ++i) {
      if (!audits_[i]) todo_.push_back(i);
    }
    progress_.begin(audits_.size(), audits_.size() - todo_.size());
  }

  std::vector<base::Json> run() {
    const base::WorkerPool pool{.threads = static_cast<size_t>(plan_.workers), .stops_at_interrupt = true};
    pool.run(todo_.size(), [this](size_t i) { audit(todo_[i]); });
    file_.flush();
    std::vector<base::Json> all;
    for (std::optional<base::Json>& audit : audits_) {
      if (audit) all.push_back(std::move(*audit));
    }
    return all;
  }

 private:
  void take_earlier() {
    std::unordered_map<std::string, size_t> index;
    for (size_t i = 0; i < tasks_.size(); ++i) index.emplace(tasks_[i]->id, i);
    base::JsonlReader reader(plan_.folder / "audit.jsonl");
    while (std::optional<base::Json> audit = reader.next()) {
      const std::string place = reader.place();
      const base::JsonCursor record = base::JsonCursor(*audit, place).with_remedy("choose another --output");
      const auto task = index.find(record.at("task").string());
      if (task != index.end()) audits_[task->second] = std::move(*audit);
    }
  }

  void audit(size_t i) {
    const tasks::Task& task = *tasks_[i];
    try {
      const base::Json audit = json_of(audit_task(judge_, task, plan_.options));
      judge_.forget(task);
      const std::lock_guard lock(mutex_);
      file_.append(audit);
      audits_[i] = audit;
      progress_.add();
    } catch (const JudgeInterrupted&) {
      return;  // the next run audits it
    }
  }

  const AuditPlan& plan_;
  base::ProgressSink& progress_;
  Judge& judge_;
  base::JsonlWriter file_;
  std::vector<const tasks::Task*> tasks_;
  std::vector<size_t> todo_;

  std::mutex mutex_;  // guards what follows while threads work
  std::vector<std::optional<base::Json>> audits_;
};

}  // namespace

std::vector<base::Json> audit_all(const AuditPlan& plan, Judge& judge, base::ProgressSink& progress) {
  claim_folder(plan.folder, identity_of(judge.settings(), judge.executor(), plan.tasks), plan.about);
  return AuditRun(plan, judge, progress).run();
}

}  // namespace cuset::judge
