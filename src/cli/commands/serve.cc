// cuset serve: a model and its adapters behind an OpenAI-compatible HTTP interface, and the judge as a service. docs/serve.md.
#include "cli/commands/commands.h"

#ifdef CUSET_HAS_SERVE

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "base/error.h"
#include "base/files/file.h"
#include "base/last_part.h"
#include "base/log.h"
#include "benchmarks/benchmark_judge.h"
#include "benchmarks/task_reader.h"
#include "cli/framework/command_record.h"
#include "cli/framework/generation_options.h"
#include "cli/framework/judging.h"
#include "cli/framework/model_path.h"
#include "cli/framework/placement_settings.h"
#include "cli/framework/setting_limits.h"
#include "cli/framework/version.h"
#include "serve/server.h"

namespace cuset::cli {
namespace {

constexpr const char* kKeyVariable = "CUSET_API_KEY";

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string first_word(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_first_of(" \t\r\n", begin) - begin);
}

class ServeCommand : public Command {
 public:
  std::string_view name() const override { return "serve"; }
  std::string_view summary() const override {
    return "Serve a model over HTTP as OpenAI's interface, and the judge of kernel tasks";
  }
  std::string_view examples() const override {
    return "  cuset serve --model assets/model\n"
           "  cuset serve --model M --adapter sft=runs/sft --adapter cuset=runs/cuset --port 8000\n"
           "  CUSET_API_KEY=secret cuset serve --model M --host 0.0.0.0\n"
           "  cuset serve --judge --tasks examples/verify/tasks.jsonl --output runs/judge";
  }

  void declare(Settings& settings) override {
    settings.add("model", model_.folder, "Model folder: Qwen2, Qwen3 or Llama");
    settings.add_words("adapter", adapters_,
                       "Adapter as NAME=FOLDER, chosen by a request's model; may be given several times");
    settings.add("adapter_root", adapter_root_,
                 "Let requests load adapters from folders below this one (empty: from nowhere)");
    settings.add("max_adapters", max_adapters_, "Number of adapters that may be loaded at the same time");
    settings.add("served_model_name", name_, "Name of the model in requests (empty: that of its folder)");
    declare_placement(settings, model_.placement);
    settings.add("threads", model_.placement.threads,
                 "Number of CPU threads (0: all cores that other processes leave free)");
    settings.add("batch_size", model_.slots, "Number of answers written at the same time");
    settings.add("context", model_.positions,
                 "Maximum number of tokens of prompt and answer, at most the model's context length");
    settings.add("max_waiting", max_waiting_, "Number of answers that may wait before requests are refused");
    settings.add("judge", judge_, "Judge answers to --tasks, too");
    settings.add("tasks", tasks_,
                 "Tasks: a file of cuset gym, CUDABench, KernelBench, ParEval or compute-eval");
    settings.add("output", output_, "Folder of the queue and its verdicts; a queue that is there resumes");
    judging_.declare(settings, "seed");
    settings.add("max_queue", max_queue_, "Number of answers that may wait to be judged");
    settings.add("host", options_.http.host, "Address to listen on");
    settings.add("port", port_, "Port to listen on (0: any free one)");
    settings.add("socket", options_.http.socket,
                 "Listen on a Unix socket at this path instead, for this user alone");
    settings.add("api_key_file", key_file_,
                 "File with the key that requests must carry (default: the variable CUSET_API_KEY)");
    settings.add("max_body", body_mebibytes_, "Maximum size of a request's body, in MiB");
    settings_ = &settings;
  }

  int run() override {
    check();
    read_key();
    serve::ServerOptions all = options();
    std::optional<execute::ChosenExecutor> chosen;
    std::unique_ptr<judge::Judge> judge;
    if (judge_) {
      chosen = judging_.choose();
      judge = benchmarks::make_benchmark_judge(*chosen->executor, judging_.settings_for(output_));
      all.judging = judging_options(*judge);
    }
    serve::Server server(std::move(all));
    std::cout << fmt::format("listening on {}\n", address_of(server)) << std::flush;
    const int signal = server.run();
    // What is being judged would be waited for; it is judged again by the next server.
    if (server.was_cut_short()) std::_Exit(128 + signal);
    return signal == 0 ? 0 : 128 + signal;
  }

 private:
  void check() const {
    if (model_.folder.empty() && !judge_)
      throw base::UsageError("nothing to serve: --model and --judge are missing")
          .with_remedy("give one of them");
    if (!model_.folder.empty()) check_model_options(model_);
    if (judge_ && (tasks_.empty() || output_.empty()))
      throw base::UsageError("--judge needs --tasks and --output: the tasks, and a folder for the queue");
    if (!judge_ && !tasks_.empty()) throw base::UsageError("--tasks needs --judge");
    if (judge_) judging_.check_flags();
    within("max_queue", max_queue_, 1, 100'000'000);
    within("port", port_, 0, 65535);
    within("context", model_.positions, 2, 1 << 24);
    within("max_waiting", max_waiting_, 1, 1 << 20);
    within("max_adapters", max_adapters_, std::max<int64_t>(1, std::ssize(adapters_)), 1 << 20);
    within("max_body", body_mebibytes_, 1, 1024);
    if (!adapter_root_.empty() && !std::filesystem::is_directory(adapter_root_))
      throw base::UsageError("--adapter-root: {} is not a folder", adapter_root_.string());
  }

