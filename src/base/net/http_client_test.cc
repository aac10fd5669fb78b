#include "base/net/http_client.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/free_port.h"
#include "support/scripted_http_server.h"

namespace cuset::base {
namespace {

using Failure = HttpReply::Failure;

class HttpClients : public testing::Test {
 protected:
  void SetUp() override {
    if (!HttpClient::is_available()) GTEST_SKIP() << "skipped: built without libcurl";
  }

  static HttpReply post(const support::ServedReply& reply, HttpRequest request = {}) {
    const support::ScriptedHttpServer server([&](const support::ServedRequest&) { return reply; });
    request.url = server.url() + "/v1";
    HttpClient client;
    return client.post(request);
  }
};

TEST_F(HttpClients, SendsHeadersAndBodyAndReadsTheReply) {
  support::ServedRequest seen;
  const support::ScriptedHttpServer server([&](const support::ServedRequest& request) {
    seen = request;
    return support::ServedReply{.status = 200, .body = "hello"};
  });
  HttpClient client;
  const HttpReply reply = client.post({.url = server.url() + "/a/b", .headers = {"X-Test: 1"}, .body = "{}"});
  EXPECT_EQ(reply.failure, Failure::kNone);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "hello");
  EXPECT_TRUE(seen.head.starts_with("POST /a/b HTTP/1.1")) << seen.head;
  EXPECT_NE(seen.head.find("X-Test: 1"), std::string::npos);
  EXPECT_EQ(seen.body, "{}");
}

TEST_F(HttpClients, AStatusIsNoFailureAndTellsWhenToComeBack) {
  const HttpReply reply = post({.status = 429, .body = "slow down", .headers = "Retry-After: 7\r\n"});
  EXPECT_EQ(reply.failure, Failure::kNone);
  EXPECT_EQ(reply.status, 429);
  EXPECT_EQ(reply.body, "slow down");
  EXPECT_EQ(reply.retry_after.count(), 7);
}

TEST_F(HttpClients, RedirectsAreNotFollowed) {
  const HttpReply reply = post({.status = 302, .body = "", .headers = "Location: http://127.0.0.1:1/\r\n"});
  EXPECT_EQ(reply.failure, Failure::kNone);
  EXPECT_EQ(reply.status, 302);
}

TEST_F(HttpClients, AReplyThatIsCutOffIsAFailure) {
  const HttpReply reply = post({.body = "0123456789", .cut_after = 4});
  EXPECT_EQ(reply.failure, Failure::kConnection);
  EXPECT_EQ(reply.body, "");
  EXPECT_FALSE(reply.explanation.empty());
}

TEST_F(HttpClients, ASilentServerMeetsTheTimeLimit) {
  EXPECT_EQ(post({.is_silent = true}, {.time_limit = std::chrono::milliseconds(50)}).failure,
            Failure::kTimeout);
}

TEST_F(HttpClients, NobodyThereIsAFailureToConnect) {
  HttpClient client;
  const HttpReply reply =
      client.post({.url = "http://127.0.0.1:" + std::to_string(support::free_port()) + "/"});
  EXPECT_EQ(reply.failure, Failure::kConnection);
}

TEST_F(HttpClients, ABodyBeyondTheLimitIsRefused) {
  const HttpReply reply = post({.body = std::string(1000, 'x')}, {.reply_limit = 100});
  EXPECT_EQ(reply.failure, Failure::kTooLarge);
  EXPECT_EQ(reply.explanation, "the reply is larger than 100 bytes");
}

TEST_F(HttpClients, AUrlThatIsNoneIsAnError) {
  HttpClient client;
  EXPECT_THROW(client.post({.url = "file:///etc/passwd"}), Error);
}

}  // namespace
}  // namespace cuset::base
