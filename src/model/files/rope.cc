#include "model/files/rope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "base/error.h"

namespace cuset::model {
namespace {

double required_positive(const base::JsonCursor& rope, std::string_view key, std::string_view scaling) {
  const base::JsonCursor field = rope.get(key);
  if (field.is_absent()) field.refuse(fmt::format("is missing; the scaling {} needs it", scaling));
  return field.positive_number();
}

double read_factor(const base::JsonCursor& rope, std::string_view scaling) {
  const double factor = required_positive(rope, "factor", scaling);
  if (!(factor >= 1)) rope.at("factor").refuse_type("a number of 1 or more");
  return factor;
}

RopeScaling read_llama3_scaling(const base::JsonCursor& rope) {
  RopeScaling scaling{.kind = RopeScaling::Kind::kLlama3, .factor = read_factor(rope, "llama3")};
  scaling.low_frequency_factor = required_positive(rope, "low_freq_factor", "llama3");
  scaling.high_frequency_factor = required_positive(rope, "high_freq_factor", "llama3");
  scaling.original_positions = required_positive(rope, "original_max_position_embeddings", "llama3");
  if (scaling.low_frequency_factor >= scaling.high_frequency_factor) {
    rope.at("low_freq_factor")
        .refuse(fmt::format("is {}, not below high_freq_factor, {}", scaling.low_frequency_factor,
                            scaling.high_frequency_factor));
  }
  return scaling;
}

// Longer sequences make attention flatter; sine and cosine grow by this to sharpen it again. mscale and
// mscale_all_dim count only together, and 0 means that they are not there.
double read_attention_factor(const base::JsonCursor& rope, double factor) {
  const base::JsonCursor given = rope.get("attention_factor");
  if (!given.is_absent()) return given.positive_number();
  const auto sharpened = [&](double size) { return 0.1 * size * std::log(factor) + 1; };
  const base::JsonCursor field = rope.get("mscale");
  const double size = field.number_or(0), of_all = rope.get("mscale_all_dim").number_or(0);
  const double value = size != 0 && of_all != 0 ? sharpened(size) / sharpened(of_all) : sharpened(1);
  if (!std::isfinite(value) || value <= 0) {
    field.refuse(
        fmt::format("and mscale_all_dim give the attention factor {}, which is not positive", value));
  }
  return value;
}

// A top-level original_max_position_embeddings comes before that of the section, as in transformers; without
// either the model's own limit is meant.
RopeScaling read_yarn_scaling(const base::JsonCursor& config, const base::JsonCursor& rope,
                              int64_t max_positions) {
  constexpr std::string_view kOriginal = "original_max_position_embeddings";
  const auto positive_or = [](const base::JsonCursor& field, double usual) {
    return field.is_absent() ? usual : field.positive_number();
  };
  RopeScaling scaling{.kind = RopeScaling::Kind::kYarn};
  const auto most = static_cast<double>(max_positions);
  scaling.original_positions = positive_or(config.get(kOriginal), positive_or(rope.get(kOriginal), most));
  const base::JsonCursor factor = rope.get("factor");
  scaling.factor = factor.is_absent() ? most / scaling.original_positions : read_factor(rope, "yarn");
  if (!(scaling.factor >= 1)) {
    factor.refuse(fmt::format("is missing, and max_position_embeddings, {}, is below {}, {}", max_positions,
                              kOriginal, scaling.original_positions));
  }
  const auto turns = [&](std::string_view key, double usual) {
    const double value = rope.get(key).number_or(usual);
    return value == 0 ? usual : value;
  };
  scaling.beta_fast = turns("beta_fast", scaling.beta_fast);
  scaling.beta_slow = turns("beta_slow", scaling.beta_slow);
  if (!(scaling.beta_slow > 0 && scaling.beta_slow <= scaling.beta_fast)) {
    rope.get("beta_slow")
        .refuse(
            fmt::format("is {}, not above 0 and up to beta_fast, {}", scaling.beta_slow, scaling.beta_fast));
  }
  scaling.truncate = rope.get("truncate").boolean_or(true);
  scaling.attention_factor = read_attention_factor(rope, scaling.factor);
  return scaling;
}

RopeScaling read_scaling(const base::JsonCursor& config, const base::JsonCursor& rope,
                         int64_t max_positions) {
  rope.expect_only({"rope_type", "type", "rope_theta", "factor", "low_freq_factor", "high_freq_factor",
                    "original_max_position_embeddings", "attention_factor", "beta_fast", "beta_slow",
                    "mscale", "mscale_all_dim", "truncate", "partial_rotary_factor"});
  const base::JsonCursor partial = rope.get("partial_rotary_factor");
  if (partial.number_or(1) != 1) {
    partial.refuse(fmt::format("is {}; only 1 is supported", partial.number()));
  }
  const base::JsonCursor type = rope.get(rope.get("rope_type").is_absent() ? "type" : "rope_type");
  const std::string name = type.string_or("default");
  if (name == "default") return {};
  if (name == "linear") {
    return {.kind = RopeScaling::Kind::kLinear, .factor = read_factor(rope, "linear")};
  }
  if (name == "llama3") return read_llama3_scaling(rope);
  if (name == "yarn") return read_yarn_scaling(config, rope, max_positions);
  type.refuse(fmt::format("is {}; supported are default, linear, llama3 and yarn", base::in_quotes(name)));
}

std::optional<double> read_theta(const base::JsonCursor& section) {
  const base::JsonCursor theta = section.get("rope_theta");
  if (theta.is_absent()) return std::nullopt;
  return theta.positive_number();
}

double llama3_frequency(double frequency, const RopeScaling& scaling) {
  const double turns = scaling.original_positions * frequency / (2 * std::numbers::pi);
  const double low = scaling.low_frequency_factor;
  const double high = scaling.high_frequency_factor;
  if (turns < low) return frequency / scaling.factor;
  if (turns > high) return frequency;
  const double kept = (turns - low) / (high - low);
  return (1 - kept) * frequency / scaling.factor + kept * frequency;
}

// Columns, as real numbers: frequencies up to the first are kept, from the second on slowed down.
struct YarnLimits {
  double first;
  double last;
};

YarnLimits yarn_limits(const Rope& rope, int64_t head_dim) {
  const RopeScaling& scaling = rope.scaling;
  const auto dim = static_cast<double>(head_dim);
  const auto column_with = [&](double turns) {  // within the first context
    return dim * std::log(scaling.original_positions / (turns * 2 * std::numbers::pi)) /
           (2 * std::log(rope.theta));
  };
  YarnLimits limits{column_with(scaling.beta_fast), column_with(scaling.beta_slow)};
  if (scaling.truncate) limits = {std::floor(limits.first), std::ceil(limits.last)};
  limits = {std::max(limits.first, 0.0), std::min(limits.last, dim - 1)};
  if (limits.first == limits.last) limits.last += 0.001;  // as transformers, which so avoids a division by 0
  return limits;
}

double yarn_frequency(double frequency, int64_t column, const YarnLimits& limits, double factor) {
  const double place = (static_cast<double>(column) - limits.first) / (limits.last - limits.first);
  const double slowed = std::clamp(place, 0.0, 1.0);
  return slowed * frequency / factor + (1 - slowed) * frequency;
}

}  // namespace

Rope read_rope(const base::JsonCursor& config, int64_t max_positions) {
  std::optional<double> theta = read_theta(config);
  std::optional<RopeScaling> scaling;
  for (const char* key : {"rope_parameters", "rope_scaling"}) {
    const base::JsonCursor section = config.get(key);
    if (section.is_absent()) continue;
    const RopeScaling here = read_scaling(config, section, max_positions);
    if (scaling && *scaling != here) section.refuse("disagrees with rope_parameters");
    scaling = here;
    const std::optional<double> theta_here = read_theta(section);
    if (theta && theta_here && *theta != *theta_here) {
      section.at("rope_theta")
          .refuse(fmt::format("is {}, but {} elsewhere in the file", *theta_here, *theta));
    }
    if (theta_here) theta = theta_here;
  }
  Rope rope;
  rope.theta = theta.value_or(rope.theta);
  rope.scaling = scaling.value_or(RopeScaling{});
  if (rope.scaling.kind == RopeScaling::Kind::kYarn && !(rope.theta > 1)) {
    config.get("rope_theta").refuse(fmt::format("is {}; the scaling yarn needs more than 1", rope.theta));
  }
  return rope;
}

std::vector<double> scaled_frequencies(const Rope& rope, int64_t head_dim) {
  const RopeScaling& scaling = rope.scaling;
  const bool is_yarn = scaling.kind == RopeScaling::Kind::kYarn;
  const YarnLimits limits = is_yarn ? yarn_limits(rope, head_dim) : YarnLimits{};
  std::vector<double> frequencies;
  for (int64_t column = 0; column < head_dim / 2; ++column) {
    const double exponent = static_cast<double>(2 * column) / static_cast<double>(head_dim);
    const double plain = std::pow(rope.theta, -exponent);
    switch (scaling.kind) {
      case RopeScaling::Kind::kNone:
        frequencies.push_back(plain);
        break;
      case RopeScaling::Kind::kLinear:
        frequencies.push_back(plain / scaling.factor);
        break;
      case RopeScaling::Kind::kLlama3:
        frequencies.push_back(llama3_frequency(plain, scaling));
        break;
      case RopeScaling::Kind::kYarn:
        frequencies.push_back(yarn_frequency(plain, column, limits, scaling.factor));
        break;
    }
  }
  return frequencies;
}

}  // namespace cuset::model
