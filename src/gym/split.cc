#include "gym/split.h"

#include <fmt/format.h>

#include "base/files/sha256.h"
#include "gym/words/literal.h"

namespace cuset::gym {
namespace {

constexpr uint64_t kReservedOneIn = 8;

void describe(const std::vector<GymArray>& arrays, std::string& text) {
  for (const GymArray& array : arrays)
    text += fmt::format("{} {} {}\n", array.key, tasks::name_of(array.type), tasks::text_of(array.shape));
}

}  // namespace

std::string_view name_of(GymSplit split) {
  switch (split) {
    case GymSplit::kTrain:
      return "train";
    case GymSplit::kHeldOut:
      return "held_out";
    case GymSplit::kRaw:
      return "raw";
  }
  return "train";
}

uint64_t signature_of(const GymFamily& family, const GymDraft& draft) {
  std::string text = family.name + "\n" + draft.formula + "\n";
  for (const GymSize& size : draft.sizes) text += fmt::format("{} {}\n", size.key, size.value);
  for (const GymScalar& scalar : draft.scalars)
    text += fmt::format("{} {}\n", scalar.key, decimal(scalar.value));
  describe(draft.inputs, text);
  describe(draft.outputs, text);
  text += base::to_json_line(draft.oracle.parameters);
  return std::stoull(base::sha256(text).substr(0, 16), nullptr, 16);
}

bool is_reserved(uint64_t signature) { return signature % kReservedOneIn == 0; }

bool has_family(GymSplit split, const GymFamily& family) {
  return split != GymSplit::kTrain || !family.held_out;
}

bool has_signature(GymSplit split, uint64_t signature) {
  return is_reserved(signature) == (split == GymSplit::kHeldOut);
}

}  // namespace cuset::gym
