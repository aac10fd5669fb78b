#include "base/net/http_client.h"

#include "base/error.h"
#include "base/interrupt.h"

#ifdef CUSET_HAS_CURL

#include <curl/curl.h>
#include <dlfcn.h>

#include <mutex>
#include <string_view>

namespace cuset::base {
namespace {

constexpr long kConnectSeconds = 30;

// The functions of libcurl that are used here. It is loaded when the first client is made, not with the program: it brings
// thirty libraries with it, and a machine without them runs everything else.
struct Curl {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) init = nullptr;
  decltype(&curl_easy_cleanup) cleanup = nullptr;
  decltype(&curl_easy_reset) reset = nullptr;
  decltype(&curl_easy_setopt) set_option = nullptr;
  decltype(&curl_easy_perform) perform = nullptr;
  decltype(&curl_easy_getinfo) get_info = nullptr;
  decltype(&curl_easy_strerror) error_text = nullptr;
  decltype(&curl_slist_append) append = nullptr;
  decltype(&curl_slist_free_all) free_all = nullptr;
  bool is_complete = true;
};

template <typename Function>
void find_function(void* library, const char* name, Curl& curl, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  curl.is_complete = curl.is_complete && function != nullptr;
}

Curl load_curl() {
  Curl curl;
  void* library = nullptr;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
    if (library == nullptr) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  curl.is_complete = library != nullptr;
  if (!curl.is_complete) return curl;
  find_function(library, "curl_global_init", curl, curl.global_init);
  find_function(library, "curl_easy_init", curl, curl.init);
  find_function(library, "curl_easy_cleanup", curl, curl.cleanup);
  find_function(library, "curl_easy_reset", curl, curl.reset);
  find_function(library, "curl_easy_setopt", curl, curl.set_option);
  find_function(library, "curl_easy_perform", curl, curl.perform);
  find_function(library, "curl_easy_getinfo", curl, curl.get_info);
  find_function(library, "curl_easy_strerror", curl, curl.error_text);
  find_function(library, "curl_slist_append", curl, curl.append);
  find_function(library, "curl_slist_free_all", curl, curl.free_all);
  return curl;
}

const Curl& curl() {
  static const Curl kCurl = load_curl();
  return kCurl;
}

void check_curl(CURLcode code) { CUSET_CHECK(code == CURLE_OK, "libcurl: {}", curl().error_text(code)); }

// The lines of a request's header, as libcurl wants them.
class HeaderList {
 public:
  explicit HeaderList(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) list_ = curl().append(list_, line.c_str());
  }
  ~HeaderList() { curl().free_all(list_); }
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;

  curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

struct ReceivedBody {
  std::string text;
  size_t limit = 0;
  bool is_too_large = false;
};

size_t receive(char* data, size_t size, size_t count, void* user) {
  auto& body = *static_cast<ReceivedBody*>(user);
  if (body.text.size() + size * count > body.limit) {
    body.is_too_large = true;
    return 0;
  }
  body.text.append(data, size * count);
  return size * count;
}

int stop_if_asked(void*, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return is_interrupt_requested() ? 1 : 0;
}

HttpReply::Failure failure_of(CURLcode code, const ReceivedBody& body) {
  if (code == CURLE_OK) return HttpReply::Failure::kNone;
  if (code == CURLE_ABORTED_BY_CALLBACK) return HttpReply::Failure::kInterrupted;
  if (code == CURLE_OPERATION_TIMEDOUT) return HttpReply::Failure::kTimeout;
  return body.is_too_large ? HttpReply::Failure::kTooLarge : HttpReply::Failure::kConnection;
}

void set_options(CURL* handle, const HttpRequest& request, const HeaderList& headers, ReceivedBody& body) {
  curl().reset(handle);  // keeps the connections
  check_curl(curl().set_option(handle, CURLOPT_URL, request.url.c_str()));
#if LIBCURL_VERSION_NUM >= 0x075500
  check_curl(curl().set_option(handle, CURLOPT_PROTOCOLS_STR, "http,https"));
#else
  check_curl(curl().set_option(handle, CURLOPT_PROTOCOLS, long{CURLPROTO_HTTP | CURLPROTO_HTTPS}));
#endif
  check_curl(curl().set_option(handle, CURLOPT_NOSIGNAL, 1L));
  check_curl(curl().set_option(handle, CURLOPT_CONNECTTIMEOUT, kConnectSeconds));
  check_curl(curl().set_option(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.time_limit.count())));
  check_curl(curl().set_option(handle, CURLOPT_POST, 1L));
  check_curl(curl().set_option(handle, CURLOPT_POSTFIELDS, request.body.data()));
  check_curl(
      curl().set_option(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size())));
  check_curl(curl().set_option(handle, CURLOPT_HTTPHEADER, headers.get()));
  check_curl(curl().set_option(handle, CURLOPT_WRITEFUNCTION, &receive));
  check_curl(curl().set_option(handle, CURLOPT_WRITEDATA, &body));
  check_curl(curl().set_option(handle, CURLOPT_XFERINFOFUNCTION, &stop_if_asked));
  check_curl(curl().set_option(handle, CURLOPT_NOPROGRESS, 0L));
}

