#include "cli/application.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files/file.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "cli/commands/commands.h"
#include "cli/framework/version.h"

namespace cuset::cli {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

bool is_switch(const CLI::Option& option) { return !option.get_fnames().empty(); }

bool is_on(const CLI::Option& option) { return option.get_default_str() == "true"; }

// How --help shows flags. A switch has two, --packing and --no-packing; the second is shown where it is of
// use, beside a switch that is on by default.
class HelpText : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    if (is_positional || !is_switch(*option)) return CLI::Formatter::make_option_name(option, is_positional);
    const std::vector<std::string>& negations = option->get_fnames();
    std::vector<std::string> names;
    for (const std::string& letter : option->get_snames()) names.push_back("-" + letter);
    for (const std::string& name : option->get_lnames()) {
      const bool is_negation = std::find(negations.begin(), negations.end(), name) != negations.end();
      if (!is_negation || is_on(*option)) names.push_back("--" + name);
    }
    return fmt::format("{}", fmt::join(names, ","));
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    return is_switch(*option) ? "" : CLI::Formatter::make_option_opts(option);
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_desc(option);
    return is_switch(*option) && is_on(*option) ? text + " (on by default)" : text;
  }
};

// One command together with its parser and its subcommands.
struct Entry {
  std::string name;  // as it is typed: "bench train"
  std::unique_ptr<Command> command;
  std::vector<Entry> subcommands;
  Settings settings;
  CLI::App* parser = nullptr;
};

std::string footer_of(const Entry& entry) {
  const std::string rest = entry.settings.rest_help();
  return fmt::format("{}Examples:\n{}", rest.empty() ? "" : fmt::format("After --: {}\n\n", rest),
                     entry.command->examples());
}

std::vector<Entry> entries_of(std::vector<std::unique_ptr<Command>> commands, const std::string& before) {
  std::vector<Entry> entries;
  for (auto& command : commands) {
    Entry& entry = entries.emplace_back();
    entry.name = before + std::string(command->name());
    entry.subcommands = entries_of(command->subcommands(), entry.name + " ");
    entry.command = std::move(command);
  }
  return entries;
}

// Makes the commands known to the parser. The entries must not move any more: their settings are bound.
void bind_commands(std::vector<Entry>& entries, CLI::App& parent) {
  for (Entry& entry : entries) {
    entry.parser =
        parent.add_subcommand(std::string(entry.command->name()), std::string(entry.command->summary()));
    entry.command->declare(entry.settings);
    if (entry.subcommands.empty()) entry.settings.bind(*entry.parser);
    bind_commands(entry.subcommands, *entry.parser);
    entry.parser->require_subcommand(0, 1);
    entry.parser->allow_extras();
    entry.parser->fallthrough();
    entry.parser->footer(footer_of(entry));
  }
}

std::vector<std::string> names_of_options(const CLI::App& parser) {
  std::vector<std::string> names;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

const Entry* entry_named(std::string_view word, const std::vector<Entry>& entries) {
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& candidate) { return candidate.command->name() == word; });
  return entry == entries.end() ? nullptr : &*entry;
}

// What people look for here and find elsewhere.
std::string remedy_for_command(std::string_view word) {
  if (word == "eval") return "`cuset evaluate` generates and judges answers";
  if (word == "infer" || word == "inference")
    return "`cuset generate` answers prompts, `cuset chat` talks to a model";
  return "`cuset --help` lists the commands";
}

std::string nearest_command(std::string_view word, const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.command->name());
  return base::did_you_mean(word, names);
}

[[noreturn]] void refuse_subcommand(std::string_view word, const Entry& group) {
  throw base::UsageError("{}: unknown subcommand '{}'{}", group.name, word,
                         nearest_command(word, group.subcommands))
      .with_remedy("`cuset {} --help` lists the subcommands", group.name);
}

// Refuses an unknown name at the front, of a command or behind it of a subcommand.
void refuse_unknown_command(std::span<const std::string> arguments, const std::vector<Entry>& entries) {
  if (arguments.empty() || arguments[0].starts_with('-')) return;
  const Entry* command = entry_named(arguments[0], entries);
  if (command == nullptr) {
    throw base::UsageError("unknown command '{}'{}", arguments[0], nearest_command(arguments[0], entries))
        .with_remedy("{}", remedy_for_command(arguments[0]));
  }
  if (command->subcommands.empty() || arguments.size() < 2 || arguments[1].starts_with('-')) return;
  if (entry_named(arguments[1], command->subcommands) == nullptr) refuse_subcommand(arguments[1], *command);
}

// The index of the first word from `begin` on and before "--" that names one of the entries; the number of
// words where none does.
size_t first_named(const std::vector<std::string>& words, size_t begin, const std::vector<Entry>& entries) {
  for (size_t i = begin; i < words.size() && words[i] != "--"; ++i) {
    if (entry_named(words[i], entries) != nullptr) return i;
  }
  return words.size();
}

