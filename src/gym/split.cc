#include "gym/split.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files/sha256.h"
#include "gym/words/literal.h"

namespace cuset::gym {
namespace {

constexpr uint64_t kReservedOneIn = 8;  // for each of the two splits that measure

constexpr std::pair<GymSplit, std::string_view> kNames[] = {{GymSplit::kTrain, "train"},
                                                            {GymSplit::kValidation, "validation"},
                                                            {GymSplit::kHeldOut, "held_out"},
                                                            {GymSplit::kRaw, "raw"}};

void describe(const std::vector<GymArray>& arrays, std::string& text) {
  for (const GymArray& array : arrays)
    text += fmt::format("{} {} {}\n", array.key, tasks::name_of(array.type), tasks::text_of(array.shape));
}

}  // namespace

std::string_view name_of(GymSplit split) {
  for (const auto& [value, name] : kNames)
    if (value == split) return name;
  CUSET_CHECK(false, "a split without a name");
}

GymSplit split_named(std::string_view name) {
  for (const auto& [value, its_name] : kNames)
    if (its_name == name) return value;
  throw base::UsageError("there is no split \"{}\"", name);
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

bool has_family(GymSplit split, const GymFamily& family) {
  return split != GymSplit::kTrain || !family.held_out;
}

bool has_signature(GymSplit split, uint64_t signature) {
  switch (signature % kReservedOneIn) {
    case 0:
      return split == GymSplit::kHeldOut;
    case 1:
      return split == GymSplit::kValidation;
    default:
      return split == GymSplit::kTrain || split == GymSplit::kRaw;
  }
}

}  // namespace cuset::gym
