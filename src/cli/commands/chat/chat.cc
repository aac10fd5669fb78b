// cuset chat: a chat with a model in the terminal. docs/generate.md.
#include "cli/commands/commands.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/console.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "cli/commands/chat/chat_input.h"
#include "cli/framework/generation_options.h"
#include "data/example.h"
#include "data/messages.h"
#include "ops/device/memory.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHelp =
    "/reset            forget the chat, keep the system message\n"
    "/system TEXT      set the system message; without TEXT: none. Forgets the chat\n"
    "/adapter FOLDER   answer with this adapter; without FOLDER: with none\n"
    "/save FILE        append the chat to FILE, as a record of training data\n"
    "/help, /quit\n"
    "Several lines: end a line with \\, or put them between two lines of \"\"\". Ctrl-C stops an answer.\n";

struct ChatSettings {
  generate::ServedModelOptions model;
  generate::GenerationSettings generation;
  std::string system;
  int64_t seed = 42;
};

// A chat with one model.
class Chat {
 public:
  explicit Chat(const ChatSettings& settings)
      : settings_(settings),
        adapters_(settings.model.adapters),
        builder_(data::ExampleBuilder::from_model_folder(settings.model.folder)),
        model_(settings.model, builder_.tokenizer(), {builder_.closing_token()}),
        adapter_(adapters_.empty() ? -1 : 0) {
    set_system(settings.system);
  }

  // Until the input ends or says so.
  void run(ChatInput& input) {
    while (const std::optional<ChatLine> line = input.next()) {
      if (line->command == "quit" || line->command == "exit") return;
      try {
        if (line->command.empty()) {
          answer(line->text);
        } else {
          obey(*line);
        }
      } catch (const base::Error& error) {  // a mistyped name must not end the chat
        say(error.one_line());
      }
    }
  }

 private:
  static void say(std::string_view text) { base::standard_console().print_line(text); }

  void obey(const ChatLine& line) {
    if (line.command == "reset") {
      set_system(system_);
    } else if (line.command == "system") {
      set_system(line.text);
    } else if (line.command == "adapter") {
      set_adapter(line.text);
    } else if (line.command == "save") {
      save(line.text);
    } else {
      if (line.command != "help") say(fmt::format("unknown command {}", base::in_quotes("/" + line.command)));
      say(kHelp);
    }
  }

  void set_system(const std::string& text) {
    system_ = text;
    messages_ = base::Json::array();
    if (!text.empty()) messages_.push_back(data::make_message("system", text));
  }

  void set_adapter(const std::string& folder) {
    if (folder.empty()) {
      adapter_ = -1;
      return;
    }
    auto known = std::find(adapters_.begin(), adapters_.end(), folder);
    if (known == adapters_.end()) {
      model_.add_adapter(folder);
      known = adapters_.insert(adapters_.end(), folder);
    }
    adapter_ = known - adapters_.begin();
  }

  void save(const std::string& file) const {
    if (file.empty()) throw base::Error("/save needs the name of a file");
    if (messages_.empty() || messages_.back()["role"] != "assistant")
      throw base::Error("there is no answer to save");
    base::JsonlWriter(file).append({{"messages", messages_}});
    say(fmt::format("appended to {}", file));
  }

  void answer(const std::string& text) {
    base::Json messages = messages_;
    messages.push_back(data::make_message("user", text));
    generate::GenerationRequest request;
    const std::vector<uint32_t> ids = builder_.encode_prompt(messages);
    request.prompt.assign(ids.begin(), ids.end());
    if (std::ssize(ids) >= model_.positions()) {
      throw base::Error("the chat has {} tokens, the context {}", ids.size(), model_.positions())
          .with_remedy("/reset starts a new chat; --context makes room for more tokens");
    }
    request.adapter = adapter_;
    request.settings = settings_.generation;
    request.random = base::RandomStream(static_cast<uint64_t>(settings_.seed), "chat").child(turns_++);
    messages.push_back(data::make_message("assistant", stream(request)));
    messages_ = std::move(messages);
  }

  // Shows the answer while it is written; gives what there was of it when it ended or was stopped.
  std::string stream(const generate::GenerationRequest& request) {
    std::string shown;
    generate::GenerationEvents events;
    events.on_text = [&](size_t, std::string_view piece) {
      shown += piece;
      std::cout << base::printable(piece, /*keep_lines=*/true) << std::flush;
    };
    events.on_answer = [&](size_t, const generate::GeneratedAnswer& answer) {
      base::log_debug("{} tokens in {:.1f} s, confidence {:.2f}, ended by {}", answer.tokens, answer.seconds,
                      answer.confidence, generate::name_of(answer.finish));
    };
    const base::InterruptGuard guard;
    const bool is_complete = model_.run({&request, 1}, events);
    std::cout << (shown.ends_with('\n') ? "" : "\n") << std::flush;
    if (!is_complete) say("(stopped)");
    return shown;
  }

  const ChatSettings& settings_;
  std::vector<std::string> adapters_;
  data::ExampleBuilder builder_;
  generate::ServedModel model_;
  int64_t adapter_;
  std::string system_;
  base::Json messages_ = base::Json::array();
  uint64_t turns_ = 0;
};

class ChatCommand : public Command {
 public:
  ChatCommand() {
    settings_.model.slots = 1;
    settings_.generation.sampling.temperature = 0.7;
  }

  std::string_view name() const override { return "chat"; }
  std::string_view summary() const override { return "Chat with a model in the terminal"; }
  std::string_view examples() const override {
    return "  cuset chat --model M\n"
           "  cuset chat --model M --adapter runs/cuset --temperature 0\n"
           "  echo 'Write a CUDA kernel that adds two vectors' | cuset chat --model M --quiet";
  }

  void declare(Settings& settings) override {
    declare_model(settings, settings_.model);
    settings.add("system", settings_.system, "System message of the chat");
    settings.add("context", settings_.model.positions,
                 "Maximum number of tokens of the chat, at most the model's context length");
    declare_sampling(settings, settings_.generation);
    settings.add("seed", settings_.seed, "Sampling seed");
  }

  int run() override {
    check_model_options(settings_.model);
    check_sampling(settings_.generation);
    if (settings_.seed < 0) throw base::UsageError("--seed: {} is negative", settings_.seed);
    if (settings_.model.positions < 2) {
      throw base::UsageError("--context: {} leaves no room", settings_.model.positions);
    }
    try {
      talk();
    } catch (const std::exception& error) {
      if (!ops::is_lack_of_memory(error)) throw;
      throw ops::lack_of_memory("lower --context, or take a smaller model");
    }
    return 0;
  }

 private:
  void talk() const {
    const bool is_terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
    Chat chat(settings_);
    if (is_terminal) base::log_info("/help lists the commands; /quit or Ctrl-D ends the chat");
    ChatInput input(std::cin, [is_terminal](bool continues) {
      if (is_terminal) std::cout << (continues ? "... " : "> ") << std::flush;
    });
    chat.run(input);
  }

  ChatSettings settings_;
};

}  // namespace

std::unique_ptr<Command> make_chat_command() { return std::make_unique<ChatCommand>(); }

}  // namespace cuset::cli
