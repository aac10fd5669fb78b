// The settings of a command. One declaration gives a setting its flag (--learning-rate), its key in a
// configuration file (learning_rate: 1e-4), its --set form (--set learning_rate=1e-4), its line in --help and
// its entry in run.json.
//
// Sources, weakest first: the default, --config FILE, --set key=value, the flag.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/config_file.h"
#include "base/json/json.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cuset::cli {

class Settings {
 public:
  // Declares a setting whose current value is the default. `key` is in snake_case. The variable must outlive
  // this.
  void add(std::string key, bool& target, std::string help);
  void add(std::string key, int64_t& target, std::string help);
  void add(std::string key, double& target, std::string help);
  void add(std::string key, std::string& target, std::string help);
  void add(std::string key, std::filesystem::path& target, std::string help);
  void add(std::string key, std::vector<std::string>& target, std::string help);
  // One of `choices`.
  void add_choice(std::string key, std::string& target, std::vector<std::string> choices, std::string help);
  // A list that also takes the arguments without a flag, word by word: a comma in a file's name stays there.
  void add_positional(std::string key, std::vector<std::string>& target, std::string help);
  // A list that takes one word each time the flag is given: a comma stays there, the next word is not part of it.
  void add_words(std::string key, std::vector<std::string>& target, std::string help);
  // A list that takes everything after "--", whatever it looks like; one per command.
  void add_rest(std::string key, std::vector<std::string>& target, std::string help);

  // A letter for a setting declared before: -D beside --define.
  void add_letter(char letter, std::string_view key);
  // Another name for a setting declared before, as other programs call it: in files, after --set, as a flag.
  void add_alias(std::string alias, std::string_view key);

  // Looks at the entries of a configuration file before they are assigned and may change them; keys of nested
  // mappings are then dotted ("peft_config.name") instead of refused.
  using FileReader =
      std::function<void(std::vector<base::ConfigEntry>& entries, const std::filesystem::path& file)>;
  void set_file_reader(FileReader reader);
  // Keys of another program: true where `take` knows the key and may do without it; throws UsageError where the
  // value asks for something that is not there.
  using ForeignKeys = std::function<bool(std::string_view key, const std::vector<std::string>& values)>;
  void set_foreign_keys(ForeignKeys take);
  // Lets configuration files, and key=value, stand without a flag: `cuset train train.yaml seed=7`.
  void take_files_without_flag();
  // Throws UsageError that explains a flag of another program, if set_foreign_keys knows its key.
  void refuse_foreign_flag(std::string_view flag) const;

  // Leaves a setting, declared before, out of --help.
  void hide(std::string_view key);

  // apply() throws UsageError if nothing gives this setting, declared before, a value.
  void require(std::string_view key);

  // Makes the flags, --config and --set known to the parser.
  void bind(CLI::App& app);

  // After parsing: applies --config, --set and flags to the targets, in that order.
  // Throws UsageError with the place of an unknown key (and the nearest known one) or a value of the wrong
  // type.
  void apply();

  // Steps of apply(), for callers without a command line. `origin` opens messages, as "train.yaml:3".
  void apply_config_file(const std::filesystem::path& path);
  void assign(std::string_view key, const std::vector<std::string>& values, std::string_view origin);
  void assign_pair(std::string_view key_and_value);  // "key=value", as after --set

  // Whether the command takes arguments after "--", what they are, and these arguments.
  bool takes_rest() const;
  std::string rest_help() const;
  void take_rest(const std::vector<std::string>& words);

  // Whether something gave the setting a value.
  bool is_given(std::string_view key) const;
  // Whether a setting has this name, or this other name.
  bool knows(std::string_view name) const;

  // The values in force, and where each came from: {"key": {"value": ..., "origin": "train.yaml:3"}}.
  base::Json to_json() const;

 private:
  struct Setting {
    std::string key;
    std::vector<std::string> aliases = {};
    std::string help;
    bool is_flag = false;
    bool is_list = false;
    bool is_positional = false;
    bool is_one_word = false;  // each time its flag is given
    bool is_rest = false;
    char letter = 0;
    bool is_required = false;
    bool is_hidden = false;
    std::function<void(const std::vector<std::string>&)> parse;  // throws UsageError without a place
    std::function<base::Json()> value;
    std::string origin = "default";
    CLI::Option* option = nullptr;

    bool is_called(std::string_view name) const;  // its key or another name
  };

  Setting& declare(std::string key, std::string help);
  Setting& declare_words(std::string key, std::vector<std::string>& target, std::string help);
  Setting& find(std::string_view key);
  const Setting& find(std::string_view key) const;
  const Setting* rest() const;
  [[noreturn]] void refuse_unknown(std::string_view key, std::string_view origin) const;
  static void bind_setting(Setting& setting, CLI::App& app);
  template <typename T>
  void add_scalar(std::string key, T& target, std::string help, T (*from_text)(const std::string&));

  std::vector<Setting> settings_;
  std::vector<std::string> config_files_;
  std::vector<std::string> pairs_;
  bool takes_files_without_flag_ = false;
  FileReader file_reader_;
  ForeignKeys foreign_keys_;
};

}  // namespace cuset::cli
