#include "study/plan/study_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json/html_page.h"

namespace cuset::study {
namespace {

using base::html_escaped;

constexpr std::string_view kPage = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{title}}</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1.5em 0 .5em; font-size: 13px; }
caption { text-align: left; font-weight: 600; padding-bottom: .4em; }
th, td { text-align: left; padding: .2em .8em .2em 0; white-space: nowrap; }
th, tr.rule td { border-top: 1px solid #8888; }
.note { font-size: 12px; opacity: .75; margin: .2em 0; }
.wide { overflow-x: auto; }
svg text { font-size: 12px; fill: currentColor; }
svg .axis { stroke: currentColor; opacity: .35; }
svg .interval { stroke: currentColor; stroke-width: 1.5; }
svg .base { fill: #888; }
svg .tuned { fill: #4a7fb5; }
svg .line { fill: none; stroke: #4a7fb5; stroke-width: 2; }
</style>
</head>
<body>
{{body}}</body>
</html>
)";

// Horizontal charts: a label on the left, then a scale.
constexpr double kLetterWidth = 7;
constexpr double kScaleWidth = 620;
constexpr double kLineHeight = 22;

// A linear scale from `low` to `high` onto pixels.
struct Scale {
  double low = 0;
  double high = 1;
  double start = 0;
  double width = 1;

  double at(double value) const { return start + width * (value - low) / (high - low); }
};

std::string svg_text(double x, double y, std::string_view anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     html_escaped(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view kind) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1,
                     x2, y2, kind);
}

std::string svg_of(double width, double height, const std::string& label, const std::string& content) {
  return fmt::format(
      "<div class=\"wide\"><svg role=\"img\" aria-label=\"{}\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "viewBox=\"0 0 {:.0f} {:.0f}\">\n{}</svg></div>\n",
      html_escaped(label), width, height, width, height, content);
}

// Vertical lines with their numbers, in percent.
std::string grid_of(const Scale& scale, double step, double height) {
  std::string lines;
  for (double value = std::ceil(scale.low / step - 1e-9) * step; value <= scale.high + 1e-9; value += step) {
    const double x = scale.at(value);
    lines += svg_line(x, 0, x, height, "axis");
    lines += svg_text(x, height + 14, "middle", std::to_string(std::lround(100 * value)));
  }
  return lines;
}

std::string label_of(const MethodResult& method) {
  const bool is_base = method.method == kNoMethod;
  return is_base ? method.base : fmt::format("{}: {}, {}", method.base, method.method, method.data);
}

std::string label_of(const PairResult& pair) {
  const std::string label = fmt::format("{}: {} - {}", pair.base, pair.left, pair.right);
  return pair.data.empty() ? label : label + ", " + pair.data;
}

// Room for the longest label.
template <typename Result>
double label_width(const std::vector<Result>& results) {
  size_t longest = 0;
  for (const Result& result : results) longest = std::max(longest, label_of(result).size());
  return kLetterWidth * static_cast<double>(longest) + 16;
}

// Correct pass@1 of every method as a bar with its interval.
std::string methods_chart(const DecodingResult& decoding) {
  const double left = label_width(decoding.methods);
  const Scale scale{0, 1, left, kScaleWidth};
  const double height = kLineHeight * static_cast<double>(decoding.methods.size());
  std::string content = grid_of(scale, 0.1, height);
  double y = 0;
  for (const MethodResult& method : decoding.methods) {
    const base::Estimate& rate = method.rates[kCorrectPass1];
    const double middle = y + kLineHeight / 2;
    content += svg_text(left - 8, middle + 4, "end", label_of(method));
    content +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\"/>\n",
                    scale.at(0), y + 4, scale.at(rate.value) - scale.at(0), kLineHeight - 8,
                    method.method == kNoMethod ? "base" : "tuned");
    content +=
        svg_line(scale.at(rate.interval.low), middle, scale.at(rate.interval.high), middle, "interval");
    y += kLineHeight;
  }
  return svg_of(left + kScaleWidth + 30, height + 20, "correct pass@1 of each method", content);
}

// The largest distance from zero that an interval reaches, in steps of 0.1.
double reach_of(const std::vector<PairResult>& pairs) {
  double reach = 0.1;
  for (const PairResult& pair : pairs) {
    const base::Interval& interval = pair.difference.interval;
    reach = std::max({reach, std::abs(interval.low), std::abs(interval.high)});
  }
  return std::ceil(reach * 10) / 10;
}

// Paired differences as points with intervals, around zero.
std::string pairs_chart(const DecodingResult& decoding) {
  const double reach = reach_of(decoding.pairs);
  const double left = label_width(decoding.pairs);
  const Scale scale{-reach, reach, left, kScaleWidth};
  const double height = kLineHeight * static_cast<double>(decoding.pairs.size());
  std::string content = grid_of(scale, reach > 0.5 ? 0.2 : 0.1, height);
  double middle = kLineHeight / 2;
  for (const PairResult& pair : decoding.pairs) {
    const base::Estimate& difference = pair.difference;
    content += svg_text(left - 8, middle + 4, "end", label_of(pair));
    content += svg_line(scale.at(difference.interval.low), middle, scale.at(difference.interval.high), middle,
                        "interval");
    content += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" class=\"tuned\"/>\n",
                           scale.at(difference.value), middle);
    middle += kLineHeight;
  }
  return svg_of(left + kScaleWidth + 30, height + 20, "paired differences of correct pass@1", content);
}

