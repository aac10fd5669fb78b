// POST /judge, GET and DELETE /judge/{id}, GET /judge (the queue), GET /tasks, NeMo Gym's POST /verify, and KernelGYM's endpoints.
#pragma once

#include <functional>
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
  // Replies once nothing of the job runs any more.
  void cancel(const std::shared_ptr<HttpExchange>& exchange);

  // KernelGYM's (kernel_gym.h): POST /evaluate and /evaluate/batch, GET /status/{name} and /results/{name}, DELETE /tasks/{name}.
  void evaluate(const std::shared_ptr<HttpExchange>& exchange);
  void evaluate_batch(const std::shared_ptr<HttpExchange>& exchange);
  void show_status(HttpExchange& exchange) const;
  void show_evaluation(HttpExchange& exchange) const;
  void cancel_named(const std::shared_ptr<HttpExchange>& exchange);

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
    // The reply's body in another's form, from the results, which are all over; none: our own form.
    std::function<base::Json(const base::Json& results)> form;
  };

  // False, with a reply, where too many wait. Throws Error for an unknown task.
  bool submit(HttpExchange& exchange, JudgeRequest& request);
  base::Json results_of(const JudgeRequest& request, bool& is_complete) const;
  // Status 200 where all are done, 202 where some are not.
  void reply(const Waiting& waiting) const;
  void wait(const std::shared_ptr<Waiting>& waiting);
  // In another's form, all at once or not at all.
  void judge_in_form(const std::shared_ptr<HttpExchange>& exchange, JudgeRequest request,
                     std::function<base::Json(const base::Json& results)> form);
  // Replies when the job is over: 200 with this body where it is canceled, else 409.
  void cancel_job(const std::shared_ptr<HttpExchange>& exchange, const std::string& id,
                  const base::Json& body_if_canceled);
  // The job that a KernelGYM client named in the path; replies where there is none.
  std::optional<JobRecord> find_named(HttpExchange& exchange, const std::string& name) const;

  HttpServer& server_;
  JudgeService& service_;
  std::set<std::shared_ptr<Waiting>> waiting_;
};

}  // namespace cuset::serve
