// POST /judge, GET and DELETE /judge/{id}, GET /judge (the queue), GET /tasks, and NeMo Gym's POST /verify.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "serve/http/http_server.h"
#include "serve/judging/judge_request.h"
#include "serve/judging/judge_service.h"

namespace cuset::serve {

// Belongs to the server's thread. Server and service must outlive it.
class Judgements {
 public:
  Judgements(HttpServer& server, JudgeService& service) : server_(server), service_(service) {}

  void judge(const std::shared_ptr<HttpExchange>& exchange);
  void verify_nemo_gym(const std::shared_ptr<HttpExchange>& exchange);
  void show(HttpExchange& exchange) const;
  void cancel(HttpExchange& exchange);
  void show_queue(HttpExchange& exchange) const;
  void list_tasks(HttpExchange& exchange) const;

  // Answers everybody who waits with what is known now: the server is ending.
  void reply_to_all();

 private:
  // A request whose client waits.
  struct Waiting {
    std::shared_ptr<HttpExchange> exchange;
    JudgeRequest request;
    size_t unfinished = 0;
    base::Json nemo_gym = nullptr;  // the body of a request in its form
  };

  // False, with a reply, where too many wait. Throws Error for an unknown task.
  bool submit(HttpExchange& exchange, JudgeRequest& request);
  base::Json results_of(const JudgeRequest& request, bool& is_complete) const;
  // Status 200 where all are done, 202 where some are not.
  void reply(const Waiting& waiting) const;
  void wait(const std::shared_ptr<Waiting>& waiting);

  HttpServer& server_;
  JudgeService& service_;
  std::set<std::shared_ptr<Waiting>> waiting_;
};

}  // namespace cuset::serve
