#include "serve/judging/judge_queue.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/files/sha256.h"

namespace cuset::serve {
namespace {

constexpr std::array<std::string_view, 5> kStates = {"waiting", "running", "done", "failed", "canceled"};
constexpr int kVersion = 2;  // of the tables; 1 had no programs

}  // namespace

std::string_view name_of(JudgeJobState state) { return kStates.at(static_cast<size_t>(state)); }

bool is_over(JudgeJobState state) {
  return state != JudgeJobState::kWaiting && state != JudgeJobState::kRunning;
}

std::string JudgeJob::id() const {
  base::Sha256 hash;
  for (const std::string* part : {&task, &inline_task, &answer}) {
    hash.update(fmt::format("{} ", part->size()));
    hash.update(*part);
  }
  return hash.digest().substr(0, 32);
}

// One SQL statement with its values.
class JudgeQueue::Statement {
 public:
  Statement(const JudgeQueue& queue, const char* sql) : queue_(queue) {
    check(sqlite3_prepare_v2(queue.database_.get(), sql, -1, &statement_, nullptr));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(const std::string& text) {
    check(sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
  }
  // False at the end of the rows.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) check(code);
    return false;
  }
  std::string text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr
               ? ""
               : std::string(bytes, static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
  }
  int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }

 private:
  void check(int code) const {
    if (code == SQLITE_OK) return;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
      throw base::Error("{}: another server has it open", queue_.file_.string())
          .with_remedy("choose another --output, or stop that server");
    }
    throw base::Error("{}: {}", queue_.file_.string(), sqlite3_errmsg(queue_.database_.get()))
        .with_remedy("is the disk full, or is the file not a queue of cuset serve?");
  }

  const JudgeQueue& queue_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

void JudgeQueue::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

JudgeQueue::JudgeQueue(const std::filesystem::path& file) : file_(file) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open(file.c_str(), &opened);
  database_.reset(opened);
  if (code != SQLITE_OK) {
    throw base::Error("cannot open {}: {}", file.string(), sqlite3_errstr(code))
        .with_remedy("may you write there?");
  }
  prepare_database();
  load_waiting();
}

JudgeQueue::~JudgeQueue() = default;

void JudgeQueue::execute(const char* sql) const {
  Statement statement(*this, sql);
  while (statement.step()) {
  }
}

void JudgeQueue::in_transaction(const std::function<void()>& change) const {
  execute("BEGIN IMMEDIATE");
  try {
    change();
    execute("COMMIT");
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void JudgeQueue::prepare_database() {
  // One server at a time: the lock lasts until the database is closed, or its process is gone.
  execute("PRAGMA locking_mode = EXCLUSIVE");
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = FULL");
  execute("BEGIN EXCLUSIVE");
  Statement version(*this, "PRAGMA user_version");
  version.step();
  const bool is_new = version.number(0) == 0, has_no_programs = version.number(0) == 1;
  if (!is_new && !has_no_programs && version.number(0) != kVersion) {
    throw base::Error("{} was written by another version of cuset", file_.string())
        .with_remedy("choose another --output");
  }
  execute(
      "CREATE TABLE IF NOT EXISTS jobs (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, task "
      "TEXT NOT NULL, inline_task TEXT NOT NULL, answer TEXT NOT NULL, state TEXT NOT NULL, result TEXT NOT NULL)");
  execute("CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state)");
  execute("CREATE TABLE IF NOT EXISTS names (name TEXT PRIMARY KEY, job TEXT NOT NULL)");
  if (is_new || has_no_programs) execute("ALTER TABLE jobs ADD COLUMN program TEXT NOT NULL DEFAULT ''");
  execute("CREATE INDEX IF NOT EXISTS jobs_by_program ON jobs (program) WHERE program != ''");
  execute("PRAGMA user_version = 2");
  execute("COMMIT");
}

void JudgeQueue::load_waiting() {
  Statement statement(*this, "SELECT id FROM jobs WHERE state = 'waiting' ORDER BY number");
  while (statement.step()) waiting_.push_back(statement.text(0));
}

bool JudgeQueue::add(std::span<const JudgeJob> jobs, size_t most) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() + jobs.size() > most) return false;
  std::vector<std::string> added;
  in_transaction([&] {
    for (const JudgeJob& job : jobs) {
      if (add_one(job)) added.push_back(job.id());
    }
  });
  waiting_.insert(waiting_.end(), added.begin(), added.end());
  return true;
}

