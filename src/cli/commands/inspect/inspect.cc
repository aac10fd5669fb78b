// cuset inspect: samples as the trainer sees them (tokens, masks, CUDA regions), and the regions of source
// files. docs/data.md shows what it prints.
#include "cli/commands/commands.h"

#include <iostream>

#include "base/console.h"
#include "base/error.h"
#include "base/files/file.h"
#include "base/log.h"
#include "cli/commands/inspect/inspect_terminal.h"
#include "cli/framework/model_path.h"
#include "cli/framework/over_length.h"
#include "cuda_source/answer.h"
#include "data/dataset.h"
#include "data/record_reader.h"
#include "study/inspect/page.h"
#include "study/inspect/pieces.h"
#include "study/inspect/summary.h"

namespace cuset::cli {
namespace {

using Paths = std::vector<std::filesystem::path>;

constexpr size_t kSamplesInOverview = 3;
constexpr size_t kLinesInOverview = 12;

// Regions of a file by its name: Python's strings, the code of a Markdown answer, else CUDA.
std::vector<cuda_source::Region> regions_of_file(const std::filesystem::path& path, std::string_view text,
                                                 const cuda_source::AnswerOptions& options) {
  const std::string extension = path.extension().string();
  if (extension == ".py") return cuda_source::find_regions_in_python(text, options.regions);
  if (extension == ".md" || extension == ".txt") return cuda_source::find_regions_in_answer(text, options);
  return cuda_source::find_regions(text, options.regions);
}

// Row `number`, counted from 1 over all files.
data::Sample sample_of_row(const Paths& files, size_t number) {
  size_t rows = 0;
  for (const std::filesystem::path& file : files) {
    data::RecordReader reader(file);
    while (const std::optional<base::Json> record = reader.next()) {
      if (++rows == number) return data::sample_from_record(*record, reader.place());
    }
  }
  throw base::Error("no row {}: the data has {}", number, rows).with_remedy("rows count from 1");
}

class InspectCommand : public Command {
 public:
  std::string_view name() const override { return "inspect"; }
  std::string_view summary() const override {
    return "Show samples as the trainer sees them, or the CUDA regions of source files";
  }
  std::string_view examples() const override {
    return "  cuset inspect examples/saxpy.cu\n"
           "  cuset inspect testdata/data/kernels.jsonl --model assets/model\n"
           "  cuset inspect testdata/data/kernels.jsonl --model assets/model --row 2 --tokens\n"
           "  cuset inspect testdata/data/kernels.jsonl --model assets/model --html samples.html\n"
           "  cuset inspect testdata/data/kernels.jsonl --model assets/model --json > summary.json";
  }

  void declare(Settings& settings) override {
    settings.add_positional("files", files_,
                            "Data files (.jsonl, .json), or source files (.cu, .cuh, .cpp, .py, .md)");
    settings.add("data", data_, "Data files with any extension");
    settings.add("model", model_, "Model folder, for its tokenizer and chat template");
    settings.add("row", row_, "Show this row in full, counted from 1 over all files");
    settings.add("tokens", tokens_, "Show token boundaries");
    settings.add("html", html_, "HTML file to write the samples to");
    settings.add("limit", limit_, "Write only the first N samples to the HTML file");
    settings.add_alias("max_samples", "limit");
    settings.add("json", json_, "Print JSON instead of text");
    settings.add("cutoff_len", cutoff_len_, "Maximum number of tokens of a sample");
    settings.add_choice("over_length", over_length_, {"drop", "error", "truncate"},
                        "What to do with longer samples");
    settings.add("signature_in_mask", signature_in_mask_,
                 "Count kernel signatures as CUDA code in the CUDA mask");
    settings.add("device_functions", device_functions_,
                 "Mark the bodies of device functions that kernels call");
    settings.add("kinds", kinds_, "Mark what depends on the execution model: indexing, memory, barriers");
  }

  int run() override {
    const auto [data, sources] = sort_inputs();
    color_ = base::output_has_color();
    if (!sources.empty()) {
      show_sources(sources);
      return 0;
    }
    require_model_folder(model_, {"tokenizer.json"});
    const data::ExampleBuilder builder =
        data::ExampleBuilder::from_model_folder(model_, {answer_options(), signature_in_mask_});
    if (row_ > 0) {
      show_row(data, builder);
    } else {
      show_all(data, builder);
    }
    return 0;
  }

 private:
  struct Inputs {
    Paths data;
    Paths sources;
  };

  Inputs sort_inputs() const {
    Inputs inputs;
    inputs.data.assign(data_.begin(), data_.end());
    for (const std::filesystem::path file : files_) {
      (data::is_data_file(file) ? inputs.data : inputs.sources).push_back(file);
    }
    if (inputs.data.empty() && inputs.sources.empty()) {
      throw base::UsageError("no file to inspect")
          .with_remedy("name a .jsonl file with --model, or source files");
    }
    if (!inputs.data.empty() && !inputs.sources.empty()) {
      throw base::UsageError("{} is data and {} is a source", inputs.data[0].string(),
                             inputs.sources[0].string())
          .with_remedy("inspect them one after the other; --data takes data files of any name");
    }
    check_flags(!inputs.data.empty());
    return inputs;
  }

  void check_flags(bool has_data) const {
    if (has_data && model_.empty()) {
      throw base::UsageError("--model is missing")
          .with_remedy("give the model folder whose tokenizer turns the data into tokens");
    }
    if (!has_data && (row_ != 0 || tokens_ || !html_.empty())) {
      throw base::UsageError("--row, --tokens and --html are for data")
          .with_remedy("name a .jsonl file and --model");
    }
    if (row_ < 0) throw base::UsageError("--row: {} is not a row", row_).with_remedy("rows count from 1");
    if (row_ != 0 && !html_.empty()) throw base::UsageError("--row and --html exclude each other");
    if (cutoff_len_ < 1) throw base::UsageError("--cutoff-len: {} is not positive", cutoff_len_);
    if (limit_ < 0) throw base::UsageError("--limit: {} is negative", limit_);
  }

