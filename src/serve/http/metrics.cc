#include "serve/http/metrics.h"

#include <algorithm>

#include "base/error.h"

namespace cuset::serve {
namespace {

std::string escaped_label(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
    } else {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

std::string label_text(const Metrics::Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", name, escaped_label(value));
  }
  return text.empty() ? "" : text + "}";
}

}  // namespace

void Metrics::declare_counter(const std::string& name, std::string_view help) {
  const std::lock_guard lock(mutex_);
  series_[name] = {.help = std::string(help), .type = "counter", .values = {}, .bounds = {}, .counts = {}};
}

void Metrics::declare_gauge(const std::string& name, std::string_view help) {
  const std::lock_guard lock(mutex_);
  series_[name] = {
      .help = std::string(help), .type = "gauge", .values = {{"", 0}}, .bounds = {}, .counts = {}};
}

void Metrics::declare_histogram(const std::string& name, std::string_view help, std::vector<double> bounds) {
  const std::lock_guard lock(mutex_);
  Series series{.help = std::string(help), .type = "histogram", .values = {}, .bounds = {}, .counts = {}};
  series.counts.assign(bounds.size() + 1, 0);
  series.bounds = std::move(bounds);
  series_[name] = std::move(series);
}

Metrics::Series& Metrics::find(const std::string& name) {
  const auto place = series_.find(name);
  CUSET_CHECK(place != series_.end(), "there is no metric {}", name);
  return place->second;
}

void Metrics::add(const std::string& name, double amount, const Labels& labels) {
  const std::lock_guard lock(mutex_);
  find(name).values[label_text(labels)] += amount;
}

void Metrics::set(const std::string& name, double value) {
  const std::lock_guard lock(mutex_);
  find(name).values[""] = value;
}

void Metrics::observe(const std::string& name, double value) {
  const std::lock_guard lock(mutex_);
  Series& series = find(name);
  const auto bucket = std::lower_bound(series.bounds.begin(), series.bounds.end(), value);
  ++series.counts[static_cast<size_t>(bucket - series.bounds.begin())];
  series.sum += value;
}

std::string Metrics::histogram_text(const std::string& name, const Series& series) {
  std::string text;
  uint64_t count = 0;
  for (size_t i = 0; i < series.counts.size(); ++i) {
    count += series.counts[i];
    const std::string bound = i < series.bounds.size() ? fmt::format("{}", series.bounds[i]) : "+Inf";
    text += fmt::format("{}_bucket{{le=\"{}\"}} {}\n", name, bound, count);
  }
  return text + fmt::format("{0}_sum {1}\n{0}_count {2}\n", name, series.sum, count);
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [name, series] : series_) {
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, series.help, series.type);
    if (series.type == "histogram") text += histogram_text(name, series);
    for (const auto& [labels, value] : series.values) text += fmt::format("{}{} {}\n", name, labels, value);
  }
  return text;
}

}  // namespace cuset::serve
