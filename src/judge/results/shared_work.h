// Judging shared among processes: the owner has the folder of results and hands out answers; helpers judge them and
// send verdicts back. Messages are JSON objects; how they travel is the caller's (pipes, c10d's store).
//
//   helper  {"hello": true}
//   owner   {"plan": {...}}                                      what decides a verdict: the helper must agree
//   helper  {"workers": 4}                                       it judges so many answers at a time
//   owner   {"item": 17, "task": "saxpy_4k", "text": "..."}
//   helper  {"item": 17, "verdict": {...}}
//   owner   {"end": true}
//   helper  {"gone": "why"}                                      its last; also sent for one that was found dead
//
// What a helper that is gone held is handed out again. A verdict that comes after that counts if it is the first.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/json/json.h"
#include "judge/judge.h"
#include "judge/results/work_queue.h"
#include "tasks/task.h"

namespace cuset::judge {

// The owner's way to its helpers.
class Crew {
 public:
  struct Message {
    std::string from;
    base::Json body;
  };

  virtual ~Crew() = default;
  // The next message of any helper; nothing where none comes within `patience`. Throws Error where none can come.
  virtual std::optional<Message> receive(std::chrono::milliseconds patience) = 0;
  // To a helper that may be gone.
  virtual void send(const std::string& helper, const base::Json& body) = 0;
};

// A helper's way to the owner.
class OwnerLink {
 public:
  virtual ~OwnerLink() = default;
  // As those of Crew. Throw Error where the owner is gone.
  virtual std::optional<base::Json> receive(std::chrono::milliseconds patience) = 0;
  virtual void send(const base::Json& body) = 0;
};

struct WorkToShare {
  base::Json plan;
  std::function<base::Json(size_t item)> describe;         // {"task", "text"}
  std::function<void(size_t item, Verdict verdict)> keep;  // called once for each item
};

// Hands out the items of `queue`, which this process may take from too, until all are done, it is stopped, or an interrupt
// (base/interrupt.h) comes; then tells all helpers. Throws Error where an item ends one helper after another, and where
// a verdict is none.
void share_work(Crew& crew, WorkQueue& queue, const WorkToShare& work);

struct Assignment {
  Judge& judge;
  std::span<const tasks::Task> tasks;
};

struct HelperOptions {
  int workers = 0;  // answers judged at the same time; 0: one per core
  // What it takes to follow the owner's plan; outlives the help. Throws Error where this process cannot.
  std::function<Assignment(const base::Json& plan)> prepare;
};

// Judges what the owner sends until it ends the work or an interrupt comes. Throws Error where the owner or the machine
// fails; the owner is told.
void help_owner(OwnerLink& owner, const HelperOptions& options);

// Throws Error naming the first value of `plan` that is another in `own`; `who` is this process.
void require_same_plan(const base::Json& plan, const base::Json& own, const std::string& who);

}  // namespace cuset::judge
