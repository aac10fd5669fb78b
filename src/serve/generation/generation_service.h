// A model that answers requests as they come: a thread of its own runs the engine (generate/engine.h), and requests join
// the running batch. An answer depends on its request alone, whoever else asks meanwhile.
//
// Adapters are called by name. They come and go while others are being answered; one that leaves still serves the
// requests that were made for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "generate/generation.h"
#include "generate/served_model.h"
#include "serve/generation/adapter_names.h"
#include "serve/http/metrics.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::serve {

// Called by the engine's thread, which they must not keep waiting. Any may be empty.
struct GenerationListener {
  std::function<void(const std::vector<generate::SampledToken>& tokens)> on_prompt;
  std::function<void(const generate::SampledToken& token)> on_token;
  std::function<void(std::string_view text)> on_text;
  std::function<void(const generate::GeneratedAnswer& answer)> on_answer;
  std::function<void(const std::string& reason)> on_failure;  // instead of on_answer
};

struct GenerationServiceOptions {
  generate::ServedModelOptions model;  // without adapters
  std::vector<NamedAdapter> adapters;
  std::vector<int64_t> stop_tokens;
  size_t most_waiting = 1024;  // requests without a slot
  size_t most_adapters = 64;   // that load_adapter() keeps in memory
};

class GenerationService : private generate::RequestSource {
 public:
  // Loads the model. The tokenizer and the metrics must outlive this. Throws Error for what cannot be loaded.
  GenerationService(GenerationServiceOptions options, const text::Tokenizer& tokenizer, Metrics& metrics);
  // Ends at once; nobody is told.
  ~GenerationService() override;

  int64_t positions() const { return positions_; }

  // Queues a request for the adapter of this name (empty: none) and gives its number; nothing where too many wait. Throws
  // Error where the engine has failed, or there is no such adapter.
  std::optional<size_t> submit(generate::GenerationRequest request, const std::string& adapter,
                               GenerationListener listener);
  // Nobody wants the answer any more. Does nothing where it is complete.
  void cancel(size_t number);

  bool has_adapter(const std::string& name) const;
  std::vector<NamedAdapter> adapters() const;
  // Loads an adapter between two steps; `done` is called by the engine's thread with what went wrong, or nothing. One of this name is
  // replaced where `replaces`, else it is an error; so is one more than `most_adapters`.
  void load_adapter(NamedAdapter adapter, bool replaces, std::function<void(std::string problem)> done);
  // False where there is none of this name.
  bool unload_adapter(const std::string& name);

  // Requests that are waiting or being answered.
  size_t unfinished() const;
  // Called by the engine's thread where it cannot go on.
  void on_engine_failure(std::function<void(std::string reason)> call);

 private:
  using Clock = std::chrono::steady_clock;
  struct Active {
    GenerationListener listener;
    int64_t adapter = -1;
    Clock::time_point submitted;
    std::optional<Clock::time_point> last_token;
  };

  std::optional<Numbered> next(bool may_wait) override;
  bool is_wanted(size_t number) override;

  void work(std::promise<int64_t>& loaded);
  void run_engine(generate::ServedModel& model);
  void run_chores();
  void add_chore(std::function<void()> chore);
  std::string obstacle_to(const NamedAdapter& adapter, bool replaces) const;
  void install(const NamedAdapter& adapter);
  void free_unused_adapters();
  GenerationListener take_listener(size_t number, bool is_over);
  void count_token(size_t number);
  void fail_all(const std::string& reason);
  void update_gauges();  // under the lock

  GenerationServiceOptions options_;
  const text::Tokenizer& tokenizer_;
  Metrics& metrics_;
  int64_t positions_ = 0;
  generate::ServedModel* model_ = nullptr;  // of the engine's thread

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Numbered> waiting_;
  std::map<size_t, Active> active_;
  std::deque<std::function<void()>> chores_;  // for the engine's thread
  AdapterNames names_;
  size_t next_number_ = 0;
  bool is_closed_ = false;
  std::string failure_;
  std::function<void(std::string)> on_failure_;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace cuset::serve
