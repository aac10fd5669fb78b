#include "study/confidence_run.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "base/progress.h"
#include "data/packing.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

using Confidences = std::vector<std::vector<float>>;  // of examples

// The double with the fewest digits that reads back as this float.
double shortest(float value) { return std::stod(fmt::format("{}", value)); }

float confidence_at(const base::JsonCursor& field) {
  const double p = field.number();
  if (!(p >= 0 && p <= 1)) field.refuse_type("a number from 0 to 1");
  return static_cast<float>(p);
}

// What earlier runs found out, by sample.
std::unordered_map<std::string, std::vector<float>> read_known(const fs::path& file) {
  std::unordered_map<std::string, std::vector<float>> known;
  if (!fs::exists(file)) return known;
  base::JsonlReader reader(file, {.torn_line = base::TornLine::kIgnore});
  while (const std::optional<base::Json> line = reader.next()) {
    const std::string place = reader.place();
    const base::JsonCursor record =
        base::JsonCursor(*line, place)
            .with_remedy(
                "the file does not hold confidences of samples; remove it, or choose another --output");
    std::vector<float>& confidences = known[record.at("sample").string()];
    confidences.clear();
    for (const base::JsonCursor& p : record.at("p").elements()) confidences.push_back(confidence_at(p));
  }
  return known;
}

void refuse_ids_outside(const std::vector<data::Example>& examples, int64_t vocabulary) {
  for (const data::Example& example : examples) {
    for (const uint32_t id : example.ids) {
      if (id < vocabulary) continue;
      throw base::Error("{}: token {} is outside the model's vocabulary of {}", example.place, id, vocabulary)
          .with_remedy("tokenizer.json and config.json of the model folder do not belong together");
    }
  }
}

class ConfidenceRun {
 public:
  ConfidenceRun(const ConfidenceOptions& options, const std::vector<data::Example>& examples)
      : options_(options), examples_(examples), confidences_(examples.size()) {
    const auto known = read_known(options.file);
    for (size_t i = 0; i < examples.size(); ++i) {
      const size_t wanted = examples[i].supervised_tokens();
      const auto found = known.find(examples[i].place);
      total_ += wanted;
      if (found == known.end() || found->second.size() != wanted) {
        missing_.push_back(i);
      } else {
        confidences_[i] = found->second;
        done_ += wanted;
      }
    }
  }

  std::optional<Confidences> run() {
    if (missing_.size() < examples_.size()) {
      base::log_info("confidences of {} of {} samples are there already", examples_.size() - missing_.size(),
                     examples_.size());
    }
    if (missing_.empty()) return std::move(confidences_);
    generate::ScoringModel model(options_.model);
    refuse_ids_outside(examples_, model.vocabulary());
    base::JsonlWriter writer(options_.file);
    base::Progress progress({.title = "confidence", .total = total_, .unit = "tokens", .done = done_});
    for (const std::vector<size_t>& pack : packs()) {
      if (base::is_interrupt_requested()) return std::nullopt;
      measure(pack, model, writer);
      for (const size_t i : pack) progress.add(confidences_[i].size());
    }
    writer.flush();
    progress.finish();
    return std::move(confidences_);
  }

 private:
  // The missing examples in packs.
  std::vector<std::vector<size_t>> packs() const {
    std::vector<size_t> lengths;
    for (const size_t i : missing_) lengths.push_back(examples_[i].ids.size());
    const size_t capacity =
        std::max(options_.batch_tokens, *std::max_element(lengths.begin(), lengths.end()));
    std::vector<std::vector<size_t>> packs;
    for (const data::Pack& pack :
         data::pack_examples(lengths, capacity, base::RandomStream(0, "confidence"))) {
      std::vector<size_t> members;
      for (const size_t place : pack.examples) members.push_back(missing_[place]);
      packs.push_back(std::move(members));
    }
    return packs;
  }

  void measure(const std::vector<size_t>& pack, generate::ScoringModel& model, base::JsonlWriter& writer) {
    std::vector<generate::ScoredSequence> sequences;
    for (const size_t i : pack) sequences.push_back({examples_[i].ids, examples_[i].is_label});
    Confidences found = model.probabilities(sequences);
    for (size_t i = 0; i < pack.size(); ++i) keep(pack[i], std::move(found[i]), writer);
  }

  void keep(size_t example, std::vector<float> values, base::JsonlWriter& writer) {
    const std::string& place = examples_[example].place;
    base::Json numbers = base::Json::array();
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) {
        throw base::Error("{}: the model's probability of token {} of the response is not a number", place,
                          i + 1)
            .with_remedy("its weights are faulty, or overflow: try --dtype float32");
      }
      // A softmax may be off by a rounding.
      values[i] = std::clamp(values[i], 0.0F, 1.0F);
      numbers.push_back(shortest(values[i]));
    }
    writer.append({{"sample", place}, {"p", std::move(numbers)}});
    confidences_[example] = std::move(values);
  }

  const ConfidenceOptions& options_;
  const std::vector<data::Example>& examples_;
  Confidences confidences_;
  std::vector<size_t> missing_;
  uint64_t total_ = 0;  // tokens
  uint64_t done_ = 0;
};

}  // namespace

std::optional<Confidences> measure_confidence(const ConfidenceOptions& options,
                                              const std::vector<data::Example>& examples) {
  return ConfidenceRun(options, examples).run();
}

}  // namespace cuset::study
