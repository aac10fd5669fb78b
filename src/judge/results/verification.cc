#include "judge/results/verification.h"

#include <future>
#include <map>
#include <mutex>
#include <optional>

#include "base/machine/machine_share.h"
#include "base/machine/worker_pool.h"
#include "judge/results/plan_record.h"
#include "judge/results/summary.h"
#include "judge/results/verdict_file.h"
#include "judge/results/work_list.h"

namespace cuset::judge {
namespace {

// One run over a plan: what is done, what is left, and who has to be told.
class Verification {
 public:
  // Without a judge, others judge: run_shared().
  Verification(const VerificationPlan& plan, Judge* judge, base::ProgressSink& progress)
      : plan_(plan),
        progress_(progress),
        judge_(judge),
        file_(plan.folder / "verdicts.jsonl"),
        verdicts_(plan.answers.size()) {
    for (WorkItem& item : work_items_of(plan.answers, plan.tasks)) {
      if (take_earlier(item)) continue;
      ++left_[item.task];
      todo_.push_back(std::move(item));
    }
    progress_.begin(plan_.answers.size(), done_);
  }

  void run() {
    const base::WorkerPool pool{.threads = static_cast<size_t>(plan_.workers), .stops_at_interrupt = true};
    pool.run(todo_.size(), [this](size_t i) { judge(todo_[i]); });
    file_.flush();
  }

  void run_shared(const Sharing& sharing) {
    WorkQueue queue(task_numbers());
    std::future<void> own;
    if (judge_ != nullptr) own = std::async(std::launch::async, [&] { take_own_share(queue); });
    share_work(sharing.crew, queue,
               {.plan = sharing.plan,
                .describe = [this](size_t i) { return description_of(todo_[i]); },
                .keep = [this](size_t i, const Verdict& verdict) { keep_for_all(verdict, todo_[i]); }});
    if (own.valid()) own.get();
    file_.flush();
  }

  std::vector<Verdict> take_verdicts() {
    std::vector<Verdict> all;
    for (std::optional<Verdict>& verdict : verdicts_) {
      if (verdict) all.push_back(std::move(*verdict));
    }
    return all;
  }

 private:
  // Takes what an earlier run found out; true where that was the verdict on this program, which then holds
  // for its other answers too.
  bool take_earlier(const WorkItem& item) {
    const Verdict* known = nullptr;
    std::vector<size_t> missing;
    for (const size_t i : item.answers) {
      const Verdict* earlier = file_.find(plan_.answers[i]);
      if (earlier == nullptr) {
        missing.push_back(i);
        continue;
      }
      known = earlier;
      count(*earlier);
      verdicts_[i] = *earlier;
    }
    if (known == nullptr) return false;
    for (const size_t i : missing) keep(*known, i);
    return true;
  }

  void judge(const WorkItem& item) {
    try {
      keep_for_all(verdict_on(item), item);
    } catch (const JudgeInterrupted&) {
      return;  // the next run judges it
    }
  }

  Verdict verdict_on(const WorkItem& item) {
    return judge_->judge(*item.task, plan_.answers[item.answers.front()].text);
  }

  // The part of this process in a shared run. What stops it stops the others too.
  void take_own_share(WorkQueue& queue) {
    const size_t workers =
        plan_.workers > 0 ? static_cast<size_t>(plan_.workers) : size_t{base::usable_processors()};
    try {
      base::WorkerPool{.threads = workers}.run(workers, [&](size_t) { take_turns(queue); });
    } catch (...) {
      queue.stop();
      throw;
    }
  }

  void take_turns(WorkQueue& queue) {
    while (const std::optional<size_t> i = queue.wait_and_take("this process")) {
      try {
        const Verdict verdict = verdict_on(todo_[*i]);
        if (queue.finish(*i)) keep_for_all(verdict, todo_[*i]);
      } catch (const JudgeInterrupted&) {
        return;
      } catch (...) {
        queue.stop();
        throw;
      }
    }
  }

  // By item; the items of a task are neighbors.
  std::vector<size_t> task_numbers() const {
    std::vector<size_t> numbers;
    for (size_t i = 0; i < todo_.size(); ++i) {
      const bool is_same = i > 0 && todo_[i].task == todo_[i - 1].task;
      numbers.push_back(i == 0 ? 0 : numbers.back() + (is_same ? 0 : 1));
    }
    return numbers;
  }

  base::Json description_of(const WorkItem& item) const {
    return {{"task", item.task->id}, {"text", plan_.answers[item.answers.front()].text}};
  }

  void keep_for_all(const Verdict& verdict, const WorkItem& item) {
    const std::lock_guard lock(mutex_);
    for (const size_t i : item.answers) {
      keep(verdict, i);
      progress_.set_note(fmt::format("{} correct", correct_));
      progress_.add();
    }
    if (--left_[item.task] == 0 && judge_ != nullptr) judge_->forget(*item.task);
  }

  void keep(Verdict verdict, size_t i) {
    const tasks::Answer& answer = plan_.answers[i];
    verdict.task = answer.task;
    verdict.sample = answer.sample;
    verdict.tokens = answer.tokens;
    file_.append(verdict, answer);
    count(verdict);
    verdicts_[i] = std::move(verdict);
  }

  void count(const Verdict& verdict) {
    ++done_;
    if (verdict.outcome == Outcome::kCorrect) ++correct_;
  }

  const VerificationPlan& plan_;
  base::ProgressSink& progress_;
  Judge* const judge_;
  VerdictFile file_;
  std::vector<WorkItem> todo_;

  std::mutex mutex_;  // guards what follows while threads work
  std::vector<std::optional<Verdict>> verdicts_;
  std::map<const tasks::Task*, size_t> left_;  // items
  size_t done_ = 0;                            // answers, and those of them that are correct
  size_t correct_ = 0;
};

std::vector<Verdict> finish(const VerificationPlan& plan, Verification& verification) {
  std::vector<Verdict> verdicts = verification.take_verdicts();
  base::write_json_file(plan.folder / "summary.json", json_of(summarize(verdicts, kSummaryKs)));
  return verdicts;
}

}  // namespace

std::vector<Verdict> verify_all(const VerificationPlan& plan, Judge& judge, base::ProgressSink& progress) {
  claim_folder(plan.folder, identity_of(judge.settings(), judge.executor(), plan.tasks), plan.about);
  Verification verification(plan, &judge, progress);
  verification.run();
  return finish(plan, verification);
}

std::vector<Verdict> verify_shared(const VerificationPlan& plan, const Sharing& sharing,
                                   base::ProgressSink& progress) {
  claim_folder(plan.folder, sharing.identity, plan.about);
  Verification verification(plan, sharing.judge, progress);
  verification.run_shared(sharing);
  return finish(plan, verification);
}

}  // namespace cuset::judge