// Correct pass@1 over a setting. Points are evenly spaced: settings are often powers of something.
std::string curve_chart(const StudyCurve& curve) {
  constexpr double kHeight = 200;
  constexpr double kWidth = 520;
  constexpr double kLeft = 40;
  const Scale up{0, 1, kHeight, -kHeight};
  const double step = kWidth / static_cast<double>(curve.points.size());
  std::string content;
  for (int percent = 0; percent <= 100; percent += 20) {
    const double y = up.at(percent / 100.0) + 8;
    content += svg_line(kLeft, y, kLeft + kWidth, y, "axis");
    content += svg_text(kLeft - 6, y + 4, "end", std::to_string(percent));
  }
  std::string points;
  double x = kLeft + step / 2;
  for (const StudyCurve::Point& point : curve.points) {
    const base::Estimate& rate = point.method->rates[kCorrectPass1];
    points += fmt::format("{:.1f},{:.1f} ", x, up.at(rate.value) + 8);
    content += svg_line(x, up.at(rate.interval.low) + 8, x, up.at(rate.interval.high) + 8, "interval");
    content += svg_text(x, kHeight + 26, "middle", fmt::format("{}", point.x));
    x += step;
  }
  content += fmt::format("<polyline points=\"{}\" class=\"line\"/>\n", points);
  return fmt::format("<h3>{}</h3>\n", html_escaped(curve.title)) +
         svg_of(kLeft + kWidth + 10, kHeight + 34, curve.title, content);
}

std::string section_of(const StudyPlan& plan, const StudyResults& results, const DecodingResult& decoding,
                       const StudyOrigin& origin) {
  std::string text = fmt::format("<h2>{}</h2>\n", html_escaped(decoding.name));
  if (decoding.methods.empty()) return text + "<p>No results yet.</p>\n";
  text += "<h3>Correct pass@1, percent, with 95 % intervals</h3>\n" + methods_chart(decoding);
  if (!decoding.pairs.empty()) text += "<h3>Paired differences, points</h3>\n" + pairs_chart(decoding);
  for (const StudyCurve& curve : curves_of(plan, decoding)) text += curve_chart(curve);
  for (const StudyTable& table : tables_of(plan, results, decoding, origin))
    text += "<div class=\"wide\">" + as_html(table) + "</div>\n";
  return text;
}

}  // namespace

std::string study_page(const StudyPlan& plan, const StudyResults& results, const StudyOrigin& origin) {
  std::string body = fmt::format("<h1>{}</h1>\n", html_escaped("Study: " + plan.name));
  if (!plan.question.empty()) body += fmt::format("<p>Question: {}</p>\n", html_escaped(plan.question));
  if (!plan.prediction.empty())
    body += fmt::format("<p>Prediction, stated before the run: {}</p>\n", html_escaped(plan.prediction));
  for (const DecodingResult& decoding : results.decodings)
    body += section_of(plan, results, decoding, origin);
  const std::string title = html_escaped("Study: " + plan.name);
  return base::fill_page(kPage, {{"title", title}, {"body", body}});
}

}  // namespace cuset::study
