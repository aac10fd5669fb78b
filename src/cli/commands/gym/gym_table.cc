#include "cli/commands/gym/gym_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "gym/family.h"

namespace cuset {
namespace {

std::vector<std::string> styles_of(const GymFamily& family) {
  RandomStream stream(0, family.name);
  std::vector<std::string> styles;
  for (const GymSolution& solution : family.draw(stream).solutions) styles.push_back(solution.style);
  return styles;
}

}  // namespace

std::string families_table() {
  size_t group_width = 5, name_width = 6;
  for (const GymFamily& family : gym_families()) {
    group_width = std::max(group_width, family.group.size());
    name_width = std::max(name_width, family.name.size());
  }
  std::string text = fmt::format("{:{}}  {:{}}  styles\n", "group", group_width, "family", name_width);
  size_t held_out = 0;
  for (const GymFamily& family : gym_families()) {
    text += fmt::format("{:{}}  {:{}}  {}{}\n", family.group, group_width, family.name, name_width,
                        fmt::join(styles_of(family), ", "), family.held_out ? "  (held out)" : "");
    if (family.held_out) ++held_out;
  }
  return text + fmt::format("{} families, {} of them held out\n", gym_families().size(), held_out);
}

Json families_json() {
  Json list = Json::array();
  for (const GymFamily& family : gym_families())
    list.push_back({{"name", family.name},
                    {"group", family.group},
                    {"held_out", family.held_out},
                    {"styles", styles_of(family)}});
  return list;
}

std::string overlap_table(const Overlap& overlap, double threshold) {
  const Json all = json_of(overlap, threshold);
  std::string text =
      fmt::format("{:9} {:>9} {:>9} {:>9}   runs of {} tokens: {:>6} {:>6} {:>6} {:>7} {:>8}\n", "",
                  "training", "held out", "repeated", kRunTokens, "median", "p90", "p99", "largest",
                  fmt::format(">= {:g}", threshold));
  for (const auto& [kind, texts] : all.items()) {
    text += fmt::format("{:9} {:9} {:9} {:9}", kind, texts["training"].get<size_t>(),
                        texts["held_out"].get<size_t>(), texts["repeated"].get<size_t>());
    if (texts["held_out"] == 0) {
      text += fmt::format("   the held-out file has no {}\n", kind);
      continue;
    }
    text += fmt::format("   {:18} {:6.3f} {:6.3f} {:6.3f} {:7.3f} {:8}\n", "", texts["median"].get<double>(),
                        texts["p90"].get<double>(), texts["p99"].get<double>(),
                        texts["largest"].get<double>(), texts["above"].get<size_t>());
  }
  for (const OverlapOfTexts* texts : {&overlap.prompts, &overlap.programs})
    if (!texts->example.empty()) text += "repeated: " + texts->example.substr(0, 100) + "\n";
  return text;
}

}  // namespace cuset
