#include "reinforce/critic.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/files/sha256.h"
#include "base/interrupt.h"
#include "base/machine/worker_pool.h"
#include "base/net/chat_endpoint.h"
#include "sandbox/process.h"

namespace cuset::reinforce {
namespace {

constexpr int kFailuresInARow = 8;

// The scores in a reply, or a failure.
CriticChannel::Reply reply_from(std::string_view text) {
  std::variant<CriticScores, std::string> parsed = parse_critic_scores(text);
  if (auto* scores = std::get_if<CriticScores>(&parsed)) return {.scores = std::move(*scores), .failed = ""};
  return {.scores = std::nullopt, .failed = "unusable_reply: " + std::get<std::string>(parsed)};
}

class EndpointCritic : public CriticChannel {
 public:
  explicit EndpointCritic(const CriticSettings& settings)
      : model_(settings.model),
        endpoint_({.url = settings.url,
                   .key = settings.key,
                   .retries = settings.retries,
                   .timeout = settings.timeout,
                   .backoff = settings.backoff}) {}

  std::optional<Reply> ask(const CriticQuestion& question) override {
    using Kind = base::ChatResult::Kind;
    const base::Json message = {{"role", "user"},
                                {"content", critic_question(question.prompt, question.code)}};
    const base::ChatResult result =
        endpoint_.ask({{"model", model_}, {"messages", base::Json::array({message})}},
                      base::RandomStream(0, "reinforce/critic").child(question.task),
                      [](const base::ChatReply& reply) { return reply_from(reply.text).failed; });
    if (result.kind == Kind::kInterrupted) return std::nullopt;
    if (result.kind == Kind::kAnswered) return reply_from(result.reply.text);
    return Reply{
        .scores = std::nullopt, .failed = result.failed, .refuses_all = result.kind == Kind::kRefusedAll};
  }

 private:
  std::string model_;
  base::ChatEndpoint endpoint_;
};

class CommandCritic : public CriticChannel {
 public:
  explicit CommandCritic(const CriticSettings& settings) : settings_(settings) {}

  std::optional<Reply> ask(const CriticQuestion& question) override {
    const std::string input =
        base::to_json_line({{"task", question.task},
                            {"prompt", question.prompt},
                            {"code", question.code},
                            {"question", critic_question(question.prompt, question.code)}}) +
        "\n";
    Reply reply;
    for (int64_t attempt = 0; attempt <= settings_.retries; ++attempt) {
      reply = try_once(input);
      if (reply.scores) return reply;
      if (base::is_interrupt_requested()) return std::nullopt;
    }
    return reply;
  }

 private:
  Reply try_once(const std::string& input) const {
    const sandbox::ProcessResult result = sandbox::run_process(
        {"sh", "-c", settings_.command},
        {.time_limit = std::chrono::milliseconds(static_cast<int64_t>(settings_.timeout * 1000)),
         .input = input,
         .errors_apart = true,
         .stops_at_interrupt = true});
    const std::string said = base::in_quotes(result.errors, 200);
    if (result.timed_out) return failure(fmt::format("timeout: no reply after {} s", settings_.timeout));
    if (result.signal != 0) return failure(fmt::format("signal_{}: {}", result.signal, said));
    if (result.exit_status != 0) return failure(fmt::format("exit_{}: {}", result.exit_status, said));
    return reply_from(result.output);
  }
  static Reply failure(std::string text) { return {.scores = std::nullopt, .failed = std::move(text)}; }

