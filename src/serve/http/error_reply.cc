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

}  // namespace

std::string error_body(int status, std::string_view message, std::string_view code) {
  const base::Json error = {{"message", message},
                            {"type", error_type(status)},
                            {"param", nullptr},
                            {"code", code.empty() ? base::Json(nullptr) : base::Json(code)}};
  return base::to_json_line({{"error", error}});
}

}  // namespace cuset::serve
