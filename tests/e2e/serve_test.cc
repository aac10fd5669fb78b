// cuset serve: a model and the judge over HTTP, as clients see them.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/jsonl.h"
#include "e2e/program.h"
#include "e2e/small_model.h"
#include "e2e/started_program.h"
#include "support/raw_http.h"

namespace cuset::tests {
namespace {

using support::raw_request;
using support::RawReply;

constexpr const char* kModel = "assets/model";
constexpr const char* kTasks = "examples/verify/tasks.jsonl";
const std::vector<std::string> kJson = {"Content-Type: application/json"};

base::Json json_of(const RawReply& reply) { return base::parse_json(reply.body, "reply"); }

// A server on a free port.
class ServedProgram {
 public:
  explicit ServedProgram(std::vector<std::string> arguments, const std::vector<std::string>& environment = {})
      : program_(with_port(std::move(arguments)), folder_ / "output", environment) {
    const auto end = std::chrono::steady_clock::now() + kTooLong;
    while (port_ == 0 && program_.is_running() && std::chrono::steady_clock::now() < end) {
      std::error_code missing;
      if (!std::filesystem::exists(folder_ / "output", missing)) continue;
      const std::string text = program_.output();
      const size_t at = text.find("listening on http://127.0.0.1:");
      if (at != std::string::npos && text.find('\n', at) != std::string::npos)
        port_ = std::stoi(text.substr(at + 30));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_NE(port_, 0) << program_.output();
  }

  int port() const { return port_; }
  StartedProgram& program() { return program_; }

  RawReply post(const std::string& path, const base::Json& body) const {
    return raw_request(port_, "POST", path, base::to_json_line(body), kJson);
  }
  RawReply get(const std::string& path) const { return raw_request(port_, "GET", path, "", {}); }

 private:
  static std::vector<std::string> with_port(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "serve");
    arguments.insert(arguments.end(), {"--port", "0"});
    return arguments;
  }

  base::TemporaryFolder folder_;
  StartedProgram program_;
  int port_ = 0;
};

base::Json chat_of(const std::string& text) {
  return {{"messages", {{{"role", "user"}, {"content", text}}}},
          {"max_tokens", 24},
          {"temperature", 0.8},
          {"seed", 7}};
}

// The content of a stream of chat chunks, and its last usage.
std::pair<std::string, base::Json> joined_stream(const std::string& body) {
  std::string text;
  base::Json usage;
  for (size_t at = 0; (at = body.find("data: {", at)) != std::string::npos; at += 6) {
    const size_t end = body.find("\n\n", at);
    const base::Json chunk = base::parse_json(body.substr(at + 6, end - at - 6), "chunk");
    if (chunk.contains("usage") && !chunk["usage"].is_null()) usage = chunk["usage"];
    for (const base::Json& choice : chunk["choices"]) text += choice["delta"].value("content", "");
  }
  return {text, usage};
}

TEST(Serve, ChatGivesTheTextOfGenerateAlsoInAStream) {
  const std::string prompt = "Write a CUDA program that adds two vectors.";
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "prompts.jsonl",
                          base::to_json_line({{"messages", chat_of(prompt)["messages"]}}) + "\n");
  const sandbox::ProcessResult made =
      run_cuset({"generate", "--model", kModel, "--prompts", (folder / "prompts.jsonl").string(), "--output",
                 (folder / "a.jsonl").string(), "--temperature", "0.8", "--seed", "7", "--max-new-tokens",
                 "24", "--samples", "2", "--device", "cpu"});
  ASSERT_EQ(made.exit_status, 0) << made.output;
  std::vector<std::string> wanted;
  base::JsonlReader reader(folder / "a.jsonl");
  while (const std::optional<base::Json> record = reader.next()) wanted.push_back((*record)["text"]);
  ASSERT_EQ(wanted.size(), 2U);

