#include "cli/framework/settings.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::cli {
namespace {

template <typename T>
T number_from(const std::string& text, const char* kind) {
  T value{};
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* last = text.data() + text.size();
  const auto [end, status] = std::from_chars(first, last, value);
  if (status != std::errc() || end != last)
    throw base::UsageError("{} is not {}", base::in_quotes(text), kind);
  return value;
}

int64_t integer_from(const std::string& text) { return number_from<int64_t>(text, "a whole number"); }

double real_from(const std::string& text) {
  const double value = number_from<double>(text, "a number");
  if (!std::isfinite(value)) throw base::UsageError("{} is not a finite number", base::in_quotes(text));
  return value;
}

bool truth_from(const std::string& text) {
  for (const char* word : {"true", "True", "yes", "on", "1"}) {
    if (text == word) return true;
  }
  for (const char* word : {"false", "False", "no", "off", "0"}) {
    if (text == word) return false;
  }
  throw base::UsageError("{} is neither true nor false", base::in_quotes(text));
}

std::string text_from(const std::string& text) { return text; }

std::filesystem::path path_from(const std::string& text) { return text; }

const std::string& single(const std::vector<std::string>& values) {
  if (values.size() != 1) throw base::UsageError("expected one value, got {}", values.size());
  return values[0];
}

// "a,b" on the command line means what [a, b] means in a file.
std::vector<std::string> split_at_commas(const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (const std::string& value : values) {
    size_t start = 0;
    while (start <= value.size()) {
      const size_t comma = std::min(value.find(',', start), value.size());
      if (comma > start) parts.push_back(value.substr(start, comma - start));
      start = comma + 1;
    }
  }
  return parts;
}

std::string flag_of(const std::string& key) {
  std::string flag = "--" + key;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

// "--packing,!--no-packing", as CLI11 wants the two flags of a switch: a file may have turned it on.
std::string names_of_flag(const std::string& key, bool is_switch) {
  const std::string flag = flag_of(key);
  return is_switch ? flag + ",!--no-" + flag.substr(2) : flag;
}

base::Json json_of(const std::filesystem::path& path) { return path.string(); }
template <typename T>
base::Json json_of(const T& value) {
  return value;
}

std::string default_text(const base::Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) return fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), ","));
  return value.dump();
}

}  // namespace

Settings::Setting& Settings::declare(std::string key, std::string help) {
  for (const Setting& setting : settings_)
    CUSET_CHECK(!setting.is_called(key), "setting {} is declared twice", key);
  Setting& setting = settings_.emplace_back();
  setting.key = std::move(key);
  setting.help = std::move(help);
  return setting;
}

template <typename T>
void Settings::add_scalar(std::string key, T& target, std::string help, T (*from_text)(const std::string&)) {
  Setting& setting = declare(std::move(key), std::move(help));
  setting.parse = [&target, from_text](const auto& values) { target = from_text(single(values)); };
  setting.value = [&target] { return json_of(target); };
}

void Settings::add(std::string key, bool& target, std::string help) {
  add_scalar(std::move(key), target, std::move(help), truth_from);
  settings_.back().is_flag = true;
}

void Settings::add(std::string key, int64_t& target, std::string help) {
  add_scalar(std::move(key), target, std::move(help), integer_from);
}

void Settings::add(std::string key, double& target, std::string help) {
  add_scalar(std::move(key), target, std::move(help), real_from);
}

void Settings::add(std::string key, std::string& target, std::string help) {
  add_scalar(std::move(key), target, std::move(help), text_from);
}

void Settings::add(std::string key, std::filesystem::path& target, std::string help) {
  add_scalar(std::move(key), target, std::move(help), path_from);
}

void Settings::add(std::string key, std::vector<std::string>& target, std::string help) {
  Setting& setting = declare(std::move(key), std::move(help));
  setting.is_list = true;
  setting.parse = [&target](const auto& values) { target = split_at_commas(values); };
  setting.value = [&target] { return json_of(target); };
}

void Settings::add_choice(std::string key, std::string& target, std::vector<std::string> choices,
                          std::string help) {
  help += fmt::format(" ({})", fmt::join(choices, ", "));
  Setting& setting = declare(std::move(key), std::move(help));
  setting.parse = [&target, choices = std::move(choices)](const auto& values) {
    const std::string& word = single(values);
    if (std::find(choices.begin(), choices.end(), word) == choices.end()) {
      throw base::UsageError("{} is not one of {}{}", base::in_quotes(word), fmt::join(choices, ", "),
                             base::did_you_mean(word, choices));
    }
    target = word;
  };
  setting.value = [&target] { return json_of(target); };
}

