// Errors that libevent finds before we see a request (a body over the limit, bytes that are not HTTP, a method that nobody knows) are
// answered by libevent with an HTML page of its own, which programs that expect JSON cannot read. Its version 2.1 lets nobody change the
// page, so it is replaced in the connection's output buffer, where it waits to be sent.
#pragma once

#include <cstddef>

struct bufferevent;
struct evbuffer;
struct evbuffer_cb_info;
struct event_base;
struct evhttp;

namespace cuset::serve {

class OwnPages {
 public:
  explicit OwnPages(size_t body_limit) : body_limit_(body_limit) {}

  // For connections that `http` accepts from now on. This must outlive them.
  void replace_those_of(evhttp* http);

  // While one lives, what this thread writes is a reply of ours and stays as it is, pages of HTML included.
  class Ours {
   public:
    Ours() { ++count_; }
    ~Ours() { --count_; }
    Ours(const Ours&) = delete;
    Ours& operator=(const Ours&) = delete;
    static bool is_alive() { return count_ > 0; }

   private:
    static inline thread_local int count_ = 0;
  };

 private:
  static bufferevent* make_connection(event_base* base, void* pages);
  static void see_output(evbuffer* output, const evbuffer_cb_info* change, void* pages);
  void replace(evbuffer* output, int status) const;

  size_t body_limit_;
};

}  // namespace cuset::serve
