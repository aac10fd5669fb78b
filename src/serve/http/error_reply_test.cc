#include "serve/http/error_reply.h"

#include <gtest/gtest.h>

#include "base/json/json.h"

namespace cuset::serve {
namespace {

TEST(ErrorReply, ErrorsHaveOpenAisForm) {
  EXPECT_EQ(
      error_body(404, "no \"x\"", "model_not_found"),
      R"({"error":{"message":"no \"x\"","type":"not_found_error","param":null,"code":"model_not_found"}})");
  EXPECT_EQ(base::parse_json(error_body(400, "a\nb"), "test")["error"]["type"], "invalid_request_error");
  EXPECT_EQ(base::parse_json(error_body(400, "request: field 'n' is 0"), "test")["error"]["param"], "n");
}

}  // namespace
}  // namespace cuset::serve