Settings::Setting& Settings::declare_words(std::string key, std::vector<std::string>& target,
                                           std::string help) {
  Setting& setting = declare(std::move(key), std::move(help));
  setting.is_list = true;
  setting.parse = [&target](const auto& values) { target = values; };
  setting.value = [&target] { return json_of(target); };
  return setting;
}

void Settings::add_positional(std::string key, std::vector<std::string>& target, std::string help) {
  declare_words(std::move(key), target, std::move(help)).is_positional = true;
}

void Settings::add_words(std::string key, std::vector<std::string>& target, std::string help) {
  declare_words(std::move(key), target, std::move(help)).is_one_word = true;
}

void Settings::add_rest(std::string key, std::vector<std::string>& target, std::string help) {
  CUSET_CHECK(!takes_rest(), "setting {}: another one takes the rest", key);
  declare_words(std::move(key), target, std::move(help)).is_rest = true;
}

void Settings::add_letter(char letter, std::string_view key) { find(key).letter = letter; }

const Settings::Setting* Settings::rest() const {
  const auto setting = std::find_if(settings_.begin(), settings_.end(),
                                    [](const Setting& candidate) { return candidate.is_rest; });
  return setting == settings_.end() ? nullptr : &*setting;
}

bool Settings::takes_rest() const { return rest() != nullptr; }

std::string Settings::rest_help() const { return takes_rest() ? rest()->help : ""; }

void Settings::take_rest(const std::vector<std::string>& words) {
  if (!words.empty()) assign(rest()->key, words, "--");
}

bool Settings::Setting::is_called(std::string_view name) const {
  return name == key || std::find(aliases.begin(), aliases.end(), name) != aliases.end();
}

Settings::Setting& Settings::find(std::string_view key) {
  return const_cast<Setting&>(std::as_const(*this).find(key));
}

const Settings::Setting& Settings::find(std::string_view key) const {
  const auto setting = std::find_if(settings_.begin(), settings_.end(),
                                    [&](const Setting& candidate) { return candidate.key == key; });
  CUSET_CHECK(setting != settings_.end(), "setting {} is not declared", key);
  return *setting;
}

void Settings::add_alias(std::string alias, std::string_view key) {
  for (const Setting& setting : settings_) {
    CUSET_CHECK(!setting.is_called(alias), "setting {} is declared twice", alias);
  }
  find(key).aliases.push_back(std::move(alias));
}

void Settings::require(std::string_view key) {
  Setting& setting = find(key);
  setting.is_required = true;
}

void Settings::hide(std::string_view key) { find(key).is_hidden = true; }

bool Settings::is_given(std::string_view key) const { return find(key).origin != "default"; }

void Settings::bind_setting(Setting& setting, CLI::App& app) {
  // const: CLI11 takes a plain reference for the variable to fill
  const std::string help = setting.help + (setting.is_required ? " (required)" : "");
  const base::Json value = setting.value();
  std::string names = names_of_flag(setting.key, setting.is_flag);
  if (setting.letter != 0) names = fmt::format("-{},{}", setting.letter, names);
  for (const std::string& alias : setting.aliases) names += "," + names_of_flag(alias, setting.is_flag);
  if (setting.is_flag) {
    setting.option = app.add_flag(names, help);
    setting.option->default_str(default_text(value));  // for --help
    return;
  }
  setting.option = app.add_option(setting.is_positional ? setting.key + "," + names : names, help);
  if (setting.is_list) {
    setting.option->expected(1, CLI::detail::expected_max_vector_size)
        ->allow_extra_args(!setting.is_one_word);
  }
  const bool is_items = setting.is_list && !setting.is_one_word;
  setting.option->type_name(is_items ? "ITEMS" : value.is_number() ? "NUMBER" : "TEXT");
  if (const std::string text = default_text(value); !text.empty()) setting.option->default_str(text);
}

