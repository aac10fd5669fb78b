#include "serve/judging/judge_service.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/files/sha256.h"
#include "base/json/json_cursor.h"
#include "base/log.h"
#include "base/machine/machine_share.h"
#include "judge/results/plan_record.h"
#include "judge/results/work_list.h"
#include "tasks/answer.h"

namespace cuset::serve {
namespace {

constexpr const char* kWaitingJobs = "cuset_judge_waiting";
constexpr const char* kRunningJobs = "cuset_judge_running";
constexpr const char* kVerdicts = "cuset_verdicts_total";
constexpr const char* kSeconds = "cuset_judge_seconds";
// Inputs and expected outputs of tasks that were asked for lately stay in memory up to this size.
constexpr uint64_t kKeptBytes = uint64_t{1} << 30;
constexpr size_t kKeptInlineTasks = 32;

std::filesystem::path claimed(const JudgeServiceOptions& options) {
  const judge::Judge& judge = *options.judge;
  judge::claim_folder(options.folder, judge::identity_of(judge.settings(), judge.executor(), options.tasks),
                      options.about);
  return options.folder / "queue.sqlite";
}

}  // namespace

JudgeService::JudgeService(JudgeServiceOptions options, Metrics& metrics)
    : options_(std::move(options)), metrics_(metrics), queue_(claimed(options_)) {
  metrics_.declare_gauge(kWaitingJobs, "Answers that wait to be judged");
  metrics_.declare_gauge(kRunningJobs, "Answers that are being judged");
  metrics_.declare_counter(kVerdicts, "Answers judged, by outcome");
  metrics_.declare_histogram(kSeconds, "Seconds that judging an answer took",
                             {0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120, 300});
  for (size_t i = 0; i < options_.tasks.size(); ++i) places_[options_.tasks[i].id] = i;
  update_gauges();
  const auto count = options_.workers > 0 ? static_cast<size_t>(options_.workers) : base::usable_processors();
  for (size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

JudgeService::~JudgeService() {
  stop_taking();
  for (std::thread& thread : threads_) thread.join();
}

void JudgeService::stop_taking() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
}

// All at once: the names of all tasks are listed for it.
void JudgeService::find_tasks(std::span<JudgeJob> jobs) const {
  std::vector<JudgeJob*> renamed;
  std::vector<tasks::Answer> answers;
  for (JudgeJob& job : jobs) {
    if (!job.inline_task.empty() || places_.contains(job.task)) continue;
    tasks::Answer answer;
    answer.task = job.task;
    answer.sample = static_cast<uint32_t>(renamed.size());
    answer.place = "request";
    answers.push_back(std::move(answer));
    renamed.push_back(&job);
  }
  if (renamed.empty()) return;
  tasks::match_answers(answers, options_.tasks);
  for (size_t i = 0; i < renamed.size(); ++i) renamed[i]->task = answers[i].task;
}

bool JudgeService::submit(std::span<const JudgeJob> jobs) {
  if (!queue_.add(jobs, options_.most_waiting)) return false;
  update_gauges();
  {
    // A worker that found nothing and is about to wait must not miss this.
    const std::lock_guard lock(mutex_);
  }
  changed_.notify_all();
  return true;
}

void JudgeService::cancel(const std::string& id) {
  bool is_follower = false;
  {
    // Between its taking and its end a job has a flag.
    const std::lock_guard lock(mutex_);
    if (const auto place = running_.find(id); place != running_.end()) *place->second = true;
    is_follower = take_from_followers(id);
    if (is_follower) running_.erase(id);
  }
  if (is_follower) queue_.finish_canceled(id);
  if (!is_follower && !queue_.cancel(id)) return;
  update_gauges();
  tell(id);
}

// Under the lock. False where it is none.
bool JudgeService::take_from_followers(const std::string& id) {
  for (auto& [program, ids] : followers_) {
    if (std::erase(ids, id) > 0) return true;
  }
  return false;
}

void JudgeService::watch(const std::string& id, std::function<void()> call) {
  {
    const std::lock_guard lock(mutex_);
    watchers_[id].push_back(std::move(call));
  }
  // It may have ended before.
  const std::optional<JobRecord> record = queue_.find(id);
  if (!record || is_over(record->state)) tell(id);
}

void JudgeService::tell(const std::string& id) {
  std::vector<std::function<void()>> calls;
  {
    const std::lock_guard lock(mutex_);
    const auto place = watchers_.find(id);
    if (place == watchers_.end()) return;
    calls = std::move(place->second);
    watchers_.erase(place);
  }
  for (const std::function<void()>& call : calls) call();
}

void JudgeService::update_gauges() {
  metrics_.set(kWaitingJobs, static_cast<double>(queue_.waiting()));
  metrics_.set(kRunningJobs, static_cast<double>(queue_.running()));
}

void JudgeService::work() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_closed_ || queue_.waiting() > 0; });
      if (is_closed_) return;
    }
    try {
      if (const std::optional<JudgeJob> job = take()) judge_one(*job);
    } catch (const std::exception& error) {
      base::log_error("judging has stopped: {}", error.what());
      stop_taking();  // the disk fails: nothing would be kept
      if (options_.on_failure) options_.on_failure(error.what());
      return;
    }
  }
}

