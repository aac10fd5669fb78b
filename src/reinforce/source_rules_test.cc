#include "reinforce/source_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace cuset::reinforce {
namespace {

// The rules that hold, by their initials: kernel, launch, indexing, guard, barrier.
std::string found(const std::string& answer) {
  const SourceRules rules = check_source_rules(answer);
  std::string text;
  if (rules.kernel) text += 'k';
  if (rules.launch) text += 'l';
  if (rules.indexing) text += 'i';
  if (rules.guard) text += 'g';
  if (rules.barrier) text += 'b';
  EXPECT_DOUBLE_EQ(rules.score(), static_cast<double>(text.size()) / 5);
  return text;
}

TEST(SourceRules, TableOfAnswers) {
  const std::string index = "int i = blockIdx.x * blockDim.x + threadIdx.x; ";
  const std::string launch = "int main() { f<<<1, 256>>>(a, n); }";
  const std::string head = "__global__ void f(float* a, int n) { ";
  EXPECT_EQ(found(head + index + "if (i < n) a[i] *= 2; }\n" + launch), "kligb");
  EXPECT_EQ(found(head + index + "a[i] *= 2; }\n" + launch), "klib");
  EXPECT_EQ(found(head + "for (int i = 0; i < n; ++i) a[i] = 0; }\n" + launch), "klgb");
  EXPECT_EQ(found(head + index + "if (i < n) a[i] *= 2; }\nint main() {}"), "kigb");
  EXPECT_EQ(found(head + index + "__shared__ float s[256]; s[i] = a[i]; if (i < n) a[i] = s[255 - i]; }\n" +
                  launch),
            "klig");
  EXPECT_EQ(found(head + index +
                  "__shared__ float s[256]; s[i] = a[i]; __syncthreads(); if (i < n) a[i] = s[255 - i]; }\n" +
                  launch),
            "kligb");
  EXPECT_EQ(found(head + index + "if (i < n) a[i]"), "igb") << "cut off";
  EXPECT_EQ(found("```cuda\n" + head + index + "if (i < n) a[i] *= 2; }\n" + launch + "\n```\n"), "kligb");
}

TEST(SourceRules, WithoutAKernelNothingHolds) {
  EXPECT_EQ(found(""), "");
  EXPECT_EQ(found("I would launch a kernel<<<1, 1>>>() here."), "");
  EXPECT_EQ(found("int main() { return 0; }"), "");
}

}  // namespace
}  // namespace cuset::reinforce