void Settings::bind(CLI::App& app) {
  for (Setting& setting : settings_) {
    if (setting.is_rest) continue;
    bind_setting(setting, app);
    if (setting.is_hidden) setting.option->group("");  // CLI11 shows no option without a group
  }
  // Repeatable, one value each time: a second word is not theirs, unless words without a flag are files.
  app.add_option(takes_files_without_flag_ ? "file,--config" : "--config", config_files_,
                 "YAML file with settings")
      ->type_name("FILE")
      ->allow_extra_args(takes_files_without_flag_);
  app.add_option("--set", pairs_, "One setting, key=value as in the file")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void Settings::apply() {
  const auto is_pair = [&](const std::string& word) {
    return takes_files_without_flag_ && word.find('=') != word.npos && !std::filesystem::exists(word);
  };
  for (const std::string& word : config_files_) {
    if (is_pair(word)) {
      pairs_.push_back(word);
    } else {
      apply_config_file(word);
    }
  }
  for (const std::string& pair : pairs_) assign_pair(pair);
  for (const Setting& setting : settings_) {
    if (setting.option != nullptr && setting.option->count() > 0) {
      assign(setting.key, setting.option->results(), flag_of(setting.key));
    }
  }
  for (const Setting& setting : settings_) {
    if (!setting.is_required || setting.origin != "default") continue;
    throw base::UsageError("{} is missing: {}", flag_of(setting.key), setting.help);
  }
}

void Settings::apply_config_file(const std::filesystem::path& path) {
  const auto nested = file_reader_ ? base::NestedKeys::kFlatten : base::NestedKeys::kRefuse;
  std::vector<base::ConfigEntry> entries = base::read_config_file(path, nested);
  if (file_reader_) file_reader_(entries, path);
  for (const base::ConfigEntry& entry : entries) {
    if (entry.values.empty() && !entry.is_list) continue;  // null: the default stays
    assign(entry.key, entry.values, fmt::format("{}:{}", path.string(), entry.line));
  }
}

void Settings::set_file_reader(FileReader reader) { file_reader_ = std::move(reader); }

void Settings::set_foreign_keys(ForeignKeys take) { foreign_keys_ = std::move(take); }

void Settings::take_files_without_flag() { takes_files_without_flag_ = true; }

void Settings::refuse_foreign_flag(std::string_view flag) const {
  if (!foreign_keys_ || !flag.starts_with("--")) return;
  std::string key(flag.substr(2));
  std::replace(key.begin(), key.end(), '-', '_');
  bool is_known = false;
  try {
    is_known = foreign_keys_(key, {"true"});
  } catch (const base::UsageError& error) {
    throw base::UsageError("{}: {}", flag, error.what()).with_remedy("{}", error.remedy());
  }
  if (is_known) throw base::UsageError("{} has no effect in cuset", flag).with_remedy("leave it out");
}

bool Settings::knows(std::string_view name) const {
  return std::any_of(settings_.begin(), settings_.end(),
                     [&](const Setting& setting) { return setting.is_called(name); });
}

void Settings::assign_pair(std::string_view key_and_value) {
  const size_t equals = key_and_value.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw base::UsageError("--set {}: no key=value", key_and_value).with_remedy("write --set key=value");
  }
  assign(key_and_value.substr(0, equals), {std::string(key_and_value.substr(equals + 1))}, "--set");
}

void Settings::assign(std::string_view key, const std::vector<std::string>& values, std::string_view origin) {
  const auto setting = std::find_if(settings_.begin(), settings_.end(),
                                    [&](const Setting& candidate) { return candidate.is_called(key); });
  // A flag names its setting already.
  const bool is_flag = setting != settings_.end() && origin == flag_of(setting->key);
  try {
    if (setting == settings_.end() && foreign_keys_ && foreign_keys_(key, values)) return;
    if (setting != settings_.end()) setting->parse(values);
  } catch (const base::UsageError& error) {
    const std::string place = is_flag ? "" : fmt::format("{}: ", key);
    throw base::UsageError("{}: {}{}", origin, place, error.what()).with_remedy("{}", error.remedy());
  }
  if (setting == settings_.end()) refuse_unknown(key, origin);
  setting->origin = origin;
}

void Settings::refuse_unknown(std::string_view key, std::string_view origin) const {
  if (const size_t dot = key.find('.'); dot != key.npos && file_reader_) {
    throw base::nested_key_error(origin, key.substr(0, dot));
  }
  std::vector<std::string> keys;
  for (const Setting& setting : settings_) {
    keys.push_back(setting.key);
    keys.insert(keys.end(), setting.aliases.begin(), setting.aliases.end());
  }
  const std::string nearest = base::did_you_mean(key, keys);
  base::UsageError error("{}: unknown key '{}'{}", origin, key, nearest);
  if (nearest.empty()) throw std::move(error).with_remedy("`--help` lists the keys, as flags");
  throw error;
}

base::Json Settings::to_json() const {
  base::Json out = base::Json::object();
  for (const Setting& setting : settings_) {
    out[setting.key] = {{"value", setting.value()}, {"origin", setting.origin}};
  }
  return out;
}

}  // namespace cuset::cli
