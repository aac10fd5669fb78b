// A whole curation with the real judge on the CPU executor, over the answers of examples/verify.
#include "curate/run/curation_run.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/jsonl.h"
#include "base/net/http_client.h"
#include "benchmarks/benchmark_judge.h"
#include "data/sample.h"
#include "support/scripted_http_server.h"
#include "support/test_executor.h"
#include "support/test_folder.h"

namespace cuset::curate {
namespace {

namespace fs = std::filesystem;

std::vector<base::Json> lines_of(const fs::path& file) {
  std::vector<base::Json> lines;
  base::JsonlReader reader(file);
  while (auto line = reader.next()) lines.push_back(std::move(*line));
  return lines;
}

constexpr const char* kStageNames[] = {"normalize", "exact", "decontaminate", "screen",
                                       "verify",    "near",  "select"};

class CurationRun : public tests::WithCpuExecutor<testing::Test> {
 protected:
  void prepare() override {
    judge::JudgeSettings judging;
    judging.seed = 7;
    judging.trials = 1;
    judge_ = benchmarks::make_benchmark_judge(*executor_, judging);
    folder_.write(
        "code/k.cu",
        "__global__ void scale(float* x, float a, int n) { int i = threadIdx.x; if (i < n) x[i] *= a; }\n");
    std::string pairs;
    const auto add = [&](const base::Json& record) { pairs += base::to_json_line(record) + "\n"; };
    const std::string kernel =
        "```cuda\n__global__ void copy(const int* from, int* to, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) to[i] = from[i];\n}\n```\n";
    std::string renamed = kernel;
    for (size_t at = renamed.find("from"); at != std::string::npos; at = renamed.find("from", at + 3))
      renamed.replace(at, 4, "src");
    add({{"prompt", "Copy."}, {"response", kernel}});
    add({{"prompt", "Copy!"}, {"response", renamed}});
    add({{"prompt", "Say hello."}, {"response", "Hello."}});
    add({{"prompt", "Log in."},
         {"response",
          "```cuda\n// hf_a8Fk2LmQ9xZr4TbV7nYp3WcD6sHj1EgU0oKi5\n__global__ void f(int* x) { x[threadIdx.x] = 3 * threadIdx.x; }\n```\n"}});
    add({{"promt", "no form"}});
    folder_.write("pairs.jsonl", pairs);
  }

  std::string plan_text(const std::string& more = "") const {
    return "sources:\n  answers: {tasks: examples/verify/tasks.jsonl, answers: examples/verify/answers.jsonl}\n"
           "  pairs: {file: " +
           (folder_.path() / "pairs.jsonl").string() +
           "}\n"
           "  code: {folder: " +
           (folder_.path() / "code").string() +
           "}\n"
           "verify: {unverified: true}\nvalidation: 0.3\nseed: 5\n" +
           more;
  }

  CurationResult curate(const std::string& text, const char* output = "out", const RowReader& reader = {}) {
    CurationSettings settings;
    settings.output = folder_.path() / output;
    settings.workers = 2;
    settings.make_judge = [this](const fs::path&) -> judge::Judge& { return *judge_; };
    settings.reader = reader;
    return run_curation(parse_curation_plan(text, "plan.yaml"), settings);
  }

  std::map<std::string, std::string> outputs(const char* output = "out") const {
    std::map<std::string, std::string> files;
    for (const char* name :
         {"train.jsonl", "validation.jsonl", "rejected.jsonl", "card.md", "card.html", "summary.json"})
      files[name] = base::read_file(folder_.path() / output / name);
    return files;
  }

