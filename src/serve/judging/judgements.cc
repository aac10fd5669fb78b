#include "serve/judging/judgements.h"

#include <utility>

#include "base/error.h"
#include "base/json/json.h"
#include "serve/http/error_reply.h"
#include "serve/http/request_body.h"
#include "serve/judging/kernel_gym.h"
#include "serve/judging/nemo_gym.h"

namespace cuset::serve {
namespace {

// "/judge/{id}", "/status/{name}".
std::string id_in(const HttpExchange& exchange) {
  return exchange.part_behind(exchange.path().substr(0, exchange.path().find('/', 1) + 1));
}

void refuse_unknown_job(HttpExchange& exchange, const std::string& id) {
  exchange.reply(404, error_body(404, fmt::format("there is no job {}", base::in_quotes(id))));
}

}  // namespace

void Judgements::judge(const std::shared_ptr<HttpExchange>& exchange) {
  const auto waiting = std::make_shared<Waiting>();
  waiting->exchange = exchange;
  waiting->request = judge_request_from_json(json_body(*exchange));
  if (!submit(*exchange, waiting->request)) return;
  if (!waiting->request.wait) return reply(*waiting);
  wait(waiting);
}

void Judgements::judge_in_form(const std::shared_ptr<HttpExchange>& exchange, JudgeRequest request,
                               std::function<base::Json(const base::Json& results)> form) {
  const auto waiting = std::make_shared<Waiting>();
  waiting->exchange = exchange;
  waiting->request = std::move(request);
  waiting->form = std::move(form);
  if (submit(*exchange, waiting->request)) wait(waiting);
}

void Judgements::verify_nemo_gym(const std::shared_ptr<HttpExchange>& exchange) {
  const base::Json body = json_body(*exchange);
  judge_in_form(exchange, nemo_gym_request_from_json(body),
                [body](const base::Json& results) { return nemo_gym_reply(body, results[0]); });
}

void Judgements::evaluate(const std::shared_ptr<HttpExchange>& exchange) {
  const base::Json body = json_body(*exchange);
  JudgeRequest request = kernel_gym_request_from_json(body);
  const std::string name = request.answers[0].job.name;
  judge_in_form(exchange, std::move(request),
                [name](const base::Json& results) { return kernel_gym_evaluation(name, results[0]); });
}

void Judgements::evaluate_batch(const std::shared_ptr<HttpExchange>& exchange) {
  const base::Json body = json_body(*exchange);
  JudgeRequest request = kernel_gym_batch_from_json(body);
  std::vector<std::string> names;
  for (const AnswerToJudge& answer : request.answers) names.push_back(answer.job.name);
  judge_in_form(exchange, std::move(request), [body, names](const base::Json& results) {
    return kernel_gym_batch(body["batch_id"], names, results);
  });
}

std::optional<JobRecord> Judgements::find_named(HttpExchange& exchange, const std::string& name) const {
  const std::optional<std::string> id = service_.id_named(name);
  std::optional<JobRecord> record = id ? service_.find(*id) : std::nullopt;
  if (!record) refuse_unknown_job(exchange, name);
  return record;
}

void Judgements::show_status(HttpExchange& exchange) const {
  const std::string name = id_in(exchange);
  const std::optional<JobRecord> record = find_named(exchange, name);
  if (!record) return;
  exchange.reply(200, base::to_json_line(kernel_gym_status(name, result_json(*record, std::nullopt, {}))));
}

void Judgements::show_evaluation(HttpExchange& exchange) const {
  const std::string name = id_in(exchange);
  const std::optional<JobRecord> record = find_named(exchange, name);
  if (!record) return;
  if (!is_over(record->state))
    return exchange.reply(404, error_body(404, fmt::format("job {} has no result yet: it is {}",
                                                           base::in_quotes(name), name_of(record->state))));
  exchange.reply(200,
                 base::to_json_line(kernel_gym_evaluation(name, result_json(*record, std::nullopt, {}))));
}

void Judgements::cancel_named(const std::shared_ptr<HttpExchange>& exchange) {
  const std::string name = id_in(*exchange);
  const std::optional<JobRecord> record = find_named(*exchange, name);
  if (record)
    cancel_job(exchange, record->id, {{"message", fmt::format("Task {} cancelled successfully", name)}});
}

bool Judgements::submit(HttpExchange& exchange, JudgeRequest& request) {
  std::vector<JudgeJob> jobs;
  for (const AnswerToJudge& answer : request.answers) jobs.push_back(answer.job);
  service_.find_tasks(jobs);
  // Replies name the tasks as the queue does.
  for (size_t i = 0; i < jobs.size(); ++i) request.answers[i].job.task = jobs[i].task;
  if (service_.submit(jobs)) return true;
  exchange.reply(429, error_body(429, "too many answers are waiting; try again later"), "application/json",
                 {{"Retry-After", "5"}});
  return false;
}

void Judgements::wait(const std::shared_ptr<Waiting>& waiting) {
  std::set<std::string> ids;
  for (const AnswerToJudge& answer : waiting->request.answers) ids.insert(answer.job.id());
  waiting->unfinished = ids.size();
  waiting_.insert(waiting);
  waiting->exchange->on_finished([this, waiting] { waiting_.erase(waiting); });
  // Timers and watchers may outlive the request, which may be large: it is kept by waiting_ alone.
  const std::weak_ptr<Waiting> request = waiting;
  if (waiting->request.time_limit > 0) {
    server_.after(waiting->request.time_limit, [this, request] {
      if (const auto late = request.lock()) reply(*late);
    });
  }
  for (const std::string& id : ids) {
    service_.watch(id, [this, request] {
      server_.post([this, request] {
        const auto watched = request.lock();
        if (watched && --watched->unfinished == 0) reply(*watched);
      });
    });
  }
}

base::Json Judgements::results_of(const JudgeRequest& request, bool& is_complete) const {
  base::Json results = base::Json::array();
  is_complete = true;
  for (const AnswerToJudge& answer : request.answers) {
    const std::optional<JobRecord> record = service_.find(answer.job.id());
    if (!record) {
      results.push_back({{"id", answer.job.id()}, {"task", answer.job.task}, {"state", "canceled"}});
      continue;
    }
    is_complete = is_complete && is_over(record->state);
    results.push_back(result_json(*record, answer.sample, request.reward));
  }
  return results;
}

void Judgements::reply(const Waiting& waiting) const {
  HttpExchange& exchange = *waiting.exchange;
  if (!exchange.is_open()) return;
  bool is_complete = true;
  const base::Json results = results_of(waiting.request, is_complete);
  if (waiting.form) {
    if (!is_complete)
      return exchange.reply(503, error_body(503, "the server is ending; send it again to the next one"));
    return exchange.reply(200, base::to_json_line(waiting.form(results)));
  }
  const base::Json body = waiting.request.is_single ? results[0] : base::Json{{"results", results}};
  exchange.reply(is_complete ? 200 : 202, base::to_json_line(body));
}

void Judgements::reply_to_all() {
  const std::set<std::shared_ptr<Waiting>> all = waiting_;
  for (const std::shared_ptr<Waiting>& waiting : all) reply(*waiting);
}

void Judgements::show(HttpExchange& exchange) const {
  const std::string id = id_in(exchange);
  const std::optional<JobRecord> record = service_.find(id);
  if (!record) return refuse_unknown_job(exchange, id);
  exchange.reply(200, base::to_json_line(result_json(*record, std::nullopt, {})));
}

void Judgements::cancel(const std::shared_ptr<HttpExchange>& exchange) {
  const std::string id = id_in(*exchange);
  if (!service_.find(id)) return refuse_unknown_job(*exchange, id);
  cancel_job(exchange, id, {{"id", id}, {"state", "canceled"}});
}

void Judgements::cancel_job(const std::shared_ptr<HttpExchange>& exchange, const std::string& id,
                            const base::Json& body_if_canceled) {
  service_.cancel(id);
  service_.watch(id, [this, exchange, id, body_if_canceled] {
    server_.post([this, exchange, id, body_if_canceled] {
      const std::optional<JobRecord> record = service_.find(id);
      if (record && record->state == JudgeJobState::kCanceled)
        return exchange->reply(200, base::to_json_line(body_if_canceled));
      exchange->reply(409, error_body(409, fmt::format("job {} is {}: it cannot be canceled any more", id,
                                                       record ? name_of(record->state) : "gone")));
    });
  });
}

void Judgements::show_queue(HttpExchange& exchange) const {
  exchange.reply(200, base::to_json_line({{"waiting", service_.waiting()},
                                          {"running", service_.running()},
                                          {"workers", service_.workers()},
                                          {"tasks", service_.tasks().size()}}));
}

void Judgements::list_tasks(HttpExchange& exchange) const {
  base::Json all = base::Json::array();
  for (const tasks::Task& task : service_.tasks()) {
    base::Json prompts = base::Json::array();
    for (const tasks::Prompt& prompt : task.prompts)
      prompts.push_back({{"level", prompt.level}, {"text", prompt.text}});
    all.push_back({{"id", task.id}, {"family", task.family}, {"prompts", std::move(prompts)}});
  }
  exchange.reply(200, base::to_json_line({{"tasks", all}}));
}

}  // namespace cuset::serve
