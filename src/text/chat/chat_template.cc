#include "text/chat/chat_template.h"

#include <algorithm>

#include "base/error.h"
#include "base/files/file.h"
#include "text/chat/chat_variables.h"
#include "text/jinja/evaluator.h"
#include "text/jinja/parser.h"

namespace cuset::text {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSpecialTokens[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                               "pad_token", "cls_token", "mask_token"};

// A special token is written as "text" or as {"content": "text", ...}.
base::Json token_text(const base::Json& token) {
  if (token.is_string()) return token;
  if (token.is_object() && token.contains("content") && token["content"].is_string()) return token["content"];
  return nullptr;
}

base::Json special_tokens_of(const base::Json& config) {
  base::Json tokens = base::Json::object();
  for (const std::string_view name : kSpecialTokens) {
    const auto found = config.find(std::string(name));
    if (found == config.end()) continue;
    if (base::Json text = token_text(*found); !text.is_null()) tokens[std::string(name)] = std::move(text);
  }
  const auto additional = config.find("additional_special_tokens");
  if (additional == config.end() || !additional->is_array()) return tokens;
  base::Json list = base::Json::array();
  for (const base::Json& token : *additional) {
    if (base::Json text = token_text(token); !text.is_null()) list.push_back(std::move(text));
  }
  if (!list.empty()) tokens["additional_special_tokens"] = std::move(list);
  return tokens;
}

jinja::Program parse_named(const std::string& file, std::string_view source) {
  if (const size_t bad = jinja::find_invalid_utf8(source); bad != std::string_view::npos) {
    throw base::Error("{}: not valid UTF-8 at byte {}", file, bad);
  }
  try {
    return jinja::parse_template(source);
  } catch (const jinja::SyntaxFailure& failure) {
    throw base::Error("{}:{}:{}: {}", file, failure.place.line, failure.place.column, failure.what())
        .with_remedy("docs/tokenizer.md lists what chat templates may use");
  }
}

std::vector<ChatPiece> pieces_of(const jinja::Text& text) {
  std::vector<ChatPiece> pieces;
  size_t done = 0;
  for (const jinja::Mark& mark : text.marks) {
    if (mark.begin > done) pieces.push_back(ChatPiece{.begin = done, .end = mark.begin});
    pieces.push_back({mark.begin, mark.end, mark.origin, mark.origin_begin, mark.origin_end, mark.is_copy});
    done = mark.end;
  }
  if (done < text.bytes.size()) pieces.push_back(ChatPiece{.begin = done, .end = text.bytes.size()});
  return pieces;
}

}  // namespace

struct ChatTemplate::Variant {
  std::string name;
  std::string file;
  jinja::Program program;
  // Why a template other than the default could not be loaded; thrown when it is asked for.
  std::string failure;
};

ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;
ChatTemplate::~ChatTemplate() = default;

void ChatTemplate::add(std::string name, std::string file, std::string_view source) {
  Variant variant;
  variant.name = std::move(name);
  variant.file = std::move(file);
  try {
    variant.program = parse_named(variant.file, source);
  } catch (const base::Error& error) {
    if (variant.name == "default") throw;
    variant.failure = error.what();
  }
  variants_.push_back(std::move(variant));
}

ChatTemplate ChatTemplate::from_string(std::string_view source, std::string name, base::Json special_tokens) {
  ChatTemplate chat;
  chat.special_tokens_ = std::move(special_tokens);
  chat.add("default", std::move(name), source);
  return chat;
}

