#include "data/packing.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"

namespace cuset::data {
namespace {

void check_lengths(std::span<const size_t> lengths, size_t capacity) {
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 0) {
      throw base::Error("example {} has no tokens", i).with_remedy("leave empty examples out before packing");
    }
    if (lengths[i] > capacity) {
      throw base::Error("example {} has {} tokens, but a pack holds {}", i, lengths[i], capacity)
          .with_remedy("drop or cut long examples, or make packs larger");
    }
  }
}

struct Item {
  size_t length;
  size_t example;
};

// By falling length; equal lengths in random order.
std::vector<Item> longest_first(std::span<const size_t> lengths, base::RandomStream& stream) {
  std::vector<Item> items;
  items.reserve(lengths.size());
  for (const size_t example : stream.permutation(lengths.size()))
    items.push_back({lengths[example], example});
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.length > b.length; });
  return items;
}

// The packs that still have room, by their room.
class OpenPacks {
 public:
  struct Place {
    size_t pack;
    size_t room;
  };

  // Takes out the pack with the least room that is enough for `length` tokens.
  std::optional<Place> take(size_t length) {
    const auto fullest = packs_.lower_bound(length);
    if (fullest == packs_.end()) return std::nullopt;
    const Place place = {fullest->second.back(), fullest->first};
    fullest->second.pop_back();
    if (fullest->second.empty()) packs_.erase(fullest);
    return place;
  }

  void put(const Place& place) {
    if (place.room > 0) packs_[place.room].push_back(place.pack);
  }

 private:
  std::map<size_t, std::vector<size_t>> packs_;  // no list is empty
};

}  // namespace

std::vector<Pack> pack_examples(std::span<const size_t> lengths, size_t capacity, base::RandomStream stream) {
  check_lengths(lengths, capacity);
  std::vector<Pack> packs;
  OpenPacks open;
  for (const auto& [length, example] : longest_first(lengths, stream)) {
    std::optional<OpenPacks::Place> place = open.take(length);
    if (!place) {
      place = {packs.size(), capacity};
      packs.push_back({.examples = {}, .borders = {0}});
    }
    Pack& pack = packs[place->pack];
    pack.examples.push_back(example);
    pack.borders.push_back(pack.tokens() + length);
    open.put({place->pack, place->room - length});
  }
  stream.shuffle(std::span(packs));
  return packs;
}

double packing_efficiency(std::span<const Pack> packs, size_t capacity) {
  if (packs.empty()) return 1.0;
  double tokens = 0;
  for (const Pack& pack : packs) tokens += static_cast<double>(pack.tokens());
  return tokens / (static_cast<double>(packs.size()) * static_cast<double>(capacity));
}

}  // namespace cuset::data
