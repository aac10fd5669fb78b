#include "study/plan/plan.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace cuset::study {

template <typename Entry>
const Entry& entry_named(const std::vector<Entry>& entries, std::string_view name) {
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& candidate) { return candidate.name == name; });
  CUSET_CHECK(entry != entries.end(), "the plan has no entry {}", name);
  return *entry;
}

template const PlannedBase& entry_named(const std::vector<PlannedBase>&, std::string_view);
template const PlannedFile& entry_named(const std::vector<PlannedFile>&, std::string_view);
template const PlannedSettings& entry_named(const std::vector<PlannedSettings>&, std::string_view);

bool seed_varies(const StudyPlan& plan, const PlannedFile& data) {
  const PlannedFile& made = data.curated.empty() ? data : entry_named(plan.data, data.curated);
  return made.file.empty() && !made.seed;
}

std::optional<std::string> setting_of(const PlanSettings& settings, std::string_view key) {
  for (const base::ConfigEntry& entry : settings) {
    if (entry.key == key && entry.values.size() == 1) return entry.values[0];
  }
  return std::nullopt;
}

std::optional<double> number_setting_of(const PlanSettings& settings, std::string_view key) {
  const std::optional<std::string> text = setting_of(settings, key);
  if (!text) return std::nullopt;
  double value = 0;
  const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (status != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

PlanSettings merged_settings(const PlanSettings& shared, const PlanSettings& own) {
  PlanSettings merged;
  for (const base::ConfigEntry& entry : shared) {
    const bool is_replaced = std::any_of(
        own.begin(), own.end(), [&](const base::ConfigEntry& other) { return other.key == entry.key; });
    if (!is_replaced) merged.push_back(entry);
  }
  merged.insert(merged.end(), own.begin(), own.end());
  return merged;
}

PlanSettings training_settings_of(const StudyPlan& plan, const std::string& method) {
  return merged_settings(plan.train, entry_named(plan.methods, method).settings);
}

PlanSettings generation_settings_of(const StudyPlan& plan, const std::string& decoding) {
  return merged_settings(plan.generate, entry_named(plan.decodings, decoding).settings);
}

void check_plan_settings(const StudyPlan& plan, const SettingsCheck& check) {
  for (const PlannedBase& base : plan.bases) check("train", base.train, plan.file);
  for (const PlannedFile& data : plan.data) check("gym data", data.options, plan.file);
  for (const PlannedFile& tasks : plan.tasks) check("gym tasks", tasks.options, plan.file);
  for (const PlannedSettings& method : plan.methods) check("train", method.settings, plan.file);
  for (const PlannedSettings& decoding : plan.decodings) check("generate", decoding.settings, plan.file);
  check("train", plan.train, plan.file);
  check("generate", plan.generate, plan.file);
  check("verify", plan.verify, plan.file);
}

}  // namespace cuset::study
