#include "serve/http/error_reply.h"

#include "base/json/json.h"

namespace cuset::serve {
namespace {

std::string_view error_type(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 429:
      return "rate_limit_error";
    default:
      return status < 500 ? "invalid_request_error" : "server_error";
  }
}

// The field that a reader of JSON names (base/json/json_cursor.h): "request: field 'messages[1].role' ...".
base::Json param_in(std::string_view message) {
  constexpr std::string_view kOpening = "request: field '";
  const size_t end =
      message.starts_with(kOpening) ? message.find('\'', kOpening.size()) : std::string_view::npos;
  if (end == std::string_view::npos) return nullptr;
  return message.substr(kOpening.size(), end - kOpening.size());
}

}  // namespace

std::string error_body(int status, std::string_view message, std::string_view code) {
  const base::Json error = {{"message", message},
                            {"type", error_type(status)},
                            {"param", param_in(message)},
                            {"code", code.empty() ? base::Json(nullptr) : base::Json(code)}};
  return base::to_json_line({{"error", error}});
}

}  // namespace cuset::serve
