// The files of an analysis: docs/analyze.md.
#include "base/files/file.h"
#include "study/analysis.h"
#include "study/csv_field.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlockBytes = size_t{1} << 20;

// A CSV file that appears whole or not at all.
class CsvFile {
 public:
  CsvFile(const fs::path& path, std::string_view header) : file_(path), block_(header) { block_ += '\n'; }

  void add_line(std::string_view line) {
    block_ += line;
    block_ += '\n';
    if (block_.size() < kBlockBytes) return;
    file_.write(std::string_view(block_));
    block_.clear();
  }

  void commit() {
    file_.write(std::string_view(block_));
    file_.commit();
  }

 private:
  base::AtomicFile file_;
  std::string block_;
};

// `text` on one line.
std::string escaped(std::string_view text) {
  std::string line;
  for (const char c : text) {
    switch (c) {
      case '\\':
        line += "\\\\";
        break;
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      case '\t':
        line += "\\t";
        break;
      default:
        line += c;
    }
  }
  return line;
}

// The line of every token's first byte, counted from 1.
std::vector<size_t> lines_of_tokens(const AnalyzedSample& sample) {
  std::vector<size_t> lines;
  size_t line = 1;
  size_t at = 0;
  for (const AnalyzedToken& token : sample.tokens) {
    for (; at < token.begin; ++at) line += sample.text[at] == '\n';
    lines.push_back(line);
  }
  return lines;
}

void add_tokens(const AnalyzedSample& sample, CsvFile& file) {
  const std::string id = csv_field(sample.id);
  const std::vector<size_t> lines = lines_of_tokens(sample);
  for (size_t i = 0; i < sample.tokens.size(); ++i) {
    const AnalyzedToken& token = sample.tokens[i];
    const std::string_view text = std::string_view(sample.text).substr(token.begin, token.end - token.begin);
    file.add_line(fmt::format("{},{},{},{},{},{},{}", id, token.index, lines[i], token.confidence,
                              token.is_sensitive ? 1 : 0, names_of(token.kinds), csv_field(escaped(text))));
  }
}

void add_windows(const AnalyzedSample& sample, const Analysis& analysis, CsvFile& file) {
  const std::string id = csv_field(sample.id);
  const std::vector<size_t> lines = lines_of_tokens(sample);
  for (const ConfidenceWindow& window :
       windows_of(sample, analysis.windows.threshold, analysis.options.windows)) {
    file.add_line(fmt::format("{},{},{},{},{:.6f},{},{},{}", id, sample.tokens[window.begin].index,
                              sample.tokens[window.end - 1].index + 1, lines[window.begin], window.confidence,
                              window.is_low ? 1 : 0, window.is_in_sensitive ? 1 : 0, names_of(window.kinds)));
  }
}

// One line for each key, so that a person finds the metrics among the heat maps.
std::string one_key_per_line(const base::Json& object) {
  std::string text = "{";
  for (const auto& [key, value] : object.items()) {
    text += fmt::format("{}\n{}: {}", text.size() == 1 ? "" : ",", base::to_json_line(key),
                        base::to_json_line(value));
  }
  return text + "\n}\n";
}

}  // namespace

void write_analysis(const fs::path& folder, const Analysis& analysis,
                    std::span<const AnalyzedSample> samples) {
  CsvFile tokens(folder / "tokens.csv", "sample,token,line,confidence,sensitive,kinds,text");
  CsvFile windows(folder / "windows.csv",
                  "sample,begin_token,end_token,line,confidence,low,in_sensitive,kinds");
  for (const AnalyzedSample& sample : samples) {
    add_tokens(sample, tokens);
    add_windows(sample, analysis, windows);
  }
  tokens.commit();
  windows.commit();
  base::write_file_atomic(folder / "analysis.json", one_key_per_line(json_of(analysis)));
}

}  // namespace cuset::study
