// The answers that a judging server was given, and what came of them, in a SQLite database: a server that is killed at
// any moment has lost nothing when it is started again, and judges nothing twice.
//
//   CREATE TABLE jobs (number, id, task, inline_task, answer, state, result, program)
//   CREATE TABLE names (name, job)
//
// A job's id is a hash of its task and its answer, so that the same answer sent again is the same job, whoever sends it. `state` is
// waiting, done (`result` is the verdict as JSON), failed (`result` says why) or canceled. Jobs that are done and have the same
// `program` have the same verdict (empty: unknown). Which jobs are being judged is not in
// the database: after a restart they wait again. Clients that choose ids themselves find their jobs by `names`.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/json/json.h"

struct sqlite3;

namespace cuset::serve {

struct JudgeJob {
  std::string task;         // the id of a task of the server
  std::string inline_task;  // or a task as JSON on one line
  std::string answer;
  std::string name = {};  // what the client calls it; may be empty

  std::string id() const;  // 32 hexadecimal digits, of all but the name
};

enum class JudgeJobState : uint8_t { kWaiting, kRunning, kDone, kFailed, kCanceled };
// "waiting", "running", "done", "failed", "canceled".
std::string_view name_of(JudgeJobState state);
// Neither waiting nor running.
bool is_over(JudgeJobState state);

struct JobRecord {
  std::string id;
  std::string task;
  JudgeJobState state = JudgeJobState::kWaiting;
  std::string result;  // the verdict as JSON, or why there is none
};

// Safe to use from many threads. Throws Error where the disk fails.
class JudgeQueue {
 public:
  // Opens or makes the database. Throws Error where another server has it open, or it is none of ours.
  explicit JudgeQueue(const std::filesystem::path& file);
  ~JudgeQueue();
  JudgeQueue(const JudgeQueue&) = delete;
  JudgeQueue& operator=(const JudgeQueue&) = delete;

  // Adds all of them, durably and at once; those that are known stay as they are, but failed and canceled ones wait again. False, and nothing is
  // added, where more than `most` would wait.
  bool add(std::span<const JudgeJob> jobs, size_t most);
  std::optional<JobRecord> find(const std::string& id) const;
  // The id of the job that was last added under this name.
  std::optional<std::string> id_named(const std::string& name) const;

  // The next job, which is then being judged; nothing where none waits.
  std::optional<JudgeJob> take();
  // The end of jobs that were taken and whose answers are judged alike: `program` stands for what they have in common.
  void finish(std::span<const std::string> ids, const std::string& program, const std::string& verdict);
  // The verdict on a program, as JSON, where a job with it is done.
  std::optional<std::string> verdict_on(const std::string& program) const;
  void fail(const std::string& id, const std::string& reason);
  // Puts a job that was taken back to the front.
  void put_back(const std::string& id);

  // Cancels a job that waits. False where it does not.
  bool cancel(const std::string& id);
  // The end of a job that was taken and then canceled.
  void finish_canceled(const std::string& id);

  size_t waiting() const;
  size_t running() const;

 private:
  class Statement;
  struct Close {
    void operator()(sqlite3* database) const;
  };

  void execute(const char* sql) const;
  void in_transaction(const std::function<void()>& change) const;
  bool add_one(const JudgeJob& job);
  void prepare_database();
  void load_waiting();
  JudgeJobState state_of(const std::string& id, const std::string& stored) const;
  void set_result(const std::string& id, const char* state, const std::string& result);

  std::filesystem::path file_;
  mutable std::mutex mutex_;  // guards all of it
  std::unique_ptr<sqlite3, Close> database_;
  std::deque<std::string> waiting_;  // ids, in the order in which they came
  std::set<std::string> running_;
};

}  // namespace cuset::serve