  ServedProgram served({"--model", kModel, "--device", "cpu", "--batch-size", "3"});
  base::Json request = chat_of(prompt);
  request["n"] = 2;
  const RawReply whole = served.post("/v1/chat/completions", request);
  ASSERT_EQ(whole.status, 200) << whole.body;
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(json_of(whole)["choices"][i]["message"]["content"], wanted[i]);
  request["n"] = 1;
  request.update({{"stream", true}, {"stream_options", {{"include_usage", true}}}});
  const RawReply streamed = served.post("/v1/chat/completions", request);
  EXPECT_TRUE(streamed.body.ends_with("data: [DONE]\n\n"));
  EXPECT_TRUE(has(streamed.body, "\"finish_reason\":\"length\"}],\"usage\":null}")) << "as OpenAI has it";
  const auto [text, usage] = joined_stream(streamed.body);
  EXPECT_EQ(text, wanted[0]);
  EXPECT_EQ(usage["completion_tokens"], 24);
  // Company changes nothing.
  std::vector<std::thread> clients;
  std::vector<std::string> texts(8);
  for (std::string& mine : texts) {
    clients.emplace_back([&] {
      mine =
          json_of(served.post("/v1/chat/completions", chat_of(prompt)))["choices"][0]["message"]["content"];
    });
  }
  for (std::thread& client : clients) client.join();
  for (const std::string& mine : texts) EXPECT_EQ(mine, wanted[0]);
  EXPECT_TRUE(has(served.get("/metrics").body, "cuset_generated_tokens_total"));
}

TEST(Serve, WrongRequestsAreRefusedAndTheServerGoesOn) {
  ServedProgram served({"--model", kModel, "--device", "cpu", "--max-body", "1", "--context", "64"});
  base::Json unknown = chat_of("hi");
  unknown["model"] = "gpt-9";
  EXPECT_EQ(served.post("/v1/chat/completions", unknown).status, 404);
  EXPECT_EQ(json_of(served.post("/v1/chat/completions", unknown))["error"]["code"], "model_not_found");
  EXPECT_EQ(raw_request(served.port(), "POST", "/v1/completions", "{\"prompt\": ", kJson).status, 400);
  EXPECT_EQ(raw_request(served.port(), "POST", "/v1/completions", R"({"prompt": [99999999]})", kJson).status,
            400);
  EXPECT_EQ(raw_request(served.port(), "POST", "/v1/completions", R"({"prompt": "a"})", {}).status, 415);
  EXPECT_EQ(raw_request(served.port(), "POST", "/v1/completions", std::string(2 << 20, 'x'), kJson).status,
            413);
  const RawReply longer = served.post("/v1/completions", {{"prompt", std::string(2000, 'x')}});
  EXPECT_EQ(longer.status, 400);
  EXPECT_TRUE(has(longer.body, "maximum context length is 64")) << longer.body;
  EXPECT_EQ(json_of(longer)["error"]["code"], "context_length_exceeded");
  const RawReply full = served.post("/v1/completions", {{"prompt", std::vector<int>(64, 5)}});
  EXPECT_EQ(json_of(full)["error"]["code"], "context_length_exceeded");
  EXPECT_EQ(served.get("/v1/completions").status, 405);
  EXPECT_EQ(served.get("/etc/passwd").status, 404);
  EXPECT_EQ(served.post("/v1/load_lora_adapter", {{"lora_name", "a"}, {"lora_path", "/etc"}}).status, 403);
  EXPECT_EQ(raw_request(served.port(), "GET", "/v1/models", "", {"Host: evil.example.com"}).status, 403);
  const RawReply fine =
      served.post("/v1/completions", {{"prompt", "int main"}, {"max_tokens", 3}, {"echo", true}});
  EXPECT_EQ(fine.status, 200) << fine.body;
  EXPECT_TRUE(json_of(fine)["choices"][0]["text"].get<std::string>().starts_with("int main"));
  served.program().signal(SIGTERM);
  EXPECT_EQ(served.program().wait(), 128 + SIGTERM);
}

TEST(Serve, TokensAndModelsAreToldAsVllmTellsThem) {
  ServedProgram served({"--model", kModel, "--device", "cpu", "--context", "64"});
  const base::Json tokens = json_of(served.post("/tokenize", {{"prompt", "int main() {}"}}));
  EXPECT_EQ(tokens["count"], tokens["tokens"].size());
  EXPECT_EQ(json_of(served.post("/detokenize", {{"tokens", tokens["tokens"]}}))["prompt"], "int main() {}");
  EXPECT_GT(json_of(served.post("/tokenize", {{"messages", chat_of("hi")["messages"]}}))["count"], 1);
  EXPECT_EQ(served.post("/detokenize", {{"tokens", {99999999}}}).status, 400);
  EXPECT_EQ(json_of(served.get("/v1/models/model"))["id"], "model");
  EXPECT_GT(json_of(served.get("/v1/models/model"))["created"], 1'000'000'000);
  EXPECT_EQ(json_of(served.get("/v1/models/")), json_of(served.get("/v1/models")));
  EXPECT_EQ(served.get("/ping").status, 200);
  EXPECT_FALSE(json_of(served.get("/version"))["version"].get<std::string>().empty());
  EXPECT_EQ(served.get("/v1/models/..%2f..%2fetc").status, 404);
  const RawReply many = served.post(
      "/v1/completions",
      {{"prompt", std::vector<std::string>(8, "a")}, {"n", 128}, {"max_tokens", 60}, {"logprobs", 20}});
  EXPECT_EQ(many.status, 400);
  EXPECT_TRUE(has(many.body, "log-probabilities")) << many.body;
}

TEST(Serve, NameOfAModelMayHaveASlash) {
  ServedProgram served({"--model", kModel, "--device", "cpu", "--served-model-name", "some/model"});
  EXPECT_EQ(json_of(served.get("/v1/models/some/model"))["id"], "some/model");
  EXPECT_EQ(json_of(served.get("/v1/models/some%2Fmodel"))["id"], "some/model");
  EXPECT_EQ(served.get("/v1/models/model").status, 404);
}

TEST(Serve, ErrorsAreJsonWhoeverFindsThem) {
  ServedProgram served({"--model", kModel, "--device", "cpu", "--max-body", "1"});
  const RawReply large =
      raw_request(served.port(), "POST", "/v1/completions", std::string(2 << 20, 'x'), kJson);
  EXPECT_EQ(large.status, 413);
  EXPECT_TRUE(has(json_of(large)["error"]["message"].get<std::string>(), "--max-body"));
  const RawReply method = raw_request(served.port(), "PUT", "/v1/models", "{}", kJson);
  EXPECT_EQ(method.status, 405);
  EXPECT_TRUE(has(method.head, "Allow: GET, HEAD")) << method.head;
  EXPECT_EQ(json_of(raw_request(served.port(), "BREW", "/", "", {}))["error"]["type"], "server_error");
  EXPECT_EQ(json_of(served.get("/no/such"))["error"]["type"], "not_found_error");
  EXPECT_EQ(json_of(served.post("/v1/completions", {{"prompt", "a"}, {"n", 0}}))["error"]["param"], "n");
}

TEST(Serve, KeyIsAskedForAndNeverShown) {
  ServedProgram served({"--model", kModel, "--device", "cpu", "--verbose"}, {"CUSET_API_KEY=s3cret-word"});
  EXPECT_EQ(served.get("/health").status, 200);
  EXPECT_TRUE(has(served.get("/").body, "<title>cuset serve</title>"));
  EXPECT_EQ(served.get("/v1/models").status, 401);
  EXPECT_EQ(raw_request(served.port(), "GET", "/v1/models", "", {"Authorization: Bearer wrong"}).status, 401);
  const RawReply models =
      raw_request(served.port(), "GET", "/v1/models", "", {"Authorization: Bearer s3cret-word"});
  EXPECT_EQ(json_of(models)["data"][0]["id"], "model");
  EXPECT_FALSE(has(served.program().output(), "s3cret-word"));
  std::ifstream environment(fmt::format("/proc/{}/environ", served.program().pid()), std::ios::binary);
  const std::string variables(std::istreambuf_iterator<char>(environment), {});
  EXPECT_TRUE(has(variables, "CUSET_API_KEY=")) << "the variables that it was started with";
  EXPECT_FALSE(has(variables, "s3cret-word"));
  const sandbox::ProcessResult open = run_cuset({"serve", "--model", kModel, "--host", "0.0.0.0"});
  EXPECT_EQ(open.exit_status, 2);
  EXPECT_TRUE(has(open.output, "there is no key")) << open.output;
}

TEST(Serve, AdaptersAreChosenByNameAndLoadedFromTheirRootOnly) {
  const SmallModel small;
  const std::filesystem::path root = std::filesystem::path(small.adapter()).parent_path();
  ServedProgram served({"--model", small.model(), "--adapter", "first=" + small.adapter(), "--adapter-root",
                        root.string(), "--device", "cpu", "--context", "128", "--max-adapters", "2"});
  const auto text_of = [&](const std::string& model) -> std::string {
    const RawReply reply = served.post(
        "/v1/completions", {{"model", model}, {"prompt", "a"}, {"max_tokens", 12}, {"temperature", 0}});
    return reply.status == 200 ? json_of(reply)["choices"][0]["text"].get<std::string>()
                               : "status " + std::to_string(reply.status);
  };
  EXPECT_NE(text_of("first"), text_of("model"));
  EXPECT_EQ(text_of("second"), "status 404");
  const RawReply loaded =
      served.post("/v1/load_lora_adapter", {{"lora_name", "second"}, {"lora_path", "adapter"}});
  EXPECT_EQ(loaded.status, 200) << loaded.body;
  EXPECT_EQ(text_of("second"), text_of("first"));
  const RawReply third =
      served.post("/v1/load_lora_adapter", {{"lora_name", "third"}, {"lora_path", "adapter"}});
  EXPECT_EQ(third.status, 400);
  EXPECT_TRUE(has(third.body, "--max-adapters")) << third.body;
  EXPECT_EQ(json_of(served.get("/v1/models"))["data"].size(), 3U);
  EXPECT_EQ(served.post("/v1/load_lora_adapter", {{"lora_name", "second"}, {"lora_path", "adapter"}}).status,
            400);
  EXPECT_EQ(served.post("/v1/unload_lora_adapter", {{"lora_name", "second"}}).status, 200);
  EXPECT_EQ(text_of("second"), "status 404");
  std::filesystem::create_directory_symlink("/etc", root / "link_outside");
  const std::vector<std::string> elsewhere = {
      "../..", "/", "/etc", "no_such", "../../../../etc", "link_outside", ".", {"adapter\0/etc", 12}};
  for (const std::string& path : elsewhere)
    EXPECT_EQ(served.post("/v1/load_lora_adapter", {{"lora_name", "x"}, {"lora_path", path}}).status, 400)
        << path;
}

// Answers and outcomes as `cuset verify` has them.
std::map<std::string, std::string> verified_outcomes(const std::filesystem::path& folder) {
  const sandbox::ProcessResult judged =
      run_cuset({"verify", "--tasks", kTasks, "--answers", "examples/verify/answers.jsonl", "--executor",
                 "cpu", "--seed", "5", "--output", folder.string()});
  EXPECT_EQ(judged.exit_status, 0) << judged.output;
  std::map<std::string, std::string> outcomes;
  base::JsonlReader reader(folder / "verdicts.jsonl");
  while (const std::optional<base::Json> record = reader.next()) {
    outcomes[fmt::format("{}#{}", (*record)["task"].get<std::string>(), (*record)["sample"].get<int>())] =
        (*record)["word"];
  }
  return outcomes;
}

base::Json example_answers() {
  base::Json answers = base::Json::array();
  std::map<std::string, int> samples;
  base::JsonlReader reader("examples/verify/answers.jsonl");
  while (const std::optional<base::Json> record = reader.next()) {
    const std::string task = (*record)["task"];
    const int sample = record->contains("sample") ? (*record)["sample"].get<int>() : samples[task];
    ++samples[task];
    answers.push_back({{"task", task}, {"answer", (*record)["text"]}, {"sample", sample}});
  }
  return answers;
}

TEST(Serve, JudgeThatIsKilledLosesNothingAndAgreesWithVerify) {
  if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  const base::TemporaryFolder folder;
  const std::map<std::string, std::string> wanted = verified_outcomes(folder / "verify");
  const base::Json answers = example_answers();
  ASSERT_EQ(answers.size(), wanted.size());
  const std::vector<std::string> flags = {
      "--judge",    "--tasks", kTasks,      "--output", (folder / "judge").string(), "--seed", "5",
      "--executor", "cpu",     "--workers", "1"};
  {
    ServedProgram served(flags);
    const RawReply taken = served.post("/judge", {{"answers", answers}, {"wait", false}});
    ASSERT_EQ(taken.status, 202) << taken.body;
    served.program().signal(SIGKILL);
    served.program().wait();
  }
  ServedProgram served(flags);
  const RawReply judged = served.post("/judge", {{"answers", answers}});
  ASSERT_EQ(judged.status, 200) << judged.body;
  const base::Json told = json_of(judged);
  ASSERT_EQ(told["results"].size(), wanted.size());
  for (const base::Json& result : told["results"]) {
    const std::string name =
        fmt::format("{}#{}", result["task"].get<std::string>(), result["sample"].get<int>());
    EXPECT_EQ(result["outcome"], wanted.at(name)) << name;
    EXPECT_EQ(result["correct"], wanted.at(name) == "correct");
    const RawReply polled = served.get("/judge/" + result["id"].get<std::string>());
    EXPECT_EQ(json_of(polled)["outcome"], result["outcome"]);
    EXPECT_EQ(
        raw_request(served.port(), "DELETE", "/judge/" + result["id"].get<std::string>(), "", {}).status,
        409);
  }
  EXPECT_EQ(served.get("/judge/0123").status, 404);
  EXPECT_EQ(served.post("/judge", {{"task", "saxpi_4k"}, {"answer", "x"}}).status, 400);
  EXPECT_EQ(json_of(served.get("/judge"))["waiting"], 0);
  EXPECT_EQ(served.get("/v1/models").status, 404) << "there is no model";
  served.program().signal(SIGTERM);
  EXPECT_EQ(served.program().wait(), 128 + SIGTERM);
  // Nothing is judged a second time by the next server.
  ServedProgram again(flags);
  EXPECT_EQ(again.post("/judge", {{"answers", answers}, {"wait", false}}).status, 200);
  EXPECT_FALSE(has(again.get("/metrics").body, "cuset_verdicts_total{"));
}

TEST(Serve, RunningJobIsKilledWhenItIsCanceled) {
  if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  const base::TemporaryFolder folder;
  const std::vector<std::string> flags = {
      "--judge", "--tasks", kTasks, "--output", (folder / "judge").string(), "--executor", "cpu"};
  ServedProgram served(flags);
  // It runs until somebody ends it, 60 seconds by the task's limit.
  const base::Json request = {
      {"task", "saxpy_4k"},
      {"answer", "```cuda\n__global__ void f() {}\nint main() { f<<<1, 1>>>(); for (;;); }\n```"},
      {"wait", false}};
  const std::string path = "/judge/" + json_of(served.post("/judge", request))["id"].get<std::string>();
  while (json_of(served.get(path))["state"] == "waiting")
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto begin = std::chrono::steady_clock::now();
  const RawReply canceled = raw_request(served.port(), "DELETE", path, "", {});
  EXPECT_EQ(canceled.status, 200) << canceled.body;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30)) << "it was waited for";
  EXPECT_EQ(json_of(served.get(path))["state"], "canceled");
  EXPECT_EQ(json_of(served.get("/judge"))["running"], 0);
  EXPECT_FALSE(has(served.get("/metrics").body, "cuset_verdicts_total{"));
  EXPECT_EQ(raw_request(served.port(), "DELETE", path, "", {}).status, 200) << "again changes nothing";
  const std::string state = json_of(served.post("/judge", request))["state"];
  EXPECT_TRUE(state == "waiting" || state == "running") << "sent again, it is wanted again: " << state;
  EXPECT_EQ(raw_request(served.port(), "DELETE", path, "", {}).status, 200);
  served.program().signal(SIGTERM);
  EXPECT_EQ(served.program().wait(), 128 + SIGTERM);
  EXPECT_EQ(json_of(ServedProgram(flags).get(path))["state"], "canceled") << "also for the next server";
}

}  // namespace
}  // namespace cuset::tests