// A subcommand may stand behind flags: `cuset bench --json run` means `cuset bench run --json`.
void move_subcommand_forward(std::vector<std::string>& arguments, const std::vector<Entry>& entries) {
  const size_t command = first_named(arguments, 0, entries);
  if (command + 1 >= arguments.size() || !arguments[command + 1].starts_with('-')) return;
  const std::vector<Entry>& subcommands = entry_named(arguments[command], entries)->subcommands;
  const size_t subcommand = first_named(arguments, command + 1, subcommands);
  if (subcommand == arguments.size()) return;
  const auto place = arguments.begin() + static_cast<ptrdiff_t>(command + 1);
  const auto word = arguments.begin() + static_cast<ptrdiff_t>(subcommand);
  std::rotate(place, word, word + 1);
}

// Cuts off what follows "--", where the chosen command takes such arguments as they are.
std::vector<std::string> cut_off_rest(std::vector<std::string>& arguments,
                                      const std::vector<Entry>& entries) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const size_t chosen = first_named(arguments, 0, entries);
  if (dashes == arguments.end() || chosen == arguments.size()) return {};
  if (!entry_named(arguments[chosen], entries)->settings.takes_rest()) return {};
  std::vector<std::string> rest;
  std::move(dashes + 1, arguments.end(), std::back_inserter(rest));
  arguments.erase(dashes, arguments.end());
  return rest;
}

// --learning_rate means --learning-rate, as people of other programs type it.
void spell_flags_with_dashes(std::vector<std::string>& arguments) {
  for (std::string& argument : arguments) {
    if (argument == "--") return;
    if (!argument.starts_with("--")) continue;
    const size_t end = argument.find_first_of("= ");
    if (end != argument.npos && argument[end] == ' ') continue;  // a sentence, not a flag
    std::replace(argument.begin(), argument.begin() + static_cast<ptrdiff_t>(std::min(end, argument.size())),
                 '_', '-');
  }
}

// The command's own spelling of what was typed behind its name.
void translate_words(std::vector<std::string>& arguments, const std::vector<Entry>& entries) {
  const size_t chosen = first_named(arguments, 0, entries);
  if (chosen == arguments.size()) return;
  const auto behind = arguments.begin() + static_cast<ptrdiff_t>(chosen + 1);
  const std::vector<std::string> words(behind, arguments.end());
  arguments.erase(behind, arguments.end());
  for (std::string& word : entry_named(arguments[chosen], entries)->command->translate(words))
    arguments.push_back(std::move(word));
}

// What no flag of the command or the program took. Falling through, it ends up with either parser.
void refuse_leftovers(const CLI::App& app, const Entry& entry) {
  const std::vector<std::string> leftovers = app.remaining(/*recurse=*/true);
  if (leftovers.empty()) return;
  const std::string given = leftovers[0].substr(0, leftovers[0].find('='));
  const std::string& command = entry.name;
  if (!given.starts_with('-')) {
    if (!entry.subcommands.empty()) refuse_subcommand(given, entry);
    throw base::UsageError("{}: unexpected argument '{}'", command, given)
        .with_remedy("`cuset {} --help` lists what it takes", command);
  }
  entry.settings.refuse_foreign_flag(given);
  throw base::UsageError("{}: unknown flag '{}'{}", command, given,
                         base::did_you_mean(given, names_of_options(*entry.parser)))
      .with_remedy("`cuset {} --help` lists what it takes", command);
}

// Flags that every command takes, before or after its name.
struct GlobalFlags {
  bool version = false;
  bool quiet = false;
  bool verbose = false;
  std::string log_file;

  void bind(CLI::App& app) {
    app.add_flag("--version", version, "Show version, git revision, LibTorch and CUDA");
    app.add_flag("-q,--quiet", quiet, "Print only warnings and errors, no progress");
    app.add_flag("-v,--verbose", verbose, "Print debug messages");
    app.add_option("--log-file", log_file, "Also append messages to this file")->type_name("FILE");
  }

  void apply() const {
    if (quiet && verbose) throw base::UsageError("--quiet and --verbose exclude each other");
    if (quiet) base::set_log_level(base::LogLevel::kWarning);
    if (verbose) base::set_log_level(base::LogLevel::kDebug);
    if (!log_file.empty()) base::set_log_file(log_file);
  }
};

int run_chosen(const CLI::App& app, std::vector<Entry>& entries, const std::vector<std::string>& rest) {
  for (Entry& entry : entries) {
    if (!entry.parser->parsed()) continue;
    const auto is_parsed = [](const Entry& subcommand) { return subcommand.parser->parsed(); };
    if (std::any_of(entry.subcommands.begin(), entry.subcommands.end(), is_parsed)) {
      return run_chosen(app, entry.subcommands, rest);
    }
    refuse_leftovers(app, entry);
    entry.settings.apply();
    entry.settings.take_rest(rest);
    return entry.command->run();
  }
  if (const std::vector<std::string> leftovers = app.remaining(); !leftovers.empty()) {
    throw base::UsageError("unknown flag '{}'", leftovers[0])
        .with_remedy("`cuset --help` lists the flags and commands");
  }
  throw base::UsageError("no command given").with_remedy("`cuset --help` lists the commands");
}

