// Counters, gauges and histograms of a server, in Prometheus' text format (version 0.0.4):
//
//   # HELP cuset_verdicts_total Answers judged
//   # TYPE cuset_verdicts_total counter
//   cuset_verdicts_total{outcome="correct"} 17
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuset::serve {

// Safe to use from many threads.
class Metrics {
 public:
  // {{"outcome", "correct"}}.
  using Labels = std::vector<std::pair<std::string, std::string>>;

  // Each name is declared once, before it is used.
  void declare_counter(const std::string& name, std::string_view help);
  void declare_gauge(const std::string& name, std::string_view help);
  // `bounds` are the upper ends of the buckets, in rising order.
  void declare_histogram(const std::string& name, std::string_view help, std::vector<double> bounds);

  void add(const std::string& name, double amount = 1, const Labels& labels = {});
  void set(const std::string& name, double value);
  void observe(const std::string& name, double value);

  std::string text() const;

 private:
  struct Series {
    std::string help;
    std::string type;
    std::map<std::string, double> values;  // by labels as they are written
    std::vector<double> bounds;            // of a histogram
    std::vector<uint64_t> counts;          // of its buckets, one more than bounds
    double sum = 0;
  };
  Series& find(const std::string& name);
  static std::string histogram_text(const std::string& name, const Series& series);

  mutable std::mutex mutex_;
  std::map<std::string, Series> series_;
};

}  // namespace cuset::serve
