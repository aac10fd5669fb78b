// tokenize_dump TOKENIZER_JSON [--decode] [--add-special] [--plain] [--bench FILE THREADS] [--train SIZE]
// Reads one JSON object per line. {"text"} -> {"ids", "offsets"} (byte offsets); with --decode {"ids"} ->
// {"text"}.
// --bench times the encoding of a JSONL file of {"text"}, and loading, and prints one JSON object.
// --train learns a vocabulary of SIZE tokens from {"text"} lines and writes TOKENIZER_JSON.
// The tests and the benchmark compare this with Hugging Face's library.
#include <chrono>
#include <iostream>
#include <string>

#include "answer_lines.h"
#include "base/files/file.h"
#include "text/tokenizer/bpe_trainer.h"
#include "text/tokenizer/tokenizer.h"

namespace {

using cuset::base::Json;
using Clock = std::chrono::steady_clock;

struct Settings {
  std::string tokenizer;
  bool decode = false;
  cuset::text::EncodeOptions encode{cuset::text::SpecialTokens::Parse, false};
  std::string bench_file;
  unsigned bench_threads = 1;
  uint32_t train_size = 0;
};

Settings parse_arguments(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--decode") {
      settings.decode = true;
    } else if (argument == "--add-special") {
      settings.encode.add_special_tokens = true;
    } else if (argument == "--plain") {
      settings.encode.special_tokens = cuset::text::SpecialTokens::PlainText;
    } else if (argument == "--bench" && i + 2 < argc) {
      settings.bench_file = argv[++i];
      settings.bench_threads = static_cast<unsigned>(std::stoul(argv[++i]));
    } else if (argument == "--train" && i + 1 < argc) {
      settings.train_size = static_cast<uint32_t>(std::stoul(argv[++i]));
    } else {
      settings.tokenizer = argument;
    }
  }
  if (settings.tokenizer.empty())
    throw cuset::base::UsageError("usage: tokenize_dump TOKENIZER_JSON [OPTIONS]");
  return settings;
}

Json encode_line(const cuset::text::Tokenizer& tokenizer, const Json& line,
                 const cuset::text::EncodeOptions& options) {
  const cuset::text::Encoding encoding = tokenizer.encode(line.at("text").get<std::string>(), options);
  Json offsets = Json::array();
  for (const auto& [begin, end] : encoding.spans) offsets.push_back({begin, end});
  return {{"ids", encoding.ids}, {"offsets", offsets}};
}

Json decode_line(const cuset::text::Tokenizer& tokenizer, const Json& line) {
  return {{"text", tokenizer.decode(line.at("ids").get<std::vector<uint32_t>>())}};
}

void serve(const cuset::text::Tokenizer& tokenizer, const Settings& settings) {
  std::string text;
  while (std::getline(std::cin, text)) {
    const Json line = cuset::base::parse_json(text, "stdin");
    const Json answer =
        settings.decode ? decode_line(tokenizer, line) : encode_line(tokenizer, line, settings.encode);
    std::cout << cuset::base::to_json_line(answer) << '\n';
  }
}

void train(const Settings& settings) {
  cuset::text::BpeTrainer trainer(
      {.vocab_size = settings.train_size, .special_tokens = {"<|end|>", "<|pad|>"}});
  std::string line;
  while (std::getline(std::cin, line))
    trainer.add(cuset::base::parse_json(line, "stdin").at("text").get<std::string>());
  cuset::base::write_json_file(settings.tokenizer, trainer.train());
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void bench(const Settings& settings) {
  const Clock::time_point load_start = Clock::now();
  const cuset::text::Tokenizer tokenizer = cuset::text::Tokenizer::from_file(settings.tokenizer);
  const double load = seconds_since(load_start);

  const std::string file = cuset::base::read_file(settings.bench_file);
  std::vector<std::string> texts;
  for (size_t at = 0; at < file.size();) {
    const size_t end = std::min(file.find('\n', at), file.size());
    texts.push_back(cuset::base::parse_json(std::string_view(file).substr(at, end - at), "line").at("text"));
    at = end + 1;
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());

  size_t tokens = 0;
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const Clock::time_point start = Clock::now();
    const auto encodings = tokenizer.encode_batch(views, settings.encode, settings.bench_threads);
    best = std::min(best, seconds_since(start));
    tokens = 0;
    for (const auto& encoding : encodings) tokens += encoding.ids.size();
  }
  std::cout << cuset::base::to_json_line({{"load_s", load}, {"encode_s", best}, {"tokens", tokens}}) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return cuset::tests::run_main([&] {
    const Settings settings = parse_arguments(argc, argv);
    if (!settings.bench_file.empty()) {
      bench(settings);
    } else if (settings.train_size != 0) {
      train(settings);
    } else {
      serve(cuset::text::Tokenizer::from_file(settings.tokenizer), settings);
    }
  });
}
