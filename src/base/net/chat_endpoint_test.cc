// Requests to a real server that behaves as badly as servers do.
#include "base/net/chat_endpoint.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/error.h"
#include "support/scoped_variable.h"
#include "support/scripted_http_server.h"

namespace cuset::base {
namespace {

using support::ServedReply;
using support::ServedRequest;
using Kind = ChatResult::Kind;

std::string body_with(const std::string& text) {
  return to_json_line({{"choices", Json::array({{{"message", {{"content", text}}}}})}});
}

class ChatEndpointTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HttpClient::is_available()) GTEST_SKIP() << "skipped: built without libcurl";
  }

  // Asks once a server that answers as `script` says, with the number of the request from 0 on.
  ChatResult ask(const std::function<ServedReply(int)>& script,
                 const ChatEndpoint::Complaint& complaint = nullptr, const std::string& key = "") {
    asked_ = 0;
    const support::ScriptedHttpServer server([&](const ServedRequest& request) {
      head_ = request.head;
      return script(asked_++);
    });
    ChatEndpoint endpoint(
        {.url = server.url() + "/v1", .key = key, .retries = 2, .timeout = 5, .backoff = 0.001});
    return endpoint.ask({{"model", "m"}}, RandomStream(1, "test"), complaint);
  }

  std::string head_;
  std::atomic<int> asked_ = 0;
};

TEST_F(ChatEndpointTest, RepeatsWhatMayPassAndNothingElse) {
  const auto status = [](int code) {
    return [code](int) { return ServedReply{.status = code, .body = R"({"error": "no"})"}; };
  };
  EXPECT_EQ(ask(status(503)).kind, Kind::kGivenUp);
  EXPECT_EQ(asked_, 3);
  EXPECT_EQ(ask(status(400)).kind, Kind::kRefused);
  EXPECT_EQ(asked_, 1);
  const ChatResult refused = ask(status(401));
  EXPECT_EQ(refused.kind, Kind::kRefusedAll);
  EXPECT_EQ(refused.failed, "http_401: \"no\"");
  EXPECT_EQ(asked_, 1);
  const ChatResult second = ask([](int number) {
    return number == 0 ? ServedReply{.status = 429} : ServedReply{.body = body_with("yes")};
  });
  EXPECT_EQ(second.kind, Kind::kAnswered);
  EXPECT_EQ(second.reply.text, "yes");
  EXPECT_EQ(second.failed, "");
  EXPECT_EQ(second.retries.at("http_429"), 1);
}

TEST_F(ChatEndpointTest, AReplyThatTheCallerCannotUseIsAskedForAgain) {
  const auto complaint = [](const ChatReply& reply) {
    return reply.text == "2" ? std::string() : "it says " + reply.text;
  };
  const ChatResult good =
      ask([](int number) { return ServedReply{.body = body_with(std::to_string(number))}; }, complaint);
  EXPECT_EQ(good.kind, Kind::kAnswered);
  EXPECT_EQ(good.retries.at("unusable_reply"), 2);
  const ChatResult never = ask([](int) { return ServedReply{.body = body_with("7")}; }, complaint);
  EXPECT_EQ(never.kind, Kind::kGivenUp);
  EXPECT_EQ(never.failed, "unusable_reply: it says 7");
}

TEST_F(ChatEndpointTest, TheKeyGoesToTheServerAlone) {
  const support::ScopedVariable key("CUSET_TEST_KEY", "sk-very-secret-0123");
  const ChatResult result =
      ask([](int) { return ServedReply{.body = body_with("you sent sk-very-secret-0123")}; },
          [](const ChatReply& reply) { return reply.text; }, "CUSET_TEST_KEY");
  EXPECT_NE(head_.find("Authorization: Bearer sk-very-secret-0123"), std::string::npos);
  EXPECT_EQ(result.failed, "unusable_reply: you sent (key)");
  EXPECT_THROW(ChatEndpoint({.url = "http://127.0.0.1:1", .key = "CUSET_TEST_NO_SUCH_KEY"}), Error);
}

}  // namespace
}  // namespace cuset::base
