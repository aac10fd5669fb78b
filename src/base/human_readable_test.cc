#include "base/human_readable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace cuset::base {
namespace {

TEST(HumanCount, Table) {
  const std::pair<double, std::string> cases[] = {
      {0, "0"},           {1, "1"},           {999, "999"},        {0.25, "0.25"},      {0.001234, "0.0012"},
      {1.5, "1.50"},      {12.345, "12.3"},   {99.96, "100"},      {999.4, "999"},      {999.5, "1.00 k"},
      {1000, "1.00 k"},   {9994, "9.99 k"},   {9995.1, "10.0 k"},  {12345, "12.3 k"},   {99950, "100 k"},
      {999499, "999 k"},  {999500, "1.00 M"}, {1.2e6, "1.20 M"},   {7.25e9, "7.25 G"},  {3e12, "3.00 T"},
      {4.5e15, "4.50 P"}, {1e18, "1.00 E"},   {2.5e22, "25000 E"}, {-12345, "-12.3 k"}, {std::nan(""), "?"},
      {INFINITY, "?"},
  };
  for (const auto& [value, text] : cases) EXPECT_EQ(human_count(value), text) << value;
}

TEST(HumanBytes, Table) {
  const std::pair<uint64_t, std::string> cases[] = {
      {0, "0 B"},
      {1023, "1023 B"},
      {1024, "1.00 KiB"},
      {1536, "1.50 KiB"},
      {1'048'063, "1023 KiB"},
      {1'048'064, "1.00 MiB"},
      {12'900'000, "12.3 MiB"},
      {uint64_t{141} << 30, "141 GiB"},
      {UINT64_MAX, "16.0 EiB"},
  };
  for (const auto& [value, text] : cases) EXPECT_EQ(human_bytes(value), text) << value;
}

TEST(HumanDuration, Table) {
  const std::pair<double, std::string> cases[] = {
      {0, "0 s"},          {0.0001, "<1 ms"},   {0.0123, "12 ms"},  {0.9994, "999 ms"}, {0.9996, "1.0 s"},
      {1.25, "1.2 s"},     {9.94, "9.9 s"},     {9.96, "10 s"},     {59.4, "59 s"},     {59.6, "1m 00s"},
      {65, "1m 05s"},      {3599.4, "59m 59s"}, {3599.6, "1h 00m"}, {3600, "1h 00m"},   {7629, "2h 07m"},
      {86369, "23h 59m"},  {86370, "1d 00h"},   {90061, "1d 01h"},  {273600, "3d 04h"}, {-1, "?"},
      {std::nan(""), "?"}, {INFINITY, "?"},     {1e300, "?"},
  };
  for (const auto& [value, text] : cases) EXPECT_EQ(human_duration(value), text) << value;
}

}  // namespace
}  // namespace cuset::base
