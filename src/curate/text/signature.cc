#include "curate/text/signature.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/stats/random.h"

namespace cuset::curate {
namespace {

constexpr size_t kBandPlaces = kSignaturePlaces / kSignatureBands;

// The constants of the hash functions x -> (x ^ add) * multiply, mod 2^32. The members are hashes already.
struct HashFunctions {
  std::array<uint32_t, kSignaturePlaces> add{};
  std::array<uint32_t, kSignaturePlaces> multiply{};

  HashFunctions() {
    base::RandomStream stream(0, "curate/signature");
    for (size_t i = 0; i < kSignaturePlaces; ++i) {
      add[i] = stream.next_u32();
      multiply[i] = stream.next_u32() | 1;
    }
  }
};

const HashFunctions& hash_functions() {
  static const HashFunctions kFunctions;
  return kFunctions;
}

uint64_t band_hash(const Signature& signature, uint64_t scope, size_t band) {
  return XXH3_64bits_withSeed(&signature[band * kBandPlaces], kBandPlaces * sizeof(uint32_t),
                              scope * kSignatureBands + band);
}

}  // namespace

Signature signature_of(std::span<const uint64_t> members) {
  const HashFunctions& functions = hash_functions();
  Signature signature;
  signature.fill(UINT32_MAX);
  for (const uint64_t member : members) {
    const auto low = static_cast<uint32_t>(member);
    const auto high = static_cast<uint32_t>(member >> 32);
    for (size_t i = 0; i < kSignaturePlaces; ++i) {
      const uint32_t hash = (low ^ functions.add[i]) * functions.multiply[i] + high;
      signature[i] = std::min(signature[i], hash);
    }
  }
  return signature;
}

double similarity(const Signature& a, const Signature& b) {
  size_t same = 0;
  for (size_t i = 0; i < kSignaturePlaces; ++i) same += a[i] == b[i] ? 1 : 0;
  return static_cast<double>(same) / kSignaturePlaces;
}

SignatureIndex::SignatureIndex(size_t capacity)
    : slots_(std::bit_ceil(capacity * kSignatureBands * 4 / 3 + 64)), mask_(slots_.size() - 1) {}

void SignatureIndex::find(const Signature& signature, uint64_t scope,
                          const std::function<bool(uint32_t)>& visit) const {
  for (size_t band = 0; band < kSignatureBands; ++band) {
    const uint64_t hash = band_hash(signature, scope, band);
    for (size_t at = hash & mask_; slots_[at].number != 0; at = (at + 1) & mask_)
      if (slots_[at].band == hash >> 32 && visit(slots_[at].number - 1)) return;
  }
}

void SignatureIndex::add(const Signature& signature, uint64_t scope, uint32_t number) {
  used_ += kSignatureBands;
  CUSET_CHECK(used_ < slots_.size(), "{} of {} places used", used_, slots_.size());
  for (size_t band = 0; band < kSignatureBands; ++band) {
    const uint64_t hash = band_hash(signature, scope, band);
    size_t at = hash & mask_;
    while (slots_[at].number != 0) at = (at + 1) & mask_;
    slots_[at] = {static_cast<uint32_t>(hash >> 32), number + 1};
  }
}

}  // namespace cuset::curate
