#include "gym/task_source.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::gym {
namespace {

// Reserved signatures are one in eight: this many draws miss them only in a family with a handful of tasks.
constexpr uint64_t kDraws = 1000;

const GymFamily& family_named(const std::string& name, GymSplit split) {
  std::vector<std::string> known;
  for (const GymFamily& family : gym_families()) {
    if (family.name == name && !has_family(split, family))
      throw base::UsageError("--families: {} is held out as a whole: the split {} has none of it", name,
                             name_of(split));
    if (family.name == name) return family;
    known.push_back(family.name);
  }
  throw base::UsageError("--families: unknown family {}{}", base::in_quotes(name),
                         base::did_you_mean(name, known))
      .with_remedy("`cuset gym list` shows them");
}

}  // namespace

TaskSource::TaskSource(TaskSelection selection)
    : selection_(std::move(selection)),
      stream_(selection_.seed, fmt::format("gym/{}", name_of(selection_.split))) {
  if (selection_.families.empty()) {
    for (const GymFamily& family : gym_families())
      if (has_family(selection_.split, family)) families_.push_back(&family);
  } else {
    for (const std::string& name : selection_.families)
      families_.push_back(&family_named(name, selection_.split));
  }
}

GymTask TaskSource::task(uint64_t number, uint64_t attempt) const {
  const uint64_t round = number / families_.size();
  const size_t place =
      stream_.child("order").child(round).permutation(families_.size())[number % families_.size()];
  const GymFamily& family = *families_[place];
  const base::RandomStream stream = stream_.child("task").child(number).child(attempt);
  for (uint64_t draw = 0; draw < kDraws; ++draw) {
    base::RandomStream draws = stream.child("draft").child(draw);
    GymDraft draft = family.draw(draws);
    const uint64_t signature = signature_of(family, draft);
    if (!has_signature(selection_.split, signature)) continue;
    GymTask made = make_gym_task(family, std::move(draft), stream);
    made.signature = signature;
    made.task.id = fmt::format("gym/{}/{}/{:06}-{:08x}", family.name, name_of(selection_.split), number,
                               static_cast<uint32_t>(signature >> 32));
    return made;
  }
  throw base::Error("family {}: {} draws gave no task of the split {}", family.name, kDraws,
                    name_of(selection_.split))
      .with_remedy("the family must draw from more sizes or constants");
}

}  // namespace cuset::gym
