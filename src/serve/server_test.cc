#include "serve/server.h"

#include <gtest/gtest.h>

namespace cuset::serve {
namespace {

TEST(Server, KeyMayBeThePasswordOfAnAddress) {
  EXPECT_TRUE(holds_key("Basic YW55OnMzY3JldA==", "s3cret"));  // any:s3cret
  EXPECT_FALSE(holds_key("Basic YW55OnMzY3JlVA==", "s3cret"));
  EXPECT_FALSE(holds_key("Basic czNjcmV0", "s3cret")) << "without a colon it is a name";
  EXPECT_FALSE(holds_key("Basic !!", "s3cret"));
}

TEST(Server, KeyIsComparedWhole) {
  EXPECT_TRUE(holds_key("Bearer secret", "secret"));
  for (const char* header :
       {"", "secret", "Bearer secre", "Bearer secrets", "Bearer Secret", "Bearer  secret", "Token secret"})
    EXPECT_FALSE(holds_key(header, "secret")) << header;
}

TEST(Server, NamesOfSchemesAndTypesHaveNoCase) {
  EXPECT_TRUE(holds_key("bearer Secret", "Secret"));
  EXPECT_TRUE(holds_key("BASIC YW55OnMzY3JldA==", "s3cret"));
  for (const char* type : {"application/json", "Application/JSON; charset=utf-8", "application/json ;a=b"})
    EXPECT_TRUE(is_json_type(type)) << type;
  for (const char* type : {"", "text/plain", "application/jsonp", "text/plain; application/json"})
    EXPECT_FALSE(is_json_type(type)) << type;
}

TEST(Server, HostHeaderMustNameThisMachine) {
  for (const char* header :
       {"localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000", "[::1]", "box:80", "box"})
    EXPECT_TRUE(is_local_host(header, "box")) << header;
  for (const char* header :
       {"example.com", "example.com:8000", "localhost.example.com", "", "127.0.0.1.nip.io"})
    EXPECT_FALSE(is_local_host(header, "127.0.0.1")) << header;
}

}  // namespace
}  // namespace cuset::serve
