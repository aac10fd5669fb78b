#include "curate/trial/proposal.h"

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json_cursor.h"
#include "sandbox/process.h"

namespace cuset::curate {
namespace {

constexpr size_t kMostSets = 16;
constexpr int64_t kMostElements = 1 << 24;
constexpr int64_t kMostBlocks = 1 << 16;
constexpr int64_t kMostBlockThreads = 1024;
constexpr int64_t kMostSharedBytes = 227 << 10;
constexpr size_t kLongestPrompt = 16 << 10;
constexpr size_t kLongestTemplateArguments = 256;
constexpr uintmax_t kLargestAnswer = 16 << 20;

std::array<int64_t, 3> sides_from(const base::JsonCursor& field, int64_t most) {
  const std::vector<base::JsonCursor> elements = field.elements();
  if (elements.size() != 3) field.refuse("must have three sides");
  std::array<int64_t, 3> sides{};
  int64_t product = 1;
  for (size_t i = 0; i < 3; ++i) {
    sides[i] = elements[i].integer(1, most);
    product *= sides[i];
  }
  if (product > most) field.refuse(fmt::format("has more than {} in all", most));
  return sides;
}

TrialArgument buffer_from(const base::JsonCursor& field) {
  field.expect_only({"count", "low", "high", "ascending"});
  TrialArgument buffer;
  buffer.is_buffer = true;
  buffer.count = field.at("count").integer(1, kMostElements);
  buffer.low = field.at("low").number();
  buffer.high = field.at("high").number();
  buffer.is_ascending = field.get("ascending").boolean_or(false);
  if (!(buffer.low <= buffer.high)) field.refuse("has low above high");
  return buffer;
}

TrialSet set_from(const base::JsonCursor& field, const cuda_source::KernelInterface& kernel, uint32_t seed) {
  field.expect_only({"grid", "block", "shared_bytes", "values", "buffers"});
  TrialSet set;
  set.seed = seed;
  set.grid = sides_from(field.at("grid"), kMostBlocks);
  set.block = sides_from(field.at("block"), kMostBlockThreads);
  set.shared_bytes = field.get("shared_bytes").integer_or(0, 0, kMostSharedBytes);
  std::vector<std::string_view> values, buffers;
  for (const cuda_source::KernelParameter& parameter : kernel.parameters)
    (parameter.is_pointer ? buffers : values).push_back(parameter.name);
  if (!field.get("values").is_absent()) field.get("values").expect_only(values);
  if (!field.get("buffers").is_absent()) field.get("buffers").expect_only(buffers);
  for (const cuda_source::KernelParameter& parameter : kernel.parameters) {
    TrialArgument argument;
    if (parameter.is_pointer) {
      argument = buffer_from(field.at("buffers").at(parameter.name));
    } else {
      argument.value = field.at("values").at(parameter.name).number();
    }
    set.arguments.push_back(argument);
  }
  return set;
}

ProposedKernel kernel_from(const base::JsonCursor& field, const cuda_source::KernelInterface& kernel) {
  field.expect_only({"name", "template_arguments", "sets"});
  if (field.at("name").string() != kernel.name)
    field.at("name").refuse(fmt::format("is not {}", kernel.name));
  ProposedKernel proposed;
  proposed.template_arguments = field.get("template_arguments").string_or(template_arguments_for(kernel));
  // It becomes part of a source: a list of types and constants, and nothing that could end the list.
  constexpr std::string_view kListLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:<>, ";
  if (proposed.template_arguments.size() > kLongestTemplateArguments ||
      proposed.template_arguments.find_first_not_of(kListLetters) != std::string::npos)
    field.at("template_arguments").refuse("is not a list of types and numbers");
  const std::vector<base::JsonCursor> sets = field.at("sets").elements();
  if (sets.empty() || sets.size() > kMostSets)
    field.at("sets").refuse(fmt::format("has {} sets, wanted 1 to {}", sets.size(), kMostSets));
  for (const base::JsonCursor& set : sets)
    proposed.sets.push_back(set_from(set, kernel, static_cast<uint32_t>(proposed.sets.size() + 1)));
  return proposed;
}

Proposal proposal_from(const base::JsonCursor& top,
                       const std::vector<cuda_source::KernelInterface>& kernels) {
  top.expect_only({"prompt", "kernels"});
  Proposal proposal;
  proposal.prompt = top.get("prompt").string_or("");
  if (proposal.prompt.size() > kLongestPrompt)
    top.at("prompt").refuse(fmt::format("is longer than {} bytes", kLongestPrompt));
  const std::vector<base::JsonCursor> proposed = top.at("kernels").elements();
  if (proposed.size() != kernels.size())
    top.at("kernels").refuse(fmt::format("has {} kernels, wanted {}", proposed.size(), kernels.size()));
  for (size_t i = 0; i < kernels.size(); ++i)
    proposal.kernels.push_back(kernel_from(proposed[i], kernels[i]));
  return proposal;
}

base::Json request_for(const std::string& program, const std::vector<cuda_source::KernelInterface>& kernels) {
  base::Json described = base::Json::array();
  for (const cuda_source::KernelInterface& kernel : kernels) {
    base::Json parameters = base::Json::array();
    for (const cuda_source::KernelParameter& parameter : kernel.parameters)
      parameters.push_back({{"name", parameter.name}, {"type", parameter.type}});
    described.push_back({{"name", kernel.name}, {"parameters", parameters}});
  }
  return {{"program", program}, {"kernels", described}};
}

}  // namespace

std::variant<Proposal, std::string> parse_proposal(std::string_view text,
                                                   const std::vector<cuda_source::KernelInterface>& kernels) {
  const auto parsed = base::try_parse_json(text);
  if (const auto* fault = std::get_if<base::JsonFault>(&parsed))
    return fmt::format("not valid JSON at byte {}: {}", fault->position, fault->reason);
  try {
    return proposal_from(base::JsonCursor(std::get<base::Json>(parsed), "the proposal"), kernels);
  } catch (const base::Error& error) {
    return error.one_line();
  }
}

std::variant<Proposal, std::string> ask_for_proposal(
    const ProposingCommand& command, const std::string& program,
    const std::vector<cuda_source::KernelInterface>& kernels) {
  const base::TemporaryFolder folder;
  const std::string in = (folder / "in.json").string(), out = (folder / "out.json").string();
  base::write_file_atomic(in, base::to_json_line(request_for(program, kernels)) + "\n");
  // The shell joins the files to the command's ends and is replaced by it.
  std::vector<std::string> arguments = {"/bin/sh", "-c", R"(in=$1 out=$2; shift 2; exec "$@" <"$in" >"$out")",
                                        "sh",      in,   out};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  sandbox::ProcessOptions options;
  options.time_limit = command.time_limit;
  const sandbox::ProcessResult result = sandbox::run_process(arguments, options);
  if (result.timed_out)
    return fmt::format("the command took longer than {} s", command.time_limit.count() / 1000.0);
  if (!result.succeeded())
    return fmt::format("the command ended with status {}: {}", result.exit_status,
                       base::in_quotes(result.output));
  std::error_code failed;
  if (std::filesystem::file_size(out, failed) > kLargestAnswer || failed)
    return fmt::format("the command's answer is larger than {} bytes", kLargestAnswer);
  return parse_proposal(base::read_file(out), kernels);
}

}  // namespace cuset::curate
