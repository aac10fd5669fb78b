#include "study/labeled_tokens.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "study/confidence_run.h"
#include "support/tiny_model.h"

namespace cuset::study {
namespace {

constexpr const char* kProgram =
    "__global__ void add(float* a, int n) {\n"
    "  __shared__ float part[64];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  __syncthreads();\n"
    "}\n"
    "int main() { add<<<4, 64>>>(nullptr, 3); }\n";

data::Example example_of(const data::Sample& sample) {
  static const support::TinyModelFolder folder;
  data::ExampleOptions options;
  options.answer.regions.sensitivity = true;
  return data::ExampleBuilder::from_model_folder(folder.path(), options).build(sample);
}

data::Example answer_of(const std::string& response) {
  return example_of(
      data::sample_from_record({{"prompt", "write it"}, {"response", response}}, "data.jsonl:1"));
}

// Every supervised token gets another confidence, so that mix-ups show.
std::vector<float> rising(const data::Example& example) {
  std::vector<float> confidences(example.supervised_tokens());
  for (size_t i = 0; i < confidences.size(); ++i) confidences[i] = static_cast<float>(i) / 1024;
  return confidences;
}

// The text of the tokens that `wanted` chooses.
template <typename Wanted>
std::string text_of(const AnalyzedSample& sample, Wanted wanted) {
  std::string text;
  for (const AnalyzedToken& token : sample.tokens) {
    if (wanted(token)) text += sample.text.substr(token.begin, token.end - token.begin);
  }
  return text;
}

bool all(const AnalyzedToken&) { return true; }

TEST(LabelTokens, CodeOfAnAnswerWithoutItsProse) {
  const data::Example example = answer_of(std::string("Here is `x`:\n```cuda\n") + kProgram + "```\nDone.");
  const auto code = label_tokens(example, rising(example), {});
  ASSERT_TRUE(code);
  EXPECT_EQ(code->id, "data.jsonl:1");
  const std::string text = text_of(*code, all);
  EXPECT_NE(text.find("add<<<4, 64>>>(nullptr, 3)"), std::string::npos) << text;
  EXPECT_EQ(text.find("Here"), std::string::npos) << text;
  EXPECT_EQ(text.find("Done"), std::string::npos) << text;
  const auto response = label_tokens(example, rising(example), {.scope = CodeScope::kResponse});
  EXPECT_EQ(response->tokens.size(), rising(example).size());
  EXPECT_EQ(text_of(*response, all), example.text.substr(example.response.begin));
}

TEST(LabelTokens, ConfidencesStayWithTheirTokens) {
  const data::Example example = answer_of(std::string("Prose.\n```cuda\n") + kProgram + "```\n");
  const auto sample = label_tokens(example, rising(example), {});
  ASSERT_TRUE(sample);
  for (const AnalyzedToken& token : sample->tokens) {
    EXPECT_EQ(token.confidence, static_cast<float>(token.index) / 1024) << "the response is all supervised";
  }
}

TEST(LabelTokens, StructuresAndMaskAreDifferentLabels) {
  const data::Example example = answer_of(kProgram);
  const auto is_sensitive = [](const AnalyzedToken& token) { return token.is_sensitive; };
  const std::string structures = text_of(*label_tokens(example, rising(example), {}), is_sensitive);
  for (const char* part : {"__shared__ float part[64];", "blockIdx.x * blockDim.x + threadIdx.x",
                           "__syncthreads()", "<<<4, 64>>>"}) {
    EXPECT_NE(structures.find(part), std::string::npos) << structures;
  }
  EXPECT_EQ(structures.find("int i"), std::string::npos) << structures;
  const auto mask = label_tokens(example, rising(example), {.sensitivity = Sensitivity::kMask});
  EXPECT_NE(text_of(*mask, is_sensitive).find("int i"), std::string::npos);
  size_t row = 0;
  for (size_t i = 0; i < example.ids.size() && row < mask->tokens.size(); ++i) {
    if (example.is_label[i] == 0) continue;
    EXPECT_EQ(mask->tokens[row].is_sensitive, example.is_cuda[i] != 0) << i;
    ++row;
  }
}

TEST(LabelTokens, SourceFileIsAllCodeWhateverItsCommentsHold) {
  const std::string source = std::string("// ```\n// int x;\n// ```\n") + kProgram;
  const data::Example example = example_of(data::sample_from_source(source, "a.cu"));
  const auto sample = label_tokens(example, rising(example), {});
  ASSERT_TRUE(sample);
  const std::string first = source.substr(0, sample->tokens[0].begin);
  EXPECT_EQ(first + text_of(*sample, all), source) << "all but the first token, which nothing predicts";
  EXPECT_EQ(sample->tokens[0].index, 1u);
  const std::string barrier = text_of(*sample, [](const AnalyzedToken& token) {
    return holds(token.kinds, cuda_source::RegionKind::kSynchronization);
  });
  EXPECT_NE(barrier.find("__syncthreads()"), std::string::npos) << barrier;
}

TEST(LabelTokens, NothingWithoutCode) {
  const data::Example example = answer_of("```text\nI cannot do that.\n```\n");
  EXPECT_FALSE(label_tokens(example, rising(example), {}));
  EXPECT_TRUE(label_tokens(example, rising(example), {.scope = CodeScope::kResponse}));
}

}  // namespace
}  // namespace cuset::study
