#include "serve/http/http_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include "support/error_text.h"
#include "support/raw_http.h"

namespace cuset::serve {
namespace {

using Exchange = std::shared_ptr<HttpExchange>;

// A server on a thread of its own.
class RunningServer {
 public:
  explicit RunningServer(HttpServer::Handler handler, size_t body_limit = 1 << 20,
                         size_t held_limit = 1 << 30)
      : server_({.host = "127.0.0.1", .port = 0, .body_limit = body_limit, .held_limit = held_limit},
                std::move(handler)),
        thread_([this] { server_.run(); }) {}
  ~RunningServer() {
    server_.post([this] { server_.stop(); });
    thread_.join();
  }
  HttpServer& server() { return server_; }
  int port() const { return server_.port(); }

 private:
  HttpServer server_;
  std::thread thread_;
};

TEST(HttpServer, RequestReachesTheHandlerAndItsReplyTheClient) {
  RunningServer running([](const Exchange& exchange) {
    exchange->reply(201, exchange->method() + " " + exchange->path() + " " + exchange->take_body() + " " +
                             exchange->header("X-Test").value_or("none"));
  });
  const support::RawReply reply =
      support::raw_request(running.port(), "POST", "/a/b?c=d", "text", {"X-Test: 7"});
  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(reply.body, "POST /a/b text 7");
  EXPECT_EQ(support::raw_request(running.port(), "GET", "/").body, "GET /  none");
}

TEST(HttpServer, StreamComesInPiecesFromAnotherThread) {
  std::vector<std::thread> threads;
  HttpServer* server = nullptr;
  std::promise<void> is_set;
  RunningServer running([&](const Exchange& exchange) {
    is_set.get_future().wait();
    exchange->begin_stream("text/event-stream");
    threads.emplace_back([&, exchange] {
      for (const char* piece : {"one ", "", "two ", "three"})
        server->post([exchange, piece] { exchange->send(piece); });
      server->post([exchange] { exchange->end_stream(); });
    });
  });
  server = &running.server();
  is_set.set_value();
  const support::RawReply reply = support::raw_request(running.port(), "GET", "/");
  EXPECT_EQ(reply.body, "one two three");
  EXPECT_NE(reply.head.find("text/event-stream"), std::string::npos);
  for (std::thread& thread : threads) thread.join();
}

TEST(HttpServer, BodyOverTheLimitIsRefused) {
  RunningServer running([](const Exchange& exchange) { exchange->reply(200, "taken"); }, 1000);
  EXPECT_EQ(support::raw_request(running.port(), "POST", "/", std::string(1000, 'x')).body, "taken");
  EXPECT_EQ(support::raw_request(running.port(), "POST", "/", std::string(1001, 'x')).status, 413);
  const support::RawConnection announced(running.port());
  announced.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n");
  const support::RawReply refused = support::parse_reply(announced.receive_all());
  EXPECT_EQ(refused.status, 413);
  EXPECT_NE(refused.head.find("application/json"), std::string::npos) << refused.head;
  EXPECT_NE(refused.body.find("larger than 1000 bytes"), std::string::npos) << refused.body;
}

TEST(HttpServer, ErrorsOfTheLibraryAreJson) {
  RunningServer running(
      [](const Exchange& exchange) { exchange->reply(200, "<HTML>mine</HTML>\n", "text/html"); });
  const std::vector<std::pair<std::string, int>> cases = {
      {"FOO / HTTP/1.1\r\nHost: a\r\n\r\n", 501},
      {"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400},
      {"GET / HTTP/9.9\r\n\r\n", 400}};
  for (const auto& [bytes, status] : cases) {
    const support::RawConnection connection(running.port());
    connection.send(bytes);
    const support::RawReply reply = support::parse_reply(connection.receive_all());
    EXPECT_EQ(reply.status, status) << bytes;
    EXPECT_TRUE(reply.body.starts_with("{\"error\":{\"message\":")) << bytes << reply.body;
  }
  EXPECT_EQ(support::raw_request(running.port(), "GET", "/").body, "<HTML>mine</HTML>\n") << "a page of ours";
}

TEST(HttpServer, ClientThatReadsNothingIsDropped) {
  HttpServer* server = nullptr;
  std::promise<void> is_set, left;
  RunningServer running([&](const Exchange& exchange) {
    is_set.get_future().wait();
    exchange->begin_stream("text/plain");
    exchange->on_finished([&] { left.set_value(); });
    const auto more = std::make_shared<std::function<void()>>();
    *more = [&, exchange, more] {
      if (!exchange->is_open()) return *more = nullptr, void();
      exchange->send(std::string(1 << 20, 'x'));
      server->post([more] { (*more)(); });
    };
    (*more)();
  });
  server = &running.server();
  is_set.set_value();
  const support::RawConnection connection(running.port());
  connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  left.get_future().wait();  // or for ever, where nobody drops it
}

TEST(HttpServer, ClientThatLeavesIsNoticed) {
  std::promise<void> arrived;
  std::promise<int> left;
  Exchange kept;
  RunningServer running([&](const Exchange& exchange) {
    kept = exchange;
    exchange->on_finished([&, seen = exchange.get()] { left.set_value(seen->status()); });
    arrived.set_value();
  });
  {
    const support::RawConnection connection(running.port());
    connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    arrived.get_future().wait();
  }
  EXPECT_EQ(left.get_future().get(), 0) << "no reply was sent";
  std::promise<bool> is_open;
  running.server().post([&] {
    kept->reply(200, "too late");  // must do nothing
    is_open.set_value(kept->is_open());
    kept.reset();
  });
  EXPECT_FALSE(is_open.get_future().get());
}

TEST(HttpServer, RequestsOnOneConnectionAreAnsweredInTurnAlsoIfTheyComeTooEarly) {
  HttpServer* server = nullptr;
  std::promise<void> is_set;
  RunningServer running([&](const Exchange& exchange) {
    if (server == nullptr) is_set.get_future().wait();
    server->after(0.02, [exchange] { exchange->reply(200, "<" + exchange->path() + ">"); });
  });
  server = &running.server();
  is_set.set_value();
  const support::RawConnection connection(running.port());
  connection.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
  connection.send("GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string all = connection.receive_all();
  EXPECT_LT(all.find("</1>"), all.find("</2>"));
  EXPECT_LT(all.find("</2>"), all.find("</3>"));
  EXPECT_NE(all.find("</3>"), std::string::npos) << all;
}

TEST(HttpServer, LargeBodyArrivesBehindARequestThatWaited) {
  HttpServer* server = nullptr;
  std::promise<void> is_set;
  RunningServer running([&](const Exchange& exchange) {
    if (server == nullptr) is_set.get_future().wait();
    const std::string size = fmt::format("<{}>", exchange->take_body().size());
    server->after(0.02, [exchange, size] { exchange->reply(200, size); });
  });
  server = &running.server();
  is_set.set_value();
  const support::RawConnection connection(running.port());
  const std::string large(400'000, 'x');
  connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab");
  EXPECT_NE(connection.receive().find("<2>"), std::string::npos);
  for (const char* connected : {"keep-alive", "close"}) {
    connection.send(
        fmt::format("POST / HTTP/1.1\r\nHost: a\r\nConnection: {}\r\nContent-Length: {}\r\n\r\n{}", connected,
                    large.size(), large));
  }
  const std::string all = connection.receive_all();
  EXPECT_NE(all.find("<400000>"), all.rfind("<400000>")) << "two replies\n" << all;
}

TEST(HttpServer, GarbageIsRefusedAndTheServerGoesOn) {
  RunningServer running([](const Exchange& exchange) { exchange->reply(200, "fine"); });
  for (const std::string& bytes :
       {std::string("\0\1\2\3\r\n\r\n", 8), std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"),
        "GET / HTTP/1.1\r\nX: " + std::string(100'000, 'y') + "\r\n\r\n",
        "GET /" + std::string(100'000, 'z') + " HTTP/1.1\r\n\r\n"}) {
    const support::RawConnection connection(running.port());
    connection.send(bytes);
    const int status = support::parse_reply(connection.receive_all()).status;
    EXPECT_TRUE(status == 0 || status >= 400) << status;
  }
  EXPECT_EQ(support::raw_request(running.port(), "GET", "/").body, "fine");
}

// What a proxy may read in another way must not let a second request through.
TEST(HttpServer, AmbiguousHeadersAreRefusedAndEndTheConnection) {
  std::atomic<int> handled = 0;
  RunningServer running([&](const Exchange& exchange) {
    ++handled;
    exchange->reply(200, "fine");
  });
  const std::string second = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  for (const std::string headers :
       {"Content-Length: 4\r\nContent-Length: 40", "Content-Length: +4", "Content-Length : 4",
        "Content-Length: 4\r\nTransfer-Encoding: chunked", "Host: b\r\nContent-Length: 4",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked"}) {
    const support::RawConnection connection(running.port());
    connection.send("POST / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n\r\n4\r\nbody\r\n0\r\n\r\n" + second);
    const std::string all = connection.receive_all();
    EXPECT_EQ(support::parse_reply(all).status, 400) << headers;
    EXPECT_EQ(all.find("HTTP/1.1 200"), std::string::npos) << headers;
  }
  EXPECT_EQ(handled, 0);
  EXPECT_EQ(support::raw_request(running.port(), "GET", "/").body, "fine");
}

// libevent reads no body behind these methods: what is meant as one must not count as the next request.
TEST(HttpServer, BodiesOfMethodsWithoutOneAreNotTheNextRequest) {
  std::atomic<int> handled = 0;
  RunningServer running([&](const Exchange& exchange) {
    ++handled;
    exchange->reply(200, "fine");
  });
  const std::string smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string length = "Content-Length: " + std::to_string(smuggled.size());
  for (const auto& [method, header] : std::vector<std::pair<std::string, std::string>>{
           {"HEAD", length}, {"HEAD", "Transfer-Encoding: chunked"}, {"TRACE", length}}) {
    const support::RawConnection connection(running.port());
    connection.send(method + " / HTTP/1.1\r\nHost: a\r\n" + header + "\r\n\r\n" + smuggled);
    const std::string all = connection.receive_all();
    EXPECT_EQ(all.find("HTTP/1.1 200"), std::string::npos) << method << ": " << all;
  }
  EXPECT_EQ(handled, 0);
}

// A client takes what follows the headers for the next reply.
TEST(HttpServer, ReplyToHeadHasTheLengthAndNoBody) {
  RunningServer running(
      [](const Exchange& exchange) { exchange->reply(200, "<" + exchange->method() + ">"); });
  const support::RawConnection connection(running.port());
  connection.send(
      "HEAD /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string all = connection.receive_all();
  EXPECT_EQ(all.find("<HEAD>"), std::string::npos) << all;
  EXPECT_LT(all.find("Content-Length: 6\r\n"), all.find("<GET>")) << all;
  EXPECT_TRUE(all.ends_with("<GET>")) << all;
}

// A proxy that guards /b by its path must not be passed by "//a/b", nor one that looks at the host by another host in the target.
TEST(HttpServer, PathIsWhatAProxySees) {
  RunningServer running([](const Exchange& exchange) { exchange->reply(200, "<" + exchange->path() + ">"); });
  const auto reply_to = [&](const std::string& target) {
    return support::raw_request(running.port(), "GET", target, "", {"Host: a:80"});
  };
  for (const auto& [target, path] :
       std::vector<std::pair<std::string, std::string>>{{"//a/b", "//a/b"},
                                                        {"//b?c#d", "//b"},
                                                        {"/a//b?c=//d", "/a//b"},
                                                        {"http://A:80/b?c", "/b"},
                                                        {"http://a:80", "/"}})
    EXPECT_EQ(reply_to(target).body, "<" + path + ">") << target;
  for (const char* target : {"http://b:80/", "http://a:81/", "http://a/", "https://b/c"})
    EXPECT_EQ(reply_to(target).status, 400) << target;
}

TEST(HttpServer, BodiesThatAreHeldAreBoundedTogether) {
  std::mutex mutex;
  std::vector<Exchange> waiting;
  RunningServer running(
      [&](const Exchange& exchange) {
        if (exchange->path() == "/now") return exchange->reply(200, "fine");
        const std::lock_guard lock(mutex);
        waiting.push_back(exchange);
      },
      1 << 20, 1000);
  const auto post = [&](const std::string& path) {
    return support::raw_request(running.port(), "POST", path, std::string(600, 'x')).status;
  };
  std::future<int> first = std::async(std::launch::async, post, "/later");
  const auto is_held = [&] {
    const std::lock_guard lock(mutex);
    return !waiting.empty();
  };
  while (!is_held()) std::this_thread::yield();
  EXPECT_EQ(post("/now"), 503);
  EXPECT_EQ(support::raw_request(running.port(), "GET", "/now").status, 200) << "without a body";
  running.server().post([&] { waiting[0]->reply(200, "done"); });
  EXPECT_EQ(first.get(), 200);
  EXPECT_EQ(post("/now"), 200);
}

TEST(HttpServer, HandlerThatThrowsIsAnInternalError) {
  RunningServer running([](const Exchange&) { throw std::runtime_error("secret"); });
  const support::RawReply reply = support::raw_request(running.port(), "GET", "/");
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(reply.body.find("secret"), std::string::npos);
}

TEST(HttpServer, PortThatIsTakenIsNamed) {
  RunningServer running([](const Exchange&) {});
  const std::string message = support::error_of(
      [&] { HttpServer({.host = "127.0.0.1", .port = running.port()}, [](const Exchange&) {}); });
  EXPECT_NE(message.find("cannot listen on 127.0.0.1:" + std::to_string(running.port())), std::string::npos)
      << message;
}

}  // namespace
}  // namespace cuset::serve
