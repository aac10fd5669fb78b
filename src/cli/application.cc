#include "cli/application.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <span>

#include "base/error.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "cli/commands/commands.h"
#include "cli/help_text.h"
#include "cli/version.h"

namespace cuset {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

// One command together with its parser.
struct Entry {
  std::unique_ptr<Command> command;
  Settings settings;
  CLI::App* parser = nullptr;
};

std::string footer_of(const Entry& entry) {
  const std::string rest = entry.settings.rest_help();
  return fmt::format("{}Examples:\n{}", rest.empty() ? "" : fmt::format("After --: {}\n\n", rest),
                     entry.command->examples());
}

std::vector<Entry> register_commands(CLI::App& app) {
  std::vector<Entry> entries;
  for (auto& command : all_commands()) {
    Entry& entry = entries.emplace_back();
    entry.command = std::move(command);
  }
  // Only now: targets of settings are members of commands, which no longer move.
  for (Entry& entry : entries) {
    entry.parser =
        app.add_subcommand(std::string(entry.command->name()), std::string(entry.command->summary()));
    entry.command->declare(entry.settings);
    entry.settings.bind(*entry.parser);
    entry.parser->allow_extras();
    entry.parser->fallthrough();
    entry.parser->footer(footer_of(entry));
  }
  return entries;
}

std::vector<std::string> names_of_options(const CLI::App& parser) {
  std::vector<std::string> names;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool takes_lists(const CLI::App& parser) {
  const std::vector<const CLI::Option*> options = parser.get_options();
  return std::any_of(options.begin(), options.end(),
                     [](const CLI::Option* option) { return option->get_type_name() == "ITEMS"; });
}

void refuse_unknown_command(const std::vector<std::string>& arguments, const std::vector<Entry>& entries) {
  if (arguments.empty() || arguments[0].starts_with('-')) return;
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.command->name());
  if (std::find(names.begin(), names.end(), arguments[0]) != names.end()) return;
  throw UsageError("unknown command '{}'{}", arguments[0], did_you_mean(arguments[0], names))
      .with_remedy("`cuset --help` lists the commands");
}

// The command that is named before any other; null where none is.
const Entry* first_named(std::span<const std::string> words, const std::vector<Entry>& entries) {
  for (const std::string& word : words) {
    for (const Entry& entry : entries) {
      if (entry.command->name() == word) return &entry;
    }
  }
  return nullptr;
}

// Cuts off what follows "--", where the chosen command takes such arguments as they are.
std::vector<std::string> cut_off_rest(std::vector<std::string>& arguments,
                                      const std::vector<Entry>& entries) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const Entry* chosen = first_named({arguments.begin(), dashes}, entries);
  if (dashes == arguments.end() || chosen == nullptr || !chosen->settings.takes_rest()) return {};
  std::vector<std::string> rest;
  std::move(dashes + 1, arguments.end(), std::back_inserter(rest));
  arguments.erase(dashes, arguments.end());
  return rest;
}

// What no flag of the command or the program took. Falling through, it ends up with either parser.
void refuse_leftovers(const CLI::App& app, const Entry& entry) {
  const std::vector<std::string> leftovers = app.remaining(/*recurse=*/true);
  if (leftovers.empty()) return;
  const std::string given = leftovers[0].substr(0, leftovers[0].find('='));
  const std::string_view command = entry.command->name();
  if (!given.starts_with('-')) {
    throw UsageError("{}: unexpected argument '{}'", command, given)
        .with_remedy("{}`cuset {} --help` lists what it takes",
                     takes_lists(*entry.parser) ? "a list is one word: a,b; " : "", command);
  }
  throw UsageError("{}: unknown flag '{}'{}", command, given,
                   did_you_mean(given, names_of_options(*entry.parser)))
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
    app.add_flag("-q,--quiet", quiet, "Only warnings and errors, no progress");
    app.add_flag("-v,--verbose", verbose, "Also what is of interest when something goes wrong");
    app.add_option("--log-file", log_file, "Append messages to this file too")->type_name("FILE");
  }

  void apply() const {
    if (quiet && verbose) throw UsageError("--quiet and --verbose exclude each other");
    if (quiet) set_log_level(LogLevel::kWarning);
    if (verbose) set_log_level(LogLevel::kDebug);
    if (!log_file.empty()) set_log_file(log_file);
  }
};

int run_chosen(const CLI::App& app, std::vector<Entry>& entries, const std::vector<std::string>& rest) {
  for (Entry& entry : entries) {
    if (!entry.parser->parsed()) continue;
    refuse_leftovers(app, entry);
    entry.settings.apply();
    entry.settings.take_rest(rest);
    return entry.command->run();
  }
  if (const std::vector<std::string> leftovers = app.remaining(); !leftovers.empty()) {
    throw UsageError("unknown flag '{}'", leftovers[0])
        .with_remedy("`cuset --help` lists the flags and commands");
  }
  throw UsageError("no command given").with_remedy("`cuset --help` lists the commands");
}

int parse_and_run(std::vector<std::string> arguments) {
  CLI::App app("CuSeT teaches language models to write CUDA kernels.", "cuset");
  app.formatter(std::make_shared<HelpText>());  // commands inherit it
  GlobalFlags flags;
  flags.bind(app);
  app.allow_extras();
  app.require_subcommand(0, 1);  // a second command's name is an argument of the first: `cuset bench train`
  app.footer("`cuset COMMAND --help` explains a command.\nStart with: cuset doctor");
  std::vector<Entry> entries = register_commands(app);
  refuse_unknown_command(arguments, entries);
  const std::vector<std::string> rest = cut_off_rest(arguments, entries);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 wants them reversed
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return kDone;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();  // "--model: 1 required TEXT missing"
    throw UsageError("{}: its value is missing", text.substr(0, text.find(':')))
        .with_remedy("`cuset COMMAND --help` says what it takes");
  } catch (const CLI::ParseError& error) {
    throw UsageError("{}", error.what()).with_remedy("see `cuset --help`");
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
  commands.push_back(make_verify_command());
  commands.push_back(make_evaluate_command());
  commands.push_back(make_chat_command());
  commands.push_back(make_report_command());
  commands.push_back(make_bench_command());
  return commands;
}

int run_application(const std::vector<std::string>& arguments) {
  try {
    return parse_and_run(arguments);
  } catch (const UsageError& error) {
    std::cerr << "cuset: " << error.one_line() << "\n";
    return kWrongUsage;
  } catch (const Error& error) {
    std::cerr << "cuset: " << error.one_line() << "\n";
    return kFailed;
  } catch (const std::exception& error) {
    std::cerr << "cuset: this is a bug, please report it: " << error.what() << "\n";
    return kFailed;
  }
}

}  // namespace cuset
