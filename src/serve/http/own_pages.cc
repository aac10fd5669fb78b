#include "serve/http/own_pages.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "serve/http/error_reply.h"

namespace cuset::serve {
namespace {

constexpr std::string_view kPageEnd = "</HTML>\n";
constexpr size_t kLargestPage = 4 << 10;  // libevent's have some 200 bytes

std::string message_of(int status, size_t body_limit) {
  switch (status) {
    case 400:
      return "the request is not HTTP that this server understands";
    case 413:
      return fmt::format(
          "the body is larger than {} bytes, the limit of --max-body, or its chunks are malformed",
          body_limit);
    case 417:
      return "the Expect header names something other than 100-continue";
    case 501:
      return "there is no such method here";
    default:
      return "the request was refused";
  }
}

// The whole of a page that libevent has written; empty where there is something else, or not all of it.
std::string page_in(evbuffer* output) {
  const size_t size = evbuffer_get_length(output);
  if (size < kPageEnd.size() || size > kLargestPage) return "";
  std::string text(size, '\0');
  evbuffer_copyout(output, text.data(), size);
  return text.starts_with("HTTP/1.") && text.ends_with(kPageEnd) ? text : "";
}

}  // namespace

void OwnPages::replace_those_of(evhttp* http) { evhttp_set_bevcb(http, &make_connection, this); }

bufferevent* OwnPages::make_connection(event_base* base, void* pages) {
  bufferevent* connection = bufferevent_socket_new(base, -1, 0);
  if (connection != nullptr) evbuffer_add_cb(bufferevent_get_output(connection), &see_output, pages);
  return connection;
}

void OwnPages::see_output(evbuffer* output, const evbuffer_cb_info* change, void* pages) {
  if (change->n_added == 0 || Ours::is_alive()) return;
  const std::string page = page_in(output);
  if (page.size() > 12) static_cast<OwnPages*>(pages)->replace(output, std::atoi(page.c_str() + 9));
}

// Nothing is sent before the event loop comes around again.
void OwnPages::replace(evbuffer* output, int status) const {
  const Ours ours;
  const std::string body = error_body(status, message_of(status, body_limit_));
  const std::string reply = fmt::format(
      "HTTP/1.1 {} Error\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{}",
      status, body.size(), body);
  evbuffer_unfreeze(output, 1);  // a connection lets nobody else take from its front
  evbuffer_drain(output, evbuffer_get_length(output));
  evbuffer_freeze(output, 1);
  evbuffer_add(output, reply.data(), reply.size());
}

}  // namespace cuset::serve
