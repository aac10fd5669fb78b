// Chat templates: a model folder's own Jinja template turns messages into the text that the model was trained
// on, exactly as Hugging Face's apply_chat_template does (docs/tokenizer.md says what is supported).
//
// The text comes with its provenance. Every byte was either written by the template, where "<|im_end|>" is a
// special token, or came out of a string that the caller passed in (a message, a tool, a variable), where the
// same letters are only letters. A tokenizer that looks for special tokens in the template's pieces alone
// cannot be tricked by a user who types them. A role counts as the template's text if it is one of the usual
// ones, because templates build special tokens such as "<|user|>" around it; any other role is data.
//
// A piece of data knows the string that it came from and which bytes of it, so a response can be found again:
//   const ChatTemplate chat = ChatTemplate::from_model_folder(folder);
//   const RenderedChat rendered = chat.render(messages);
//   const auto span = rendered.find_message(messages.size() - 1);  // bytes of the last message's content in
//   the text
#pragma once

#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_span.h"
#include "base/json/json.h"
#include "text/jinja/limits.h"

namespace cuset::text {

// A string that was given to the template.
struct ChatOrigin {
  // Index into the messages, or -1 for tools and other variables.
  int message = -1;
  // JSON pointer inside the message ("/content", "/tool_calls/0/function/name"), or with the variable's name
  // first
  // ("/tools/0/function"). The name of a member has the pointer of its object.
  std::string pointer;
};

// A stretch of the rendered text. Pieces follow each other without gaps and cover it whole.
struct ChatPiece {
  size_t begin = 0;
  size_t end = 0;
  // Index into RenderedChat::origins for data; -1 for text that the template wrote.
  int origin = -1;
  // The bytes of the origin that this piece stands for. A copy holds exactly them; otherwise the template
  // changed them (escaped a newline, made letters upper case).
  size_t origin_begin = 0;
  size_t origin_end = 0;
  bool is_copy = true;

  bool is_data() const { return origin >= 0; }
};

struct RenderedChat {
  std::string text;
  std::vector<ChatPiece> pieces;
  std::vector<ChatOrigin> origins;
  // What {% generation %} blocks wrote: the parts that Hugging Face masks as the assistant's.
  std::vector<base::ByteSpan> generated;

  // From the first to the last byte that came from a string of a message, by default its content. Nothing if
  // the template left it out.
  std::optional<base::ByteSpan> find_message(size_t message, std::string_view pointer = "/content") const;
};

struct ChatOptions {
  bool add_generation_prompt = false;
  // A list of function descriptions; null: none.
  base::Json tools = nullptr;
  // More variables ("enable_thinking", "documents", ...), as an object. They go before the template's own.
  base::Json variables = base::Json::object();
  // The local time for strftime_now; absent: now.
  std::optional<std::tm> now;
  // One of the folder's named templates; empty: "tool_use" if there is one and tools are given, else
  // "default".
  std::string template_name;
  jinja::Limits limits;
};

// Immutable after loading; render() may be called from several threads.
class ChatTemplate {
 public:
  // Reads chat_template.jinja and additional_chat_templates/*.jinja, else tokenizer_config.json's
  // "chat_template" (a string, or a list of {name, template}), and the special tokens of
  // tokenizer_config.json. Throws Error if there is no template, or "file:line:column: reason" for a default
  // template that uses what is not supported.
  static ChatTemplate from_model_folder(const std::filesystem::path& folder);

  // A template from text; `name` opens the messages of errors. `special_tokens` are variables such as
  // "bos_token".
  static ChatTemplate from_string(std::string_view source, std::string name,
                                  base::Json special_tokens = base::Json::object());

  ChatTemplate(ChatTemplate&&) noexcept;
  ChatTemplate& operator=(ChatTemplate&&) noexcept;
  ~ChatTemplate();

  // Throws Error with the place in the template if the template refuses the messages, they lack what it
  // needs, or it exceeds its limits.
  RenderedChat render(const base::Json& messages, const ChatOptions& options = {}) const;

  // The value of a special token ("bos_token"), if the folder names it.
  std::optional<std::string> special_token(std::string_view name) const;

 private:
  struct Variant;
  ChatTemplate() = default;
  void add(std::string name, std::string file, std::string_view source);
  const Variant& choose(const ChatOptions& options) const;

  std::vector<Variant> variants_;
  base::Json special_tokens_ = base::Json::object();
};

}  // namespace cuset::text