ChatTemplate ChatTemplate::from_model_folder(const fs::path& folder) {
  ChatTemplate chat;
  const fs::path config_path = folder / "tokenizer_config.json";
  base::Json config = base::Json::object();
  if (fs::exists(config_path)) config = base::read_json_file(config_path);
  if (!config.is_object()) throw base::Error("{}: not a JSON object", config_path.string());
  chat.special_tokens_ = special_tokens_of(config);

  if (const fs::path file = folder / "chat_template.jinja"; fs::exists(file)) {
    chat.add("default", file.string(), base::read_file(file));
    const fs::path more = folder / "additional_chat_templates";
    if (!fs::is_directory(more)) return chat;
    for (const auto& entry : fs::directory_iterator(more)) {
      if (entry.path().extension() != ".jinja") continue;
      chat.add(entry.path().stem().string(), entry.path().string(), base::read_file(entry.path()));
    }
    return chat;
  }
  const base::Json templates = config.value("chat_template", base::Json(nullptr));
  if (templates.is_string()) {
    chat.add("default", config_path.string() + "#chat_template", templates.get<std::string>());
  } else if (templates.is_array()) {
    for (const base::Json& entry : templates) {
      const bool is_named = entry.is_object() && entry.contains("name") && entry["name"].is_string() &&
                            entry.contains("template") && entry["template"].is_string();
      if (!is_named)
        throw base::Error("{}: chat_template: an entry lacks name and template", config_path.string());
      const std::string name = entry["name"];
      chat.add(name, config_path.string() + "#chat_template." + name, entry["template"].get<std::string>());
    }
  }
  if (chat.variants_.empty()) {
    throw base::Error(
        "{}: no chat template (neither chat_template.jinja nor chat_template in tokenizer_config.json)",
        folder.string())
        .with_remedy("use an instruction-tuned model, or put a chat_template.jinja into the folder");
  }
  return chat;
}

const ChatTemplate::Variant& ChatTemplate::choose(const ChatOptions& options) const {
  const auto find = [&](std::string_view name) -> const Variant* {
    const auto found =
        std::find_if(variants_.begin(), variants_.end(), [&](const Variant& v) { return v.name == name; });
    return found == variants_.end() ? nullptr : &*found;
  };
  const Variant* chosen = nullptr;
  if (!options.template_name.empty()) {
    chosen = find(options.template_name);
  } else {
    if (!options.tools.is_null()) chosen = find("tool_use");
    if (chosen == nullptr) chosen = find("default");
  }
  if (chosen == nullptr) {
    std::string known;
    for (const Variant& variant : variants_) known += (known.empty() ? "" : ", ") + variant.name;
    const std::string wanted = options.template_name.empty() ? "default" : options.template_name;
    throw base::Error("the model has no chat template named '{}'", wanted)
        .with_remedy("choose one of: {}", known);
  }
  if (!chosen->failure.empty()) throw base::Error("{}", chosen->failure);
  return *chosen;
}

RenderedChat ChatTemplate::render(const base::Json& messages, const ChatOptions& options) const {
  const Variant& variant = choose(options);
  ChatVariables convert;
  std::map<std::string, jinja::Value, std::less<>> variables;
  try {
    for (const auto& [name, token] : special_tokens_.items()) variables[name] = ChatVariables::trusted(token);
    variables["documents"] = jinja::None{};
    for (const auto& [name, value] : options.variables.items())
      variables[name] = convert.variable(name, value);
    variables["messages"] = convert.messages(messages);
    variables["tools"] = convert.variable("tools", options.tools);
    variables["add_generation_prompt"] = options.add_generation_prompt;
  } catch (const jinja::Failure& failure) {
    throw base::Error("the messages cannot be given to a chat template: {}", failure.what());
  }
  jinja::Evaluator evaluator(variant.program, std::move(variables), options.limits);
  if (options.now) evaluator.set_now(*options.now);
  try {
    jinja::Text text = evaluator.render();
    RenderedChat rendered;
    rendered.pieces = pieces_of(text);
    rendered.text = std::move(text.bytes);
    rendered.origins = convert.take_origins();
    rendered.generated = evaluator.generated();
    return rendered;
  } catch (const jinja::Failure& failure) {
    const jinja::Place place = evaluator.place();
    throw base::Error("{}:{}:{}: {}", variant.file, place.line, place.column, failure.what());
  }
}

std::optional<std::string> ChatTemplate::special_token(std::string_view name) const {
  const auto found = special_tokens_.find(std::string(name));
  if (found == special_tokens_.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<base::ByteSpan> RenderedChat::find_message(size_t message, std::string_view pointer) const {
  std::optional<base::ByteSpan> range;
  for (const ChatPiece& piece : pieces) {
    if (!piece.is_data()) continue;
    const ChatOrigin& origin = origins[static_cast<size_t>(piece.origin)];
    if (origin.message != static_cast<int>(message) || origin.pointer != pointer) continue;
    if (!range) range = base::ByteSpan{piece.begin, piece.end};
    range->end = piece.end;
  }
  return range;
}

}  // namespace cuset::text
