#include "serve/generation/generation_service.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "model/adapter.h"
#include "ops/device/memory.h"

namespace cuset::serve {
namespace {

constexpr const char* kWaiting = "cuset_generation_waiting";
constexpr const char* kRunning = "cuset_generation_running";
constexpr const char* kFirstToken = "cuset_time_to_first_token_seconds";
constexpr const char* kBetweenTokens = "cuset_inter_token_latency_seconds";
constexpr const char* kPromptTokens = "cuset_prompt_tokens_total";
constexpr const char* kTokens = "cuset_generated_tokens_total";

void declare_metrics(Metrics& metrics) {
  const std::vector<double> seconds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                       0.25,  0.5,    1,     2.5,  5,     10,   30};
  metrics.declare_gauge(kWaiting, "Answers that wait for a place in the batch");
  metrics.declare_gauge(kRunning, "Answers that are being written");
  metrics.declare_histogram(kFirstToken, "Seconds from a request to the first token of its answer", seconds);
  metrics.declare_histogram(kBetweenTokens, "Seconds between two tokens of an answer", seconds);
  metrics.declare_counter(kPromptTokens, "Tokens of prompts that were read");
  metrics.declare_counter(kTokens, "Tokens that were generated");
  metrics.add(kPromptTokens, 0);
  metrics.add(kTokens, 0);
}

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

GenerationService::GenerationService(GenerationServiceOptions options, const text::Tokenizer& tokenizer,
                                     Metrics& metrics)
    : options_(std::move(options)), tokenizer_(tokenizer), metrics_(metrics) {
  declare_metrics(metrics_);
  std::promise<int64_t> loaded;
  std::future<int64_t> positions = loaded.get_future();
  // The model belongs to the thread that uses it: OpenMP keeps its number of threads for each of ours.
  thread_ = std::thread([this, &loaded] { work(loaded); });
  try {
    positions_ = positions.get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

GenerationService::~GenerationService() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    active_.clear();
    waiting_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void GenerationService::work(std::promise<int64_t>& loaded) {
  std::optional<generate::ServedModel> model;
  try {
    model.emplace(options_.model, tokenizer_, options_.stop_tokens);
    model_ = &*model;
    for (const NamedAdapter& adapter : options_.adapters) install(adapter);
  } catch (...) {
    loaded.set_exception(std::current_exception());
    return;
  }
  loaded.set_value(model->positions());
  try {
    run_engine(*model);
  } catch (const std::exception& error) {
    const bool is_memory = ops::is_lack_of_memory(error);
    fail_all(is_memory ? "the device's memory is full: lower --batch-size or --context" : error.what());
  }
}

void GenerationService::run_engine(generate::ServedModel& model) {
  generate::GenerationEvents events;
  events.on_prompt = [this](size_t number, const std::vector<generate::SampledToken>& tokens) {
    if (const GenerationListener listener = take_listener(number, false); listener.on_prompt)
      listener.on_prompt(tokens);
  };
  events.on_token = [this](size_t number, const generate::SampledToken& token) {
    count_token(number);
    if (const GenerationListener listener = take_listener(number, false); listener.on_token)
      listener.on_token(token);
  };
  events.on_text = [this](size_t number, std::string_view text) {
    if (const GenerationListener listener = take_listener(number, false); listener.on_text)
      listener.on_text(text);
  };
  events.on_answer = [this](size_t number, const generate::GeneratedAnswer& answer) {
    metrics_.add(kPromptTokens, static_cast<double>(answer.prompt_tokens));
    if (const GenerationListener listener = take_listener(number, true); listener.on_answer)
      listener.on_answer(answer);
  };
  events.on_step = [this] { run_chores(); };
  model.run(*this, events);
}

std::optional<generate::RequestSource::Numbered> GenerationService::next(bool may_wait) {
  while (true) {
    run_chores();
    std::unique_lock lock(mutex_);
    while (!waiting_.empty()) {
      Numbered taken = std::move(waiting_.front());
      waiting_.pop_front();
      update_gauges();
      if (active_.contains(taken.number)) return taken;
    }
    if (!may_wait || is_closed_) return std::nullopt;
    changed_.wait(lock, [this] { return is_closed_ || !waiting_.empty() || !chores_.empty(); });
  }
}

bool GenerationService::is_wanted(size_t number) {
  const std::lock_guard lock(mutex_);
  return active_.contains(number);
}

void GenerationService::run_chores() {
  std::deque<std::function<void()>> chores;
  {
    const std::lock_guard lock(mutex_);
    chores.swap(chores_);
  }
  for (const std::function<void()>& chore : chores) chore();
  free_unused_adapters();
}

void GenerationService::free_unused_adapters() {
  std::vector<int64_t> unused;
  {
    const std::lock_guard lock(mutex_);
    unused = names_.take_unused();
  }
  for (const int64_t number : unused) model_->drop_adapter(number);
}

GenerationListener GenerationService::take_listener(size_t number, bool is_over) {
  const std::lock_guard lock(mutex_);
  const auto place = active_.find(number);
  if (place == active_.end()) return {};
  GenerationListener listener = place->second.listener;
  if (is_over) {
    if (place->second.adapter >= 0) names_.release(place->second.adapter);
    active_.erase(place);
    update_gauges();
  }
  return listener;
}

void GenerationService::count_token(size_t number) {
  metrics_.add(kTokens);
  const Clock::time_point now = Clock::now();
  const std::lock_guard lock(mutex_);
  const auto place = active_.find(number);
  if (place == active_.end()) return;
  Active& active = place->second;
  metrics_.observe(active.last_token ? kBetweenTokens : kFirstToken,
                   seconds_between(active.last_token.value_or(active.submitted), now));
  active.last_token = now;
}

void GenerationService::update_gauges() {
  metrics_.set(kWaiting, static_cast<double>(waiting_.size()));
  metrics_.set(kRunning, static_cast<double>(active_.size() - std::min(active_.size(), waiting_.size())));
}

void GenerationService::fail_all(const std::string& reason) {
  base::log_error("generation has stopped: {}", reason);
  std::map<size_t, Active> active;
  std::function<void(std::string)> call;
  {
    const std::lock_guard lock(mutex_);
    failure_ = reason;
    active.swap(active_);
    waiting_.clear();
    call = on_failure_;
  }
  for (const auto& [number, one] : active) {
    if (one.listener.on_failure) one.listener.on_failure(reason);
  }
  if (call) call(reason);
}

std::optional<size_t> GenerationService::submit(generate::GenerationRequest request,
                                                const std::string& adapter, GenerationListener listener) {
  size_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!failure_.empty()) throw base::Error("generation has stopped: {}", failure_);
    if (!adapter.empty() && !names_.contains(adapter))
      throw base::Error("there is no adapter {}", base::in_quotes(adapter));
    if (waiting_.size() >= options_.most_waiting) return std::nullopt;
    request.adapter = adapter.empty() ? -1 : *names_.hold(adapter);
    number = next_number_++;
    active_[number] = {std::move(listener), request.adapter, Clock::now(), std::nullopt};
    waiting_.push_back({number, std::move(request)});
    update_gauges();
  }
  changed_.notify_all();
  return number;
}

void GenerationService::cancel(size_t number) {
  {
    // What nobody wants must not take a waiting place from others.
    const std::lock_guard lock(mutex_);
    const auto place =
        std::lower_bound(waiting_.begin(), waiting_.end(), number,
                         [](const Numbered& one, size_t wanted) { return one.number < wanted; });
    if (place != waiting_.end() && place->number == number) waiting_.erase(place);
  }
  take_listener(number, true);
}

bool GenerationService::has_adapter(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return names_.contains(name);
}

std::vector<NamedAdapter> GenerationService::adapters() const {
  const std::lock_guard lock(mutex_);
  return names_.list();
}

// On the engine's thread.
void GenerationService::install(const NamedAdapter& adapter) {
  AdapterNames::Place place;
  {
    const std::lock_guard lock(mutex_);
    place = names_.free_place();
  }
  try {
    if (place.is_new && model_->add_adapter(adapter.folder) != place.number)
      throw base::Error("an adapter has another place in the model");
    if (!place.is_new) model_->replace_adapter(place.number, adapter.folder);
  } catch (...) {
    // A new place stays reserved with nothing in it.
    if (place.is_new) model_->add_adapter(model::Adapter{});
    throw;
  }
  const std::lock_guard lock(mutex_);
  names_.assign(adapter, place.number);
}

void GenerationService::load_adapter(NamedAdapter adapter, bool replaces,
                                     std::function<void(std::string)> done) {
  add_chore([this, adapter = std::move(adapter), replaces, done = std::move(done)] {
    if (const std::string obstacle = obstacle_to(adapter, replaces); !obstacle.empty()) return done(obstacle);
    try {
      install(adapter);
    } catch (const base::Error& error) {
      return done(error.one_line());
    }
    done("");
  });
}

// Why it cannot be loaded; empty where nothing is known against it.
std::string GenerationService::obstacle_to(const NamedAdapter& adapter, bool replaces) const {
  const std::lock_guard lock(mutex_);
  const bool is_known = names_.contains(adapter.name);
  if (is_known && !replaces)
    return fmt::format("an adapter {} is loaded already (load_inplace: true replaces it)",
                       base::in_quotes(adapter.name));
  if (!is_known && names_.taken() >= options_.most_adapters)
    return fmt::format("{} adapters are loaded, the limit of --max-adapters (unload one)", names_.taken());
  return "";
}

void GenerationService::add_chore(std::function<void()> chore) {
  {
    const std::lock_guard lock(mutex_);
    chores_.push_back(std::move(chore));
  }
  changed_.notify_all();
}

bool GenerationService::unload_adapter(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    if (!names_.remove(name)) return false;
  }
  // The engine frees its memory, also where it has nothing else to do.
  add_chore([] {});
  return true;
}

size_t GenerationService::unfinished() const {
  const std::lock_guard lock(mutex_);
  return active_.size();
}

void GenerationService::on_engine_failure(std::function<void(std::string)> call) {
  const std::lock_guard lock(mutex_);
  on_failure_ = std::move(call);
}

}  // namespace cuset::serve