constexpr const char* kAbout = "CuSeT teaches language models to write CUDA kernels.";

// The flags that --help shows, as it shows them.
std::vector<FlagHelp> flags_shown(const CLI::App& parser) {
  std::vector<FlagHelp> flags;
  const HelpText shown;
  for (const CLI::Option* option : parser.get_options()) {
    if (option->get_group().empty() || option->get_lnames().empty()) continue;
    FlagHelp flag{{}, is_switch(*option) ? "" : option->get_type_name(), shown.make_option_desc(option)};
    const std::string names = shown.make_option_name(option, /*is_positional=*/false);
    for (size_t start = 0; start < names.size();) {
      const size_t comma = std::min(names.find(',', start), names.size());
      flag.names.push_back(names.substr(start, comma - start));
      start = comma + 1;
    }
    flags.push_back(std::move(flag));
  }
  return flags;
}

void append_to_table(const std::vector<Entry>& entries, CommandTable& table) {
  for (const Entry& entry : entries) {
    table.push_back({entry.name, std::string(entry.command->summary()), flags_shown(*entry.parser),
                     std::string(entry.command->examples())});
    append_to_table(entry.subcommands, table);
  }
}

// What the standard library reports where a file or folder cannot be used.
base::Error refusal_of_file_system(const std::filesystem::filesystem_error& error) {
  return base::file_error("use", error.path1(), error.code().value());
}

int parse_and_run(std::vector<std::string> arguments) {
  CLI::App app(kAbout, "cuset");
  app.formatter(std::make_shared<HelpText>());  // commands inherit it
  GlobalFlags flags;
  flags.bind(app);
  app.allow_extras();
  app.require_subcommand(0, 1);  // a second command's name is an argument of the first
  app.footer("`cuset COMMAND --help` explains a command.\nStart with: cuset doctor");
  std::vector<Entry> entries = entries_of(all_commands(), "");
  bind_commands(entries, app);
  refuse_unknown_command(arguments, entries);
  move_subcommand_forward(arguments, entries);
  const std::vector<std::string> rest = cut_off_rest(arguments, entries);
  translate_words(arguments, entries);
  spell_flags_with_dashes(arguments);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 wants them reversed
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return kDone;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();  // "--model: 1 required TEXT missing"
    throw base::UsageError("{}: its value is missing", text.substr(0, text.find(':')))
        .with_remedy("`cuset COMMAND --help` says what it takes");
  } catch (const CLI::ParseError& error) {
    throw base::UsageError("{}", error.what()).with_remedy("see `cuset --help`");
  }
  flags.apply();
  if (flags.version) {
    std::cout << version_text();
    return kDone;
  }
  return run_chosen(app, entries, rest);
}

}  // namespace

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_doctor_command());
  commands.push_back(make_demo_command(run_application));
  commands.push_back(make_inspect_command());
  commands.push_back(make_tokenize_command());
  commands.push_back(make_vocabulary_command());
  commands.push_back(make_analyze_command());
  commands.push_back(make_train_command());
  commands.push_back(make_merge_command());
  commands.push_back(make_generate_command());
  commands.push_back(make_run_command());
  commands.push_back(make_gym_command());
  commands.push_back(make_curate_command());
  commands.push_back(make_verify_command());
  commands.push_back(make_evaluate_command());
  commands.push_back(make_study_command());
  commands.push_back(make_chat_command());
  commands.push_back(make_serve_command());
  commands.push_back(make_report_command());
  commands.push_back(make_bench_command());
  commands.push_back(make_completion_command(command_table));
  commands.push_back(make_man_command(command_table));
  return commands;
}

CommandTable command_table() {
  CLI::App app(kAbout, "cuset");
  GlobalFlags flags;
  flags.bind(app);
  std::vector<Entry> entries = entries_of(all_commands(), "");
  bind_commands(entries, app);
  CommandTable table{{"", kAbout, flags_shown(app), ""}};
  append_to_table(entries, table);
  return table;
}

int run_application(const std::vector<std::string>& arguments) {
  try {
    return parse_and_run(arguments);
  } catch (const base::UsageError& error) {
    std::cerr << "cuset: " << error.one_line() << "\n";
    return kWrongUsage;
  } catch (const base::Error& error) {
    std::cerr << "cuset: " << error.one_line() << "\n";
    return kFailed;
  } catch (const std::filesystem::filesystem_error& error) {
    std::cerr << "cuset: " << refusal_of_file_system(error).one_line() << "\n";
    return kFailed;
  } catch (const std::exception& error) {
    std::cerr << "cuset: this is a bug, please report it: " << error.what() << "\n";
    return kFailed;
  }
}

}  // namespace cuset::cli
