// The JSON document of a request's body. Whatever an endpoint throws as Error is the client's fault, and becomes a reply
// of status 400 with its text (serve/server.cc).
#pragma once

#include "base/json/json.h"
#include "serve/http/http_server.h"

namespace cuset::serve {

// Takes it. Throws Error where it is not JSON.
inline base::Json json_body(HttpExchange& exchange) {
  return base::parse_json(exchange.take_body(), "request");
}

}  // namespace cuset::serve