  CriticSettings settings_;
};

base::Json line_of(const std::string& key, const CriticQuestion& question,
                   const CriticChannel::Reply& reply) {
  base::Json line = {{"key", key}, {"draw", question.draw}, {"task", question.task}};
  if (!reply.scores) {
    line["failed"] = reply.failed;
    return line;
  }
  line["correctness"] = reply.scores->correctness;
  line["compilability"] = reply.scores->compilability;
  line["speed"] = reply.scores->speed;
  line["reasoning"] = reply.scores->reasoning;
  return line;
}

}  // namespace

std::unique_ptr<CriticChannel> make_critic_channel(const CriticSettings& settings) {
  CUSET_CHECK(settings.is_asked(), "critic {}", name_of(settings.kind));
  if (settings.kind == CriticKind::kEndpoint) return std::make_unique<EndpointCritic>(settings);
  return std::make_unique<CommandCritic>(settings);
}

Critic::Critic(const CriticSettings& settings, const std::filesystem::path& file)
    : settings_(settings), channel_(make_critic_channel(settings)) {
  writer_.emplace(file);
  read(file);
}

void Critic::read(const std::filesystem::path& file) {
  base::JsonlReader reader(file);
  while (const std::optional<base::Json> line = reader.next()) {
    try {
      const std::string key = line->at("key");
      const uint64_t draw = line->at("draw");
      if (line->contains("failed")) {
        failed_[{key, draw}] = line->at("failed");
      } else {
        known_.try_emplace(key, Known{{.correctness = line->at("correctness"),
                                       .compilability = line->at("compilability"),
                                       .speed = line->at("speed"),
                                       .reasoning = line->at("reasoning")},
                                      draw});
      }
    } catch (const base::Json::exception&) {
      throw base::Error("{}: not a line of a critic's opinions", reader.place())
          .with_remedy("remove the file: the critic is asked again");
    }
  }
}

std::string Critic::key_of(const CriticQuestion& question) const {
  const base::Json identity = {name_of(settings_.kind), settings_.model, settings_.command,
                               critic_question(question.prompt, question.code)};
  return base::sha256(base::to_json_line(identity));
}

// Key and number of the first question of each kind that has no opinion yet.
std::vector<std::pair<std::string, size_t>> Critic::open_questions(
    std::span<const CriticQuestion> questions, const std::vector<std::string>& keys) const {
  std::vector<std::pair<std::string, size_t>> open;
  std::set<std::string> seen;
  for (size_t i = 0; i < questions.size(); ++i) {
    if (known_.contains(keys[i]) || failed_.contains({keys[i], questions[i].draw})) continue;
    if (seen.insert(keys[i]).second) open.emplace_back(keys[i], i);
  }
  return open;
}

void Critic::ask(const CriticQuestion& question, const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    if (failures_in_a_row_ >= kFailuresInARow) {
      std::string& reason = failed_[{key, question.draw}] = "not_asked: too many failures in a row";
      return writer_->append(line_of(key, question, {.scores = {}, .failed = reason}));
    }
  }
  const std::optional<CriticChannel::Reply> reply = channel_->ask(question);
  if (!reply) return;
  const std::lock_guard lock(mutex_);
  writer_->append(line_of(key, question, *reply));
  if (reply->scores) {
    failures_in_a_row_ = 0;
    known_.try_emplace(key, Known{*reply->scores, question.draw});
  } else {
    failures_in_a_row_ += reply->refuses_all ? kFailuresInARow : 1;
    failed_[{key, question.draw}] = reply->failed;
  }
}

CriticOpinion Critic::opinion_on(const CriticQuestion& question, const std::string& key) const {
  // A failure first: another draw may have been answered since.
  const auto failed = failed_.find({key, question.draw});
  if (failed != failed_.end()) return {.scores = std::nullopt, .failed = failed->second};
  const auto known = known_.find(key);
  CUSET_CHECK(known != known_.end(), "a question was not asked");
  return {.scores = known->second.scores, .failed = "", .is_cached = known->second.draw != question.draw};
}

void Critic::share_failures(std::span<const CriticQuestion> questions, const std::vector<std::string>& keys) {
  std::map<std::string, std::string> reasons;
  for (size_t i = 0; i < questions.size(); ++i) {
    const auto failed = failed_.find({keys[i], questions[i].draw});
    if (failed != failed_.end()) reasons.try_emplace(keys[i], failed->second);
  }
  for (size_t i = 0; i < questions.size(); ++i) {
    const std::pair<std::string, uint64_t> place = {keys[i], questions[i].draw};
    if (known_.contains(keys[i]) || failed_.contains(place)) continue;
    failed_[place] = reasons.at(keys[i]);
    writer_->append(line_of(keys[i], questions[i], {.scores = {}, .failed = failed_[place]}));
  }
}

std::optional<std::vector<CriticOpinion>> Critic::judge(std::span<const CriticQuestion> questions) {
  std::vector<std::string> keys;
  for (const CriticQuestion& question : questions) keys.push_back(key_of(question));
  const std::vector<std::pair<std::string, size_t>> open = open_questions(questions, keys);
  failures_in_a_row_ = 0;
  const base::WorkerPool pool{.threads = static_cast<size_t>(settings_.parallel), .stops_at_interrupt = true};
  pool.run(open.size(), [&](size_t i) { ask(questions[open[i].second], open[i].first); });
  if (base::is_interrupt_requested()) return std::nullopt;
  share_failures(questions, keys);
  if (!open.empty()) writer_->flush();
  std::vector<CriticOpinion> opinions;
  std::set<std::string> used;
  for (size_t i = 0; i < questions.size(); ++i) {
    opinions.push_back(opinion_on(questions[i], keys[i]));
    if (!used.insert(keys[i]).second) opinions.back().is_cached = opinions.back().scores.has_value();
  }
  return opinions;
}

}  // namespace cuset::reinforce
