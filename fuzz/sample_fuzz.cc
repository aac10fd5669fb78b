// Any bytes as a record give a sample, and a prompt, that keep their promises or an Error that opens with the
// place and has a remedy.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "base/error.h"
#include "data/prompt_record.h"
#include "data/sample.h"

namespace {

void check(const cuset::base::Error& error) {
  if (!std::string_view(error.what()).starts_with("fuzz:1: ") || error.remedy().empty()) std::abort();
}

void check_prompt(const cuset::base::Json& record) {
  try {
    const cuset::data::PromptRecord prompt = cuset::data::prompt_from_record(record, "fuzz:1");
    if (prompt.messages.empty() || prompt.messages.back().at("role") == "assistant") std::abort();
  } catch (const cuset::base::Error& error) {
    check(error);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto parsed = cuset::base::try_parse_json({reinterpret_cast<const char*>(data), size});
  const auto* record = std::get_if<cuset::base::Json>(&parsed);
  if (record == nullptr) return 0;
  check_prompt(*record);
  try {
    const cuset::data::Sample sample = cuset::data::sample_from_record(*record, "fuzz:1");
    if (sample.messages.empty() || sample.messages.back().at("role") != "assistant") std::abort();
    for (const cuset::base::Json& message : sample.messages) {
      if (!message.at("role").is_string() || !message.at("content").is_string()) std::abort();
    }
    if (!(sample.weight >= 0) || !(sample.tools.is_null() || sample.tools.is_array())) std::abort();
    // What comes out is itself a record of the first form, and stays as it is.
    const cuset::base::Json again = {{"messages", sample.messages}, {"tools", sample.tools}};
    if (!sample.is_document() && cuset::data::sample_from_record(again, "fuzz:2").messages != sample.messages)
      std::abort();
  } catch (const cuset::base::Error& error) {
    check(error);
  }
  return 0;
}