HttpReply perform(CURL* handle, const HttpRequest& request) {
  ReceivedBody body;
  body.limit = request.reply_limit;
  const HeaderList headers(request.headers);
  set_options(handle, request, headers, body);
  const CURLcode code = curl().perform(handle);
  if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL)
    throw Error("{}: {}", in_quotes(request.url), curl().error_text(code))
        .with_remedy("write a URL like https://host/v1");
  HttpReply reply;
  reply.failure = failure_of(code, body);
  if (code != CURLE_OK) reply.explanation = curl().error_text(code);
  if (reply.failure == HttpReply::Failure::kTooLarge)
    reply.explanation = fmt::format("the reply is larger than {} bytes", request.reply_limit);
  long status = 0;
  check_curl(curl().get_info(handle, CURLINFO_RESPONSE_CODE, &status));
  reply.status = static_cast<int>(status);
  curl_off_t seconds = 0;
  check_curl(curl().get_info(handle, CURLINFO_RETRY_AFTER, &seconds));
  reply.retry_after = std::chrono::seconds(std::max<curl_off_t>(seconds, 0));
  if (code == CURLE_OK) reply.body = std::move(body.text);
  return reply;
}

}  // namespace

// Handles that are free, with their open connections: as many as there were requests at one time.
class HttpClient::Handles {
 public:
  using Handle = std::unique_ptr<CURL, decltype(Curl::cleanup)>;

  Handle take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return {curl().init(), curl().cleanup};
    Handle handle = std::move(free_.back());
    free_.pop_back();
    return handle;
  }
  void put_back(Handle handle) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(handle));
  }

 private:
  std::mutex mutex_;
  std::vector<Handle> free_;
};

HttpClient::HttpClient() : handles_(std::make_unique<Handles>()) {
  if (!curl().is_complete) {
    throw Error("libcurl, which HTTP requests are made with, is not on this machine")
        .with_remedy("apt-get install libcurl4");
  }
  static const CURLcode kInitialized = curl().global_init(CURL_GLOBAL_DEFAULT);
  check_curl(kInitialized);
}
HttpClient::~HttpClient() = default;

bool HttpClient::is_available() { return curl().is_complete; }

HttpReply HttpClient::post(const HttpRequest& request) {
  Handles::Handle handle = handles_->take();
  CUSET_CHECK(handle != nullptr, "libcurl gives no handle");
  HttpReply reply = perform(handle.get(), request);
  handles_->put_back(std::move(handle));
  return reply;
}

}  // namespace cuset::base

#else

namespace cuset::base {

class HttpClient::Handles {};

HttpClient::HttpClient() {
  throw Error("this program was built without libcurl and makes no HTTP requests")
      .with_remedy("install libcurl4-openssl-dev and build it again");
}
HttpClient::~HttpClient() = default;

bool HttpClient::is_available() { return false; }

HttpReply HttpClient::post(const HttpRequest&) { return {}; }

}  // namespace cuset::base

#endif
