#include "serve/page/answer_regions.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace cuset::serve {
namespace {

constexpr const char* kFence = "```cuda\n";  // 8 units

// "kind:begin-end" of every region of code in a fence.
std::string regions_in(const std::string& code) {
  std::string dump;
  const base::Json told = answer_regions({{"text", kFence + code + "\n```\n"}});
  for (const base::Json& region : told["regions"])
    dump +=
        region["kind"].get<std::string>() + ":" + region["begin"].dump() + "-" + region["end"].dump() + " ";
  return dump;
}

TEST(AnswerRegions, OffsetsAreThoseOfJavaScript) {
  const std::string code = "__global__ void k() {}";
  EXPECT_EQ(regions_in(code), "kernel_signature:24-27 kernel_body:28-30 ");
  // A letter of two bytes is one unit, a picture of four bytes is two.
  EXPECT_EQ(regions_in("// \xC3\xA4 \xF0\x9F\x98\x80\n" + code), "kernel_signature:32-35 kernel_body:36-38 ");
}

TEST(AnswerRegions, StringsAndCommentsMisleadNobody) {
  EXPECT_EQ(regions_in("__global__ void k() { /* } */ char c = '}'; }"),
            "kernel_signature:24-27 kernel_body:28-53 ");
  EXPECT_EQ(regions_in("// __global__ void k() {}\nint x;"), "");
}

TEST(AnswerRegions, WrongRequestsAreRefused) {
  EXPECT_NE(support::error_of([] { answer_regions({{"text", 5}}); }).find("field 'text'"), std::string::npos);
  EXPECT_NE(support::error_of([] { answer_regions({{"text", std::string(2 << 20, 'x')}}); }).find("mebibyte"),
            std::string::npos);
}

}  // namespace
}  // namespace cuset::serve
