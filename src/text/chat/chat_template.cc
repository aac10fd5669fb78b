#include "text/chat/chat_template.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/files/file.h"
#include "text/jinja/evaluator.h"
#include "text/jinja/parser.h"
#include "text/jinja/value.h"

namespace cuset::text {
namespace {

namespace fs = std::filesystem;
using jinja::Value;

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

// Roles that templates may build special tokens around.
constexpr std::string_view kRoles[] = {"system", "developer", "user",    "assistant",
                                       "tool",   "function",  "ipython", "model"};

bool is_usual_role(const std::string& role) {
  return std::find(std::begin(kRoles), std::end(kRoles), role) != std::end(kRoles);
}

void check_utf8(const std::string& bytes, const std::string& where) {
  const size_t position = jinja::find_invalid_utf8(bytes);
  if (position != std::string::npos) {
    throw base::Error("{}: not valid UTF-8 at byte {}", where, position)
        .with_remedy("convert the data to UTF-8");
  }
  if (bytes.size() > std::numeric_limits<int32_t>::max()) throw base::Error("{}: longer than 2 GiB", where);
}

std::string place_of(int message, const std::string& pointer) {
  return message < 0 ? "template variable " + pointer : fmt::format("message {}, {}", message, pointer);
}

std::string escaped_key(const std::string& key) {
  std::string out;
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

Value number_of(const base::Json& value, const std::string& where) {
  if (value.is_number_float()) return value.get<double>();
  if (value.is_number_unsigned() &&
      value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    throw base::Error("{}: the number {} does not fit 64 bits", where, value.get<uint64_t>());
  }
  return value.get<int64_t>();
}

// Turns JSON into template values and numbers every string with its origin.
class ChatVariables {
 public:
  // A string of the caller: marked as data.
  Value messages(const base::Json& messages);
  Value variable(const std::string& name, const base::Json& value);
  // A string of the model folder: the template's own text.
  static Value trusted(const base::Json& value);

  std::vector<ChatOrigin> take_origins() { return std::move(origins_); }

 private:
  Value convert(const base::Json& value, int message, const std::string& pointer);
  Value marked_text(const std::string& bytes, int message, const std::string& pointer);

  std::vector<ChatOrigin> origins_;
};

Value ChatVariables::marked_text(const std::string& bytes, int message, const std::string& pointer) {
  check_utf8(bytes, place_of(message, pointer));
  auto text = std::make_shared<jinja::Text>();
  text->bytes = bytes;
  if (!bytes.empty()) {
    const auto size = static_cast<uint32_t>(bytes.size());
    text->marks.push_back({0, size, static_cast<int32_t>(origins_.size()), 0, size, true});
  }
  origins_.push_back({message, pointer});
  return jinja::TextPtr(std::move(text));
}

Value ChatVariables::convert(const base::Json& value, int message, const std::string& pointer) {
  if (value.is_string()) {
    const auto& bytes = value.get_ref<const std::string&>();
    if (message >= 0 && pointer == "/role" && is_usual_role(bytes)) return jinja::text_value(bytes);
    return marked_text(bytes, message, pointer);
  }
  if (value.is_array()) {
    std::vector<Value> items;
    items.reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i)
      items.push_back(convert(value[i], message, fmt::format("{}/{}", pointer, i)));
    return jinja::make_list(std::move(items));
  }
  if (value.is_object()) {
    std::vector<std::pair<Value, Value>> items;
    for (const auto& [key, item] : value.items()) {
      items.emplace_back(marked_text(key, message, pointer),
                         convert(item, message, pointer + "/" + escaped_key(key)));
    }
    return jinja::make_dict(std::move(items));
  }
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return number_of(value, place_of(message, pointer));
  return jinja::None{};
}

Value ChatVariables::messages(const base::Json& messages) {
  if (!messages.is_array())
    throw base::Error("the messages of a chat are a list, not {}", messages.type_name());
  std::vector<Value> items;
  for (size_t i = 0; i < messages.size(); ++i) items.push_back(convert(messages[i], static_cast<int>(i), ""));
  return jinja::make_list(std::move(items));
}

Value ChatVariables::variable(const std::string& name, const base::Json& value) {
  return convert(value, -1, "/" + name);
}

Value ChatVariables::trusted(const base::Json& value) {
  if (value.is_string()) {
    check_utf8(value.get_ref<const std::string&>(), "special token");
    return jinja::text_value(value.get_ref<const std::string&>());
  }
  std::vector<Value> items;
  for (const base::Json& item : value) items.push_back(trusted(item));
  return jinja::make_list(std::move(items));
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
