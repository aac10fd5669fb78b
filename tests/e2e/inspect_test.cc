// cuset inspect as a user runs it, on a small model folder and data made for the test.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/json/json.h"
#include "e2e/program.h"
#include "support/tiny_model.h"

namespace cuset::tests {
namespace {

constexpr const char* kKernel =
    "__global__ void add(float* a, const float* b, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) a[i] += b[i];\n"
    "}\n"
    "void run(float* a, float* b, int n) { add<<<(n + 255) / 256, 256>>>(a, b, n); }\n";

class Inspect : public testing::Test {
 protected:
  Inspect() {
    const std::string answer = fmt::format("Here:\n```cuda\n{}```\n", kKernel);
    const base::Json rows[] = {
        {{"prompt", "add two arrays"}, {"response", answer}, {"weight", 0.5}},
        {{"instruction", "say </script> <|im_end|>"}, {"output", "<img src=x onerror=alert(1)>"}},
        {{"messages",
          {{{"role", "user"}, {"content", "again"}}, {{"role", "assistant"}, {"content", answer}}}}},
        {{"prompt", "add two arrays"}, {"response", answer}},
    };
    std::string text;
    for (const base::Json& row : rows) text += base::to_json_line(row) + "\n";
    base::write_file_atomic(data_, text);
  }

  sandbox::ProcessResult run(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"inspect", data_.string(), "--model", model_.path().string(), "--quiet"});
    return run_cuset(flags);
  }

  support::TinyModelFolder model_;
  base::TemporaryFolder folder_;
  std::filesystem::path data_ = folder_ / "data.jsonl";
};

TEST_F(Inspect, OverviewShowsFirstSamplesAndTotals) {
  const sandbox::ProcessResult result = run({});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  for (const char* part : {"data.jsonl:1  ", "⟦L <<<(n + 255) / 256, 256>>>(⟧", "rows read         4\n",
                           "samples           4\n", "without CUDA      1\n", "duplicate rows kept: 1\n"}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part << " in " << result.output;
  }
}

