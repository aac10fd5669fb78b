// Chat templates: any bytes as template and messages give text or an Error, within the limits. The input is a
// template, optionally followed by a zero byte and the messages as JSON. Pieces must cover the text without
// gaps and copies must equal what they name.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "text/chat/chat_template.h"

namespace {

constexpr const char* kMessages = R"([{"role": "system", "content": "be <|im_end|> brief"},
  {"role": "user", "content": "héllo\nwörld", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1, "b": [2.5, null]}}}]},
  {"role": "assistant", "content": "<think>x</think> ok"}])";

void check_pieces(const cuset::text::RenderedChat& chat, const cuset::base::Json& messages) {
  size_t position = 0;
  for (const cuset::text::ChatPiece& piece : chat.pieces) {
    if (piece.begin != position || piece.end <= piece.begin) std::abort();
    position = piece.end;
    if (!piece.is_data() || !piece.is_copy) continue;
    const cuset::text::ChatOrigin& origin = chat.origins[static_cast<size_t>(piece.origin)];
    if (origin.message < 0) continue;
    const cuset::base::Json& value =
        messages[static_cast<size_t>(origin.message)].at(cuset::base::Json::json_pointer(origin.pointer));
    if (!value.is_string()) continue;
    const auto& source = value.get_ref<const std::string&>();
    const size_t size = piece.end - piece.begin;
    if (source.compare(piece.origin_begin, piece.origin_end - piece.origin_begin, chat.text, piece.begin,
                       size) != 0) {
      std::abort();
    }
  }
  if (position != chat.text.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t zero = input.find('\0');
  try {
    const auto chat =
        cuset::text::ChatTemplate::from_string(input.substr(0, zero), "input", {{"bos_token", "<s>"}});
    const std::string_view json = zero == std::string_view::npos ? kMessages : input.substr(zero + 1);
    const cuset::base::Json messages = cuset::base::parse_json(json, "messages");
    cuset::text::ChatOptions options;
    options.add_generation_prompt = true;
    options.tools = cuset::base::Json::array({{{"name", "größe"}}});
    options.now.emplace();
    // Small enough that the slow sanitized build stays far below the fuzzer's time limit.
    options.limits.work = size_t{1} << 23;
    options.limits.output = size_t{1} << 20;
    check_pieces(chat.render(messages, options), messages);
  } catch (const cuset::base::Error&) {
  }
  return 0;
}
