// The reply of an endpoint on any bytes: an answer, or what is wrong with it in one printable line.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/net/chat_reply.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto parsed = cuset::base::parse_chat_reply(body);
  if (const auto* fault = std::get_if<std::string>(&parsed)) {
    require(!fault->empty() && fault->find('\n') == std::string::npos);
  } else {
    const auto& reply = std::get<cuset::base::ChatReply>(parsed);
    require(reply.prompt_tokens >= -1 && reply.completion_tokens >= -1 && reply.reasoning_tokens >= -1);
  }
  const std::string error = cuset::base::error_in_reply(body);
  require(error.size() < 1000 && error.find('\n') == std::string::npos);
  return 0;
}
