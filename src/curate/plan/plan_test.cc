#include "curate/plan/plan.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/test_folder.h"

namespace cuset::curate {
namespace {

class CurationPlans : public testing::Test {
 protected:
  CurationPlans() {
    folder_.write("pairs.jsonl", "");
    folder_.write("tasks.jsonl", "");
  }

  std::string path(const char* name) const { return (folder_.path() / name).string(); }
  std::string with_pairs(const std::string& more) const {
    return "sources:\n  pairs: {file: " + path("pairs.jsonl") + "}\n" + more;
  }
  std::string fault(const std::string& text) const {
    try {
      parse_curation_plan(text, "p.yaml");
    } catch (const base::UsageError& error) {
      return error.one_line();
    }
    return "no error";
  }

  support::TestFolder folder_;
};

TEST_F(CurationPlans, EveryKeyIsRead) {
  const CurationPlan plan = parse_curation_plan(
      "sources:\n"
      "  code: {folder: " +
          folder_.path().string() +
          ", license: MIT, prompt: 'Write {kernel}.'}\n"
          "  gym: {file: " +
          path("pairs.jsonl") + ", tasks: " + path("tasks.jsonl") +
          "}\n"
          "  model: {tasks: " +
          path("tasks.jsonl") + ", answers: " + path("pairs.jsonl") +
          ", level: 2}\n"
          "normalize: {min_tokens: 20, max_bytes: 1000}\n"
          "duplicates: {exact: false, near: 0.7, run: 9, across_tasks: true}\n"
          "decontaminate: {files: [" +
          path("tasks.jsonl") +
          "], overlap: 0.5}\n"
          "screen: {secrets: false, licenses: [MIT, Apache-2.0], unknown_license: false}\n"
          "verify: {keep: [correct, wrong_output], unverified: true, trials: 3, executor: cpu}\n"
          "confidence: {model: " +
          folder_.path().string() +
          ", tau: 0.2, unlikely: 0.1, device: cpu, dtype: float32}\n"
          "select: {rule: concur, per_task: 2, speedup: 3, single_share: 0.2, fused: ['f*'], per_family: 10, count: 99, easy: 5, hard: 7}\n"
          "weights: {verified: 2, unverified: 0.5}\n"
          "validation: 0.1\nseed: 7\n",
      "a/p.yaml");
  EXPECT_EQ(plan.name, "p");
  ASSERT_EQ(plan.sources.size(), 3u);
  EXPECT_EQ(plan.sources[0].prompt, "Write {kernel}.");
  EXPECT_EQ(plan.sources[0].license, "MIT");
  EXPECT_EQ(plan.sources[1].tasks, path("tasks.jsonl"));
  EXPECT_EQ(plan.sources[2].level, "2");
  EXPECT_EQ(plan.sources[2].line, 4);
  EXPECT_EQ(plan.normalize.min_tokens, 20);
  EXPECT_EQ(plan.normalize.max_bytes, 1000);
  EXPECT_FALSE(plan.duplicates.exact);
  EXPECT_EQ(plan.duplicates.near, 0.7);
  EXPECT_EQ(plan.duplicates.run, 9);
  EXPECT_TRUE(plan.duplicates.across_tasks);
  EXPECT_EQ(plan.decontaminate.files.size(), 1u);
  EXPECT_EQ(plan.decontaminate.overlap, 0.5);
  EXPECT_FALSE(plan.screen.secrets);
  EXPECT_EQ(plan.screen.licenses, (std::vector<std::string>{"MIT", "Apache-2.0"}));
  EXPECT_FALSE(plan.screen.unknown_license);
  EXPECT_EQ(plan.verify.keep.size(), 2u);
  EXPECT_TRUE(plan.verify.unverified);
  ASSERT_EQ(plan.verify.judging.size(), 2u);
  EXPECT_EQ(plan.verify.judging[0].key, "trials");
  EXPECT_EQ(plan.verify.judging[0].line, 9);
  ASSERT_TRUE(plan.confidence);
  EXPECT_EQ(plan.confidence->model, folder_.path());
  EXPECT_EQ(plan.confidence->tau, 0.2);
  EXPECT_EQ(plan.confidence->unlikely, 0.1);
  EXPECT_EQ(plan.confidence->device, "cpu");
  EXPECT_EQ(plan.confidence->dtype, "float32");
  EXPECT_EQ(plan.select.rule, SelectRule::kConcur);
  EXPECT_EQ(plan.select.per_task, 2);
  EXPECT_EQ(plan.select.fused, (std::vector<std::string>{"f*"}));
  EXPECT_EQ(plan.select.hard, 7);
  EXPECT_EQ(plan.weights.unverified, 0.5);
  EXPECT_EQ(plan.validation, 0.1);
  EXPECT_EQ(plan.seed, 7);
}

TEST_F(CurationPlans, EndpointsAreRead) {
  const CurationPlan plan = parse_curation_plan(
      "sources:\n  teacher:\n    tasks: " + path("tasks.jsonl") +
          "\n    endpoint: {url: 'https://host/v1/', model: m, key: A_KEY, samples: 5, temperature: 0.7, top_p: 0.9, "
          "max_tokens: 100, max_tokens_key: max_completion_tokens, seed: 3, reasoning_effort: high, system: s, "
          "parallel: 32, retries: 2, timeout: 9.5, backoff: 0.5, price_in: 0.1, price_out: 2}\n",
      "p.yaml");
  ASSERT_TRUE(plan.sources.at(0).endpoint);
  const EndpointOptions& endpoint = *plan.sources[0].endpoint;
  EXPECT_EQ(endpoint.url, "https://host/v1");
  EXPECT_EQ(endpoint.model, "m");
  EXPECT_EQ(endpoint.key, "A_KEY");
  EXPECT_EQ(endpoint.samples, 5);
  EXPECT_EQ(endpoint.temperature, 0.7);
  EXPECT_EQ(endpoint.top_p, 0.9);
  EXPECT_EQ(endpoint.max_tokens, 100);
  EXPECT_EQ(endpoint.max_tokens_key, "max_completion_tokens");
  EXPECT_EQ(endpoint.seed, 3);
  EXPECT_EQ(endpoint.reasoning_effort, "high");
  EXPECT_EQ(endpoint.system, "s");
  EXPECT_EQ(endpoint.parallel, 32);
  EXPECT_EQ(endpoint.retries, 2);
  EXPECT_EQ(endpoint.timeout, 9.5);
  EXPECT_EQ(endpoint.backoff, 0.5);
  EXPECT_EQ(endpoint.price_in, 0.1);
  EXPECT_EQ(endpoint.price_out, 2);
}

// Somebody will paste it there once.
TEST_F(CurationPlans, AKeyInThePlanIsRefusedAndNotRepeated) {
  for (const char* endpoint : {"{url: 'https://h/v1', model: m, key: sk-1234567890abcdef}",
                               "{url: 'https://me:sk-1234567890abcdef@h/v1', model: m}",
                               "{url: 'https://h/v1?key=sk-1234567890abcdef', model: m}"}) {
    const std::string message =
        fault("sources:\n  a: {tasks: " + path("tasks.jsonl") + ", endpoint: " + endpoint + "}\n");
    EXPECT_TRUE(message.starts_with("p.yaml:2: sources.a.endpoint.")) << message;
    EXPECT_EQ(message.find("sk-12345"), std::string::npos) << message;
  }
}

TEST_F(CurationPlans, FaultsNameFileAndLine) {
  const std::string pairs = path("pairs.jsonl");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "p.yaml: the section 'sources' is missing or empty (write sources: {pairs: {file: pairs.jsonl}})"},
      {"sources: [", "p.yaml:1: not valid YAML"},
      {"sources:\n  a: {fil: x}\n", "p.yaml:2: sources.a: unknown key \"fil\"; did you mean 'file'?"},
      {"sources:\n  a: {file: none.jsonl}\n",
       "p.yaml:2: sources.a.file: no such file or folder: none.jsonl (paths in a plan are relative to the current folder)"},
      {"sources:\n  a: {file: " + pairs + ", answers: " + pairs + "}\n",
       "p.yaml:2: sources.a names several of folder, file, answers and endpoint"},
      {"sources:\n  a: {answers: " + pairs + "}\n",
       "p.yaml:2: sources.a has answers without tasks (add tasks: FILE)"},
      {"sources:\n  a: {endpoint: {url: 'http://h', model: m}}\n",
       "p.yaml:2: sources.a has an endpoint without tasks to ask it (add tasks: FILE)"},
      {"sources:\n  a: {tasks: " + pairs + ", endpoint: {url: 'http://h'}}\n",
       "p.yaml:2: sources.a.endpoint needs url and model"},
      {"sources:\n  a: {tasks: " + pairs + ", endpoint: {url: 'ftp://h', model: m}}\n",
       "p.yaml:2: sources.a.endpoint.url is not of the form https://host/path"},
      {"sources:\n  a b: {file: " + pairs + "}\n", "p.yaml:2: sources: \"a b\" cannot be a name"},
      {with_pairs("duplicates: {near: 2}\n"), "p.yaml:3: duplicates.near: \"2\" is not a number from 0 to 1"},
      {with_pairs("duplicates: {run: 1}\n"), "p.yaml:3: duplicates.run: 1 is less than 2"},
      {with_pairs("verify: {keep: [corect]}\n"), "p.yaml:3: verify.keep: \"corect\" is not an outcome"},
      {with_pairs("verify: {answers: x}\n"),
       "p.yaml:3: verify: the curation itself sets 'answers' (remove this key)"},
      {with_pairs("select: {rule: best}\n"),
       "p.yaml:3: select.rule: \"best\" is not a rule (rules are all, concur"},
      {with_pairs("confidence: {tau: 0.2}\n"),
       "p.yaml:3: confidence names no model (write confidence: {model: FOLDER})"},
      {with_pairs("confidence: {model: none}\n"), "p.yaml:3: confidence.model: no such file or folder: none"},
      {with_pairs("confidence: {unlikely: 2}\n"),
       "p.yaml:3: confidence.unlikely: \"2\" is not a number from 0 to 1"},
      {with_pairs("screen: {secrets: maybe}\n"), "p.yaml:3: screen.secrets is neither true nor false"},
      {with_pairs("selct: {}\n"), "p.yaml:3: unknown key \"selct\"; did you mean 'select'?"},
      {with_pairs("validation: 1\n"), "p.yaml:3: validation: \"1\" is not a number from 0 to 0.9"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_TRUE(fault(text).starts_with(message)) << fault(text) << "\nwanted: " << message;
}

}  // namespace
}  // namespace cuset::curate
