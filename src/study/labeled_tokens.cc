#include "study/labeled_tokens.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "cuda_source/answer.h"

namespace cuset::study {
namespace {

// The kinds of every byte. Each kind is painted from left to right and never twice over the same byte, so
// nested regions cost no more than the text.
std::vector<KindSet> paint(const data::Example& example) {
  std::vector<KindSet> kinds(example.text.size(), kNoKinds);
  std::array<size_t, kRegionKinds> painted{};
  for (const cuda_source::Region& region : example.regions) {
    size_t& until = painted[static_cast<size_t>(region.kind)];
    for (size_t i = std::max(region.begin, until); i < region.end; ++i) kinds[i] |= only(region.kind);
    until = std::max(until, region.end);
  }
  return kinds;
}

// Which bytes of the text the analysis looks at.
std::vector<uint8_t> bytes_in_scope(const data::Example& example, CodeScope scope) {
  const bool is_all = scope == CodeScope::kResponse;
  std::vector<uint8_t> in_scope(example.text.size(), is_all ? 1 : 0);
  if (is_all) return in_scope;
  const auto fill = [&](size_t begin, size_t end) {
    std::fill(in_scope.begin() + static_cast<ptrdiff_t>(begin),
              in_scope.begin() + static_cast<ptrdiff_t>(end), uint8_t{1});
  };
  const base::ByteSpan response = example.response;
  if (example.is_source) {
    fill(response.begin, response.end);
    return in_scope;
  }
  const std::string_view text = std::string_view(example.text).substr(response.begin, response.size());
  const cuda_source::Extraction extraction = cuda_source::extract_code(text);
  if (!extraction.program) return in_scope;
  for (const base::ByteSpan span : extraction.program->spans) {
    fill(response.begin + span.begin, response.begin + span.end);
  }
  return in_scope;
}

bool overlaps(const std::vector<uint8_t>& bytes, const text::TokenSpan& span) {
  const auto end = bytes.begin() + span.end;
  return std::find(bytes.begin() + span.begin, end, 1) != end;
}

}  // namespace

size_t first_response_token(const data::Example& example) {
  size_t token = 0;
  while (token < example.ids.size() && example.spans[token].end <= example.response.begin &&
         example.is_label[token] == 0) {
    ++token;
  }
  return token;
}

std::vector<KindSet> kinds_of_tokens(const data::Example& example) {
  const std::vector<KindSet> bytes = paint(example);
  std::vector<KindSet> kinds(example.ids.size(), kNoKinds);
  for (size_t i = 0; i < kinds.size(); ++i) {
    for (size_t at = example.spans[i].begin; at < example.spans[i].end; ++at) kinds[i] |= bytes[at];
  }
  return kinds;
}

std::optional<AnalyzedSample> label_tokens(const data::Example& example, std::span<const float> confidences,
                                           const LabelOptions& options) {
  const std::vector<KindSet> kinds = kinds_of_tokens(example);
  const std::vector<uint8_t> in_scope = bytes_in_scope(example, options.scope);
  const KindSet sensitive = sensitive_kinds(options.sensitivity);
  const size_t first = first_response_token(example);
  AnalyzedSample sample;
  size_t row = 0;
  for (size_t i = 1; i < example.ids.size(); ++i) {
    if (example.is_label[i] == 0) continue;
    CUSET_CHECK(row < confidences.size(), "{}: {} confidences", example.place, confidences.size());
    const float confidence = confidences[row++];
    const text::TokenSpan& span = example.spans[i];
    if (!overlaps(in_scope, span)) continue;
    const bool is_sensitive = (kinds[i] & sensitive) != 0;
    sample.tokens.push_back({confidence, kinds[i], is_sensitive, static_cast<uint32_t>(i - first),
                             static_cast<uint32_t>(span.begin - example.response.begin),
                             static_cast<uint32_t>(span.end - example.response.begin)});
  }
  if (sample.tokens.empty()) return std::nullopt;
  sample.id = example.place;
  sample.text = example.text.substr(example.response.begin);
  return sample;
}

}  // namespace cuset::study
