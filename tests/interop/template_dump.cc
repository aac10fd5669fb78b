// Renders chat templates for a test script. One JSON request per line on standard input:
//   {"template", "messages", "tools", "variables", "special_tokens", "add_generation_prompt", "now": [y, m,
//   d]}
// one JSON answer per line on standard output: {"text", "pieces"} or {"error", "stage": "load" or "render"}.
#include <string>

#include "answer_lines.h"
#include "base/error.h"
#include "text/chat/chat_template.h"

namespace cuset::tests {
namespace {

text::ChatOptions options_of(const base::Json& request) {
  text::ChatOptions options;
  options.tools = request.value("tools", base::Json(nullptr));
  options.variables = request.value("variables", base::Json::object());
  options.add_generation_prompt = request.value("add_generation_prompt", false);
  options.limits.work = size_t{1} << 27;
  if (request.contains("now")) {
    std::tm now{};
    now.tm_year = request["now"][0].get<int>() - 1900;
    now.tm_mon = request["now"][1].get<int>() - 1;
    now.tm_mday = request["now"][2];
    std::mktime(&now);
    options.now = now;
  }
  return options;
}

base::Json describe(const text::RenderedChat& chat) {
  base::Json pieces = base::Json::array();
  for (const text::ChatPiece& piece : chat.pieces) {
    base::Json row = {{"begin", piece.begin}, {"end", piece.end}};
    if (piece.is_data()) {
      const text::ChatOrigin& origin = chat.origins[static_cast<size_t>(piece.origin)];
      row.update({{"message", origin.message}, {"pointer", origin.pointer}});
      row.update({{"origin_begin", piece.origin_begin},
                  {"origin_end", piece.origin_end},
                  {"is_copy", piece.is_copy}});
    }
    pieces.push_back(row);
  }
  return {{"text", chat.text}, {"pieces", pieces}};
}

base::Json answer(const base::Json& request) {
  const char* stage = "load";
  try {
    const std::string source = request.at("template");
    const auto chat =
        text::ChatTemplate::from_string(source, "t", request.value("special_tokens", base::Json::object()));
    stage = "render";
    return describe(chat.render(request.value("messages", base::Json::array()), options_of(request)));
  } catch (const base::Error& error) {
    return {{"error", error.what()}, {"stage", stage}};
  }
}

}  // namespace
}  // namespace cuset::tests

int main() { return cuset::tests::answer_lines(cuset::tests::answer); }
