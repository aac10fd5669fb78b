#include "data/sample_format.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/nearest_name.h"

namespace cuset::data {
namespace {

struct Form {
  std::string_view name;
  FormKeys keys;
};

// In the order of SampleFormat.
constexpr std::array<Form, 6> kForms = {{{"messages", {"", "messages"}},
                                         {"completion", {"prompt", "completion"}},
                                         {"response", {"prompt", "response"}},
                                         {"alpaca", {"instruction", "output"}},
                                         {"sharegpt", {"", "conversations"}},
                                         {"text", {"", "text"}}}};

constexpr std::string_view kFormsRemedy =
    "a record has \"messages\", or \"conversations\", or \"prompt\" with \"completion\" or \"response\", or "
    "\"instruction\" with \"output\", or \"text\" alone";

// Records have a dozen keys; of one with a million, a few are enough to describe it.
constexpr size_t kKeysShown = 8;
constexpr size_t kKeysCompared = 64;

const Form& form_of(SampleFormat format) { return kForms.at(static_cast<size_t>(format)); }

std::vector<std::string_view> missing_keys(const base::Json& record, const Form& form) {
  std::vector<std::string_view> missing;
  for (const std::string_view key : {form.keys.prompt, form.keys.response}) {
    if (!key.empty() && base::json_member(record, key).is_null()) missing.push_back(key);
  }
  return missing;
}

std::vector<std::string> first_keys(const base::Json& record, size_t limit) {
  std::vector<std::string> keys;
  for (auto item = record.begin(); item != record.end() && keys.size() < limit; ++item) {
    if (!item->is_null()) keys.push_back(item.key());
  }
  return keys;
}

// How much of the form the record shows, from 0 to 1. A misspelt key counts half.
double likeness(const base::Json& record, const Form& form, std::span<const std::string> keys) {
  const double wanted = form.keys.prompt.empty() ? 1 : 2;
  double shown = wanted;
  for (const std::string_view key : missing_keys(record, form))
    shown -= base::nearest_name(key, keys) ? 0.5 : 1;
  return shown / wanted;
}

// `; nearest is completion, which lacks "prompt" (is it "promt"?)`, or nothing.
std::string describe_nearest_form(const base::Json& record) {
  const std::vector<std::string> keys = first_keys(record, kKeysCompared);
  const Form* nearest = nullptr;
  double most = 0;
  for (const Form& form : kForms) {
    const double shown = likeness(record, form, keys);
    if (shown <= most) continue;
    most = shown;
    nearest = &form;
  }
  if (nearest == nullptr) return "";
  std::string lacking;
  for (const std::string_view key : missing_keys(record, *nearest)) {
    const std::optional<std::string> meant = base::nearest_name(key, keys);
    lacking += fmt::format("{} \"{}\"", lacking.empty() ? "" : " and", key);
    if (meant) lacking += fmt::format(" (is it {}?)", base::in_quotes(*meant));
  }
  return fmt::format("; nearest is {}, which lacks{}", nearest->name, lacking);
}

std::string describe_keys(const base::Json& record) {
  std::string text;
  for (const std::string& key : first_keys(record, kKeysShown)) {
    text += (text.empty() ? "the keys " : ", ") + base::in_quotes(key, 30);
  }
  if (text.empty()) return "a record without values shows";
  if (record.size() > kKeysShown) text += ", ...";
  return text + " show";
}

}  // namespace

std::string_view name_of(SampleFormat format) { return form_of(format).name; }

FormKeys keys_of(SampleFormat format) { return form_of(format).keys; }

SampleFormat recognize_format(const base::Json& record, std::string_view place) {
  base::JsonCursor(record, place).with_remedy(kFormsRemedy).expect_object();
  std::optional<size_t> shown;
  for (size_t i = 0; i < kForms.size(); ++i) {
    if (!missing_keys(record, kForms[i]).empty()) continue;
    // Exports carry the rendered conversation as "text" beside it: that is no second form.
    if (shown && static_cast<SampleFormat>(i) == SampleFormat::kText) continue;
    if (shown) {
      throw base::Error("{}: the keys show two forms, {} and {}", place, kForms[*shown].name, kForms[i].name)
          .with_remedy("keep \"{}\" or \"{}\"", kForms[*shown].keys.response, kForms[i].keys.response);
    }
    shown = i;
  }
  if (shown) return static_cast<SampleFormat>(*shown);
  throw base::Error("{}: {} no known form{}", place, describe_keys(record), describe_nearest_form(record))
      .with_remedy("{}", kFormsRemedy);
}

}  // namespace cuset::data