  cuda_source::AnswerOptions answer_options() const {
    cuda_source::AnswerOptions options;
    options.regions.device_functions = device_functions_;
    options.regions.sensitivity = kinds_;
    return options;
  }

  void show_sources(const Paths& files) const {
    base::Json all = base::Json::array();
    for (const std::filesystem::path& file : files) {
      const std::string text = base::read_file(file);
      const std::vector<cuda_source::Region> regions = regions_of_file(file, text, answer_options());
      if (json_) {
        all.push_back({{"file", file.string()}, {"regions", cuda_source::regions_to_json(text, regions)}});
      } else {
        show_source(file, text, regions);
      }
    }
    if (json_) std::cout << base::to_json_line(all) << "\n";
  }

  void show_source(const std::filesystem::path& file, std::string_view text,
                   const std::vector<cuda_source::Region>& regions) const {
    const std::vector<study::ShownPiece> pieces = study::pieces_of_source(text, regions);
    const TerminalOptions options{.color = color_, .line_numbers = true};
    std::cout << base::printable(file.string()) << "\n" << render_pieces(text, pieces, options);
    if (regions.empty()) {
      std::cout << "no CUDA region found\n";
    } else {
      std::cout << "\n" << render_legend(pieces, options) << "\n" << cuda_source::dump_regions(text, regions);
    }
  }

  void show_row(const Paths& files, const data::ExampleBuilder& builder) const {
    data::Example example = builder.build(sample_of_row(files, static_cast<size_t>(row_)));
    std::string remark;
    const auto limit = static_cast<size_t>(cutoff_len_);
    if (example.ids.size() > limit) {
      if (over_length_ == "error") {
        throw base::Error("{}: {} tokens, {} allowed", example.place, example.ids.size(), limit)
            .with_remedy("raise --cutoff-len, or --over-length drop");
      }
      if (over_length_ == "truncate") {
        data::truncate_example(example, limit);
      } else {
        remark = fmt::format("dropped in training: {} tokens, {} allowed\n", example.ids.size(), limit);
      }
    }
    if (json_) {
      std::cout << base::to_json_line(study::example_to_json(example)) << "\n";
      return;
    }
    const std::vector<study::ShownPiece> pieces = study::pieces_of_example(example, builder.tokenizer());
    const TerminalOptions options{.color = color_, .token_borders = tokens_};
    std::cout << header_of(example) << "\n"
              << remark << "\n"
              << render_pieces(example.text, pieces, options) << "\n"
              << render_legend(pieces, options);
    if (!example.regions.empty())
      std::cout << "\n" << cuda_source::dump_regions(example.text, example.regions);
  }

  void show_all(const Paths& files, const data::ExampleBuilder& builder) const {
    const data::Dataset dataset = data::load_dataset(
        files, builder,
        {.max_tokens = static_cast<size_t>(cutoff_len_), .over_length = over_length_of(over_length_)});
    const study::DatasetSummary summary = study::summarize(dataset);
    if (!html_.empty()) write_page(files, dataset, builder.tokenizer());
    if (json_) {
      std::cout << base::to_json_line(study::summary_to_json(summary, dataset)) << "\n";
    } else {
      if (html_.empty()) show_first_samples(dataset, builder.tokenizer());
      std::cout << study::render_summary(summary, dataset);
    }
  }

  void show_first_samples(const data::Dataset& dataset, const text::Tokenizer& tokenizer) const {
    std::vector<study::ShownPiece> shown;
    TerminalOptions options{.color = color_, .token_borders = tokens_, .most_lines = kLinesInOverview};
    for (size_t i = 0; i < std::min(kSamplesInOverview, dataset.examples.size()); ++i) {
      const data::Example& example = dataset.examples[i];
      const std::vector<study::ShownPiece> pieces = study::pieces_of_example(example, tokenizer);
      options.begin = example.response.begin;
      std::cout << header_of(example) << "\n" << render_pieces(example.text, pieces, options) << "\n";
      shown.insert(shown.end(), pieces.begin(), pieces.end());
    }
    if (!shown.empty()) std::cout << render_legend(shown, options) << "\n";
  }

  void write_page(const Paths& files, const data::Dataset& dataset, const text::Tokenizer& tokenizer) const {
    std::string title = files[0].filename().string();
    if (files.size() > 1) title += fmt::format(" and {} more", files.size() - 1);
    const study::PageOptions options{title, static_cast<size_t>(limit_)};
    base::write_file_atomic(html_, study::render_page(dataset, tokenizer, options));
    base::log_info("{}: {} of {} samples", html_.string(),
                   std::min(options.most_samples, dataset.examples.size()), dataset.examples.size());
  }

  std::vector<std::string> files_;
  std::vector<std::string> data_;
  std::filesystem::path model_;
  int64_t row_ = 0;
  bool tokens_ = false;
  std::filesystem::path html_;
  int64_t limit_ = 200;
  bool json_ = false;
  int64_t cutoff_len_ = 4096;
  std::string over_length_ = "drop";
  bool signature_in_mask_ = false;
  bool device_functions_ = false;
  bool kinds_ = false;
  bool color_ = false;
};

}  // namespace

std::unique_ptr<Command> make_inspect_command() { return std::make_unique<InspectCommand>(); }

}  // namespace cuset::cli
