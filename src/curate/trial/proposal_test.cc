#include "curate/trial/proposal.h"

#include <gtest/gtest.h>

namespace cuset::curate {
namespace {

const std::vector<cuda_source::KernelInterface>& kernels() {
  static const std::vector<cuda_source::KernelInterface> kKernels = cuda_source::find_kernel_interfaces(
      "template <typename T> __global__ void f(const T* x, T* y, int n) {}\n");
  return kKernels;
}

// A proposal with the given parts.
std::string proposal(const std::string& set, const std::string& more = "") {
  return R"({"kernels": [{"name": "f", "sets": [)" + set + "]" + more + "}]}";
}

const std::string kSet = R"({"grid": [2, 1, 1], "block": [64, 1, 1], "shared_bytes": 4, "values": {"n": 7},
  "buffers": {"x": {"count": 9, "low": 0, "high": 1}, "y": {"count": 8, "low": 2, "high": 3, "ascending": true}}})";

TEST(Proposals, AWholeOneIsRead) {
  const auto parsed =
      parse_proposal(proposal(kSet + "," + kSet, R"(, "template_arguments": "double")"), kernels());
  ASSERT_TRUE(std::holds_alternative<Proposal>(parsed)) << std::get<std::string>(parsed);
  const ProposedKernel& kernel = std::get<Proposal>(parsed).kernels.at(0);
  EXPECT_EQ(kernel.template_arguments, "double");
  ASSERT_EQ(kernel.sets.size(), 2u);
  EXPECT_NE(kernel.sets[0].seed, kernel.sets[1].seed);
  EXPECT_EQ(words_of(kernel.sets[0]), (std::vector<std::string>{"2", "1", "1", "64", "1", "1", "4", "1", "9",
                                                                "0", "1", "0", "8", "2", "3", "1", "7"}));
}

TEST(Proposals, FaultsAreToldInOneLine) {
  const auto with = [](std::string from, std::string to) {
    std::string set = kSet;
    set.replace(set.find(from), from.size(), to);
    return proposal(set);
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "not valid JSON"},
      {"[]", "the proposal"},
      {R"({"kernels": []})", "the proposal: field 'kernels' has 0 kernels, wanted 1"},
      {R"({"kernel": []})", "the proposal: field 'kernel'"},
      {proposal(""), "the proposal: field 'kernels[0].sets' has 0 sets, wanted 1 to 16"},
      {with("[2, 1, 1]", "[2, 1]"), "the proposal: field 'kernels[0].sets[0].grid' must have three sides"},
      {with("[2, 1, 1]", "[0, 1, 1]"), "the proposal: field 'kernels[0].sets[0].grid[0]'"},
      {with("[64, 1, 1]", "[64, 64, 1]"),
       "the proposal: field 'kernels[0].sets[0].block' has more than 1024 in all"},
      {with("\"n\": 7", "\"m\": 7"), "the proposal: field 'kernels[0].sets[0].values.m'"},
      {with("\"n\": 7", ""), "the proposal: field 'kernels[0].sets[0].values.n' is missing"},
      {with("\"n\": 7", "\"n\": \"7\""), "the proposal: field 'kernels[0].sets[0].values.n' must be"},
      {with("\"count\": 9", "\"count\": 1e12"), "the proposal: field 'kernels[0].sets[0].buffers.x.count'"},
      {with("\"low\": 2", "\"low\": 4"),
       "the proposal: field 'kernels[0].sets[0].buffers.y' has low above high"},
      {proposal(kSet, R"(, "template_arguments": "float>(); system(0); f<float")"),
       "the proposal: field 'kernels[0].template_arguments' is not a list of types and numbers"},
  };
  for (const auto& [text, message] : cases) {
    const auto parsed = parse_proposal(text, kernels());
    ASSERT_TRUE(std::holds_alternative<std::string>(parsed)) << text;
    EXPECT_TRUE(std::get<std::string>(parsed).starts_with(message)) << std::get<std::string>(parsed);
  }
}

}  // namespace
}  // namespace cuset::curate
