#include "curate/text/signature.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/stats/random.h"

namespace cuset::curate {
namespace {

// Two sets of `size` members of which a share is in common, so that their Jaccard similarity is `wanted`.
std::pair<std::vector<uint64_t>, std::vector<uint64_t>> sets_of(double wanted, size_t size,
                                                                base::RandomStream& stream) {
  const auto shared = static_cast<size_t>(std::lround(2 * wanted / (1 + wanted) * static_cast<double>(size)));
  std::vector<uint64_t> a, b;
  for (size_t i = 0; i < size; ++i) {
    a.push_back(stream.next_u64());
    b.push_back(i < shared ? a.back() : stream.next_u64());
  }
  return {a, b};
}

TEST(SignatureOf, EstimatesTheJaccardSimilarity) {
  base::RandomStream stream(1, "signature_test");
  for (const double wanted : {0.0, 0.2, 0.5, 0.8, 0.95, 1.0}) {
    double sum = 0;
    constexpr int kPairs = 200;
    for (int i = 0; i < kPairs; ++i) {
      const auto [a, b] = sets_of(wanted, 300, stream);
      sum += similarity(signature_of(a), signature_of(b));
    }
    // Five standard errors of the mean over 200 pairs.
    EXPECT_NEAR(sum / kPairs, wanted, 5 * std::sqrt(0.25 / (128 * kPairs)) + 0.002) << wanted;
  }
}

TEST(SignatureOf, DoesNotDependOnOrderOrRepetition) {
  const std::vector<uint64_t> a = {5, 7, 1ull << 60}, b = {1ull << 60, 5, 7, 5};
  EXPECT_EQ(signature_of(a), signature_of(b));
}

TEST(SignatureIndex, FindsTheShareOfPairsThatItsBandsPromise) {
  base::RandomStream stream(2, "signature_test");
  constexpr int kPairs = 400;
  for (const auto& [wanted, least, most] :
       {std::tuple(0.9, 0.99, 1.0), {0.85, 0.97, 1.0}, {0.8, 0.90, 0.98}, {0.3, 0.0, 0.01}}) {
    SignatureIndex index(kPairs);
    int found = 0;
    for (int i = 0; i < kPairs; ++i) {
      const auto [a, b] = sets_of(wanted, 300, stream);
      index.add(signature_of(a), 0, static_cast<uint32_t>(i));
      bool is_found = false;
      index.find(signature_of(b), 0,
                 [&](uint32_t number) { return is_found = is_found || number == static_cast<uint32_t>(i); });
      found += is_found ? 1 : 0;
    }
    EXPECT_GE(found, least * kPairs) << wanted;
    EXPECT_LE(found, most * kPairs) << wanted;
  }
}

TEST(SignatureIndex, ScopesDoNotMeet) {
  SignatureIndex index(2);
  const Signature signature = signature_of(std::vector<uint64_t>{1, 2, 3});
  index.add(signature, 7, 0);
  int found = 0;
  index.find(signature, 8, [&](uint32_t) { return ++found > 0; });
  EXPECT_EQ(found, 0);
  index.find(signature, 7, [&](uint32_t) { return ++found > 0; });
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace cuset::curate
