#include "study/heat_map.h"

#include <algorithm>

#include "base/stats/rounding.h"
#include "objective/sample_weights.h"
#include "study/labeled_tokens.h"

namespace cuset::study {
namespace {

// Tokens of the response; `row` counts the supervised ones.
std::vector<HeatToken> heat_tokens(const data::Example& example, std::span<const float> confidences,
                                   double tau) {
  std::vector<HeatToken> tokens;
  size_t row = 0;
  size_t at = example.response.begin;
  for (size_t i = first_response_token(example); i < example.ids.size(); ++i) {
    HeatToken token;
    const size_t end = std::max<size_t>(at, example.spans[i].end);
    token.text = example.text.substr(at, end - at);
    at = end;
    token.is_supervised = i > 0 && example.is_label[i] != 0;
    if (token.is_supervised) {
      token.confidence = confidences[row++];
      token.is_cuda = example.is_cuda[i] != 0;
      token.is_confident = token.confidence > tau;
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

// The regions in tokens. Each byte belongs to the token that shows it.
std::vector<HeatRegion> heat_regions(const data::Example& example, const std::vector<HeatToken>& tokens) {
  std::vector<size_t> borders = {example.response.begin};
  for (const HeatToken& token : tokens) borders.push_back(borders.back() + token.text.size());
  std::vector<HeatRegion> regions;
  for (const cuda_source::Region& region : example.regions) {
    const auto begin = std::upper_bound(borders.begin(), borders.end(), region.begin) - 1;
    const auto end = std::lower_bound(begin, borders.end(), region.end);
    regions.push_back({static_cast<size_t>(begin - borders.begin()),
                       static_cast<size_t>(end - borders.begin()), region.kind});
  }
  return regions;
}

// The windows and the weight that training gives this sample.
void add_windows(std::span<const float> confidences, int64_t window, HeatMap& map) {
  const auto rows = static_cast<int64_t>(confidences.size());
  const auto p = torch::tensor(at::ArrayRef<float>(confidences.data(), confidences.size()));
  const objective::RowSegments segments = objective::make_row_segments({0, rows}, torch::kCPU);
  const auto windows = objective::window_confidence(p, segments, window);
  map.window_confidence.assign(windows.const_data_ptr<double>(), windows.const_data_ptr<double>() + rows);
  map.sample_weight = objective::lowest_windows(p, segments, window).sample_weights().item<double>();
}

}  // namespace

HeatMap draw_heat_map(const data::Example& example, std::span<const float> confidences,
                      const objective::ObjectiveSettings& objective) {
  HeatMap map;
  map.id = example.place;
  map.prompt = example.text.substr(0, example.response.begin);
  map.tokens = heat_tokens(example, confidences, objective.tau);
  map.regions = heat_regions(example, map.tokens);
  add_windows(confidences, objective.window, map);
  map.tau = objective.tau;
  map.lambda = objective.lambda;
  map.window = objective.window;
  return map;
}

base::Json json_of(const HeatMap& map) {
  base::Json tokens = base::Json::array();
  for (const HeatToken& token : map.tokens) {
    const int flags = (token.is_supervised ? 1 : 0) + (token.is_cuda ? 2 : 0) + (token.is_confident ? 4 : 0);
    tokens.push_back({token.text, base::five_digits(token.confidence), flags});
  }
  base::Json kinds = base::Json::array();
  for (const HeatRegion& region : map.regions) {
    kinds.push_back({region.begin, region.end, cuda_source::name_of(region.kind)});
  }
  base::Json windows = base::Json::array();
  for (const double confidence : map.window_confidence) windows.push_back(base::five_digits(confidence));
  base::Json json = {{"id", map.id}};
  if (!map.prompt.empty()) json["prompt"] = map.prompt;
  json.update({{"tokens", std::move(tokens)},
               {"kinds", std::move(kinds)},
               {"weight_of_sample", map.sample_weight},
               {"tau", map.tau},
               {"lambda", map.lambda},
               {"window", map.window},
               {"window_confidence", std::move(windows)}});
  return json;
}

}  // namespace cuset::study
