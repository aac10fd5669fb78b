// Judges the answers of a queue (judge_queue.h) on threads of its own, with the judge of `cuset verify`: the same rules, the same
// outcomes. Answers with equal programs are judged once: who comes while the first is being judged, or later, gets its verdict.
//
//   <folder>/run.json      what decides a verdict, as `cuset verify` writes it; a server with other tasks or another seed is refused
//   <folder>/queue.sqlite  answers and verdicts
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/interrupt.h"
#include "judge/judge.h"
#include "serve/http/metrics.h"
#include "serve/judging/judge_queue.h"
#include "tasks/task.h"

namespace cuset::serve {

struct JudgeServiceOptions {
  judge::Judge* judge = nullptr;  // must outlive the service
  std::vector<tasks::Task> tasks;
  std::filesystem::path folder;
  base::Json about = base::Json::object();  // what else run.json says
  int64_t workers = 0;                      // 0: one per core
  size_t most_waiting = 100'000;
  // Called by a judging thread where no more can be judged, because the queue cannot be written. May be empty.
  std::function<void(const std::string& reason)> on_failure = {};
};

class JudgeService {
 public:
  // Begins at once with what an earlier server left. The metrics must outlive this. Throws Error where the folder is another run's.
  JudgeService(JudgeServiceOptions options, Metrics& metrics);
  // Waits for the answers that are being judged; the others stay in the queue.
  ~JudgeService();

  const std::vector<tasks::Task>& tasks() const { return options_.tasks; }
  // Puts the ids of the server's tasks in the place of other names that they have (tasks/answer.h). Throws Error naming the
  // nearest one.
  void find_tasks(std::span<JudgeJob> jobs) const;

  // False where too many wait.
  bool submit(std::span<const JudgeJob> jobs);
  std::optional<JobRecord> find(const std::string& id) const { return queue_.find(id); }
  std::optional<std::string> id_named(const std::string& name) const { return queue_.id_named(name); }
  // Cancels a job that waits; of one that is being judged, kills compilers and programs, which takes a moment: watch() says when it is
  // over. Does nothing with others.
  void cancel(const std::string& id);

  // Calls `call` once, by a judging thread, when the job is over (done, failed or canceled), or at once where it is.
  void watch(const std::string& id, std::function<void()> call);

  size_t waiting() const { return queue_.waiting(); }
  size_t running() const { return queue_.running(); }
  size_t workers() const { return threads_.size(); }
  // No further answer is begun.
  void stop_taking();

 private:
  // A task that came with an answer; answers to the same task share it.
  using InlineTask = std::shared_ptr<const tasks::Task>;

  void work();
  std::optional<JudgeJob> take();
  void judge_one(const JudgeJob& job);
  // True where there is a verdict.
  bool judge_in_scope(const JudgeJob& job, const std::string& program, const base::StopFlag& flag);
  std::string verdict_text_on(const JudgeJob& job, const std::string& program);
  std::string program_of(const JudgeJob& job);
  void end_followers(const std::string& program, bool has_verdict);
  bool take_from_followers(const std::string& id);
  void count_verdicts(const std::string& verdict, size_t count);
  judge::Verdict verdict_on(const JudgeJob& job);
  judge::Verdict verdict_on_inline(const JudgeJob& job);
  InlineTask inline_task_of(const JudgeJob& job);
  void forget_old_inline_tasks();
  uint64_t kept_bytes(const tasks::Task& task) const;
  void keep_recent(const tasks::Task& task);
  void tell(const std::string& id);
  void update_gauges();

  JudgeServiceOptions options_;
  Metrics& metrics_;
  JudgeQueue queue_;
  std::map<std::string, size_t> places_;  // of tasks, by id

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool is_closed_ = false;
  std::map<std::string, std::vector<std::function<void()>>> watchers_;  // by job
  std::map<std::string, base::StopFlag> running_;                       // by job
  // By program that is being judged: other jobs with it, which were taken too.
  std::map<std::string, std::vector<std::string>> followers_;
  std::list<InlineTask> recent_inline_;   // the latest first
  std::list<const tasks::Task*> recent_;  // whose expected outputs are kept; the latest first
  uint64_t recent_bytes_ = 0;
  std::vector<std::thread> threads_;  // last: they use all the others
};

}  // namespace cuset::serve