  support::TestFolder folder_;
  std::unique_ptr<judge::Judge> judge_;
};

TEST_F(CurationRun, EveryRowIsKeptOnceOrRefusedOnceWithAReason) {
  const CurationResult result = curate(plan_text());
  std::map<std::string, std::map<std::string, size_t>> reasons;
  for (const StageCount& stage : result.stages) reasons[stage.name] = stage.reasons;
  EXPECT_EQ(result.stages.front().in, 15u);
  EXPECT_EQ(reasons["sources"], (std::map<std::string, size_t>{{"unreadable", 1}}));
  EXPECT_EQ(reasons["normalize"], (std::map<std::string, size_t>{{"no_code", 2}}));
  EXPECT_EQ(reasons["exact"], (std::map<std::string, size_t>{{"exact_duplicate", 1}}));
  EXPECT_EQ(reasons["screen"], (std::map<std::string, size_t>{{"secret", 1}}));
  EXPECT_GT(reasons["verify"].size(), 1u);

  std::multiset<std::string> places;
  for (const char* name : {"train.jsonl", "validation.jsonl", "rejected.jsonl"})
    for (const base::Json& line : lines_of(folder_.path() / "out" / name))
      places.insert(line["source"].get<std::string>() + " " + line["place"].get<std::string>());
  EXPECT_EQ(places.size(), 15u);
  EXPECT_EQ(result.train + result.validation, result.stages.back().out);
  for (const base::Json& line : lines_of(folder_.path() / "out/rejected.jsonl")) {
    EXPECT_FALSE(line["reason"].get<std::string>().empty());
    EXPECT_FALSE(line["stage"].get<std::string>().empty());
  }
}

TEST_F(CurationRun, KeptRowsAreSamplesWithTheirVerdicts) {
  curate(plan_text());
  size_t vouched = 0;
  for (const char* name : {"train.jsonl", "validation.jsonl"}) {
    for (const base::Json& line : lines_of(folder_.path() / "out" / name)) {
      EXPECT_NO_THROW(data::sample_from_record(line, "x:1"));
      EXPECT_EQ(line["vouched"].get<bool>(), line["verdict"] == "correct") << line;
      EXPECT_EQ(line["vouched"].get<bool>(), line.contains("task")) << line;
      vouched += line["vouched"].get<bool>() ? 1 : 0;
    }
  }
  EXPECT_EQ(vouched, 3u);  // README.md of examples/verify: one answer of each task is right
  const std::string card = outputs()["card.md"];
  for (const char* part :
       {"## Stages", "## Verdicts", "| correct | 3 |", "Refused, one for each reason", "(not shown)"})
    EXPECT_NE(card.find(part), std::string::npos) << part;
  EXPECT_EQ(card.find("hf_a8F"), std::string::npos);
}

TEST_F(CurationRun, AStageThatWasCutOffIsDoneAgainAndNothingElseChanges) {
  curate(plan_text());
  const auto wanted = outputs();
  for (const char* name : kStageNames) {
    // As a kill before the stage's file was complete leaves it.
    fs::remove(folder_.path() / "out/stages" / (std::string(name) + ".jsonl"));
    fs::remove(folder_.path() / "out/train.jsonl");
    const CurationResult again = curate(plan_text());
    EXPECT_EQ(outputs(), wanted) << name;
    for (const StageCount& stage : again.stages) {
      if (stage.name == name) {
        EXPECT_FALSE(stage.was_done) << name;
      }
    }
  }
}

TEST_F(CurationRun, APlanThatChangedRepeatsOnlyWhatItConcerns) {
  curate(plan_text());
  const CurationResult changed = curate(plan_text("select: {count: 2}\n"));
  for (const StageCount& stage : changed.stages)
    EXPECT_EQ(stage.was_done, stage.name != "select") << stage.name;
  EXPECT_EQ(changed.train + changed.validation, 2u);
  const CurationResult fresh = curate(plan_text("select: {count: 2}\n"), "fresh");
  EXPECT_EQ(outputs(), outputs("fresh"));
}

TEST_F(CurationRun, WithoutLeaveUnverifiedRowsAreRefused) {
  std::string text = plan_text();
  text.replace(text.find("unverified: true"), 16, "unverified: false");
  const CurationResult result = curate(text);
  EXPECT_EQ(result.train + result.validation, 3u);
}

TEST_F(CurationRun, RowsWithoutATaskAreRunAndNeverVouchedFor) {
  folder_.write(
      "code/race.cu",
      "__global__ void last(float* x, int n) { int i = threadIdx.x; if (i < n) x[0] = i * 2.0f; }\n");
  const CurationResult result = curate(plan_text());
  size_t unverified = 0;
  for (const char* name : {"train.jsonl", "validation.jsonl"}) {
    for (const base::Json& line : lines_of(folder_.path() / "out" / name)) {
      if (line["verdict"] != "unverified") continue;
      ++unverified;
      EXPECT_EQ(line["tried"], "signature");
      EXPECT_FALSE(line["vouched"].get<bool>());
    }
  }
  EXPECT_EQ(unverified, 2u);  // scale and copy
  for (const StageCount& stage : result.stages) {
    if (stage.name == "verify") {
      EXPECT_EQ(stage.reasons.at("global_race"), 1u);
    }
  }
  // Without the harness they are kept as they are.
  const CurationResult as_they_are = curate(plan_text("weights: {unverified: 0.5}\n"), "out");
  EXPECT_EQ(as_they_are.train + as_they_are.validation, result.train + result.validation);
  std::string text = plan_text();
  text.replace(text.find("unverified: true"), 16, "unverified: true, harness: false");
  EXPECT_EQ(curate(text, "untried").stages.back().out, result.stages.back().out + 1);
}

// A model behind a server: every answer is a row or refused once, and what it cost is in the card.
TEST_F(CurationRun, AnEndpointAnswersTheTasks) {
  if (!base::HttpClient::is_available()) GTEST_SKIP() << "skipped: built without libcurl";
  const std::vector<base::Json> known = lines_of("examples/verify/answers.jsonl");
  std::atomic<int> asked = 0;
  const support::ScriptedHttpServer server([&](const support::ServedRequest& request) {
    const base::Json body = base::parse_json(request.body, "request");
    const auto sample = static_cast<size_t>(body["seed"].get<int>());
    ++asked;
    const base::Json message = {{"content", known[0]["text"]}, {"reasoning_content", "Think."}};
    const base::Json choice = {{"message", message}, {"finish_reason", sample == 1 ? "length" : "stop"}};
    const base::Json usage = {{"prompt_tokens", 100}, {"completion_tokens", 1000}};
    const base::Json reply = {{"choices", base::Json::array({choice})}, {"usage", usage}};
    return support::ServedReply{.status = sample == 2 ? 400 : 200, .body = base::to_json_line(reply)};
  });
  const std::string plan =
      "sources:\n  teacher: {tasks: examples/verify/tasks.jsonl, endpoint: {url: '" + server.url() +
      "', model: m, samples: 3, seed: 0, backoff: 0.01, price_in: 1, price_out: 10}}\nvalidation: 0\n";
  const CurationResult result = curate(plan);
  const size_t tasks = lines_of("examples/verify/tasks.jsonl").size();
  EXPECT_EQ(result.stages.front().in, 3 * tasks);
  EXPECT_EQ(result.stages.front().reasons,
            (std::map<std::string, size_t>{{"cut_off", tasks}, {"no_answer", tasks}}));
  EXPECT_EQ(result.train, 1u);  // it answers one of the tasks
  const std::vector<base::Json> kept = lines_of(folder_.path() / "out/train.jsonl");
  EXPECT_TRUE(kept.at(0)["response"].get<std::string>().starts_with("<think>\nThink.\n</think>\n\n"));
  EXPECT_NE(outputs()["card.md"].find(fmt::format("cost {:.4f}", 0.0202 * static_cast<double>(tasks))),
            std::string::npos)
      << outputs()["card.md"];
  // What was refused is asked again; what was answered is not.
  EXPECT_EQ(asked, static_cast<int>(3 * tasks));
  curate(plan);
  EXPECT_EQ(asked, static_cast<int>(4 * tasks));
}

// Responses above a length are unlikely to this reader; it is interrupted as often as `interrupts` says.
RowReader reader_by_length(size_t most, int& calls, int& interrupts) {
  return {"length",
          [most, &calls, &interrupts](const std::vector<data::Sample>& samples,
                                      const fs::path& file) -> std::optional<std::vector<double>> {
            ++calls;
            EXPECT_EQ(file.filename().string().rfind("confidences-", 0), 0u);
            if (interrupts-- > 0) return std::nullopt;
            std::vector<double> shares;
            for (const data::Sample& sample : samples)
              shares.push_back(sample.response().size() > most ? 0.25 : 0.0);
            return shares;
          }};
}

TEST_F(CurationRun, AModelRefusesRowsItFindsUnlikely) {
  const std::string plan = plan_text("confidence: {model: ., unlikely: 0.2}\n");
  int calls = 0, interrupts = 1;
  const RowReader reader = reader_by_length(200, calls, interrupts);
  EXPECT_TRUE(curate(plan, "out", reader).is_interrupted);
  const CurationResult result = curate(plan, "out", reader);
  EXPECT_FALSE(result.is_interrupted);
  EXPECT_EQ(calls, 2);
  size_t refused = 0;
  for (const base::Json& line : lines_of(folder_.path() / "out/rejected.jsonl")) {
    if (line["stage"] != "confidence") continue;
    ++refused;
    EXPECT_EQ(line["reason"], "unlikely_text");
    EXPECT_EQ(line["detail"], "25.0 % of its tokens have p <= 0.1");
  }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(result.train + result.validation, 0u);
  EXPECT_EQ(result.stages[6].name, "confidence");
  EXPECT_EQ(result.stages[6].in - result.stages[6].out, refused);
  // What is known is not asked again; another limit is another decision over what is known.
  EXPECT_TRUE(curate(plan, "out", reader).stages[6].was_done);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(curate(plan_text("confidence: {model: ., unlikely: 0.3}\n"), "out", reader).stages[6].out,
            result.stages[6].in);
}

TEST_F(CurationRun, BenchmarksAreTakenOut) {
  const CurationResult result =
      curate(plan_text("decontaminate: {files: [examples/verify/answers.jsonl]}\n"));
  for (const StageCount& stage : result.stages) {
    if (stage.name == "decontaminate") {
      EXPECT_EQ(stage.reasons.at("contaminated"), 7u);  // the eighth answer has no kernel
    }
  }
}

}  // namespace
}  // namespace cuset::curate
