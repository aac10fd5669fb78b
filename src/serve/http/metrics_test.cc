#include "serve/http/metrics.h"

#include <gtest/gtest.h>

namespace cuset::serve {
namespace {

TEST(Metrics, TextIsThatOfPrometheus) {
  Metrics metrics;
  metrics.declare_counter("a_total", "Things");
  metrics.declare_gauge("b", "Now");
  metrics.declare_histogram("c_seconds", "Times", {0.1, 1});
  metrics.add("a_total", 2, {{"kind", "x\"y\n"}});
  metrics.add("a_total", 1, {{"kind", "x\"y\n"}});
  metrics.set("b", 3);
  for (const double value : {0.1, 0.5, 7.0}) metrics.observe("c_seconds", value);
  EXPECT_EQ(metrics.text(),
            "# HELP a_total Things\n# TYPE a_total counter\na_total{kind=\"x\\\"y\\n\"} 3\n"
            "# HELP b Now\n# TYPE b gauge\nb 3\n"
            "# HELP c_seconds Times\n# TYPE c_seconds histogram\n"
            "c_seconds_bucket{le=\"0.1\"} 1\nc_seconds_bucket{le=\"1\"} 2\nc_seconds_bucket{le=\"+Inf\"} 3\n"
            "c_seconds_sum 7.6\nc_seconds_count 3\n");
}

}  // namespace
}  // namespace cuset::serve
