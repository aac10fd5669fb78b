#include "study/measure/tokenizer_speed.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "base/seconds_since.h"
#include "sandbox/process.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::study {
namespace {

// In a process of its own for every number of threads, because the library fixes it at the first use.
constexpr const char* kReferenceScript = R"(
import json, sys, time
from tokenizers import Tokenizer
start = time.perf_counter()
tokenizer = Tokenizer.from_file(sys.argv[1])
load = time.perf_counter() - start
texts = [json.loads(line)["text"] for line in open(sys.argv[2], encoding="utf-8")]
best = float("inf")
for _ in range(int(sys.argv[3])):
    start = time.perf_counter()
    encodings = tokenizer.encode_batch(texts, add_special_tokens=False)
    best = min(best, time.perf_counter() - start)
print(json.dumps({"load": load, "encode": best, "tokens": sum(len(e) for e in encodings)}))
)";

TokenizerSpeed measure_ours(const TokenizerBenchOptions& options, unsigned threads) {
  TokenizerSpeed speed;
  auto start = std::chrono::steady_clock::now();
  const text::Tokenizer tokenizer = text::Tokenizer::from_file(options.tokenizer);
  speed.load_seconds = base::seconds_since(start);
  const std::vector<std::string_view> texts(options.texts.begin(), options.texts.end());
  const text::EncodeOptions plain{.special_tokens = text::SpecialTokens::Parse, .add_special_tokens = false};
  for (int i = 0; i < options.repeats; ++i) {
    start = std::chrono::steady_clock::now();
    const std::vector<text::Encoding> encodings = tokenizer.encode_batch(texts, plain, threads);
    const double seconds = base::seconds_since(start);
    speed.encode_seconds = i == 0 ? seconds : std::min(speed.encode_seconds, seconds);
    speed.tokens = 0;
    for (const text::Encoding& encoding : encodings) speed.tokens += encoding.ids.size();
  }
  return speed;
}

std::optional<TokenizerSpeed> measure_reference(const TokenizerBenchOptions& options,
                                                const std::filesystem::path& texts, unsigned threads) {
  const sandbox::ProcessResult answer = sandbox::run_process(
      {"env", fmt::format("RAYON_NUM_THREADS={}", threads), "TOKENIZERS_PARALLELISM=true", options.python,
       "-c", kReferenceScript, options.tokenizer.string(), texts.string(), std::to_string(options.repeats)},
      {.time_limit = std::chrono::minutes(10)});
  if (!answer.succeeded()) return std::nullopt;
  const base::Json speed = base::parse_json(answer.output, "the reference's answer");
  return TokenizerSpeed{speed["load"], speed["encode"], speed["tokens"]};
}

double rate(uint64_t bytes, double seconds) { return static_cast<double>(bytes) / 1e6 / seconds; }

base::Json to_json(const TokenizerSpeed& speed, uint64_t bytes) {
  return {{"load_seconds", speed.load_seconds},
          {"megabytes_per_second", rate(bytes, speed.encode_seconds)},
          {"tokens", speed.tokens}};
}

void append_jsonl_texts(const std::string& file, std::vector<std::string>& texts) {
  base::JsonlReader reader(file);
  while (const auto record = reader.next()) {
    std::string longest;
    for (const auto& [key, value] : record->items()) {
      if (!value.is_string()) continue;
      const auto& text = value.get_ref<const std::string&>();
      if (key == "text" || text.size() > longest.size()) longest = text;
      if (key == "text") break;
    }
    if (!longest.empty()) texts.push_back(std::move(longest));
  }
}

}  // namespace

std::vector<TokenizerComparison> compare_tokenizers(const TokenizerBenchOptions& options) {
  const base::TemporaryFolder folder;
  const std::filesystem::path texts = folder.path() / "texts.jsonl";
  base::AtomicFile file(texts);
  for (const std::string& text : options.texts) file.write(base::to_json_line({{"text", text}}) + "\n");
  file.commit();

  std::vector<TokenizerComparison> rows;
  for (const unsigned threads : options.threads) {
    TokenizerComparison row{threads, measure_ours(options, threads),
                            measure_reference(options, texts, threads)};
    if (row.reference && row.reference->tokens != row.ours.tokens) {
      throw base::Error("{}: {} tokens by us, {} by the reference", options.tokenizer.string(),
                        row.ours.tokens, row.reference->tokens);
    }
    rows.push_back(row);
  }
  return rows;
}

std::string render_comparison(const std::vector<TokenizerComparison>& rows, uint64_t bytes) {
  std::string out = fmt::format("{:.1f} MB of text\n{:>7} {:>10} {:>14} {:>7} {:>10} {:>14}\n",
                                static_cast<double>(bytes) / 1e6, "threads", "ours MB/s", "tokenizers MB/s",
                                "ratio", "load s", "tokenizers s");
  for (const TokenizerComparison& row : rows) {
    const double ours = rate(bytes, row.ours.encode_seconds);
    out += fmt::format("{:>7} {:>10.1f} ", row.threads, ours);
    if (row.reference) {
      const double theirs = rate(bytes, row.reference->encode_seconds);
      out += fmt::format("{:>15.1f} {:>7.1f} {:>10.3f} {:>14.3f}\n", theirs, ours / theirs,
                         row.ours.load_seconds, row.reference->load_seconds);
    } else {
      out += fmt::format("{:>15} {:>7} {:>10.3f} {:>14}\n", "-", "-", row.ours.load_seconds, "-");
    }
  }
  return out;
}

base::Json to_json(const std::vector<TokenizerComparison>& rows, uint64_t bytes) {
  base::Json list = base::Json::array();
  for (const TokenizerComparison& row : rows) {
    base::Json entry = {{"threads", row.threads}, {"ours", to_json(row.ours, bytes)}};
    if (row.reference) entry["tokenizers"] = to_json(*row.reference, bytes);
    list.push_back(std::move(entry));
  }
  return {{"bytes", bytes}, {"rows", std::move(list)}};
}

std::vector<std::string> read_texts(const std::vector<std::string>& files) {
  std::vector<std::string> texts;
  for (const std::string& file : files) {
    if (file.ends_with(".jsonl")) {
      append_jsonl_texts(file, texts);
    } else {
      texts.push_back(base::read_file(file));
    }
  }
  return texts;
}

}  // namespace cuset::study