std::optional<JudgeJob> JudgeService::take() {
  const std::lock_guard lock(mutex_);
  std::optional<JudgeJob> job = queue_.take();
  if (job) running_[job->id()] = std::make_shared<std::atomic<bool>>(false);
  return job;
}

void JudgeService::judge_one(const JudgeJob& job) {
  const std::string id = job.id(), program = program_of(job);
  update_gauges();
  base::StopFlag flag;
  {
    const std::lock_guard lock(mutex_);
    flag = running_.at(id);
    const auto [place, is_first] = followers_.try_emplace(program);
    if (!is_first) return place->second.push_back(id);
  }
  const bool has_verdict = judge_in_scope(job, program, flag);
  {
    // Another worker may have the same job by now, canceled and sent again.
    const std::lock_guard lock(mutex_);
    if (const auto place = running_.find(id); place != running_.end() && place->second == flag)
      running_.erase(place);
  }
  end_followers(program, has_verdict);
  update_gauges();
  tell(id);
}

// Equal for jobs that are judged alike.
std::string JudgeService::program_of(const JudgeJob& job) {
  JudgeJob kind = job;
  try {
    if (!job.inline_task.empty()) {
      kind.answer = judge::program_key(*inline_task_of(job), job.answer);
    } else if (const auto place = places_.find(job.task); place != places_.end()) {
      kind.answer = judge::program_key(options_.tasks[place->second], job.answer);
    }
  } catch (const std::exception&) {
    // A task that cannot be read; judging says why.
  }
  return kind.id();
}

// They share the verdict, or wait again where there is none.
void JudgeService::end_followers(const std::string& program, bool has_verdict) {
  std::vector<std::string> ids;
  {
    const std::lock_guard lock(mutex_);
    const auto place = followers_.find(program);
    ids = std::move(place->second);
    followers_.erase(place);
    for (const std::string& id : ids) running_.erase(id);
  }
  if (ids.empty()) return;
  if (has_verdict) {
    const std::optional<std::string> verdict = queue_.verdict_on(program);
    CUSET_CHECK(verdict, "the verdict on the program {} is gone", program);
    queue_.finish(ids, program, *verdict);
    count_verdicts(*verdict, ids.size());
    for (const std::string& id : ids) tell(id);
    return;
  }
  {
    // As in submit().
    const std::lock_guard lock(mutex_);
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) queue_.put_back(*id);
  }
  changed_.notify_all();
}

// What comes of a job that is canceled meanwhile is thrown away, whatever it is: it may have been cut short.
bool JudgeService::judge_in_scope(const JudgeJob& job, const std::string& program,
                                  const base::StopFlag& flag) {
  const std::string id = job.id();
  const base::StopScope scope(flag);
  const auto end = [&](const auto& ordinary) {
    if (*flag) {
      queue_.finish_canceled(id);
      return false;
    }
    return ordinary();
  };
  try {
    const std::string verdict = verdict_text_on(job, program);
    return end([&] {
      queue_.finish({&id, 1}, program, verdict);
      count_verdicts(verdict, 1);
      return true;
    });
  } catch (const judge::JudgeInterrupted&) {
    return end([&] {
      queue_.put_back(id);
      return false;
    });
  } catch (const std::exception& error) {
    // Also a fault of ours, or too little memory: the others are judged all the same.
    const auto* known = dynamic_cast<const base::Error*>(&error);
    const std::string reason = known != nullptr ? known->one_line() : error.what();
    return end([&] {
      queue_.fail(id, reason);
      base::log_warning("job {}: {}", id, reason);
      return false;
    });
  }
}

