// cuset bench as a user runs it.
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "e2e/program.h"
#include "support/tiny_model.h"

namespace cuset::tests {
namespace {

TEST(Bench, MeasuresTheTokenizerWithoutAReferenceToo) {
  const support::TinyModelFolder model;
  const sandbox::ProcessResult result = run_cuset(
      {"bench", "tokenizer", "--model", model.path().string(), "--data", "testdata/data/kernels.jsonl",
       "--threads", "1,2", "--python", "/no/such/python", "--json", "--quiet"});
  EXPECT_EQ(result.exit_status, 0) << result.output;
  // The warning about the missing reference goes to standard error, before or after the JSON.
  EXPECT_NE(result.output.find("/no/such/python has no tokenizers library"), std::string::npos)
      << result.output;
  const size_t begin = result.output.find('{');
  const base::Json report =
      base::parse_json(result.output.substr(begin, result.output.rfind('}') + 1 - begin), "bench");
  ASSERT_EQ(report["rows"].size(), 2u);
  EXPECT_EQ(report["rows"][1]["threads"], 2);
  EXPECT_GT(report["rows"][0]["ours"]["megabytes_per_second"], 0.0);
  EXPECT_EQ(report["rows"][0]["ours"]["tokens"], report["rows"][1]["ours"]["tokens"]);
}

TEST(Bench, TrainingStepsAreMeasured) {
  const sandbox::ProcessResult result =
      run_cuset({"bench", "train", "--shape", "tiny-7m", "--tokens", "16", "--steps", "1", "--device", "cpu",
                 "--objective", "sft,cuset", "--python", "", "--json"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const base::Json answer = base::parse_json(result.output, "answer");
  ASSERT_EQ(answer["rows"].size(), 2u);
  for (const base::Json& row : answer["rows"]) {
    EXPECT_GT(row["tokens_per_second"].get<double>(), 0) << row;
    EXPECT_GT(row["gradient_norm"].get<double>(), 0) << row;
  }
  // Random weights of a vocabulary of 2048 know nothing: the loss is that of a guess, ln 2048 = 7.62.
  EXPECT_NEAR(answer["rows"][0]["loss"].get<double>(), 7.62, 0.3);
}

TEST(Bench, UnknownShapesAreRefused) {
  const sandbox::ProcessResult result =
      run_cuset({"bench", "train", "--shape", "qwen2.5-7g", "--python", ""});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_NE(result.output.find("--shape: unknown shape \"qwen2.5-7g\"; did you mean 'qwen2.5-7b'?"),
            std::string::npos)
      << result.output;
}

TEST(Bench, ProgramsAreCompiledAndRunOnTheCpu) {
  if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  const sandbox::ProcessResult result =
      run_cuset({"bench", "run", "--program", "vector_add", "--repeats", "1", "--json", "--quiet"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const base::Json answer = base::parse_json(result.output, "answer");
  const base::Json& program = answer["programs"][0];
  EXPECT_EQ(program["failure"], "");
  EXPECT_GT(program["device_seconds"].get<double>(), 0);
  EXPECT_GT(program["cpu_kernel_ms"].get<double>(), 0);
  EXPECT_GT(answer["sandboxed_start_ms"].get<double>(), answer["start_ms"].get<double>());
  const sandbox::ProcessResult unknown = run_cuset({"bench", "run", "--program", "vector_ad"});
  EXPECT_EQ(unknown.exit_status, 2);
  EXPECT_EQ(unknown.output, "cuset: --program: unknown program \"vector_ad\"; did you mean 'vector_add'?\n");
}

TEST(Bench, ReferencesAreVerifiedFromAColdCache) {
  if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  const sandbox::ProcessResult result =
      run_cuset({"bench", "verify", "--tasks", "examples/verify/tasks.jsonl", "--executor", "cpu", "--trials",
                 "2", "--limit", "1", "--json", "--quiet"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const base::Json answer = base::parse_json(result.output, "answer");
  ASSERT_EQ(answer["candidates"].size(), 1u);
  EXPECT_EQ(answer["candidates"][0]["word"], "correct") << answer;
  EXPECT_GT(answer["candidates"][0]["build_seconds"].get<double>(), 0) << "nothing was built before";
  EXPECT_EQ(answer["passed_over"], 2);
  EXPECT_GT(answer["per_minute"].get<double>(), 0);
}

TEST(Bench, CurationIsMeasuredByStages) {
  if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  const sandbox::ProcessResult result =
      run_cuset({"bench", "curate", "--rows", "40", "--answers", "1", "--executor", "cpu", "--trials", "1",
                 "--projected", "400", "--json", "--quiet"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const base::Json answer = base::parse_json(result.output, "answer");
  for (const char* key : {"parse_per_second", "exact_per_second", "near_per_second", "verify_per_second"})
    EXPECT_GT(answer[key].get<double>(), 0) << key;
  EXPECT_GE(answer["projected_seconds"].get<double>(), 399 / answer["verify_per_second"].get<double>());
}

TEST(Bench, UnknownSubjectsAreRefused) {
  const sandbox::ProcessResult result = run_cuset({"bench", "coffee", "--model", "m", "--data", "d"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.output,
            "cuset: bench: unknown subcommand 'coffee' (`cuset bench --help` lists the subcommands)\n");
}

}  // namespace
}  // namespace cuset::tests
