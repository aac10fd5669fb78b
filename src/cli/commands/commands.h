// Every command of cuset. What one does is in the file or folder of its name beside this one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/framework/command.h"
#include "cli/framework/command_table.h"

namespace cuset::cli {

std::unique_ptr<Command> make_analyze_command();
std::unique_ptr<Command> make_bench_command();
std::unique_ptr<Command> make_chat_command();
// `table` is called when the command runs, and names this command too.
std::unique_ptr<Command> make_completion_command(std::function<CommandTable()> table);
std::unique_ptr<Command> make_curate_command();
// `run_cuset` runs cuset itself with arguments and returns its exit status: the demo is a sequence of
// commands.
std::unique_ptr<Command> make_demo_command(std::function<int(const std::vector<std::string>&)> run_cuset);
std::unique_ptr<Command> make_doctor_command();
std::unique_ptr<Command> make_evaluate_command();
std::unique_ptr<Command> make_generate_command();
std::unique_ptr<Command> make_gym_command();
std::unique_ptr<Command> make_inspect_command();
std::unique_ptr<Command> make_man_command(std::function<CommandTable()> table);
std::unique_ptr<Command> make_merge_command();
std::unique_ptr<Command> make_report_command();
std::unique_ptr<Command> make_run_command();
std::unique_ptr<Command> make_serve_command();
std::unique_ptr<Command> make_study_command();
std::unique_ptr<Command> make_tokenize_command();
std::unique_ptr<Command> make_train_command();
std::unique_ptr<Command> make_verify_command();
std::unique_ptr<Command> make_vocabulary_command();

}  // namespace cuset::cli