  void read_key() {
    if (!key_file_.empty()) {
      options_.api_key = first_word(base::read_file(key_file_));
      if (options_.api_key.empty()) throw base::UsageError("--api-key-file: {} is empty", key_file_.string());
    }
    if (char* key = std::getenv(kKeyVariable)) {
      if (key_file_.empty()) options_.api_key = first_word(key);
      ::explicit_bzero(key, std::strlen(key));  // else /proc/PID/environ has it for all programs of this user
      unsetenv(kKeyVariable);                   // compilers and answers have no use for it
    }
    const bool is_open = options_.http.socket.empty() && !is_loopback(options_.http.host);
    if (options_.api_key.empty() && is_open) {
      throw base::UsageError("--host {} lets other machines in, and there is no key", options_.http.host)
          .with_remedy("give --api-key-file FILE or set {}", kKeyVariable);
    }
  }

  std::string address_of(const serve::Server& server) const {
    if (!options_.http.socket.empty())
      return "unix:" + std::filesystem::absolute(options_.http.socket).string();
    const std::string& host = options_.http.host;
    return fmt::format(fmt::runtime(host.find(':') == std::string::npos ? "http://{}:{}" : "http://[{}]:{}"),
                       host, server.port());
  }

  serve::JudgeServiceOptions judging_options(judge::Judge& judge) const {
    benchmarks::TaskFile file = benchmarks::read_tasks(tasks_);
    base::log_info("{}: {} tasks ({}); seed {}", tasks_.string(), file.tasks.size(), file.benchmark,
                   judge.settings().seed);
    serve::JudgeServiceOptions options;
    options.judge = &judge;
    options.tasks = std::move(file.tasks);
    options.folder = output_;
    options.about = command_record("serve", *settings_);
    options.about.update({{"tasks", tasks_.string()}, {"machine", judge.executor().description()}});
    options.workers = judging_.workers;
    options.most_waiting = static_cast<size_t>(max_queue_);
    return options;
  }

  serve::ServerOptions options() {
    serve::ServerOptions all = options_;
    all.version = program_version();
    all.http.port = static_cast<int>(port_);
    all.http.body_limit = static_cast<size_t>(body_mebibytes_) << 20;
    if (model_.folder.empty()) return all;
    serve::GenerationServiceOptions generation{.model = model_,
                                               .adapters = {},
                                               .stop_tokens = {},
                                               .most_waiting = static_cast<size_t>(max_waiting_),
                                               .most_adapters = static_cast<size_t>(max_adapters_)};
    for (const std::string& text : adapters_) {
      generation.adapters.push_back(serve::named_adapter_from_text(text));
      require_adapter_folder(generation.adapters.back().folder);
    }
    all.completion = {.model_name = name_.empty() ? base::last_part(model_.folder) : name_,
                      .model_folder = model_.folder.string(),
                      .adapter_root = adapter_root_};
    if (all.completion.model_name.empty()) all.completion.model_name = "model";
    all.generation = std::move(generation);
    return all;
  }

  generate::ServedModelOptions model_;
  std::vector<std::string> adapters_;
  std::filesystem::path adapter_root_;
  std::string name_;
  int64_t max_waiting_ = 1024;
  int64_t max_adapters_ = 64;
  int64_t port_ = 8000;
  std::filesystem::path key_file_;
  int64_t body_mebibytes_ = 16;
  bool judge_ = false;
  std::filesystem::path tasks_;
  std::filesystem::path output_;
  Judging judging_;
  int64_t max_queue_ = 100'000;
  const Settings* settings_ = nullptr;
  serve::ServerOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_serve_command() { return std::make_unique<ServeCommand>(); }

}  // namespace cuset::cli

#else

namespace cuset::cli {
namespace {

class ServeCommand : public Command {
 public:
  std::string_view name() const override { return "serve"; }
  std::string_view summary() const override {
    return "Serve a model and its adapters over HTTP (not in this program)";
  }
  std::string_view examples() const override { return "  cuset serve --model assets/model"; }
  void declare(Settings&) override {}
  int run() override {
    throw base::Error("this program was built without libevent or SQLite and serves nothing")
        .with_remedy("install libevent-dev and libsqlite3-dev and build it again");
  }
};

}  // namespace

std::unique_ptr<Command> make_serve_command() { return std::make_unique<ServeCommand>(); }

}  // namespace cuset::cli

#endif
