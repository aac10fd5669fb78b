// Bodies of requests to `cuset serve`: chats, plain completions, answers to judge. Whatever arrives is read or refused with an Error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "serve/judging/judge_request.h"
#include "serve/judging/kernel_gym.h"
#include "serve/judging/nemo_gym.h"
#include "serve/openai/completion_request.h"
#include "serve/page/answer_regions.h"

namespace {

template <typename Read>
void read_or_refuse(const Read& read) {
  try {
    read();
  } catch (const cuset::base::Error&) {  // what a client is told
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using cuset::serve::CompletionKind;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_or_refuse([&] {
    const cuset::base::Json body = cuset::base::parse_json(text, "request");
    read_or_refuse([&] { cuset::serve::completion_request_from_json(body, CompletionKind::kChat); });
    read_or_refuse([&] { cuset::serve::completion_request_from_json(body, CompletionKind::kPlain); });
    read_or_refuse([&] { cuset::serve::judge_request_from_json(body); });
    read_or_refuse([&] { cuset::serve::answer_regions(body); });
    read_or_refuse([&] { cuset::serve::nemo_gym_request_from_json(body); });
    read_or_refuse([&] { cuset::serve::kernel_gym_request_from_json(body); });
    read_or_refuse([&] { cuset::serve::kernel_gym_batch_from_json(body); });
  });
  return 0;
}