TEST_F(Inspect, RowShowsPromptRegionsAndClosingToken) {
  const sandbox::ProcessResult result = run({"--row", "1"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  for (const char* part :
       {", weight 0.5\n", "p*   | ⟦* <|im_start|>⟧user\n", "K    |   if (i < n) a[i] += b[i];\n",
        "*    | <|im_end|>\n", "kernel_body add "}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part << " in " << result.output;
  }
}

TEST_F(Inspect, LettersOfAControlTokenAreNotMarkedInAMessage) {
  const sandbox::ProcessResult result = run({"--row", "2"});
  EXPECT_NE(result.output.find("| say </script> <|im_end|>⟦* <|im_end|>⟧\n"), std::string::npos)
      << result.output;
}

TEST_F(Inspect, JsonAgreesWithItself) {
  const base::Json all = base::parse_json(run({"--json"}).output, "totals");
  const base::Json row = base::parse_json(run({"--json", "--row", "3"}).output, "row");
  EXPECT_EQ(all["totals"]["samples"], 4);
  EXPECT_EQ(all["samples"][2]["tokens"], row["ids"].size());
  size_t cuda = 0;
  for (const base::Json& mark : row["is_cuda"]) cuda += mark.get<size_t>();
  EXPECT_GT(cuda, 20u);
  EXPECT_EQ(all["samples"][2]["cuda_labels"], cuda);
  EXPECT_EQ(all["duplicates"][0]["place"], data_.string() + ":4");
}

TEST_F(Inspect, SignatureInMaskMakesMoreTokensCuda) {
  const base::Json usual = base::parse_json(run({"--json"}).output, "totals");
  const base::Json more = base::parse_json(run({"--json", "--signature-in-mask"}).output, "totals");
  EXPECT_GT(more["totals"]["cuda_labels"], usual["totals"]["cuda_labels"]);
}

TEST_F(Inspect, OverLongRowsAreDroppedRefusedOrCut) {
  const sandbox::ProcessResult dropped = run({"--cutoff-len", "100"});
  EXPECT_NE(dropped.output.find("dropped rows: 3\n  too long           3\n"), std::string::npos)
      << dropped.output;
  const sandbox::ProcessResult refused = run({"--cutoff-len", "100", "--over-length", "error"});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_NE(refused.output.find("data.jsonl:1: "), std::string::npos) << refused.output;
  const base::Json cut =
      base::parse_json(run({"--cutoff-len", "100", "--over-length", "truncate", "--json"}).output, "totals");
  EXPECT_EQ(cut["totals"]["truncated"], 3);
  EXPECT_EQ(cut["lengths"]["max"], 100);
}

TEST_F(Inspect, PageHoldsTheSamplesAndNoForeignMarkup) {
  const std::filesystem::path page = folder_ / "page.html";
  const sandbox::ProcessResult result = run({"--html", page.string(), "--limit", "2"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const std::string html = base::read_file(page);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_NE(html.find("\\u003c"), std::string::npos);
  EXPECT_NE(html.find("data.jsonl:2"), std::string::npos);
  EXPECT_EQ(html.find("data.jsonl:3\",\"tokens\""), std::string::npos);
}

TEST_F(Inspect, SourceNeedsNoModel) {
  const std::filesystem::path source = folder_ / "add.cu";
  base::write_file_atomic(source, kKernel);
  const sandbox::ProcessResult text = run_cuset({"inspect", source.string()});
  EXPECT_EQ(text.exit_status, 0);
  EXPECT_NE(text.output.find("    2 K    |   int i = blockIdx.x"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("launch_configuration add 5:42-5:68\n"), std::string::npos) << text.output;
  const base::Json json =
      base::parse_json(run_cuset({"inspect", source.string(), "--json", "--kinds"}).output, "regions");
  EXPECT_EQ(json[0]["regions"][0]["kind"], "kernel_signature");
}

TEST_F(Inspect, PythonAndMarkdownAreRead) {
  const std::filesystem::path python = folder_ / "model.py";
  base::write_file_atomic(python, fmt::format("source = '''\n{}'''\n", kKernel));
  EXPECT_NE(run_cuset({"inspect", python.string()}).output.find("kernel_body add 2:"), std::string::npos);
  const std::filesystem::path answer = folder_ / "answer.md";
  base::write_file_atomic(answer, fmt::format("Kernel:\n```cuda\n{}```\n", kKernel));
  EXPECT_NE(run_cuset({"inspect", answer.string()}).output.find("kernel_body add 3:"), std::string::npos);
}

TEST_F(Inspect, WrongUseIsExplained) {
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  const Case cases[] = {
      {{"inspect"}, "cuset: no file to inspect (name a .jsonl file with --model, or source files)\n"},
      {{"inspect", "x.jsonl"},
       "cuset: --model is missing (give the model folder whose tokenizer turns the data into tokens)\n"},
      {{"inspect", "x.cu", "--row", "1"},
       "cuset: --row, --tokens and --html are for data (name a .jsonl file and --model)\n"},
      {{"inspect", "x.cu", "y.jsonl"},
       "cuset: y.jsonl is data and x.cu is a source (inspect them one after the other; --data takes data "
       "files of any "
       "name)\n"},
  };
  for (const Case& test : cases) {
    const sandbox::ProcessResult result = run_cuset(test.arguments);
    EXPECT_EQ(result.exit_status, 2);
    EXPECT_EQ(result.output, test.message);
  }
  const sandbox::ProcessResult beyond = run({"--row", "9"});
  EXPECT_EQ(beyond.exit_status, 1);
  EXPECT_EQ(beyond.output, "cuset: no row 9: the data has 4 (rows count from 1)\n");
}

}  // namespace
}  // namespace cuset::tests