// True where it waits now and did not before.
bool JudgeQueue::add_one(const JudgeJob& job) {
  const std::string id = job.id();
  if (!job.name.empty())
    Statement(*this, "INSERT OR REPLACE INTO names (name, job) VALUES (?, ?)").bind(job.name).bind(id).step();
  Statement known(*this, "SELECT state FROM jobs WHERE id = ?");
  if (!known.bind(id).step()) {
    Statement(
        *this,
        "INSERT INTO jobs (id, task, inline_task, answer, state, result) VALUES (?, ?, ?, ?, 'waiting', '')")
        .bind(id)
        .bind(job.task)
        .bind(job.inline_task)
        .bind(job.answer)
        .step();
    return true;
  }
  if (known.text(0) != "failed" && known.text(0) != "canceled") return false;
  Statement(*this, "UPDATE jobs SET state = 'waiting', result = '' WHERE id = ?").bind(id).step();
  return true;
}

JudgeJobState JudgeQueue::state_of(const std::string& id, const std::string& stored) const {
  if (stored == "done") return JudgeJobState::kDone;
  if (stored == "failed") return JudgeJobState::kFailed;
  if (stored == "canceled") return JudgeJobState::kCanceled;
  return running_.contains(id) ? JudgeJobState::kRunning : JudgeJobState::kWaiting;
}

std::optional<JobRecord> JudgeQueue::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, "SELECT task, state, result FROM jobs WHERE id = ?");
  if (!statement.bind(id).step()) return std::nullopt;
  return JobRecord{id, statement.text(0), state_of(id, statement.text(1)), statement.text(2)};
}

std::optional<std::string> JudgeQueue::id_named(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, "SELECT job FROM names WHERE name = ?");
  if (!statement.bind(name).step()) return std::nullopt;
  return statement.text(0);
}

std::optional<JudgeJob> JudgeQueue::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  const std::string id = waiting_.front();
  Statement statement(*this, "SELECT task, inline_task, answer FROM jobs WHERE id = ?");
  CUSET_CHECK(statement.bind(id).step(), "job {} is not in the database", id);
  JudgeJob job{statement.text(0), statement.text(1), statement.text(2)};
  waiting_.pop_front();
  running_.insert(id);
  return job;
}

void JudgeQueue::set_result(const std::string& id, const char* state, const std::string& result) {
  const std::lock_guard lock(mutex_);
  Statement(*this, "UPDATE jobs SET state = ?, result = ? WHERE id = ?")
      .bind(state)
      .bind(result)
      .bind(id)
      .step();
  running_.erase(id);
}

void JudgeQueue::finish(std::span<const std::string> ids, const std::string& program,
                        const std::string& verdict) {
  const std::lock_guard lock(mutex_);
  in_transaction([&] {
    for (const std::string& id : ids)
      Statement(*this, "UPDATE jobs SET state = 'done', result = ?, program = ? WHERE id = ?")
          .bind(verdict)
          .bind(program)
          .bind(id)
          .step();
  });
  for (const std::string& id : ids) running_.erase(id);
}

std::optional<std::string> JudgeQueue::verdict_on(const std::string& program) const {
  const std::lock_guard lock(mutex_);
  Statement statement(
      *this, "SELECT result FROM jobs WHERE program = ? AND program != '' AND state = 'done' LIMIT 1");
  if (!statement.bind(program).step()) return std::nullopt;
  return statement.text(0);
}

void JudgeQueue::fail(const std::string& id, const std::string& reason) { set_result(id, "failed", reason); }

void JudgeQueue::put_back(const std::string& id) {
  const std::lock_guard lock(mutex_);
  running_.erase(id);
  waiting_.push_front(id);
}

bool JudgeQueue::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto place = std::find(waiting_.begin(), waiting_.end(), id);
  if (place == waiting_.end()) return false;
  Statement(*this, "UPDATE jobs SET state = 'canceled' WHERE id = ?").bind(id).step();
  waiting_.erase(place);
  return true;
}

void JudgeQueue::finish_canceled(const std::string& id) { set_result(id, "canceled", ""); }

size_t JudgeQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

size_t JudgeQueue::running() const {
  const std::lock_guard lock(mutex_);
  return running_.size();
}

}  // namespace cuset::serve