std::string JudgeService::verdict_text_on(const JudgeJob& job, const std::string& program) {
  if (const std::optional<std::string> known = queue_.verdict_on(program)) return *known;
  const judge::Verdict verdict = verdict_on(job);
  metrics_.observe(kSeconds, verdict.seconds);
  return base::to_json_line(judge::json_of(verdict));
}

void JudgeService::count_verdicts(const std::string& verdict, size_t count) {
  const base::Json json = base::parse_json(verdict, "verdict");
  metrics_.add(kVerdicts, static_cast<double>(count), {{"outcome", base::json_string(json, "word")}});
}

judge::Verdict JudgeService::verdict_on(const JudgeJob& job) {
  if (!job.inline_task.empty()) return verdict_on_inline(job);
  const auto place = places_.find(job.task);
  if (place == places_.end()) throw base::Error("there is no task {}", base::in_quotes(job.task));
  const tasks::Task& task = options_.tasks[place->second];
  keep_recent(task);
  judge::Verdict verdict = options_.judge->judge(task, job.answer);
  verdict.task = job.task;
  return verdict;
}

judge::Verdict JudgeService::verdict_on_inline(const JudgeJob& job) {
  const InlineTask task = inline_task_of(job);
  judge::Verdict verdict = options_.judge->judge(*task, job.answer);
  verdict.task = job.task;
  // Others may have pushed it out meanwhile, and what was kept for it has come back.
  const std::lock_guard lock(mutex_);
  if (std::find(recent_inline_.begin(), recent_inline_.end(), task) == recent_inline_.end())
    options_.judge->forget(*task);
  return verdict;
}

// What is kept for a task is found by its id, and anybody may send the same one: a hash of the whole task stands for it.
JudgeService::InlineTask JudgeService::inline_task_of(const JudgeJob& job) {
  base::Sha256 hash;
  hash.update(job.inline_task);
  const std::string id = "inline/" + hash.digest().substr(0, 32);
  const std::lock_guard lock(mutex_);
  auto known = std::find_if(recent_inline_.begin(), recent_inline_.end(),
                            [&](const InlineTask& task) { return task->id == id; });
  if (known == recent_inline_.end()) {
    tasks::Task task = tasks::task_from_json(base::parse_json(job.inline_task, "task"), "task");
    task.id = id;
    known =
        recent_inline_.insert(recent_inline_.begin(), std::make_shared<const tasks::Task>(std::move(task)));
  }
  recent_inline_.splice(recent_inline_.begin(), recent_inline_, known);
  forget_old_inline_tasks();
  return *known;
}

// Under the lock. The latest stays, whatever its size.
void JudgeService::forget_old_inline_tasks() {
  uint64_t bytes = 0;
  for (const InlineTask& task : recent_inline_) bytes += kept_bytes(*task);
  while (recent_inline_.size() > kKeptInlineTasks || (bytes > kKeptBytes && recent_inline_.size() > 1)) {
    bytes -= kept_bytes(*recent_inline_.back());
    options_.judge->forget(*recent_inline_.back());
    recent_inline_.pop_back();
  }
}

// What the judge keeps of a task: its inputs and expected outputs in every trial.
uint64_t JudgeService::kept_bytes(const tasks::Task& task) const {
  return tasks::data_bytes(task) * (static_cast<uint64_t>(options_.judge->settings().trials) + 2);
}

// Frees what is kept for the tasks that were asked for longest ago. Who uses it just now keeps it.
void JudgeService::keep_recent(const tasks::Task& task) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find(recent_.begin(), recent_.end(), &task);
  if (known != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, known);
    return;
  }
  recent_.push_front(&task);
  recent_bytes_ += kept_bytes(task);
  while (recent_bytes_ > kKeptBytes && recent_.size() > 1) {
    recent_bytes_ -= kept_bytes(*recent_.back());
    options_.judge->forget(*recent_.back());
    recent_.pop_back();
  }
}

}  // namespace cuset::serve
